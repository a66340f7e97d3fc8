// Where lines are added to a project's files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/setup/project_files.hpp"

namespace morph::setup {

struct insertion_point {
  std::size_t file = 0;
  std::size_t offset = 0;  // start of a line
  std::uint32_t line = 0;
  std::string indentation;
};

/// The commands that lead from the top file to the place, the place last.
std::vector<place> chain_to(const reading& project, place at);

enum class reach { innermost, top_file, top_level };

/// Before all the places, outside functions and loops: in the innermost file and if() that hold every one of them; or
/// in the top file, where its end is reached under the same conditions (conditions_around()), or under none.
insertion_point before_all(const reading& project, const std::vector<place>& places, reach how);

/// The texts of the if() commands of the top file that enclose all the places, outermost first.
names conditions_around(const reading& project, const std::vector<place>& places);

}  // namespace morph::setup
