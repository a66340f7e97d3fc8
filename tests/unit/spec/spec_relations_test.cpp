// Verdicts: guards, scopes, failed runs, labels, several executers, statistical relations.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "morph/random.hpp"
#include "morph/spec.hpp"
#include "morph/statistics.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using morph::tally;
using morph::verdict;
using morph::engine::options;
using morph::engine::session;
using number_spec = morph::spec<int, int>;

options unshrunk() {
  options how;
  how.shrink = false;
  return how;
}

/// Passed, failed, not applicable.
using counts = std::vector<std::uint64_t>;
counts counts_of(const tally& of) {
  return {of.passed, of.failed, of.not_applicable};
}
const tally& tally_of(session& at_work, const std::string& check, std::size_t executer = 0) {
  for (std::size_t k = 0; k < at_work.checks().size(); ++k)
    if (at_work.checks()[k].name == check) return at_work.report().tallies[k][executer];
  ADD_FAILURE() << "no check " << check;
  static const tally none;
  return none;
}
counts counts_after_run(number_spec& s, const std::string& check) {
  session at_work(s, unshrunk());
  at_work.run();
  return counts_of(tally_of(at_work, check));
}

void declare_tenfold(number_spec& s) {
  s.execute([](int in) { return 10 * in; });
  s.seeds("literal", {1, 2, 3});
}

TEST(SpecRelations, PassAndFail) {
  number_spec s("s");
  declare_tenfold(s);
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  s.relation("not thirty", next, [](auto& m, auto& o) { return m.output == o.output + 10 && m.output != 30; });
  EXPECT_EQ(counts_after_run(s, "not thirty"), (counts{2, 1, 0}));
}

TEST(SpecRelations, WhereAGuardIsFalseARelationDoesNotApply) {
  number_spec s("s");
  declare_tenfold(s);
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  s.relation(
      "guarded", next, [](auto& m, auto& o) { return m.input + o.input > 4; },
      [](auto& m, auto&) { return m.input > 3; });
  s.relation(
      "never", next, [](auto&, auto&) { return false; }, [](auto&, auto&) { return true; });
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "guarded")), (counts{1, 1, 1}));
  EXPECT_EQ(counts_of(tally_of(at_work, "never")), (counts{0, 0, 3})) << "which is no pass";
  EXPECT_EQ(tally_of(at_work, "never").checked(), 0U);
}

TEST(SpecRelations, MayGiveAVerdictOrNothing) {
  number_spec s("s");
  declare_tenfold(s);
  s.relation("three valued", morph::seeds, [](auto& c) {
    return c.input == 1 ? verdict::pass : c.input == 2 ? verdict::fail : verdict::not_applicable;
  });
  s.relation("nothing", morph::seeds, [](auto&) {});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "three valued")), (counts{1, 1, 1}));
  EXPECT_EQ(counts_of(tally_of(at_work, "nothing")), (counts{3, 0, 0}));
}

std::uint64_t host_failures = 0;

TEST(SpecRelations, AssertionsOfTheHostCount) {
  number_spec s("s");
  declare_tenfold(s);
  s.relation("by the host", morph::seeds, [](auto& c) { host_failures += c.input == 2 ? 1 : 0; });
  s.relation("both", morph::seeds, [](auto& c) {
    host_failures += c.input == 2 ? 1 : 0;
    return c.input != 3;
  });
  host_failures = 0;
  morph::set_host([] { return host_failures; });
  session at_work(s, unshrunk());
  at_work.run();
  morph::set_host(nullptr);
  EXPECT_EQ(counts_of(tally_of(at_work, "by the host")), (counts{2, 1, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "both")), (counts{1, 2, 0}));
}

