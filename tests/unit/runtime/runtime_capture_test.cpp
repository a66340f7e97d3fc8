// The runtime that is compiled into measured programs: real compilers, real forks, real deaths.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "coverage/gcov/stream_format.h"
#include "tests/unit/runtime/runtime_programs.hpp"

namespace {

namespace fs = std::filesystem;
using std::set;
using std::string;
using namespace morph_stream;
using namespace morph::runtime_tests;

// ---- one measurement

struct row_data {
  int outcome = -1;
  int detail = 0;
  unsigned incomplete = 0;
  uint64_t cpu_us = 0;
  set<string> objects;    // that executed something
  set<string> variables;  // that were read
  std::vector<uint64_t> masks;
};

struct measurement {
  string stream;
  string error;  // stderr
  int wait_status = 0;
  set<string> modules;
  uint32_t gcc_version = 0;
  bool has_checksum = false;
  unsigned startup_incomplete = 0;
  set<string> startup;
  set<string> startup_variables;
  std::vector<string> begun;
  std::map<string, row_data> rows;
  bool ended = false;
};

class decoder {
 public:
  explicit decoder(measurement& into) : into_(into) {
    if (into_.stream.empty()) return;
    EXPECT_EQ(take(8), magic);
    EXPECT_EQ(number<uint32_t>(), format_version);
    while (at_ < into_.stream.size() && !testing::Test::HasFailure()) record();
  }

 private:
  string take(size_t size) {
    EXPECT_LE(at_ + size, into_.stream.size());
    at_ += size;
    return into_.stream.substr(at_ - size, size);
  }
  template <typename Number>
  Number number() {
    Number value{};
    memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  string text() { return take(number<uint32_t>()); }
  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      const uint64_t byte = number<uint8_t>();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }
  set<string> counts(std::vector<uint64_t>* masks = nullptr) {
    set<string> objects;
    uint64_t id = 0;
    for (auto left = number<uint32_t>(); left-- > 0;) {
      const uint64_t step = varint();
      EXPECT_TRUE(step > 0 || id == 0);
      id += step;
      const uint64_t count = varint();
      EXPECT_NE(count, 0U);
      auto owner = owners_.upper_bound(id);
      EXPECT_NE(owner, owners_.begin()) << id;
      objects.insert((--owner)->second);
      if (masks != nullptr && owner->second.ends_with("conditions")) masks->push_back(count);
    }
    return objects;
  }
  void record() {
    const auto kind = number<uint8_t>();
    const size_t end = number<uint32_t>() + at_;
    EXPECT_FALSE(into_.ended);
    if (kind == module) {
      const string path = text();
      const string name = fs::path(path).stem();
      EXPECT_EQ(fs::path(path).extension(), ".gcda");
      into_.modules.insert(name);
      into_.gcc_version = number<uint32_t>();
      number<uint32_t>();
      if (number<uint32_t>() != 0) into_.has_checksum = true;
      for (auto left = number<uint32_t>(); left-- > 0;) {
        take(12);
        EXPECT_NE(number<uint32_t>(), 0U);
        owners_[number<uint32_t>()] = name;
      }
      if (at_ == end) return;
      for (auto left = number<uint32_t>(); left-- > 0;) {
        take(8);
        owners_[number<uint32_t>()] = name + "'s conditions";
      }
    } else if (kind == startup) {
      into_.startup_incomplete |= number<uint32_t>();
      for (const string& object : counts()) into_.startup.insert(object);
      into_.startup_variables.merge(variables_);
      variables_.clear();
    } else if (kind == begin) {
      into_.begun.push_back(text());
    } else if (kind == row) {
      row_data& row = into_.rows[text()];
      row.outcome = number<uint8_t>();
      row.detail = number<int32_t>();
      row.incomplete = number<uint32_t>();
      number<uint64_t>();
      row.cpu_us = number<uint64_t>();
      row.objects = counts(&row.masks);
      row.variables.swap(variables_);
    } else if (kind == variables) {
      while (at_ < end) {
        const string name = into_.stream.c_str() + at_;
        take(name.size() + 1);
        if (!name.empty()) variables_.insert(name);
      }
    } else {
      EXPECT_EQ(kind, morph_stream::end);
      into_.ended = true;
    }
    EXPECT_EQ(at_, end);
  }

