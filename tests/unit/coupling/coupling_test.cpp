// Coupled branches of graphs that are written by hand: recursion, unions, empty sets, entries, what never occurs.
#include "coverage/coupling/coupling.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace morph::coupling {
namespace {

using nlohmann::json;

json site_of(std::uint32_t line, const std::vector<std::uint32_t>& never = {}) {
  json made{{"line", line}, {"kind", "truth"}, {"text", "c"}};
  if (!never.empty()) made["never"] = never;
  return made;
}

using branches = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

json call_of(const std::string& callee, const branches& under, const branches& follows) {
  json made{{"line", 9},
            {"callee", callee},
            {"callee_class", callee.substr(0, callee.find(':'))},
            {"callee_file", "a.cpp"},
            {"under", under},
            {"follows", follows}};
  if (under.empty()) made["always"] = true;
  return made;
}

json function_of(const std::string& name, std::uint32_t line, const std::vector<json>& sites, const branches& entry,
                 const std::vector<json>& calls = {}) {
  return {{"name", name},           {"class", name.substr(0, name.find(':'))},
          {"line", line},           {"end_line", line + 8},
          {"begin", line * 100},    {"body", line * 100 + 10},
          {"end", line * 100 + 90}, {"sites", sites},
          {"entry", entry},         {"calls", calls}};
}

json class_of(const std::string& name, const std::vector<std::string>& bases = {},
              const std::map<std::string, std::string>& overrides = {}) {
  json made{{"name", name}, {"bases", bases}, {"overrides", json::array()}};
  for (const auto& [own, base] : overrides) made["overrides"].push_back(json::array({own, base}));
  return made;
}

json unit_of(const std::vector<json>& functions, const std::vector<json>& classes = {}) {
  json file{{"path", "a.cpp"}, {"functions", functions}};
  return {{"files", json::array({file})}, {"classes", classes}};
}

const branches none{};
const branches both{{0, 0}, {0, 1}};
const branches first_true{{0, 1}};

const json callee = function_of("E::e()", 90, {site_of(91)}, both);

using pairs = std::vector<coupled_pair>;

TEST(Coupling, HasNoSitesThatOnlyAnExceptionLeadsTo) {
  json in_handler = call_of("E::e()", none, none);
  in_handler.erase("always");
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, none, {in_handler, call_of("E::e()", first_true, first_true)}),
      callee,
  })});
  const auto found = coupled(graph, {"R"}, {"E"}, {.has_entry_branch = true});
  EXPECT_TRUE(found.sites.empty());
  EXPECT_TRUE(found.pairs.empty());
}

TEST(Coupling, CandidatesOfEntriesNeedNoDecisionOfTheCaller) {
  const branch_graph graph = graph_of({unit_of(
      {function_of("R::f()", 10, {}, none, {call_of("E::e()", none, none)}), callee}, {class_of("R"), class_of("E")})});
  EXPECT_TRUE(candidates(graph).empty());
  ASSERT_EQ(candidates(graph, {.has_entry_branch = true}).size(), 1U);
  EXPECT_EQ(candidates(graph, {.has_entry_branch = true})[0].pairs, 2U);
}

TEST(Coupling, GoesUpFromACallThatRunsWheneverItsMethodDoes) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, both, {call_of("R::g()", first_true, first_true)}),
      function_of("R::g()", 20, {}, none, {call_of("R::h()", none, none)}),
      function_of("R::h()", 30, {}, none, {call_of("E::e()", none, none)}),
      callee,
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, (pairs{{{0, 0, 1}, {3, 0, 0}}, {{0, 0, 1}, {3, 0, 1}}}));
}

TEST(Coupling, DoesNotGoUpFromACallThatABranchLeadsTo) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, both, {call_of("R::g()", first_true, first_true)}),
      function_of("R::g()", 20, {site_of(21)}, both, {call_of("E::e()", first_true, first_true)}),
      callee,
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, (pairs{{{1, 0, 1}, {2, 0, 0}}, {{1, 0, 1}, {2, 0, 1}}}));
}

