// A lexer of CMake's grammar (cmake-language(7)).
#include "plugin/build/cmake_syntax.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace morph::build {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool refers(std::string_view text) {
  constexpr std::array<std::string_view, 4> marks{"${", "$ENV{", "$CACHE{", "$<"};
  return std::any_of(marks.begin(), marks.end(), [&](auto m) { return text.find(m) != std::string_view::npos; });
}

struct syntax_error {
  std::string what;
};

class lexer {
 public:
  explicit lexer(std::string_view text) : text_(text) {}

  std::vector<cmake_command> commands() {
    std::vector<cmake_command> found;
    std::vector<cmake_block> open;
    if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
    for (;;) {
      skip();
      if (at_ == text_.size()) break;
      cmake_command c = command();
      if (c.name.starts_with("end") && !open.empty() && closes(c.name, found[open.back().opener].name)) open.pop_back();
      if ((c.name == "else" || c.name == "elseif") && !open.empty()) ++open.back().branch;
      c.blocks = open;
      if (opens(c.name)) open.push_back({found.size(), 0});
      found.push_back(std::move(c));
    }
    if (!open.empty()) {
      const cmake_command& c = found[open.back().opener];
      throw syntax_error{fmt::format("line {}: {}() is never closed", c.line, c.name)};
    }
    return found;
  }

 private:
  static bool opens(std::string_view name) {
    constexpr std::array<std::string_view, 6> openers{"if", "foreach", "while", "function", "macro", "block"};
    return std::find(openers.begin(), openers.end(), name) != openers.end();
  }
  static bool closes(std::string_view name, std::string_view opener) { return name.substr(3) == opener; }

  std::uint32_t line_of(std::size_t at) const {
    return 1 +
           static_cast<std::uint32_t>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  }

  [[noreturn]] void fail(std::size_t at, std::string_view what) const {
    throw syntax_error{fmt::format("line {}: {}", line_of(at), what)};
  }

  /// `[`, any number of `=`, `[` at a position: how many characters; 0 if there is none.
  std::size_t bracket_at(std::size_t at) const {
    if (at >= text_.size() || text_[at] != '[') return 0;
    const auto second = text_.find_first_not_of('=', at + 1);
    return second != std::string_view::npos && text_[second] == '[' ? second + 1 - at : 0;
  }

  /// Behind the closing bracket of the one that opens here.
  std::size_t end_of_bracket(std::size_t at, std::size_t opening) const {
    const std::string closing = "]" + std::string(opening - 2, '=') + "]";
    const auto end = text_.find(closing, at + opening);
    if (end == std::string_view::npos) fail(at, "a bracket argument or comment is never closed");
    return end + closing.size();
  }

  void skip() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_])) {
        ++at_;
      } else if (text_[at_] == '#') {
        if (const auto opening = bracket_at(at_ + 1); opening > 0)
          at_ = end_of_bracket(at_ + 1, opening);
        else
          at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  cmake_command command() {
    cmake_command c;
    c.begin = at_;
    c.line = line_of(at_);
    while (at_ < text_.size() && is_name(text_[at_]))
      c.name += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_++])));
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
    if (c.name.empty() || at_ == text_.size() || text_[at_] != '(') fail(c.begin, "a command is expected here");
    ++at_;
    for (unsigned depth = 1; depth > 0;) {
      skip();
      if (at_ == text_.size()) fail(c.begin, fmt::format("{}( is never closed", c.name));
      if (text_[at_] == '(' || text_[at_] == ')') {
        depth = text_[at_] == '(' ? depth + 1 : depth - 1;
        ++at_;
        if (depth > 0) c.arguments.push_back({std::string(1, text_[at_ - 1]), true, at_ - 1, at_});
      } else {
        c.arguments.push_back(argument());
      }
    }
    c.end = at_;
    return c;
  }

  cmake_argument argument() {
    cmake_argument a;
    a.begin = at_;
    if (const auto opening = bracket_at(at_); opening > 0) {
      at_ = end_of_bracket(at_, opening);
      std::size_t first = a.begin + opening;
      if (text_[first] == '\n') ++first;
      const std::size_t last = at_ - opening;
      a.text = last > first ? text_.substr(first, last - first) : "";
    } else if (text_[at_] == '"') {
      ++at_;
      while (at_ < text_.size() && text_[at_] != '"') character(a);
      if (at_ == text_.size()) fail(a.begin, "a string is never closed");
      ++at_;
      a.literal = !refers(text_.substr(a.begin, at_ - a.begin));
    } else {
      // A quoted part inside, as in -Da="b c", belongs to it.
      bool quoted = false;
      while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '"') quoted = !quoted;
        const bool make_style = c == '(' && at_ > a.begin && text_[at_ - 1] == '$';
        if (make_style) {
          const auto end = text_.find(')', at_);
          if (end == std::string_view::npos) fail(a.begin, "$( is never closed");
          a.text += text_.substr(at_, end + 1 - at_);
          at_ = end + 1;
          continue;
        }
        if (!quoted && (is_blank(c) || c == '(' || c == ')' || c == '#')) break;
        character(a);
      }
      if (quoted) fail(a.begin, "a string is never closed");
      a.literal = !refers(text_.substr(a.begin, at_ - a.begin));
    }
    a.end = at_;
    return a;
  }

  void character(cmake_argument& a) {
    const char c = text_[at_++];
    if (c != '\\' || at_ == text_.size()) {
      a.text += c;
      return;
    }
    const char escaped = text_[at_++];
    switch (escaped) {
      case 'n':
        a.text += '\n';
        break;
      case 't':
        a.text += '\t';
        break;
      case 'r':
        a.text += '\r';
        break;
      case '\n':
        break;
      default:
        a.text += escaped;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

result<std::vector<cmake_command>> parse_cmake(std::string_view text) {
  try {
    return lexer(text).commands();
  } catch (const syntax_error& error) {
    return tl::unexpected(error.what);
  }
}

}  // namespace morph::build
