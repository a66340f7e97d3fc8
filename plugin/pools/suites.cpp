// Finds suites of specs, their programs and their pools.
#include "plugin/pools/suites.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace morph::pools {
namespace {

bool is_of_specs(const build::suite& suite) {
  return suite.framework == "spec";
}

}  // namespace

bool has_specs(const build::build_tree& tree) {
  return std::any_of(tree.suites.begin(), tree.suites.end(), is_of_specs);
}

contract::outcome<const build::suite*> choose_suite(const build::build_tree& tree, const std::string& name,
                                                    bool any_will_do) {
  std::vector<std::string> names;
  const build::suite* chosen = nullptr;
  for (const build::suite& suite : tree.suites) {
    if (!is_of_specs(suite)) continue;
    names.push_back(suite.name);
    const bool is_asked = name.empty() || suite.name == name;
    if (is_asked && (chosen == nullptr || std::filesystem::exists(suite.programs.front().executable))) chosen = &suite;
  }
  if (names.empty())
    return contract::not_done(contract::environment,
                              "this build tree has no specs; declare them with morph_add_spec(NAME SOURCES ...)");
  if (chosen == nullptr)
    return contract::not_done(
        contract::usage, fmt::format("there is no suite of specs '{}'; there are: {}", name, fmt::join(names, ", ")));
  if (name.empty() && names.size() > 1 && !any_will_do)
    return contract::not_done(
        contract::usage, fmt::format("this build tree has several suites of specs; say which: --suite NAME, one of {}",
                                     fmt::join(names, ", ")));
  return chosen;
}

result<void> check_built(const build::build_tree& tree, const build::suite& suite) {
  const build::test_program& program = suite.programs.front();
  if (std::filesystem::exists(program.executable)) return {};
  return tl::unexpected(fmt::format("'{}' is not built; build it: cmake --build {} --target {}",
                                    program.executable.string(), tree.binary_dir.string(), program.target));
}

contract::outcome<std::vector<const build::suite*>> suites_with_pool(const build::build_tree& tree,
                                                                     const build::suite* only) {
  std::vector<const build::suite*> suites;
  for (const build::suite& suite : tree.suites)
    if (is_of_specs(suite) && !suite.pool.empty() && (only == nullptr || only == &suite)) suites.push_back(&suite);
  if (!suites.empty()) return suites;
  const std::string name = only == nullptr ? "NAME" : only->name;
  return contract::not_done(
      contract::usage,
      fmt::format("{}; declare it: morph_add_spec({} ... POOL pools/{}.jsonl)",
                  only == nullptr ? "no suite of specs has a POOL" : fmt::format("the suite '{}' has no POOL", name),
                  name, name));
}

}  // namespace morph::pools
