// APFD and time to failures of several orders.
#include "plugin/planning/order_quality.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "optimizer/history.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"

namespace morph::planning {
namespace {

using nlohmann::json;

/// Tests in an order, with what a run says of them.
struct judged_order {
  std::vector<bool> failed;
  std::vector<std::int64_t> cost_us;
  std::size_t run = 0;  // so many from the front
};

order_figures figures_of(const judged_order& order) {
  return {optimizer::apfd(order.failed), optimizer::apfd_by_cost(order.failed, order.cost_us),
          optimizer::napfd(order.failed, order.run)};
}

json to_json(const order_figures& f) {
  return {{"apfd", f.apfd}, {"apfdc", f.apfd_by_cost}, {"napfd", f.napfd}};
}

}  // namespace

contract::outcome<evaluation> run_evaluation(const build::build_tree& tree, plan_options options,
                                             const std::vector<std::string>& reports) {
  const auto past = plan_before_run(tree, std::move(options), reports);
  if (!past) return tl::unexpected(past.error());
  const full_plan& p = *past->plan;
  std::vector<std::uint32_t> declared, planned;
  for (const auto& test : p.plan.tests)
    if (past->run.verdicts.count(p.request.tests[test.test].name) != 0) declared.push_back(test.test);
  const std::size_t unseen = p.plan.tests.size() - declared.size();
  for (const std::uint32_t test : declared)
    if (p.plan.tests[test].selected) planned.push_back(test);
  std::sort(planned.begin(), planned.end(),
            [&](auto a, auto b) { return *p.plan.tests[a].rank < *p.plan.tests[b].rank; });
  const std::size_t selected = planned.size();
  for (const std::uint32_t test : order_of_left_out(p.request, p.plan))
    if (past->run.verdicts.count(p.request.tests[test].name) != 0) planned.push_back(test);

  const auto judge = [&](const std::vector<std::uint32_t>& tests) {
    judged_order order;
    order.run = selected;
    for (const std::uint32_t test : tests) {
      const verdict& v = past->run.verdicts.at(p.request.tests[test].name);
      order.failed.push_back(v.failed);
      order.cost_us.push_back(std::max<std::int64_t>(1, static_cast<std::int64_t>(v.seconds * 1e6)));
    }
    return order;
  };
  std::vector<std::uint32_t> best = declared;
  const auto seconds_of = [&](std::uint32_t test) { return past->run.verdicts.at(p.request.tests[test].name).seconds; };
  const auto failed = [&](std::uint32_t test) { return past->run.verdicts.at(p.request.tests[test].name).failed; };
  std::stable_sort(best.begin(), best.end(), [&](auto a, auto b) {
    return failed(a) != failed(b) ? failed(a) : failed(a) && seconds_of(a) < seconds_of(b);
  });
  evaluation of{p.notes, planned.size(), unseen, selected};
  const judged_order ours = judge(planned);
  of.plan = figures_of(ours);
  of.declared = figures_of(judge(declared));
  of.best = figures_of(judge(best));
  of.failed = static_cast<std::size_t>(std::count(ours.failed.begin(), ours.failed.end(), true));
  of.failed_selected = static_cast<std::size_t>(
      std::count(ours.failed.begin(), ours.failed.begin() + static_cast<std::ptrdiff_t>(selected), true));
  for (std::size_t i = 0; i < planned.size(); ++i) {
    of.seconds += seconds_of(planned[i]);
    if (of.first != 0 || !ours.failed[i]) continue;
    of.first = i + 1;
    of.seconds_before = of.seconds;
  }
  return of;
}

std::string as_text(const evaluation& of) {
  std::string text;
  for (const std::string& note : of.notes) text += fmt::format("note: {}\n", note);
  if (of.without_verdict > 0)
    text += fmt::format("note: it was no run of all tests; {} have no verdict on this content\n", of.without_verdict);
  if (of.failed == 0) {
    text += fmt::format("none of {} failed: there is nothing to find early\n", system::counted(of.tests, "test"));
    return text;
  }
  text += fmt::format(
      "{} of {} failed, {} of them among the {} that the plan runs; the first one is test {} of its order, after "
      "{:.2f} s of {:.2f} s\n\n"
      "{:<22}{:>8}{:>8}{:>8}\n",
      of.failed, system::counted(of.tests, "test"), of.failed_selected, of.selected, of.first, of.seconds_before,
      of.seconds, "", "APFD", "APFDc", "NAPFD");
  const auto row = [&](const char* name, const order_figures& f) {
    text += fmt::format("{:<22}{:>8.4f}{:>8.4f}{:>8.4f}\n", name, f.apfd, f.apfd_by_cost, f.napfd);
  };
  row("the plan", of.plan);
  row("as declared", of.declared);
  text += fmt::format("{:<22}{:>8.4f}{:>8.4f}\n", "by chance", 0.5, 0.5);
  row("the best order", of.best);
  text += fmt::format(
      "\nAPFD: how soon failures come, by tests; APFDc: by seconds; NAPFD: of the tests that the plan runs\n");
  return text;
}

std::string as_json(const evaluation& of) {
  json root{
      {"schema", contract::evaluation_schema},
      {"tests", of.tests},
      {"without_verdict", of.without_verdict},
      {"selected", of.selected},
      {"failed", of.failed},
      {"failed_selected", of.failed_selected},
      {"first_failure", of.first == 0 ? json(nullptr) : json{{"place", of.first}, {"seconds", of.seconds_before}}},
      {"seconds", of.seconds},
      {"plan", of.failed == 0 ? json(nullptr) : to_json(of.plan)},
      {"declared", of.failed == 0 ? json(nullptr) : to_json(of.declared)},
      {"best", of.failed == 0 ? json(nullptr) : to_json(of.best)},
      {"notes", of.notes}};
  return root.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace morph::planning