TEST(Coupling, EndsAtMethodsThatCallEachOther) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {}, none, {call_of("R::g()", none, none), call_of("E::e()", none, none)}),
      function_of("R::g()", 20, {site_of(21)}, both,
                  {call_of("R::f()", none, none), call_of("R::f()", first_true, first_true)}),
      function_of("E::e()", 90, {site_of(91)}, both, {call_of("E::e()", first_true, first_true)}),
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, (pairs{{{1, 0, 1}, {2, 0, 0}}, {{1, 0, 1}, {2, 0, 1}}}));
}

TEST(Coupling, JoinsWhatTheCalleeCallsInItself) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, both, {call_of("E::e()", first_true, first_true)}),
      function_of("E::e()", 20, {site_of(21)}, both,
                  {call_of("E::d()", first_true, first_true), call_of("O::o()", none, none)}),
      function_of("E::d()", 30, {site_of(31)}, both),
      function_of("O::o()", 40, {site_of(41)}, both),
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).sites.at(0).callee,
            (std::vector<branch_id>{{1, 0, 0}, {1, 0, 1}, {2, 0, 0}, {2, 0, 1}}));
}

TEST(Coupling, IsTheUnionOverCallSites) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11), site_of(12)}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                  {call_of("E::e()", first_true, first_true), call_of("E::e()", {{1, 0}}, {{1, 0}}),
                   call_of("E::e()", first_true, first_true)}),
      callee,
  })});
  const coupled_branches found = coupled(graph, {"R"}, {"E"});
  EXPECT_EQ(found.sites.size(), 3U);
  EXPECT_EQ(found.pairs,
            (pairs{{{0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 1}}, {{0, 1, 0}, {1, 0, 0}}, {{0, 1, 0}, {1, 0, 1}}}));
}

TEST(Coupling, LeavesOutABranchThatDoesNotAlwaysLeadToTheCall) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11), site_of(12)}, both,
                  {call_of("E::e()", {{0, 1}, {1, 1}}, {{1, 0}, {1, 1}})}),
      callee,
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).sites.at(0).caller, (std::vector<branch_id>{{0, 1, 1}}));
}

TEST(Coupling, OfAnUnconditionalCallIsEmptyAndCounted) {
  const branch_graph graph =
      graph_of({unit_of({function_of("R::f()", 10, {}, none, {call_of("E::e()", none, none)}), callee})});
  const coupled_branches found = coupled(graph, {"R"}, {"E"});
  EXPECT_EQ(found.pairs, pairs{});
  EXPECT_EQ(found.sites.size(), 1U);
  EXPECT_EQ(found.sites_without_branch, 1U);
}

TEST(Coupling, OfAnUnconditionalCallIsThatOfTheEntryIfItIsAskedFor) {
  const branch_graph graph =
      graph_of({unit_of({function_of("R::f()", 10, {}, none, {call_of("E::e()", none, none)}), callee})});
  const coupled_branches found = coupled(graph, {"R"}, {"E"}, {.has_entry_branch = true});
  EXPECT_EQ(found.pairs, (pairs{{{0, entry_site, 1}, {1, 0, 0}}, {{0, entry_site, 1}, {1, 0, 1}}}));
  EXPECT_TRUE(found.pairs.at(0).caller.is_entry());
  EXPECT_EQ(found.sites_without_branch, 1U);
}

TEST(Coupling, OfACalleeWithoutBranchesIsEmpty) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, both, {call_of("E::e()", first_true, first_true)}),
      function_of("E::e()", 90, {}, none),
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, pairs{});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).sites_without_branch, 0U);
}

