// Coupled branches as objectives: which pairs there are, how far they are, and a search for them.
#include "plugin/generate/pairs.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "lock_program.hpp"
#include "optimizer/pagmo/goal_search.hpp"

namespace morph::generate {
namespace {

using nlohmann::json;
using distances = std::vector<std::pair<std::uint32_t, float>>;

json function_of(const std::string& name, std::uint32_t line, const std::vector<std::string>& kinds) {
  json made{{"name", name},           {"class", name.substr(0, name.find(':'))},
            {"line", line},           {"end_line", line + 8},
            {"begin", line * 100},    {"end", line * 100 + 90},
            {"body", line * 100 + 1}, {"constexpr", false},
            {"entry", json::array()}, {"calls", json::array()},
            {"sites", json::array()}};
  for (const std::string& kind : kinds) {
    const std::uint32_t begin = line * 100 + 10 + 10 * static_cast<std::uint32_t>(made["sites"].size());
    made["sites"].push_back({{"kind", kind},
                             {"line", line + 1},
                             {"text", "c"},
                             {"begin", begin},
                             {"end", begin + 1},
                             {"under", json::array()}});
  }
  return made;
}

struct two_classes {
  json caller = function_of("R::f()", 10, {"truth", "unseen"});
  json callee = function_of("E::e()", 30, {"truth"});
  goal_set goals = goals_of({{"a.cpp", {caller, callee}}});
  coupling::branch_graph graph = coupling::graph_of(
      {json{{"files", json::array({json{{"path", "a.cpp"}, {"functions", json::array({callee, caller})}}})}}});

  /// Of the caller's function, which is the second one of the graph, and the callee's.
  static coupling::coupled_pair pair(std::uint32_t site, std::uint32_t outcome, std::uint32_t of_callee) {
    return {{1, site, outcome}, {0, 0, of_callee}};
  }
};

TEST(Pairs, AreTwoClassesWithAColonBetween) {
  EXPECT_EQ(class_pair_of("R:E")->caller, "R");
  const auto with_namespaces = class_pair_of("a::R:b::c::E");
  EXPECT_EQ(with_namespaces->caller, "a::R");
  EXPECT_EQ(with_namespaces->callee, "b::c::E");
  for (const char* each : {"R", "a::R", "R:", ":E", "R:::E", ""}) {
    const auto none = class_pair_of(each);
    ASSERT_FALSE(none.has_value()) << each;
    EXPECT_EQ(none.error(),
              std::string("'") + each + "' is not two classes; write CALLER:CALLEE, as in shop::Cart:shop::Price");
  }
}

TEST(Pairs, NameTheirTestsAfterBothClasses) {
  EXPECT_EQ(name_of({"YAML::Emitter", "YAML::EmitterState"}), "EmitterWithEmitterState");
  EXPECT_EQ(name_of({"post::parcel", "label"}), "parcelWithLabel");
}

TEST(Pairs, BecomeObjectivesBehindTheGoals) {
  two_classes of;
  couple(of.goals, of.graph, {two_classes::pair(0, 1, 0), two_classes::pair(0, 1, 1)});
  const std::uint32_t r = of.goals.functions[0].branches.at({0, 1});
  const std::uint32_t e = of.goals.functions[1].branches.at({0, 0});
  EXPECT_EQ(of.goals.goals[r].outcome, "true");
  EXPECT_EQ(of.goals.goals[r].function, "R::f()");
  EXPECT_EQ(of.goals.goals[e].function, "E::e()");
  EXPECT_EQ(of.goals.pairs, (std::vector<goal_pair>{{r, e}, {r, e + 1}}));
  ASSERT_EQ(of.goals.objectives.size(), of.goals.goals.size() + 2);
  const objective& pair = of.goals.objectives.back();
  EXPECT_EQ(pair.after, std::vector<std::uint32_t>{r});
  EXPECT_TRUE(pair.is_wanted);
}

TEST(Pairs, WantTheBranchesOfTheCallerToo) {
  two_classes of;
  couple(of.goals, of.graph, {two_classes::pair(0, 1, 0)});
  for (std::uint32_t g = 0; g < of.goals.goals.size(); ++g)
    EXPECT_EQ(of.goals.objectives[g].is_wanted, g == of.goals.pairs[0].caller) << g;
}

TEST(Pairs, OfABranchThatCannotReportAreCounted) {
  two_classes of;
  couple(of.goals, of.graph, {two_classes::pair(1, 1, 0), two_classes::pair(0, 1, 0)});
  EXPECT_EQ(of.goals.unseen_pairs, 1U);
  EXPECT_EQ(of.goals.pairs.size(), 1U);
}

/// The pairs (0, 1) and (0, 2) of four goals.
distances with_pairs(distances of) {
  goal_set goals;
  goals.goals.resize(4);
  goals.pairs = {{0, 1}, {0, 2}};
  outcome made{.goals = std::move(of)};
  pair_distances(goals).add(made);
  return made.goals;
}

TEST(Pairs, AreReachedIfBothAreInOneTest) {
  EXPECT_EQ(with_pairs({{0, 0.0F}, {1, 0.0F}, {2, 0.5F}}),
            (distances{{0, 0.0F}, {1, 0.0F}, {2, 0.5F}, {4, 0.0F}, {5, 0.25F}}));
}

TEST(Pairs, AreFartherWhileTheCallersBranchIsNotReached) {
  EXPECT_EQ(with_pairs({{0, 0.5F}, {1, 0.0F}}), (distances{{0, 0.5F}, {1, 0.0F}, {4, 0.75F}, {5, 0.75F}}));
}

TEST(Pairs, AreHalfWayIfTheCalleesConditionIsNotEvaluated) {
  EXPECT_EQ(with_pairs({{0, 0.0F}}), (distances{{0, 0.0F}, {4, 0.5F}, {5, 0.5F}}));
}

TEST(Pairs, AreUntouchedAsLongAsTheCallersConditionIs) {
  EXPECT_EQ(with_pairs({{1, 0.0F}, {3, 0.0F}}), (distances{{1, 0.0F}, {3, 0.0F}}));
}

/// The goals of the lock, and as a pair that one test presses a wrong key and opens it.
struct coupled_lock {
  toy::lock_program program{};
  goal_set goals{};

