// What one run of a test observed, as its program wrote it (plugin/runtime/morph_observe_record.h).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace morph::observation {

/// Names of properties have the same numbers in all runs.
class property_names {
 public:
  struct name {
    std::string text;  // "this->count_", "argument text", "result.size()"
    bool is_private = false;

    auto operator<=>(const name&) const = default;
  };

  /// As programs write them: "this.count_", "result->.size()".
  std::uint32_t number_of(std::string_view written, bool is_private);
  const name& of(std::uint32_t number) const { return names_[number]; }

 private:
  std::vector<name> names_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

struct seen_value {
  std::uint32_t name = 0;
  std::uint64_t digest = 0;
  std::string text{};
};

/// A call or an evaluation.
struct seen_event {
  std::uint32_t point = 0;
  std::uint64_t number = 0;  // of that point, from 1
  std::uint32_t instruction = 0;
  std::uint32_t path = 0;  // in `paths`
  std::vector<seen_value> values{};
  std::vector<seen_value> given{};  // what a call began with
};

struct loaded_module {
  std::uint64_t base = 0;
  std::string file{};
};

struct test_record {
  std::vector<seen_event> events{};                 // those of a point ascending
  std::map<std::uint32_t, std::uint64_t> counts{};  // by point
  /// Digests of all events that are not among these, by point and name.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> others{};
  std::map<std::pair<std::uint32_t, std::string>, std::string> not_read{};  // by point and name: why
  std::vector<std::vector<std::uint64_t>> addresses{{}};  // of call paths, the innermost first; the first one is none
  std::vector<std::vector<std::string>> paths{{}};  // the same as functions, the outermost first, once somebody knows
  std::vector<loaded_module> modules{};
  std::uint64_t in_other_threads = 0;  // calls and evaluations that were not observed
  bool is_whole = false;               // else the process ended before it had written all
};

/// Nothing if a line is not one of a record.
std::optional<test_record> read_record(std::string_view text, property_names& names);

}  // namespace morph::observation
