// From what changed and what was measured to what is affected: the line rules. Object code replaces them later behind
// the same function.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plugin/project/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::selection {

/// The files that a suite declared as DATA: globs relative to the repository.
struct suite_data {
  std::string suite;
  std::vector<std::string> globs;
};

struct impact {
  /// By index of evidence::tests; a start-up row's reasons are already given to every test of its program.
  std::vector<std::vector<reason>> of_test;
  std::map<std::string, std::vector<reason>> of_suite;
  /// Changes that were not understood: every test.
  std::vector<reason> of_everything;
  /// Requirements that changed, ascending; what an order covers first.
  std::vector<store::element> changed;
  /// Every file that differs, and those among them of a kind that affects no test, by path.
  std::set<std::string> changed_files, ignored_files;
  /// How many changes counted at all.
  std::size_t counted = 0;
};

/// The line rules (docs/ARCHITECTURE.md, "What a change can affect"):
/// - an executable line that changed or went affects the tests that executed it;
/// - an insertion counts as a change of the line before and of the line after it;
/// - any other changed line affects every test that executed a line of the file if it is the source of a translation
///   unit, else every test that executed anything of a unit that includes it;
/// - a build file, a new or vanished file that nobody measured, and a file of unknown use affect everything;
/// - the first line of a function in a header is a declaration and counts as such a line too;
/// - a file that an object without counters is made of affects everything;
/// - a DATA file affects its suite; ignored files and build trees nothing;
/// - a file affects the tests that opened it, whatever else it does; a new or deleted one those that opened its folder;
/// - an input (`changed_inputs`: indices of evidence::inputs) affects the tests that read it.
impact assess(const store::evidence& baseline, std::span<const project::file_change> changes, const file_kinds& kinds,
              std::span<const suite_data> data, std::span<const std::uint32_t> changed_inputs = {});

}  // namespace morph::selection
