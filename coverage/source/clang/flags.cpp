// Options that are left out, replaced or kept, by families.
#include "coverage/source/clang/flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace morph::source {
namespace {

constexpr std::array<std::string_view, 12> with_value{"-I",       "-D",         "-U",        "-isystem",
                                                      "-iquote",  "-idirafter", "-include",  "-imacros",
                                                      "-iprefix", "-isysroot",  "--sysroot", "-x"};

constexpr std::array<std::string_view, 8> families{
    "-std=", "-m", "-nostdinc", "--sysroot=", "-fopenmp", "-stdlib=", "--target=", "-ftemplate-depth="};

constexpr std::array<std::string_view, 22> exact{"-pthread",        "-ansi",
                                                 "-fPIC",           "-fpic",
                                                 "-fPIE",           "-fpie",
                                                 "-fexceptions",    "-fno-exceptions",
                                                 "-frtti",          "-fno-rtti",
                                                 "-fsigned-char",   "-funsigned-char",
                                                 "-fshort-enums",   "-fpack-struct",
                                                 "-fshort-wchar",   "-fchar8_t",
                                                 "-fno-char8_t",    "-ffreestanding",
                                                 "-fms-extensions", "-fcoroutines",
                                                 "-fpermissive",    "-fno-threadsafe-statics"};

/// What compilers may assume, and what they have to keep: equivalence is proven under the same rules.
constexpr std::array<std::string_view, 36> semantics{"-fwrapv",
                                                     "-fno-wrapv",
                                                     "-ftrapv",
                                                     "-fstrict-overflow",
                                                     "-fno-strict-overflow",
                                                     "-fstrict-aliasing",
                                                     "-fno-strict-aliasing",
                                                     "-fdelete-null-pointer-checks",
                                                     "-fno-delete-null-pointer-checks",
                                                     "-fstrict-enums",
                                                     "-fno-strict-enums",
                                                     "-fbuiltin",
                                                     "-frounding-math",
                                                     "-fno-rounding-math",
                                                     "-ffast-math",
                                                     "-fno-fast-math",
                                                     "-fmath-errno",
                                                     "-fno-math-errno",
                                                     "-fassociative-math",
                                                     "-fno-associative-math",
                                                     "-freciprocal-math",
                                                     "-fno-reciprocal-math",
                                                     "-ffinite-math-only",
                                                     "-fno-finite-math-only",
                                                     "-fsigned-zeros",
                                                     "-fno-signed-zeros",
                                                     "-ftrapping-math",
                                                     "-fno-trapping-math",
                                                     "-funsafe-math-optimizations",
                                                     "-fno-unsafe-math-optimizations",
                                                     "-ffp-contract=off",
                                                     "-ffp-contract=on",
                                                     "-ffp-contract=fast",
                                                     "-fexcess-precision=fast",
                                                     "-fexcess-precision=standard",
                                                     "-fno-builtin"};

/// Of sanitizers, those by which a program can tell what would be undefined without them.
constexpr std::array<std::string_view, 20> sanitizers{"undefined",
                                                      "alignment",
                                                      "bool",
                                                      "bounds",
                                                      "builtin",
                                                      "enum",
                                                      "float-cast-overflow",
                                                      "float-divide-by-zero",
                                                      "integer-divide-by-zero",
                                                      "nonnull-attribute",
                                                      "null",
                                                      "object-size",
                                                      "pointer-overflow",
                                                      "return",
                                                      "returns-nonnull-attribute",
                                                      "shift",
                                                      "shift-base",
                                                      "shift-exponent",
                                                      "signed-integer-overflow",
                                                      "vla-bound"};

constexpr std::string_view sanitize = "-fsanitize=", dont_sanitize = "-fno-sanitize=";

/// Those that Clang knows of a list; empty if there are none.
std::string known_sanitizers(std::string_view option) {
  const std::string_view name = option.substr(0, option.find('=') + 1);
  std::string known;
  for (std::string_view rest = option.substr(name.size()); !rest.empty();) {
    const std::string_view one = rest.substr(0, rest.find(','));
    if (std::ranges::find(sanitizers, one) != sanitizers.end()) known.append(known.empty() ? name : ",").append(one);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return known;
}

bool is_level(std::string_view option) {
  return option.starts_with("-O");
}

}  // namespace

std::vector<std::string> parse_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
  // The last level counts, and what it means may be taken back by an option in front of it.
  const auto level = std::ranges::find_if(arguments.rbegin(), arguments.rend(), is_level);
  if (level != arguments.rend() && *level == "-Ofast") kept.emplace_back("-ffast-math");
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    bool taken = false;
    for (const std::string_view option : with_value) {
      if (argument == option) {
        if (i + 1 < arguments.size()) kept.insert(kept.end(), {argument, arguments[i + 1]}), ++i;
        taken = true;
        break;
      }
    }
    if (taken) continue;
    if (argument.starts_with(sanitize) || argument.starts_with(dont_sanitize)) {
      if (std::string known = known_sanitizers(argument); !known.empty()) kept.push_back(std::move(known));
      continue;
    }
    // Clang 19 has one option for integers and pointers.
    if (argument == "-fwrapv-pointer") kept.emplace_back("-fwrapv");
    taken = argument.starts_with("-fno-builtin-") || std::ranges::find(semantics, argument) != semantics.end();
    for (const std::string_view option : exact) taken = taken || argument == option;
    for (const std::string_view option : families) taken = taken || argument.starts_with(option);
    for (const std::string_view option : with_value) taken = taken || (argument.starts_with(option) && option != "-x");
    if (taken && argument != "-fcoroutines" && argument != "-fpermissive") kept.push_back(argument);
  }
  return kept;
}

}  // namespace morph::source
