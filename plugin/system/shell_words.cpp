// Splitting and quoting them.
#include "plugin/system/shell_words.hpp"

namespace morph::system {
namespace {

bool is_plain(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

std::string quoted(std::string_view word) {
  if (is_plain(word)) return std::string(word);
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'')
      text += "'\\''";
    else
      text += c;
  }
  return text + "'";
}

}  // namespace

std::vector<std::string> shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\r')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '"' || c == '\''))
      quote = c;
    else if (quote != 0 && c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < line.size())
      words.back() += line[++i];
    else
      words.back() += c;
  }
  return words;
}

std::string shell_line(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

}  // namespace morph::system
