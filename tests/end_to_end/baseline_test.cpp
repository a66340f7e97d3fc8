// Which measurement a plan starts from; policies, budgets, and what a measurement says of itself.
#include <fmt/format.h>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

class baseline : public shapes_test {
 protected:
  void change_area() const { p.replace("src/area.cpp", "width * height", "height * width"); }
  nlohmann::json store_info() const { return nlohmann::json::parse(p.morph({"store", "info", "--json"}).out); }
};

TEST_F(baseline, measured_content_is_not_measured_again) {
  const std::string before = read_bytes(p.store());
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 0);
  EXPECT_EQ(end.out, "commit " + p.git({"rev-parse", "HEAD"}).substr(0, 10) +
                         " is already measured: 5 tests; --fresh measures it once more\n");
  EXPECT_TRUE(read_bytes(p.store()) == before);
}

TEST_F(baseline, the_same_content_under_another_commit_is_already_measured) {
  p.git({"commit", "--quiet", "--amend", "--message", "another beginning"});
  EXPECT_NE(p.try_measure().out.find("is already measured"), std::string::npos);
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(baseline, a_measurement_says_what_it_did_in_json) {
  const finished end = p.try_measure({"--fresh", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  auto said = nlohmann::json::parse(end.out);
  EXPECT_EQ(said["schema"], "morph.measure/1");
  EXPECT_EQ(said["commit"], p.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(said["dirty"], false);
  EXPECT_EQ(said["tests"], 5);
  EXPECT_EQ(said["measured"], 5);
  EXPECT_EQ(said["failed"], 0);
  EXPECT_EQ(said["incomplete"], 0);
}

TEST_F(baseline, a_store_says_what_it_holds) {
  const auto info = store_info();
  ASSERT_EQ(info["measurements"].size(), 1U);
  const auto& m = info["measurements"][0];
  EXPECT_EQ(m["commit"], p.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(m["complete"], true);
  EXPECT_EQ(m["dirty"], false);
  EXPECT_EQ(m["tests"], 5);
  EXPECT_EQ(m["measured"], 5);
  EXPECT_EQ(m["incomplete"], 0);
}

TEST_F(baseline, a_newer_measurement_is_nearer) {
  change_area();
  const std::string second = p.commit();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(p.plan().json["base"], (nlohmann::json{{"commit", second}, {"distance", 1}, {"days", 0}}));
  EXPECT_EQ(store_info()["measurements"].size(), 2U);
}

TEST_F(baseline, MORPH_BASE_looks_from_another_revision) {
  const std::string first = p.git({"rev-parse", "HEAD"});
  change_area();
  p.commit();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.set_variable("MORPH_BASE", first);
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().json["base"]["commit"], first);
  p.unset_variable("MORPH_BASE");
  EXPECT_EQ(p.plan({"--base", "HEAD~1"}).selected(), area_tests);
}

TEST_F(baseline, a_base_that_does_not_exist_runs_everything) {
  p.set_variable("MORPH_BASE", "no-such-branch");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_NE(plan.notes()[0].find("no-such-branch"), std::string::npos) << plan.notes()[0];
}

TEST_F(baseline, the_other_side_of_a_merge_counts_as_changed) {
  p.git({"checkout", "--quiet", "-b", "side"});
  change_area();
  p.commit("side");
  p.git({"checkout", "--quiet", "main"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit("main");
  p.git({"merge", "--quiet", "--no-edit", "side"});
  EXPECT_EQ(p.plan().selected(), (names{"Area.OfSquare", "Area.OfStrip", "Scale.ByTwo", "Scale.ByZero"}));
}

// ---- a work tree with uncommitted changes

TEST_F(baseline, an_uncommitted_change_can_be_measured) {
  change_area();
  p.build();
  const finished end = p.try_measure();
  ASSERT_EQ(end.exit, 0) << end.err;
  EXPECT_NE(end.out.find(" with uncommitted changes in "), std::string::npos) << end.out;
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_NE(p.try_measure().out.find("is already measured"), std::string::npos);
}

TEST_F(baseline, a_measured_uncommitted_change_that_is_committed_is_known) {
  p.git({"checkout", "--quiet", "-b", "elsewhere"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();  // no clean measurement of this commit
  change_area();
  p.build();
  p.measure();
  p.commit("the measured content");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven");
  EXPECT_EQ(plan.json["base"]["distance"], 1);
}

TEST_F(baseline, a_measured_uncommitted_change_that_is_taken_back_selects_what_ran_it) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  change_area();
  p.build();
  p.measure();
  p.git({"checkout", "--", "src/area.cpp"});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), area_tests);
}

TEST_F(baseline, of_two_measurements_of_a_commit_the_nearer_content_counts) {
  change_area();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.git({"checkout", "--", "src/area.cpp"});
  EXPECT_EQ(p.plan().selected(), area_tests);  // the program that is there was not measured for this content
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(baseline, a_measured_untracked_source_that_is_committed_is_known) {
  p.write("src/circle.hpp", "inline int circle() {\n  return 3;\n}\n");
  p.replace("src/area.cpp", "#include \"shapes.hpp\"", "#include \"shapes.hpp\"\n#include \"circle.hpp\"");
  p.replace("src/area.cpp", "return width * height;", "return width * height + circle() - 3;");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/circle.hpp", "return 3;", "return 1 + 2;");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"changed-code:src/circle.hpp:2"});
}

TEST_F(baseline, a_file_whose_mode_and_content_changed_is_measured_as_it_is) {
  p.write("src/area.cpp", "// One.\n// Two.\n// Three.\n" + p.read("src/area.cpp"));
  std::filesystem::permissions(p.root() / "src/area.cpp", std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  p.build();
  const finished end = p.try_measure();
  ASSERT_EQ(end.exit, 0) << end.err;
  EXPECT_NE(end.out.find(" with uncommitted changes in "), std::string::npos) << end.out;
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_NE(sorted(p.plan().reasons("Area.OfStrip")), names{"unaffected"});
  p.git({"checkout", "--", "src/area.cpp"});
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);  // of the two measurements here the nearer one is the baseline
}

// ---- policies

TEST_F(baseline, the_policy_all_runs_everything_in_the_plans_order) {
  change_area();
  p.set_variable("MORPH_POLICY", "all");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"policy-all"});
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-code:src/area.cpp:5"});
  const names order = plan.in_order();
  EXPECT_TRUE(order.at(0).starts_with("Area.")) << order.at(0);
  EXPECT_EQ(plan.json["suites"][0]["policy"], "all");
  EXPECT_EQ(sorted(listed(p.ctest({"-N", "-L", "morph"}).out)).size(), 6U);
}

TEST_F(baseline, the_trailer_of_a_commit_runs_everything) {
  p.commit("a release\n\nMorph: all");
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"policy-all"});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.commit("Morph: all is only a sentence here");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(baseline, policies_that_are_none_say_so_and_ctest_runs_everything) {
  p.plan();
  for (const char* policy : {"risk=1", "risk=95"}) {
    p.set_variable("MORPH_POLICY", policy);
    const finished end = p.morph({"plan"});
    EXPECT_EQ(end.exit, 2);
    EXPECT_EQ(end.err, std::string("morph: policy '") + policy +
                           "' does not name a probability of detection between 0 and 1; write for example risk=0.95\n");
    const finished run = p.ctest({"-L", "morph", "-N"});
    EXPECT_EQ(run.exit, 0);
    EXPECT_NE(run.err.find("The WHOLE suites run."), std::string::npos) << run.err;
    EXPECT_NE(run.err.find("does not name a probability of detection between 0 and 1; write for example risk=0.95"),
              std::string::npos)
        << run.err;
    EXPECT_EQ(sorted(listed(run.out)), all_shapes);
  }
}

TEST_F(baseline, a_budget_of_nothing_defers_what_it_cannot_hold) {
  change_area();
  p.set_variable("MORPH_BUDGET", "0");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names());
  EXPECT_EQ(plan.reasons("Area.OfStrip"), (names{"changed-code:src/area.cpp:5", "deferred-by-budget"}));
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"unaffected"});
  EXPECT_EQ(plan.test("Area.OfStrip").at("rank"), nullptr);
}

