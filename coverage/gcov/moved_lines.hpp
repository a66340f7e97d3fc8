// Brings lines that `#line` calls otherwise to where they stand.
#ifndef MORPH_COVERAGE_GCOV_MOVED_LINES_HPP
#define MORPH_COVERAGE_GCOV_MOVED_LINES_HPP

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "coverage/gcov/note.hpp"

namespace morph::gcov {

struct line_place {
  std::string file;  // resolved
  std::uint32_t line;
};

// Where the lines of a file, by the numbers that notes give them, stand; several places if directives repeat numbers.
using line_places = std::map<std::uint32_t, std::vector<line_place>>;

// Of a file that notes name (resolved with `cwd`), with lines up to `last`. Nothing: its lines stand where notes say.
using place_finder =
    std::function<std::optional<line_places>(const std::string& cwd, const std::string& file, std::uint32_t last)>;

// A line that stands in several places comes once for each: whoever executed it executed one of them. A line without
// a place stays.
void move_lines(note& notes, const place_finder& places_of);

}  // namespace morph::gcov

#endif
