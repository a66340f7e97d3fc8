// What a change selects: the line rules on a real project.
#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "plugin/store/store.hpp"
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using line_rules = shapes_test;

const std::string area_line = "changed-code:src/area.cpp:5";

void change_area(const project& p) {
  p.replace("src/area.cpp", "width * height", "height * width");
}

TEST_F(line_rules, nothing_changed_means_that_nothing_runs) {
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven");
  EXPECT_EQ(plan.selected(), names());
  EXPECT_EQ(plan.deferred(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"unaffected"});
  EXPECT_EQ(plan.notes(), names());
}

TEST_F(line_rules, an_uncommitted_change_of_a_function_selects_the_two_tests_that_ran_it) {
  change_area(p);
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), area_tests);
  EXPECT_EQ(plan.deferred(), (names{"Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(plan.reasons("Area.OfSquare"), names{area_line});
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{area_line});
  EXPECT_EQ(plan.json["base"]["distance"], 0);
  EXPECT_EQ(plan.json["head"]["dirty"], true);
  EXPECT_EQ(plan.json["totals"]["selected"], 2);
  EXPECT_EQ(plan.json["totals"]["total"], 5);
}

TEST_F(line_rules, evidence_without_isolation_is_used_when_it_is_asked_for) {
  p.remove(".morph/evidence.db");
  ASSERT_EQ(p.try_measure({"--isolation", "none"}).exit, 0);
  change_area(p);
  EXPECT_EQ(p.plan().state(), "unmeasured-ran-all");
  EXPECT_EQ(p.plan({"--approximate"}).selected(), area_tests);
  p.set_variable("MORPH_APPROXIMATE", "1");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().notes(), names{"the baseline was measured with isolation none: affected tests may be missing"});
  EXPECT_EQ(p.morph({"report", "coverage"}).exit, 0);
  p.unset_variable("MORPH_APPROXIMATE");
  EXPECT_EQ(p.morph({"report", "coverage"}).exit, 3);
}

TEST_F(line_rules, a_committed_change_of_a_function_selects_the_two_tests_that_ran_it) {
  const std::string base = p.git({"rev-parse", "HEAD"});
  change_area(p);
  const std::string head = p.commit();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), area_tests);
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{area_line});
  EXPECT_EQ(plan.json["base"], (nlohmann::json{{"commit", base}, {"distance", 1}, {"days", 0}}));
  EXPECT_EQ(plan.json["head"], (nlohmann::json{{"commit", head}, {"dirty", false}}));
}

TEST_F(line_rules, changes_of_several_commits_and_of_the_work_tree_add_up) {
  change_area(p);
  p.commit();
  p.commit("nothing");
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.json["base"]["distance"], 2);
  EXPECT_EQ(plan.selected(), (names{"Area.OfSquare", "Area.OfStrip", "Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(plan.reasons("Scale.ByZero"), names{"changed-code:src/scale.cpp:5"});
}

TEST_F(line_rules, a_change_that_was_taken_back_selects_nothing) {
  change_area(p);
  p.commit();
  p.git({"revert", "--no-edit", "HEAD"});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, a_comment_in_a_source_selects_the_tests_of_that_source) {
  p.replace("src/area.cpp", "// Areas.", "// Areas and perimeters.");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), (names{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"}));
  EXPECT_EQ(plan.reasons("Perimeter.OfSquare"), names{"changed-code:src/area.cpp:1"});
}

TEST_F(line_rules, an_insertion_counts_as_a_change_of_its_neighbours) {
  p.replace("src/scale.cpp", "  return length * 2;\n", "  if (length == 0) return 0;\n  return length * 2;\n");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-code:src/scale.cpp:4"});
}

TEST_F(line_rules, an_inline_function_in_a_header_selects_the_tests_that_ran_it) {
  p.replace("src/shapes.hpp", "length + length", "length != 0 ? length * 2 : 0");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Perimeter.OfSquare"});
  EXPECT_EQ(plan.reasons("Perimeter.OfSquare"), names{"changed-code:src/shapes.hpp:8"});
}

TEST_F(line_rules, a_macro_in_a_header_selects_the_tests_of_everything_that_includes_it) {
  p.replace("src/shapes.hpp", "CORNERS 4", "CORNERS 5");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByZero"), names{"changed-code:src/shapes.hpp:3"});
}

TEST_F(line_rules, a_declaration_in_a_header_selects_the_tests_of_everything_that_includes_it) {
  p.replace("src/shapes.hpp", "int scale(int length);", "int scale(int by_two);");
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"changed-code:src/shapes.hpp:6"});
}

TEST_F(line_rules, a_change_of_the_build_description_selects_everything) {
  p.replace("CMakeLists.txt", "enable_testing()", "enable_testing()  # now");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "stale-widened");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-build:CMakeLists.txt"});
}

