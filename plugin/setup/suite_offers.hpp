// What becomes of one call: a suite in its place.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/build/cmake_syntax.hpp"
#include "plugin/setup/project_files.hpp"
#include "plugin/system/result.hpp"

namespace morph::setup {

struct replacement {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

struct suite_offer {
  place where;
  std::vector<replacement> replacements;
  std::string what;
};

/// Refers to the project. Names of suites are told apart as they are asked for.
class translation {
 public:
  explicit translation(const reading& project) : p_(project) {}

  /// The suite that takes the call's place; an error says why it cannot.
  result<suite_offer> discovered(place at, std::string_view framework);

  /// The same for add_test() of a program that links one test framework.
  result<suite_offer> added(place at);

  /// For a program that uses a test framework and that nothing registers, behind all that is said of it there. Nothing
  /// if it uses none; an error says what cannot be told.
  result<std::optional<suite_offer>> unregistered(place at);

  /// The program that a call registers; nothing if no target is named.
  std::optional<build::cmake_argument> registered_by(place at) const;

 private:
  /// A program that is compiled with a framework's switch for production.
  bool is_without_cases(const build::cmake_argument& target, std::size_t file) const;
  /// `$<TARGET_FILE:x>` and a path in the build tree name the target x.
  static std::string target_of(const std::string& command);
  /// `morph_add_suite(NAME TARGET target`
  std::string call(const build::cmake_argument& target, const std::string& framework);
  /// The place of a call that needs the test to exist under its name; empty if there is none.
  std::string properties_of(const build::cmake_argument& name) const;
  bool has_test_named(const std::string& name) const;

  const reading& p_;
  std::map<std::string, int> uses_;
  std::map<std::set<std::string>, std::string> of_sources_;  // the first target of them
};

}  // namespace morph::setup
