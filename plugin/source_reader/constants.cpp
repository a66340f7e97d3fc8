// Constants out of the texts of conditions.
#include "plugin/source_reader/constants.hpp"

#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <set>

namespace morph::source_reader {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Behind the literal that begins with a quote; npos if it does not end.
std::size_t end_of_quoted(const std::string& text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == text[begin])
      return i + 1;
  }
  return std::string::npos;
}

std::size_t end_of_number(const std::string& text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && (is_word(text[end]) || text[end] == '.' || text[end] == '\'')) ++end;
  return end;
}

}  // namespace

std::vector<constant> constants_in(const std::string& condition) {
  std::vector<constant> made;
  for (std::size_t at = 0; at < condition.size();) {
    const char c = condition[at];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_quoted(condition, at);
      if (end == std::string::npos) break;
      const std::string inner = condition.substr(at + 1, end - at - 2);
      at = end;
      if (inner.find('\\') != std::string::npos) continue;
      if (c == '"')
        made.push_back({constant::kind::text, 0, inner});
      else if (inner.size() == 1)
        made.push_back({constant::kind::character, static_cast<unsigned char>(inner[0]), {}});
    } else if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      const std::size_t end = end_of_number(condition, at);
      std::string digits;
      for (std::size_t i = at; i < end; ++i)
        if (condition[i] != '\'') digits += condition[i];
      at = end;
      if (digits.starts_with("0b") || digits.starts_with("0B")) continue;
      char* rest = nullptr;
      errno = 0;
      const std::int64_t value = std::strtoll(digits.c_str(), &rest, 0);
      if (errno == 0 && std::string(rest).find_first_not_of("uUlLzZ") == std::string::npos)
        made.push_back({constant::kind::number, value, {}});
    } else if (is_word(c)) {
      while (at < condition.size() && is_word(condition[at])) ++at;
    } else {
      ++at;
    }
  }
  return made;
}

std::vector<constant> ask_constants(const function_sources& of) {
  std::vector<constant> made;
  std::set<constant> known;
  for (const std::string& condition : ask_conditions(of))
    for (constant& each : constants_in(condition))
      if (known.insert(each).second) made.push_back(std::move(each));
  return made;
}

}  // namespace morph::source_reader
