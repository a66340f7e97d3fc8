// Where the lines of a unit stand that `#line` gives to a file which the repository does not have.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "coverage/gcov/moved_lines.hpp"
#include "plugin/build/line_directives.hpp"

namespace morph::measuring {

struct session;

/// What directives say in the files of the repository that a measurement has met, each read once.
struct directing_file {
  std::uint32_t lines = 0;  // 0: the repository has no such file
  std::vector<build::directed_lines> directed{};
};
using directing_files = std::map<std::string, directing_file>;

/// Empty if no line of the unit can be called otherwise. For the notes of a unit that was compiled from these files
/// (absolute). Lines keep the name that directives give them if the repository has such a file, and it is as long: a
/// grammar from which a parser was made. All others stand where they are written: the file is absent, is of another
/// machine or too short, or was read itself, and numbers of two texts would be mixed up.
gcov::place_finder places_of_unit(const session& m, const std::vector<std::string>& read);

}  // namespace morph::measuring
