// What ctest runs before and behind the tests of a suite, around their measurement.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/ctest_tests.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/process.hpp"

namespace morph::measuring {

/// Set-ups run once in a measurement, as the ordinary build has them: a server that is no program of the twin is built
/// there. Where they write and what they name counts from the twin, in which the tests run. Adopted tests have their
/// own (measure_adopted.hpp).
class fixtures {
 public:
  /// `known`: ctest names of tests of which rows tell what they execute.
  fixtures(const build::build_tree& tree, const build::build_tree& twin, std::set<std::string> known,
           system::observer& told)
      : tree_(tree), twin_(twin), known_(std::move(known)), told_(told) {}
  fixtures(const fixtures&) = delete;
  fixtures& operator=(const fixtures&) = delete;
  ~fixtures() { clean_up({}); }

  /// Whether all code that sets up the suite's fixtures is in rows of tests that a plan knows; an error says which
  /// set-up failed: ctest would not run the suite then.
  result<bool> set_up(const build::suite& suite);

  /// Cleans up behind what none of these suites needs.
  void clean_up(const std::vector<const build::suite*>& left);

 private:
  struct state {
    std::string failed;  // why; empty if it did not
    bool counted = true;
    bool cleaned = false;
  };
  result<void> list();
  const state& set_up(const std::string& fixture);
  void run_all(const std::string& property, const std::string& name, state& of);
  std::optional<std::string> run(const frameworks::listed_case& test);  // why it failed
  std::optional<std::string> run(const build::suite& suite, const build::test_program& program);
  std::optional<std::string> run(system::command c, const std::string& name, double timeout,
                                 const std::vector<std::pair<std::string, std::string>>& properties);
  std::string in_twin(const std::string& word) const;

  const build::build_tree& tree_;
  const build::build_tree& twin_;
  std::set<std::string> known_;
  system::observer& told_;
  std::optional<result<std::vector<frameworks::listed_case>>> listed_;  // of the ordinary tree, without Morph's
  std::map<std::string, state> states_;
  std::set<std::string> depended_;  // tests that ran because others depend on them
};

}  // namespace morph::measuring