TEST(SpecRelations, ScopesAreSeedsMutantsOrAll) {
  number_spec s("s");
  declare_tenfold(s);
  s.datamorph("next", [](int x) { return x + 10; });
  s.datamorph("sum", [](int x, int y) { return x + y; });
  s.relation("seeds", morph::seeds, [](auto& c) { return c.is_seed(); });
  s.relation("mutants", morph::mutants, [](auto& c) { return c.order() == 1; });
  s.relation("all", morph::all_cases, [](auto& c) { return c.output == 10 * c.input; });
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "seeds")), (counts{3, 0, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "mutants")), (counts{9, 0, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "all")), (counts{12, 0, 0}));
}

TEST(SpecRelations, OfSeveralDatamorphisms) {
  number_spec s("s");
  declare_tenfold(s);
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  auto before = s.datamorph("before", [](int x) { return x - 1; });
  s.datamorph("other", [](int x) { return x + 100; });
  s.relation("near", {next, before}, [](auto& m, auto& o) { return std::abs(m.output - o.output) == 10; });
  EXPECT_EQ(counts_after_run(s, "near"), (counts{6, 0, 0}));
}

TEST(SpecRelations, OriginsComeInTheOrderOfArguments) {
  number_spec s("s");
  declare_tenfold(s);
  auto minus = s.datamorph("minus", [](int x, int y) { return x - y; });
  s.relation("linear", minus, [](auto& m, auto& x, auto& y) {
    return m.input == x.input - y.input && m.output == x.output - y.output && m.type() == "minus" &&
           x.type() == "literal";
  });
  EXPECT_EQ(counts_after_run(s, "linear"), (counts{6, 0, 0}));
}

TEST(SpecRelations, ViolationsTellRuleAndCase) {
  number_spec s("s");
  declare_tenfold(s);
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  s.relation("small", next, [](auto& m, auto&) { return m.output < 40; }).expect("less than 40");
  session at_work(s, unshrunk());
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 1U);
  const auto& found = at_work.report().violations[0];
  EXPECT_EQ(at_work.checks()[found.check].name, "small");
  EXPECT_EQ(s.rules()[found.rule].message, "less than 40");
  ASSERT_EQ(found.how.from.size(), 1U);
  EXPECT_EQ(at_work.spec().text_of_input(found.how.from[0].input), "3");
}

TEST(SpecRelations, OneThatThrowsIsViolated) {
  number_spec s("s");
  declare_tenfold(s);
  s.relation("fragile", morph::seeds, [](auto& c) { return c.input == 2 ? throw std::runtime_error("two") : true; });
  EXPECT_EQ(counts_after_run(s, "fragile"), (counts{2, 1, 0}));
}

// ---- runs without an output

void declare_failing(number_spec& s) {
  s.execute([](int in) { return in == 2 ? throw std::runtime_error("two") : 10 * in; });
  s.seeds("literal", {1, 2, 3});
}

TEST(SpecRelations, WithoutAnOutputARelationDoesNotApply) {
  number_spec s("s");
  declare_failing(s);
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  s.relation("both have outputs", next, [](auto& m, auto& o) { return m.output == o.output + 10; });
  EXPECT_EQ(counts_after_run(s, "both have outputs"), (counts{1, 0, 2})) << "3 of 2, and 2 of 1, do not";
}

TEST(SpecRelations, FailuresTooAreCheckedWhereThatIsSaid) {
  number_spec s("s");
  declare_failing(s);
  s.relation("two throws", morph::seeds, [](auto& c) {
     return c.input == 2 ? c.how() == morph::ended::exception && c.error() == "two" && !c.has_output() && c.output == 0
                         : c.has_output() && c.error().empty();
   }).failures_too();
  EXPECT_EQ(counts_after_run(s, "two throws"), (counts{3, 0, 0}));
}

TEST(SpecRelations, AnExceptionIsAViolationUnlessItMayBe) {
  number_spec s("s");
  declare_failing(s);
  EXPECT_EQ(counts_after_run(s, "every run ends"), (counts{2, 1, 0}));
  number_spec t("t");
  declare_failing(t);
  t.may_throw();
  EXPECT_EQ(counts_after_run(t, "every run ends"), (counts{3, 0, 0}));
}

