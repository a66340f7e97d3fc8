// What the project's compiler rejects in the build of the mutation twin is left out: a place, its function, its file.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/mutating/sources.hpp"

namespace morph::mutating {

/// Goes from one failed build to the next.
class rejections {
 public:
  /// `commands`: of all units of the build, those without mutants too. `binary`: where it is built.
  rejections(const source_reader::source_request& request, const std::vector<build::compile_unit>& commands,
             std::filesystem::path binary)
      : request_(request), commands_(commands), binary_(std::move(binary)) {}

  /// Leaves out, of each step that failed, the places that its messages lead to: who called what was inlined, asked for
  /// a template or expanded a macro, whichever header the error is in. Where there are none, or the step has failed
  /// several times so: the functions; then what the unit is compiled from, file by file. Empty: no mutant can be at
  /// fault.
  std::vector<rejected_part> drop(mutated_sources& sources, const std::string& log);

 private:
  const source_reader::source_request& request_;
  const std::vector<build::compile_unit>& commands_;
  std::filesystem::path binary_;
  std::map<std::string, int> failures_;  // by the step's output
};

}  // namespace morph::mutating
