// Escapes, tables, and lists where a table would be too wide.
#include "plugin/reference/markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace morph::reference {
namespace {

constexpr std::size_t widest_table = 140, widest_text = 120;

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

/// A row: its first cell, then the others, below each other with their heads where they are several, without those that
/// are empty.
std::string list(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    if (row.size() == 2) {
      text += "- " + wrapped(fmt::format("{}: {}", row[0], row[1]), 2) + '\n';
      continue;
    }
    text += fmt::format("- {}\n", row[0]);
    for (std::size_t i = 1; i < row.size(); ++i)
      if (!row[i].empty()) text += "  - " + wrapped(fmt::format("{}: {}", head[i], row[i]), 4) + '\n';
  }
  return text + '\n';
}

}  // namespace

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

std::string prose(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string wrapped(std::string_view text, std::size_t indentation) {
  std::string result;
  std::size_t column = indentation;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > indentation && column + 1 + word.size() > widest_text) {
      result += '\n' + std::string(indentation, ' ');
      column = indentation;
    } else if (column > indentation) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string text = fmt::format("| {} |\n|", fmt::join(head, " | "));
  for (std::size_t i = 0; i < head.size(); ++i) text += " --- |";
  text += '\n';
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (const auto& c : row) cells.push_back(cell(c));
    const std::string line = fmt::format("| {} |\n", fmt::join(cells, " | "));
    if (line.size() > widest_table) return list(head, rows);
    text += line;
  }
  return text + "\n";
}

}  // namespace morph::reference
