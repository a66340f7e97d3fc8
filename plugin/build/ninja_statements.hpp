// The statements of a build.ninja: who makes what out of what.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace morph::build {

/// Files are named as there: absolute or relative to the build tree. Copies of outputs that name the build tree by a
/// variable are left out.
struct build_statement {
  std::string rule;
  std::vector<std::string> outputs;
  std::vector<std::string> inputs;     // implicit ones too
  std::vector<std::string> waits_for;  // made before, without being one of its inputs
  std::map<std::string, std::string> variables;

  /// By the name of its rule, as CMake calls them.
  enum class kind { alias, command, compile, link, archive, other };
  kind what() const;
  /// What it has the shell do, but for compiling and linking.
  std::string commands() const;
};

std::vector<build_statement> build_statements(std::string_view text);

/// Whether the statement is a target that CMake adds to every build, and that no build runs by itself.
bool is_of_cmake(const build_statement& statement);

/// Whether it is a target of Morph's own, as morph-measure, of which no build makes anything.
bool is_of_morph(const build_statement& statement);

}  // namespace morph::build
