// Mutants are found again by their bytes, operator and text.
#include "plugin/observing/chosen.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::observing {
namespace {

std::string id_of(const report::mutated_source& file, const report::mutant_result& mutant) {
  return fmt::format("{}:{}:{}:{}", file.path, mutant.from.line, mutant.from.column, mutant.op);
}

/// Survivors; where mutants have the original's text, all that tests reach.
std::vector<wanted_mutant> observed_of(const report::mutation_result& last, const request& asked) {
  const auto is_observed = [&](report::mutant_state state) {
    using enum report::mutant_state;
    return state == survived || (asked.is_null && (state == killed || state == crashed || state == timed_out));
  };
  std::vector<wanted_mutant> found;
  for (std::uint32_t f = 0; f < last.files.size(); ++f)
    for (std::uint32_t m = 0; m < last.files[f].mutants.size(); ++m)
      if (is_observed(last.files[f].mutants[m].state) && found.size() < asked.most) found.push_back({f, m, {}});
  return found;
}

std::string lines_of(const std::string& text, std::size_t begin, std::size_t end) {
  const auto before = begin == 0 ? std::string::npos : text.rfind('\n', begin - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  return text.substr(first, std::min(text.find('\n', end), text.size()) - first);
}

/// The innermost one.
bool find_function(const mutation::mutated_file& file, const mutation::place& place, std::uint32_t& number) {
  bool found = false;
  for (std::uint32_t i = 0; i < file.places.functions.size(); ++i) {
    const mutation::function_extent& f = file.places.functions[i];
    if (f.begin > place.begin || place.end > f.end) continue;
    if (found && f.begin < file.places.functions[number].begin) continue;
    number = i;
    found = true;
  }
  return found;
}

result<chosen_mutant> find(const report::mutated_source& file, const report::mutant_result& mutant,
                           const mutating::mutated_sources& now) {
  const auto gone = [&] {
    return tl::unexpected(fmt::format("'{}' is not what `morph mutate` judged; run `morph mutate` first", file.path));
  };
  chosen_mutant made;
  const auto same = std::ranges::find(now.files, file.path, &mutation::mutated_file::path);
  if (same == now.files.end() || same->source != file.text) return gone();
  made.file = static_cast<std::size_t>(same - now.files.begin());
  const auto& places = same->places.places;
  for (std::uint32_t p = 0; p < places.size(); ++p) {
    if (places[p].begin != mutant.begin || places[p].end != mutant.end) continue;
    for (std::uint32_t a = 0; a < places[p].alternatives.size(); ++a) {
      if (places[p].alternatives[a].op != mutant.op || places[p].alternatives[a].text != mutant.replacement ||
          !same->is_live(p, a))
        continue;
      made.place = p;
      made.number = a;
      made.node = same->node_of(p);
      made.function_node = same->switch_of(p);
      made.is_compared = mutation::is_compared(places[p], a);
      made.has_function = find_function(*same, places[p], made.function);
      made.original = report::original_of(file, mutant);
      made.lines = lines_of(file.text, mutant.begin, mutant.end);
      return made;
    }
  }
  return gone();
}

}  // namespace

result<std::vector<chosen_mutant>> choose(const report::mutation_result& last, const mutating::mutated_sources& now,
                                          const request& asked) {
  std::vector<chosen_mutant> chosen;
  for (const wanted_mutant& each : asked.mutants.empty() ? observed_of(last, asked) : asked.mutants) {
    if (each.file >= last.files.size() || each.mutant >= last.files[each.file].mutants.size())
      return tl::unexpected(std::string("the last result of `morph mutate` has no such mutant"));
    const report::mutated_source& file = last.files[each.file];
    const report::mutant_result& mutant = file.mutants[each.mutant];
    auto found = find(file, mutant, now);
    if (!found) return tl::unexpected(found.error());
    found->id = each.id.empty() ? id_of(file, mutant) : each.id;
    chosen.push_back(std::move(*found));
  }
  return chosen;
}

}  // namespace morph::observing