TEST_F(line_rules, a_new_build_description_selects_everything) {
  p.write("cmake/extra.cmake", "set(extra ON)\n");
  p.replace("CMakeLists.txt", "enable_testing()", "enable_testing()\ninclude(cmake/extra.cmake)");
  EXPECT_EQ(p.plan().state(), "stale-widened");
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"),
            (names{"changed-build:CMakeLists.txt", "changed-build:cmake/extra.cmake"}));
}

TEST_F(line_rules, a_tracked_file_of_unknown_kind_selects_everything_if_the_build_may_read_it) {
  p.write("grammar.y", "%%\n");
  p.commit();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("shapes.ld", "SECTIONS {}\n");
  p.commit();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "stale-widened");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-data:shapes.ld"});
}

TEST_F(line_rules, a_file_of_unknown_kind_that_cmake_or_the_environment_names_selects_everything) {
  p.write("cmake/notes.cmake", "# see widths.tab\nset(table sizes.tab)\n");
  p.write("shapes.supp", "x\n");
  p.write("sizes.tab", "1\n");
  p.write("widths.tab", "1\n");
  p.commit();
  p.measure();
  p.write("widths.tab", "2\n");
  EXPECT_EQ(p.plan().selected(), names()) << "which is named in a comment alone";
  p.set_variable("ASAN_OPTIONS", "suppressions=" + (p.root() / "widths.tab").string());
  EXPECT_EQ(p.plan().selected(), all_shapes);
  p.unset_variable("ASAN_OPTIONS");
  p.write("sizes.tab", "2\n");
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"changed-data:sizes.tab"});
}

TEST_F(line_rules, without_a_finished_build_a_file_of_unknown_kind_selects_everything) {
  p.write("grammar.y", "%%\n");
  p.commit();
  EXPECT_EQ(p.plan({"--before-build"}).selected(), all_shapes);
  change_area(p);
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().state(), "stale-widened");
}

TEST_F(line_rules, a_build_description_that_is_data_too_is_both) {
  redeclare("DATA data/*.txt", "DATA data/*.txt *.txt");
  p.replace("CMakeLists.txt", "enable_testing()", "enable_testing()  # now");
  EXPECT_EQ(p.plan().state(), "stale-widened");
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), (names{"changed-data:CMakeLists.txt", "changed-build:CMakeLists.txt"}));
}

TEST_F(line_rules, ignored_files_select_nothing) {
  p.write("notes.md", "Other notes.\n");
  p.write("docs/picture.svg", "<svg/>\n");
  p.write("LICENSE", "As you like.\n");
  p.write(".github/workflows/ci.yml", "on: push\n");
  p.commit();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, files_that_MORPH_IGNORE_names_select_nothing) {
  p.configure({"-DMORPH_IGNORE=*.y;*.md"});
  p.write("grammar.y", "%%\n");
  p.commit();
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

// Of a source see object_rules.
TEST_F(line_rules, an_untracked_header_selects_everything) {
  p.write("src/circle.hpp", "int circle();\n");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "stale-widened");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-code:src/circle.hpp"});
}

TEST_F(line_rules, untracked_files_of_other_kinds_select_nothing) {
  p.write("core.1234", "a crash\n");
  p.write("scratch/list.txt", "a b c\n");
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, files_that_git_ignores_select_nothing) {
  p.write(".gitignore", p.read(".gitignore") + "generated.cpp\n");
  p.write("generated.cpp", "int generated;\n");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, another_build_tree_selects_nothing) {
  p.write("other/CMakeCache.txt", "");
  p.write("other/CMakeFiles/probe.cpp", "int main() {}\n");
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, a_data_file_selects_its_suite) {
  p.write("data/sizes.txt", "4 5 6\n");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-data:data/sizes.txt"});
}

TEST_F(line_rules, a_file_that_is_compiled_and_also_data_selects_both) {
  redeclare("DATA data/*.txt", "DATA data/*.txt src/*.hpp");
  p.replace("src/shapes.hpp", "length + length", "length != 0 ? length * 2 : 0");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-data:src/shapes.hpp"});
}

TEST_F(line_rules, a_deleted_source_selects_the_tests_that_ran_it) {
  p.remove("src/scale.cpp");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-code:src/scale.cpp"});
}

TEST_F(line_rules, a_renamed_source_selects_everything_because_its_new_name_is_unknown) {
  p.git({"mv", "src/scale.cpp", "src/scaling.cpp"});
  p.commit();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "stale-widened");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-code:src/scaling.cpp"});
}