TEST_F(baseline, a_budget_is_filled_and_not_exceeded) {
  p.replace("src/shapes.hpp", "CORNERS 4", "CORNERS 5");
  const plan_view whole = p.plan();
  const auto seconds_of = [&](const names& tests) {
    double sum = 0;
    for (const std::string& test : tests) sum += whole.test(test).at("seconds").get<double>();
    return sum;
  };
  const double budget = 0.6 * seconds_of(whole.selected());
  const plan_view part = p.plan({"--budget", fmt::format("{:.9f}", budget)});
  EXPECT_LE(seconds_of(part.selected()), budget);
  for (const std::string& test : whole.selected()) {
    const bool waits = part.test(test).at("rank").is_null();
    EXPECT_TRUE(!waits || seconds_of(part.selected()) + seconds_of({test}) > budget) << test;
  }
}

TEST_F(baseline, a_large_budget_changes_nothing) {
  change_area();
  p.set_variable("MORPH_BUDGET", "3600");
  EXPECT_EQ(p.plan().selected(), area_tests);
}

TEST_F(baseline, a_budget_that_is_no_number_is_refused) {
  p.set_variable("MORPH_BUDGET", "ten");
  const finished end = p.morph({"plan"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_EQ(end.err, "morph: budget 'ten' is not a number of seconds; write for example 30 or 2.5\n");
}

TEST_F(baseline, ALWAYS_selects_by_the_name_of_the_case) {
  redeclare("DATA data/*.txt", "DATA data/*.txt ALWAYS ^Scale.*Two$ TEST_PREFIX geo.");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("geo.Scale.ByTwo"), names{"always"});
  EXPECT_EQ(plan.test("geo.Scale.ByTwo").at("case"), "Scale.ByTwo");
}

TEST_F(baseline, an_ALWAYS_that_is_no_regular_expression_selects_everything_of_its_suite) {
  p.replace("CMakeLists.txt", "DATA data/*.txt", "DATA data/*.txt ALWAYS \"(\"");
  p.configure();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), all_shapes);
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_EQ(plan.notes()[0], "suite 'geometry': ALWAYS '(' is not a regular expression; its tests all run");
}

