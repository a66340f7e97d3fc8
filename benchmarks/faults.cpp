// What the line rules select for recorded faults as commits, where plans have the first test that fails, and whether
// orders gain by what is learned of half of the faults: faults DIR <ROWS. DIR holds lines.json and commits.jsonl; a
// line of ROWS is a test, the numbers of the lines that it executes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>

#include "optimizer/detection.hpp"
#include "optimizer/matrix/random.hpp"
#include "plugin/selection/impact.hpp"
#include "plugin/selection/plan.hpp"

namespace {

using namespace morph;
using store::element;

nlohmann::json read_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::runtime_error(fmt::format("cannot read '{}'", path));
  return nlohmann::json::parse(in);
}

/// As if one program had been measured whose objects are the files.
struct recorded {
  store::evidence evidence;
  std::vector<bool> is_short;  // by test: far fewer lines than the others, as of a process that was cut off
  std::vector<bool> is_torn;   // by test: lacks what every other test has that executes the same
};

/// Tests that break twenty rules or more that all others keep: who executes one class of lines (twenty tests do)
/// executes another one, too.
std::vector<bool> torn_rows(const store::evidence& e) {
  constexpr std::size_t fewest_tests = 20, fewest_broken = 20;
  std::vector<std::size_t> broken(e.tests.size());
  for (const store::element_class& a : e.classes) {
    if (a.tests.size() < fewest_tests) continue;
    for (const store::element_class& b : e.classes) {
      std::vector<std::uint32_t> only;
      std::set_difference(a.tests.begin(), a.tests.end(), b.tests.begin(), b.tests.end(), std::back_inserter(only));
      if (only.size() == 1) ++broken[only.front()];
    }
  }
  std::vector<bool> torn;
  for (const std::size_t count : broken) torn.push_back(count >= fewest_broken);
  return torn;
}

recorded read(const std::string& folder, std::istream& in) {
  recorded r;
  store::evidence& e = r.evidence;
  e.info.complete = true;
  e.programs = {{"faults", "program"}};
  std::map<std::string, std::vector<element>> elements_of;  // by number in the rows
  const auto places_of = read_json(folder + "/lines.json");
  for (const auto& [number, places] : places_of.items())
    for (const std::string place : places) {
      const std::size_t colon = place.rfind(':');
      const std::string file = place.substr(0, colon);
      auto at = std::find(e.files.begin(), e.files.end(), file);
      if (at == e.files.end()) {
        at = e.files.insert(at, file);
        e.executable_lines.emplace_back();
      }
      const auto owner = static_cast<std::uint32_t>(at - e.files.begin());
      const auto line = static_cast<std::uint32_t>(std::stoul(place.substr(colon + 1)));
      e.executable_lines[owner].push_back(line);
      elements_of[number].push_back(store::make_element(optimizer::requirement_kind::line, owner, line));
    }
  for (std::uint32_t file = 0; file < e.files.size(); ++file) {
    auto& lines = e.executable_lines[file];
    std::sort(lines.begin(), lines.end());
    e.units.push_back({e.files[file] + ".o", file, {file}, false});
    // Where functions begin and end was not recorded; between the first and the last executable line every line may be
    // of one.
    e.functions.push_back({e.files[file], file, lines.front(), lines.back(), false});
  }
  std::vector<store::row> rows;
  std::vector<std::size_t> sizes;
  for (std::string text; std::getline(in, text);) {
    std::istringstream numbers(text);
    std::vector<element> row;
    for (std::string number; numbers >> number;)
      row.insert(row.end(), elements_of[number].begin(), elements_of[number].end());
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    sizes.push_back(row.size());
    store::measured_test test;
    test.case_name = test.name = fmt::format("{}", rows.size() + 1);
    test.measured = true;
    test.wall_us = 1000;  // times were not recorded
    rows.emplace_back(static_cast<std::uint32_t>(e.tests.size()), std::move(row));
    e.tests.push_back(test);
  }
  std::vector<std::size_t> ordered = sizes;
  std::sort(ordered.begin(), ordered.end());
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    r.is_short.push_back(sizes[t] * 10 < ordered[ordered.size() / 2] * 3);
    if (r.is_short[t]) e.tests[t].incomplete = store::incomplete_table().front().bit;
  }
  e.classes = store::fold_rows(rows);
  r.is_torn = torn_rows(e);
  return r;
}

/// From 1, among all tests: those that wait run behind the selected ones.
std::size_t first_failure(const std::vector<std::uint32_t>& order, const std::vector<std::size_t>& failing) {
  for (std::size_t i = 0; i < order.size(); ++i)
    if (std::find(failing.begin(), failing.end(), order[i] + 1) != failing.end()) return i + 1;
  throw std::runtime_error("a fault without a failing test");
}

selection::plan_request request_for(const recorded& r, selection::impact of_changes) {
  selection::plan_request request;
  request.suites = {{"faults", {}, {}}};
  for (const auto& test : r.evidence.tests) request.tests.push_back({0, "program", test.case_name, test.name, {}});
  request.baseline = {&r.evidence, 0, std::move(of_changes)};
  return request;
}

/// Among the tests affected by code, if one of them fails.
std::optional<optimizer::found_fault> place_of(selection::plan_request request, const std::set<std::size_t>& failing) {
  request.suites[0].how = {selection::policy::risk, 1};
  const auto tests = affected_by_code(make_plan(request));
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (failing.count(tests[i] + 1) != 0) return optimizer::found_fault{i + 1, tests.size()};
  return std::nullopt;
}