  measurement& into_;
  size_t at_ = 0;
  set<string> variables_;  // of the record that comes next
  std::map<uint64_t, string> owners_;
};

struct options {
  string arguments{};
  std::vector<string> tests{};
  std::vector<std::pair<string, string>> environment{};
  bool reader_leaves = false;
};

measurement measure(const fs::path& program, const options& how) {
  measurement result;
  const fs::path list = fs::temp_directory_path() / ("morph_runtime_list_" + std::to_string(getpid()));
  const fs::path error = list.string() + ".err";
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  const pid_t child = fork();
  if (child == 0) {
    fcntl(ends[1], F_SETFD, 0);
    setenv("MORPH_COVERAGE_FD", std::to_string(ends[1]).c_str(), 1);
    setenv("SUBJECT_STREAM", std::to_string(ends[1]).c_str(), 1);
    if (!how.tests.empty()) {
      std::ofstream out(list);
      for (const string& test : how.tests) out << test << '\0';
      setenv("MORPH_COVERAGE_TESTS", list.c_str(), 1);
    }
    for (const auto& [name, value] : how.environment) setenv(name.c_str(), value.c_str(), 1);
    if (!freopen("/dev/null", "w", stdout) || !freopen(error.c_str(), "w", stderr)) _exit(99);
    const string command = "exec " + program.string() + " " + how.arguments;
    execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    _exit(99);
  }
  close(ends[1]);
  if (how.reader_leaves) close(ends[0]);
  char buffer[65536];
  for (ssize_t n; !how.reader_leaves && (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    result.stream.append(buffer, static_cast<size_t>(n));
  waitpid(child, &result.wait_status, 0);
  if (!how.reader_leaves) close(ends[0]);
  result.error = contents(error);
  fs::remove(error);
  fs::remove(list);
  decoder{result};
  return result;
}

#define OBJECTS(...) (set<string>{__VA_ARGS__})

class Runtime : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    string compiler;
    // Another one than these two is named by the environment: benchmarks/compilers.sh does.
    const char* const named = getenv("MORPH_TEST_COMPILER");
    for (const string& candidate :
         {string(named != nullptr ? named : "g++-12"), string("g++-11"), string(MORPH_CXX_COMPILER)}) {
      if (named != nullptr && candidate != named) break;
      if (compiler.empty() && is_present(candidate) && (is_supported_gcc(candidate) || is_supported_clang(candidate)))
        compiler = candidate;
    }
    if (!compiler.empty()) workshop_ = new workshop(compiler);
  }
  static void TearDownTestSuite() {
    delete workshop_;
    workshop_ = nullptr;
  }
  void SetUp() override {
    if (workshop_ == nullptr) GTEST_SKIP() << "needs g++ 11 or 12, or the compiler that MORPH_TEST_COMPILER names";
  }
  void TearDown() override {
    if (workshop_ == nullptr) return;
    for (const auto& entry : fs::directory_iterator(workshop_->folder()))
      EXPECT_NE(entry.path().extension(), ".gcda") << "libgcov wrote " << entry.path();
  }

  static measurement measure_cases(const std::vector<string>& tests, options how = {}) {
    how.tests = tests;
    how.environment.emplace_back("MORPH_COVERAGE_TIMEOUT", "20");
    measurement result = measure(workshop_->cases(), how);
    EXPECT_EQ(result.wait_status, 0) << result.error;
    EXPECT_EQ(result.begun, tests);
    EXPECT_TRUE(result.ended);
    return result;
  }
  static row_data measure_case(const string& test, const options& how = {}) {
    return measure_cases({test}, how).rows[test];
  }
  static measurement measure_whole(const string& program, const string& arguments = "") {
    return measure(program, {.arguments = arguments, .environment = {{"MORPH_COVERAGE_TEST", "it"}}});
  }
  static measurement measure_program(const string& arguments) { return measure_whole(workshop_->program(), arguments); }

  static workshop* workshop_;
};

workshop* Runtime::workshop_ = nullptr;

// What each test process of the cases does beside its test.
const set<string> around = {"cases", "environment", "farewell"};

set<string> with(set<string> objects, const set<string>& more = around) {
  objects.insert(more.begin(), more.end());
  return objects;
}

void expect_row(const row_data& row, int outcome, int detail, unsigned incomplete, const set<string>& objects) {
  EXPECT_EQ(row.outcome, outcome);
  EXPECT_EQ(row.detail, detail);
  EXPECT_EQ(row.incomplete, incomplete);
  EXPECT_EQ(row.objects, objects);
}

// ---- what rows hold

TEST_F(Runtime, rows_tell_tests_apart) {
  auto result = measure_cases({"Plain.left", "Plain.right"});
  expect_row(result.rows["Plain.left"], passed, 0, complete, with({"left"}));
  expect_row(result.rows["Plain.right"], passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, what_runs_before_the_first_and_after_the_last_test_is_the_startup_row) {
  auto result = measure_cases({"Plain.left"});
  EXPECT_EQ(result.startup, OBJECTS("cases", "environment", "farewell", "greeting", "listening", "tail"));
  EXPECT_EQ(result.startup_incomplete, 0U);
}

TEST_F(Runtime, modules_are_all_objects_that_are_loaded_at_the_first_test) {
  auto result = measure_cases({"Plain.left"});
  EXPECT_EQ(result.modules, OBJECTS("cases", "computed", "environment", "farewell", "fixture", "greeting", "left",
                                    "library", "listening", "once", "right", "tail"));
  EXPECT_EQ(result.gcc_version >> 24, workshop_->clang() ? unsigned{'A'} : unsigned{'B'});
}

TEST_F(Runtime, a_static_local_is_computed_in_every_test_that_needs_it) {
  auto result = measure_cases({"Plain.once_a", "Plain.once_b"});
  expect_row(result.rows["Plain.once_a"], passed, 0, complete, with({"computed", "once"}));
  expect_row(result.rows["Plain.once_b"], passed, 0, complete, with({"computed", "once"}));
}

TEST_F(Runtime, a_shared_library_with_its_own_gcov_master_counts) {
  expect_row(measure_case("Plain.library"), passed, 0, complete, with({"library"}));
}

TEST_F(Runtime, the_fixture_of_a_suite_counts_in_its_tests) {
  expect_row(measure_case("Suite.left"), passed, 0, complete, with({"fixture", "left"}));
}

TEST_F(Runtime, a_test_may_run_on_every_processor_that_its_program_may) {
  expect_row(measure_case("Plain.processors"), passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_test_costs_cpu_time) {
  EXPECT_GT(measure_case("Hostile.writes_a_lot").cpu_us, 0U);
}

// ---- which tests run

TEST_F(Runtime, without_a_list_every_enabled_test_of_the_filter_runs_in_the_order_of_the_program) {
  auto result = measure(workshop_->cases(), {.arguments = "--gtest_filter='Plain.*left:All/*'"});
  EXPECT_EQ(result.begun, (std::vector<string>{"Plain.left", "All/Name.with_slashes/0", "All/Name.with_slashes/1"}));
  EXPECT_EQ(result.rows["All/Name.with_slashes/1"].objects, with({"right"}));
}

TEST_F(Runtime, tests_run_in_another_order_if_a_seed_says_so) {
  const auto run = [&](const string& seed) {
    return measure(workshop_->cases(),
                   {.arguments = "--gtest_filter='Plain.*t:All/*'", .environment = {{"MORPH_COVERAGE_ORDER", seed}}});
  };
  auto declared = run("0"), other = run("7");
  EXPECT_NE(declared.begun, other.begun);
  EXPECT_EQ(run("7").begun, other.begun);
  for (const auto& [test, row] : declared.rows) EXPECT_EQ(other.rows[test].objects, row.objects) << test;
  EXPECT_EQ(declared.rows.size(), other.rows.size());
}

TEST_F(Runtime, unknown_and_disabled_tests_of_the_list_are_absent) {
  auto result = measure(workshop_->cases(), {.tests = {"No.such", "Plain.right", "Plain.DISABLED_left"}});
  EXPECT_EQ(result.begun, std::vector<string>{"Plain.right"});
  EXPECT_TRUE(result.ended);
}

TEST_F(Runtime, disabled_tests_run_if_the_program_is_told_so) {
  auto row = measure_case("Plain.DISABLED_left", {.arguments = "--gtest_also_run_disabled_tests"});
  expect_row(row, passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_sharded_program_runs_each_of_its_tests) {
  auto result = measure(workshop_->cases(), {.arguments = "--gtest_filter='Plain.*t'",
                                             .environment = {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "1"}}});
  EXPECT_EQ(result.begun, std::vector<string>{"Plain.right"});
  expect_row(result.rows["Plain.right"], passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, a_list_that_cannot_be_read_is_refused) {
  auto result = measure(workshop_->cases(), {.environment = {{"MORPH_COVERAGE_TESTS", "/nonexistent/list"}}});
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 86);
  EXPECT_EQ(result.error,
            "morph: cannot measure cases: list of tests '/nonexistent/list': No such file or directory\n");
}

// ---- how tests end

TEST_F(Runtime, a_failed_test) {
  expect_row(measure_case("End.failure"), failed, 0, complete, with({"left"}));
}

TEST_F(Runtime, an_exception_fails_a_test) {
  expect_row(measure_case("End.exception"), failed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_skipped_test) {
  expect_row(measure_case("End.skip"), skipped, 0, complete, with({"left"}));
}

const set<string> cut_short = {"cases", "environment", "left"};

TEST_F(Runtime, abort_keeps_the_row) {
  expect_row(measure_case("End.abort"), crashed, SIGABRT, ended_early, cut_short);
}

TEST_F(Runtime, a_segmentation_fault_keeps_the_row) {
  expect_row(measure_case("End.segv"), crashed, SIGSEGV, ended_early, with({"right"}, cut_short));
}

TEST_F(Runtime, sigkill_keeps_the_row) {
  expect_row(measure_case("End.sigkill"), crashed, SIGKILL, ended_early, cut_short);
}

TEST_F(Runtime, a_stack_overflow_keeps_the_row) {
  expect_row(measure_case("End.stack_overflow"), crashed, SIGSEGV, ended_early, cut_short);
}

TEST_F(Runtime, an_exception_out_of_a_thread_keeps_the_row) {
  expect_row(measure_case("End.exception_in_thread"), crashed, SIGABRT, ended_early, cut_short);
}

TEST_F(Runtime, exit_inside_a_test_is_not_a_pass) {
  expect_row(measure_case("End.exit_0"), exited, 0, ended_early, with({"farewell"}, cut_short));
}

TEST_F(Runtime, the_status_of_an_early_exit_is_kept) {
  expect_row(measure_case("End.exit_3"), exited, 3, ended_early, with({"farewell"}, cut_short));
}

TEST_F(Runtime, underscore_exit_inside_a_test_is_not_a_pass) {
  expect_row(measure_case("End.underscore_exit_0"), exited, 0, ended_early, cut_short);
}

TEST_F(Runtime, quick_exit_inside_a_test_is_not_a_pass) {
  expect_row(measure_case("End.quick_exit_0"), exited, 0, ended_early, cut_short);
}

TEST_F(Runtime, exec_inside_a_test_is_not_a_pass) {
  expect_row(measure_case("End.exec"), exited, 0, ended_early, cut_short);
}

TEST_F(Runtime, a_time_out_keeps_the_row_and_the_next_test_runs) {
  auto result = measure(workshop_->cases(), {.tests = {"End.endless", "Hostile.changes_directory"},
                                             .environment = {{"MORPH_COVERAGE_TIMEOUT", "0.3"}}});
  expect_row(result.rows["End.endless"], timed_out, 0, ended_early, cut_short);
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_time_out_finds_a_test_in_another_process_group) {
  auto result = measure(workshop_->cases(),
                        {.tests = {"Hostile.leaves_its_group"}, .environment = {{"MORPH_COVERAGE_TIMEOUT", "0.3"}}});
  expect_row(result.rows["Hostile.leaves_its_group"], timed_out, 0, ended_early, cut_short);
}

TEST_F(Runtime, a_program_that_ends_badly_after_a_passed_test_fails_it) {
  auto row = measure_case("End.status_in_a_destructor");
  EXPECT_EQ(row.outcome, failed);
}

TEST_F(Runtime, a_program_that_crashes_after_a_passed_test_crashes_it) {
  auto row = measure_case("End.crash_in_a_destructor");
  EXPECT_EQ(row.outcome, crashed);
  EXPECT_EQ(row.detail, SIGABRT);
}

TEST_F(Runtime, tests_after_a_crash_are_measured) {
  auto result = measure_cases({"Plain.right", "End.abort", "End.sigkill"});
  expect_row(result.rows["Plain.right"], passed, 0, complete, with({"right"}));
  expect_row(result.rows["End.sigkill"], crashed, SIGKILL, ended_early, cut_short);
}

// ---- what makes a row incomplete

TEST_F(Runtime, a_forked_child_counts) {
  expect_row(measure_case("Process.forked"), passed, 0, complete, with({"left", "right"}));
}

TEST_F(Runtime, a_forked_child_that_passes_the_test_gives_no_verdict) {
  auto row = measure_case("Process.forked_to_the_end");
  expect_row(row, exited, 0, ended_early, with({"left"}));
}

TEST_F(Runtime, a_death_test_counts) {
  expect_row(measure_case("Process.death"), passed, 0, complete, with({"left", "right"}));
}

TEST_F(Runtime, a_threadsafe_death_test_counts) {
  expect_row(measure_case("Process.death_threadsafe"), passed, 0, complete, with({"greeting", "left", "right"}));
}

TEST_F(Runtime, children_of_children_count) {
  expect_row(measure_case("Process.generations"), passed, 0, complete, with({"left", "right"}));
}

TEST_F(Runtime, one_of_many_children_counts_and_nobody_elses_row_has_it) {
  auto result = measure_cases({"Plain.left", "Process.many", "Hostile.changes_directory"});
  expect_row(result.rows["Process.many"], passed, 0, complete, with({"left", "right"}));
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, processes_have_variables_of_their_own) {
  expect_row(measure_case("Process.have_variables_of_their_own"), passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, processes_see_memory_as_it_was_at_fork) {
  expect_row(measure_case("Process.see_what_was_there_at_fork"), passed, 0, complete, with({"left", "right"}));
  expect_row(measure_case("Process.may_handle_forks_themselves"), passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, processes_of_programs_without_counters_leave_the_row_complete) {
  auto result =
      measure_cases({"Process.system", "Process.popen", "Process.spawned", "Process.spawned_ignoring_sigchld"});
  for (const auto& [test, row] : result.rows) expect_row(row, passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, another_instrumented_program_counts_however_it_ends) {
  auto result = measure_cases({"Plain.right", "Process.tool", "Process.tool_that_aborts", "Hostile.changes_directory"});
  expect_row(result.rows["Process.tool"], passed, 0, complete, with({"left", "served", "tool"}));
  expect_row(result.rows["Process.tool_that_aborts"], passed, 0, complete, with({"left", "served", "tool"}));
  expect_row(result.rows["Plain.right"], passed, 0, complete, with({"right"}));
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, another_instrumented_program_is_found_without_environment_and_descriptors) {
  expect_row(measure_case("Process.tool_behind_a_shell_without_environment"), passed, 0, complete,
             with({"left", "served", "tool"}));
}

TEST_F(Runtime, children_of_another_instrumented_program_count) {
  auto result = measure_cases({"Process.tool_that_forks"});
  EXPECT_EQ(result.rows["Process.tool_that_forks"].incomplete & ~made_process, 0U);  // nobody waits for that child
}

TEST_F(Runtime, a_program_in_place_of_the_test_counts) {
  expect_row(measure_case("Process.tool_instead_of_the_test"), exited, 0, ended_early,
             with({"served", "tool"}, cut_short));
}

TEST_F(Runtime, an_instrumented_program_that_cannot_share_is_reported) {
  const string prefix = (fs::temp_directory_path() / ("morph_runtime_gcda_" + std::to_string(getpid()))).string();
  auto result = measure_cases({"Process.host_of_a_plugin", "Process.stranger", "Hostile.changes_directory"},
                              {.environment = {{"GCOV_PREFIX", prefix}}});
  expect_row(result.rows["Process.host_of_a_plugin"], passed, 0, made_process, with({"left"}));
  expect_row(result.rows["Process.stranger"], passed, 0, made_process, with({"left"}));
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
  EXPECT_FALSE(fs::exists(prefix));
  output_of("rm -rf " + prefix + "*");
}

TEST_F(Runtime, processes_that_nobody_waited_for_are_reported) {
  auto result = measure_cases({"Plain.left", "Process.forked_unwaited", "Process.spawned_unwaited", "Process.daemon"});
  for (const char* test : {"Process.forked_unwaited", "Process.spawned_unwaited", "Process.daemon"})
    expect_row(result.rows[test], passed, 0, made_process, with({"left"}));
}

TEST_F(Runtime, orphans_of_a_test_that_left_are_reported) {
  auto row = measure_case("Process.spawned_by_one_that_leaves");
  expect_row(row, exited, 0, made_process | ended_early, cut_short);
}

TEST_F(Runtime, a_daemon_is_killed_and_not_blamed_on_the_next_test) {
  auto result = measure_cases({"Process.daemon", "Hostile.changes_directory"});
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
  EXPECT_EQ(kill(std::stoi(result.error), 0), -1);
}

TEST_F(Runtime, children_of_main_live_on_and_are_not_blamed_on_tests) {
  auto result = measure_cases({"Process.daemon", "Hostile.changes_directory", "Request.spares_the_child_of_main"},
                              {.environment = {{"SUBJECT_CHILD", "1"}}});
  EXPECT_EQ(result.startup_incomplete, made_process);
  expect_row(result.rows["Process.daemon"], passed, 0, made_process, with({"left"}));
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
  EXPECT_EQ(result.rows["Request.spares_the_child_of_main"].outcome, passed);
}

TEST_F(Runtime, a_loaded_plugin_counts_with_its_static_initialization) {
  auto result = measure_cases({"Plain.left", "Load.dlopen", "Hostile.changes_directory"});
  expect_row(result.rows["Load.dlopen"], passed, 0, complete, with({"left", "loading", "plugin"}));
  expect_row(result.rows["Plain.left"], passed, 0, complete, with({"left"}));
  expect_row(result.rows["Hostile.changes_directory"], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_loaded_plugin_counts_when_the_test_crashes) {
  expect_row(measure_case("Load.and_crash"), crashed, SIGABRT, ended_early, with({"loading", "plugin"}, cut_short));
}

TEST_F(Runtime, a_plugin_may_be_unloaded_and_loaded_again) {
  expect_row(measure_case("Load.and_unload_and_load_again"), passed, 0, complete, with({"left", "loading", "plugin"}));
}

TEST_F(Runtime, what_was_loaded_before_the_first_test_may_be_unloaded) {
  const auto row = measure_case("Load.and_unload_what_main_loaded", {.environment = {{"SUBJECT_PLUGIN", "1"}}});
  expect_row(row, passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, a_plugin_in_a_child_counts) {
  auto result = measure_cases({"Load.in_a_child", "Load.before_a_child"});
  for (const auto& [test, row] : result.rows) expect_row(row, passed, 0, complete, with({"left", "loading", "plugin"}));
}

// Clang's own profiling library cannot be seen from outside, but writes a file at the end.
TEST_F(Runtime, a_plugin_that_does_not_announce_itself_is_reported) {
  const string prefix = (fs::temp_directory_path() / ("morph_runtime_stranger_" + std::to_string(getpid()))).string();
  expect_row(measure_case("Load.a_stranger", {.environment = {{"GCOV_PREFIX", prefix}}}), passed, 0,
             workshop_->clang() ? made_process : loaded_object, with({"left"}));
  output_of("rm -rf " + prefix + "*");
}

TEST_F(Runtime, a_library_without_counters_leaves_the_row_complete) {
  expect_row(measure_case("Load.a_system_library"), passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_program_with_threads_before_its_first_test_is_refused) {
  auto result = measure(workshop_->cases(), {.environment = {{"SUBJECT_THREAD", "1"}, {"MORPH_COVERAGE_TEST", ""}}});
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 88);
  EXPECT_EQ(result.error, "morph: cannot measure cases: it has threads before its first test\n");
  EXPECT_EQ(result.stream, "");
}

// ---- hostile tests, hostile callers

TEST_F(Runtime, rows_survive_hostile_tests) {
  const std::vector<string> tests = {"Hostile.closes_all_descriptors", "Hostile.changes_directory",
                                     "Hostile.clears_the_environment", "Hostile.writes_a_lot",
                                     "Hostile.resets_and_dumps_counters"};
  auto result = measure_cases(tests);
  for (const string& test : tests) expect_row(result.rows[test], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, without_isolation_tests_stay_in_one_process) {
  const std::vector<std::pair<string, string>> none{{"MORPH_COVERAGE_ISOLATION", "none"}, {"MORPH_COVERAGE_TEST", ""}};
  auto result = measure(workshop_->cases(),
                        {.tests = {"Plain.left", "Plain.right", "Variables.asked_too_often"}, .environment = none});
  EXPECT_TRUE(result.ended);
  expect_row(result.rows["Plain.left"], passed, 0, complete, OBJECTS("cases", "left"));
  expect_row(result.rows["Plain.right"], passed, 0, complete, OBJECTS("cases", "right"));
  EXPECT_EQ(result.startup.count("environment"), 1U);  // what is set up for all is everyone's
  EXPECT_EQ(result.rows["Variables.asked_too_often"].variables.count("V1"), 1U);
  EXPECT_EQ(result.rows.size(), 3U);
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 0);

  result = measure(workshop_->cases(), {.tests = {"End.abort", "Plain.left"}, .environment = none});
  EXPECT_FALSE(result.ended);
  EXPECT_EQ(result.begun.back(), "End.abort");
}

TEST_F(Runtime, variables_that_a_test_asks_for_are_in_its_row) {
  auto result = measure(workshop_->cases(), {.tests = {"Plain.left", "Variables.asked_by_all"},
                                             .environment = {{"SET_FOR_TEST", "some value"}}});
  expect_row(result.rows["Variables.asked_by_all"], passed, 0, complete, with({"left", "served", "tool"}));
  auto& asked = result.rows["Variables.asked_by_all"].variables;
  asked.erase("GLIBCXX_TUNABLES");  // a later libstdc++ asks for it when the first exception is thrown
  EXPECT_EQ(asked, (set<string>{"OF_CHILD", "OF_TEST", "OF_THREAD", "OF_TOOL", "SET_FOR_TEST"}));
  EXPECT_EQ(result.rows["Plain.left"].variables, set<string>{});
  EXPECT_EQ(result.startup_variables.count("AT_START"), 1U);
}

TEST_F(Runtime, a_row_with_more_variables_than_there_is_room_for_is_incomplete) {
  auto result = measure_cases({"Variables.asked_too_often", "Hostile.clears_the_environment"});
  expect_row(result.rows["Variables.asked_too_often"], passed, 0, made_process, with({"left"}));
  expect_row(result.rows["Hostile.clears_the_environment"], passed, 0, complete, with({"left"}));
}

TEST_F(Runtime, a_detached_thread_counts_and_ends_with_its_test) {
  auto result = measure_cases({"Plain.right", "Hostile.detaches_a_thread", "Hostile.changes_directory"});
  expect_row(result.rows["Hostile.detaches_a_thread"], passed, 0, complete, with({"left"}));
  expect_row(result.rows["Plain.right"], passed, 0, complete, with({"right"}));
}

TEST_F(Runtime, a_test_cannot_see_that_it_is_measured) {
  auto result = measure_cases({"Request.is_invisible", "Request.leaves_signals_alone"});
  for (const auto& [test, row] : result.rows) EXPECT_EQ(row.outcome, passed) << test;
}

TEST_F(Runtime, a_test_cannot_see_that_its_program_is_to_be_silent) {
  EXPECT_EQ(measure_case("Request.is_invisible", {.environment = {{"GTEST_BRIEF", "morph"}}}).outcome, passed);
  const options of_somebody_else{.environment = {{"GTEST_BRIEF", "1"}}};
  EXPECT_EQ(measure_case("Request.keeps_the_value_of_somebody_else", of_somebody_else).outcome, passed);
}

// ---- processes that go back

// The process that ran the test, by the variable that it asked for.
string process_of(const row_data& row) {
  for (const string& name : row.variables)
    if (name.starts_with("PROCESS_")) return name;
  return {};
}

bool can_go_back() {
#ifdef __x86_64__
  const char selector = 0;
  const int dispatch = 59;  // PR_SET_SYSCALL_USER_DISPATCH, Linux 5.11
  const bool can = prctl(dispatch, 1, 0, 0, &selector) == 0;
  prctl(dispatch, 0, 0, 0, 0);
  return can;
#else
  return false;
#endif
}

TEST_F(Runtime, a_process_goes_back_and_the_next_test_finds_memory_as_it_was) {
  auto result = measure_cases({"Before.changes_all_of_its_memory", "After.finds_memory_as_it_was"});
  const row_data& first = result.rows["Before.changes_all_of_its_memory"];
  const row_data& second = result.rows["After.finds_memory_as_it_was"];
  expect_row(first, passed, 0, complete, with({"left"}));
  expect_row(second, passed, 0, complete, with({"right"}));
  EXPECT_NE(process_of(first), "");
  if (can_go_back()) {
    EXPECT_EQ(process_of(first), process_of(second));
  }
}

TEST_F(Runtime, a_process_goes_back_from_exit_and_from_files_that_were_read) {
  const std::vector<string> tests{"Rewound.once_more", "Rewound.closes_what_it_opened", "Rewound.exits",
                                  "Rewound.exits_in_a_handler", "After.finds_memory_as_it_was"};
  auto result = measure_cases(tests);
  EXPECT_EQ(result.rows["Rewound.exits"].outcome, exited);
  EXPECT_EQ(result.rows["Rewound.exits"].incomplete, unsigned{ended_early});
  std::set<string> processes;
  for (const string& test : tests) processes.insert(process_of(result.rows[test]));
  if (can_go_back()) {
    EXPECT_EQ(processes.size(), 1U);
  }
}

TEST_F(Runtime, a_process_whose_test_the_kernel_remembers_ends_with_it) {
  for (const char* const what :
       {"a_thread", "a_child", "a_spawned_child", "a_handler", "a_handler_of_sigsys", "a_mask", "a_folder",
        "a_file_that_is_written", "what_was_read", "a_copy_of_a_descriptor", "a_closed_descriptor", "a_limit",
        "a_timer", "protection", "a_library", "many_calls"}) {
    const string test = string("Remembered.") + what;
    auto result = measure_cases({"Rewound.once_more", test, "After.finds_memory_as_it_was"});
    EXPECT_EQ(result.rows[test].outcome, passed) << what;
    EXPECT_EQ(result.rows["After.finds_memory_as_it_was"].outcome, passed) << what;
    const string before = process_of(result.rows["Rewound.once_more"]);
    if (can_go_back()) {
      EXPECT_EQ(process_of(result.rows[test]), before) << what;
    }
    EXPECT_NE(process_of(result.rows["After.finds_memory_as_it_was"]), before) << what;
  }
}

TEST_F(Runtime, a_crash_where_memory_was_put_back_is_repeated_in_a_new_process) {
  for (const auto& [test, signal] : {std::pair("Rewound.crashes", SIGILL), std::pair("Rewound.aborts", SIGABRT)}) {
    auto result = measure_cases({"Rewound.once_more", test, "After.finds_memory_as_it_was"});
    expect_row(result.rows[test], crashed, signal, ended_early, cut_short);
    EXPECT_EQ(result.rows[test].variables.size(), can_go_back() ? 2U : 1U);  // each process told its own
    expect_row(result.rows["After.finds_memory_as_it_was"], passed, 0, complete, with({"right"}));
  }
}

// How often processes of the test looked up what the C++ runtime library calls, and what became of the test.
std::pair<size_t, row_data> lookups_of(const fs::path& program, const string& test, size_t listed) {
  std::vector<string> tests{test};
  while (tests.size() < listed) tests.push_back("No.test_" + std::to_string(tests.size()));
  const fs::path log = fs::temp_directory_path() / ("morph_bindings_" + std::to_string(getpid()));
  auto result = measure(
      program,
      {.tests = tests,
       .environment = {{"MORPH_COVERAGE_TIMEOUT", "20"}, {"LD_DEBUG", "bindings"}, {"LD_DEBUG_OUTPUT", log.string()}}});
  EXPECT_TRUE(result.ended) << result.error;
  size_t lookups = 0;
  for (const auto& entry : fs::directory_iterator(log.parent_path())) {
    const string name = entry.path().filename().string();
    if (!name.starts_with(log.filename().string())) continue;
    const string supervisor = name.substr(name.rfind('.') + 1) + ":";
    std::istringstream lines(contents(entry.path()));
    for (string line; std::getline(lines, line);) {
      const size_t process = line.find_first_not_of(' ');
      if (process != string::npos && line.compare(process, supervisor.size(), supervisor) != 0 &&
          std::regex_search(line, std::regex("binding file [^ ]*libstdc\\+\\+")))
        ++lookups;
    }
    fs::remove(entry.path());
  }
  return {lookups, result.rows[test]};
}

TEST_F(Runtime, what_the_runtime_library_calls_is_looked_up_once_for_many_tests) {
  const auto [lookups, row] = lookups_of(workshop_->cases(), "Plain.right", 1);
  if (lookups == 0) GTEST_SKIP() << "the C++ runtime library was bound when it was loaded";
  const auto [lookups_of_many, row_of_many] = lookups_of(workshop_->cases(), "Plain.right", 100);
  EXPECT_EQ(lookups_of_many, 0u);
  EXPECT_EQ(row_of_many.objects, row.objects);
}

TEST_F(Runtime, the_runtime_library_calls_what_the_program_replaces) {
  EXPECT_EQ(lookups_of(workshop_->cases(), "Binding.of_what_the_program_replaces", 100).second.outcome, passed);
}

TEST_F(Runtime, a_library_that_lacks_a_function_may_be_loaded_lazily) {
  EXPECT_EQ(lookups_of(workshop_->cases(), "Binding.of_what_is_nowhere", 100).second.outcome, passed);
}

TEST_F(Runtime, a_reader_that_went_away_ends_the_program_with_87) {
  auto result = measure(workshop_->cases(), {.tests = {"Plain.left"}, .reader_leaves = true});
  EXPECT_TRUE(WIFEXITED(result.wait_status));
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 87);
}

TEST_F(Runtime, without_a_request_the_program_is_its_own) {
  const string scratch = (workshop_->folder() / "scratch").string();
  const string run = "GCOV_PREFIX=" + scratch + " " + workshop_->cases().string() + " --gtest_filter=";
  EXPECT_NE(output_of(run + "Plain.left:End.skip").find("2 tests from 2 test suites ran."), string::npos);
  EXPECT_NE(output_of(run + "End.exit_3; echo =$?").find("=3"), string::npos);
  const bool writes = output_of("find " + scratch + " -name tail.gcda").find("tail.gcda") != string::npos;
  EXPECT_NE(writes, workshop_->clang());
  EXPECT_TRUE(fs::exists(scratch)) << "nobody shares its counters, and nothing says so";
  fs::remove_all(scratch);
}

// ---- programs without a framework

TEST_F(Runtime, a_program_is_one_test) {
  auto result = measure_program("pass");
  EXPECT_EQ(result.wait_status, 0);
  EXPECT_EQ(result.startup, OBJECTS("greeting", "program"));
  EXPECT_EQ(result.begun, std::vector<string>{"it"});
  expect_row(result.rows["it"], passed, 0, complete, OBJECTS("left", "program", "right"));
  EXPECT_TRUE(result.ended);
}

TEST_F(Runtime, a_program_keeps_its_exit_status) {
  auto result = measure_program("fail");
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 3);
  expect_row(result.rows["it"], failed, 3, complete, OBJECTS("left", "program"));
}

TEST_F(Runtime, a_program_keeps_its_signal) {
  auto result = measure_program("abort");
  EXPECT_TRUE(WIFSIGNALED(result.wait_status));
  EXPECT_EQ(WTERMSIG(result.wait_status), SIGABRT);
  expect_row(result.rows["it"], crashed, SIGABRT, ended_early, OBJECTS("left", "program"));
  EXPECT_EQ(WTERMSIG(measure_program("term").wait_status), SIGTERM);
}

TEST_F(Runtime, a_program_may_end_by_exit) {
  expect_row(measure_program("exit").rows["it"], passed, 0, complete, OBJECTS("left", "program"));
}

TEST_F(Runtime, a_program_that_skips_its_destructors_is_incomplete) {
  expect_row(measure_program("_exit").rows["it"], passed, 0, ended_early, OBJECTS("left", "program"));
}

// As Google Benchmark does, to be loaded at addresses that are not random.
TEST_F(Runtime, a_program_may_execute_itself_again) {
  expect_row(measure_program("again").rows["it"], passed, 0, complete, OBJECTS("greeting", "left", "program", "right"));
}

TEST_F(Runtime, a_program_that_executes_itself_and_skips_its_destructors_is_incomplete) {
  expect_row(measure_program("again_to__exit").rows["it"], passed, 0, ended_early,
             OBJECTS("greeting", "left", "program"));
}

TEST_F(Runtime, a_program_that_runs_another_is_complete) {
  expect_row(measure_program("system").rows["it"], passed, 0, complete, OBJECTS("left", "program"));
}

TEST_F(Runtime, a_program_that_times_out_ends_by_sigkill) {
  auto result =
      measure(workshop_->program(), {.arguments = "loop", .environment = {{"MORPH_COVERAGE_TIMEOUT", "0.3"}}});
  EXPECT_EQ(WTERMSIG(result.wait_status), SIGKILL);
  expect_row(result.rows["program"], timed_out, 0, ended_early, OBJECTS("left", "program"));
}

TEST_F(Runtime, a_program_whose_library_alone_is_instrumented) {
  const auto program = workshop_->process("caller", [](const workshop& here) {
    return here.object("caller", "", "") + " " + here.shared("library").string();
  });
  auto result = measure_whole(program);
  expect_row(result.rows["it"], passed, 0, complete, OBJECTS("library"));
}

// ---- what cannot be measured

TEST_F(Runtime, a_program_without_counters_is_refused) {
  const auto program = workshop_->process(
      "bare", [](const workshop& here) { return here.object("bare", "", "") + here.object("plain", "", ""); });
  auto result = measure_whole(program);
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 86);
  EXPECT_EQ(result.error, "morph: cannot measure bare: no code in it was compiled with --coverage\n");
  EXPECT_EQ(result.stream, "");
}

TEST_F(Runtime, another_version_of_libgcov_is_refused) {
  const auto program =
      workshop_->process("version", [](const workshop& here) { return here.object("version", "", ""); });
  auto result = measure_whole(program);
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 86);
  EXPECT_EQ(result.error, "morph: cannot measure version: its libgcov is of GCC 17; supported are 11 to 16\n");
  EXPECT_EQ(result.stream, "");
}

TEST_F(Runtime, a_descriptor_that_is_not_open_is_refused) {
  auto result = measure(workshop_->program(), {.arguments = "pass", .environment = {{"MORPH_COVERAGE_FD", "777"}}});
  EXPECT_EQ(WEXITSTATUS(result.wait_status), 86);
  EXPECT_EQ(result.error, "morph: cannot measure program: MORPH_COVERAGE_FD '777' is not an open file descriptor\n");
}

// ---- compilers

class RuntimeCompiler : public testing::TestWithParam<const char*> {};

TEST_P(RuntimeCompiler, takes_the_sources_as_strict_cxx11) {
  if (!is_present(GetParam())) GTEST_SKIP() << GetParam() << " is not installed";
  const fs::path nodes = fs::path(testing::TempDir()) / (string("nodes ") + GetParam());
  fs::create_directories(nodes);
  std::ofstream(nodes / "morph_nodes.h") << "#define MORPH_NODES 3\n";  // as `morph mutate` writes it
  std::size_t count = 0;
  // What stands beside a framework is compiled as that wants it: GoogleTest since 1.13 and Catch2 3 as C++14.
  const auto standard_for = [&](const string& source) {
    for (const string header : {"gtest/gtest.h", "catch2/catch_test_macros.hpp"}) {
      const bool is_beside = source.find(header.substr(0, header.find('/'))) != string::npos;
      const string compiles =
          string(GetParam()) + " -std=c++11 -fsyntax-only -w -include " + header + " -x c++ /dev/null";
      if (is_beside && output_of(compiles).find("(failed)") != string::npos) return "c++17";
    }
    return "c++11";
  };
  for (const auto& entry : fs::directory_iterator(MORPH_SOURCE_DIR "/plugin/runtime")) {
    const string name = entry.path().filename().string();
    if (entry.path().extension() != ".cpp" || name.starts_with("morph_spec")) continue;  // specs are C++20
    ++count;
    EXPECT_EQ(output_of(string(GetParam()) + " -std=" + standard_for(name) +
                        " -fno-rtti -fno-exceptions -Wall -Wextra -pedantic -Werror -Wshadow -Wconversion "
                        "-fsyntax-only -DMORPH_RUNNING='\"running\"' -I" MORPH_SOURCE_DIR
                        "/coverage/gcov -I" MORPH_SOURCE_DIR "/coverage/mutation -I'" +
                        nodes.string() + "' " + entry.path().string()),
              "")
        << name;
  }
  EXPECT_GT(count, 15U);
}

TEST_P(RuntimeCompiler, has_counters_that_are_read) {
  const string compiler = GetParam();
  if (!is_present(compiler)) GTEST_SKIP() << compiler << " is not installed";
  const workshop tools(compiler);
  auto result = measure(tools.program(), {.arguments = "pass"});
  expect_row(result.rows["program"], passed, 0, complete, OBJECTS("left", "program", "right"));
  EXPECT_EQ(result.gcc_version >> 16 & 0xff, is_clang(compiler) ? unsigned('9') : unsigned(compiler.back()));
  EXPECT_EQ(result.has_checksum, !is_clang(compiler) && compiler != "g++-11");
}

TEST_P(RuntimeCompiler, counts_conditions_apart_from_arcs) {
  const string compiler = GetParam();
  if (!is_present(compiler)) GTEST_SKIP() << compiler << " is not installed";
  const workshop tools(compiler);
  if (output_of("'" + compiler + "' -fcondition-coverage -E -x c++ /dev/null").find("failed") != string::npos)
    GTEST_SKIP() << compiler << " does not count conditions";
  const auto program = tools.process(
      "decides", [](const workshop& here) { return "--coverage" + here.object("decides", "-fcondition-coverage"); });
  auto result = measure(program, {});
  expect_row(result.rows["decides"], passed, 0, complete, OBJECTS("decides", "decides's conditions"));
  const auto masks = [&] {
    auto sorted = result.rows["decides"].masks;
    std::sort(sorted.begin(), sorted.end());
    return sorted;
  };
  EXPECT_EQ(masks(), (std::vector<uint64_t>{1, 3})) << "count < 2 is true, so are both terms";
  result = measure(program, {.arguments = "fork"});
  EXPECT_EQ(masks(), (std::vector<uint64_t>{1, 1, 1, 3, 3})) << "what a child has seen is joined, not added";
}

INSTANTIATE_TEST_SUITE_P(Known, RuntimeCompiler,
                         testing::Values("g++-11", "g++-12", "g++-13", "g++-14", "g++-15", "g++-16", "clang++-14",
                                         "clang++-16", "clang++-19"),
                         [](const auto& compiler) {
                           string name = compiler.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !isalnum(c); }, '_');
                           return name;
                         });

}  // namespace
