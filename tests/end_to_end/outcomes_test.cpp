// Verdicts of ctest runs: a failed test stays selected until it passes, and leaves afterwards.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

class outcomes : public shapes_test {
 protected:
  void measure_a_failing_test() {
    p.replace("tests/shapes_test.cpp", "EXPECT_EQ(scale(2), 4);", "EXPECT_EQ(scale(2), 5);");
    p.commit();
    p.build();
    p.measure();
  }
  /// A verdict on Scale.ByTwo, so many seconds from now.
  void write_report(const std::string& path, const std::string& failure, int seconds = 0) const {
    p.write(path, "<testsuite><testcase name=\"Scale.ByTwo\">" + failure + "</testcase></testsuite>");
    const auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(p.root() / path, now + std::chrono::seconds(seconds));
  }
  void plant_a_failure() {
    p.replace("src/scale.cpp", "length * 2", "length * 3");
    p.build();
    ASSERT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"Scale.ByTwo"});
    p.git({"checkout", "--", "src/scale.cpp"});
    p.build();
  }
};

TEST_F(outcomes, a_failed_test_stays_selected_by_the_log_alone_and_leaves_when_it_passes) {
  plant_a_failure();
  plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), names{"Scale.ByTwo"});
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"failed-recently"});

  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"Scale.ByTwo", "geometry.plan"}));
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(outcomes, a_failure_within_the_last_runs_keeps_its_test_for_so_many) {
  plant_a_failure();
  p.set_variable("MORPH_FAILED_WITHIN", "3");
  for (int run = 0; run < 2; ++run) {
    EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"}) << run;
    const finished end = p.ctest({"-L", "morph"});
    EXPECT_EQ(sorted(started(end.out)), (names{"Scale.ByTwo", "geometry.plan"}));
    // Verdicts have times of whole seconds.
    const auto now = std::filesystem::file_time_type::clock::now();
    std::filesystem::last_write_time(p.build_dir() / "Testing/Temporary/LastTest.log",
                                     now + std::chrono::minutes(run + 1));
  }
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  EXPECT_NE(p.morph({"plan", "--why", "Scale.ByTwo"}).out.find("it failed in one of its last 3 runs"),
            std::string::npos);
}

TEST_F(outcomes, recorded_runs_count_as_those_of_the_last_ones) {
  write_report("build/one.xml", "<failure/>", -30);
  write_report("build/two.xml", "", -20);
  write_report("build/three.xml", "", -10);
  EXPECT_EQ(p.morph({"record", "build/one.xml"}).exit, 0);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"failed-recently"});
  EXPECT_EQ(p.morph({"record", "build/two.xml"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan({"--failed-within", "2"}).reasons("Scale.ByTwo"), names{"failed-recently"});
  EXPECT_EQ(p.morph({"record", "build/three.xml"}).exit, 0);
  EXPECT_EQ(p.plan({"--failed-within", "2"}).selected(), names());
  EXPECT_EQ(p.plan({"--failed-within", "3"}).selected(), names{"Scale.ByTwo"});
  EXPECT_EQ(p.plan({"--failed-within", "4"}).selected(), names{"Scale.ByTwo"});

  for (const char* wrong : {"0", "two", "-1", "1.5"}) {
    const finished end = p.morph({"plan", "--failed-within", wrong});
    EXPECT_EQ(end.exit, 2);
    EXPECT_NE(end.err.find(std::string("'") + wrong + "' is no number of runs"), std::string::npos) << end.err;
  }
}

TEST_F(outcomes, a_listing_forgets_no_failure) {
  plant_a_failure();
  p.ctest({"-N"});
  p.ctest({"--show-only=json-v1"});
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
}

TEST_F(outcomes, a_plan_does_not_write_the_store) {
  plant_a_failure();
  const std::string before = read_bytes(p.store());
  p.plan();
  p.ctest({"-L", "morph"});
  EXPECT_EQ(read_bytes(p.store()), before);
}

TEST_F(outcomes, a_recorded_failure_outlives_a_run_of_other_tests) {
  plant_a_failure();
  const finished record = p.morph({"record"});
  EXPECT_EQ(record.exit, 0) << record.err;
  EXPECT_EQ(record.out, "recorded 2 verdicts, 1 of them failures\n");
  EXPECT_EQ(p.ctest({"-R", "^Area"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(outcomes, a_failure_in_a_junit_report_counts_once_it_is_recorded) {
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.build();
  const std::string report = (p.build_dir() / "report.xml").string();
  EXPECT_EQ(p.ctest({"--output-junit", report}).exit, 8);
  p.git({"checkout", "--", "src/scale.cpp"});
  p.build();
  p.remove("build/Testing");
  EXPECT_EQ(p.plan().selected(), names());

  EXPECT_EQ(p.morph({"record", report}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"failed-recently"});
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(outcomes, a_test_that_failed_while_it_was_measured_stays_selected_until_it_passes) {
  measure_a_failing_test();
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  // What follows the failed assertion may not have run; ctest has not failed yet.
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"incomplete-evidence"});
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"Scale.ByTwo"});
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});

  p.replace("tests/shapes_test.cpp", "EXPECT_EQ(scale(2), 5);", "EXPECT_EQ(4, scale(2));");
  p.commit();
  p.build();
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), (names{"failed-recently", "incomplete-evidence", "changed-test"}));
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), (names{"incomplete-evidence", "changed-test"}));
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(outcomes, googletests_own_report_counts_for_the_tests_of_ctest) {
  p.replace("CMakeLists.txt", "DATA data/*.txt)", "DATA data/*.txt TEST_PREFIX geo.)");
  p.configure();
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.build();
  p.run({(p.build_dir() / "shapes_tests").string(), "--gtest_output=xml:build/gtest.xml"});
  const finished end = p.morph({"record", "build/gtest.xml"});
  EXPECT_EQ(end.out, "recorded 5 verdicts, 1 of them failures\n") << end.err;
  const names why = p.plan().reasons("geo.Scale.ByTwo");
  EXPECT_EQ(why.front(), "failed-recently");
}

