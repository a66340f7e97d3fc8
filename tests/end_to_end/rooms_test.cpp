// Several suites, code before the first test, tests with unusual ends, programs that do not list their tests.
#include "rooms.hpp"

#include <algorithm>
#include <set>

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

using before_tests = rooms_test;

/// The selected tests of one suite.
names selected_in(const plan_view& plan, const std::string& suite) {
  names result;
  for (const auto& t : plan.json.at("tests"))
    if (t.at("suite") == suite && t.at("selected").get<bool>()) result.push_back(t.at("name"));
  return sorted(std::move(result));
}

TEST_F(before_tests, code_that_ran_before_the_first_test_affects_all_tests_of_its_program) {
  p.replace("startup.cpp", "return 7;", "return 3 + 4;");
  const plan_view plan = p.plan();
  EXPECT_EQ(selected_in(plan, "startup"), (names{"Other.IsOther", "Table.IsMadeOnce", "Table.IsStillThere"}));
  EXPECT_EQ(plan.reasons("Other.IsOther"), names{"changed-code:startup.cpp:4"});
  EXPECT_EQ(selected_in(plan, "mood"), names());
}

TEST_F(before_tests, what_a_function_local_static_ran_affects_every_test_that_uses_it) {
  p.replace("startup.cpp", "return 5;", "return 2 + 3;");
  EXPECT_EQ(selected_in(p.plan(), "startup"), (names{"Table.IsMadeOnce", "Table.IsStillThere"}));
}

TEST_F(before_tests, code_that_ran_in_tests_only_affects_these) {
  p.replace("startup.cpp", "return 3;", "return 1 + 2;");
  EXPECT_EQ(selected_in(p.plan(), "startup"), names{"Other.IsOther"});
}

