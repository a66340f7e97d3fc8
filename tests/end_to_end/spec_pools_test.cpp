// morph_add_spec(... POOL) and `morph spec refresh`: cases of a committed pool as tests, what a change of the pool
// selects, and a pool that is explored anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

const char* const pool_path = "pools/kinds.jsonl";

void write_kinds(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Kinds CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(numbers src/kind.cpp src/large.cpp)
target_include_directories(numbers PUBLIC src)
morph_add_spec(kinds SOURCES tests/kinds.spec.cpp LINK numbers POOL pools/kinds.jsonl)
)");
  to.write("src/kind.hpp", "#pragma once\nint kind(int x);\nint kind_of_large(int x);\n");
  to.write("src/kind.cpp", R"(#include "kind.hpp"
int kind(int x) {
  if (x < 0) return -kind(-x);
  if (x == 0) return 0;
  return x > 100 ? kind_of_large(x) : 1;
}
)");
  to.write("src/large.cpp", "#include \"kind.hpp\"\nint kind_of_large(int x) {\n  return x % 2 == 0 ? 2 : 3;\n}\n");
  to.write("tests/kinds.spec.cpp", R"(#include <morph/morph.hpp>
#include "kind.hpp"
MORPH_SPEC(kinds, int, int, s) {
  s.execute(kind);
  s.seeds("labelled", {{5, 1}, {0, 0}});
  s.seeds("drawn", morph::uniform(-200, 200, 30));
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  auto add = s.datamorph("add two", [](int x) { return x + 2; });
  s.relation("odd", negate, [](auto& m, auto& o) { return m.output == -o.output; });
  s.relation("the same from 101 on", add, [](auto&, auto& o) { return o.input > 100; },
             [](auto& m, auto& o) { return m.output == o.output; });
}
MORPH_SPEC(others, int, int, s) {
  s.execute(kind);
  s.seeds("one", {1});
  auto more = s.datamorph("more", [](int x) { return x + 1; });
  s.relation("alike", more, [](auto& m, auto& o) { return m.output == o.output; });
}
)");
  // By hand, before there is anything that could make one.
  to.write(pool_path, "{\"morph\":\"pool\",\"version\":1,\"spec\":\"kinds\"}\n{\"in\":5}\n");
}

/// Measured with a pool that was refreshed and committed.
class spec_pools : public testing::Test {
 protected:
  spec_pools() : p(measured().here()) {}
  ~spec_pools() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(write_kinds);
    static const bool is_refreshed = [] {
      const project& to = shared.here();
      first_refresh() = to.morph({"spec", "refresh", "--order", "2"});
      to.commit("the pool");
      to.measure();
      shared.save();
      return true;
    }();
    (void)is_refreshed;
    return shared;
  }
  static finished& first_refresh() {
    static finished of;
    return of;
  }

  std::vector<json> cases() const {
    std::istringstream lines(p.read(pool_path));
    std::vector<json> all;
    for (std::string line; std::getline(lines, line);) all.push_back(json::parse(line));
    all.erase(all.begin());
    return all;
  }
  /// Of the test.
  static std::string name_of(const json& line) { return "kinds." + line["id"].get<std::string>(); }
  names names_of_cases() const {
    names all;
    for (const json& line : cases()) all.push_back(name_of(line));
    return sorted(all);
  }
  json with_input(int x) const {
    for (const json& line : cases())
      if (line["in"] == x) return line;
    return {};
  }
  void add_line(const std::string& line) const { p.write(pool_path, p.read(pool_path) + line + "\n"); }
  void expect_broken(const std::string& why) const {
    const finished plan = p.morph({"plan"});
    EXPECT_EQ(plan.exit, 3) << plan.both();
    EXPECT_NE(plan.both().find(why), std::string::npos) << plan.both();
    const finished run = p.ctest({"-L", "^morph$"});
    EXPECT_NE(run.exit, 0);
    EXPECT_EQ(failed(run.out), names{"kinds.all"}) << run.both();
  }
  const names relations_{"others.alike", "others.every run ends"};
  project& p;
};

