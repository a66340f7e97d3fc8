// What came of breeding: JSON, text, the log.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/pools/breeding.hpp"
#include "plugin/system/counted.hpp"

namespace morph::pools {
namespace {

using nlohmann::json;
using optimizer::breeding_row;

json row_json(const breeding_row& row) {
  return {{"generation", row.generation}, {"cases", row.cases},   {"made", row.made}, {"archive", row.archive},
          {"front", row.front},           {"values", row.values}, {"best", row.best}, {"best cases", row.best_cases}};
}

json head_json(const breeding_request& asked) {
  return {{"schema", contract::breed_schema}, {"spec", asked.spec}, {"strategy", asked.strategy},
          {"towards", asked.towards},         {"seed", asked.seed}, {"budget", asked.how.budget}};
}

}  // namespace

std::string log_text(const bred& of) {
  std::string text = head_json(of.asked).dump() + '\n';
  for (const breeding_row& row : of.found.log) text += row_json(row).dump() + '\n';
  const optimizer::bred_pool& pool = of.found.pools.front();
  return text + json{{"stopped", of.found.stopped}, {"cases", pool.cases.size()}, {"values", pool.values}}.dump() +
         '\n';
}

std::string as_json(const bred& of) {
  json all = head_json(of.asked);
  all["stopped"] = of.found.stopped;
  all["pool"] = of.asked.target();
  all["saved cases"] = of.saved;
  for (const breeding_row& row : of.found.log) all["generations"].push_back(row_json(row));
  for (const optimizer::bred_pool& each : of.found.pools) {
    json ids = json::array();
    for (const std::uint32_t c : each.cases) ids.push_back(of.ids[c]);
    all["front"].push_back({{"values", each.values}, {"cases", std::move(ids)}});
  }
  return all.dump();
}

std::string as_text(const bred& of) {
  const auto& [pools, log, stopped] = of.found;
  const std::vector<std::string>& towards = of.asked.towards;
  const breeding_row& first = log.front();
  const breeding_row& last = log.back();
  const optimizer::bred_pool& pool = pools.front();
  std::string text =
      fmt::format("bred by {} with seed {}: {}, {} made; it stopped: {}\n", of.asked.strategy, of.asked.seed,
                  system::counted(last.generation, "generation"), system::counted(last.made, "mutant"), stopped);
  std::size_t width = 5;
  for (const std::string& name : towards) width = std::max(width, name.size());
  text += fmt::format("  {:<{}}  {:>10}  {:>10}\n", "", width, "at first", "bred");
  for (std::size_t m = 0; m < towards.size(); ++m)
    text += fmt::format("  {:<{}}  {:>10.6g}  {:>10.6g}\n", towards[m], width, first.values[m], pool.values[m]);
  text += fmt::format("  {:<{}}  {:>10}  {:>10}\n", "cases", width, first.cases, pool.cases.size());
  if (pool.values != last.best)
    text +=
        fmt::format("  the best pool had {:.6g} and is lost: this strategy keeps none\n", fmt::join(last.best, ", "));
  if (pools.size() > 1)
    text += fmt::format("  pools with fewer cases, or other values ({}):\n", fmt::join(towards, ", "));
  for (std::size_t i = 1; i < pools.size() && i <= 5; ++i)
    text += fmt::format("    {:>5} cases  {:.6g}\n", pools[i].cases.size(), fmt::join(pools[i].values, ", "));
  text += fmt::format("{} in '{}'", system::counted(of.saved, "case"), of.asked.target());
  if (of.saved > pool.cases.size())
    text += fmt::format("; {} of them because others were made of them", of.saved - pool.cases.size());
  return text + '\n';
}

}  // namespace morph::pools
