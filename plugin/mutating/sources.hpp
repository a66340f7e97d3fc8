// The mutants of a project's sources: units are read by Clang, put together, rewritten and checked, as far as what is
// known from the last time does not hold any more.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "coverage/mutation/overlay.hpp"
#include "plugin/report/mutation.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/observer.hpp"

namespace morph::mutating {

struct rejected_unit {
  std::string unit;
  std::string first_error;
  std::size_t errors = 0;
};

/// What a unit was compiled from, and how, as far as it was not rewritten.
struct unit_content {
  std::string key;                           // of its command and the operators
  std::map<std::string, std::string> files;  // path: hash of the original
};

using morph::report::rejected_part;  // some sources have a `report` of their own

struct mutated_sources {
  std::vector<mutation::mutated_file> files;              // by path; those without a place are left out
  std::vector<mutation::mutated_file> without_mutants{};  // that have functions and no place
  std::uint32_t nodes = 0;
  std::map<std::string, std::uint32_t> left_out;           // by reason, over all units
  std::map<std::string, std::uint32_t> compile_time_only;  // by path: what no mutant can change
  std::map<std::string, unit_content> contents;            // of units, by name
  std::vector<rejected_unit> rejected;                     // units with errors: some of their functions have no mutants
  std::size_t units = 0;
  std::size_t units_read = 0;  // the others are as they were
  std::size_t candidates = 0;
  std::size_t dropped = 0;                      // that did not compile
  std::size_t in_files_left_out = 0;            // mutants that would be there
  std::vector<rejected_part> rejected_parts{};  // in this run and earlier ones
};

result<mutated_sources> read_sources(const source_reader::source_request& request, system::observer& told);

/// So that the next run leaves out what this one has left out.
result<void> keep_dropped(const source_reader::source_request& request, const mutated_sources& sources);

}  // namespace morph::mutating
