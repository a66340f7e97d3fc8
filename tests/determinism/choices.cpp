// Prints every choice that a plan makes of made-up evidence: what all compilers have to agree on, to the last digit.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "optimizer/cover/front.hpp"
#include "optimizer/cover/times.hpp"
#include "optimizer/matrix/random.hpp"
#include "optimizer/reduction.hpp"
#include "plugin/selection/plan.hpp"
#include "plugin/selection/rules.hpp"

namespace {

using namespace morph;
using optimizer::requirement_kind;

constexpr std::uint32_t files = 6, lines_a_file = 400, tests = 300;

/// Each test executes ranges of lines, with gaps.
store::evidence made_up_evidence(optimizer::random_source& random) {
  store::evidence e;
  e.info.complete = true;
  e.programs = {{"one", "tests"}, {"two", "tests"}};
  e.executable_lines.resize(files);
  for (std::uint32_t f = 0; f < files; ++f) e.files.push_back(fmt::format("file{}.cpp", f));
  std::vector<store::row> rows;
  for (std::uint32_t t = 0; t < tests; ++t) {
    store::measured_test facts;
    facts.program = t % 2;
    facts.case_name = facts.name = fmt::format("Case.{}", t);
    facts.measured = true;
    facts.wall_us = 100 + random.below(100'000);
    e.tests.push_back(facts);
    std::vector<store::element> row;
    for (std::uint32_t part = 0; part < 4; ++part) {
      const std::uint32_t file = random.below(files), first = 1 + random.below(lines_a_file - 60);
      for (std::uint32_t line = first; line < first + 60; ++line)
        if (random.below(5) != 0) row.push_back(store::make_element(requirement_kind::line, file, line));
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    rows.emplace_back(t, std::move(row));
  }
  e.classes = store::fold_rows(rows);
  return e;
}

/// A third of the tests is affected, a few failed before.
selection::plan_request request_for(const store::evidence& e, optimizer::random_source& random) {
  selection::plan_request r;
  r.suites = {{"one", {}, {}, true}, {"two", {}, {}, true}};
  selection::impact of_changes;
  of_changes.counted = 1;
  of_changes.of_test.resize(tests);
  for (std::uint32_t line = 100; line < 160; ++line)
    of_changes.changed.push_back(store::make_element(requirement_kind::line, 2, line));
  for (const store::element_class& c : e.classes)
    for (const store::element x : c.elements)
      if (std::binary_search(of_changes.changed.begin(), of_changes.changed.end(), x))
        for (const std::uint32_t t : c.tests)
          if (of_changes.of_test[t].empty()) {
            of_changes.of_test[t].push_back(selection::make_reason<selection::rule::failed_last>(""));
            of_changes.of_test[t].back().kind = selection::reason_kind::changed_code;
            of_changes.of_test[t].back().executed = true;
          }
  for (std::uint32_t t = 0; t < tests; ++t) {
    r.tests.push_back({e.tests[t].program, "tests", e.tests[t].case_name, e.tests[t].name, ""});
    if (random.below(4) == 0)
      for (std::int64_t run = 0; run < 12; ++run)
        r.past[e.tests[t].name].push_back({run * 10'000 + t, random.below(6) == 0});
  }
  r.baseline.emplace(selection::plan_request::base{&e, 1, std::move(of_changes)});
  return r;
}

void print(const char* what, const selection::plan_request& request, const selection::plan& made) {
  std::vector<std::uint32_t> order;
  for (const auto& t : made.tests)
    if (t.selected) order.push_back(t.test);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return made.tests[a].rank < made.tests[b].rank; });
  std::cout << what << ':';
  for (const std::uint32_t t : order) std::cout << ' ' << t;
  std::cout << "\n then";
  for (const std::uint32_t t : selection::order_of_left_out(request, made)) std::cout << ' ' << t;
  for (const auto* proof : {&made.minimal, &made.budget})
    if (*proof) std::cout << fmt::format("\n {:a} of {:a}", (*proof)->reached, (*proof)->bound);
  for (const auto& risk : made.risks)
    std::cout << fmt::format("\n {} of {}, {:a}", risk.run, risk.affected, risk.expected);
  std::cout << '\n';
}

void print(const char* what, const optimizer::front_point& set, double bound) {
  std::cout << fmt::format("{}: {} us, {} covered, {:a}:", what, set.cost_us, set.covered, bound);
  for (const std::uint64_t word : set.tests) std::cout << fmt::format(" {:x}", word);
  std::cout << '\n';
}

}  // namespace

int main() {
  optimizer::random_source random(17);
  const store::evidence e = made_up_evidence(random);
  selection::plan_request r = request_for(e, random);
  print("safe", r, selection::make_plan(r));
  for (const char* text : {"all", "minimal", "risk=0.8", "risk=0.95"}) {
    for (auto& suite : r.suites) suite.how = selection::parse_policy(text).value();
    print(text, r, selection::make_plan(r));
  }
  for (auto& suite : r.suites) suite.how = {};
  for (const double budget : {0.05, 0.3, 1.0}) {
    r.budget_seconds = budget;
    print("budget", r, selection::make_plan(r));
  }
  r.budget_seconds.reset();
  for (const auto& row : selection::front_of(r, selection::make_plan(r)).rows)
    std::cout << fmt::format("front: {:a} s, {} tests, {:a}, {:a}\n", row.seconds, row.tests, row.changed, row.lines);

  optimizer::matrix_builder builder({{"lines", 2000}});
  for (std::uint32_t t = 0; t < tests; ++t) {
    std::vector<std::uint32_t> covers;
    for (std::uint32_t q = 0; q < 2000; ++q)
      if (random.below(30) == 0) covers.push_back(q);
    builder.add_test(1 + random.below(50'000), covers);
  }
  const auto problem = optimizer::weigh(std::make_shared<const optimizer::cover_matrix>(std::move(builder).finish()));
  const optimizer::search_effort effort{.moves = 2000, .provable_pairs = 0};
  const auto cheapest = optimizer::minimal_set(problem, effort);
  print("cheapest", cheapest.set, static_cast<double>(cheapest.bound));
  const auto within = optimizer::best_within(problem, cheapest.set.cost_us / 3, effort);
  print("within", within.set, static_cast<double>(within.bound));
}
