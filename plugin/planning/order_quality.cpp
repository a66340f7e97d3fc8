// APFD and time to failures of several orders.
#include "plugin/planning/order_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "optimizer/history.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/planning/earlier_run.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;

/// Tests in an order, with what a run says of them.
struct judged_order {
  std::vector<bool> failed;
  std::vector<std::int64_t> cost_us;
  std::size_t run = 0;  // so many from the front
};

struct figures {
  double apfd = 0, apfd_by_cost = 0, napfd = 0;
};

figures figures_of(const judged_order& order) {
  return {optimizer::apfd(order.failed), optimizer::apfd_by_cost(order.failed, order.cost_us),
          optimizer::napfd(order.failed, order.run)};
}

json to_json(const figures& f) {
  return {{"apfd", f.apfd}, {"apfdc", f.apfd_by_cost}, {"napfd", f.napfd}};
}

}  // namespace

int run_evaluation(const build::build_tree& tree, plan_options options, const std::vector<std::string>& reports,
                   bool as_json) {
  const auto past = plan_before_run(tree, std::move(options), reports);
  if (!past) return print_failure(past.error());
  const full_plan& p = *past->plan;
  std::vector<std::uint32_t> declared, planned;
  for (const auto& test : p.plan.tests)
    if (past->verdicts.count(p.request.tests[test.test].name) != 0) declared.push_back(test.test);
  const std::size_t unseen = p.plan.tests.size() - declared.size();
  for (const std::uint32_t test : declared)
    if (p.plan.tests[test].selected) planned.push_back(test);
  std::sort(planned.begin(), planned.end(),
            [&](auto a, auto b) { return *p.plan.tests[a].rank < *p.plan.tests[b].rank; });
  const std::size_t selected = planned.size();
  for (const std::uint32_t test : order_of_left_out(p.request, p.plan))
    if (past->verdicts.count(p.request.tests[test].name) != 0) planned.push_back(test);

  const auto judge = [&](const std::vector<std::uint32_t>& tests) {
    judged_order order;
    order.run = selected;
    for (const std::uint32_t test : tests) {
      const verdict& v = past->verdicts.at(p.request.tests[test].name);
      order.failed.push_back(v.failed);
      order.cost_us.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(v.seconds * 1e6)));
    }
    return order;
  };
  std::vector<std::uint32_t> best = declared;
  const auto seconds_of = [&](std::uint32_t test) { return past->verdicts.at(p.request.tests[test].name).seconds; };
  const auto failed = [&](std::uint32_t test) { return past->verdicts.at(p.request.tests[test].name).failed; };
  std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) {
    return failed(a) != failed(b) ? failed(a) : failed(a) && seconds_of(a) < seconds_of(b);
  });
  const judged_order ours = judge(planned);
  const figures of_plan = figures_of(ours), as_declared = figures_of(judge(declared)),
                at_best = figures_of(judge(best));
  const auto failures = static_cast<std::size_t>(std::count(ours.failed.begin(), ours.failed.end(), true));
  const auto found = static_cast<std::size_t>(
      std::count(ours.failed.begin(), ours.failed.begin() + static_cast<std::ptrdiff_t>(selected), true));
  std::size_t first = 0;
  double seconds_before = 0, seconds = 0;
  for (std::size_t i = 0; i < planned.size(); ++i) {
    seconds += seconds_of(planned[i]);
    if (first != 0 || !ours.failed[i]) continue;
    first = i + 1;
    seconds_before = seconds;
  }
  if (as_json) {
    json root{{"schema", contract::evaluation_schema},
              {"tests", planned.size()},
              {"without_verdict", unseen},
              {"selected", selected},
              {"failed", failures},
              {"failed_selected", found},
              {"first_failure", first == 0 ? json(nullptr) : json{{"place", first}, {"seconds", seconds_before}}},
              {"seconds", seconds},
              {"plan", failures == 0 ? json(nullptr) : to_json(of_plan)},
              {"declared", failures == 0 ? json(nullptr) : to_json(as_declared)},
              {"best", failures == 0 ? json(nullptr) : to_json(at_best)},
              {"notes", p.notes}};
    fmt::print("{}\n", root.dump(1, ' ', false, json::error_handler_t::replace));
    return contract::fine;
  }
  for (const std::string& note : p.notes) fmt::print("note: {}\n", note);
  if (unseen > 0) fmt::print("note: it was no run of all tests; {} have no verdict on this content\n", unseen);
  if (failures == 0) {
    fmt::print("none of {} tests failed: there is nothing to find early\n", planned.size());
    return contract::fine;
  }
  fmt::print(
      "{} of {} tests failed, {} of them among the {} that the plan runs; the first one is test {} of its order, after "
      "{:.2f} s of {:.2f} s\n\n"
      "{:<22}{:>8}{:>8}{:>8}\n",
      failures, planned.size(), found, selected, first, seconds_before, seconds, "", "APFD", "APFDc", "NAPFD");
  const auto row = [](const char* name, const figures& f) {
    fmt::print("{:<22}{:>8.4f}{:>8.4f}{:>8.4f}\n", name, f.apfd, f.apfd_by_cost, f.napfd);
  };
  row("the plan", of_plan);
  row("as declared", as_declared);
  fmt::print("{:<22}{:>8.4f}{:>8.4f}\n", "by chance", 0.5, 0.5);
  row("the best order", at_best);
  fmt::print("\nAPFD: how soon failures come, by tests; APFDc: by seconds; NAPFD: of the tests that the plan runs\n");
  return contract::fine;
}

}  // namespace morph::planning