TEST_F(spec_pools, a_refresh_keeps_few_cases_that_do_what_all_do) {
  const finished& run = first_refresh();
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_NE(run.out.find("no fewer do"), std::string::npos) << run.both();
  EXPECT_NE(run.out.find(" came\n"), std::string::npos) << run.both();
  const auto all = cases();
  EXPECT_LT(all.size(), 15U) << p.read(pool_path);
  std::map<std::string, int> by;
  for (const json& line : all) {
    ++by[line["by"]];
    EXPECT_FALSE(line.contains("runs")) << line;
    EXPECT_TRUE(line.contains("id")) << line;
  }
  EXPECT_GE(by["negate"], 1);
  EXPECT_GE(by["add two"], 1);
  EXPECT_GE(by["labelled"], 1);

  // Once more: the same.
  const std::string before = p.read(pool_path);
  const finished again = p.morph({"spec", "refresh", "--order", "2"});
  EXPECT_NE(again.out.find("nothing came or went"), std::string::npos) << again.both();
  EXPECT_EQ(p.read(pool_path), before);
}

TEST_F(spec_pools, each_case_is_a_test_beside_the_relations_of_other_specs) {
  names expected = names_of_cases();
  expected.push_back("kinds.plan");
  expected.insert(expected.end(), relations_.begin(), relations_.end());
  EXPECT_EQ(sorted(listed(p.ctest({"-N"}).out)), sorted(expected));
  const finished run = p.ctest();
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(spec_pools, a_change_selects_the_cases_that_execute_it) {
  p.replace("src/large.cpp", "return x % 2 == 0 ? 2 : 3;", "const bool even = x % 2 == 0;\n  return even ? 2 : 3;");
  p.build();
  const names selected = p.plan().selected();
  names large;
  for (const json& line : cases()) {
    // Who is made of a large one executes it, too.
    bool is_large = std::abs(line["in"].get<int>()) > 100;
    if (line.contains("from"))
      for (const json& origin : cases())
        is_large = is_large || (line["from"][0] == origin["id"] && std::abs(origin["in"].get<int>()) > 100);
    if (is_large) large.push_back(name_of(line));
  }
  EXPECT_EQ(selected, sorted(large));
  EXPECT_FALSE(large.empty());
  EXPECT_LT(large.size(), cases().size());
}

TEST_F(spec_pools, a_line_that_is_added_selects_its_case_alone) {
  // The id of a seed that nobody made: as the program has it.
  add_line(R"({"by":"drawn","in":7777})");
  const finished shown =
      p.morph({"spec", "show", "--spec", "kinds", "--json", "--pool", (p.root() / pool_path).string()});
  const std::string line = shown.out.substr(shown.out.rfind("{\"id\""));
  const std::string added = name_of(json::parse(line));
  // Without an id lines do not tell: all cases, and whatever else the suite has.
  names all{added};
  for (const json& each : cases())
    if (each.contains("id")) all.push_back(name_of(each));
  all.insert(all.end(), relations_.begin(), relations_.end());
  EXPECT_EQ(p.plan().selected(), sorted(all));

  p.git({"checkout", "--quiet", pool_path});
  add_line(line.substr(0, line.find('\n')));
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{added});
  EXPECT_EQ(plan.reasons(added), names{"new"});
  EXPECT_EQ(started(p.ctest({"-L", "^morph$"}).out), (names{"kinds.plan", added}));
}

TEST_F(spec_pools, a_line_that_is_changed_selects_what_is_made_of_it_too) {
  json labelled;
  for (const json& line : cases())
    if (line["by"] == "labelled") labelled = line;
  const std::string label = "\"expected\":" + labelled["expected"].dump() + "}";
  ASSERT_NE(p.read(pool_path).find(label), std::string::npos);
  p.replace(pool_path, label, "\"expected\":9}");
  std::set<std::string> of_it{labelled["id"]};
  names expected{name_of(labelled)};
  for (const json& line : cases())
    if (line.contains("from") && of_it.count(line["from"][0]) != 0) {
      of_it.insert(line["id"]);
      expected.push_back(name_of(line));
    }
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), sorted(expected));
  EXPECT_EQ(plan.reasons(name_of(labelled)), names{std::string("changed-data:") + pool_path});
  EXPECT_EQ(failed(p.ctest({"-L", "^morph$"}).out), names{name_of(labelled)});
}

TEST_F(spec_pools, a_line_that_is_removed_selects_nothing) {
  json last = cases().back();
  const std::string text = p.read(pool_path);
  p.write(pool_path, text.substr(0, text.rfind("{\"id\"")));
  EXPECT_EQ(p.plan().selected(), names());
  const names now = listed(p.ctest({"-N"}).out);
  EXPECT_EQ(std::count(now.begin(), now.end(), name_of(last)), 0);
}

TEST_F(spec_pools, a_pool_that_is_missing_is_a_failing_test) {
  p.remove(pool_path);
  expect_broken("pools/kinds.jsonl' cannot be read");
}

