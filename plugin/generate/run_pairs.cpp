// Several pairs of classes in one run, and which ones there are.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/generate/run.hpp"
#include "plugin/system/process.hpp"

namespace morph::generate {

result<pairs_report> run_pairs(const build::build_tree& tree, const request& asked, system::observer& told) {
  const auto pairs = pairs_of_project(tree, most_pairs, told);
  if (!pairs) return tl::unexpected(pairs.error());
  request one = asked;
  one.budget /= static_cast<double>(pairs->size());
  // None would be no limit.
  if (asked.most_sequences > 0) one.most_sequences = std::max<std::uint64_t>(1, asked.most_sequences / pairs->size());
  pairs_report made;
  bool goes_on = true;
  for (std::size_t i = 0; i < pairs->size() && goes_on; ++i) {
    const class_pair pair{(*pairs)[i].caller, (*pairs)[i].callee};
    told.status(fmt::format("pair {} of {}: {}:{}", i + 1, pairs->size(), pair.caller, pair.callee));
    one.pair = pair;
    auto report = run(tree, one, told);
    goes_on = !system::interrupted() && (!report || !report->is_interrupted);
    if (report)
      made.reports.push_back(std::move(*report));
    else
      made.failed.push_back(fmt::format("{}:{}: {}", pair.caller, pair.callee, report.error().message));
  }
  return made;
}

result<std::string> listed_pairs(const build::build_tree& tree, bool as_json, system::observer& told) {
  return pairs_of_project(tree, std::numeric_limits<std::size_t>::max(), told)
      .map([&](const std::vector<coupling::candidate>& all) {
        if (as_json) {
          nlohmann::json made = nlohmann::json::array();
          for (const coupling::candidate& each : all)
            made.push_back({{"caller", each.caller},
                            {"callee", each.callee},
                            {"coupled_branches", each.pairs},
                            {"call_sites", each.sites},
                            {"decisions", each.complexity}});
          return nlohmann::json{{"schema", contract::class_pairs_schema}, {"pairs", std::move(made)}}.dump() + '\n';
        }
        std::string made = fmt::format("{:>18}{:>12}{:>11}  pair\n", "coupled branches", "call sites", "decisions");
        for (const coupling::candidate& each : all)
          made += fmt::format("{:>18}{:>12}{:>11}  {}:{}\n", each.pairs, each.sites, each.complexity, each.caller,
                              each.callee);
        return made;
      });
}

}  // namespace morph::generate
