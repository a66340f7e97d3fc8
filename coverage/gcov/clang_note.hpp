// What Clang's notes say that is not so, put right.
#ifndef MORPH_COVERAGE_GCOV_CLANG_NOTE_HPP
#define MORPH_COVERAGE_GCOV_CLANG_NOTE_HPP

#include <string>
#include <tl/expected.hpp>

#include "coverage/gcov/files.hpp"
#include "coverage/gcov/line_table.hpp"
#include "coverage/gcov/note.hpp"

namespace morph::gcov {

// Lines of another file that stand under the function's own are taken out, by the line table of the object beside the
// notes; relative paths get the folder of the build that they belong to; functions end on their last line; arcs that
// are missing are added. Then a block's count is known before its calls: every arc that carries no counter leaves a
// block that has one, or one that holds nothing but a jump. An error if the notes leave out other counters.
tl::expected<void, std::string> correct_clang_note(note& notes, const std::string& note_path, const file_reader& read);

// What relative paths in Clang's notes belong to. CMake names sources by absolute paths, but for generated ones, which
// are in the build tree.
std::string folder_of_build(const std::string& note_path);

// The lines that the object beside the notes has code of, by resolved paths.
tl::expected<line_table, std::string> lines_of_object(const std::string& note_path, const std::string& cwd,
                                                      const file_reader& read);

}  // namespace morph::gcov

#endif
