// Clang's answers as one graph, joined with the rows of a measurement.
#include "plugin/coupled/sources.hpp"

#include <algorithm>
#include <map>

#include "plugin/coupled/units.hpp"

namespace morph::coupled {

result<source_branches> read_sources(const build::build_tree& tree, const std::filesystem::path& root,
                                     std::size_t most_unread, system::observer& told) {
  auto units = read_units(tree, root, most_unread, told);
  if (!units) return tl::unexpected(units.error());
  source_branches made;
  made.units = std::move(*units);
  made.graph = coupling::graph_of(made.units);
  made.read = functions_read(made.graph, made.units);
  return made;
}

branch_evidence evidence_of(const source_branches& sources, const report::coverage& covered,
                            const store::evidence& facts, const std::vector<git::file_change>& changes) {
  std::map<std::string, std::vector<store::packed_way>> ways;
  for (std::size_t f = 0; f < facts.files.size(); ++f) ways[facts.files[f]] = facts.decisions[f];
  return {sources.graph, sources.read, covered, ways, changes};
}

std::string why_no_branches(const store::evidence& facts) {
  const bool has_some = std::ranges::any_of(facts.decisions, [](const auto& each) { return !each.empty(); });
  return has_some ? std::string()
                  : "the measurement does not say how functions decide: an older Morph made it, or the compiler's own "
                    "gcov read the counters";
}

}  // namespace morph::coupled
