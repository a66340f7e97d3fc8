// The corrections.
#include "coverage/gcov/clang_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "coverage/gcov/line_table.hpp"

namespace morph::gcov {
namespace {

constexpr std::string_view note_suffix = ".gcno";

// The line of the function itself needs no code.
void keep_lines(note_function& function, const std::vector<std::uint32_t>& true_lines) {
  std::vector<location> locations;
  std::vector<std::uint32_t> lines;
  for (location place : function.locations) {
    const auto first = static_cast<std::uint32_t>(lines.size());
    for (std::uint32_t i = place.first; i < place.first + place.count; ++i) {
      const std::uint32_t line = function.lines[i];
      if (line == function.start_line || std::binary_search(true_lines.begin(), true_lines.end(), line))
        lines.push_back(line);
    }
    place.first = first;
    place.count = static_cast<std::uint32_t>(lines.size()) - first;
    if (place.count != 0) locations.push_back(place);
  }
  function.locations = std::move(locations);
  function.lines = std::move(lines);
}

// To count an arc from a block with several ways on to one with several ways in, Clang puts a block between them, right
// behind the former; it then counts neither half, and notes the second half only.
bool add_missing_arcs(note_function& function) {
  std::vector<std::uint8_t> inserted(function.blocks, 0);
  for (const auto& a : function.arcs) inserted[a.source] |= a.on_tree ? 1 : 0;
  for (const auto& a : function.arcs) {
    if (!a.on_tree && inserted[a.source] != 0) return false;
    if (inserted[a.destination] != 0) return false;
  }
  std::vector<std::uint32_t> first_of(function.blocks, entry_block);  // the last block before it that was not inserted
  for (std::uint32_t block = exit_block + 1; block < function.blocks; ++block)
    first_of[block] = inserted[block] != 0 ? first_of[block - 1] : block;
  const auto noted = function.arcs.size();
  for (std::size_t i = 0; i < noted; ++i) {
    if (!function.arcs[i].on_tree) continue;
    const std::uint32_t second = function.arcs[i].source;
    if (first_of[second] == entry_block) return false;
    function.arcs.push_back({first_of[second], second, true, false, false});
  }
  return true;
}

}  // namespace

std::string folder_of_build(const std::string& note_path) {
  const auto at = note_path.rfind("/CMakeFiles/");
  return note_path.substr(0, at != std::string::npos ? at : note_path.rfind('/'));
}

tl::expected<line_table, std::string> lines_of_object(const std::string& note_path, const std::string& cwd,
                                                      const file_reader& read) {
  const std::string object = note_path.substr(0, note_path.size() - note_suffix.size()) + ".o";
  const auto bytes = read(object);
  if (!bytes) return tl::unexpected(fmt::format("{}; the lines of its notes need it: rebuild the twin", bytes.error()));
  auto table = parse_line_table(*bytes, object);
  if (!table) return tl::unexpected(table.error());
  line_table resolved;
  for (const auto& [file, lines] : *table) {
    auto& all = resolved[resolved_path(cwd, file)];
    std::vector<std::uint32_t> merged;
    std::set_union(all.begin(), all.end(), lines.begin(), lines.end(), std::back_inserter(merged));
    all = std::move(merged);
  }
  return resolved;
}

tl::expected<void, std::string> correct_clang_note(note& notes, const std::string& note_path, const file_reader& read) {
  for (auto& function : notes.functions)
    if (!add_missing_arcs(function))
      return tl::unexpected(
          fmt::format("'{}' does not count the calls of '{}': it was compiled without the options of the twin, and "
                      "lacks counters that exceptions and exit() make necessary; rebuild the twin",
                      note_path, function.symbol));
  if (notes.cwd.empty()) notes.cwd = folder_of_build(note_path);
  if (notes.mixes_files) {
    const auto table = lines_of_object(note_path, notes.cwd, read);
    if (!table) return tl::unexpected(table.error());
    static const std::vector<std::uint32_t> nothing;
    for (auto& function : notes.functions) {
      const auto found = table->find(resolved_path(notes.cwd, notes.files[function.file]));
      keep_lines(function, found == table->end() ? nothing : found->second);
    }
  }
  for (auto& function : notes.functions) {
    function.end_line = function.start_line;
    for (const auto line : function.lines) function.end_line = std::max(function.end_line, line);
  }
  return {};
}

}  // namespace morph::gcov
