// Adaptive execution: where inputs lie, which sources and relations are chosen, what is counted, when it stops.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "morph/morph.hpp"
#include "plugin/spec/adaptive/adaptive.hpp"
#include "plugin/spec/adaptive/log.hpp"
#include "plugin/spec/adaptive/report.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using morph::nowhere;
using morph::verdict;
using morph::engine::adaptive_options;
using morph::engine::adaptive_row;
using morph::engine::adaptive_summary;
using morph::engine::options;
using morph::engine::partitioning;
using morph::engine::placed;
using morph::engine::probabilities;
using morph::engine::relation_choice;
using morph::engine::run_adaptively;
using morph::engine::session;
using morph::engine::source_choice;
using number_spec = morph::spec<int, int>;

struct ran {
  std::string error;
  adaptive_summary found;
  std::vector<adaptive_row> rows;
  std::vector<probabilities> profiles;
};

ran run(morph::spec_base& spec, const adaptive_options& by, options how = {},
        const std::vector<adaptive_row>& before = {}) {
  ran made;
  how.shrink = false;
  session at_work(spec, how);
  made.error = run_adaptively(
      at_work, how, by, before,
      [&](const adaptive_row& row, const probabilities& profile) {
        made.rows.push_back(row);
        made.profiles.push_back(profile);
      },
      made.found);
  return made;
}

adaptive_options taking(source_choice sources, relation_choice relations, std::uint64_t steps) {
  adaptive_options by;
  by.sources = sources;
  by.relations = relations;
  by.most_steps = steps;
  return by;
}

/// Numbers below 10, below 100, and the others; what is above 900 is wrong.
void declare(number_spec& s) {
  s.execute([](int n) { return n > 900 ? 0 : n; });
  s.seeds("random", morph::draw(50, morph::integers(0, 999)));
  s.partitions({{"one digit", [](int n) { return n < 10; }},
                {"two", [](int n) { return n >= 10 && n < 100; }},
                {"more", [](int n) { return n >= 100; }}});
  const auto next = s.datamorph("next", [](int n) { return n + 1; });
  const auto same = s.datamorph("same", [](int n) { return n; });
  s.relation("larger", next, [](auto& m, auto& o) { return m.output > o.output; });
  s.relation("not larger", same, [](auto& m, auto& o) { return m.output <= o.output; });
}

placed place_of(morph::spec_base& spec, const std::string& input) {
  std::string error;
  placed where;
  const auto at = spec.read_input(input, error);
  EXPECT_EQ(partitioning(spec).place(at, where), "");
  return where;
}
std::string place_error(morph::spec_base& spec, const std::string& input) {
  std::string error;
  placed where;
  return partitioning(spec).place(spec.read_input(input, error), where);
}

// ---- partitions

TEST(SpecPartitions, AnInputLiesInOne) {
  number_spec s("numbers");
  declare(s);
  EXPECT_EQ(s.problem(), "");
  EXPECT_EQ(partitioning(s).names(), (std::vector<std::string>{"one digit", "two", "more"}));
  EXPECT_EQ(place_of(s, "7").partition, 0u);
  EXPECT_EQ(place_of(s, "99").partition, 1u);
  EXPECT_EQ(place_of(s, "100").partition, 2u);
}

TEST(SpecPartitions, OverlapsAndGapsAreToldWithTheInput) {
  number_spec s("numbers");
  s.partitions({{"small", [](int n) { return n < 10; }}, {"even", [](int n) { return n % 2 == 0; }}});
  EXPECT_EQ(place_error(s, "4"),
            "the input 4 lies in two partitions: 'small' and 'even'; let one leave out what is of the other");
  EXPECT_EQ(place_error(s, "13"), "the input 13 lies in no partition; add one for what is left");
  number_spec t("others");
  t.category("size", {{"small", [](int n) { return n < 10; }}, {"even", [](int n) { return n % 2 == 0; }}});
  EXPECT_EQ(place_error(t, "4"),
            "the input 4 has two choices of the category 'size': 'small' and 'even'; let one leave "
            "out what is of the other");
  EXPECT_EQ(place_error(t, "13"), "the input 13 has no choice of the category 'size'; add one for what is left");
}

TEST(SpecPartitions, APredicateThatThrowsIsTold) {
  number_spec s("numbers");
  s.partitions({{"all", [](int n) { return n == 3 ? throw std::runtime_error("no three") : true; }}});
  EXPECT_EQ(place_error(s, "3"), "the partition 'all' threw for the input 3: no three");
}

struct request {
  int length = 0;
  std::string kind;
  std::size_t size() const { return kind.size(); }
};

