#include "coverage/source/flags.hpp"

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

}  // namespace

std::vector<std::string> parse_options(const std::vector<std::string>& arguments) {
  std::vector<std::string> kept;
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
    for (const std::string_view option : exact) taken = taken || argument == option;
    for (const std::string_view option : families) taken = taken || argument.starts_with(option);
    for (const std::string_view option : with_value) taken = taken || (argument.starts_with(option) && option != "-x");
    if (taken && argument != "-fcoroutines" && argument != "-fpermissive") kept.push_back(argument);
  }
  return kept;
}

}  // namespace morph::source
