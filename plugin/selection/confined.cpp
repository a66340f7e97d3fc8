// A scanner for tokens of C++, and what may stand in a confined change.
#include "plugin/selection/confined.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace morph::selection {
namespace {

struct token {
  std::string_view text;
  std::uint32_t line;       // where it starts
  std::uint32_t last_line;  // a raw string may have several
  bool operator==(const token& other) const { return text == other.text; }
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// Words that refer to nothing.
const std::set<std::string_view> keywords{"bool", "break",  "case",     "char",     "const",    "continue", "default",
                                          "do",   "double", "else",     "explicit", "false",    "float",    "for",
                                          "goto", "if",     "int",      "long",     "noexcept", "not",      "nullptr",
                                          "or",   "and",    "return",   "short",    "signed",   "sizeof",   "switch",
                                          "this", "true",   "unsigned", "void",     "while"};

bool is_name(const token& t) {
  return is_word(t.text.front()) && std::isdigit(static_cast<unsigned char>(t.text.front())) == 0 &&
         keywords.count(t.text) == 0;
}

/// Words, literals and single characters, without comments and blanks.
std::vector<token> tokens_of(std::string_view text) {
  std::vector<token> tokens;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::uint32_t first = line;
    const char c = text[at];
    const auto end_at = [&](std::size_t end) {
      at = std::min(end, text.size());
      line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(start),
                                                    text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    };
    const auto end_of = [&](std::string_view what, std::size_t from) {
      const auto found = text.find(what, from);
      return found == std::string_view::npos ? text.size() : found + what.size();
    };
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      end_at(at + 1);
      continue;
    }
    if (text.substr(at, 2) == "//") {
      std::size_t end = at;  // a backslash continues it
      do end = end_of("\n", end);
      while (end < text.size() && end >= 2 && text[end - 2] == '\\');
      end_at(end);
      continue;
    }
    if (text.substr(at, 2) == "/*") {
      end_at(end_of("*/", at + 2));
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const char quote = end < text.size() ? text[end] : '\0';
    const bool is_prefix = word.empty() || word == "u8" || word == "u" || word == "U" || word == "L";
    if (quote == '"' && (word.ends_with('R') && word.size() <= 3)) {
      const auto open = text.find('(', end);
      const std::string delimiter =
          open == std::string_view::npos ? "" : ")" + std::string(text.substr(end + 1, open - end - 1)) + "\"";
      end = delimiter.empty() ? text.size() : end_of(delimiter, open);
    } else if ((quote == '"' || quote == '\'') && is_prefix) {
      for (++end; end < text.size() && text[end] != quote && text[end] != '\n'; ++end)
        if (text[end] == '\\') ++end;
      ++end;
    } else if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      // 1'000'000, 1.5e-3
      while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == '\'' ||
                                   ((text[end] == '+' || text[end] == '-') &&
                                    std::string_view("eEpP").find(text[end - 1]) != std::string_view::npos)))
        ++end;
    } else if (word.empty()) {
      end = at + 1;
    }
    end_at(end);
    tokens.push_back({text.substr(start, at - start), first, line});
  }
  return tokens;
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
bool is_in_body(const store::measured_function& f, const std::vector<token>& old, const project::hunk& hunk) {
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

bool is_confined(const project::file_change& change, const store::evidence& e, std::uint32_t file) {
  if (change.how != project::file_change::kind::modified || change.binary || change.submodule || change.hunks.empty())
    return false;
  const std::vector<token> old = tokens_of(change.old_text), now = tokens_of(change.new_text);
  const bool is_included = std::any_of(e.units.begin(), e.units.end(), [&](const auto& unit) {
    return unit.source != file && std::binary_search(unit.dependencies.begin(), unit.dependencies.end(), file);
  });
  const bool may_leave = is_included || has_any(old, beyond_any_function) || has_any(now, beyond_any_function);

  const bool other_names = names_of(old) != names_of(now);
  return std::all_of(change.hunks.begin(), change.hunks.end(), [&](const project::hunk& hunk) {
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
