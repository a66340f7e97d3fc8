// What `morph optimize` works on: from a measurement or a file to tests and requirements, and back to names.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "optimizer/cover/instance_file.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::optimize {

inline constexpr const char* names_of_requirements = "lines, branches, functions, conditions, kills, coupled";

/// Which requirements of a measurement count.
struct kept_requirements {
  std::vector<std::string> kinds{};        // none: lines, branches and kills; by probes functions and kills
  std::vector<std::string> only, without;  // globs
  bool with_tests = false;                 // of the files in which tests are registered, too
};
/// The first of `kinds` that there is not.
std::optional<std::string> unknown_kind(const kept_requirements& kept);

/// Coupled branches that the same tests cover, one requirement.
struct coupled_pairs {
  std::vector<std::uint32_t> tests{};  // of store::evidence::tests
  std::vector<std::string> names{};    // coupled::name_of()
};

struct optimize_instance {
  optimizer::instance_file file;
  std::string commit{};                 // of the measurement; empty: a file was read
  std::vector<std::string> doubtful{};  // tests that run in any case
  std::vector<std::string> without{};   // files of which nothing counts since tests are registered there
  /// What was measured, without the elements that do not count, and which test of `file` each of its tests is.
  std::optional<store::evidence> measured{};
  std::vector<std::optional<std::uint32_t>> number_of{};
  std::vector<coupled_pairs> coupled{};
};

result<optimize_instance> instance_from_store(const kept_requirements& kept, const build::build_tree& tree,
                                              system::observer& told);
result<optimize_instance> instance_from_file(const std::string& path);
/// Nothing is lost of an older file before the new one is known to be possible.
result<void> write_instance_file(const std::string& path, const optimizer::instance_file& file);

/// What a test covers and none of the `others` (by test), as an object: of a measurement by names, as `morph store
/// export` has them; of a file by group, how much.
nlohmann::json covered_alone(const optimize_instance& in, std::uint32_t test, const std::vector<bool>& others);

}  // namespace morph::optimize