TEST_F(line_rules, a_source_whose_mode_changed_selects_nothing) {
  std::filesystem::permissions(p.root() / "src/scale.cpp", std::filesystem::perms::owner_exec,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(line_rules, line_ends_without_a_newline_at_the_end_are_understood) {
  std::string text = p.read("src/scale.cpp");
  text.pop_back();
  p.write("src/scale.cpp", text);
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

// ---- tests that change

TEST_F(line_rules, a_changed_test_body_selects_that_test) {
  p.replace("tests/shapes_test.cpp", "EXPECT_EQ(area(1, 3), 3);", "EXPECT_EQ(area(3, 1), 3);");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), names{"Area.OfStrip"});
  EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-test"});
}

TEST_F(line_rules, a_new_test_runs_and_its_neighbours_do_not_all_run) {
  p.write("tests/shapes_test.cpp",
          p.read("tests/shapes_test.cpp") + "\nTEST(Scale, ByOne) {\n  EXPECT_EQ(scale(1), 2);\n}\n");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.reasons("Scale.ByOne"), names{"new"});
  EXPECT_EQ(plan.test("Scale.ByOne").at("seconds"), nullptr);
  EXPECT_EQ(plan.selected(), names{"Scale.ByOne"});
  EXPECT_EQ(plan.json["totals"]["total"], 6);
}

TEST_F(line_rules, a_deleted_test_is_no_longer_planned) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero) {\n  EXPECT_EQ(scale(0), 0);\n}\n", "");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.json["totals"]["total"], 4);
  EXPECT_THROW(plan.test("Scale.ByZero"), std::runtime_error);
}

TEST_F(line_rules, a_renamed_test_is_a_new_one) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)", "TEST(Scale, ByNothing)");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.reasons("Scale.ByNothing"), names{"new"});
  EXPECT_THROW(plan.test("Scale.ByZero"), std::runtime_error);
  EXPECT_EQ(plan.json["totals"]["total"], 5);
}

TEST_F(line_rules, the_chain_from_the_change_to_a_test_is_explained) {
  change_area(p);
  const finished why = p.morph({"plan", "--why", "Area.OfStrip"});
  EXPECT_EQ(why.exit, 0);
  EXPECT_NE(why.out.find("Area.OfStrip is selected, rank "), std::string::npos) << why.out;
  EXPECT_NE(why.out.find("changed-code:src/area.cpp:5: src/area.cpp:5 in area(int, int) changed; the test executed it"),
            std::string::npos)
      << why.out;
  const finished waits = p.morph({"plan", "--why", "Scale.ByTwo"});
  EXPECT_EQ(waits.exit, 0);
  EXPECT_EQ(waits.out.substr(0, waits.out.find('\n')), "Scale.ByTwo is deselected (suite geometry)");
}

TEST_F(line_rules, equal_situations_give_equal_plans) {
  change_area(p);
  EXPECT_EQ(p.morph({"plan", "--json"}).out, p.morph({"plan", "--json"}).out);
}

// ---- branches

/// Number of the outcome -> tests that took it.
std::map<std::uint32_t, names> outcomes_at(const project& p, const std::string& file, std::uint32_t line) {
  auto opened = store::evidence_store::open_for_reading(p.store().string());
  if (!opened || !*opened) throw std::runtime_error("no store");
  const auto measurements = (*opened)->measurements().value();
  std::int64_t latest = 0;
  for (const auto& m : measurements) latest = std::max(latest, m.id);
  const auto e = (*opened)->load(latest);
  if (!e) throw std::runtime_error(e.error());
  std::map<std::uint32_t, names> outcomes;
  for (const store::element_class& c : e->classes)
    for (const store::element x : c.elements) {
      const bool is_here = store::kind_of(x) == optimizer::requirement_kind::branch &&
                           e->files[store::owner_of(x)] == file &&
                           store::number_of(x) / store::branches_of_line == line;
      if (!is_here) continue;
      names& tests = outcomes[store::number_of(x) % store::branches_of_line];
      for (const std::uint32_t test : c.tests) tests.push_back(e->tests[test].name);
    }
  return outcomes;
}

TEST_F(line_rules, the_tests_that_took_each_outcome_of_a_branch_are_kept) {
  EXPECT_TRUE(outcomes_at(p, "src/scale.cpp", 5).empty());
  p.replace("src/scale.cpp", "return length * 2;", "return length > 1 ? length * 2 : 0;");
  p.commit();
  p.measure();
  EXPECT_EQ(outcomes_at(p, "src/scale.cpp", 5),
            (std::map<std::uint32_t, names>{{0, names{"Scale.ByTwo"}}, {1, names{"Scale.ByZero"}}}));
}

}  // namespace
}  // namespace morph::end_to_end
