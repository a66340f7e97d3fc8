// What a plan leaves out by choice, what is left to run of it, and how soon its order finds failures.
#include <fmt/format.h>

#include <sstream>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class policies : public shapes_test {
 protected:
  void change_area() const { p.replace("src/area.cpp", "width * height", "height * width"); }
  json ask(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "plan");
    arguments.emplace_back("--json");
    const finished end = p.morph(arguments);
    EXPECT_EQ(end.exit, 0) << end.both();
    return json::parse(end.out);
  }
};

/// The document that a page shows.
json data_in(const std::string& page) {
  const std::string mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin), nullptr, false);
  return data.at("documents").at(0).at("output");
}

TEST_F(policies, minimal_keeps_as_many_tests_of_a_change_as_it_is_told) {
  change_area();
  EXPECT_EQ(p.plan({"--policy", "minimal"}).selected(), area_tests);
  const plan_view one = p.plan({"--policy", "minimal", "--k-coverage", "1"});
  ASSERT_EQ(one.selected().size(), 1U);
  const std::string other = one.selected()[0] == area_tests[0] ? area_tests[1] : area_tests[0];
  EXPECT_EQ(one.reasons(other).back(), "deferred-by-policy");
  const json proof = ask({"--policy", "minimal", "--k-coverage", "1"}).at("certificate").at("minimal");
  EXPECT_GT(proof.at("at_least"), 0);
  EXPECT_LE(proof.at("at_least"), proof.at("seconds"));
  EXPECT_EQ(p.morph({"plan", "--policy", "minimal", "--k-coverage", "none"}).exit, 2);
}

TEST_F(policies, minimal_leaves_out_nobody_who_has_another_reason) {
  change_area();
  p.write("data/sizes.txt", "3 2 1\n");
  EXPECT_EQ(p.plan({"--policy", "minimal", "--k-coverage", "1"}).selected(), all_shapes);
}

TEST_F(policies, a_suite_can_be_minimal) {
  redeclare("TARGET shapes_tests", "TARGET shapes_tests POLICY minimal");
  change_area();
  const json plan = ask({"--k-coverage", "1"});
  EXPECT_EQ(plan.at("suites")[0].at("policy"), "minimal");
  EXPECT_EQ(plan.at("totals").at("selected"), 1);
  // Before the build nobody knows whom the change affects of those that executed the function.
  EXPECT_EQ(ask({"--k-coverage", "1", "--before-build"}).at("totals").at("selected"), 2);
}

TEST_F(policies, risk_goes_by_recorded_faults_of_other_programs_at_first) {
  redeclare("TARGET shapes_tests", "TARGET shapes_tests POLICY risk=0.5");
  change_area();
  const json plan = ask({});
  EXPECT_EQ(plan.at("suites")[0].at("policy"), "risk=0.5");
  EXPECT_EQ(plan.at("totals").at("selected"), 1);
  const json risk = plan.at("certificate").at("risk").at(0);
  EXPECT_EQ(risk.at("asked"), 0.5);
  EXPECT_GE(risk.at("expected"), 0.5);
  EXPECT_EQ(risk.at("affected"), 2);
  EXPECT_EQ(risk.at("own_faults"), 0);
  EXPECT_EQ(risk.at("by"), "reference");
  EXPECT_NE(p.morph({"plan"}).out.find("risk: the first 1 of 2 tests affected by code"), std::string::npos);
  EXPECT_NE(p.morph({"plan", "--policy", "risk=0.999"}).out.find("risk: all 2 tests affected by code run, since"),
            std::string::npos);
  EXPECT_EQ(p.morph({"plan", "--deferred"}).out.find("nothing is left out"), std::string::npos);
  EXPECT_EQ(ask({"--before-build"}).at("totals").at("selected"), 2);
  EXPECT_EQ(ask({"--policy", "risk=0.999"}).at("totals").at("selected"), 2);
  EXPECT_EQ(p.morph({"plan", "--policy", "risk=95"}).exit, 2);
}

