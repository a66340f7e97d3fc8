// What tests do in the ordinary build, where the mutation twin says something else.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "coverage/mutation/judge.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/system/observer.hpp"

namespace morph::mutating {

/// Looks at nothing before it is asked. Refers to the tree.
class ordinary_build {
 public:
  explicit ordinary_build(const build::build_tree& tree) : tree_(tree) {}

  /// By the last run since the build, else by running that test alone. Nothing if nobody can tell: what is built is not
  /// up to date, or has no such test.
  std::optional<bool> passes(const std::string& suite, const std::string& target, const std::string& test);
  /// By the last run alone.
  bool has_failed(const std::string& suite, const std::string& target, const std::string& test);

 private:
  void look();
  /// ctest's; empty if there is no such test.
  std::string name_of(const build::suite& suite, const build::test_program& program, const std::string& test);
  std::optional<bool> run(const build::suite& suite, const build::test_program& program, const std::string& test,
                          const std::string& name) const;

  const build::build_tree& tree_;
  bool has_looked_ = false;
  bool is_up_to_date_ = false;
  std::map<std::string, bool> known_;                                // ctest's name: whether it passed
  std::map<std::string, std::map<std::string, std::string>> names_;  // executable: ctest's names by the program's own
};

/// Without mutants a test does what it does in the ordinary build; else who reads the report has to know. Returns what
/// it does there, if that is something else, and adds to why it judges no mutant.
std::string compare_with_build(ordinary_build& ordinary, const build::suite& suite, const build::test_program& program,
                               mutation::baseline_test& test, system::observer& told);

/// How a test is run by hand in a program.
std::string command_of(const build::suite& suite, const build::test_program& program, const std::string& test);

}  // namespace morph::mutating
