// Costs, classes of requirements and failure rates, handed to the optimizer.
#include "plugin/selection/ranking.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "optimizer/history.hpp"
#include "optimizer/order.hpp"

namespace morph::selection {
namespace {

using optimizer::requirement_class;
using optimizer::requirement_kind;

constexpr std::size_t fewest_runs = 5, fewest_tests = 6;  // from which orders are judged
constexpr double default_seconds = 0.01;                  // of a test when not a single one was measured

}  // namespace

std::vector<std::int64_t> costs_of(const std::vector<planned_test>& tests) {
  const auto in_us = [](double seconds) { return std::max<std::int64_t>(1, std::llround(seconds * 1e6)); };
  std::vector<std::int64_t> known;
  for (const planned_test& t : tests)
    if (t.seconds) known.push_back(in_us(*t.seconds));
  std::int64_t typical = in_us(default_seconds);
  if (!known.empty()) {
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::nth_element(known.begin(), middle, known.end());
    typical = *middle;
  }
  std::vector<std::int64_t> costs;
  for (const planned_test& t : tests) costs.push_back(t.seconds ? in_us(*t.seconds) : typical);
  return costs;
}

ranking::ranking(const plan_request& request, const std::vector<planned_test>& tests,
                 const std::vector<std::uint32_t>& facts_of)
    : r_(request), tests_(tests), facts_of_(facts_of), cost_us_(costs_of(tests)) {
  for (const std::int64_t us : cost_us_) rounded_.push_back(optimizer::rounded_cost(us));
  std::vector<optimizer::verdicts> verdicts(tests.size());
  has_failed_.resize(tests.size());
  for (std::size_t i = 0; i < tests.size(); ++i)
    if (const auto at = r_.past.find(r_.tests[i].name); at != r_.past.end())
      for (const past_verdict& v : at->second) {
        verdicts[i].push_back(v.failed);
        if (v.failed) has_failed_[i] = true;
      }
  if (std::find(has_failed_.begin(), has_failed_.end(), true) == has_failed_.end()) return;
  rates_ = optimizer::failure_rates(verdicts);
  misleads_ = r_.baseline && finds_failures_late();
}

/// Each weighs what its elements do, by `weight_of`.
template <typename Weight>
std::vector<requirement_class> ranking::classes(const std::vector<bool>& counts, Weight weight_of) const {
  std::vector<requirement_class> classes;
  if (!r_.baseline) return classes;
  std::vector<std::uint32_t> test_of(r_.baseline->facts->tests.size(), not_measured);
  for (std::uint32_t i = 0; i < facts_of_.size(); ++i)
    if (facts_of_[i] != not_measured && counts[i]) test_of[facts_of_[i]] = i;
  for (const store::element_class& c : r_.baseline->facts->classes) {
    std::uint64_t weight = 0;
    for (const store::element x : c.elements) weight += weight_of(x);
    if (weight == 0) continue;
    requirement_class made{{}, weight};
    for (const std::uint32_t test : c.tests)
      if (test_of[test] != not_measured) made.tests.push_back(test_of[test]);
    if (!made.tests.empty()) classes.push_back(std::move(made));
  }
  return classes;
}

std::vector<requirement_class> ranking::all_of(requirement_kind kind, const std::vector<bool>& counts) const {
  return classes(counts, [&](store::element x) { return store::kind_of(x) == kind ? 1U : 0U; });
}

std::vector<requirement_class> ranking::lines_and_kills(const std::vector<bool>& counts) const {
  // Of what a kill weighs, or a line of a file that has not changed for long.
  const std::uint32_t parts = r_.churn.empty() ? 1 : 16;
  std::vector<std::uint32_t> of_file;
  if (r_.baseline)
    for (const std::string& path : r_.baseline->facts->files) {
      const auto found = r_.churn.find(path);
      const double churn = found == r_.churn.end() ? 0 : found->second;
      of_file.push_back(static_cast<std::uint32_t>(std::lround(parts * (1 + std::log1p(churn)))));
    }
  return classes(counts, [&](store::element x) {
    const auto kind = store::kind_of(x);
    return kind == requirement_kind::line ? of_file[store::owner_of(x)] : kind == requirement_kind::kill ? parts : 0U;
  });
}

std::vector<requirement_class> ranking::changed_lines(const std::vector<bool>& counts) const {
  if (!r_.baseline) return {};
  const auto& changed = r_.baseline->of_changes.changed;
  return classes(counts, [&](store::element x) {
    const bool is_line = store::kind_of(x) == requirement_kind::line;
    return is_line && std::binary_search(changed.begin(), changed.end(), x) ? 1U : 0U;
  });
}

std::vector<requirement_class> ranking::changed(const std::vector<bool>& counts) const {
  std::vector<requirement_class> classes = changed_lines(counts);
  constexpr std::uint64_t per_line = 1000;  // so that a rate of one line is a number, too
  std::uint64_t total = 0;
  for (requirement_class& c : classes) total += c.weight *= per_line;
  total = std::max(total, per_line);
  for (std::uint32_t i = 0; i < rates_.size(); ++i)
    if (counts[i] && has_failed_[i])
      classes.push_back({{i}, static_cast<std::uint64_t>(std::llround(rates_[i] * static_cast<double>(total)))});
  return classes;
}

optimizer::instance ranking::instance_of(const std::vector<bool>& counts) const {
  optimizer::instance in;
  in.cost_us = rounded_;
  in.levels = {changed(counts)};
  if (!misleads_) {
    in.levels.push_back(lines_and_kills(counts));
    return in;
  }
  std::vector<requirement_class> by_rate;
  for (std::uint32_t i = 0; i < rates_.size(); ++i)
    if (counts[i]) by_rate.push_back({{i}, static_cast<std::uint64_t>(std::llround(rates_[i] * 1e6))});
  in.levels.push_back(std::move(by_rate));
  return in;
}

/// Verdicts that follow each other within minutes are of one run, as long as no test has two of them: batches note when
/// each of their cases ended.
std::vector<std::map<std::uint32_t, bool>> ranking::failed_runs() const {
  constexpr std::int64_t longest_pause = 600;  // seconds
  std::vector<std::tuple<std::int64_t, std::uint32_t, bool>> all;
  for (std::uint32_t i = 0; i < tests_.size(); ++i)
    if (const auto at = r_.past.find(r_.tests[i].name); at != r_.past.end())
      for (const past_verdict& v : at->second) all.emplace_back(v.at, i, v.failed);
  std::sort(all.begin(), all.end());
  std::vector<std::map<std::uint32_t, bool>> runs;
  std::int64_t last = 0;
  for (const auto& [at, test, failed] : all) {
    if (runs.empty() || at - last > longest_pause || runs.back().count(test) != 0) runs.emplace_back();
    runs.back()[test] = failed;
    last = at;
  }
  std::erase_if(runs, [](const auto& run) {
    return run.size() < fewest_tests ||
           std::none_of(run.begin(), run.end(), [](const auto& verdict) { return verdict.second; });
  });
  return runs;
}

/// Over the recorded runs in which something failed: chance has a mean APFD of one half.
bool ranking::finds_failures_late() const {
  const auto runs = failed_runs();
  if (runs.size() < fewest_runs) return false;

  std::vector<std::uint32_t> all(tests_.size());
  std::iota(all.begin(), all.end(), 0U);
  optimizer::instance by_lines;
  by_lines.cost_us = rounded_;
  by_lines.levels = {lines_and_kills(std::vector<bool>(tests_.size(), true))};
  const auto order = optimizer::additional_greedy_order(by_lines, all);
  double sum = 0;
  for (const auto& verdicts : runs) {
    std::vector<bool> failed;
    for (const std::uint32_t test : order)
      if (const auto at = verdicts.find(test); at != verdicts.end()) failed.push_back(at->second);
    sum += optimizer::apfd(failed);
  }
  return sum < 0.5 * static_cast<double>(runs.size());
}

std::vector<bool> ranking::selected() const {
  std::vector<bool> are;
  for (const planned_test& t : tests_) are.push_back(t.selected);
  return are;
}

optimizer::instance ranking::of_levels() const {
  return instance_of(selected());
}

optimizer::instance ranking::of_change() const {
  return {cost_us_, {changed_lines(selected())}};
}

optimizer::instance ranking::of_all(requirement_kind kind) const {
  return {cost_us_, {all_of(kind, selected())}};
}

std::vector<std::uint32_t> ranking::of_selected() const {
  std::array<std::vector<std::uint32_t>, 4> groups;
  for (std::uint32_t i = 0; i < tests_.size(); ++i)
    if (tests_[i].selected) groups[static_cast<std::size_t>(urgency_of(tests_[i]))].push_back(i);
  std::vector<std::uint32_t> order;
  const optimizer::instance in = of_levels();
  for (const auto& group : groups) {
    // Without evidence the declared order is as good as any, and what people expect.
    const auto part = r_.baseline ? optimizer::additional_greedy_order(in, group) : group;
    order.insert(order.end(), part.begin(), part.end());
  }
  return order;
}

std::vector<std::uint32_t> ranking::of_waiting() const {
  std::vector<std::uint32_t> left_out;
  std::vector<bool> counts(tests_.size());
  for (std::uint32_t i = 0; i < tests_.size(); ++i)
    if ((counts[i] = !tests_[i].selected)) left_out.push_back(i);
  return r_.baseline ? optimizer::additional_greedy_order(instance_of(counts), left_out) : left_out;
}

}  // namespace morph::selection