TEST_F(policies, risk_goes_by_what_audits_saw_once_they_saw_enough) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  p.commit();
  p.build();
  EXPECT_EQ(sorted(failed(p.ctest().out)), area_tests);
  ASSERT_EQ(p.morph({"plan", "--audit", "--policy", "risk=0.5"}).exit, 0);
  p.replace("src/area.cpp", "width * height + 1", "width * height");
  p.commit();
  p.build();
  EXPECT_EQ(failed(p.ctest().out), names());
  change_area();
  const json risk = ask({"--policy", "risk=0.5"}).at("certificate").at("risk").at(0);
  EXPECT_EQ(risk.at("own_faults"), 1);
  EXPECT_EQ(risk.at("known_faults"), 1);
  EXPECT_EQ(risk.at("by"), "project");
  EXPECT_EQ(risk.at("run"), 1);
  EXPECT_EQ(ask({"--policy", "risk=0.6"}).at("certificate").at("risk").at(0).at("by"), "reference");
}

TEST_F(policies, a_plan_is_exported_as_a_table_and_arrays) {
  change_area();
  p.write("data/sizes.txt", "3 2 1\n");
  const finished end = p.morph({"plan", "--export", "out/plan"});
  ASSERT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(end.out, p.morph({"plan"}).out);
  const json said = ask({});
  std::istringstream lines(p.read("out/plan.plan.csv"));
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "suite,target,case,name,selected,rank,seconds,reasons,marks");
  std::vector<std::uint32_t> order(said["totals"]["selected"].get<std::size_t>());
  std::uint32_t row = 0;
  for (const json& test : said["tests"]) {
    std::getline(lines, line);
    const std::string name = test["name"], rank = test["rank"].is_null() ? "" : test["rank"].dump();
    EXPECT_TRUE(
        line.starts_with(fmt::format("geometry,shapes_tests,{0},{0},{1},{2},", name, test["selected"].dump(), rank)))
        << line;
    EXPECT_NE(line.find(test["reasons"][0].get<std::string>()), std::string::npos) << line;
    if (test["selected"]) order[test["rank"].get<std::size_t>() - 1] = row;
    ++row;
  }
  EXPECT_FALSE(std::getline(lines, line));
  const std::string array = p.read("out/plan.order.npy");
  ASSERT_GT(array.size(), 4 * order.size());
  EXPECT_EQ(array.substr(array.size() - 4 * order.size()),
            std::string(reinterpret_cast<const char*>(order.data()), 4 * order.size()));
  EXPECT_NE(array.find(fmt::format("'shape': ({},)", order.size())), std::string::npos);
  EXPECT_NE(p.read("out/plan.costs.npy").find("'shape': (5,)"), std::string::npos);
  EXPECT_EQ(p.morph({"plan", "--evaluate", "--export", "out/plan"}).exit, 2);
  p.write("taken", "");
  EXPECT_EQ(p.morph({"plan", "--export", "taken/plan"}).exit, 3);
}

TEST_F(policies, what_is_deferred_says_what_it_alone_executes) {
  change_area();
  json said = ask({"--deferred", "--policy", "minimal", "--k-coverage", "1"});
  EXPECT_EQ(said.at("schema"), "morph.deferred/1");
  ASSERT_EQ(said.at("tests").size(), 1U);
  EXPECT_EQ(said["tests"][0].at("alone"), 0);
  EXPECT_EQ(said.at("lost"), 0);
  EXPECT_EQ(said.at("executed"), 1);
  said = ask({"--deferred", "--budget", "0"});
  EXPECT_EQ(said.at("tests").size(), 2U);
  EXPECT_EQ(said["tests"][0].at("alone"), 1);
  EXPECT_EQ(said.at("lost"), 1);
  EXPECT_EQ(p.morph({"plan", "--deferred"}).out, "nothing is deferred: every test that the change can affect runs\n");
  EXPECT_EQ(p.morph({"plan", "--deferred", "--format", "names"}).exit, 2);
}

