// What is under test: a class or a file, the sources that define it, and how these are compiled.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/contract/failure.hpp"
#include "plugin/generate/goals.hpp"
#include "plugin/generate/model.hpp"
#include "plugin/generate/pairs.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct subject {
  std::string unit{};  // the class as it is called, or the file from the root of the project; of a pair the caller
  std::optional<class_pair> pair{};
  std::set<std::string> called_classes{};      // of a pair: whose functions tests call
  std::set<std::string> leading{};             // functions that lead to the callee of a pair, or to mutants, "ns::C::m"
  std::vector<build::compile_unit> sources{};  // that define functions of it; of a header: one that includes it
  goal_set goals{};
  model offered{};
  std::vector<std::string> headers{};   // that offer it, absolute
  std::vector<nlohmann::json> tests{};  // what was read of sources that call it, as of the task "recipes"
  std::set<std::string> instances{};    // signatures of instances of templates that they have
  std::string usual_header{};           // that most of them include: with it the templates are whole
};

/// As a source includes a header that is compiled as the unit is and lies in `folder`: by the deepest of its folders of
/// headers, else by its way from there. With quotes.
std::string include_name(const std::filesystem::path& header, const build::compile_unit& unit,
                         const std::filesystem::path& folder);

/// `named`: a class, with or without its namespaces, or a file of the project. With tests, instances of templates that
/// they have are offered, too.
contract::outcome<subject> find_subject(const build::build_tree& tree, const std::string& named, bool with_tests,
                                        system::observer& told);
/// Of two classes, with their coupled branches.
contract::outcome<subject> find_subject(const build::build_tree& tree, const class_pair& named, bool with_tests,
                                        system::observer& told);

/// The pairs of classes of the project, without its tests, that have most to test, the best first.
result<std::vector<coupling::candidate>> pairs_of_project(const build::build_tree& tree, std::size_t most,
                                                          system::observer& told);

}  // namespace morph::generate