using request_spec = morph::spec<request, int>;
void declare(request_spec& s) {
  s.category("length", &request::length,
             {{"zero", [](int n) { return n == 0; }}, {"some", [](int n) { return n > 0; }}});
  s.category("kind", &request::size,
             {{"none", [](std::size_t n) { return n == 0; }}, {"named", [](std::size_t n) { return n > 0; }}});
  s.category("both", [](const request& r) { return r.length > 3 && !r.kind.empty(); },
             {{"yes", [](bool both) { return both; }}, {"no", [](bool both) { return !both; }}});
  s.exclude({"length", "zero"}, {"kind", "named"});
  s.exclude({"both", "yes"}, {"length", "zero"});
  s.exclude({"both", "yes"}, {"kind", "none"});
}

TEST(SpecPartitions, CategoriesMakeFramesOfWhatDoesNotExcludeEachOther) {
  request_spec s("requests");
  declare(s);
  EXPECT_EQ(partitioning(s).names(),
            (std::vector<std::string>{"length=zero, kind=none, both=no", "length=some, kind=none, both=no",
                                      "length=some, kind=named, both=yes", "length=some, kind=named, both=no"}));
  EXPECT_EQ(place_of(s, "[0,\"\"]").partition, 0u);
  EXPECT_EQ(place_of(s, "[4,\"\"]").partition, 1u);
  EXPECT_EQ(place_of(s, "[4,\"x\"]").partition, 2u);
  EXPECT_EQ(place_of(s, "[1,\"x\"]").partition, 3u);
  EXPECT_EQ(
      place_error(s, "[0,\"x\"]"),
      "the input {\"length\":0,\"kind\":\"x\"} is 'zero' of 'length' and 'named' of 'kind', of which exclude() says "
      "that no input is both");
}

TEST(SpecPartitions, TwoInputsDifferInCategories) {
  request_spec s("requests");
  declare(s);
  const partitioning parts(s);
  EXPECT_EQ(parts.difference(place_of(s, "[0,\"\"]"), place_of(s, "[0,\"\"]")), 0u);
  EXPECT_EQ(parts.difference(place_of(s, "[0,\"\"]"), place_of(s, "[2,\"\"]")), 1u);
  EXPECT_EQ(parts.difference(place_of(s, "[0,\"\"]"), place_of(s, "[9,\"x\"]")), 3u);
}

TEST(SpecPartitions, PartitionsDecideAndCategoriesTellRelationsApart) {
  number_spec s("numbers");
  s.category("parity", {{"even", [](int n) { return n % 2 == 0; }}, {"odd", [](int n) { return n % 2 != 0; }}});
  s.partitions({{"small", [](int n) { return n < 10; }}, {"large", [](int n) { return n >= 10; }}});
  EXPECT_EQ(partitioning(s).names(), (std::vector<std::string>{"small", "large"}));
  EXPECT_EQ(partitioning(s).difference(place_of(s, "1"), place_of(s, "12")), 2u);
  EXPECT_EQ(partitioning(s).difference(place_of(s, "1"), place_of(s, "2")), 1u);
}

std::string problem_of(void (*declare_it)(number_spec&)) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("one", {1});
  declare_it(s);
  return s.problem();
}

TEST(SpecPartitions, WhatIsDeclaredWrongIsTold) {
  EXPECT_EQ(problem_of([](number_spec& s) { s.partitions({}); }),
            "the partitions have 0 choices; from 1 to 65,535 are possible");
  EXPECT_EQ(problem_of([](number_spec& s) {
              s.partitions({{"a", [](int) { return true; }}});
              s.partitions({{"b", [](int) { return true; }}});
            }),
            "it declares partitions twice; put them into one list");
  EXPECT_EQ(problem_of([](number_spec& s) {
              s.category("size", {{"a", [](int) { return true; }}, {"a", [](int) { return true; }}});
            }),
            "two choices of the category 'size' are named 'a'; rename one");
  EXPECT_EQ(problem_of([](number_spec& s) {
              s.category("size", {{"small", [](int) { return true; }}});
              s.exclude({"size", "smal"}, {"size", "small"});
            }),
            "exclude(): the category 'size' has no choice 'smal'; did you mean 'small'?");
  EXPECT_EQ(problem_of([](number_spec& s) {
              s.category("size", {{"small", [](int) { return true; }}});
              s.exclude({"sise", "small"}, {"size", "small"});
            }),
            "exclude(): there is no category 'sise'; did you mean 'size'?");
  EXPECT_EQ(problem_of([](number_spec& s) {
              s.category("size", {{"small", [](int) { return true; }}});
              s.category("kind", {{"odd", [](int) { return true; }}});
              s.exclude({"size", "small"}, {"kind", "odd"});
            }),
            "its exclusions leave no frame");
}

