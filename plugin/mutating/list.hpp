// Second step: which mutants of the sources a run is about, and what they are called.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plugin/mutating/result.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/source_reader/morph_source.hpp"

namespace morph::mutating {

/// Of the mutants of a report, by their numbers.
struct listed_mutants {
  std::vector<std::string> names;          // by their own files
  std::vector<std::string> remembered_as;  // the same, with the headers around them
  std::vector<bool> wanted;                // else what is known of them has to do
};

/// Into the report go the mutants, without verdicts, and what is left out of them; it has no tests then.
listed_mutants list_mutants(const setting& run, const source_reader::source_request& request,
                            const std::optional<changed_lines>& changed, mutation_report& report);

/// Those that nobody has judged.
struct unjudged_mutants {
  std::size_t all = 0;
  std::size_t wanted = 0;
};
unjudged_mutants count_unjudged(const mutation_report& report, const listed_mutants& listed);

}  // namespace morph::mutating
