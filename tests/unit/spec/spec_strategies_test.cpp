// Which cases the strategies make: by brute force from the definitions of Morphy (Zhu et al. 2020, section 4), and what
// limits leave out. Inputs are texts that tell how they were made, "f(x,y)", so that inputs are cases.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using morph::case_index;
using morph::strategy;
using morph::tuples;
using morph::engine::case_order;
using morph::engine::options;
using morph::engine::session;
using texts = std::vector<std::string>;
using text_set = std::set<std::string>;
using text_spec = morph::spec<std::string, std::string>;

/// Name and arity; "binary!" is symmetric.
struct morphism {
  std::string name;
  unsigned arity;
  bool symmetric = false;
};
using morphisms = std::vector<morphism>;

std::string applied(const std::string& name, const texts& arguments) {
  std::string made = name + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) made += (i == 0 ? "" : ",") + arguments[i];
  return made + ")";
}

void declare(text_spec& s, const texts& seeds, const morphisms& all) {
  s.execute([](const std::string& in) { return in; });
  s.seeds("literal", seeds);
  for (const morphism& each : all) {
    const std::string name = each.name;
    if (each.arity == 1) {
      s.datamorph(name, [name](const std::string& a) { return applied(name, {a}); });
    } else if (each.arity == 2) {
      auto made = s.datamorph(name, [name](const std::string& a, const std::string& b) {
        return applied(name, {a, b});
      });
      if (each.symmetric) made.symmetric();
    } else {
      auto made = s.datamorph(name, [name](const std::string& a, const std::string& b, const std::string& c) {
        return applied(name, {a, b, c});
      });
      if (each.symmetric) made.symmetric();
    }
  }
}

/// The inputs of all cases, sorted.
texts cases_of(session& at_work) {
  texts made;
  for (case_index c = 0; c < at_work.cases().size(); ++c)
    made.push_back(*morph::from_text<std::string>(at_work.spec().text_of_input(at_work.cases().input(c))).value);
  std::sort(made.begin(), made.end());
  return made;
}

texts cases_by(const texts& seeds, const morphisms& all, options how) {
  text_spec s("s");
  declare(s, seeds, all);
  how.keep = true;
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.report().seeds + at_work.report().mutants, at_work.cases().size());
  EXPECT_EQ(at_work.report().omitted.why, "");
  return cases_of(at_work);
}

/// All applications to arguments out of `from`; `fits` decides on the arguments.
text_set applications(const morphism& of, const texts& from, tuples which,
                      const std::function<bool(const texts&)>& fits) {
  text_set made;
  std::vector<std::size_t> at(of.arity, 0);
  if (from.empty()) return made;
  const tuples wanted = of.symmetric ? tuples::unordered : which;
  for (;;) {
    std::vector<std::size_t> sorted = at;
    std::sort(sorted.begin(), sorted.end());
    const bool distinct = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    texts arguments;
    for (const std::size_t i : at) arguments.push_back(from[i]);
    if ((wanted == tuples::all || (distinct && (wanted == tuples::distinct || sorted == at))) && fits(arguments))
      made.insert(applied(of.name, arguments));
    std::size_t place = of.arity;
    while (place > 0 && ++at[place - 1] == from.size()) at[--place] = 0;
    if (place == 0) return made;
  }
}

/// Definitions 3 and 4: seeds are mutants of order 0; those of order i have arguments of lower orders, and at least one
/// of order i - 1. The order of arguments of unordered tuples is the order in which cases are made, so they are
/// compared by their number.
text_set up_to_order(unsigned order, const texts& seeds, const morphisms& all, tuples which) {
  texts known = seeds;
  text_set last(seeds.begin(), seeds.end());
  for (unsigned i = 1; i <= order; ++i) {
    text_set next;
    for (const morphism& each : all)
      next.merge(applications(each, known, which, [&](const texts& arguments) {
        return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& a) { return last.count(a) > 0; });
      }));
    known.insert(known.end(), next.begin(), next.end());
    last = next;
  }
  return {known.begin(), known.end()};
}