// ---- the loop

TEST(SpecAdaptive, EqualSeedsGiveEqualRows) {
  for (const source_choice sources :
       {source_choice::random, source_choice::art, source_choice::uniform, source_choice::drt, source_choice::mdrt,
        source_choice::mapt, source_choice::rapt})
    for (const relation_choice relations : {relation_choice::uniform, relation_choice::m_amt, relation_choice::pbmr}) {
      number_spec a("numbers"), b("numbers"), c("numbers");
      declare(a);
      declare(b);
      declare(c);
      options other;
      other.seed = 2;
      const ran first = run(a, taking(sources, relations, 200));
      EXPECT_EQ(first.error, "");
      ASSERT_EQ(first.rows.size(), 200u);
      EXPECT_EQ(run(b, taking(sources, relations, 200)).rows, first.rows);
      EXPECT_NE(run(c, taking(sources, relations, 200), other).rows, first.rows);
    }
}

TEST(SpecAdaptive, SourcesAreOfThePartitionThatWasDrawn) {
  number_spec s("numbers");
  declare(s);
  adaptive_options by = taking(source_choice::uniform, relation_choice::uniform, 600);
  by.start = {1, 0, 0};
  by.with.floor = 0;
  const ran made = run(s, by);
  // But for the first one, which is of all.
  EXPECT_EQ(made.found.by_partition[0].checked() + (made.rows[0].partition == 0 ? 0u : 1u), 600u);
}

TEST(SpecAdaptive, WithoutAProfileAllPartitionsAreAsLikelyAndRandomOnesAreAsTheSeedsAre) {
  number_spec s("numbers"), t("numbers");
  declare(s);
  declare(t);
  const ran equal = run(s, taking(source_choice::uniform, relation_choice::uniform, 3000));
  for (const auto& each : equal.found.by_partition) EXPECT_NEAR(static_cast<double>(each.checked()), 1000, 120);
  const ran as_they_are = run(t, taking(source_choice::random, relation_choice::uniform, 3000));
  EXPECT_LT(as_they_are.found.by_partition[0].checked(), 80u);  // 1 % of the numbers
  EXPECT_GT(as_they_are.found.by_partition[2].checked(), 2500u);
}

TEST(SpecAdaptive, TheProfileFollowsTheFormulas) {
  number_spec s("numbers");
  declare(s);
  adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 300);
  by.with.delta = 0.01;
  const ran made = run(s, by);
  probabilities p(3, 1.0 / 3);
  morph::engine::profile same(morph::engine::profile_rule::mdrt, by.with, p);
  bool differed = false;
  for (std::size_t i = 0; i < made.rows.size(); ++i) {
    const adaptive_row& row = made.rows[i];
    differed = differed || row.partition != row.follow_up;
    same.update({row.partition, row.follow_up, row.found == verdict::fail});
    ASSERT_EQ(made.profiles[i], same.now()) << "step " << i + 1;
  }
  EXPECT_TRUE(differed);
  EXPECT_GT(made.found.violations, 0u);
}

TEST(SpecAdaptive, PbmrTakesTheFollowUpThatDiffersMost) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.category("parity", {{"even", [](int n) { return n % 2 == 0; }}, {"odd", [](int n) { return n % 2 != 0; }}});
  s.category("size", {{"small", [](int n) { return n < 100; }}, {"large", [](int n) { return n >= 100; }}});
  const auto holds = [](auto&, auto&) { return true; };
  s.relation("none", s.datamorph("same", [](int n) { return n; }), holds);
  s.relation("one", s.datamorph("next", [](int n) { return n + 1 - (n == 99 ? 2 : 0); }), holds);
  s.relation(
      "two",
      s.datamorph("far odd",
                  [](int n) -> std::optional<int> { return n % 3 == 0 ? std::optional<int>(n + 101) : std::nullopt; }),
      holds);
  const ran made = run(s, taking(source_choice::uniform, relation_choice::pbmr, 300));
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.found.by_rule[0].checked(), 0u);
  EXPECT_NEAR(static_cast<double>(made.found.by_rule[1].checked()), 200, 30);
  EXPECT_NEAR(static_cast<double>(made.found.by_rule[2].checked()), 100, 30);
}

