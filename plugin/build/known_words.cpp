// Follows the definitions of macros.
#include "plugin/build/known_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "plugin/build/cxx_tokens.hpp"

namespace morph::build {
namespace {

constexpr std::array<std::string_view, 5> of_callers{"__builtin_LINE", "__builtin_COLUMN", "__builtin_source_location",
                                                     "source_location", "BOOST_CURRENT_LOCATION"};
constexpr std::array<std::string_view, 27> compilers{
    "constexpr",     "consteval",   "constinit",     "always_inline",  "__always_inline", "__always_inline__",
    "__forceinline", "gnu_inline",  "constructor",   "__gnu_inline__", "__constructor__", "init_array",
    "__init_array",  "__attribute", "__attribute__", "__declspec",     "section",         "_Pragma",
    "asm",           "__asm",       "__asm__",       "__COUNTER__",    "alias",           "ifunc",
    "__device__",    "destructor",  "__destructor__"};

/// Macros of the C library in capitals, which come to nothing of a line.
constexpr std::array<std::string_view, 22> of_c{
    "INT8_C",   "INT16_C",   "INT32_C",   "INT64_C",     "UINT8_C",     "UINT16_C", "UINT32_C", "UINT64_C",
    "INTMAX_C", "UINTMAX_C", "WIFEXITED", "WEXITSTATUS", "WIFSIGNALED", "WTERMSIG", "S_ISDIR",  "S_ISREG",
    "S_ISLNK",  "FD_ZERO",   "FD_SET",    "FD_ISSET",    "CPU_ZERO",    "CPU_SET"};

/// A macro, the words of what it is defined as, and those of them that parentheses follow.
struct definition {
  std::string_view name;
  std::vector<std::string_view> body, calls;
  int braces = 0;  // opened minus closed
};

std::vector<definition> definitions_of(const std::vector<cxx_token>& tokens) {
  std::vector<definition> found;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (tokens[i].text != "#" || tokens[i + 1].text != "define" || !begins_line(tokens, i)) continue;
    definition& made = found.emplace_back(definition{tokens[i + 2].text, {}, {}});
    for (i += 3; i < tokens.size() && !begins_line(tokens, i); ++i) {
      const std::string_view text = tokens[i].text;
      made.braces += text == "{" ? 1 : text == "}" ? -1 : 0;
      if (!is_word(text)) continue;
      made.body.push_back(text);
      if (i + 1 < tokens.size() && tokens[i + 1].text == "(") made.calls.push_back(text);
    }
    --i;
  }
  return found;
}

/// Whether an attribute says so; functions may be called so, too.
bool has_flatten(const std::vector<cxx_token>& tokens) {
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
    if ((tokens[i].text == "flatten" || tokens[i].text == "__flatten__") &&
        std::string_view("),]").find(tokens[i + 1].text) != std::string_view::npos)
      return true;
  return false;
}

/// Functions named in a statement, or in what stands before a brace, with a word of compilers.
void add_said_apart(const std::vector<cxx_token>& tokens, known_words& to) {
  for (std::size_t first = 0, end = 0; first < tokens.size(); first = end + 1) {
    bool says = false;
    for (end = first; end < tokens.size() && std::string_view(";{}").find(tokens[end].text) == std::string_view::npos;
         ++end)
      says = says || to.of_compilers.contains(tokens[end].text);
    for (std::size_t i = first; says && i + 1 < end; ++i)
      if (is_word(tokens[i].text) && tokens[i + 1].text == "(") to.said_apart.emplace(tokens[i].text);
  }
}

bool has_any(const std::vector<std::string_view>& all, const known_words::words& words) {
  return std::any_of(all.begin(), all.end(), [&](std::string_view word) { return words.contains(word); });
}

}  // namespace

bool is_in_capitals(std::string_view word) {
  return word.size() > 1 &&
         std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; }) &&
         std::none_of(word.begin(), word.end(), [](unsigned char c) { return std::islower(c) != 0; });
}

bool known_words::is_unknown_macro(std::string_view word) const {
  return is_in_capitals(word) && !macros.contains(word) && std::find(of_c.begin(), of_c.end(), word) == of_c.end();
}

known_words read_words(std::span<const std::string> texts) {
  known_words known;
  known.of_lines = {"__LINE__", "__TIMESTAMP__"};
  known.of_lines.insert(of_callers.begin(), of_callers.end());
  known.of_compilers.insert(compilers.begin(), compilers.end());
  std::vector<std::vector<cxx_token>> all;
  std::vector<definition> definitions;
  for (const std::string& text : texts) {
    all.push_back(cxx_tokens(text));
    for (definition& made : definitions_of(all.back())) definitions.push_back(std::move(made));
    const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
    known.asks_callers = known.asks_callers || std::any_of(of_callers.begin(), of_callers.end(), has);
    known.puts_callees = known.puts_callees || (has("flatten") && has_flatten(all.back()));
    known.asks_time = known.asks_time || has("__TIMESTAMP__");
  }
  for (const definition& d : definitions) {
    known.macros.emplace(d.name);
    if (d.braces != 0) known.of_braces.emplace(d.name);
  }
  for (bool grows = true; std::exchange(grows, false);)
    for (const definition& d : definitions) {
      const auto is_unknown = [&](std::string_view word) { return known.is_unknown_macro(word); };
      const bool calls_unknown = std::any_of(d.calls.begin(), d.calls.end(), is_unknown);
      const bool may_be_attribute = std::any_of(d.body.begin(), d.body.end(), is_unknown);
      const auto put = [&](known_words::words& words, bool is_one) {
        if (is_one && words.emplace(d.name).second) grows = true;
      };
      put(known.of_lines, calls_unknown || has_any(d.body, known.of_lines));
      put(known.of_compilers, may_be_attribute || has_any(d.body, known.of_compilers));
      put(known.of_braces, has_any(d.body, known.of_braces));
    }
  for (const std::vector<cxx_token>& tokens : all) add_said_apart(tokens, known);
  return known;
}

}  // namespace morph::build