TEST_F(spec_pools, a_pool_of_another_spec_is_a_failing_test) {
  p.replace(pool_path, "\"spec\":\"kinds\"", "\"spec\":\"sorts\"");
  expect_broken("pools/kinds.jsonl:1: the pool is of the spec 'sorts', which this program does not have");
}

TEST_F(spec_pools, a_pool_with_a_datamorphism_that_went_is_a_failing_test_until_it_is_refreshed) {
  p.replace("tests/kinds.spec.cpp", "\"negate\"", "\"minus\"");
  p.build();
  expect_broken("the spec has no datamorphism 'negate', which made this case");
  const finished run = p.morph({"spec", "refresh", "--order", "2"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_NE(run.out.find("made by what the spec does not have any more"), std::string::npos) << run.both();
  EXPECT_EQ(p.ctest().exit, 0);
}

TEST_F(spec_pools, a_line_that_was_edited_is_a_failing_test) {
  const json first = cases().front();
  p.replace(pool_path, "\"in\":" + first["in"].dump(), "\"in\":12345");
  expect_broken("if the line was edited, give it that id");
}

TEST_F(spec_pools, a_pool_without_cases_is_a_failing_test) {
  const std::string text = p.read(pool_path);
  p.write(pool_path, text.substr(0, text.find('\n') + 1));
  expect_broken("pools/kinds.jsonl' has no case, so nothing would be tested");
}

TEST_F(spec_pools, what_violated_a_relation_once_stays) {
  p.replace("src/large.cpp", "return x % 2", "if (x == 150) return 7;\n  return x % 2");
  p.build();
  p.replace("tests/kinds.spec.cpp", "{5, 1}", "{150, 2}, {5, 1}");
  p.build();
  const finished red = p.morph({"spec", "refresh", "--order", "2"});
  EXPECT_EQ(red.exit, 1) << red.both();
  EXPECT_NE(red.out.find("violate a relation, or did"), std::string::npos) << red.both();
  const json found = with_input(150);
  ASSERT_TRUE(found.contains("runs")) << p.read(pool_path);
  const names failing = failed(p.ctest().out);
  EXPECT_EQ(std::count(failing.begin(), failing.end(), name_of(found)), 1);

  // The fault goes, and nothing else keeps the case.
  p.replace("src/large.cpp", "if (x == 150) return 7;\n  ", "");
  p.build();
  const finished green = p.morph({"spec", "refresh", "--order", "2"});
  EXPECT_EQ(green.exit, 0) << green.both();
  EXPECT_EQ(with_input(150), found);
  EXPECT_EQ(p.ctest().exit, 0);
}

TEST_F(spec_pools, a_refresh_that_cannot_be_done_leaves_the_pool_as_it_was) {
  const std::string before = p.read(pool_path);
  EXPECT_EQ(p.morph({"spec", "refresh", "--order", "none"}).exit, 2);
  EXPECT_EQ(p.read(pool_path), before);
  p.write("src/large.cpp", "no code\n");  // the twin cannot be built
  const finished broken = p.morph({"spec", "refresh"});
  EXPECT_EQ(broken.exit, 3) << broken.both();
  EXPECT_NE(broken.err.find("`morph measure` did not succeed"), std::string::npos) << broken.both();
  EXPECT_EQ(p.read(pool_path), before);
  EXPECT_EQ(p.morph({"spec", "--suite", "none", "refresh"}).exit, 2);
}

TEST_F(spec_pools, a_dry_run_tells_as_json_what_would_come_and_go) {
  const std::string before = p.read(pool_path);
  const finished run = p.morph({"spec", "refresh", "--dry-run", "--anew", "--strategy", "seeds", "--json"});
  EXPECT_EQ(run.exit, 0) << run.both();
  const json told = json::parse(run.out)["pools"][0];
  EXPECT_EQ(told["suite"], "kinds");
  EXPECT_EQ(told["written"], false);
  EXPECT_EQ(p.read(pool_path), before);
}

TEST_F(spec_pools, are_part_of_a_state_without_being_named) {
  const std::string before = p.read(pool_path);
  finished end = p.morph({"spec", "state", "save", "all.state"});
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(end.out.substr(0, end.out.find(',')), "saved: 1 pool");
  p.write(pool_path, "{\"morph\":\"pool\",\"version\":1,\"spec\":\"kinds\"}\n");
  end = p.morph({"spec", "state", "load", "all.state", "--force"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(p.read(pool_path), before);
}

}  // namespace
}  // namespace morph::end_to_end