// ---- commands

TEST_F(baseline, exit_codes_are_as_documented) {
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "--version"}).exit, 0);
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "--help"}).exit, 0);
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "nonsense"}).exit, 2);
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph"}).exit, 2);
  EXPECT_EQ(p.morph({"plan", "--nonsense"}).exit, 2);
  EXPECT_EQ(p.morph({"plan", "--why", "Nobody.Knows"}).exit, 2);
  EXPECT_EQ(p.morph({"plan", "--suite", "algebra"}).exit, 2);
  EXPECT_EQ(p.morph({"plan"}).exit, 0);
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "plan", "--build", "nowhere"}).exit, 3);
  EXPECT_EQ(p.morph({"doctor"}).exit, 0);
}

TEST_F(baseline, doctor_names_calls_of_what_no_plan_compares) {
  EXPECT_EQ(p.morph({"doctor"}).out.find("not seen"), std::string::npos);
  p.write("src/area.cpp", "#include <ctime>\nlong drawn_at() { return time(nullptr); }\n" + p.read("src/area.cpp"));
  p.build();
  const finished said = p.morph({"doctor"});
  EXPECT_EQ(said.exit, 0) << said.both();
  EXPECT_NE(said.out.find("not seen: the clock  'drawn_at()' in 'libshapes.a(area.cpp.o)' uses time; pass the time in"),
            std::string::npos)
      << said.out;
}

TEST_F(baseline, an_error_is_there_as_json_too) {
  const auto error_of = [&](const finished& end) {
    const auto said = nlohmann::json::parse(end.out);
    EXPECT_EQ(said.at("schema"), "morph.error/1");
    EXPECT_EQ(said.at("exit"), end.exit);
    EXPECT_NE(end.err.find(said.at("errors").at(0).get<std::string>()), std::string::npos) << end.both();
    return said.at("errors").at(0).get<std::string>();
  };
  EXPECT_EQ(error_of(p.morph({"plan", "--suite", "algebra", "--json"})),
            "there is no suite 'algebra'; this build tree has: geometry");
  for (const char* command : {"plan", "measure", "record"})
    EXPECT_NE(error_of(p.run({MORPH_PREFIX "/bin/morph", command, "--build", "nowhere", "--json"})).find("nowhere"),
              std::string::npos)
        << command;
  error_of(p.morph({"plan", "--json", "--nonsense"}));
  error_of(p.run({MORPH_PREFIX "/bin/morph", "store", "inf", "--json"}));
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "plan", "--help", "--json"}).exit, 0);
}