TEST_F(policies, what_is_left_for_the_night_is_what_waits) {
  change_area();
  const finished end = p.morph({"plan", "--nightly", "--format", "names"});
  EXPECT_EQ(end.exit, 0) << end.err;
  names left;
  const json plan = ask({"--nightly"});
  for (const json& test : plan.at("tests")) {
    if (test.at("selected"))
      left.push_back(test.at("name"));
    else
      EXPECT_EQ(test.at("reasons").back(), "planned");
  }
  EXPECT_EQ(left, (names{"Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"}));
  for (const std::string& name : left) EXPECT_NE(end.out.find(name + "\n"), std::string::npos) << end.out;
  EXPECT_EQ(end.out.find("Area"), std::string::npos);
  EXPECT_EQ(p.morph({"plan", "--nightly", "--format", "cmake"}).exit, 2);
}

TEST_F(policies, a_budget_says_how_much_of_the_change_fits) {
  change_area();
  double least = 1;
  const json whole = ask({});
  for (const json& test : whole.at("tests"))
    if (test.at("selected")) least = std::min(least, test.at("seconds").get<double>());
  const json some = ask({"--budget", fmt::format("{}", 1.1 * least)});
  EXPECT_EQ(some.at("totals").at("selected"), 1);
  const json& proof = some.at("certificate").at("budget");
  EXPECT_GT(proof.at("covered"), 0.9);  // the changed line counts more than all others
  EXPECT_LE(proof.at("covered"), proof.at("at_most"));
  EXPECT_LE(proof.at("at_most"), 1);
  EXPECT_EQ(ask({"--budget", "1000"}).at("certificate"), nullptr);
}

TEST_F(policies, the_front_weighs_time_against_the_change) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.replace("src/area.cpp", "twice(width + height)", "twice(height + width)");
  const json said = ask({"--pareto", "--budget", "0"});
  EXPECT_EQ(said.at("schema"), "morph.front/1");
  EXPECT_EQ(said.at("of"), "changed");
  ASSERT_GE(said.at("rows").size(), 2U);
  EXPECT_EQ(said["rows"][0].at("tests"), 1);
  EXPECT_EQ(said["rows"][0].at("changed"), 0.5);
  EXPECT_EQ(said["rows"].back().at("changed"), 1);
  EXPECT_EQ(said["rows"].back().at("lines"), 1);
  for (const json& row : said["rows"]) EXPECT_GE(row.at("at_most"), row.at("changed"));
  EXPECT_EQ(said.at("plan").at("tests"), 0);
  EXPECT_EQ(said.at("kills"), 0);
  EXPECT_EQ(said.at("notes"), json::array());
  EXPECT_EQ(p.morph({"plan", "--pareto"}).out.find("kill"), std::string::npos);

  EXPECT_EQ(p.morph({"plan", "--pareto", "--picture", "front.svg"}).exit, 0);
  const std::string picture = p.read("front.svg");
  EXPECT_TRUE(picture.starts_with("<svg ")) << picture;
  EXPECT_NE(picture.find("the plan: 3 tests"), std::string::npos);
  EXPECT_EQ(p.morph({"plan", "--pareto", "--budget", "0", "--picture", "front.html"}).exit, 0);
  EXPECT_EQ(data_in(p.read("front.html")), said);
  EXPECT_EQ(p.morph({"plan", "--pareto", "--picture", "front.png"}).exit, 2);
  EXPECT_EQ(p.morph({"plan", "--pareto", "--picture", "notes.md/front.svg"}).exit, 3);
  EXPECT_EQ(p.morph({"plan", "--picture", "front.svg"}).exit, 2);
}

