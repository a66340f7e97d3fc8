// Several pairs of classes in one run.
#include <fmt/format.h>

#include <algorithm>

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
    const class_pair& pair = (*pairs)[i];
    told.status(fmt::format("pair {} of {}: {}:{}", i + 1, pairs->size(), pair.caller, pair.callee));
    one.pair = pair;
    auto report = run(tree, one, told);
    goes_on = !system::interrupted() && (!report || !report->is_interrupted);
    if (report)
      made.reports.push_back(std::move(*report));
    else
      made.failed.push_back(fmt::format("{}:{}: {}", pair.caller, pair.callee, report.error()));
  }
  return made;
}

}  // namespace morph::generate
