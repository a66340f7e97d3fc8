// A program of calls that a test interprets: a lock, which opens when its key was pressed three times in a row.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <vector>

#include "plugin/generate/search.hpp"
#include "plugin/generate/served_program.hpp"

namespace morph::generate::toy {

/// Callables: lock(), press(int), open(), jam(int) throws for numbers other than 0, kick() crashes.
enum lock_callable : std::uint32_t { make_lock, press, open_lock, jam, kick };

/// The branches of press() and open(), and one that nothing reaches.
enum lock_goal : std::uint32_t { entered, wrong_key, right_key, still_closed, opens, opened, never_taken, lock_goals };

constexpr std::int64_t key = 4711;

inline std::vector<objective> goals_of_lock() {
  std::vector<objective> made(lock_goals);
  made[wrong_key].after = made[right_key].after = {entered};
  made[still_closed].after = made[opens].after = {right_key};
  made[opened].after = {opens};
  made[never_taken].is_possible = false;
  return made;
}

struct lock_program {
  literal_table literals{};
  api offered{};
  bool tells_operands = false;
  std::uint64_t evaluated = 0;

  lock_program() {
    const slot lock{.from = slot::source::value, .changes = true};
    const slot number{.from = slot::source::literal,
                      .role = literals.add_role({.kind = 'i', .least = -100000, .most = 100000})};
    offered.bases = {{0}};
    offered.callables = {{.signature = "lock()", .gives = produced{0}},
                         {.signature = "press(int)", .slots = {lock, number}, .is_of_unit = true},
                         {.signature = "open()", .slots = {lock}, .is_of_unit = true},
                         {.signature = "jam(int)", .slots = {lock, number}},
                         {.signature = "kick()", .slots = {lock}}};
    offered.settle();
  }

  outcome execute(const sequence& of) {
    ++evaluated;
    outcome made;
    std::map<std::uint32_t, int> pressed;  // by lock: how often the key was right
    std::map<std::uint32_t, float> distances;
    const auto touch = [&](std::uint32_t goal, std::int64_t distance) {
      const float now = static_cast<float>(distance) / static_cast<float>(distance + 1);
      distances[goal] = std::min(distances.try_emplace(goal, 1.0F).first->second, now);
    };
    const auto settle = [&](std::uint32_t goal, bool is, std::int64_t distance) {
      touch(goal + (is ? 1 : 0), 0);
      touch(goal + (is ? 0 : 1), distance);
    };
    for (std::uint32_t i = 0; i < of.size() && made.how == morph_outcome_passed; ++i) {
      made.call = i;
      const auto argument = [&](std::size_t s) { return of[i].arguments.at(s).number; };
      if (of[i].callable == press) {
        const std::int64_t number = literals[argument(1)].number;
        touch(entered, 0);
        settle(wrong_key, number == key, number == key ? 1 : std::abs(number - key));
        int& times = pressed[argument(0)];
        times = number == key ? times + 1 : 0;
        if (number == key) settle(still_closed, times >= 3, times >= 3 ? 1 : 3 - times);
        if (tells_operands) made.operands.push_back({.kind = 'i', .number = key});
      } else if (of[i].callable == open_lock) {
        touch(opened, std::max(0, 3 - pressed[argument(0)]));
      } else if (of[i].callable == jam && literals[argument(1)].number != 0) {
        made.how = morph_outcome_threw;
      } else if (of[i].callable == kick) {
        made.how = morph_outcome_crashed;
        made.code = pressed[argument(0)] > 0 ? 6 : 11;
      }
    }
    if (made.how == morph_outcome_passed) made.call = static_cast<std::uint32_t>(of.size());
    made.goals.assign(distances.begin(), distances.end());
    return made;
  }

  evaluator evaluates() {
    return [this](const std::vector<sequence>& all) -> result<std::vector<outcome>> {
      std::vector<outcome> made;
      for (const sequence& each : all) made.push_back(execute(each));
      return made;
    };
  }
};

}  // namespace morph::generate::toy
