// What of an earlier measurement still holds: the rows that an incremental measurement need not measure.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/store/store.hpp"

namespace morph::measuring {

/// A row stays if the plan from the baseline does not select its test, and if everything in it is there in the new
/// measurement: a line where the diff takes it, executable if it was, with the same branches; a function and a
/// translation unit by name. Programs that executed no changed unit are not run at all. The others are run for what is
/// selected, which may be nothing: starting them shows what they are made of now.
class refresh {
 public:
  /// Nothing if no row stays. `startable`: whether programs can be started without running a test.
  static std::optional<refresh> make(planning::full_plan from, bool startable);

  /// Where the rows are from.
  const std::string& commit() const { return base().info.taken_from.commit; }

  /// The tests that need not run, in the writer's numbers.
  std::set<std::uint32_t> left_out(store::measurement_writer& writer) const;
  bool is_skipped(const std::string& suite, const std::string& target) const;

  struct carried {
    std::size_t rows = 0;                                  // of tests
    std::set<std::pair<std::string, std::string>> to_run;  // suites and targets of which a row could not be carried
  };
  /// When all that is not skipped has run. Rows that are there stay as they are.
  result<carried> carry_over(store::evidence_store& evidence, const session& m) const;

 private:
  refresh(planning::full_plan from, bool startable);
  void match_tests();
  void find_touched_units();
  void choose_programs();
  void choose_tests_of_unread_units();
  void carry_tables(const store::evidence& now, const session& m) const;
  const store::evidence& base() const { return *from_.facts; }

  struct program_state {
    bool startable = false;
    bool touched = false;     // it executed something of a changed unit
    std::size_t listed = 0;   // tests that it has now
    std::size_t staying = 0;  // of them
    bool skipped = false;
  };
  planning::full_plan from_;
  std::map<std::string, const git::file_change*> changes_;
  std::vector<program_state> programs_;                 // as in the baseline, and so are the following
  std::vector<bool> stays_;                             // by test
  std::vector<std::vector<std::uint32_t>> classes_of_;  // by test
  std::vector<std::vector<std::uint32_t>> tests_of_;    // by unit: who executed it
  std::vector<bool> touched_;                           // by unit
};

}  // namespace morph::measuring
