// The three corrections.
#include "coverage/gcov/clang_note.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "coverage/gcov/line_table.hpp"

namespace morph::gcov {
namespace {

constexpr std::string_view note_suffix = ".gcno";

// CMake names sources by absolute paths, but for generated ones, which are in the build tree.
std::string folder_of_build(const std::string& note_path) {
  const auto at = note_path.rfind("/CMakeFiles/");
  return note_path.substr(0, at != std::string::npos ? at : note_path.rfind('/'));
}

// By resolved paths.
tl::expected<line_table, std::string> lines_of_object(const note& notes, const std::string& note_path,
                                                      const file_reader& read) {
  const std::string object = note_path.substr(0, note_path.size() - note_suffix.size()) + ".o";
  const auto bytes = read(object);
  if (!bytes) return tl::unexpected(fmt::format("{}; the lines of its notes need it: rebuild the twin", bytes.error()));
  auto table = parse_line_table(*bytes, object);
  if (!table) return tl::unexpected(table.error());
  line_table resolved;
  for (const auto& [file, lines] : *table) {
    auto& all = resolved[resolved_path(notes.cwd, file)];
    std::vector<std::uint32_t> merged;
    std::set_union(all.begin(), all.end(), lines.begin(), lines.end(), std::back_inserter(merged));
    all = std::move(merged);
  }
  return resolved;
}

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

}  // namespace

tl::expected<void, std::string> correct_clang_note(note& notes, const std::string& note_path, const file_reader& read) {
  for (const auto& function : notes.functions)
    for (const auto& a : function.arcs)
      if (a.source == entry_block && a.on_tree)
        return tl::unexpected(
            fmt::format("'{}' does not count the calls of '{}': it was compiled with -fno-builtin or -ffreestanding, with "
                        "which Clang leaves out counters that exceptions and exit() make necessary",
                        note_path, function.symbol));
  if (notes.cwd.empty()) notes.cwd = folder_of_build(note_path);
  if (notes.mixes_files) {
    const auto table = lines_of_object(notes, note_path, read);
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