TEST(SpecAdaptive, UniformRelationsAreThoseThatApply) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.partitions({{"even", [](int n) { return n % 2 == 0; }}, {"odd", [](int n) { return n % 2 != 0; }}});
  const auto holds = [](auto&, auto&) { return true; };
  s.relation("any", s.datamorph("same", [](int n) { return n; }), holds);
  const auto odd = s.datamorph("of odd ones", [](int n) { return n + 1; });
  odd.filter([](int, int n) { return n % 2 != 0; });
  s.relation("odd", odd, holds);
  for (const relation_choice how : {relation_choice::uniform, relation_choice::m_amt}) {
    const ran made = run(s, taking(source_choice::uniform, how, 1000));
    EXPECT_NEAR(static_cast<double>(made.found.by_rule[0].checked()), 750, 60);
    EXPECT_NEAR(static_cast<double>(made.found.by_rule[1].checked()), 250, 60);
  }
}

TEST(SpecAdaptive, AdaptiveRandomSourcesAreFarFromThoseBefore) {
  const auto spread = [](source_choice how) {
    number_spec s("numbers");
    s.execute([](int n) { return n; });
    s.seeds("random", morph::draw(50, morph::integers(0, 999)));
    std::vector<int> sources;
    s.relation("any", s.datamorph("same", [&sources](int n) { return sources.push_back(n), n; }),
               [](auto&, auto&) { return true; });
    EXPECT_EQ(run(s, taking(how, relation_choice::uniform, 60)).error, "");
    std::sort(sources.begin(), sources.end());
    int least = 1000;
    for (std::size_t i = 1; i < sources.size(); ++i) least = std::min(least, sources[i] - sources[i - 1]);
    return least;
  };
  EXPECT_LE(spread(source_choice::random), 1);
  EXPECT_GE(spread(source_choice::art), 3);
}

TEST(SpecAdaptive, ADistanceThatIsNoneEndsAdaptiveRandomTesting) {
  const auto error = [](double (*apart)(int, int)) {
    number_spec s("numbers");
    s.execute([](int n) { return n; });
    s.seeds("literal", {1, 2});
    s.distance_by([apart](int a, int b) { return apart(a, b); });
    s.relation("any", s.datamorph("same", [](int n) { return n; }), [](auto&, auto&) { return true; });
    const ran made = run(s, taking(source_choice::art, relation_choice::uniform, 50));
    EXPECT_EQ(made.found.steps, 1u);
    const std::string end =
        "; adaptive random testing needs a finite one from 0 on: mend distance_by(), or leave such "
        "inputs out of the seeds";
    const std::size_t at = made.error.find(end);
    const std::size_t verb = std::min(made.error.find(" is "), made.error.find(" threw"));
    EXPECT_EQ(made.error.rfind("the distance of ", 0), 0u);
    return at == made.error.npos ? made.error.substr(std::min(verb, made.error.size()))
                                 : made.error.substr(verb, at - verb);
  };
  EXPECT_EQ(error([](int, int) { return std::nan(""); }), " is not a number");
  EXPECT_EQ(error([](int, int) { return -1.0; }), " is -1");
  EXPECT_EQ(error([](int, int) -> double { throw std::runtime_error("no way between them"); }),
            " threw: no way between them");
  EXPECT_EQ(error([](int, int) -> double { throw 1; }), " threw an exception that is no std::exception");
}

TEST(SpecAdaptive, MeasuresCountStepsToTheViolations) {
  number_spec s("numbers");
  declare(s);
  const ran made = run(s, taking(source_choice::random, relation_choice::uniform, 2000));
  std::vector<std::uint64_t> violated;
  std::map<std::size_t, std::uint64_t> first_of_kind;
  for (const adaptive_row& row : made.rows)
    if (row.found == verdict::fail) {
      violated.push_back(row.step);
      first_of_kind.emplace(row.check, row.step);
    }
  ASSERT_GT(violated.size(), 2u);
  EXPECT_EQ(made.found.f, violated[0]);
  EXPECT_EQ(made.found.f2, violated[1] - violated[0]);
  std::uint64_t last = 0;
  for (const auto& [check, step] : first_of_kind) last = std::max(last, step);
  EXPECT_EQ(made.found.t, last);
  EXPECT_EQ(made.found.violations, violated.size());
}

TEST(SpecAdaptive, ItStopsWhereItIsTold) {
  number_spec s("numbers"), t("numbers"), u("numbers");
  declare(s);
  declare(t);
  declare(u);
  EXPECT_EQ(run(s, taking(source_choice::mdrt, relation_choice::pbmr, 7)).found.stopped, "7 steps");
  adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 0);
  by.most_violations = 1;
  const ran one = run(t, by);
  EXPECT_EQ(one.found.stopped, "the first violation");
  EXPECT_EQ(one.found.steps, one.found.f);
  by.most_violations = 3;
  const ran three = run(u, by);
  EXPECT_EQ(three.found.stopped, "3 violations");
  EXPECT_EQ(three.found.violations, 3u);
  options how;
  how.most_seconds = 0.05;
  by.most_violations = 0;
  EXPECT_EQ(run(s, by, how).found.stopped, "the limit of time");
}

