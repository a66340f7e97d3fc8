// Words, quotes and comments.
#include "plugin/scripting/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::scripting {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// One line, without its end. `error` says what is wrong with it.
class line_reader {
 public:
  explicit line_reader(std::string_view text) : text_(text) {}

  std::vector<script_word> words() {
    std::vector<script_word> all;
    while (error.empty()) {
      while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
      if (at_ == text_.size() || text_[at_] == '#') break;
      all.push_back(word());
    }
    return all;
  }

  std::string error;

 private:
  script_word word() {
    script_word made;
    bool is_quoted = false;
    while (error.empty() && at_ < text_.size() && !is_blank(text_[at_])) {
      const char c = text_[at_];
      if (c == '\'' || c == '"') {
        is_quoted = true;
        if (c == '\'')
          plain_quotes(made);
        else
          quotes(made);
      } else if (c == '$') {
        variable(made);
      } else if (c == '\\') {
        if (++at_ == text_.size())
          error = "nothing follows the backslash at the end; a command is one line";
        else
          add(made, text_[at_++]);
      } else if (std::string_view("|<>;&`").find(c) != std::string_view::npos) {
        error = fmt::format("'{}' is for a shell, and scripts run without one; a text that holds it stands in quotes{}",
                            c, c == '>' ? ", and many commands write files with --out" : "");
      } else {
        add(made, c);
        ++at_;
      }
    }
    if (made.empty() && is_quoted) made.emplace_back();
    return made;
  }

  void plain_quotes(script_word& to) {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) {
      error = fmt::format("the quote ' in column {} is not closed in this line", at_ + 1);
      return;
    }
    for (++at_; at_ < end; ++at_) add(to, text_[at_]);
    ++at_;
  }

  void quotes(script_word& to) {
    const std::size_t start = at_++;
    while (error.empty() && at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '$') {
        variable(to);
      } else if (text_[at_] == '\\' && at_ + 1 < text_.size()) {
        const char c = text_[at_ + 1];
        const char meant = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
        if (meant == c && std::string_view("\"\\$").find(c) == std::string_view::npos) add(to, '\\');
        add(to, meant);
        at_ += 2;
      } else {
        add(to, text_[at_++]);
      }
    }
    if (!error.empty()) return;
    if (at_ == text_.size())
      error = fmt::format("the quote \" in column {} is not closed in this line", start + 1);
    else
      ++at_;
  }

  void variable(script_word& to) {
    const std::size_t end = text_.find('}', at_);
    if (at_ + 1 >= text_.size() || text_[at_ + 1] != '{') {
      error = fmt::format(
          "a variable in column {} is written ${{NAME}}; a dollar sign itself is \\$, or stands in '...'", at_ + 1);
      return;
    }
    if (end == std::string_view::npos) {
      error = fmt::format("the variable in column {} is not closed; it is written ${{NAME}}", at_ + 1);
      return;
    }
    const std::string_view name = text_.substr(at_ + 2, end - at_ - 2);
    if (!is_variable_name(name)) {
      error = fmt::format("'{}' is no name of a variable; it has letters, digits and _, no digit first", name);
      return;
    }
    to.push_back({std::string(name), true});
    at_ = end + 1;
  }

  static void add(script_word& to, char c) {
    if (to.empty() || to.back().is_variable) to.emplace_back();
    to.back().text += c;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

tl::expected<std::vector<script_line>, script_error> read_script(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos)
    return tl::unexpected(
        script_error{static_cast<std::size_t>(std::count(text.begin(), text.begin() + zero, '\n')) + 1,
                     "there is a zero byte; a script is a text"});
  std::vector<script_line> all;
  std::vector<std::size_t> open;  // positions of `repeat`
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    line_reader reader(line);
    std::vector<script_word> words = reader.words();
    if (!reader.error.empty()) return tl::unexpected(script_error{number, reader.error});
    if (words.empty()) continue;
    const std::string* const verb = literal(words.front());
    if (verb != nullptr && *verb == "repeat") open.push_back(all.size());
    if (verb != nullptr && *verb == "end") {
      if (words.size() > 1) return tl::unexpected(script_error{number, "`end` stands alone in its line"});
      if (open.empty()) return tl::unexpected(script_error{number, "`end` without a `repeat` before it"});
      all[open.back()].ends_at = all.size();
      open.pop_back();
    }
    all.push_back({number, std::move(words)});
  }
  if (!open.empty())
    return tl::unexpected(script_error{all[open.back()].number, "this `repeat` has no `end`, which closes it"});
  return all;
}

const std::string* literal(const script_word& word) {
  return word.size() == 1 && !word.front().is_variable ? &word.front().text : nullptr;
}

bool is_variable_name(std::string_view name) {
  return !name.empty() && is_letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string script_line_of(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) {
    if (!line.empty()) line += ' ';
    const bool is_plain = !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
      return is_letter(c) || is_digit(c) || std::string_view("-+.,:/=@%*?[]{}!~^").find(c) != std::string_view::npos;
    });
    const bool is_one_line = word.find_first_of("'\n\r") == std::string::npos;
    if (is_plain) {
      line += word;
    } else if (is_one_line) {
      line += "'" + word + "'";
    } else {
      line += '"';
      for (const char c : word) {
        if (c == '"' || c == '\\' || c == '$') line += '\\';
        line += c == '\n' ? "\\n" : c == '\r' ? "\\r" : std::string(1, c);
      }
      line += '"';
    }
  }
  return line;
}

}  // namespace morph::scripting
