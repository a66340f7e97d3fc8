// The join of measurement and sources.
#include "plugin/coupled/subject.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plugin/coupled/units.hpp"
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
  if (std::ranges::all_of(found->facts.decisions, [](const auto& each) { return each.empty(); }))
    return tl::unexpected(fmt::format(
        "the measurement of {} does not say how functions decide: an older Morph made it, or the compiler's "
        "own gcov read the counters; {}",
        found->commit.substr(0, 10), workspace::how_to_measure(tree)));
  subject made;
  made.covered = report::make_coverage(found->facts);
  made.programs = found->facts.programs;
  report::follow_changes(made.covered, found->changes);
  made.from = {found->commit, found->distance, found->facts.info.complete, {}, {}};
  for (const git::file_change& change : found->changes)
    if (kinds.kind_of(change.path) != selection::file_kind::ignored || made.covered.find(change.path) != nullptr)
      made.from.changed.push_back(change.path);
  auto units = read_units(tree, around.repo->root(), told);
  if (!units) return tl::unexpected(units.error());
  made.units = std::move(*units);
  made.graph = coupling::graph_of(made.units);
  made.read = functions_read(made.graph, made.units);
  std::map<std::string, std::vector<store::packed_way>> ways;
  for (std::size_t f = 0; f < found->facts.files.size(); ++f)
    ways[found->facts.files[f]] = std::move(found->facts.decisions[f]);
  made.evidence = std::make_unique<branch_evidence>(made.graph, made.read, made.covered, ways, found->changes);
  return made;
}

}  // namespace morph::coupled