TEST(SpecAdaptive, PartitionsWithoutSeedsAreToldAndNotDrawn) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("literal", {1, 2, 3});
  s.partitions({{"small", [](int n) { return n < 10; }}, {"large", [](int n) { return n >= 10; }}});
  s.relation("any", s.datamorph("far", [](int n) { return n + 100; }), [](auto&, auto&) { return true; });
  const ran made = run(s, taking(source_choice::mdrt, relation_choice::pbmr, 50));
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.found.has_seeds, (std::vector<bool>{true, false}));
  EXPECT_EQ(made.found.by_partition[0].checked(), 50u);
  EXPECT_EQ(made.profiles.back(), (probabilities{1, 0}));
  EXPECT_EQ(made.rows.back().follow_up, 1u);
}

TEST(SpecAdaptive, NoRelationForAPartitionIsAnErrorWithAnExample) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("literal", {1, 12});
  s.partitions({{"small", [](int n) { return n < 10; }}, {"large", [](int n) { return n >= 10; }}});
  s.relation("any", s.datamorph("of small ones", [](int n) { return n < 10 ? std::optional<int>(n) : std::nullopt; }),
             [](auto&, auto&) { return true; });
  for (const relation_choice how : {relation_choice::uniform, relation_choice::pbmr, relation_choice::m_amt}) {
    number_spec& again = s;
    EXPECT_EQ(
        run(again, taking(source_choice::uniform, how, 100)).error,
        "no relation applies to the partition 'large': of 100 sources, none of the 1 datamorphisms with relations "
        "made a follow-up, for example of 12; declare a relation for them, or leave such inputs out of the seeds");
  }
  number_spec t("numbers");
  t.execute([](int n) { return n; });
  t.seeds("literal", {1});
  t.datamorph("same", [](int n) { return n; });
  EXPECT_EQ(run(t, taking(source_choice::random, relation_choice::pbmr, 1)).error,
            "it has no relation on what a datamorphism makes, of which adaptive execution chooses one for each test; "
            "declare one: s.relation(\"name\", datamorphism, ...)");
}

TEST(SpecAdaptive, FollowUpsInNoPartitionAreErrors) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("literal", {1});
  s.partitions({{"small", [](int n) { return n < 10; }}});
  s.relation("any", s.datamorph("far", [](int n) { return n + 100; }), [](auto&, auto&) { return true; });
  EXPECT_EQ(run(s, taking(source_choice::uniform, relation_choice::pbmr, 9)).error,
            "the input 101 lies in no partition; add one for what is left (a follow-up by 'far')");
}

/// Numbers in three partitions, in one of which a guard is false for all.
void declare_guarded(number_spec& s) {
  s.execute([](int n) { return n; });
  s.seeds("random", morph::draw(50, morph::integers(0, 299)));
  s.partitions({{"low", [](int n) { return n < 100; }},
                {"mid", [](int n) { return n >= 100 && n < 200; }},
                {"high", [](int n) { return n >= 200; }}});
  s.relation(
      "equal", s.datamorph("same", [](int n) { return n; }), [](auto& m, auto&) { return m.input < 200; },
      [](auto& m, auto& o) { return m.output == o.output; });
}

TEST(SpecAdaptive, APartitionInWhichNothingAppliesDoesNotSwallowTheProfile) {
  for (const source_choice how : {source_choice::drt, source_choice::mdrt, source_choice::mapt, source_choice::rapt}) {
    number_spec s("numbers");
    declare_guarded(s);
    const ran made = run(s, taking(how, relation_choice::uniform, 3000));
    EXPECT_EQ(made.error, "");
    EXPECT_LT(made.profiles.back()[2], 0.6);
    EXPECT_EQ(made.found.by_partition[2].checked(), 0u);
    EXPECT_NEAR(static_cast<double>(made.found.by_partition[2].not_applicable), 1000, 200);
    EXPECT_EQ(made.found.idle, (std::vector<std::uint64_t>{0, 0, made.found.by_partition[2].not_applicable}));
  }
}

