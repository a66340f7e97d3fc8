// morph plan --audit: runs of all tests, compared with the plan.
#include <fmt/format.h>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class audit : public shapes_test {
 protected:
  /// A test that reads a file of which the measurement knows nothing.
  void measure_what_is_read_in_secret() const {
    p.write("tests/shapes_test.cpp",
            p.read("tests/shapes_test.cpp") +
                fmt::format("#include <fstream>\nTEST(Notes, BeginWithAnN) {{\n  std::ifstream in(\"{}\");\n"
                            "  EXPECT_EQ(in.get(), 'N');\n}}\n",
                            (p.root() / "notes.md").string()));
    p.commit("a test that reads");
    p.build();
    ASSERT_EQ(p.try_measure({"--ignore-files"}).exit, 0);
  }
  finished run_audit(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), {"plan", "--audit"});
    return p.morph(arguments);
  }
};

TEST_F(audit, of_failures_that_the_plan_has_finds_none) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  p.commit();
  p.build();
  EXPECT_EQ(sorted(failed(p.ctest().out)), area_tests);
  const finished end = run_audit({"--json"});
  EXPECT_EQ(end.exit, 0) << end.both();
  const json said = json::parse(end.out);
  EXPECT_EQ(said["schema"], "morph.audit/1");
  EXPECT_EQ(said["run"]["full"], true);
  EXPECT_EQ(said["run"]["tests"], 5);
  EXPECT_EQ(said["run"]["selected"], 2);
  EXPECT_EQ(said["run"]["failed"], 2);
  EXPECT_EQ(said["run"]["recall"], 1.0);
  EXPECT_EQ(said["history"]["runs"], 1);
  EXPECT_EQ(said["history"]["missed"], 0);
  EXPECT_DOUBLE_EQ(said["history"]["selected_share"], 0.4);
  EXPECT_EQ(json::parse(p.morph({"store", "history", "--json"}).out)["audits"][0]["failed"], 2);
  // What the run has left makes no difference, once and again.
  p.morph({"record"});
  EXPECT_EQ(json::parse(run_audit({"--json"}).out), said);
}

TEST_F(audit, what_a_budget_left_out_is_no_miss) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  p.commit();
  p.build();
  EXPECT_EQ(sorted(failed(p.ctest().out)), area_tests);
  const finished end = run_audit({"--budget", "0", "--json"});
  EXPECT_EQ(end.exit, 0) << end.both();
  const json run = json::parse(end.out)["run"];
  EXPECT_EQ(run["deferred"], area_tests);
  EXPECT_EQ(run["missed"], json::array());
  EXPECT_EQ(run["failed"], 2);
}

TEST_F(audit, a_miss_is_a_finding_with_a_report) {
  measure_what_is_read_in_secret();
  p.write("notes.md", "Other notes.\n");
  const std::string head = p.commit();
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(failed(p.ctest().out), names{"Notes.BeginWithAnN"});
  const finished end = run_audit();
  EXPECT_EQ(end.exit, 1) << end.both();
  EXPECT_NE(end.out.find("audit: 1 of 6 tests failed, 1 of them would not have run"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("did not select 'Notes.BeginWithAnN', which failed"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("head: " + head), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("  notes.md -1,1 +1,1\n"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("unaffected: nothing that it executed"), std::string::npos) << end.out;
  EXPECT_NE(end.out.find("the last 1 full run: 1 failure, 1 missed (recall 0.0 %)"), std::string::npos) << end.out;

  // The next run counts too, and the miss stays in the sum.
  p.write("notes.md", "Notes again.\n");
  p.commit();
  EXPECT_EQ(p.ctest().exit, 0);
  const finished next = run_audit({"--json"});
  EXPECT_EQ(next.exit, 0) << next.both();
  EXPECT_EQ(json::parse(next.out)["history"]["runs"], 2);
  EXPECT_EQ(json::parse(next.out)["history"]["missed"], 1);
}

TEST_F(audit, a_run_of_some_tests_is_not_kept) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.build();
  p.ctest({"-L", "morph"});
  const finished end = run_audit();
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.out.find("it was no run of all tests: 3 have no verdict on this content"), std::string::npos)
      << end.out;
  EXPECT_EQ(end.out.find("full run:"), std::string::npos) << end.out;
}

TEST_F(audit, what_ran_before_the_last_change_says_nothing) {
  p.ctest();
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  std::filesystem::last_write_time(p.root() / "src/area.cpp",
                                   std::filesystem::file_time_type::clock::now() + std::chrono::seconds(5));
  const finished end = run_audit();
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("no verdicts on the present content"), std::string::npos) << end.err;
}

TEST_F(audit, reads_reports) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  p.commit();
  p.build();
  p.ctest({"--output-junit", "report.xml"});
  std::filesystem::remove_all(p.build_dir() / "Testing");
  const finished end = run_audit({"--json", "--junit", (p.build_dir() / "report.xml").string()});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(json::parse(end.out)["run"]["full"], true) << end.out;
  EXPECT_EQ(json::parse(end.out)["run"]["failed"], 2);
}

}  // namespace
}  // namespace morph::end_to_end
