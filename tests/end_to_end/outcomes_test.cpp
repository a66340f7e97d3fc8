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
  // What follows the failed assertion may not have run.
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), (names{"failed-recently", "incomplete-evidence"}));
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
