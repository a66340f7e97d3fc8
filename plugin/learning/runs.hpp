// The folder of rows of a build tree: runs of ctest, each with what it has to be known by, and its records.
//
// <build>/.morph/spool/RUN.run says which measurement the tests of a run belong to, and what the environment was;
// RUN.rows are their records (plugin/spool/records.hpp).
#pragma once

#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/spool/records.hpp"
#include "plugin/store/evidence.hpp"
#include "plugin/system/observer.hpp"

namespace morph::learning {

struct run_of_ctest {
  std::string name;
  std::string content;               // workspace::id_of() of what the tests belong to
  std::int64_t created = 0;          // when its measurement was begun
  timespec since{};                  // files that changed since may have been others for the tests
  std::int64_t machine_started = 0;  // by the clock then
  /// Of programs and shared libraries, by path: what is recorded of any other one is of another build.
  std::map<std::string, std::string> keys{};
  std::int64_t ctest = 0, ctest_began = 0;         // its process, and when that began, in ticks
  std::map<std::string, std::string> variables{};  // of the environment: digests
  /// By id, where tests are registered: `REGISTER_TEST_CASE(function, "name")` says what runs. As in the store.
  std::map<std::string, std::pair<std::string, std::uint32_t>> places{};
  /// By workspace::name_of_entry(): how ctest runs tests that the project has registered itself.
  std::map<std::string, std::string> entries{};
};

std::filesystem::path spool_of(const build::build_tree& tree);

/// A new one, of the ctest that has started us, in this environment. Names have small letters, digits and dashes.
run_of_ctest make_run(const store::measurement_info& measurement, const timespec& since);

result<void> write_run(const std::filesystem::path& spool, const run_of_ctest& run);

/// Those that have records.
bool has_records(const std::filesystem::path& spool);

struct recorded_run {
  run_of_ctest run;
  std::vector<spool::test_record> records;
  std::vector<std::filesystem::path> files{};  // to be removed when the records are in a store
};
/// All that have records, are known, and have come to their end: then ctest has written its log. Waits a moment for
/// what is just being written. Records of a run that nothing is known of are removed: `told` says why.
std::vector<recorded_run> take_records(const std::filesystem::path& spool, system::observer& told);

/// By which a record names a test: 16 hexadecimal digits.
std::string id_of_test(std::string_view suite, std::string_view target, std::string_view case_name);

}  // namespace morph::learning