TEST(SpecRelations, AnythingMayBeThrown) {
  number_spec s("s");
  s.execute([](int in) -> int {
    if (in == 1) throw "a text";
    if (in == 2) throw 42;
    throw std::runtime_error("an error");
  });
  s.seeds("literal", {1, 2, 3});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(at_work.spec().error(0, 0, 0), "a text");
  EXPECT_EQ(at_work.spec().error(0, 0, 1), "an exception that is no std::exception");
  EXPECT_EQ(at_work.spec().error(0, 0, 2), "an error");
}

// ---- labels

TEST(SpecRelations, LabelsAreExpectedOutputsOfSeeds) {
  number_spec s("s");
  s.execute([](int in) { return 10 * in; });
  s.seeds("labelled", {{1, 10}, {2, 21}, 3});
  s.datamorph("same", [](int x) { return x; });
  EXPECT_EQ(counts_after_run(s, "expected output")[0], 1U);
  EXPECT_EQ(counts_after_run(s, "expected output")[1], 1U) << "and not its mutant, which has no label";
}

TEST(SpecRelations, AnExecuterThatChangesWhatItGaveChangesNoLabelAndNoOutput) {
  morph::spec<int, std::string> s("s");
  std::string reused;
  s.execute([&reused](int in) -> const std::string& {
    reused = "output of " + std::to_string(in);
    return reused;
  });
  s.seeds("labelled", {{1, "output of 1"}, {2, "output of 1"}});
  session at_work(s, unshrunk());
  at_work.run();
  reused = "changed";
  EXPECT_EQ(at_work.spec().text_of_output(0, 0, 0), "\"output of 1\"");
  EXPECT_EQ(at_work.spec().show_label(at_work.label_of(0)), "\"output of 1\"");
  EXPECT_EQ(counts_of(tally_of(at_work, "expected output")), (counts{1, 1, 0}));
}

class opaque {
 public:
  explicit opaque(std::string text) : text_(std::move(text)) {}

 private:
  std::string text_;
};

TEST(SpecRelations, LabelsThatCannotBeComparedAreRefused) {
  morph::spec<int, opaque> s("s");
  s.execute([](int) { return opaque("a"); });
  s.seeds("labelled", {{1, opaque("b")}});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(at_work.report().error,
            "the seeds 'labelled' cannot be made: they have expected outputs, which cannot be compared: the output "
            "type has neither == nor a text; write one, or `auto morph_save(const Out&)` in its namespace");
}

TEST(SpecRelations, LabelsAreComparedByValue) {
  using shared = std::shared_ptr<const int>;
  morph::spec<int, shared> s("s");
  s.execute([](int in) -> shared { return std::make_shared<const int>(10 * in); });
  s.seeds("labelled", {{1, std::make_shared<const int>(10)}, {2, std::make_shared<const int>(10)}});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "expected output")), (counts{1, 1, 0}));
}

TEST(SpecRelations, NotANumberIsExpectedWhereItIsGiven) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  morph::spec<double, double> s("s");
  s.execute([](double in) { return std::sqrt(in); });
  s.seeds("labelled", {{-1.0, nan}, {4.0, 2.0}, {9.0, nan}});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "expected output")), (counts{2, 1, 0}));
}

TEST(SpecRelations, AnEqualSeedBringsItsLabel) {
  number_spec s("s");
  s.execute([](int in) { return 10 * in; });
  s.seeds("plain", {1, 2});
  s.seeds("labelled", {{2, 20}, {1, 11}});
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(at_work.report().equal_seeds, 2U);
  EXPECT_EQ(counts_of(tally_of(at_work, "expected output")), (counts{1, 1, 0}));
}

