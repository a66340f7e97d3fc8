// Telling sources of tests by what they include and say.
#include "plugin/frameworks/test_sources.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "plugin/frameworks/framework.hpp"

namespace morph::frameworks {
namespace {

/// Whether an #include line names one of the folders or files.
bool names_one(std::string_view line, const std::vector<std::string_view>& headers) {
  return std::ranges::any_of(headers, [&](std::string_view header) {
    for (auto at = line.find(header); at != std::string_view::npos; at = line.find(header, at + 1)) {
      const std::string_view behind = line.substr(at + header.size(), 1);
      if (header.ends_with('/') || behind == "\"" || behind == ">") return true;
    }
    return false;
  });
}

}  // namespace

std::set<std::string> frameworks_of_source(std::string_view text) {
  std::set<std::string> found;
  for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
    std::string_view line = text.substr(at + 1, text.find('\n', at) - at - 1);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    if (!line.starts_with("include")) continue;
    for (const framework& f : all_frameworks())
      if (names_one(line, f.words.headers) && !names_one(line, f.words.other_headers)) found.emplace(f.name);
  }
  return found;
}

bool mentions_tests(std::string_view text) {
  if (!frameworks_of_source(text).empty()) return true;
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (const std::string_view word : {"TEST", "SCENARIO", "MORPH_SPEC"})
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
      std::size_t end = at;
      while (end < text.size() && is_of_word(text[end])) ++end;
      end = std::min(text.find_first_not_of(" \t\r\n", end), text.size());
      if (end < text.size() && text[end] == '(') return true;
    }
  return false;
}

std::vector<std::string> unknown_test_macros(std::string_view text) {
  std::vector<std::string> made;
  const auto is_of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t begin = 0; begin < text.size(); begin = std::min(text.find('\n', begin), text.size() - 1) + 1) {
    const auto end = static_cast<std::size_t>(
        std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), is_of_word) - text.begin());
    const std::string_view word = text.substr(begin, end - begin);
    if (word.find("TEST") == std::string_view::npos || end >= text.size() || text[end] != '(') continue;
    const std::size_t close = text.find(')', end),
                      body = text.find_first_not_of(" \t\r\n", std::min(close, text.size() - 1) + 1);
    if (close != std::string_view::npos && body != std::string_view::npos && text[body] == '{') made.emplace_back(word);
  }
  return made;
}

}  // namespace morph::frameworks
