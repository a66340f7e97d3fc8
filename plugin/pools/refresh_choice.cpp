// Chooses the cases that a refreshed pool keeps.
#include "plugin/pools/refresh_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace morph::pools {
namespace {

using frameworks::pool_line;

constexpr int most_rounds = 6;
constexpr std::size_t most_of_a_kind = 10;  // violations of each relation and kind of case

void add_origins(const std::vector<pool_line>& all, std::set<std::string>& to) {
  for (auto line = all.rbegin(); line != all.rend(); ++line)
    if (to.count(line->id) != 0) to.insert(line->from.begin(), line->from.end());
}

}  // namespace

std::set<std::string> ids_of(const std::vector<pool_line>& lines) {
  std::set<std::string> ids;
  for (const pool_line& line : lines) ids.insert(line.id);
  return ids;
}

usable_cases usable_of(const std::vector<pool_line>& lines, const std::set<std::string>& seeds,
                       const std::set<std::string>& datamorphisms) {
  usable_cases made;
  std::set<std::string> there;
  for (const pool_line& line : lines) {
    const bool is_made =
        line.from.empty() ? line.by.empty() || seeds.count(line.by) != 0 : datamorphisms.count(line.by) != 0;
    const bool has_origins =
        std::all_of(line.from.begin(), line.from.end(), [&](const auto& id) { return there.count(id) != 0; });
    if (!is_made || !has_origins) {
      made.stale.push_back(line);
      continue;
    }
    there.insert(line.id);
    made.lines.push_back(line);
  }
  return made;
}

united_cases unite(const std::vector<pool_line>& explored, const std::vector<pool_line>& known) {
  std::map<std::string, const pool_line*> by_id;
  for (const pool_line& line : known) by_id[line.id] = &line;
  united_cases all;
  std::set<std::string> there;
  for (const pool_line& line : explored) {
    pool_line& made = all.lines.emplace_back(line);
    there.insert(line.id);
    for (const auto& each : line.said)
      all.serves[line.id].insert(fmt::format("{}\n{}\n{}", line.by, each.first, each.second));
    const auto old = by_id.find(line.id);
    if (old == by_id.end() || old->second->violated.empty()) continue;
    made.violated = old->second->violated;
    made.text = old->second->text;
    all.violated_before.insert(line.id);
  }
  for (const pool_line& line : known) {
    if (there.count(line.id) != 0) continue;
    all.lines.push_back(line);
    if (!line.violated.empty()) all.violated_before.insert(line.id);
  }
  return all;
}

chosen_cases choose(const united_cases& all, const suite_rows& rows, const std::set<std::string>& before) {
  chosen_cases made;
  std::set<std::string>& stay = made.stay = before;
  // What stays as an origin may do for another one: until a refresh of the result would give the same.
  for (int round = 0; round < most_rounds; ++round) {
    const std::set<std::string> preferred = std::move(stay);
    made.found = reduce_cases(rows, std::nullopt, {all.serves, preferred});
    stay = {made.found.ids.begin(), made.found.ids.end()};
    add_origins(all.lines, stay);
    if (stay == preferred) break;
  }
  std::map<std::string, std::size_t> violations;  // of each relation and kind
  for (const bool first_those_of_before : {true, false})
    for (const pool_line& line : all.lines) {
      if (line.violated.empty() || (all.violated_before.count(line.id) != 0) != first_those_of_before) continue;
      bool is_one_more = first_those_of_before;
      for (const auto& [executer, relation] : line.violated)
        is_one_more = violations[line.by + '\n' + executer + '\n' + relation]++ < most_of_a_kind || is_one_more;
      if (is_one_more)
        stay.insert(line.id);
      else
        ++made.left_violations;
    }
  for (const pool_line& line : all.lines)
    if (rows.of_cases.count(line.id) == 0) {
      stay.insert(line.id);
      ++made.unmeasured;
    }
  add_origins(all.lines, stay);
  return made;
}

}  // namespace morph::pools