TEST(SpecAdaptive, APartitionInWhichNothingAppliesIsTold) {
  number_spec s("numbers");
  declare_guarded(s);
  options how;
  session at_work(s, how);
  adaptive_summary found;
  const adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 1000);
  EXPECT_EQ(run_adaptively(at_work, how, by, {}, {}, found), "");
  const std::string tests = std::to_string(found.by_partition[2].not_applicable);
  const std::string warning = "in the partition 'high' no relation applied to any of " + tests +
                              " tests: a guard or the relation itself says that it is not applicable, or runs gave no "
                              "output; declare a relation that applies there, or leave such inputs out of the seeds";
  EXPECT_EQ(morph::engine::adaptive_warnings(at_work, found), std::vector<std::string>{warning});
  morph::engine::report_style quiet;
  quiet.quiet = true;
  EXPECT_EQ(morph::engine::adaptive_text(at_work, how, by, found, quiet), "warning: numbers: " + warning + "\n");
  EXPECT_NE(morph::engine::adaptive_json(at_work, how, by, found).find("\"warnings\":[\"" + warning + "\"]"),
            std::string::npos);

  // Fewer are not: another source may be one to which it applies.
  number_spec t("numbers");
  declare_guarded(t);
  session few(t, how);
  adaptive_summary of_few;
  EXPECT_EQ(run_adaptively(few, how, taking(source_choice::mdrt, relation_choice::uniform, 90), {}, {}, of_few), "");
  EXPECT_GT(of_few.by_partition[2].not_applicable, 0u);
  EXPECT_EQ(morph::engine::adaptive_warnings(few, of_few), std::vector<std::string>{});
}

TEST(SpecAdaptive, ARelationThatNeverAppliesIsTold) {
  number_spec s("numbers");
  declare_guarded(s);
  s.relation(
      "never", s.datamorph("next", [](int n) { return n < 299 ? n + 1 : n; }), [](auto&, auto&) { return false; },
      [](auto&, auto&) { return true; });
  options how;
  session at_work(s, how);
  adaptive_summary found;
  EXPECT_EQ(run_adaptively(at_work, how, taking(source_choice::random, relation_choice::uniform, 40), {}, {}, found),
            "");
  EXPECT_EQ(morph::engine::adaptive_warnings(at_work, found),
            std::vector<std::string>{
                "\"never\" never applied to any of " + std::to_string(found.by_rule[1].not_applicable) +
                " cases: a guard or the relation itself says that it is not applicable, or runs gave no output"});
}

TEST(SpecAdaptive, PbmrLeavesOutARelationThatDoesNotApply) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("random", morph::draw(50, morph::integers(0, 99)));
  s.category("parity", {{"even", [](int n) { return n % 2 == 0; }}, {"odd", [](int n) { return n % 2 != 0; }}});
  const auto holds = [](auto&, auto&) { return true; };
  s.relation(
      "of odd ones", s.datamorph("next", [](int n) { return n + 1; }), [](auto&, auto& o) { return o.input % 2 != 0; },
      holds);
  s.relation("any", s.datamorph("same", [](int n) { return n; }), holds);
  const ran made = run(s, taking(source_choice::uniform, relation_choice::pbmr, 1000));
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.found.by_rule[0].not_applicable, 50u);
  EXPECT_EQ(made.found.by_partition[0].not_applicable, 50u);
  EXPECT_GT(made.found.by_rule[1].passed, 350u);  // the others of even ones
  EXPECT_GT(made.found.by_rule[0].passed, 400u);  // of odd ones it differs most
}

TEST(SpecAdaptive, PropertiesAndExpectedOutputsAreCheckedOnTheWay) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("labelled", {{1, 1}, {2, 3}});
  s.relation("any", s.datamorph("same", [](int n) { return n; }), [](auto&, auto&) { return true; });
  s.relation("small", morph::mutants, [](auto& c) { return c.output < 2; });
  options how;
  session at_work(s, how);
  adaptive_summary found;
  std::set<std::size_t> violated;
  EXPECT_EQ(run_adaptively(
                at_work, how, taking(source_choice::random, relation_choice::pbmr, 20), {},
                [&](const adaptive_row& row, const probabilities&) {
                  if (row.found == verdict::fail) violated.insert(row.check);
                },
                found),
            "");
  EXPECT_EQ(violated, std::set<std::size_t>{1});
  ASSERT_EQ(at_work.report().violations.size(), 2u);
  EXPECT_EQ(at_work.checks()[at_work.report().violations[0].check].name, "small");
  EXPECT_EQ(at_work.checks()[at_work.report().violations[1].check].name, "expected output");
}

TEST(SpecAdaptive, SeveralSourcesComeFromAllInputs) {
  number_spec s("numbers");
  declare(s);
  std::set<int> seconds;
  s.relation("sum", s.datamorph("add", [&seconds](int a, int b) { return seconds.insert(b), a + b; }),
             [](auto& m, auto& a, auto& b) { return m.output == a.output + b.output; });
  adaptive_options by = taking(source_choice::uniform, relation_choice::uniform, 300);
  by.start = {1, 0, 0};
  by.with.floor = 0;
  EXPECT_EQ(run(s, by).error, "");
  EXPECT_GT(*seconds.rbegin(), 900);
}

