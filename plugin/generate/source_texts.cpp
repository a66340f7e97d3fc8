// Looking for quotes, a line at a time.
#include "plugin/generate/source_texts.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace morph::generate {
namespace {

/// Calls `take` with each quote and what is between it and the next one.
void for_each_quoted(const std::string& source, const std::function<void(char, std::string_view)>& take) {
  for (std::size_t line = 0; line < source.size();) {
    const std::size_t end = std::min(source.find('\n', line), source.size());
    const std::string_view text = std::string_view(source).substr(line, end - line);
    line = end + 1;
    if (text.find("#include") != text.npos) continue;
    for (std::size_t i = 0; i < text.size() && !text.substr(i).starts_with("//"); ++i) {
      const char quote = text[i];
      if (quote != '"' && quote != '\'') continue;
      const std::size_t first = i + 1;
      bool has_escape = false;
      for (i = first; i < text.size() && text[i] != quote; ++i)
        if (text[i] == '\\') has_escape = true, ++i;
      if (i < text.size() && !has_escape && i > first) take(quote, text.substr(first, i - first));
    }
  }
}

}  // namespace

std::vector<std::string> short_texts(const std::string& source) {
  constexpr std::size_t most_bytes = 16;
  std::vector<std::string> made;
  for_each_quoted(source, [&](char quote, std::string_view text) {
    if (quote == '"' && text.size() <= most_bytes) made.emplace_back(text);
  });
  return made;
}

std::string characters_of(const std::string& source) {
  std::string made;
  for_each_quoted(source, [&](char quote, std::string_view text) {
    if (quote == '\'' && text.size() == 1 && made.find(text[0]) == made.npos) made += text[0];
  });
  return made;
}

}  // namespace morph::generate
