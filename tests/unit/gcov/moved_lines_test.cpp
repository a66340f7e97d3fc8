// Lines of notes that #line gives to other files, brought to where they stand.
#include "coverage/gcov/moved_lines.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace morph::gcov {
namespace {

using placed = std::vector<std::tuple<std::uint32_t, std::string, std::uint32_t>>;  // block, file, line

placed lines_of(const note& notes, const note_function& function) {
  placed found;
  for (const location& at : function.locations)
    for (std::uint32_t i = at.first; i < at.first + at.count; ++i)
      found.emplace_back(at.block, notes.files[at.file], function.lines[i]);
  return found;
}

/// A function whose first block is in a source, the second one in the grammar and, on a line of the same number, in the
/// source again.
note example() {
  note notes;
  notes.cwd = "/build";
  notes.files = {"/src/parser.cpp", "area.y"};
  note_function f;
  f.file = 1;
  f.start_line = 7;
  f.end_line = 9;
  f.locations = {{2, 0, 0, 1}, {3, 1, 1, 2}, {3, 0, 3, 0}};
  f.lines = {20, 7, 8};
  notes.functions = {f};
  return notes;
}

TEST(MovedLines, StandWhereTheyAreWritten) {
  note notes = example();
  std::vector<std::string> asked;
  move_lines(notes, [&](const std::string& cwd, const std::string& file, std::uint32_t last) {
    asked.push_back(cwd + " " + file + " " + std::to_string(last));
    if (file != "/build/area.y") return std::optional<line_places>();
    return std::optional(
        line_places{{7, {{"/src/parser.cpp", 31}}}, {8, {{"/src/parser.cpp", 32}}}, {9, {{"/src/parser.cpp", 33}}}});
  });
  EXPECT_EQ(asked, (std::vector<std::string>{"/build /src/parser.cpp 20", "/build /build/area.y 9"}));
  const note_function& f = notes.functions.front();
  EXPECT_EQ(lines_of(notes, f), (placed{{2, "/src/parser.cpp", 20},
                                        {3, "/src/parser.cpp", 31},
                                        {3, "/src/parser.cpp", 32},
                                        {3, "/src/parser.cpp", 8}}));
  EXPECT_EQ(notes.files[f.file], "/src/parser.cpp");
  EXPECT_EQ(f.start_line, 31U);
  EXPECT_EQ(f.end_line, 33U);
}

TEST(MovedLines, OfANumberThatSeveralLinesHaveAreAllOfThem) {
  note notes = example();
  move_lines(notes, [&](const std::string&, const std::string& file, std::uint32_t) {
    if (file != "/build/area.y") return std::optional<line_places>();
    return std::optional(line_places{{7, {{"/src/parser.cpp", 31}, {"/src/parser.cpp", 51}}}, {9, {{"/src/x.h", 3}}}});
  });
  const note_function& f = notes.functions.front();
  EXPECT_EQ(lines_of(notes, f), (placed{{2, "/src/parser.cpp", 20},
                                        {3, "/src/parser.cpp", 31},
                                        {3, "/src/parser.cpp", 51},
                                        {3, "area.y", 8},
                                        {3, "/src/parser.cpp", 8}}));
  EXPECT_EQ(f.start_line, 31U);
  EXPECT_EQ(f.end_line, 51U) << "its last line: where it ends is in another file";
}

TEST(MovedLines, StayWhereNoneIsMoved) {
  note notes = example();
  move_lines(notes, [](const auto&, const auto&, auto) { return std::optional<line_places>(); });
  EXPECT_EQ(notes.functions.front().lines, example().functions.front().lines);
  EXPECT_EQ(notes.functions.front().start_line, 7U);
}

}  // namespace
}  // namespace morph::gcov