// ---- logs

TEST(SpecAdaptiveLog, WhatIsWrittenIsRead) {
  number_spec s("numbers");
  declare(s);
  s.relation(
      "even", morph::all_cases, [](auto& c) { return c.input % 2 == 0; }, [](auto& c) { return c.output % 2 == 0; });
  const adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 25);
  const ran made = run(s, by);
  const options how;
  std::vector<std::string> checks;
  for (const auto& each : morph::engine::checks_of(s, true)) checks.push_back(each.name);
  std::string text = morph::engine::head_line(morph::engine::head_of(s, how, by));
  for (std::size_t i = 0; i < made.rows.size(); ++i)
    text += morph::engine::row_line(s, made.found.partitions, checks, made.rows[i], made.profiles[i]);
  const morph::test_support::temporary_folder folder;
  folder.write("log", text);
  const std::string path = (folder / "log").string();
  const auto read = morph::engine::read_adaptive_log(path, &s, checks);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.rows, made.rows);
  EXPECT_EQ(morph::engine::difference_of(read.head, morph::engine::head_of(s, how, by)), "");
  EXPECT_EQ(read.whole_bytes, text.size());

  // Cut off anywhere, what is whole is read.
  const std::size_t head = text.find('\n') + 1;
  for (std::size_t size = 0; size < text.size(); size += size < head + 500 ? 1 : 97) {
    folder.write("log", text.substr(0, size));
    const auto part = morph::engine::read_adaptive_log(path, &s, checks);
    const std::size_t whole = text.substr(0, size).rfind('\n') + 1;
    EXPECT_EQ(part.error, size < head ? path + ":1: this is no log of adaptive execution" : "") << size;
    EXPECT_EQ(part.whole_bytes, whole) << size;
    ASSERT_LE(part.rows.size(), made.rows.size());
    EXPECT_TRUE(std::equal(part.rows.begin(), part.rows.end(), made.rows.begin())) << size;
  }
}

TEST(SpecAdaptiveLog, WhatIsNoLogIsToldWithTheLine) {
  number_spec s("numbers");
  declare(s);
  const morph::test_support::temporary_folder folder;
  const std::string path = (folder / "log").string();
  const std::string head = "{\"morph\":\"adaptive\",\"version\":1,\"partitions\":[\"one digit\",\"two\"]}\n";
  const auto error = [&](const std::string& text) {
    folder.write("log", text);
    std::string told = morph::engine::read_adaptive_log(path, &s, {"larger"}).error;
    return told.rfind(path, 0) == 0 ? told.substr(path.size()) : told;
  };
  EXPECT_EQ(error("{\"morph\":\"pool\",\"version\":1}\n"), ":1: this is no log of adaptive execution");
  EXPECT_EQ(error("{\"morph\":\"adaptive\",\"version\":9}\n"),
            ":1: the log is of version 9, and this Morph knows version 1");
  EXPECT_EQ(error(head + "{\"step\":2,\"partition\":\"two\",\"follow_up\":\"two\",\"verdict\":\"pass\"}\n"),
            ":2: step 2 stands where step 1 is wanted");
  EXPECT_EQ(error(head + "{\"step\":1,\"partition\":\"three\"}\n"), ":2: the log has no partition 'three'");
  EXPECT_EQ(error(head + "{\"step\":1,\"partition\":\"two\",\"verdict\":\"good\"}\n"), ":2: 'good' is no verdict");
  EXPECT_EQ(error(head + "{\"step\":1,\"others\":\"pnx\",\"verdict\":\"pass\"}\n"),
            ":2: 'pnx' are no verdicts; p, f and n are");
  EXPECT_EQ(error(head + "{\"step\":1,\"relation\":\"lager\",\"verdict\":\"pass\"}\n"),
            ":2: the spec has no relation 'lager'");
  EXPECT_EQ(error(head + "{\"step\":1,\"source\":\"xyz\"}\n"), ":2: 'xyz' is not the id of an input");
  EXPECT_EQ(error(head + "nonsense\n"), ":2: at 0: '{' is wanted, not 'n'");
  std::remove(path.c_str());
  EXPECT_EQ(morph::engine::read_adaptive_log(path, &s, {}).error, "'" + path + "' cannot be read");
}

