// Escapes what Markdown would take for its own.
#include "plugin/reference/markdown.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace morph::reference {
namespace {

/// A cell of a table: a bar would end it.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return result;
}

}  // namespace

std::string code(std::string_view text) {
  return fmt::format("`{}`", text);
}

std::string prose(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string table(const std::vector<std::string>& head, const std::vector<std::vector<std::string>>& rows) {
  std::string text = fmt::format("| {} |\n|", fmt::join(head, " | "));
  for (std::size_t i = 0; i < head.size(); ++i) text += " --- |";
  text += '\n';
  for (const auto& row : rows) {
    std::vector<std::string> cells;
    for (const auto& c : row) cells.push_back(cell(c));
    text += fmt::format("| {} |\n", fmt::join(cells, " | "));
  }
  return text + "\n";
}

}  // namespace morph::reference