TEST_F(outcomes, a_report_that_is_recorded_twice_adds_nothing) {
  write_report("build/report.xml", "<failure/>");
  EXPECT_EQ(p.morph({"record", "build/report.xml"}).out, "recorded 1 verdict, 1 of them failures\n");
  const finished again = p.morph({"record", "build/report.xml", "--json"});
  const auto json = nlohmann::json::parse(again.out);
  EXPECT_EQ(json["schema"], "morph.record/1");
  EXPECT_EQ(json["recorded"], 1);
  EXPECT_EQ(json["new"], 0);
  EXPECT_EQ(json["failed"], 1);
  EXPECT_EQ(json["flaky"], nlohmann::json::array());
}

TEST_F(outcomes, a_verdict_that_changes_without_a_change_is_flaky) {
  write_report("build/one.xml", "<failure/>");
  write_report("build/two.xml", "", 1);
  EXPECT_EQ(p.morph({"record", "build/one.xml"}).exit, 0);
  EXPECT_EQ(p.plan().marks("Scale.ByTwo"), names());
  const finished end = p.morph({"record", "build/two.xml"});
  EXPECT_EQ(
      end.out,
      "recorded 1 verdict, 0 of them failures\nflaky, they passed and failed on the same content: 'Scale.ByTwo'\n");
  EXPECT_EQ(p.plan().marks("Scale.ByTwo"), names{"flaky"});
  EXPECT_EQ(p.plan().selected(), names());  // it passed the last time

  write_report("build/three.xml", "<failure/>", 2);
  EXPECT_EQ(p.morph({"record", "build/three.xml"}).exit, 0);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"failed-recently"});
  EXPECT_NE(p.morph({"plan"}).out.find("failed-recently  [flaky]"), std::string::npos);
  EXPECT_NE(p.morph({"plan", "--why", "Scale.ByTwo"}).out.find("  flaky: it passed and failed on the same content"),
            std::string::npos);
}

TEST_F(outcomes, a_verdict_that_changes_with_a_change_is_not_flaky) {
  write_report("build/one.xml", "<failure/>");
  EXPECT_EQ(p.morph({"record", "build/one.xml"}).exit, 0);
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  write_report("build/two.xml", "", 1);
  EXPECT_EQ(p.morph({"record", "build/two.xml"}).exit, 0);
  EXPECT_EQ(p.plan().marks("Scale.ByTwo"), names());
}

TEST_F(outcomes, a_report_older_than_the_work_tree_is_not_judged) {
  write_report("build/one.xml", "<failure/>", -86400);
  write_report("build/two.xml", "");
  EXPECT_EQ(p.morph({"record", "build/one.xml", "build/two.xml"}).exit, 0);
  EXPECT_EQ(p.plan().marks("Scale.ByTwo"), names());
}

TEST_F(outcomes, a_test_that_was_tried_again_is_flaky_and_stays_selected) {
  p.write(
      "build/report.xml",
      "<testsuite><testcase name=\"Scale.ByTwo\"><failure/></testcase><testcase name=\"Scale.ByTwo\"/></testsuite>");
  EXPECT_EQ(p.morph({"record", "build/report.xml"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names{"Scale.ByTwo"});
  EXPECT_EQ(p.plan().marks("Scale.ByTwo"), names{"flaky"});
}

TEST_F(outcomes, one_bad_report_among_several_means_that_nothing_is_recorded) {
  write_report("build/good.xml", "<failure/>");
  p.write("build/bad.xml", "<testsuite><testcase name=");
  p.write("build/empty.xml", "");
  const std::string before = read_bytes(p.store());
  for (const char* bad : {"build/bad.xml", "build/empty.xml", "build/absent.xml"}) {
    const finished end = p.morph({"record", "build/good.xml", bad});
    EXPECT_EQ(end.exit, 3);
    EXPECT_NE(end.err.find(bad), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("; nothing was recorded"), std::string::npos) << end.err;
  }
  EXPECT_EQ(read_bytes(p.store()), before);
}

TEST_F(outcomes, names_that_no_test_has_are_told) {
  p.write("build/report.xml", "<testsuite><testcase name=\"test_b\" classname=\"tests.test_a\"/></testsuite>");
  const finished end = p.morph({"record", "build/report.xml"});
  EXPECT_EQ(end.exit, 0);
  EXPECT_NE(end.err.find("no test of this build tree has these names: 'tests.test_a.test_b'"), std::string::npos)
      << end.err;
}

TEST_F(outcomes, recording_without_any_run_says_so) {
  const finished end = p.morph({"record"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("run ctest first"), std::string::npos) << end.err;
}

TEST_F(outcomes, a_report_that_is_not_junit_is_refused) {
  p.write("report.xml", "<html></html>\n");
  const finished html = p.morph({"record", "report.xml"});
  EXPECT_EQ(html.exit, 3);
  EXPECT_NE(html.err.find("'report.xml' is not a JUnit report: its root is <html>"), std::string::npos) << html.err;
  const finished absent = p.morph({"record", "absent.xml"});
  EXPECT_EQ(absent.exit, 3);
  EXPECT_NE(absent.err.find("absent.xml"), std::string::npos) << absent.err;
}

}  // namespace
}  // namespace morph::end_to_end
