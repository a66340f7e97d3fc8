// The sum over all pairs of classes.
#include "plugin/coupled/figure.hpp"

#include "plugin/coupled/pairs.hpp"
#include "plugin/coupled/sources.hpp"

namespace morph::coupled {

report::coupled_figure figure_of(const build::build_tree& tree, const std::filesystem::path& root,
                                 const workspace::found_baseline& found, const report::coverage& covered,
                                 const std::function<bool(const std::string&)>& wanted, system::observer& told) {
  if (std::string why = why_no_branches(found.facts); !why.empty()) return {{}, std::move(why)};
  const auto sources = read_sources(tree, root, most_read_for_figure, told);
  if (!sources) return {{}, sources.error()};
  const branch_evidence evidence = evidence_of(*sources, covered, found.facts, found.changes);
  return {total_of(sources->graph, evidence, wanted), {}};
}

}  // namespace morph::coupled
