// Runs one instrumented test program and writes the rows of its tests to the store.
#pragma once

#include <chrono>
#include <ctime>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/moved_places.hpp"
#include "plugin/measuring/repeats.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::measuring {

/// What a test has for itself: a fork of the program just before its first test, a process from its very start, or
/// nothing. Without any, what is initialized once is in the row of one test alone.
enum class isolation { fork, process, none };

/// What all programs of a measurement share.
struct session {
  const build::build_tree& twin;
  const build::dependency_map& dependencies;
  const git::repository& repository;
  const selection::file_kinds& kinds;
  const workspace::outside_rules& outside;
  store::measurement_writer& writer;
  std::function<void()> on_row;                // after each test
  std::vector<store::test_outcome>& outcomes;  // of the tests that ran
  system::observer& told;
  isolation isolated = isolation::fork;
  std::filesystem::path build_dir{};       // whose twin it is
  timespec started{};                      // the measurement, by the clock of files
  bool watch_files = true;                 // record which files tests open
  mutable std::set<std::string> unread{};  // notes that a warning has named
  std::set<std::uint32_t> left_out{};      // tests that need not run, in the writer's numbers
  repeats* again = nullptr;
  std::uint32_t lacks = 0;  // what all rows may lack: bits of morph_stream::incomplete
  /// Notes of objects by the last part of their names, as soon as one is looked for.
  mutable std::optional<std::multimap<std::string, std::string>> notes_by_name{};
  mutable directing_files directives{};
};

constexpr double ctest_default_timeout = 1500;  // seconds
constexpr auto checkpoint_interval = std::chrono::seconds(5);
constexpr int threads_status = 88;      // of plugin/runtime: there were threads before the first test
constexpr int unsupported_status = 86;  // of plugin/runtime: no counters, or a compiler it does not know

struct program_totals {
  std::size_t measured = 0;  // rows written now
  std::size_t failed = 0;
  std::size_t incomplete = 0;
};

/// Makes known what was compiled without counters: libraries outside PRODUCTION, tables without functions; and
/// `tool_objects`, whose code runs while the project is built. A change of what they are made of affects everything.
void register_blind_units(const session& m, const std::set<std::string>& tool_objects);

/// GCOV_PREFIX of what is run while measuring: instrumented programs that do not share their counters write them there,
/// and not over the twin's objects. Empty, or not there.
std::filesystem::path fresh_gcda_prefix(const session& m);

/// The notes (.gcno) of what writes its counters to this .gcda: beside it, unless options of the project such as
/// -fprofile-dir have counters written elsewhere. `stamp`: of the compilation.
std::string notes_of(const session& m, const std::string& gcda_path, std::uint32_t stamp);

/// Of a .gcno or a .gcda of any version; nothing if it is too short.
std::optional<std::uint32_t> stamp_in(std::string_view notes_or_counters);

/// Makes the program's start-up row and cases known to the store, disabled ones excepted; how many cases.
std::size_t register_tests(store::measurement_writer& writer, const build::suite& suite,
                           const build::test_program& program, const std::vector<frameworks::listed_case>& cases);

/// Runs every listed case that has no row yet. A program that dies is started again for the cases that are left. An
/// error: nothing of the program can be measured.
result<program_totals> measure_program(session& m, const build::suite& suite, const build::test_program& program,
                                       const std::vector<frameworks::listed_case>& cases);

/// Rows of tests that ctest would not run, since a set-up of their fixtures fails: they always run.
program_totals leave_unmeasured(session& m, const build::suite& suite, const build::test_program& program,
                                const std::vector<frameworks::listed_case>& cases);

}  // namespace morph::measuring