TEST(SpecRelations, ALabelIsSuspiciousIfAnotherOneOrAllExecutersAreAgainstIt) {
  number_spec s("s");
  s.execute("one", [](int in) { return 10 * in; });
  s.execute("two", [](int in) { return in == 3 ? 0 : in * 10; });
  s.seeds("labelled", {{1, 11}, {2, 20}, {2, 22}, {3, 31}});
  session at_work(s, unshrunk());
  at_work.run();
  const auto& found = at_work.report().suspicious;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].why, "another seed expects 20 for this input");
  EXPECT_EQ(found[1].why, "all 2 executers give 10") << "on 3 they do not agree";
  EXPECT_EQ(at_work.spec().text_of_input(found[1].input), "1");
}

// ---- several executers

void declare_different(number_spec& s) {
  s.execute("one", [](int in) { return 10 * in; });
  s.execute("two", [](int in) { return in == 2 ? 0 : 10 * in; });
  s.execute("three", [](int in) { return in == 2 ? throw std::runtime_error("two") : 10 * in; });
  s.seeds("literal", {1, 2, 3});
  auto next = s.datamorph("next", [](int x) { return x + 1; });
  s.relation("linear", next, [](auto& m, auto& o) { return m.output == o.output + 10; });
}

TEST(SpecRelations, EachExecuterIsChecked) {
  number_spec s("s");
  declare_different(s);
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "linear", 0)), (counts{3, 0, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "linear", 1)), (counts{1, 2, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "linear", 2)), (counts{1, 0, 2}));
}

TEST(SpecRelations, DifferencesOfExecutersAreCounted) {
  number_spec s("s");
  declare_different(s);
  s.may_throw();
  session at_work(s, unshrunk());
  at_work.run();
  using rows = std::vector<std::vector<std::uint64_t>>;
  EXPECT_EQ(at_work.report().disagreements, (rows{{0, 2, 2}, {0, 0, 2}, {0, 0, 0}})) << "the seed 2, and a mutant";
}

TEST(SpecRelations, ExecutersHaveToAgreeIfThatIsSaid) {
  number_spec s("s");
  declare_different(s);
  s.may_throw().executers_agree();
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(counts_of(tally_of(at_work, "executers agree", 0)), (counts{0, 0, 0})) << "with itself";
  EXPECT_EQ(counts_of(tally_of(at_work, "executers agree", 1)), (counts{4, 2, 0}));
  EXPECT_EQ(counts_of(tally_of(at_work, "executers agree", 2)), (counts{4, 2, 0}));
  EXPECT_TRUE(at_work.report().failed());
}

TEST(SpecRelations, WhereEachExecuterHasItsOwnMutantsTheirSeedsAreCompared) {
  number_spec s("s");
  s.execute("one", [](int in) { return 10 * in; });
  s.execute("two", [](int in) { return in == 2 ? 0 : 10 * in; });
  s.seeds("literal", {1, 2});
  s.datamorph("feed back", [](const number_spec::test_case& source) { return source.output + 3; });
  session at_work(s, unshrunk());
  at_work.run();
  EXPECT_EQ(at_work.report().disagreements[0][1], 1U);
}

// ---- statistical relations

void declare_random(morph::spec<double, double>& s, double slip) {
  s.execute(
      [random = morph::random_source(5), slip](double in) mutable { return in + random.unit() + (in > 5 ? slip : 0); });
  s.seeds("literal", {1.0, 2.0});
  auto shifted = s.datamorph("shifted", [](double x) { return x + 10; });
  s.statistical_relation("the mean moves with the input", shifted, 200, [](auto& mutant, auto& origin) {
    return mutant.size() == 200 && origin.size() == 200 && morph::same_mean(morph::plus(mutant, -10), origin, 1e-6);
  });
}

TEST(SpecRelations, StatisticalOnesSeeManyOutputs) {
  morph::spec<double, double> good("good"), bad("bad");
  declare_random(good, 0);
  declare_random(bad, 0.2);
  session of_good(good, unshrunk()), of_bad(bad, unshrunk());
  of_good.run();
  of_bad.run();
  EXPECT_EQ(counts_of(tally_of(of_good, "the mean moves with the input")), (counts{2, 0, 0}));
  EXPECT_EQ(counts_of(tally_of(of_bad, "the mean moves with the input")), (counts{0, 2, 0}));
}

