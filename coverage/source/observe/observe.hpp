// Where a unit is observed: bodies of functions, what test bodies evaluate, and how the types of it all are read.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "coverage/observation/points.hpp"
#include "coverage/source/clang/files.hpp"

namespace clang {
class ASTContext;
}

namespace morph::source {

/// What is to be observed. Files by their paths in the mirror.
struct observed_code {
  std::set<std::pair<std::string, std::uint32_t>> functions;  // file, and the byte where the definition begins
  std::set<std::string> tests;                                // files whose test bodies are observed
};

struct unit_points {
  std::map<std::string, std::vector<observation::point>> files;  // in no order
  std::vector<observation::row> rows;                            // for the end of the unit
  /// Functions that cannot be observed, by file and byte: why.
  std::map<std::pair<std::string, std::uint32_t>, std::string> not_read;
};

/// Linear in the size of the unit.
unit_points find_points(clang::ASTContext& context, const file_choice& chosen, const observed_code& what);

}  // namespace morph::source