options of_order(unsigned order, tuples which = tuples::distinct) {
  options how;
  how.order = order;
  how.which = which;
  return how;
}

options by(strategy what, tuples which = tuples::distinct) {
  options how;
  how.strategy = what;
  how.which = which;
  return how;
}

/// Exactly these, each once.
void expect_exactly(const texts& made, const text_set& expected) {
  EXPECT_EQ(made, texts(expected.begin(), expected.end()));
}

// ---- orders

TEST(SpecStrategies, SeedsAlone) {
  EXPECT_EQ(cases_by({"x", "y", "x"}, {{"a", 1}}, by(strategy::seeds)), (texts{"x", "y"}));
}

TEST(SpecStrategies, FirstOrderIsSeedsAndFirstOrderMutants) {
  EXPECT_EQ(cases_by({"x", "y"}, {{"a", 1}, {"m", 2}}, of_order(1)),
            (texts{"a(x)", "a(y)", "m(x,y)", "m(y,x)", "x", "y"}));
  EXPECT_EQ(cases_by({"x", "y"}, {{"m", 2}}, of_order(1, tuples::all)),
            (texts{"m(x,x)", "m(x,y)", "m(y,x)", "m(y,y)", "x", "y"}));
  EXPECT_EQ(cases_by({"x", "y"}, {{"m", 2}}, of_order(1, tuples::unordered)), (texts{"m(x,y)", "x", "y"}));
  EXPECT_EQ(cases_by({"x", "y"}, {{"m", 2, true}}, of_order(1, tuples::distinct)), (texts{"m(x,y)", "x", "y"}))
      << "a symmetric one takes each set once";
  EXPECT_EQ(cases_by({"x"}, {{"m", 2}}, of_order(1)), (texts{"x"})) << "there are no two";
}

