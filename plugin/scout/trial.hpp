// Specs of relations are compiled and run before anybody sees them (MR-Scout, section 3.3).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/scout/specs.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::scout {

/// What became of the inputs of one list of seeds.
struct list_run {
  std::string list{};
  std::size_t pass = 0, fail = 0;
  std::size_t invalid = 0;       // the code under test threw, or a condition that the test stops at was false
  std::size_t ended = 0;         // of these, runs that crashed or hung
  std::string counterexample{};  // the smallest input that violates the relation, and both sides

  std::size_t valid() const { return pass + fail; }
  /// MR-Scout, section 3.3: 95 % of the valid inputs.
  bool holds() const { return pass > 0 && 100 * pass >= 95 * valid(); }
};

enum class fate : std::uint8_t {
  kept,
  violated,       // a wrong relation, or a bug
  too_few_valid,  // nearly no input but the test's own is valid
  refuted,        // it does not even hold for the test's own inputs
  does_not_compile,
  does_not_link,
  did_not_run,
};
const char* word_of(fate of);

struct tried_spec {
  spec of{};  // of a kept one with the lists of seeds for all inputs of which it holds
  fate how = fate::did_not_run;
  std::string why{};
  std::vector<list_run> runs{};

  /// The list that says most: the widest with valid inputs beside the test's own.
  const list_run* widest() const;
};

struct tried_source {
  spec_source kept{};                         // as it is to be written
  std::vector<std::string> helper_sources{};  // that the program of its tests is made of, too, and specs need
  std::vector<tried_spec> specs{};
};

struct trial_request {
  unsigned seed = 1;  // of drawn inputs
};

/// Compiles each source of specs with the options of its tests, links it with what their program links, and runs it in
/// a folder of its own in <build>/.morph/scout. Nothing else is written.
result<std::vector<tried_source>> try_specs(const build::build_tree& tree, const std::vector<spec_source>& sources,
                                            const trial_request& asked, system::observer& told);

}  // namespace morph::scout
