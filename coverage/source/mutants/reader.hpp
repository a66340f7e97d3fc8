// Reads a translation unit: where it can be mutated.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/mutation/place.hpp"
#include "coverage/source/clang/files.hpp"
#include "coverage/source/clang/parse_error.hpp"

namespace clang {
class ASTContext;
}

namespace morph::source {

/// Of one unit. Paths as the compiler was given them.
struct unit_findings {
  std::map<std::string, mutation::file_places> files;
  std::map<std::string, std::uint32_t> left_out;  // reason: how often
};

/// Asks the operators of these names, and for extreme transformations if `extreme`. Functions with errors are left out.
unit_findings read_unit(clang::ASTContext& context, const file_choice& chosen, const std::vector<std::string>& names,
                        bool extreme, const std::vector<parse_error>& errors);

}  // namespace morph::source
