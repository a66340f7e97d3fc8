// Records verdicts of a run, and says which are flaky, unknown or ambiguous.
#include "plugin/workspace/record.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/recorded_verdicts.hpp"
#include "plugin/workspace/verdict_history.hpp"

namespace morph::workspace {
namespace {

constexpr std::size_t shown_names = 5;

/// "'a', 'b' and 7 more"
std::string some_of(const std::set<std::string>& names) {
  const std::vector<std::string> shown(
      names.begin(), std::next(names.begin(), static_cast<std::ptrdiff_t>(std::min(names.size(), shown_names))));
  const std::string text = fmt::format("'{}'", fmt::join(shown, "', '"));
  return names.size() <= shown_names ? text : fmt::format("{} and {} more", text, names.size() - shown_names);
}

}  // namespace

result<recorded> record(const build::build_tree& tree, const std::vector<std::string>& reports,
                        const store::store_bounds& bounds) {
  const auto repo = git::repository::open(tree.source_dir);
  const git::repository* const in = repo ? &*repo : nullptr;
  auto found = read_verdicts(tree, reports, known_snapshot(tree, in));
  if (!found) return tl::unexpected(found.error() + "; nothing was recorded");
  if (found->outcomes.empty())
    return tl::unexpected(fmt::format(
        "no verdicts in {}; run ctest first",
        reports.empty() ? (tree.binary_dir / "Testing").string() : fmt::format("{}", fmt::join(reports, ", "))));
  const std::string configuration = configuration_id(tree);
  for (store::test_outcome& each : found->outcomes) each.configuration = configuration;
  auto evidence = store::evidence_store::open_for_writing(writable_store_path(tree, in));
  const auto added = evidence ? evidence->add_outcomes(found->outcomes) : tl::unexpected(evidence.error());
  const auto histories = added ? evidence->histories(configuration) : tl::unexpected(added.error());
  const auto removed = histories ? evidence->keep_newest(bounds) : tl::unexpected(histories.error());
  if (!removed) return tl::unexpected(removed.error());
  recorded made{found->outcomes.size(),      *added,          {}, {}, std::move(found->unknown),
                std::move(found->ambiguous), removed->size(), {}};
  for (const store::test_outcome& each : found->outcomes) {
    if (each.failed) made.failed.insert(each.name);
    if (histories->at(each.name).flaky) made.flaky.insert(each.name);
  }
  return made;
}

std::vector<std::string> warnings_of(const recorded& of) {
  std::vector<std::string> warnings;
  if (!of.ambiguous.empty())
    warnings.push_back("several tests have these names; a failure counts for all of them, a success for none: " +
                       some_of(of.ambiguous));
  if (!of.unknown.empty()) warnings.push_back("no test of this build tree has these names: " + some_of(of.unknown));
  return warnings;
}

std::string as_json(const recorded& of) {
  nlohmann::json rows;
  if (of.rows) rows = {{"known", of.rows->known}, {"tests", of.rows->tests}};
  return json_text({{"schema", contract::record_schema},
                    {"rows", std::move(rows)},
                    {"recorded", of.verdicts},
                    {"new", of.added},
                    {"failed", of.failed.size()},
                    {"removed", of.removed},
                    {"flaky", of.flaky},
                    {"unknown", of.unknown},
                    {"ambiguous", of.ambiguous}});
}

std::string as_text(const recorded& of) {
  std::string text =
      fmt::format("recorded {}, {} of them failures{}\n", system::counted(of.verdicts, "verdict"), of.failed.size(),
                  of.added == of.verdicts ? "" : fmt::format("; {} are new", of.added));
  if (of.rows)
    text +=
        fmt::format("it is known what {} of {} executed\n", of.rows->known, system::counted(of.rows->tests, "test"));
  if (of.removed > 0)
    text += fmt::format("the store is full: the oldest {} removed\n",
                        of.removed == 1 ? "measurement was" : fmt::format("{} measurements were", of.removed));
  if (!of.flaky.empty())
    text += fmt::format("flaky, they passed and failed on the same content: {}\n", some_of(of.flaky));
  return text;
}

}  // namespace morph::workspace
