// What all programs of a measurement share.
#pragma once

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
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

class probe_rows;

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
  /// Digests of the environment in which the tests ran; null: they run in ours.
  const std::map<std::string, std::string>* variables = nullptr;
  probe_rows* probes = nullptr;  // of a tree whose tests are measured as they are built
  std::uint32_t lacks = 0;       // what all rows may lack: bits of morph_stream::incomplete
  /// Notes of objects by the last part of their names, as soon as one is looked for.
  mutable std::optional<std::multimap<std::string, std::string>> notes_by_name{};
  mutable directing_files directives{};
};

constexpr double ctest_default_timeout = 1500;  // seconds
constexpr auto checkpoint_interval = std::chrono::seconds(5);
constexpr int threads_status = 88;      // of plugin/runtime: there were threads before the first test
constexpr int unsupported_status = 86;  // of plugin/runtime: no counters, or a compiler it does not know

}  // namespace morph::measuring
