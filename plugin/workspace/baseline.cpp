// Finding it: the nearest measured ancestor, else the nearest measured content.
#include "plugin/workspace/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "plugin/store/merge.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::workspace {
namespace {

using build::build_tree;
using git::repository;
using store::evidence_store;

constexpr std::size_t compared_contents = 8;  // the latest

/// How far two contents are apart, in lines; a file as a whole counts as many.
std::uint64_t size_of(const std::vector<git::file_change>& changes) {
  constexpr std::uint64_t whole_file = 1000;
  std::uint64_t size = 0;
  for (const auto& change : changes) {
    if (change.hunks.empty()) size += whole_file;
    for (const auto& hunk : change.hunks) size += hunk.old_count + hunk.new_count;
  }
  return size;
}

/// Whether all that differs from one content differs from another, too. Both are compared with the work tree.
bool covers(const std::vector<git::file_change>& all, const std::vector<git::file_change>& some) {
  const auto is_in = [](const git::hunk& inner, const git::hunk& outer) {
    return outer.new_start <= inner.new_start && inner.new_start + inner.new_count <= outer.new_start + outer.new_count;
  };
  return !some.empty() && std::all_of(some.begin(), some.end(), [&](const git::file_change& change) {
    return std::any_of(all.begin(), all.end(), [&](const git::file_change& other) {
      return other.path == change.path &&
             std::all_of(change.hunks.begin(), change.hunks.end(), [&](const git::hunk& h) {
               return other.hunks.empty() || std::any_of(other.hunks.begin(), other.hunks.end(),
                                                         [&](const git::hunk& o) { return is_in(h, o); });
             });
    });
  });
}

result<std::vector<git::file_change>> changes_since(const store::measurement_info& measured,
                                                    const git::repository& repo, evidence_store& evidence,
                                                    const selection::file_kinds& kinds, watched_files& watched,
                                                    git::known_differences& known) {
  std::vector<git::replaced_file> replaced;
  for (const auto& file : measured.taken_from.overrides) {
    if (is_watched_apart(file.path)) continue;
    git::replaced_file old{file.path, std::nullopt};
    if (file.blob) {
      auto content = evidence.blob(*file.blob);
      if (!content) return tl::unexpected(content.error());
      old.content = std::move(*content);
    }
    replaced.push_back(std::move(old));
  }
  auto changes = repo.changes_since(
      measured.taken_from.tree, replaced, [&](const std::string& path) { return kinds.counts_untracked(path); },
      &known);
  if (!changes) return changes;
  auto apart = watched.changes_since(measured.taken_from.overrides, evidence);
  if (!apart) return apart;
  changes->insert(changes->end(), std::move_iterator(apart->begin()), std::move_iterator(apart->end()));
  return changes;
}

/// `counts_unfinished`: a measurement that lacks rows is as good as one that does not.
result<found_baseline> find(const build::build_tree& tree, const git::repository& repo, evidence_store& evidence,
                            const selection::file_kinds& kinds, const baseline_wish& wish, bool counts_unfinished,
                            git::known_differences& known,
                            const std::optional<store::measurement_identity>& without = {}) {
  const auto& [base_revision, approximate, other_options, compares_rows] = wish;
  auto measurements = evidence.measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  std::erase_if(*measurements, [&](const auto& m) { return store::identity_of(m) == without; });
  if (measurements->empty()) return tl::unexpected(nothing_measured(tree));
  std::vector<store::measurement_info> usable;
  for (const auto& m : *measurements)
    if (m.configuration == tree.configuration ||
        (approximate && m.configuration == build::approximate(tree.configuration)))
      usable.push_back(m);
  std::stable_partition(usable.begin(), usable.end(),
                        [&](const auto& m) { return m.configuration == tree.configuration; });
  const auto not_measured = [&] {
    std::vector<std::string> different;
    for (const auto& m : *measurements)
      if (auto to_this = build::differences(m.configuration, tree.configuration);
          different.empty() || to_this.size() < different.size())
        different = std::move(to_this);
    return tl::unexpected(
        fmt::format("this configuration was not measured ({}); {}", fmt::join(different, ", "), how_to_measure(tree)));
  };
  const bool by_other_options = usable.empty() && other_options;
  if (by_other_options)
    for (const auto& m : *measurements)
      if (build::differ_in_new_options(m.configuration, tree.configuration)) usable.push_back(m);
  if (usable.empty()) return not_measured();

  std::optional<git::repository::ancestor> nearest;
  std::vector<store::measurement_info> candidates;
  const auto is_wanted = [&](const store::measurement_info& m, bool complete) {
    return counts_unfinished || m.complete == complete;
  };
  for (const bool complete : {true, false}) {
    const auto accepts = [&](const std::string& id) {
      return std::any_of(usable.begin(), usable.end(),
                         [&](const auto& m) { return m.taken_from.tree == id && is_wanted(m, complete); });
    };
    auto found = repo.nearest(base_revision, accepts);
    if (!found) return tl::unexpected(found.error());
    nearest = *found;
    if (!nearest) continue;
    for (const auto& m : usable)
      if (m.taken_from.tree == nearest->tree && is_wanted(m, complete)) candidates.push_back(m);
    break;
  }
  // After a rebase or a squash the measured commit is no ancestor. What counts is its content, as long as git has it.
  if (!nearest && base_revision.empty())
    for (const bool complete : {true, false})
      for (const auto& m : usable)
        if (is_wanted(m, complete) && candidates.size() < compared_contents && repo.has_tree(m.taken_from.tree))
          candidates.push_back(m);
  if (candidates.empty())
    return tl::unexpected(fmt::format(
        "no ancestor of this commit was measured{}; {}",
        repo.is_shallow() ? ", as far as this shallow clone has them (`git fetch --unshallow` brings the others)" : "",
        how_to_measure(tree)));

  // A dirty tree may have been measured at the same commit: the content nearest to ours is the better baseline.
  watched_files watched(tree, repo, kinds);
  std::optional<std::pair<store::measurement_info, std::vector<git::file_change>>> best;
  for (const auto& m : candidates) {
    auto changes = changes_since(m, repo, evidence, kinds, watched, known);
    if (!changes) return tl::unexpected(changes.error());
    const auto size = size_of(*changes), least = best ? size_of(best->second) : size;
    const bool fills_in = !compares_rows && m.complete && best && !best->first.complete && size == least;
    if (!best || fills_in || (is_wanted(m, best->first.complete) && size < least)) best.emplace(m, std::move(*changes));
  }
  watched.add_names(best->first.taken_from.overrides);
  const bool describes_otherwise = std::any_of(best->second.begin(), best->second.end(), [&](const auto& change) {
    return kinds.kind_of(change.path) == selection::file_kind::build;
  });
  if (by_other_options && !describes_otherwise) return not_measured();
  auto facts = evidence.load(best->first.id);
  if (!facts) return tl::unexpected(facts.error());
  found_baseline baseline{std::move(*facts), best->first.taken_from.commit, std::nullopt, std::nullopt,
                          std::move(best->second)};
  if (nearest) {
    baseline.commit = nearest->commit;
    baseline.distance = nearest->distance;
  }
  const auto measured_at = repo.time_of(baseline.commit);
  const auto now_at = repo.time_of(base_revision.empty() ? "HEAD" : base_revision);
  constexpr std::int64_t day = 24 * 60 * 60;
  if (measured_at && now_at) baseline.days = std::max<std::int64_t>(*now_at - *measured_at, 0) / day;
  return baseline;
}

}  // namespace

