// Compares the tokens of lines that changed.
#include "plugin/selection/confined.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::selection {
namespace {

using token = build::cxx_token;

/// Words that refer to nothing.
const std::set<std::string_view> keywords{"bool", "break",  "case",     "char",     "const",    "continue", "default",
                                          "do",   "double", "else",     "explicit", "false",    "float",    "for",
                                          "goto", "if",     "int",      "long",     "noexcept", "not",      "nullptr",
                                          "or",   "and",    "return",   "short",    "signed",   "sizeof",   "switch",
                                          "this", "true",   "unsigned", "void",     "while"};

bool is_name(const token& t) {
  return build::is_word_character(t.text.front()) && std::isdigit(static_cast<unsigned char>(t.text.front())) == 0 &&
         keywords.count(t.text) == 0;
}

/// Tokens that touch one of `count` lines from `first` on.
std::vector<token> in_lines(const std::vector<token>& all, std::uint32_t first, std::uint32_t count) {
  std::vector<token> found;
  for (const token& t : all)
    if (count > 0 && t.last_line >= first && t.line < first + count) found.push_back(t);
  return found;
}

std::set<std::string_view> names_of(const std::vector<token>& tokens) {
  std::set<std::string_view> names;
  for (const token& t : tokens)
    if (is_name(t)) names.insert(t.text);
  return names;
}

/// Opened minus closed braces; nothing if more are closed than were opened.
std::optional<int> depth_of(const std::vector<token>& tokens) {
  int depth = 0;
  for (const token& t : tokens) {
    depth += t.text == "{" ? 1 : t.text == "}" ? -1 : 0;
    if (depth < 0) return std::nullopt;
  }
  return depth;
}

bool has_any(const std::vector<token>& tokens, const std::set<std::string_view>& words) {
  return std::any_of(tokens.begin(), tokens.end(), [&](const token& t) { return words.count(t.text) != 0; });
}

/// What compilers evaluate while they compile, or run before main().
const std::set<std::string_view> beyond_any_function{"constexpr", "consteval", "constinit", "constructor",
                                                     "init_array"};
/// What declares something that is more than a part of the function around it.
const std::set<std::string_view> outliving{
    "#",       "static", "thread_local", "template", "class", "struct",    "union", "enum", "extern",  "asm",
    "__asm__", "inline", "operator",     "_Pragma",  "using", "namespace", "\\",    "auto", "decltype"};

/// Whether the lines lie behind the opening brace of the function and before its last line.
bool is_in_body(const store::measured_function& f, const std::vector<token>& old, const git::hunk& hunk) {
  const bool inserts = hunk.old_count == 0;
  const std::uint32_t first = inserts ? hunk.old_start + 1 : hunk.old_start;  // an insertion stands before it
  const std::uint32_t last = inserts ? hunk.old_start : hunk.old_start + hunk.old_count - 1;
  if (f.artificial || f.start_line >= first || last >= f.end_line) return false;
  for (const token& t : old) {
    if (t.line < f.start_line) continue;
    if (t.text == "auto" || t.text == "decltype" || t.text == "#") return false;  // its type may follow from its body
    if (t.text == "{") return t.line < first;
  }
  return false;
}

}  // namespace

bool is_confined(const git::file_change& change, const store::evidence& e, std::uint32_t file) {
  if (change.how != git::file_change::kind::modified || change.binary || change.submodule || change.hunks.empty())
    return false;
  const std::vector<token> old = build::cxx_tokens(change.old_text), now = build::cxx_tokens(change.new_text);
  const bool is_included = std::any_of(e.units.begin(), e.units.end(), [&](const auto& unit) {
    return unit.source != file && std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), file);
  });
  const bool may_leave = is_included || has_any(old, beyond_any_function) || has_any(now, beyond_any_function);

  const bool other_names = names_of(old) != names_of(now);
  return std::all_of(change.hunks.begin(), change.hunks.end(), [&](const git::hunk& hunk) {
    const auto before = in_lines(old, hunk.old_start, hunk.old_count);
    const auto after = in_lines(now, hunk.new_start, hunk.new_count);
    if (before == after && !has_any(before, {"#", "\\"})) return true;
    if (may_leave || other_names || has_any(before, outliving) || has_any(after, outliving)) return false;
    const auto opened = depth_of(before), opens = depth_of(after);
    return opened && opens && *opened == *opens &&
           std::any_of(e.functions.begin(), e.functions.end(),
                       [&](const store::measured_function& f) { return f.file == file && is_in_body(f, old, hunk); });
  });
}

}  // namespace morph::selection