TEST_F(before_tests, a_registration_that_is_added_does_not_affect_all_tests) {
  p.write("startup_test.cpp", p.read("startup_test.cpp") + "TEST(Table, IsNew) {\n  EXPECT_EQ(table(), 5);\n}\n");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Table.IsNew"), names{"new"});
  EXPECT_EQ(plan.reasons("Table.IsMadeOnce"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("Table.IsStillThere"), names{"unaffected"});
}

// ---- endings

using endings = rooms_test;

TEST_F(endings, what_was_not_recorded_in_full_is_always_selected) {
  fs::remove_all(p.build_dir() / "Testing");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.suite_state("endings"), "affected");
  EXPECT_EQ(plan.suite_state("startup"), "unchanged-proven");
  names expected = unusual_endings;
  expected.push_back("Ends.WithAFailure");
  EXPECT_EQ(selected_in(plan, "endings"), sorted(expected));
  // A failure of measuring is none of ctest.
  for (const std::string& name : expected) EXPECT_EQ(plan.reasons(name), names{"incomplete-evidence"}) << name;
  EXPECT_EQ(plan.marks("Ends.ByCrash"), names{"crashed"});
  EXPECT_EQ(plan.reasons("Ends.Well"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("Ends.WellAgain"), names{"unaffected"});
}

TEST_F(endings, tests_after_an_unusual_end_have_their_own_evidence) {
  p.replace("sub/room.cpp", "return doors - 1;", "return -1 + doors;");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Ends.WellAgain"), names{"changed-code:sub/room.cpp:6"});
  EXPECT_EQ(plan.reasons("Ends.Well"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("Mood.IsGood"), names{"unaffected"});
}

TEST_F(endings, what_other_processes_and_loaded_objects_execute_is_their_tests_own) {
  p.replace("sub/room.cpp", "return doors - 1;", "return -1 + doors;");
  for (const char* name : {"Ends.ByFork", "Ends.ByAnotherProgram"})
    EXPECT_EQ(p.plan().reasons(name), names{"changed-code:sub/room.cpp:6"}) << name;
  EXPECT_EQ(p.plan().reasons("Ends.ByLoadingAnObject"), names{"unaffected"});
  p.replace("sub/room.cpp", "return -1 + doors;", "return doors - 1;");
  p.replace("sub/extension.cpp", "return 1;", "return 2 - 1;");
  EXPECT_EQ(p.plan().reasons("Ends.ByLoadingAnObject"), names{"changed-code:sub/extension.cpp:2"});
  EXPECT_EQ(p.plan().reasons("Ends.ByFork"), names{"unaffected"});
}

TEST_F(endings, one_change_can_affect_several_suites) {
  p.replace("sub/room.cpp", "return doors + 1;", "return 1 + doors;");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Mood.IsGood"), names{"changed-code:sub/room.cpp:2"});
  EXPECT_EQ(plan.reasons("Ends.Well"), names{"changed-code:sub/room.cpp:2"});
  EXPECT_EQ(plan.reasons("Mood.IsNoRoom"), names{"unaffected"});
  EXPECT_EQ(selected_in(plan, "startup"), names());
}

TEST_F(endings, a_measurement_counts_them) {
  const finished end = p.try_measure({"--fresh", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["tests"], 15);
  EXPECT_EQ(said["measured"], 15);
  EXPECT_EQ(said["incomplete"], 5);
  EXPECT_EQ(said["failed"], 4);
  const auto info = nlohmann::json::parse(p.morph({"store", "info", "--json"}).out);
  EXPECT_EQ(info["measurements"][0]["incomplete"], 5);
  EXPECT_EQ(info["measurements"][0]["complete"], true);
}

TEST_F(endings, a_test_that_exits_with_status_zero_passes_for_ctest_and_has_failed_for_the_measurement) {
  fs::remove_all(p.build_dir() / "Testing");
  names by_measurement;
  for (const std::string& name : selected_in(p.plan(), "endings"))
    if (failed_when_measured(p, name)) by_measurement.push_back(name);
  EXPECT_EQ(by_measurement, (names{"Ends.ByCrash", "Ends.ByExitStatusZero", "Ends.ByTimeLimit", "Ends.WithAFailure"}));
  const names by_ctest = failed(p.ctest({"-L", "^endings$", "-LE", "^deferred$"}).out);
  EXPECT_EQ(sorted(by_ctest), (names{"Ends.ByCrash", "Ends.ByTimeLimit", "Ends.WithAFailure"}));
}

TEST_F(endings, mean_the_same_in_a_process_that_has_one_test_from_its_start) {
  const finished end = p.try_measure({"--fresh", "--isolation", "process", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(nlohmann::json::parse(end.out)["failed"], 4);
  fs::remove_all(p.build_dir() / "Testing");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Ends.ByExitStatusZero"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.reasons("Ends.Well"), names{"unaffected"});
  EXPECT_EQ(plan.reasons("Ends.BySkipping"), names{"incomplete-evidence"});
}

// ---- suites

using suites = rooms_test;

TEST_F(suites, all_tests_of_the_build_tree_are_in_one_order) {
  p.set_variable("MORPH_POLICY", "all");
  const plan_view plan = p.plan();
  const names order = plan.in_order();  // throws if a rank is given twice
  EXPECT_EQ(order.size(), 15U);
  EXPECT_EQ(plan.json["suites"].size(), 3U);
  std::set<int> ranks;
  for (const auto& t : plan.json["tests"]) ranks.insert(t["rank"].get<int>());
  EXPECT_EQ(*ranks.begin(), 1);
  EXPECT_EQ(*ranks.rbegin(), 15);
}

TEST_F(suites, ctest_starts_them_in_that_order) {
  p.replace("sub/room.cpp", "return doors + 1;", "return 1 + doors;");
  p.replace("startup.cpp", "return 3;", "return 1 + 2;");
  names expected = p.plan().in_order();
  std::erase_if(expected, [](const std::string& name) { return name == "Ends.ByTimeLimit"; });
  names order = started(p.ctest({"-L", "morph", "-E", "ByTimeLimit"}).out);
  ASSERT_GT(order.size(), 3U);
  EXPECT_EQ(sorted({order[0], order[1], order[2]}), (names{"endings.plan", "mood.plan", "startup.plan"}));
  order.erase(order.begin(), order.begin() + 3);
  EXPECT_EQ(order, expected);
}

TEST_F(suites, ctest_in_a_folder_runs_the_suites_of_that_folder) {
  p.replace("sub/room.cpp", "return doors + 1;", "return 1 + doors;");
  const finished end = p.ctest({"-N", "-L", "morph"}, "build/sub");
  EXPECT_EQ(end.exit, 0);
  EXPECT_EQ(end.err, "");
  const names found = listed(end.out);
  EXPECT_EQ(std::count(found.begin(), found.end(), "Mood.IsGood"), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), "Ends.Well"), 1);
  EXPECT_EQ(std::count(found.begin(), found.end(), "startup.plan"), 0);
}

TEST_F(suites, a_failure_in_a_folder_counts_in_the_whole_tree) {
  // ctest in a folder keeps its log there.
  p.replace("sub/room.cpp", "return doors + 1;", "return doors + 2;");
  p.build();
  ASSERT_EQ(failed(p.ctest({"-R", "^Mood"}, "build/sub").out), names{"Mood.IsGood"});
  p.git({"checkout", "--", "sub/room.cpp"});
  p.build();
  EXPECT_EQ(p.plan().reasons("Mood.IsGood"), names{"failed-recently"});
}

TEST_F(suites, a_plan_of_one_suite_has_its_tests_only) {
  const plan_view plan = p.plan({"--suite", "startup"});
  EXPECT_EQ(plan.json["suites"].size(), 1U);
  EXPECT_EQ(plan.json["tests"].size(), 3U);
  EXPECT_EQ(plan.json["totals"]["total"], 3);
}

TEST_F(suites, a_new_suite_has_no_measurement_and_the_others_keep_theirs) {
  p.write("sub/CMakeLists.txt",
          p.read("sub/CMakeLists.txt") + "morph_add_suite(more TARGET moody_tests TEST_PREFIX more.)\n");
  p.configure();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.suite_state("more"), "unmeasured-ran-all");
  EXPECT_EQ(plan.reasons("more.Mood.IsGood"), names{"unmeasured"});
  EXPECT_EQ(plan.suite_state("mood"), "affected");
  EXPECT_EQ(plan.reasons("Mood.IsGood"), names{"unaffected"});
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
}

TEST_F(suites, two_tests_of_one_name_are_both_selected_and_a_line_proposes_a_prefix) {
  p.write("sub/CMakeLists.txt", p.read("sub/CMakeLists.txt") + "morph_add_suite(twice TARGET moody_tests)\n");
  p.commit();
  p.configure();
  p.build();
  p.measure();
  const plan_view plan = p.plan();
  const std::string note =
      "'Mood.IsGood' and 1 more test names occur in both 'mood' (moody_tests) and 'twice' (moody_tests); ctest cannot "
      "tell them apart, they always run. Give one suite a TEST_PREFIX";
  EXPECT_EQ(plan.notes(), names{note});
  EXPECT_EQ(selected_in(plan, "mood"), (names{"Mood.IsGood", "Mood.IsNoRoom"}));
  EXPECT_EQ(selected_in(plan, "twice"), (names{"Mood.IsGood", "Mood.IsNoRoom"}));
  EXPECT_EQ(plan.reasons("Mood.IsNoRoom"), names{"always"});
  for (const auto& t : plan.json["tests"])
    EXPECT_EQ(t["marks"] == names{"duplicate-name"}, t["case"].get<std::string>().starts_with("Mood.")) << t;

  const finished end = p.ctest({"-N", "-L", "morph"});
  EXPECT_NE(end.err.find(note), std::string::npos) << end.err;
  const names found = listed(end.out);
  EXPECT_EQ(std::count(found.begin(), found.end(), "Mood.IsNoRoom"), 2);
}

// ---- programs that do not list their tests

class listings : public rooms_test {
 protected:
  /// The suite `mood` runs as a whole, the others as planned.
  void one_suite_falls_back(const std::string& why) {
    fs::remove_all(p.build_dir() / ".morph" / "listing");
    const plan_view plan = p.plan();
    EXPECT_EQ(p.morph({"plan"}).exit, 3);
    EXPECT_EQ(plan.state(), "unmeasured-ran-all");
    EXPECT_EQ(plan.suite_state("mood"), "unmeasured-ran-all");
    EXPECT_EQ(plan.suite_state("startup"), "affected");  // the variable has another value now, but not for its tests
    EXPECT_EQ(selected_in(plan, "startup"), names());
    ASSERT_EQ(plan.notes().size(), 1U);
    EXPECT_NE(plan.notes()[0].find(why), std::string::npos) << plan.notes()[0];

    const finished end = p.ctest({"-L", "morph", "-R", "^(mood|startup|Table|Other|Mood)"});
    EXPECT_EQ(end.exit, 0) << end.both();
    EXPECT_EQ(sorted(started(end.out)), (names{"mood.all", "mood.plan", "startup.plan"}));
    EXPECT_EQ(end.err, "morph: " + plan.notes()[0] + "\n");
  }
};

TEST_F(listings, a_program_that_crashes_falls_back_alone) {
  p.set_variable("MOOD", "crashes");
  one_suite_falls_back("--gtest_list_tests': killed by signal 6 (Aborted); the suite runs as a whole");
}

TEST_F(listings, a_program_that_hangs_falls_back_alone) {
  p.set_variable("MOOD", "hangs");
  one_suite_falls_back(
      "--gtest_list_tests': timed out after 1 s; give the suite a longer DISCOVERY_TIMEOUT; the suite runs as a whole");
}

TEST_F(listings, a_program_that_cannot_be_listed_does_not_keep_the_others_from_being_measured) {
  fs::remove(p.store());
  p.set_variable("MOOD", "crashes");
  fs::remove_all(p.build_dir() / "morph-twin" / "coverage" / ".morph" / "listing");
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("killed by signal 6 (Aborted)"), std::string::npos) << end.err;
  const auto info = nlohmann::json::parse(p.morph({"store", "info", "--json"}).out);
  ASSERT_EQ(info["measurements"].size(), 1U);
  EXPECT_EQ(info["measurements"][0]["measured"], 13);
  EXPECT_EQ(info["measurements"][0]["complete"], false);
  p.unset_variable("MOOD");
  EXPECT_EQ(selected_in(p.plan(), "startup"), names());
  EXPECT_EQ(p.plan().reasons("Mood.IsGood"), names{"unmeasured"});

  EXPECT_EQ(p.try_measure().exit, 0);
  EXPECT_EQ(p.plan().reasons("Mood.IsGood"), names{"unaffected"});
}

TEST_F(listings, a_listing_is_kept_as_long_as_the_program_is_the_same) {
  p.plan();
  p.set_variable("MOOD", "crashes");
  EXPECT_EQ(p.morph({"plan"}).exit, 0);
}

}  // namespace
}  // namespace morph::end_to_end
