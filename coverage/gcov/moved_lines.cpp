// Giving lines back the places from which `#line` took them.
#include "coverage/gcov/moved_lines.hpp"

#include <algorithm>
#include <span>

namespace morph::gcov {
namespace {

class mover {
 public:
  mover(note& notes, std::map<std::uint32_t, line_places> moved) : notes_(notes), moved_(std::move(moved)) {}

  void run() {
    for (note_function& function : notes_.functions) {
      const bool has_moved =
          moved_.contains(function.file) ||
          std::ranges::any_of(function.locations, [&](const auto& at) { return moved_.contains(at.file); });
      if (!has_moved) continue;
      move_body(function);
      move_extent(function);
    }
  }

 private:
  std::uint32_t number_of(const std::string& file) {
    const auto known = std::ranges::find(notes_.files, file);
    if (known != notes_.files.end()) return static_cast<std::uint32_t>(known - notes_.files.begin());
    notes_.files.push_back(file);
    return static_cast<std::uint32_t>(notes_.files.size() - 1);
  }

  const std::vector<line_place>* places_of(std::uint32_t file, std::uint32_t line) const {
    const auto moved = moved_.find(file);
    if (moved == moved_.end()) return nullptr;
    const auto found = moved->second.find(line);
    return found == moved->second.end() ? nullptr : &found->second;
  }

  void move_body(note_function& function) {
    std::vector<location> locations;
    std::vector<std::uint32_t> lines;
    const auto add = [&](std::uint32_t block, std::uint32_t file, std::uint32_t line) {
      const bool goes_on = !locations.empty() && locations.back().block == block && locations.back().file == file;
      if (!goes_on) locations.push_back({block, file, static_cast<std::uint32_t>(lines.size()), 0});
      lines.push_back(line);
      ++locations.back().count;
    };
    std::uint32_t block = ~std::uint32_t{0}, last_line = 0;
    const auto add_line = [&](const location& at, std::uint32_t line) {
      last_line = line;
      const auto* places = places_of(at.file, line);
      if (places == nullptr) return add(at.block, at.file, line);
      for (const line_place& place : *places) add(at.block, number_of(place.file), place.line);
    };
    for (const location& at : function.locations) {
      if (at.block != block) last_line = 0;
      block = at.block;
      for (const auto line : std::span(function.lines).subspan(at.first, at.count)) add_line(at, line);
      if (at.count == 0 && last_line != 0) add_line(at, last_line);  // the same number, which is another place now
    }
    function.locations = std::move(locations);
    function.lines = std::move(lines);
  }

  /// After the body.
  void move_extent(note_function& function) {
    const auto* starts = places_of(function.file, function.start_line);
    if (starts == nullptr) return;
    const auto* ends = places_of(function.file, function.end_line);
    const line_place start = starts->front();
    function.file = number_of(start.file);
    function.start_line = start.line;
    std::uint32_t end = 0;
    if (ends != nullptr)
      for (const line_place& place : *ends)
        if (place.file == start.file && place.line >= start.line)
          end = end == 0 ? place.line : std::min(end, place.line);
    if (end == 0) {
      end = start.line;
      for (const location& at : function.locations)
        if (at.file == function.file)
          for (const auto line : std::span(function.lines).subspan(at.first, at.count)) end = std::max(end, line);
    }
    function.end_line = end;
  }

  note& notes_;
  std::map<std::uint32_t, line_places> moved_;  // by file
};

}  // namespace

void move_lines(note& notes, const place_finder& places_of) {
  std::vector<std::uint32_t> last(notes.files.size(), 0);
  for (const note_function& function : notes.functions) {
    last[function.file] = std::max({last[function.file], function.start_line, function.end_line});
    for (const location& at : function.locations)
      for (const auto line : std::span(function.lines).subspan(at.first, at.count))
        last[at.file] = std::max(last[at.file], line);
  }
  std::map<std::uint32_t, line_places> moved;
  for (std::uint32_t file = 0; file < last.size(); ++file)
    if (last[file] != 0)
      if (auto places = places_of(notes.cwd, resolved_path(notes.cwd, notes.files[file]), last[file]))
        moved.emplace(file, std::move(*places));
  if (!moved.empty()) mover(notes, std::move(moved)).run();
}

}  // namespace morph::gcov