TEST(SpecStrategies, HundredPointsAndTheirMiddles) {
  text_spec s("points");
  texts seeds;
  for (int i = 0; i < 100; ++i) seeds.push_back(std::to_string(i));
  declare(s, seeds, {{"middle", 2}});
  session at_work(s, of_order(1));
  at_work.run();
  EXPECT_EQ(at_work.report().seeds + at_work.report().mutants, 10'000U) << "as the paper counts";
}

TEST(SpecStrategies, NumbersOfThePermutationStrategy) {
  EXPECT_EQ(cases_by({"x", "y"}, {{"a", 1}, {"b", 1}}, of_order(2)).size(), 14U);
  EXPECT_EQ(cases_by({"x", "y"}, {{"a", 1}, {"b", 1}, {"c", 1}}, of_order(3)).size(), 80U);
}

TEST(SpecStrategies, EachOrderIsAsDefined) {
  const morphisms unary{{"a", 1}, {"b", 1}};
  const morphisms mixed{{"a", 1}, {"m", 2}};
  for (unsigned order = 1; order <= 4; ++order)
    expect_exactly(cases_by({"x", "y"}, unary, of_order(order)), up_to_order(order, {"x", "y"}, unary, tuples::all));
  for (const tuples which : {tuples::all, tuples::distinct})
    for (unsigned order = 1; order <= 2; ++order) {
      expect_exactly(cases_by({"x", "y"}, mixed, of_order(order, which)), up_to_order(order, {"x", "y"}, mixed, which));
      expect_exactly(cases_by({"x", "y", "z"}, {{"t", 3}}, of_order(order, which)),
                     up_to_order(order, {"x", "y", "z"}, {{"t", 3}}, which));
    }
  expect_exactly(cases_by({"x"}, mixed, of_order(3, tuples::all)), up_to_order(3, {"x"}, mixed, tuples::all));
}

TEST(SpecStrategies, UnorderedTuplesAtHigherOrders) {
  EXPECT_EQ(cases_by({"x", "y"}, {{"a", 1}, {"m", 2}}, of_order(2, tuples::unordered)).size(),
            up_to_order(2, {"x", "y"}, {{"a", 1}, {"m", 2}}, tuples::unordered).size());
  EXPECT_EQ(cases_by({"x", "y"}, {{"m", 2, true}}, of_order(2, tuples::all)),
            (texts{"m(x,m(x,y))", "m(x,y)", "m(y,m(x,y))", "x", "y"}));
}

TEST(SpecStrategies, PermutationCompleteHasEachPermutation) {
  const texts made = cases_by({"x"}, {{"a", 1}, {"b", 1}, {"c", 1}}, of_order(3));
  for (const char* const each : {"a(b(c(x)))", "a(c(b(x)))", "b(a(c(x)))", "b(c(a(x)))", "c(a(b(x)))", "c(b(a(x)))"})
    EXPECT_EQ(std::count(made.begin(), made.end(), each), 1) << each;
}

// ---- combinations

/// How it was made with seeds left open: "f(a(.),.)".
std::string shape(std::string of, const texts& seeds) {
  for (const std::string& seed : seeds)
    for (std::size_t at = of.find(seed); at != of.npos; at = of.find(seed)) of.replace(at, seed.size(), ".");
  return of;
}
text_set names_in(const std::string& of, const morphisms& all) {
  text_set made;
  for (const morphism& each : all)
    if (of.find(each.name + "(") != of.npos) made.insert(each.name);
  return made;
}
std::uint64_t power(std::uint64_t base, std::size_t exponent) {
  std::uint64_t made = 1;
  for (; exponent > 0; --exponent) made *= base;
  return made;
}

/// Definition 6: for each set of datamorphisms some combination of just these is applied to all tuples of seeds.
bool is_combinatorial_complete(const texts& made, const texts& seeds, const morphisms& all) {
  std::map<std::string, std::uint64_t> instances;
  for (const std::string& each : made) ++instances[shape(each, seeds)];
  for (std::size_t subset = 0; subset < std::size_t{1} << all.size(); ++subset) {
    text_set names;
    for (std::size_t d = 0; d < all.size(); ++d)
      if (subset >> d & 1) names.insert(all[d].name);
    const bool has_one = std::any_of(instances.begin(), instances.end(), [&](const auto& one) {
      const auto leaves = static_cast<std::size_t>(std::count(one.first.begin(), one.first.end(), '.'));
      return names_in(one.first, all) == names && one.second == power(seeds.size(), leaves);
    });
    if (!has_one) return false;
  }
  return true;
}
void expect_combinatorial_complete(const texts& made, const texts& seeds, const morphisms& all) {
  EXPECT_TRUE(is_combinatorial_complete(made, seeds, all));
}

/// What a case is made of at the top: "m(a(x),y)" of "a(x)" and "y".
texts origins_of(const std::string& of) {
  texts made;
  const std::size_t open = of.find('(');
  if (open == of.npos) return made;
  std::size_t from = open + 1;
  int depth = 0;
  for (std::size_t at = open; at < of.size(); ++at) {
    depth += of[at] == '(' ? 1 : of[at] == ')' ? -1 : 0;
    if ((of[at] == ',' && depth == 1) || depth == 0) {
      made.push_back(of.substr(from, at - from));
      from = at + 1;
    }
  }
  return made;
}
void add_with_origins(const std::string& of, text_set& to) {
  if (!to.insert(of).second) return;
  for (const std::string& each : origins_of(of)) add_with_origins(each, to);
}
/// All that a shape stands for, with what that is made of.
void add_instances(const std::string& shape, const texts& seeds, text_set& to) {
  const std::size_t leaf = shape.find('.');
  if (leaf == shape.npos) return add_with_origins(shape, to);
  for (const std::string& seed : seeds) {
    std::string filled = shape;
    add_instances(filled.replace(leaf, 1, seed), seeds, to);
  }
}

/// By trying every choice of one combination a set of datamorphisms, among all of up to `order` levels.
std::size_t least_size_by_force(const texts& seeds, const morphisms& all, unsigned order) {
  std::map<text_set, text_set> shapes;  // by the datamorphisms in them
  for (const std::string& each : up_to_order(order, {"x"}, all, tuples::all))
    shapes[names_in(each, all)].insert(shape(each, {"x"}));
  std::vector<text_set> choices;
  for (const auto& [names, of_these] : shapes) choices.push_back(of_these);
  EXPECT_EQ(choices.size(), std::size_t{1} << all.size());
  std::size_t least = std::numeric_limits<std::size_t>::max();
  const std::function<void(std::size_t, const text_set&)> choose = [&](std::size_t at, const text_set& made) {
    if (made.size() >= least) return;
    if (at == choices.size()) {
      least = made.size();
      return;
    }
    for (const std::string& each : choices[at]) {
      text_set more = made;
      add_instances(each, seeds, more);
      choose(at + 1, more);
    }
  };
  choose(0, {});
  return least;
}

/// Cases of different sets differ, and a combination of a set has a leaf more for each argument more than one.
std::uint64_t least_size(std::size_t seeds, const morphisms& all) {
  std::uint64_t sum = 0;
  for (std::size_t subset = 0; subset < std::size_t{1} << all.size(); ++subset) {
    std::size_t leaves = 1;
    for (std::size_t d = 0; d < all.size(); ++d)
      if (subset >> d & 1) leaves += all[d].arity - 1;
    sum += power(seeds, leaves);
  }
  return sum;
}

// No seed's name is part of a datamorphism's.
const texts few{"x", "y"};
const texts three{"x", "y", "z"};
const morphisms unary_ones{{"a", 1}, {"b", 1}, {"c", 1}, {"d", 1}};
const morphisms mixed_ones{{"a", 1}, {"m", 2}, {"t", 3}};

TEST(SpecStrategies, CombinatorialOfTwo) {
  EXPECT_EQ(cases_by({"x"}, {{"a", 1}, {"b", 1}}, by(strategy::combinatorial)),
            (texts{"a(x)", "b(a(x))", "b(x)", "x"}));
}

TEST(SpecStrategies, CombinatorialOfUnaryOnesIsExponentialInTheirNumber) {
  EXPECT_EQ(cases_by(few, unary_ones, by(strategy::combinatorial)).size(), 32U) << "2 * 2^4";
  EXPECT_EQ(cases_by(few, unary_ones, by(strategy::minimal_combinatorial)).size(), 32U);
}

TEST(SpecStrategies, CombinatorialIsComplete) {
  expect_combinatorial_complete(cases_by(few, unary_ones, by(strategy::combinatorial)), few, unary_ones);
  const morphisms binary{{"a", 1}, {"m", 2}};
  expect_combinatorial_complete(cases_by(three, binary, by(strategy::combinatorial, tuples::all)), three, binary);
  expect_combinatorial_complete(cases_by({"x"}, mixed_ones, by(strategy::combinatorial, tuples::all)), {"x"},
                                mixed_ones);
}

TEST(SpecStrategies, MinimalCombinatorialIsCompleteAndHasTheLeastSize) {
  for (const texts& seeds : {texts{"x"}, few, three})
    for (const morphisms& all :
         {unary_ones, mixed_ones, morphisms{{"m", 2}, {"n", 2}}, morphisms{{"t", 3}, {"a", 1}}}) {
      const texts made = cases_by(seeds, all, by(strategy::minimal_combinatorial, tuples::all));
      expect_combinatorial_complete(made, seeds, all);
      EXPECT_EQ(made.size(), least_size(seeds.size(), all));
      EXPECT_EQ(text_set(made.begin(), made.end()).size(), made.size());
    }
}

TEST(SpecStrategies, NoOtherChoiceOfCombinationsIsSmaller) {
  const std::vector<std::pair<morphisms, unsigned>> tried{{{{"a", 1}, {"b", 1}}, 3},
                                                          {{{"a", 1}, {"b", 1}, {"c", 1}}, 3},
                                                          {{{"a", 1}, {"m", 2}}, 2},
                                                          {{{"m", 2}, {"n", 2}}, 2}};
  for (const texts& seeds : {texts{"x"}, few})
    for (const auto& [all, order] : tried)
      EXPECT_EQ(cases_by(seeds, all, by(strategy::minimal_combinatorial, tuples::all)).size(),
                least_size_by_force(seeds, all, order));
}

TEST(SpecStrategies, WithoutAnyCaseTheMinimalSetIsNotComplete) {
  for (const morphisms& all : {morphisms{{"a", 1}, {"m", 2}}, unary_ones, mixed_ones}) {
    const texts made = cases_by(few, all, by(strategy::minimal_combinatorial, tuples::all));
    for (std::size_t i = 0; i < made.size(); ++i) {
      texts rest = made;
      rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_FALSE(is_combinatorial_complete(rest, few, all)) << made[i];
    }
  }
}

TEST(SpecStrategies, TheMinimalSetAsItIs) {
  const texts made = cases_by(few, {{"a", 1}, {"m", 2}}, by(strategy::minimal_combinatorial, tuples::all));
  EXPECT_EQ(made, (texts{"a(x)", "a(y)", "m(a(x),x)", "m(a(x),y)", "m(a(y),x)", "m(a(y),y)", "m(x,x)", "m(x,y)",
                         "m(y,x)", "m(y,y)", "x", "y"}));
}

TEST(SpecStrategies, MinimalCombinatorialOfDistinctSeeds) {
  EXPECT_EQ(cases_by(few, {{"a", 1}, {"m", 2}}, by(strategy::minimal_combinatorial)),
            (texts{"a(x)", "a(y)", "m(a(x),y)", "m(a(y),x)", "m(x,y)", "m(y,x)", "x", "y"}));
  EXPECT_EQ(cases_by(few, {{"a", 1}, {"m", 2}}, by(strategy::minimal_combinatorial, tuples::unordered)),
            (texts{"a(x)", "a(y)", "m(a(x),y)", "m(a(y),x)", "m(x,y)", "x", "y"}));
}

TEST(SpecStrategies, MinimalCombinatorialTakesEachSetOfASymmetricOneOnce) {
  EXPECT_EQ(cases_by(few, {{"a", 1}, {"m", 2, true}}, by(strategy::minimal_combinatorial)),
            (texts{"a(x)", "a(y)", "m(a(x),y)", "m(a(y),x)", "m(x,y)", "x", "y"}));
  EXPECT_EQ(cases_by(three, {{"a", 1}, {"t", 3, true}}, by(strategy::minimal_combinatorial)),
            (texts{"a(x)", "a(y)", "a(z)", "t(a(x),y,z)", "t(a(y),x,z)", "t(a(z),x,y)", "t(x,y,z)", "x", "y", "z"}));
}

// ---- which, and in which order

TEST(SpecStrategies, ChosenSeedsAndDatamorphisms) {
  text_spec s("s");
  s.execute([](const std::string& in) { return in; });
  s.seeds("first", {"x"});
  s.seeds("second", {"y"});
  s.datamorph("a", [](const std::string& in) { return "a(" + in + ")"; });
  s.datamorph("b", [](const std::string& in) { return "b(" + in + ")"; });
  options how;
  how.keep = true;
  how.makers = {"second"};
  how.datamorphisms = {"b"};
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(cases_of(at_work), (texts{"b(y)", "y"}));
}

TEST(SpecStrategies, OrdersGiveTheSameSet) {
  const morphisms all{{"a", 1}, {"m", 2}, {"n", 2, true}};
  for (unsigned order = 1; order <= 2; ++order)
    for (const tuples which : {tuples::all, tuples::distinct}) {
      options how = of_order(order, which);
      const texts expected = cases_by(three, all, how);
      how.cases = case_order::diverse;
      EXPECT_EQ(cases_by(three, all, how).size(), expected.size());
      how.cases = case_order::random;
      EXPECT_EQ(cases_by(three, all, how).size(), expected.size());
      if (order > 1) continue;  // then the pool's order decides on the order of symmetric arguments
      EXPECT_EQ(cases_by(three, all, how), expected);
      how.cases = case_order::diverse;
      EXPECT_EQ(cases_by(three, all, how), expected);
    }
  options how = of_order(3);
  const texts expected = cases_by(few, unary_ones, how);
  how.cases = case_order::random;
  EXPECT_EQ(cases_by(few, unary_ones, how), expected);
}

TEST(SpecStrategies, ALimitedRandomOrderIsReproducible) {
  const auto made = [](std::uint64_t seed) {
    text_spec s("s");
    texts seeds;
    for (int i = 0; i < 100; ++i) seeds.push_back(std::to_string(i));
    declare(s, seeds, {{"m", 2}});
    options how;
    how.keep = true;
    how.cases = case_order::random;
    how.seed = seed;
    how.most_cases = 150;
    session at_work(s, how);
    at_work.run();
    return cases_of(at_work);
  };
  EXPECT_EQ(made(1), made(1));
  EXPECT_NE(made(1), made(2));
  EXPECT_EQ(made(1).size(), 150U);
}

TEST(SpecStrategies, DistinctInputsKeepTheFirst) {
  morph::spec<int, int> s("numbers");
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, 2, 3});
  s.datamorph("more", [](int x) { return x + 1; });
  s.datamorph("also more", [](int x) { return x + 1; });
  options how;
  how.keep = true;
  how.distinct_inputs = true;
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.report().mutants, 1U) << "of 4 alone";
  EXPECT_EQ(at_work.report().equal_mutants, 5U);
  how.distinct_inputs = false;
  session all(s, how);
  all.run();
  EXPECT_EQ(all.report().mutants, 6U);
  EXPECT_EQ(all.report().distinct_new_inputs, 1U);
}