TEST(Coupling, OfClassesWithoutACallHasNoSites) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11)}, both, {call_of("O::o()", first_true, first_true)}),
      callee,
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).sites.size(), 0U);
  EXPECT_EQ(coupled(graph, {"R"}, {"R"}).sites.size(), 0U);
  EXPECT_EQ(called_classes(graph, {"R"}), (std::vector<std::string>{"O"}));
}

TEST(Coupling, LeavesOutOutcomesThatNeverOccur) {
  const branch_graph graph = graph_of({unit_of({
      function_of("R::f()", 10, {site_of(11, {1}), site_of(12)}, {{0, 0}, {0, 1}, {1, 0}, {1, 1}},
                  {call_of("E::e()", {{0, 1}, {1, 1}}, {{0, 1}, {1, 1}})}),
      function_of("E::e()", 90, {site_of(91, {0})}, both),
  })});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, (pairs{{{0, 1, 1}, {1, 0, 1}}}));
}

TEST(Coupling, CountsAFunctionOfAHeaderOnce) {
  json header = unit_of({callee});
  header["files"][0]["path"] = "e.hpp";
  const json source =
      unit_of({function_of("R::f()", 10, {site_of(11)}, both, {call_of("E::e()", first_true, first_true)})});
  const branch_graph graph = graph_of({header, source, header});
  EXPECT_EQ(graph.functions.size(), 2U);
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs.size(), 2U);
}

TEST(Coupling, OfFilesTellsStaticFunctionsOfOneNameApart) {
  json other =
      unit_of({function_of("R::f()", 10, {site_of(11)}, both, {call_of("E::e()", first_true, first_true)}), callee});
  other["files"][0]["path"] = "b.cpp";
  const branch_graph graph = graph_of({unit_of({callee}), other});
  EXPECT_EQ(coupled(graph, {"R"}, {"E"}).pairs, (pairs{{{1, 0, 1}, {2, 0, 0}}, {{1, 0, 1}, {2, 0, 1}}}));
}

TEST(Coupling, OfFilesLeavesOutACallThatSeveralOthersFit) {
  json one = unit_of({callee}), other = one;
  one["files"][0]["path"] = "b.cpp";
  other["files"][0]["path"] = "c.cpp";
  const json caller =
      unit_of({function_of("R::f()", 10, {site_of(11)}, both, {call_of("E::e()", first_true, first_true)})});
  EXPECT_EQ(coupled(graph_of({caller, one}), {"R"}, {"E"}).pairs.size(), 2U);
  EXPECT_EQ(coupled(graph_of({caller, one, other}), {"R"}, {"E"}).pairs.size(), 0U);
}

TEST(Coupling, FollowsOverridesOverSeveralClasses) {
  json virtual_call = call_of("A::v()", first_true, first_true);
  virtual_call["virtual"] = true;
  const branch_graph graph = graph_of({unit_of(
      {function_of("A::f()", 10, {site_of(11)}, both, {virtual_call}), function_of("C::v()", 20, {site_of(21)}, both)},
      {class_of("A"), class_of("B", {"A"}, {{"B::v()", "A::v()"}}), class_of("C", {"B"}, {{"C::v()", "B::v()"}})})});
  EXPECT_EQ(coupled(graph, {"A"}, {"C"}).pairs, (pairs{{{0, 0, 1}, {1, 0, 0}}, {{0, 0, 1}, {1, 0, 1}}}));
  EXPECT_EQ(coupled(graph, {"A"}, {"B"}).pairs, pairs{});
}

TEST(Coupling, FindsClassesByTheEndOfTheirNames) {
  const branch_graph graph = graph_of({unit_of({}, {class_of("a::R"), class_of("b::R"), class_of("OR")})});
  EXPECT_EQ(classes_named(graph, "R"), (std::vector<std::string>{"a::R", "b::R"}));
  EXPECT_EQ(classes_named(graph, "b::R"), (std::vector<std::string>{"b::R"}));
  EXPECT_EQ(classes_named(graph, "X"), (std::vector<std::string>{}));
}

}  // namespace
}  // namespace morph::coupling
