// morph diff
#include <fmt/format.h>

#include <memory>
#include <string>

#include "plugin/changes/differences.hpp"
#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"

namespace morph::command {
namespace {

struct sides {
  std::string before, after;
};

int run_diff(const sides& given, const common_options& common) {
  const bool has_sides = !given.before.empty();
  const auto tree = has_sides ? std::nullopt : open_build_tree(common);
  if (!has_sides && !tree) return contract::environment;
  const auto found =
      has_sides ? changes::differences_between(given.before, given.after) : changes::differences_since_baseline(*tree);
  if (!found) return failed(contract::environment, found.error());
  fmt::print("{}", common.json ? changes::as_json(*found) : changes::as_text(*found));
  return contract::fine;
}

}  // namespace

action add_diff(CLI::App& app, const common_options& common) {
  const auto given = std::make_shared<sides>();
  auto* const before = app.add_option("--before", given->before, "The older build tree; without one: what was measured")
                           ->check(CLI::ExistingDirectory);
  auto* const after = app.add_option("--after", given->after, "The newer build tree, configured like the older one")
                          ->check(CLI::ExistingDirectory);
  before->needs(after);
  after->needs(before);
  return [given, &common] { return run_diff(*given, common); };
}

}  // namespace morph::command