// ---- limits

struct limited {
  std::uint64_t cases, left_out;
  std::string why;
};
limited with_limit(const options& how, const morphisms& all = {{"m", 2}}, std::size_t seeds = 100) {
  text_spec s("s");
  texts names;
  for (std::size_t i = 0; i < seeds; ++i) names.push_back(std::to_string(i));
  declare(s, names, all);
  session at_work(s, how);
  at_work.run();
  const auto& report = at_work.report();
  return {report.seeds + report.mutants, report.omitted.cases, report.omitted.why};
}
constexpr std::uint64_t uncounted = std::uint64_t{1} << 63;

TEST(SpecStrategies, ALimitOfCases) {
  options how;
  how.most_cases = 1'000;
  for (const case_order order : {case_order::seeds_first, case_order::diverse, case_order::random}) {
    how.cases = order;
    const limited made = with_limit(how);
    EXPECT_EQ(made.cases, 1'000U);
    EXPECT_EQ(made.left_out, 9'000U);
    EXPECT_EQ(made.why, "the limit of 1000 cases");
  }
  how.most_cases = 10'000;
  EXPECT_EQ(with_limit(how).why, "") << "just reached";
}

TEST(SpecStrategies, ALimitCountsWhatAllDatamorphismsWouldHaveMade) {
  options how;
  how.most_cases = 20;
  const limited made = with_limit(how, {{"a", 1}, {"b", 1}, {"m", 2}}, 10);
  EXPECT_EQ(made.cases, 20U);
  EXPECT_EQ(made.left_out, 10U + 90U);
}

TEST(SpecStrategies, WhatALimitedRoundWouldHaveLedToIsUncounted) {
  options how = of_order(2);
  how.most_cases = 20;
  EXPECT_EQ(with_limit(how, {{"a", 1}, {"b", 1}, {"m", 2}}, 10).left_out, uncounted);
  how = by(strategy::combinatorial);
  how.most_cases = 15;
  EXPECT_EQ(with_limit(how, {{"a", 1}, {"b", 1}}, 10).left_out, uncounted);
  how = of_order(2);
  how.most_cases = 30 + 5;
  EXPECT_EQ(with_limit(how, {{"a", 1}, {"b", 1}}, 10).left_out, 35U) << "the last round is counted";
}

TEST(SpecStrategies, ALimitOfCasesHoldsForEachStrategy) {
  for (const strategy each : {strategy::combinatorial, strategy::minimal_combinatorial}) {
    options how = by(each);
    how.most_cases = 500;
    const limited made = with_limit(how, {{"m", 2}, {"n", 2}}, 50);
    EXPECT_EQ(made.cases, 500U);
    EXPECT_EQ(made.why, "the limit of 500 cases");
  }
}

TEST(SpecStrategies, ALimitOfCasesHoldsWhereAnApplicationGivesMany) {
  text_spec s("s");
  s.execute([](const std::string& in) { return in; });
  s.seeds("literal", {"x", "y"});
  s.datamorph("many", [](const std::string& in) {
    texts made;
    for (int i = 0; i < 1'000; ++i) made.push_back(in + std::to_string(i));
    return made;
  });
  options how;
  how.most_cases = 12;
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.report().mutants, 10U);
  EXPECT_EQ(at_work.report().omitted.cases, 2U) << "applications, one of them in part";
}

TEST(SpecStrategies, ALimitOfTime) {
  options how = of_order(2);
  how.most_seconds = 1e-9;
  const limited made = with_limit(how);
  EXPECT_EQ(made.cases, 1U) << "one seed is always tried";
  EXPECT_EQ(made.why, "the limit of 1e-09 s");
}

TEST(SpecStrategies, ALimitOfMemory) {
  options how;
  how.most_bytes = 1 << 20;
  const limited made = with_limit(how);
  EXPECT_EQ(made.cases, 100U);
  EXPECT_EQ(made.left_out, 9'900U);
  EXPECT_EQ(made.why, "the limit of 1 MiB of memory");
}

TEST(SpecStrategies, ALimitHoldsForEachExecuterWhereEachHasMutantsOfItsOwn) {
  using number_case = morph::test_case<int, int>;
  morph::spec<int, int> s("lanes");
  s.execute("one", [](int in) { return in + 1; });
  s.execute("two", [](int in) { return in + 2; });
  s.seeds("literal", {10, 20, 30});
  auto feed = s.datamorph("feed back", [](const number_case& source) { return source.output; });
  s.relation("grows", feed, [](auto& m, auto& o) { return m.input > o.input; });
  options how;
  how.most_cases = 5;
  session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 2U);
  EXPECT_EQ(at_work.report().tallies[0][1].passed, 2U);
  EXPECT_EQ(at_work.report().omitted.cases, 2U);
}

// ---- one check alone, and streaming

/// Relations of all kinds, some of which fail for some cases.
void declare_checked(morph::spec<int, int>& s) {
  s.execute("one", [](int in) { return in * in % 7; });
  s.execute("two", [](int in) { return in * in % 7 + (in % 5 == 0 ? 1 : 0); });
  s.seeds("literal", {{3, 2}, {4, 2}, {5, 5}});
  s.seeds("more", {8, 13, -2});
  auto negate = s.datamorph("negate", [](int x) { return -x; });
  auto sum = s.datamorph("sum", [](int x, int y) { return x + y; });
  auto next = s.datamorph("next", [](int x) { return x < 100 ? std::optional<int>(x + 7) : std::nullopt; });
  s.relation("even", negate, [](auto& m, auto& o) { return m.output == o.output; });
  s.relation("periodic", next, [](auto& m, auto& o) { return m.output == o.output; });
  s.relation("sums", sum, [](auto& m, auto& x, auto& y) { return m.input > x.input + y.input - 1; });
  s.relation("small", morph::all_cases, [](auto& c) { return c.output < 5; });
  s.relation("seeds only", morph::seeds, [](auto& c) { return c.output != 2; });
  s.relation(
      "mutants only", morph::mutants, [](auto& c) { return c.input % 2 == 0; }, [](auto& c) { return c.output < 4; });
}

std::vector<std::vector<std::uint64_t>> counts_of(const morph::engine::report& of) {
  std::vector<std::vector<std::uint64_t>> made;
  for (const auto& check : of.tallies)
    for (const morph::tally& each : check) made.push_back({each.passed, each.failed, each.not_applicable});
  return made;
}

TEST(SpecStrategies, OneCheckAloneCountsTheSame) {
  for (const bool distinct_inputs : {false, true})
    for (const strategy each : {strategy::order, strategy::combinatorial, strategy::minimal_combinatorial}) {
      options how = by(each);
      how.order = 2;
      how.shrink = false;
      how.distinct_inputs = distinct_inputs;
      morph::spec<int, int> s("s");
      declare_checked(s);
      session whole(s, how);
      whole.run();
      for (std::size_t check = 0; check < whole.checks().size(); ++check) {
        morph::spec<int, int> again("s");
        declare_checked(again);
        how.only_check = check;
        session alone(again, how);
        alone.run();
        how.only_check.reset();
        if (whole.checks()[check].name == "every run ends") {
          EXPECT_EQ(alone.report().tallies[check][0].failed, whole.report().tallies[check][0].failed);
          continue;
        }
        for (std::size_t e = 0; e < 2; ++e) {
          EXPECT_EQ(alone.report().tallies[check][e].passed, whole.report().tallies[check][e].passed)
              << whole.checks()[check].name;
          EXPECT_EQ(alone.report().tallies[check][e].failed, whole.report().tallies[check][e].failed)
              << whole.checks()[check].name;
        }
      }
    }
}

TEST(SpecStrategies, KeepingCasesChangesNoCount) {
  for (unsigned order = 1; order <= 2; ++order) {
    options how = of_order(order);
    how.shrink = false;
    morph::spec<int, int> s("s"), t("s");
    declare_checked(s);
    declare_checked(t);
    session forgetful(s, how);
    forgetful.run();
    how.keep = true;
    session keeping(t, how);
    keeping.run();
    EXPECT_EQ(counts_of(forgetful.report()), counts_of(keeping.report()));
    EXPECT_EQ(forgetful.report().mutants, keeping.report().mutants);
    EXPECT_EQ(forgetful.report().runs, keeping.report().runs);
    EXPECT_EQ(forgetful.report().distinct_new_inputs, keeping.report().distinct_new_inputs);
    EXPECT_LT(forgetful.cases().size(), keeping.cases().size());
  }
}

TEST(SpecStrategies, MoreInputsThanAreRemembered) {
  const auto run = [](bool keep, unsigned order) {
    morph::spec<std::uint32_t, std::uint32_t> s("many");
    s.execute([](std::uint32_t in) { return in % 1000; });
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < (order == 1 ? 400U : 20U); ++i) numbers.push_back(i * 1000 + 1);
    s.seeds("numbers", numbers);
    auto mix = s.datamorph(
        "mix", [](std::uint32_t a, std::uint32_t b) { return a * 2654435769U + (b ^ b >> 15) * 2246822519U; });
    s.relation("mostly", mix, [](auto& m, auto& a, auto& b) { return (m.output + a.output + b.output) % 1009 != 0; });
    options how = of_order(order);
    how.keep = keep;
    how.shrink = false;
    session at_work(s, how);
    at_work.run();
    EXPECT_EQ(at_work.report().distinct_is_exact, keep);
    EXPECT_EQ(at_work.spec().number_of_inputs() > 100'000, keep);
    return counts_of(at_work.report());
  };
  EXPECT_EQ(run(false, 1), run(true, 1)) << "159,600 mutants";
  EXPECT_EQ(run(false, 2), run(true, 2)) << "159,600 mutants, most of them of the second order";
}

TEST(SpecStrategies, NoSeedsAreAnError) {
  text_spec s("s");
  s.execute([](const std::string& in) { return in; });
  s.seeds("none", texts{});
  session at_work(s, options{});
  at_work.run();
  EXPECT_EQ(at_work.report().error, "there is not a single seed");
  EXPECT_TRUE(at_work.report().failed());
}

}  // namespace
