// Compares what a test observes without and with a mutant: what is not the same in all runs does not count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "coverage/observation/difference.hpp"
#include "coverage/observation/record.hpp"

namespace morph::observation {

/// Of one event a property, of all that have no lines of their own, or the number of events.
struct observed_key {
  std::uint32_t point = 0;
  std::uint64_t number = 0;  // of the event, from 1; 0: of all events; `others`: of all without lines
  std::uint32_t name = 0;

  static constexpr std::uint64_t others = UINT64_MAX;
  auto operator<=>(const observed_key&) const = default;
};

/// What several runs of one test have in common.
class stable_state {
 public:
  /// Runs of the original vary memory and time on purpose; N of them, by the paper 10.
  void add(const test_record& run);

  struct value {
    std::uint64_t digest = 0;
    std::string text{};
    std::uint32_t instruction = 0;
    const std::vector<std::string>* path = nullptr;
    bool is_stable = true;
  };

  std::size_t runs() const { return runs_; }
  std::uint64_t count_of(std::uint32_t point) const;
  /// What is not the same in all runs of some event of the point. Without the number of events.
  std::set<std::uint32_t> unstable_names(std::uint32_t point) const;
  const std::map<observed_key, value>& values() const { return values_; }
  /// Of a call the functions around it, the outermost first; null if it is not the same in all runs.
  const std::vector<std::string>* path_of(std::uint32_t point, std::uint64_t number) const;

 private:
  std::size_t runs_ = 0;
  std::map<observed_key, value> values_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, const std::vector<std::string>*> paths_;  // null: not the same
  std::set<std::vector<std::string>> known_paths_;
};

struct state_difference {
  observed_key key{};
  std::string original{};  // empty: it is not there
  std::string mutated{};
  std::uint32_t instruction = 0;
  std::vector<std::string> path{};
};

/// The first one of each property of each point, in the order of points. Both sides stable; the number of events of a
/// point if that differs. Behind the first event whose call path differs, numbers alone are compared: another call
/// stands there. `considers` chooses points.
std::vector<state_difference> differences(const stable_state& original, const stable_state& mutated,
                                          const std::function<bool(std::uint32_t)>& considers);

/// By the levels at which some test saw a difference.
symptom symptom_of(const std::vector<difference>& seen);

}  // namespace morph::observation
