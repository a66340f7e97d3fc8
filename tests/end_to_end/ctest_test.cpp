// What ctest runs, in which order, and what its options make of it.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

class under_ctest : public shapes_test {
 protected:
  void change_area() const { p.replace("src/area.cpp", "width * height", "height * width"); }
};

const names every_entry{"geometry.plan",      "Area.OfSquare", "Area.OfStrip",
                        "Perimeter.OfSquare", "Scale.ByTwo",   "Scale.ByZero"};

TEST_F(under_ctest, the_label_runs_the_affected_tests_and_the_note) {
  change_area();
  const std::string base = p.git({"rev-parse", "HEAD"}).substr(0, 10);
  p.commit();
  p.build();
  const finished end = p.ctest({"-L", "^morph$", "-V"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
  EXPECT_EQ(started(end.out).front(), "geometry.plan");
  EXPECT_NE(end.out.find("2 of 5 tests selected (affected); baseline " + base + ", 1 commit back"), std::string::npos)
      << end.out;
  EXPECT_EQ(end.err, "");
}

TEST_F(under_ctest, the_label_morph_unanchored_runs_the_same) {
  change_area();
  EXPECT_EQ(sorted(listed(p.ctest({"-L", "morph", "-N"}).out)),
            (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

TEST_F(under_ctest, ctest_without_a_label_runs_everything) {
  change_area();
  const finished end = p.ctest();
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), sorted(every_entry));
}

TEST_F(under_ctest, an_unchanged_project_has_nothing_to_run_and_that_is_no_error) {
  const finished end = p.ctest({"-L", "morph", "--no-tests=error"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(started(end.out), names{"geometry.plan"});
}

TEST_F(under_ctest, tests_are_listed_in_their_declared_order_whatever_the_plan) {
  EXPECT_EQ(listed(p.ctest({"-N"}).out), every_entry);
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  EXPECT_EQ(listed(p.ctest({"-N"}).out), every_entry);
}

TEST_F(under_ctest, tests_start_in_the_order_of_their_ranks) {
  p.replace("src/shapes.hpp", "CORNERS 4", "CORNERS 5");
  names expected = p.plan().in_order();
  ASSERT_EQ(sorted(expected), all_shapes);
  expected.insert(expected.begin(), "geometry.plan");
  EXPECT_EQ(started(p.ctest({"-L", "morph"}).out), expected);
}

TEST_F(under_ctest, deferred_tests_start_after_the_selected_ones) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const names order = started(p.ctest().out);
  ASSERT_EQ(order.size(), 6U);
  EXPECT_EQ(sorted({order[1], order[2]}), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(under_ctest, a_test_that_failed_starts_first) {
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.build();
  ASSERT_EQ(failed(p.ctest().out), names{"Scale.ByTwo"});
  p.replace("src/shapes.hpp", "CORNERS 4", "CORNERS 5");
  const names order = started(p.ctest({"-L", "morph"}).out);
  ASSERT_EQ(order.size(), 6U);
  EXPECT_EQ(order[1], "Scale.ByTwo");
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo").front(), "failed-recently");
}

TEST_F(under_ctest, parallel_runs_run_the_same_tests) {
  change_area();
  const finished end = p.ctest({"-L", "morph", "-j2"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

TEST_F(under_ctest, rerun_failed_runs_what_failed) {
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.build();
  const finished first = p.ctest({"-L", "morph"});
  EXPECT_EQ(first.exit, 8);
  EXPECT_EQ(failed(first.out), names{"Scale.ByTwo"});
  EXPECT_EQ(started(p.ctest({"--rerun-failed"}).out), names{"Scale.ByTwo"});
}

TEST_F(under_ctest, the_exclusive_label_runs_what_is_deferred) {
  change_area();
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^deferred$"}).out),
            (names{"Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(listed(p.ctest({"-N", "-L", "^geometry$"}).out), every_entry);
}

names labels_of(const nlohmann::json& test) {
  for (const auto& property : test.at("properties"))
    if (property.at("name") == "LABELS") return property.at("value");
  return {};
}

TEST_F(under_ctest, the_json_listing_is_json) {
  change_area();
  const finished end = p.ctest({"--show-only=json-v1"});
  EXPECT_EQ(end.exit, 0);
  const auto listing = nlohmann::json::parse(end.out);
  names found;
  for (const auto& test : listing.at("tests")) {
    found.push_back(test.at("name"));
    const bool runs = found.back() == "geometry.plan" || found.back().starts_with("Area.");
    EXPECT_EQ(labels_of(test), sorted({"geometry", runs ? "morph" : "deferred"})) << found.back();
  }
  EXPECT_EQ(found, every_entry);
}

TEST_F(under_ctest, the_json_listing_is_json_when_the_plan_has_something_to_say) {
  std::filesystem::remove(p.store());
  const finished end = p.ctest({"--show-only=json-v1"});
  EXPECT_NE(end.err.find("morph: everything runs: nothing was measured yet"), std::string::npos) << end.err;
  EXPECT_EQ(nlohmann::json::parse(end.out).at("tests").size(), 6U);
}

TEST_F(under_ctest, the_json_listing_is_json_when_there_is_no_plan) {
  p.plan();
  p.set_variable("MORPH_POLICY", "nonsense");
  const finished end = p.ctest({"--show-only=json-v1"});
  EXPECT_NE(end.err.find("Morph has no plan"), std::string::npos) << end.err;
  EXPECT_EQ(nlohmann::json::parse(end.out).at("tests").size(), 5U);
}

TEST_F(under_ctest, a_junit_report_has_the_selected_tests) {
  change_area();
  const std::string report = (p.root() / "build" / "report.xml").string();
  EXPECT_EQ(p.ctest({"-L", "morph", "--output-junit", report}).exit, 0);
  const std::string xml = read_bytes(report);
  EXPECT_NE(xml.find("<testcase name=\"Area.OfStrip\""), std::string::npos);
  EXPECT_NE(xml.find("tests=\"3\""), std::string::npos) << xml;
  EXPECT_EQ(xml.find("Scale.ByTwo"), std::string::npos);
}

TEST_F(under_ctest, without_a_measurement_everything_runs_and_one_line_says_why) {
  std::filesystem::remove(p.store());
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), sorted(every_entry));
  EXPECT_EQ(end.err, "morph: everything runs: nothing was measured yet; run `cmake --build " + p.build_dir().string() +
                         " --target morph-measure`\n");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.json["base"], nullptr);
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"unmeasured"});
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_EQ("morph: " + plan.notes()[0] + "\n", end.err);
}

TEST_F(under_ctest, a_program_that_is_not_built_is_a_failing_entry) {
  std::filesystem::remove(p.build_dir() / "shapes_tests");
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 8);
  EXPECT_EQ(sorted(started(end.out)), (names{"geometry.plan", "geometry_NOT_BUILT"}));
}

TEST_F(under_ctest, a_selected_test_brings_its_fixtures) {
  redeclare("DATA data/*.txt)",
            "DATA data/*.txt PROPERTIES FIXTURES_REQUIRED table)\n"
            "add_test(NAME lay_the_table COMMAND ${CMAKE_COMMAND} -E true)\n"
            "set_tests_properties(lay_the_table PROPERTIES FIXTURES_SETUP table)");
  change_area();
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(sorted(started(p.ctest({"-L", "morph"}).out)),
            (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan", "lay_the_table"}));
}

TEST_F(under_ctest, two_ctests_at_once_see_the_same_plan) {
  change_area();
  const std::vector<std::string> command{"ctest", "--test-dir", p.build_dir().string(), "-N", "-L", "morph"};
  running one(command, p.root(), p.environment()), two(command, p.root(), p.environment());
  const finished first = one.wait(), second = two.wait();
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(sorted(listed(first.out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

TEST_F(under_ctest, the_target_morph_measure_measures) {
  change_area();
  p.commit();
  p.build();
  const finished end = p.run({"cmake", "--build", p.build_dir().string(), "--target", "morph-measure"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().json["base"]["distance"], 0);
}

}  // namespace
}  // namespace morph::end_to_end
