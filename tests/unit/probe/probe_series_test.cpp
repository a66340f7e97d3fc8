// Tests that share a start of their program do, and are recorded as doing, what they do in a process each.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>

#include "coverage/probe/table.hpp"
#include "plugin/spool/series.hpp"
#include "tests/unit/probe/probed_run.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::probe::tests {
namespace {

namespace fs = std::filesystem;
using names = std::set<std::string>;

const fs::path program = fs::path(PROGRAMS) / "probe_series";

class Series : public ::testing::Test {
 protected:
  Series() : probed_(folder_.path()) { probed_.add_table(program); }

  void run(const std::vector<std::string>& tests, const std::string& variables = "") {
    std::vector<spool::series_member> members;
    std::string filter;
    for (const std::string& test : tests) {
      members.push_back({test, "record-of-" + test});
      if (runs_main_) members.back().arguments = {"--gtest_filter=" + test, "", "two words"};
      filter += (filter.empty() ? "" : ":") + test;
    }
    const fs::path file = folder_.path() / "series";
    series_ = spool::series_file::make(file, members).value();
    output_ = folder_.path() / "output";
    fs::remove(output_);
    whole_ = probed_.run(program.string() + " --gtest_filter=" + filter + " >>" + output_.string() + " 2>&1",
                         variables + " LD_BIND_NOW=1 MORPH_PROBES_SERIES=" + file.string());
    rows_ = spool::read_series(folder_.path() / "row");
    const std::string bytes = contents(program);
    const auto table = make_table(bytes, program.string());
    entered_.clear();
    for (const auto& [number, row] : rows_)
      for (const auto& [key, functions] : row.entered)
        for (const std::uint32_t f : functions)
          for (const std::string_view name : table->functions.at(f).names) entered_[number].emplace(function_of(name));
  }

  int status_of(std::uint32_t number) const { return series_->is_over(number) ? series_->status(number) : -1; }
  std::string output_of(std::uint32_t number) const {
    const spool::series_row& row = rows_.at(number);
    return contents(output_).substr(row.output_begin, row.output_end - row.output_begin);
  }

  bool runs_main_ = false;
  morph::test_support::temporary_folder folder_;
  probed_programs probed_;
  std::optional<spool::series_file> series_;
  std::map<std::uint32_t, spool::series_row> rows_;
  std::map<std::uint32_t, names> entered_;
  fs::path output_;
  probed_run whole_;
};

TEST_F(Series, EachTestBeginsInTheSameState) {
  run({"Memory.First", "Memory.Second", "Memory.Third", "Memory.Unrelated"});
  for (const std::uint32_t i : {0U, 1U, 2U}) {
    EXPECT_EQ(status_of(i), 0) << output_of(i);
    EXPECT_TRUE(entered_[i].contains("only_once")) << i;
    EXPECT_TRUE(entered_[i].contains("at_destruction")) << i;
    EXPECT_TRUE(rows_[i].ended_by_itself) << i;
    EXPECT_FALSE(rows_[i].left_processes) << i;
  }
  EXPECT_EQ(status_of(3), 0);
  EXPECT_FALSE(entered_[3].contains("only_once"));
}

TEST_F(Series, NoFunctionOfAProcessOfItsOwnIsMissing) {
  const std::vector<std::string> tests{"Memory.First", "Memory.Second",  "Memory.Third",  "Memory.Unrelated",
                                       "Suite.One",    "Suite.Two",      "Ends.Passes",   "Ends.PassesAgain",
                                       "Effects.Asks", "Effects.Writes", "Effects.Forks", "Effects.HasThreads",
                                       "Effects.Last"};
  run(tests);
  const auto entered = entered_;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    const probed_run alone = probed_.run(program.string() + " --gtest_filter=" + tests[i] + " >/dev/null");
    names missing;
    std::ranges::set_difference(alone.entered, entered.at(i), std::inserter(missing, missing.end()));
    EXPECT_EQ(missing, names()) << tests[i];
  }
  for (const char* const name : {"end_of_suite", "of_suite", "end_of_all", "end_of_main"})
    EXPECT_TRUE(entered.at(4).contains(name) && entered.at(5).contains(name)) << name;
  EXPECT_EQ(entered.at(6).contains("by_writer"), false);
  EXPECT_TRUE(entered.at(9).contains("by_writer"));
  EXPECT_TRUE(entered.at(10).contains("by_child"));
  EXPECT_FALSE(entered.at(12).contains("by_writer"));
  EXPECT_FALSE(entered.at(12).contains("by_child"));
  EXPECT_TRUE(entered.at(12).contains("by_last"));
}

