// The corpus of change kinds (tests/corpus/selection): reading it, and what Morph selects for each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "project.hpp"

namespace morph::end_to_end {

/// One .kind file; tests/corpus/selection/README.md is its format.
struct change_kind {
  struct file {
    std::string path;
    std::optional<std::string> before, after;  // nothing: the file is not there
    bool apart = false;                        // no source of the kind's library
  };
  std::string name, what;
  names must, must_not;   // without the kind's name in front
  bool same = false;      // every test answers as before
  bool alone = false;     // what it changes may concern the tests of other kinds
  bool detail = false;    // close to another kind
  std::string framework;  // empty: any
  std::string library = "STATIC";
  std::string production;  // targets beside the library
  std::vector<file> files;
  file cmake;  // lines of the kind's CMakeLists.txt
  struct variable {
    std::string name, before, after;
  };
  std::optional<variable> environment;
};

/// Throws with file and line.
change_kind read_change_kind(const std::filesystem::path& file);
/// All of a folder, by name.
std::vector<change_kind> read_change_kinds(const std::filesystem::path& folder);

struct corpus_setting {
  std::string compiler, flags, framework;
  std::string evidence = "twin";
};

/// What became of a kind. Tests have the kind's name in front.
struct kind_outcome {
  std::string name;
  std::size_t must = 0, must_not = 0;
  names missed;            // must be selected and are not
  names missed_early;      // likewise by the plan before the build
  names too_many;          // must not be selected and are
  names contradicted;      // whose answers are not as the kind says
  std::size_t others = 0;  // tests of other kinds that were selected too, where the kind was changed alone
};

/// One project of all kinds: built, measured, changed, built again and planned; all tests run before and after. Each
/// kind is also changed alone and planned before the build.
std::vector<kind_outcome> try_change_kinds(const std::vector<change_kind>& kinds, const corpus_setting& setting);

}  // namespace morph::end_to_end