std::vector<std::uint32_t> order_of(const selection::plan_request& request) {
  const auto made = selection::make_plan(request);
  std::vector<std::uint32_t> order;
  for (std::uint32_t t = 0; t < made.tests.size(); ++t)
    if (made.tests[t].selected) order.push_back(t);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return *made.tests[a].rank < *made.tests[b].rank; });
  const auto later = selection::order_of_left_out(request, made);
  order.insert(order.end(), later.begin(), later.end());
  return order;
}

/// A fault as a commit.
struct fault {
  selection::impact of_change;
  std::vector<std::size_t> failing;
};

optimizer::known_kills kills_of(const fault& f) {
  optimizer::known_kills known;
  for (std::uint32_t t = 0; t < f.of_change.of_test.size(); ++t) {
    if (f.of_change.of_test[t].empty()) continue;
    known.executing.push_back(t);
    known.kills.push_back(std::find(f.failing.begin(), f.failing.end(), t + 1) != f.failing.end());
  }
  return known;
}

/// Mean APFD of the other half of the faults, over eight splits, in the order of plans, and in that of plans for which
/// a test is worth what optimizer::learn_detection() made of the first half (its cost is divided by that), used or not.
nlohmann::json learn(const recorded& r, const std::vector<fault>& faults) {
  std::vector<optimizer::known_kills> kills;
  for (const fault& f : faults) kills.push_back(kills_of(f));
  const std::size_t tests = r.is_short.size();
  const auto of_all = optimizer::learn_detection(kills, tests);
  const auto apfd_of = [&](const recorded& evidence, const fault& f) {
    const auto first = first_failure(order_of(request_for(evidence, f.of_change)), f.failing);
    return 1 - (static_cast<double>(first) - 0.5) / static_cast<double>(tests);
  };
  double plain = 0, learned = 0, judged = 0;
  for (std::uint64_t split = 0; split < 8; ++split) {
    std::vector<std::size_t> order(faults.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    optimizer::random_source random(split);
    for (auto i = static_cast<std::uint32_t>(order.size()); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
    std::vector<optimizer::known_kills> half;
    for (std::size_t i = 0; i < order.size() / 2; ++i) half.push_back(kills[order[i]]);
    const auto rates = optimizer::kill_rates(half, tests);
    recorded weighed = r;
    for (std::size_t t = 0; t < tests; ++t)
      weighed.evidence.tests[t].wall_us = std::llround(1000 / std::max(rates[t], 0.01));
    for (std::size_t i = order.size() / 2; i < order.size(); ++i) {
      plain += apfd_of(r, faults[order[i]]);
      learned += apfd_of(weighed, faults[order[i]]);
      judged += 1;
    }
  }
  return {{"brier", of_all.brier},
          {"base_brier", of_all.base_brier},
          {"are_learned", of_all.are_learned},
          {"apfd", plain / judged},
          {"apfd_learned", learned / judged}};
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::cerr << "usage: faults DIR <ROWS\n", 2;
  const std::string folder = argv[1];
  const recorded r = read(folder, std::cin);
  const selection::file_kinds kinds("/nowhere", {});
  selection::impact nothing;
  nothing.of_test.resize(r.is_short.size());
  auto all = r;
  for (auto& test : all.evidence.tests) test.incomplete = 0;
  const auto change_blind = order_of(request_for(all, nothing));
  std::vector<fault> faults;
  std::ifstream commits(folder + "/commits.jsonl");
  for (std::string text; std::getline(commits, text);) {
    const auto commit = nlohmann::json::parse(text);
    git::file_change change;
    change.path = commit.at("file");
    change.old_lines = 1U << 20;
    for (const std::uint32_t line : commit.at("lines")) change.hunks.push_back({line, 1, line, 1});
    selection::impact impact = selection::assess(r.evidence, {&change, 1}, kinds, {});
    std::size_t selected = 0, with_short = 0;
    std::vector<std::size_t> missed, missed_by_rows;
    for (std::size_t t = 0; t < r.is_short.size(); ++t) {
      const bool by_row = !impact.of_everything.empty() || !impact.of_test[t].empty();
      selected += by_row ? 1 : 0;
      with_short += by_row || r.is_short[t] || r.is_torn[t] ? 1 : 0;
    }
    for (const std::size_t test : commit.at("failing")) {
      if (!impact.of_everything.empty() || !impact.of_test[test - 1].empty()) continue;
      missed_by_rows.push_back(test);
      if (!r.is_short[test - 1] && !r.is_torn[test - 1]) missed.push_back(test);
    }
    const std::vector<std::size_t> failing = commit.at("failing");
    const std::set<std::size_t> distinct(failing.begin(), failing.end());
    const auto place = place_of(request_for(r, impact), distinct);
    std::cout << nlohmann::json{{"place", place ? nlohmann::json{place->first, place->tests} : nlohmann::json(nullptr)},
                                {"first", first_failure(order_of(request_for(r, impact)), failing)},
                                {"first_change_blind", first_failure(change_blind, failing)},
                                {"first_random", (static_cast<double>(r.is_short.size()) + 1) /
                                                     (static_cast<double>(distinct.size()) + 1)},
                                {"id", commit.at("id")},
                                {"file", commit.at("file")},
                                {"lines", commit.at("lines").size()},
                                {"failing", commit.at("failing").size()},
                                {"tests", r.is_short.size()},
                                {"short_rows", std::count(r.is_short.begin(), r.is_short.end(), true)},
                                {"torn_rows", std::count(r.is_torn.begin(), r.is_torn.end(), true)},
                                {"selected", selected},
                                {"selected_with_short_rows", with_short},
                                {"missed_by_rows", missed_by_rows},
                                {"missed", missed}}
                     .dump()
              << "\n";
    faults.push_back({std::move(impact), failing});
  }
  std::cout << nlohmann::json{{"kills", learn(r, faults)}}.dump() << "\n";
} catch (const std::exception& e) {
  std::cerr << e.what() << "\n";
  return 3;
}