TEST_F(policies, the_front_tells_known_kills_too) {
  add_kills({{0, {area_tests[0]}}, {1, area_tests}, {2, {"Scale.ByTwo"}}});
  EXPECT_NE(p.morph({"store", "export"}).out.find(R"("kills":{"src/area.cpp":"0-1"})"), std::string::npos);
  change_area();
  const json said = ask({"--pareto", "--policy", "minimal", "--k-coverage", "1"});
  EXPECT_EQ(said.at("kills"), 2);
  EXPECT_EQ(said["rows"].back().at("kills"), 1);
  EXPECT_EQ(said.at("plan").at("tests"), 1);
  EXPECT_EQ(said.at("plan").at("kills"), 1);
  const std::string text = p.morph({"plan", "--pareto"}).out;
  EXPECT_NE(text.find("% of kills"), std::string::npos) << text;
  EXPECT_NE(text.find("100.00 % of the 2 mutants that they are known to kill"), std::string::npos) << text;
  EXPECT_EQ(p.morph({"plan", "--pareto", "--picture", "front.html"}).exit, 0);
  const json shown = data_in(p.read("front.html"));
  EXPECT_EQ(shown.at("kills"), 2);
  EXPECT_EQ(shown["rows"].back().at("kills"), 1);
}

TEST_F(policies, what_is_noted_of_a_plan_is_told_of_its_front_and_of_what_is_deferred) {
  std::filesystem::remove(p.store());
  for (const char* what : {"--pareto", "--deferred"}) {
    EXPECT_NE(p.morph({"plan", what}).out.find("note: everything runs"), std::string::npos) << what;
    EXPECT_EQ(ask({what}).at("notes").size(), 1U) << what;
  }
}

TEST_F(policies, tests_that_failed_before_run_first_where_nothing_else_tells_them_apart) {
  p.replace("src/area.cpp", "width * height", "width == 1 ? 0 : width * height");
  p.build();
  EXPECT_EQ(failed(p.ctest().out), names{"Area.OfStrip"});
  EXPECT_EQ(p.morph({"record"}).exit, 0);
  p.git({"checkout", "--", "src/area.cpp"});
  p.build();
  EXPECT_EQ(p.ctest().exit, 0);
  EXPECT_EQ(p.plan({"--policy", "all"}).reasons("Area.OfStrip"), names{"policy-all"});
  EXPECT_EQ(p.plan({"--policy", "all"}).in_order().front(), "Area.OfStrip");
}

TEST_F(policies, an_evaluation_says_how_soon_failures_come) {
  p.replace("src/area.cpp", "twice(width + height)", "twice(width + height) + 1");
  p.commit();
  p.build();
  EXPECT_EQ(p.morph({"plan", "--evaluate"}).exit, 3);  // nothing ran yet
  EXPECT_EQ(failed(p.ctest().out), names{"Perimeter.OfSquare"});
  const json said = ask({"--evaluate"});
  EXPECT_EQ(said.at("schema"), "morph.evaluation/1");
  EXPECT_EQ(said.at("tests"), 5);
  EXPECT_EQ(said.at("selected"), 1);
  EXPECT_EQ(said.at("failed"), 1);
  EXPECT_EQ(said.at("failed_selected"), 1);
  EXPECT_EQ(said.at("first_failure").at("place"), 1);
  EXPECT_DOUBLE_EQ(said.at("plan").at("apfd"), 0.9);
  EXPECT_DOUBLE_EQ(said.at("plan").at("napfd"), 0.5);
  EXPECT_EQ(said.at("without_verdict"), 0);
  EXPECT_DOUBLE_EQ(said.at("declared").at("apfd"), 0.5);
  EXPECT_DOUBLE_EQ(said.at("best").at("apfd"), 0.9);
  // The plan is as it was before the run, whatever the run has left.
  EXPECT_EQ(p.morph({"record"}).exit, 0);
  EXPECT_EQ(ask({"--evaluate"}), said);
  const finished text = p.morph({"plan", "--evaluate"});
  EXPECT_NE(text.out.find("1 of 5 tests failed, 1 of them among the 1 that the plan runs"), std::string::npos)
      << text.out;
}

TEST_F(policies, an_evaluation_of_a_green_run_finds_nothing_to_judge) {
  change_area();
  p.build();
  EXPECT_EQ(p.ctest().exit, 0);
  EXPECT_EQ(p.morph({"plan", "--evaluate"}).out, "none of 5 tests failed: there is nothing to find early\n");
  EXPECT_EQ(ask({"--evaluate"}).at("plan"), nullptr);
}

}  // namespace
}  // namespace morph::end_to_end
