#include "coverage/mutation/overlay.hpp"

#include <algorithm>
#include <set>

namespace morph::mutation {

bool mutated_file::is_live(std::uint32_t place, std::uint32_t number) const {
  return !std::ranges::binary_search(dropped, alternative_id{place, number});
}

std::uint32_t mutated_file::switch_of(std::uint32_t place) const {
  const auto function = doubled_function(places, places.places[place]);
  return function ? first_node + static_cast<std::uint32_t>(places.places.size()) + *function : node_of(place);
}

std::uint32_t assign_nodes(std::vector<mutated_file>& files, std::map<std::string, node_block>& blocks) {
  const auto needed = [](const mutated_file& file) {
    return static_cast<std::uint32_t>(file.places.places.size() + file.places.functions.size());
  };
  std::map<std::string, node_block> kept;
  for (const mutated_file& file : files)
    if (const auto old = blocks.find(file.path); old != blocks.end() && needed(file) <= old->second.room)
      kept.insert(*old);

  std::vector<node_block> taken;
  for (const auto& [path, block] : kept) taken.push_back(block);
  std::ranges::sort(taken, {}, &node_block::first);
  for (const mutated_file& file : files) {
    if (kept.contains(file.path)) continue;
    node_block block{0, needed(file)};
    auto next = taken.begin();
    for (; next != taken.end() && next->first - block.first < block.room; ++next)
      block.first = next->first + next->room;
    taken.insert(next, block);
    kept.emplace(file.path, block);
  }
  for (mutated_file& file : files) file.first_node = kept.at(file.path).first;
  blocks = std::move(kept);
  return taken.empty() ? 0 : taken.back().first + taken.back().room;
}

bool drop_at(mutated_file& file, const rewritten_source& text, std::uint32_t offset) {
  const emitted_span* const span = innermost(text, offset);
  if (span == nullptr) return false;
  std::set<alternative_id> dropped(file.dropped.begin(), file.dropped.end());
  const std::size_t before = dropped.size();
  if (span->alternative) {
    dropped.insert({span->place, *span->alternative});
  } else {
    const auto count = file.places.places[span->place].alternatives.size();
    for (std::uint32_t number = 0; number < count; ++number) dropped.insert({span->place, number});
  }
  file.dropped.assign(dropped.begin(), dropped.end());
  return dropped.size() > before;
}

bool drop_cause(std::span<const rewritten_byte> at) {
  for (const bool takes_originals : {false, true})
    for (const rewritten_byte& each : at)
      if (const emitted_span* const span = innermost(*each.text, each.offset);
          span != nullptr && (takes_originals || !span->is_original))
        return drop_at(*each.file, *each.text, each.offset);
  return false;
}

std::size_t drop_functions(mutated_file& file, std::uint32_t line) {
  std::uint32_t innermost = 0;  // where it begins
  for (const function_extent& f : file.places.functions)
    if (f.line <= line && line <= f.end_line) innermost = std::max(innermost, f.line);
  std::set<alternative_id> dropped(file.dropped.begin(), file.dropped.end());
  const std::size_t before = dropped.size();
  for (const function_extent& f : file.places.functions) {
    if (f.line != innermost || line > f.end_line) continue;
    for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
      const place& p = file.places.places[i];
      if (p.begin < f.begin || f.end < p.end) continue;
      for (std::uint32_t number = 0; number < p.alternatives.size(); ++number) dropped.insert({i, number});
    }
  }
  file.dropped.assign(dropped.begin(), dropped.end());
  return dropped.size() - before;
}

}  // namespace morph::mutation