  coupled_lock() {
    goals.goals.resize(toy::lock_goals);
    goals.objectives = toy::goals_of_lock();
    goals.pairs = {{toy::wrong_key, toy::opened}};
    goals.objectives.push_back({.after = {toy::wrong_key}});
  }

  result<search_result> searched(const search_options& options) {
    const pair_distances pairs(goals);
    const evaluator evaluate = [&](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
      std::vector<outcome> made;
      for (const sequence& each : all) {
        made.push_back(program.execute(each));
        pairs.add(made.back());
      }
      return made;
    };
    optimizer::random_source random(1);
    return search(
        program.offered, program.literals, goals.objectives, options, evaluate, [](const search_row&) { return false; },
        random, optimizer::search_goals);
  }
};

TEST(Pairs, AreSearchedForInOneTest) {
  coupled_lock of;
  of.program.tells_operands = true;
  const auto found = of.searched({.most_sequences = 20000});
  ASSERT_TRUE(found->archive.contains(toy::lock_goals));
  const outcome again = of.program.execute(found->archive.at(toy::lock_goals).calls);
  const auto reaches = [&](std::uint32_t goal) {
    return std::ranges::count(again.goals, std::pair<std::uint32_t, float>(goal, 0)) == 1;
  };
  EXPECT_TRUE(reaches(toy::wrong_key));
  EXPECT_TRUE(reaches(toy::opened));
}

TEST(Pairs, AreActiveFromTheTimeThatTheCallersBranchIsReached) {
  coupled_lock of;
  const auto objectives_after = [&](search_options::algorithm by, const std::vector<std::uint32_t>& reached) {
    optimizer::random_source random(1);
    outcome one;
    for (const std::uint32_t goal : reached) one.goals.emplace_back(goal, 0.0F);
    return search(
               of.program.offered, of.program.literals, of.goals.objectives, {.by = by, .most_sequences = 1},
               [&](const std::vector<sequence>& all) { return std::vector<outcome>(all.size(), one); },
               [](const search_row&) { return false; }, random, optimizer::search_goals)
        ->rows.front()
        .objectives;
  };
  using algorithm = search_options::algorithm;
  EXPECT_EQ(objectives_after(algorithm::dyna_mosa, {toy::entered}), 2U);
  EXPECT_EQ(objectives_after(algorithm::dyna_mosa, {toy::entered, toy::wrong_key}), 2U);  // right_key, and the pair
  EXPECT_EQ(objectives_after(algorithm::mosa, {}), 7U);
}

}  // namespace
}  // namespace morph::generate
