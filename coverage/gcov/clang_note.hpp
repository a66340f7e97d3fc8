// What Clang's notes say that is not so, put right.
#ifndef MORPH_COVERAGE_GCOV_CLANG_NOTE_HPP
#define MORPH_COVERAGE_GCOV_CLANG_NOTE_HPP

#include <string>
#include <tl/expected.hpp>

#include "coverage/gcov/files.hpp"
#include "coverage/gcov/note.hpp"

namespace morph::gcov {

// Lines of another file that stand under the function's own are taken out, by the line table of the object beside the
// notes; relative paths get the folder of the build that they belong to; functions end on their last line; arcs that
// are missing are added. Then a block's count is known before its calls: every arc that carries no counter leaves a
// block that has one, or one that holds nothing but a jump. An error if the notes leave out other counters.
tl::expected<void, std::string> correct_clang_note(note& notes, const std::string& note_path, const file_reader& read);

}  // namespace morph::gcov

#endif