TEST(SpecRelations, StatisticalOnesDoNotApplyWhereARunGaveNoOutput) {
  const auto counted = [](bool failures_too) {
    number_spec s("s");
    s.execute([](int in) { return in == 2 || in == 20 ? throw std::runtime_error("two") : in; });
    s.seeds("literal", {1, 2, 20});
    const auto tenfold = s.datamorph("tenfold", [](int x) { return 10 * x; });
    auto relation = s.statistical_relation(
        "samples", tenfold, 5, [](auto& mutant, auto& origin) { return mutant.size() == 5 && origin.size() == 5; });
    if (failures_too) relation.failures_too();
    session at_work(s, unshrunk());
    at_work.run();
    return counts_of(tally_of(at_work, "samples"));
  };
  EXPECT_EQ(counted(false), (counts{1, 0, 2}));
  EXPECT_EQ(counted(true), (counts{1, 2, 0}));
}

TEST(SpecRelations, AnExceptionAmongSamplesIsAViolationUnlessItIsFine) {
  const auto run = [](bool may_throw) {
    number_spec s("s");
    int runs = 0;
    s.execute([&runs](int in) { return ++runs == 8 ? throw std::runtime_error("eight") : in; });
    if (may_throw) s.may_throw();
    s.seeds("literal", {1});
    const auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
    s.statistical_relation("samples", twice, 5,
                           [](auto& mutant, auto& origin) { return mutant.size() + origin.size() == 9; });
    session at_work(s, unshrunk());
    at_work.run();
    return at_work.report().violations.empty() ? "holds" : at_work.report().violations[0].why;
  };
  EXPECT_EQ(run(false), "run 1 of 5 on 1 threw: eight");
  EXPECT_EQ(run(true), "holds");
}

// ---- runs are shared, checks are not

TEST(SpecRelations, EachInputIsRunOnceByEachExecuter) {
  number_spec s("s");
  int runs[2] = {};
  s.execute("one", [&runs](int in) { return ++runs[0], in; });
  s.execute("two", [&runs](int in) { return ++runs[1], in; });
  s.seeds("literal", {1, 2, 3});
  s.datamorph("next", [](int x) { return x % 3 + 1; });
  s.datamorph("sum", [](int x, int y) { return x + y; });
  s.relation("all", morph::all_cases, [](auto& c) { return c.output == c.input; });
  options how = unshrunk();
  how.order = 2;
  session at_work(s, how);
  at_work.run();
  // From 1, 2 and 3: sums of the first order go up to 5, of the second up to 10; 1+1 is no pair, but 1 and the mutant 1
  // are.
  EXPECT_EQ(runs[0], 10);
  EXPECT_EQ(runs[1], 10);
  EXPECT_EQ(at_work.report().runs, 20U);
  EXPECT_EQ(at_work.report().distinct_new_inputs, 7U);
  // 3 seeds, 3 + 6 mutants; then 12 + 132, of which 3 + 6 are there.
  EXPECT_EQ(counts_of(tally_of(at_work, "all", 0)), (counts{3 + 12 + 132, 0, 0}));
  EXPECT_EQ(at_work.report().seeds + at_work.report().mutants, 3U + 12U + 132U);
}

TEST(SpecRelations, ThreadsGiveTheSame) {
  const auto run = [](bool threads) {
    number_spec s("s");
    s.execute([](int in) { return in * in % 11; });
    if (threads) s.thread_safe();
    std::vector<int> seeds;
    for (int i = 0; i < 100; ++i) seeds.push_back(i * 3);
    s.seeds("numbers", seeds);
    auto sum = s.datamorph("sum", [](int x, int y) { return x + y; });
    s.relation("some", sum, [](auto& m, auto& x, auto& y) { return m.output != x.output + y.output; });
    session at_work(s, unshrunk());
    at_work.run();
    return counts_of(tally_of(at_work, "some"));
  };
  EXPECT_EQ(run(true), run(false));
}

}  // namespace
