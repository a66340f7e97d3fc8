// Splits a source into tokens.
#include "plugin/build/cxx_tokens.hpp"

#include <algorithm>
#include <cctype>
#include <string>
#include <utility>

namespace morph::build {

namespace {

/// A backslash, and blanks that may stand behind it, continue it.
std::size_t end_of_line_comment(std::string_view text, std::size_t at) {
  while (true) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return text.size();
    std::size_t last = end;
    while (last > 0 && std::string_view(" \t\r\v\f").find(text[last - 1]) != std::string_view::npos) --last;
    if (last == 0 || text[last - 1] != '\\') return end + 1;
    at = end + 1;
  }
}

}  // namespace

bool begins_line(const std::vector<cxx_token>& all, std::size_t index) {
  if (index == 0) return true;
  const std::string_view before = all[index - 1].text;
  std::string_view between = text_between(before, all[index].text);
  between.remove_prefix(before.size());
  between.remove_suffix(all[index].text.size());
  bool is_continued = before == "\\";
  for (std::size_t at = 0; at < between.size();) {
    if (between.substr(at, 2) == "//") return true;
    if (between.substr(at, 2) == "/*") {
      const std::size_t end = between.find("*/", at + 2);
      if (end == std::string_view::npos) return true;
      at = end + 2;
    } else if (between[at++] == '\n' && !std::exchange(is_continued, false)) {
      return true;
    }
  }
  return false;
}

bool is_word_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

bool is_word(std::string_view token) {
  return is_word_character(token.front()) && std::isdigit(static_cast<unsigned char>(token.front())) == 0 &&
         token.back() != '"' && token.back() != '\'';
}

std::vector<cxx_token> cxx_tokens(std::string_view text) {
  std::vector<cxx_token> tokens;
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
      end_at(end_of_line_comment(text, at));
      continue;
    }
    if (text.substr(at, 2) == "/*") {
      end_at(end_of("*/", at + 2));
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_word_character(text[end])) ++end;
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
      if (end < text.size() && text[end] == quote) ++end;
    } else if (!word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0) {
      // 1'000'000, 1.5e-3
      while (end < text.size() && (is_word_character(text[end]) || text[end] == '.' || text[end] == '\'' ||
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

}  // namespace morph::build