TEST_F(Series, EachTestHasItsOwnEnd) {
  run({"Ends.Passes", "Ends.Fails", "Ends.Skips", "Ends.Crashes", "Ends.Exits", "Ends.ExitsAtOnce",
       "Ends.PassesAgain"});
  EXPECT_EQ(status_of(0), 0);
  EXPECT_EQ(status_of(1), W_EXITCODE(1, 0));
  EXPECT_NE(output_of(1).find("as it should"), std::string::npos);
  EXPECT_EQ(status_of(2), 0);
  EXPECT_NE(output_of(2).find("[  SKIPPED ] Ends.Skips"), std::string::npos);
  EXPECT_EQ(WTERMSIG(status_of(3)), SIGSEGV);
  EXPECT_EQ(status_of(4), W_EXITCODE(3, 0));
  EXPECT_EQ(status_of(5), 0);
  EXPECT_EQ(output_of(5).find("[       OK ]"), std::string::npos);
  EXPECT_EQ(status_of(6), 0);
  EXPECT_TRUE(output_of(6).starts_with("[ RUN      ] Ends.PassesAgain\n[       OK ] Ends.PassesAgain ("));
  EXPECT_EQ(std::ranges::count(output_of(6), '\n'), 2);
}

TEST_F(Series, MainRunsForEachTest) {
  runs_main_ = true;
  const std::vector<std::string> tests{"Memory.First", "Memory.Second", "Ends.Fails",  "Suite.One",
                                       "Ends.Crashes", "Effects.Forks", "Effects.Last"};
  run(tests);
  ASSERT_EQ(rows_.size(), tests.size() + 1) << static_cast<int>(series_->refusal());
  const auto entered = entered_;
  for (std::uint32_t i = 0; i < tests.size(); ++i) {
    const probed_run alone =
        probed_.run(program.string() + " --gtest_filter=" + tests[i] + " '' 'two words' >/dev/null");
    names difference;
    std::ranges::set_symmetric_difference(alone.entered, entered.at(i), std::inserter(difference, difference.end()));
    EXPECT_EQ(difference, names()) << tests[i];
    EXPECT_EQ(WIFSIGNALED(status_of(i)) ? 128 + WTERMSIG(status_of(i)) : WEXITSTATUS(status_of(i)), alone.exit);
    EXPECT_NE(output_of(i).find("1 test from 1 test suite ran"), i == 4 ? 0 : std::string::npos) << output_of(i);
    EXPECT_TRUE(output_of(i).starts_with("<><two words>")) << output_of(i);
  }
}

TEST_F(Series, ManyTestsAreOfARestoredProcess) {
  for (const bool runs_main : {false, true}) {
    runs_main_ = runs_main;
    run({"Memory.First", "Memory.Second", "Memory.Third", "Memory.Unrelated"});
    EXPECT_FALSE(rows_[0].is_of_restored);
    EXPECT_TRUE(rows_[3].is_of_restored) << runs_main;
  }
}

TEST_F(Series, AVariableBelongsToWhoAskedForIt) {
  run({"Ends.Passes", "Effects.Asks", "Effects.Last"});
  const auto asks = [&](std::uint32_t i) {
    return std::ranges::find(rows_[i].variables, "ASKED_FOR_BY_ONE") != rows_[i].variables.end();
  };
  EXPECT_FALSE(asks(0));
  EXPECT_TRUE(asks(1));
  EXPECT_FALSE(asks(2));
}

TEST_F(Series, WhereNoTestCanBeForkedNoneRuns) {
  run({"Ends.Passes", "Ends.Fails"}, "WITH_A_THREAD=1");
  EXPECT_EQ(series_->refusal(), morph_probe::series_refusal::threads);
  EXPECT_FALSE(series_->has_begun(0) || series_->has_begun(1));
  EXPECT_EQ(contents(output_).find("[ RUN "), std::string::npos);
  run({"Ends.Passes", "Ends.Fails"}, "WITH_A_HANDLER=1");
  EXPECT_EQ(series_->refusal(), morph_probe::series_refusal::handler);
}

TEST_F(Series, AProgramWithoutATestFrameworkDoesNothing) {
  const fs::path helper = fs::path(PROGRAMS) / "probe_helper";
  probed_.add_table(helper);
  const fs::path file = folder_.path() / "series";
  const auto series = spool::series_file::make(file, std::vector<spool::series_member>{{"A.B", ""}}).value();
  const probed_run done = probed_.run(helper.string(), "MORPH_PROBES_SERIES=" + file.string());
  EXPECT_EQ(done.exit, morph_probe::series_refused_status);
  EXPECT_EQ(series.refusal(), morph_probe::series_refusal::no_framework);
}

}  // namespace
}  // namespace morph::probe::tests