result<found_baseline> find_baseline(const build::build_tree& tree, const git::repository& repo,
                                     evidence_store& evidence, const selection::file_kinds& kinds,
                                     const baseline_wish& wish) {
  git::known_differences known;
  return find(tree, repo, evidence, kinds, wish, false, known);
}

namespace {

/// `without`: the identity of a measurement that does not count.
result<nearest_baseline> find_in_both(const build::build_tree& tree, surroundings& around,
                                      const selection::file_kinds& kinds, const baseline_wish& wish,
                                      const std::optional<store::measurement_identity>& without) {
  const auto in = [&](std::optional<evidence_store>& store) {
    return find(tree, *around.repo, *store, kinds, wish, build::has_probes(tree), around.differences, without);
  };
  const bool has_learned = around.head && around.learned;
  if (!around.missing.empty() && !has_learned) return tl::unexpected(around.missing);
  result<found_baseline> of_learned = has_learned ? in(around.learned) : tl::unexpected(std::string());
  const auto take_learned = [&] { return nearest_baseline{std::move(*of_learned), &*around.learned}; };
  if (!around.missing.empty()) {
    if (!of_learned) return tl::unexpected(of_learned.error());
    return take_learned();
  }
  result<found_baseline> of_store = in(around.evidence);
  if (!of_store && !of_learned) return tl::unexpected(of_store.error());
  if (!of_store) return take_learned();
  if (of_learned) {
    const auto learned = size_of(of_learned->changes), stored = size_of(of_store->changes);
    const bool lacks_rows = !wish.compares_rows && of_store->facts.info.complete && !of_learned->facts.info.complete;
    if (learned < stored || (learned == stored && !lacks_rows)) return take_learned();
  }
  return nearest_baseline{std::move(*of_store), &*around.evidence};
}

}  // namespace

