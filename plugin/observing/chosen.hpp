// The mutants of the last result that are observed, as the present sources have them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plugin/mutating/sources.hpp"
#include "plugin/observing/request.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/system/result.hpp"

namespace morph::observing {

struct chosen_mutant {
  std::string id{};
  std::size_t file = 0;  // of the sources
  std::uint32_t place = 0;
  std::uint32_t number = 0;    // of the place's alternatives
  std::uint32_t function = 0;  // around it, among the file's
  bool has_function = false;
  std::string original{};  // the text that it takes the place of
  std::string lines{};     // in which that stands

  std::uint32_t node = 0;
  std::uint32_t function_node = 0;
  bool is_compared = false;
};

/// An error if a mutant of the result is not in the sources any more.
result<std::vector<chosen_mutant>> choose(const report::mutation_result& last, const mutating::mutated_sources& now,
                                          const request& asked);

}  // namespace morph::observing
