// From what changed and what was measured to what is affected: by object code where both builds are known, else by
// lines.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plugin/git/repository.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/selection/reason.hpp"
#include "plugin/store/evidence.hpp"

namespace morph::selection {

/// The files that a suite declared as DATA: globs relative to the repository; and its POOL, whose cases are its tests.
struct suite_data {
  std::string suite;
  std::vector<std::string> globs;
  std::string pool{};
};

/// A difference between the object code that was built when the baseline was measured and what is built now.
struct code_change {
  std::string what;     // the function or variable, as people write it
  std::string because;  // how it differs, in words that follow its name
  /// Indices of evidence::functions: those that coverage sees of what differs. Whoever executed one is affected.
  std::vector<std::uint32_t> functions;
  /// Indices of evidence::programs: every test of them is affected.
  std::vector<std::uint32_t> programs;
  /// A program without tests of its own, as evidence::files has it: who executed it is affected.
  std::string executed{};
  bool everything = false;  // every test of all programs
  /// Indices of evidence::tests, ascending; none: any. No others are affected by `functions`.
  std::optional<std::vector<std::uint32_t>> tests{};
  /// Who executed one of `recorded` and none of `differing`, both indices of evidence::functions that are blocks, is
  /// not affected by `functions`. None: everybody who executed one of these is.
  struct known_blocks {
    std::vector<std::uint32_t> recorded, differing;

    friend bool operator==(const known_blocks&, const known_blocks&) = default;
  };
  std::optional<known_blocks> blocks{};
};

/// What comparing object code found out (coverage/object).
struct code_changes {
  std::set<std::string> explained;  // changed files whose effect on tests, but for who opens them, is all in `changes`
  std::vector<code_change> changes;
  /// Of an explained file: those that the build makes, and tests opened, which may be others because of it.
  std::map<std::string, std::vector<std::string>> made{};
  /// Which file of the build is older than what it is made of: then lines tell what changed files do, and `changes` how
  /// the programs that are there differ. Empty if none is.
  std::string stale{};
};

/// What else is known of the changes.
struct change_facts {
  /// Changed files that the build reads, whatever their kind says. What that changes is only known if they are
  /// explained.
  std::set<std::string> read_by_build;
  std::set<std::string> gone_folders;  // of deleted files
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

/// The line rules (docs/architecture/selection-by-lines.md):
/// - an executable line that changed or went affects the tests that executed it;
/// - an insertion counts as a change of the line before and of the line after it;
/// - any other changed line affects every test that executed a line of the file if it is the source of a translation
///   unit, else every test that executed anything of a unit that includes it;
/// - a build file, a new or vanished file that nobody measured, and a file of unknown use affect everything;
/// - the first line of a function in a header is a declaration and counts as such a line too;
/// - a file that an object without counters is made of affects everything;
/// - a POOL affects the tests whose cases, or what these were made of, have other lines in it, where both texts tell;
///   else its suite;
/// - a DATA file affects its suite; ignored files and build trees nothing;
/// - a file affects the tests that opened it or looked for it, whatever else it does; a new or deleted one those that
///   opened its folder;
/// - a file that the build reads affects everything, even one of a kind that affects no test;
/// - an input (`changed_inputs`: indices of evidence::inputs) affects the tests that read it;
/// - with `code`, the files that it explains affect tests as it says, instead of by their lines, and those that opened
///   what the build makes of them. Reasons that only the function gives, and none of the lines that changed in it,
///   are `unproven`.
impact assess(const store::evidence& baseline, std::span<const git::file_change> changes, const file_kinds& kinds,
              std::span<const suite_data> data, std::span<const std::uint32_t> changed_inputs = {},
              const code_changes* code = nullptr, const change_facts& facts = {});

}  // namespace morph::selection
