// What a search begins with: recipes out of the project's tests, and what the last run found.
#pragma once

#include <cstdint>
#include <string>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/recipes.hpp"
#include "plugin/generate/search.hpp"
#include "plugin/generate/subject.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct input_options {
  bool resumes = false;
  std::uint64_t most_sequences = 0;  // of the search; 0: no limit
};

struct read_input {
  known_inputs known{};
  recipe_counts counts{};
  std::size_t resumed = 0;  // sequences of the last run
};

/// Sequences of the last run come first, then those of tests that call the unit, then others. Of tests there are at
/// most a third of what the search may execute. A file of sequences that cannot be used is a warning.
read_input read_inputs(const build::build_tree& tree, const subject& of, const api& offered, literal_table& literals,
                       const input_options& options, system::observer& told);

/// What the next run with --resume begins with: <build>/.morph/generate/<unit>.sequences.
result<void> keep_sequences(const build::build_tree& tree, const std::string& unit, const search_result& found,
                            const api& offered, const literal_table& literals);

}  // namespace morph::generate
