// What verdicts hang on: the files of the project as they are, what lies elsewhere, how programs are started.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "plugin/build/dependencies.hpp"
#include "plugin/mutating/facts.hpp"
#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

struct counted_content {
  std::vector<std::string> files;               // of the project, by path from its root
  std::map<std::string, counted_file> counted;  // those that verdicts may hang on
  std::string data;                             // digest of those of unknown use: tests may read them
  std::string foreign;                          // digest of sources that lie elsewhere
  build::dependency_map dependencies;           // of the twin, as it was built last
  std::string digest;                           // of all that verdicts hang on
};

/// Of sources, comments and blanks do not count.
result<counted_content> count_content(const setting& run, const prepared_twin& twin, const mutated_sources& sources);

}  // namespace morph::mutating