result<nearest_baseline> find_nearest(const build::build_tree& tree, surroundings& around,
                                      const selection::file_kinds& kinds, const baseline_wish& wish) {
  auto nearest = find_in_both(tree, around, kinds, wish, {});
  if (!nearest || !wish.compares_rows || !build::has_probes(tree)) return nearest;
  if (nearest->found.facts.info.complete || !nearest->found.changes.empty()) return nearest;
  auto older = find_in_both(tree, around, kinds, wish, store::identity_of(nearest->found.facts.info));
  if (!older) return nearest;
  older->present = std::move(nearest->found);
  older->present_from = nearest->from;
  return older;
}

std::vector<other_measurement> find_others(
    const build::build_tree& tree, surroundings& around, const selection::file_kinds& kinds,
    const store::measurement_info& nearest, const std::vector<git::file_change>& since_nearest,
    const std::function<bool(evidence_store&, const store::measurement_info&)>& wanted) {
  std::vector<other_measurement> found;
  watched_files watched(tree, *around.repo, kinds);
  for (std::optional<evidence_store>* const store : {&around.learned, &around.evidence}) {
    if (!*store) continue;
    const auto measurements = (*store)->measurements();
    if (!measurements) continue;
    std::size_t asked = 0;
    for (const store::measurement_info& m : *measurements) {
      const bool is_known = store::identity_of(m) == store::identity_of(nearest) ||
                            std::any_of(found.begin(), found.end(), [&](const other_measurement& o) {
                              return store::identity_of(o.info) == store::identity_of(m);
                            });
      if (m.configuration != tree.configuration || is_known || !around.repo->has_tree(m.taken_from.tree)) continue;
      if (++asked > compared_contents) break;
      auto changes = changes_since(m, *around.repo, **store, kinds, watched, around.differences);
      // A row that was carried over a change of its function lost the function's blocks: the older one has them.
      const bool may_tell_more = changes && (build::has_blocks(tree) || !covers(*changes, since_nearest));
      if (may_tell_more && wanted(**store, m)) found.push_back({m, &**store, std::move(*changes)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const other_measurement& a, const other_measurement& b) {
    return size_of(a.changes) < size_of(b.changes);
  });
  return found;
}

}  // namespace morph::workspace
