// The join of measurement and sources.
#include "plugin/coupled/subject.hpp"

#include <fmt/format.h>

#include "plugin/selection/file_kind.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::coupled {

result<subject> read_subject(const build::build_tree& tree, bool approximate, system::observer& told) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.missing.empty()) return tl::unexpected(around.missing);
  if (build::has_probes(tree))
    return tl::unexpected(
        fmt::format("the evidence of '{}' comes from probes (MORPH_EVIDENCE), which record functions and no branches; "
                    "configure a build tree with -DMORPH_EVIDENCE=twin, then {}",
                    tree.binary_dir.string(), workspace::how_to_measure(tree)));
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  auto found = workspace::find_baseline(tree, *around.repo, *around.evidence, kinds, {{}, approximate});
  if (!found) return tl::unexpected(found.error());
  if (const std::string why = why_no_branches(found->facts); !why.empty())
    return tl::unexpected(
        fmt::format("{} ({}); {}", why, found->commit.substr(0, 10), workspace::how_to_measure(tree)));
  subject made;
  made.covered = report::make_coverage(found->facts);
  made.programs = found->facts.programs;
  report::follow_changes(made.covered, found->changes);
  made.from = {found->commit, found->distance, found->facts.info.complete, {}, {}};
  for (const git::file_change& change : found->changes)
    if (kinds.kind_of(change.path) != selection::file_kind::ignored || made.covered.find(change.path) != nullptr)
      made.from.changed.push_back(change.path);
  auto sources = read_sources(tree, around.repo->root(), any_number, told);
  if (!sources) return tl::unexpected(sources.error());
  made.sources = std::move(*sources);
  made.evidence =
      std::make_unique<branch_evidence>(evidence_of(made.sources, made.covered, found->facts, found->changes));
  return made;
}

}  // namespace morph::coupled