TEST(SpecAdaptiveLog, AResumedRunGivesWhatAWholeOneGives) {
  for (const source_choice sources :
       {source_choice::random, source_choice::art, source_choice::mdrt, source_choice::mapt, source_choice::rapt}) {
    number_spec s("numbers"), t("numbers");
    declare(s);
    declare(t);
    const adaptive_options by = taking(sources, relation_choice::uniform, 300);
    const ran whole = run(s, by);
    const std::vector<adaptive_row> before(whole.rows.begin(), whole.rows.begin() + 120);
    const ran rest = run(t, by, {}, before);
    EXPECT_EQ(rest.error, "");
    EXPECT_EQ(rest.found.resumed, 120u);
    EXPECT_EQ(rest.rows, std::vector<adaptive_row>(whole.rows.begin() + 120, whole.rows.end()));
    EXPECT_EQ(rest.profiles.back(), whole.profiles.back());
    EXPECT_EQ(rest.found.f, whole.found.f);
    EXPECT_EQ(rest.found.f2, whole.found.f2);
    EXPECT_EQ(rest.found.t, whole.found.t);
    EXPECT_EQ(rest.found.violated_at, whole.found.violated_at);
  }
}

TEST(SpecAdaptiveLog, KnownVerdictsAreNotFoundAgain) {
  number_spec s("numbers"), t("numbers");
  declare(s);
  const adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 50);
  const ran whole = run(s, by);
  int runs = 0;
  declare(t);
  t.execute("counting", [&runs](int n) { return ++runs, n > 900 ? 0 : n; });
  adaptive_options second = by;
  second.executer = 1;
  std::size_t violations = 0;
  for (const adaptive_row& row : whole.rows) violations += row.found == verdict::fail ? 1 : 0;
  EXPECT_EQ(run(t, second, {}, whole.rows).rows.size(), 0u);
  EXPECT_LE(runs, static_cast<int>(2 * violations));
}

TEST(SpecAdaptiveLog, ALogOfAnotherSpecIsNoneToGoOnFrom) {
  number_spec s("numbers"), t("numbers");
  declare(s);
  declare(t);
  const adaptive_options by = taking(source_choice::mdrt, relation_choice::uniform, 50);
  std::vector<adaptive_row> rows = run(s, by).rows;
  ++rows[20].source_id;
  EXPECT_EQ(run(t, by, {}, rows).error,
            "step 21 of the log is another one than is chosen now: the spec, its seeds or Morph changed since; begin "
            "anew without --resume");
}

TEST(SpecAdaptiveLog, ViolationsOfALogMakeAProfile) {
  morph::engine::read_log log;
  log.partitions = {"b", "a"};
  log.by_partition = {{10, 3, 0}, {100, 1, 5}};
  probabilities made;
  EXPECT_EQ(morph::engine::profile_of_log(log, {"a", "b", "c"}, made), "");
  // (violations + 1) / (4 + 3)
  EXPECT_EQ(made, (probabilities{2.0 / 7, 4.0 / 7, 1.0 / 7}));
  EXPECT_EQ(morph::engine::profile_of_log(log, {"a", "c"}, made),
            "the log is of a partition 'b', which the spec does not have; was it renamed to 'a'?");
}

TEST(SpecAdaptive, FewerProfilesAreKeptOfMany) {
  number_spec s("numbers");
  s.execute([](int n) { return n; });
  s.seeds("random", morph::draw(50, morph::integers(0, 4095)));
  for (int digit = 0; digit < 6; ++digit) {
    const auto is = [digit](int value) { return [=](int n) { return (n >> (2 * digit)) % 4 == value; }; };
    s.category(std::to_string(digit), {{"0", is(0)}, {"1", is(1)}, {"2", is(2)}, {"3", is(3)}});
  }
  s.relation("any", s.datamorph("same", [](int n) { return n; }), [](auto&, auto&) { return true; });
  const ran made = run(s, taking(source_choice::mdrt, relation_choice::uniform, 1000));
  EXPECT_EQ(made.error, "");
  EXPECT_EQ(made.found.partitions.size(), 4096u);
  EXPECT_LE(made.found.over_time.size(), 65u);
  EXPECT_GE(made.found.over_time.size(), 32u);
  EXPECT_EQ(made.found.over_time.back().step, 1000u);
}

// ---- the plot

TEST(SpecAdaptiveReport, ThePlotHasAllPartitions) {
  number_spec s("a<b");
  declare(s);
  const ran made = run(s, taking(source_choice::mdrt, relation_choice::uniform, 5000));
  EXPECT_LE(made.found.over_time.size(), 513u);
  EXPECT_EQ(made.found.over_time.back().step, 5000u);
  const std::string svg = morph::engine::profile_svg(s, made.found);
  EXPECT_EQ(svg.rfind("<svg ", 0), 0u);
  EXPECT_NE(svg.find("a&lt;b: profile over time"), svg.npos);
  for (const char* const name : {"<title>one digit</title>", "<title>two</title>", "<title>more</title>"})
    EXPECT_NE(svg.find(name), svg.npos) << name;
}

}  // namespace