TEST_F(baseline, a_mistyped_command_is_named_and_the_commands_are_listed) {
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "pla", "--json"}).err.substr(0, 52),
            "morph: there is no `morph pla`; there are: measure, ");
  const finished end = p.run({MORPH_PREFIX "/bin/morph", "store", "inf"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_EQ(end.err, "morph: there is no `morph store inf`; there are: info, history, verify, merge, export, gc\n");
}

TEST_F(baseline, why_is_there_as_json_too) {
  change_area();
  const auto why = nlohmann::json::parse(p.morph({"plan", "--why", "Area.OfStrip", "--json"}).out);
  EXPECT_EQ(why.at("schema"), "morph.why/1");
  ASSERT_EQ(why.at("tests").size(), 1U);
  EXPECT_EQ(why.at("tests")[0].at("selected"), true);
  EXPECT_TRUE(
      why.at("tests")[0].at("reasons")[0].at("reason").get<std::string>().starts_with("changed-code:src/area.cpp:"));
  EXPECT_EQ(why.at("base").at("distance"), 0);
}

TEST_F(baseline, a_merge_asks_for_everything_if_what_it_merges_does) {
  p.git({"checkout", "--quiet", "-b", "feature"});
  p.write("README.md", "Shapes.\n");
  p.commit("a text\n\nMorph: all\n");
  p.git({"checkout", "--quiet", "-b", "merged", "main"});
  p.git({"merge", "--quiet", "--no-ff", "--message", "Merge it", "feature"});
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"policy-all"});
  p.git({"checkout", "--quiet", "main"});
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(baseline, the_nearest_build_tree_is_found) {
  change_area();
  for (const char* folder : {".", "src", "build", "build/CMakeFiles"}) {
    const finished end =
        run({MORPH_PREFIX "/bin/morph", "plan", "--format", "names"}, p.root() / folder, p.environment());
    EXPECT_EQ(end.exit, 0) << folder << end.err;
    EXPECT_EQ(end.out.find("Scale"), std::string::npos) << folder;
    EXPECT_NE(end.out.find("Area.OfStrip\n"), std::string::npos) << folder;
  }
}

TEST_F(baseline, the_filter_for_GoogleTest_runs_the_selected_tests) {
  change_area();
  p.build();
  std::string filter = p.morph({"plan", "--format", "gtest-filter"}).out;
  filter.pop_back();
  const finished end = p.run({(p.build_dir() / "shapes_tests").string(), filter});
  EXPECT_EQ(end.exit, 0);
  EXPECT_NE(end.out.find("2 tests from 1 test suite ran."), std::string::npos) << end.out;
}

TEST_F(baseline, init_ignores_the_store_once) {
  p.write(".gitignore", "build*/");
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "init"}).exit, 0);
  EXPECT_EQ(p.read(".gitignore"), "build*/");
  p.commit();
  const finished first = p.run({MORPH_PREFIX "/bin/morph", "init", "--write"});
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(p.read(".gitignore"), "build*/\n.morph/\n");
  p.commit();
  EXPECT_EQ(p.run({MORPH_PREFIX "/bin/morph", "init", "--write"}).exit, 0);
  EXPECT_EQ(p.read(".gitignore"), "build*/\n.morph/\n");
}

TEST_F(baseline, plans_at_once_agree) {
  change_area();
  std::filesystem::remove_all(p.build_dir() / ".morph" / "listing");
  const auto command = p.morph_command({"plan", "--json"});
  running one(command, p.root(), p.environment()), two(command, p.root(), p.environment());
  const finished first = one.wait(), second = two.wait();
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(first.out, second.out);
  EXPECT_EQ(plan_view(nlohmann::json::parse(first.out)).selected(), area_tests);
}

}  // namespace
}  // namespace morph::end_to_end
