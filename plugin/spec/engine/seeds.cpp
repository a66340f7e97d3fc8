// Reading seeds: lines of JSON, rows of CSV, files of a folder, standard input.
#include "morph/seeds.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace morph {
namespace {

/// What some editors and spreadsheets write before UTF-8.
void drop_byte_order_mark(std::string& first_line) {
  if (first_line.compare(0, 3, "\xef\xbb\xbf") == 0) first_line.erase(0, 3);
}

/// Blank lines and lines that begin with `#` or `//` are none.
text_seeds lines_of(std::istream& from, const std::string& name) {
  text_seeds made;
  std::string line;
  for (std::size_t number = 1; std::getline(from, line); ++number) {
    if (number == 1) drop_byte_order_mark(line);
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line[begin] == '#' || line.compare(begin, 2, "//") == 0) continue;
    if (line.compare(begin, 9, "{\"morph\":") == 0) continue;  // the head of a saved pool
    made.parts.push_back(line);
    made.places.push_back(name + ":" + std::to_string(number));
  }
  return made;
}

text_seeds not_there(const std::string& file) {
  text_seeds made;
  made.error = "'" + file + "' cannot be read; paths start at the working directory of the test";
  return made;
}

/// A row may go on over several lines inside quotes.
bool read_row(std::istream& from, std::string& row, std::size_t& lines, bool& inside_quotes) {
  row.clear();
  lines = 0;
  inside_quotes = false;
  std::string line;
  while (std::getline(from, line)) {
    if (++lines > 1) row += '\n';
    row += line;
    if (std::count(line.begin(), line.end(), '"') % 2 != 0) inside_quotes = !inside_quotes;
    if (!inside_quotes) return true;
  }
  return lines > 0;
}

}  // namespace

text_seeds read_seeds(const json_lines& from) {
  std::ifstream file(from.file);
  return file ? lines_of(file, from.file) : not_there(from.file);
}

text_seeds read_seeds(const standard_input&) {
  static const text_seeds all = [] {
    if (isatty(STDIN_FILENO) != 0)
      std::fputs("seeds, one a line, as JSON or {\"in\": ..., \"out\": ...}; Ctrl-D ends:\n", stderr);
    return lines_of(std::cin, "standard input");
  }();
  return all;
}

text_seeds read_seeds(const csv& from) {
  std::ifstream file(from.file);
  if (!file) return not_there(from.file);
  text_seeds made;
  made.how = text_seeds::form::rows;
  std::string row;
  std::size_t lines = 0, number = 1;
  bool inside_quotes = false;
  for (; read_row(file, row, lines, inside_quotes); number += lines) {
    if (number == 1) drop_byte_order_mark(row);
    if (inside_quotes) {
      made.error = from.file + ":" + std::to_string(number) + ": a quote is not closed";
      return made;
    }
    if (!row.empty() && row.back() == '\r') row.pop_back();
    if (row.empty()) continue;
    made.parts.push_back(row);
    made.places.push_back(from.file + ":" + std::to_string(number));
  }
  return made;
}

text_seeds read_seeds(const folder& from) {
  namespace fs = std::filesystem;
  text_seeds made;
  made.how = text_seeds::form::files;
  std::error_code error;
  for (auto at = fs::recursive_directory_iterator(from.path, error); !error && at != fs::recursive_directory_iterator();
       at.increment(error))
    if (std::error_code broken_link; at->is_regular_file(broken_link)) made.places.push_back(at->path().string());
  if (error) return not_there(from.path);
  std::sort(made.places.begin(), made.places.end());
  for (const std::string& place : made.places) {
    std::ifstream file(place, std::ios::binary);
    if (!file) return not_there(place);
    made.parts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return made;
}

std::vector<std::string> csv_fields(std::string_view row) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char c = row[i];
    if (quoted && c == '"' && i + 1 < row.size() && row[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

namespace detail {

bool are_names(const std::vector<std::string>& fields) {
  bool any = false;
  for (const std::string& field : fields) {
    if (field.empty()) continue;
    any = true;
    const auto first = static_cast<unsigned char>(field[field.find_first_not_of(' ') % field.size()]);
    const bool letter =
        (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_' || first >= 0x80;
    if (!letter || field == "true" || field == "false" || field == "null") return false;
  }
  return any;
}

bool split_seed(std::string_view line, seed_line& to, std::string& error) {
  text::reader from(line);
  if (!from.comes('{')) {
    to.input = line;
    return true;
  }
  // An object with names that are not ours is an input with named members.
  std::string name;
  bool ours = true;
  if (!from.take('{')) return error = from.error(), false;
  do {
    if (!from.name(name) || !from.take(':')) return error = from.error(), false;
    const std::string_view value = from.value();
    if (value.empty()) return error = from.error(), false;
    if (name == "in")
      to.input = value;
    else if (name == "out" || name == "expected")
      to.output = name == "expected" || to.output.empty() ? value : to.output;
    else if (name != "id" && name != "by" && name != "from" && name != "verdicts" && name != "how")
      ours = false;
  } while (from.take_if(','));
  if (!from.take('}') || !from.end()) return error = from.error(), false;
  if (!ours || to.input.empty()) {
    to.input = line;
    to.output = {};
  }
  return true;
}

}  // namespace detail
}  // namespace morph
