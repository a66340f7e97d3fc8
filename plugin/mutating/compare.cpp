// Asks for equivalents among those that are not killed.
#include "plugin/mutating/compare.hpp"

#include <fmt/format.h>

#include <vector>

#include "plugin/mutating/equivalence.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {

std::vector<std::size_t> survivors_of(const mutation_report& report) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < report.mutants.size(); ++i) {
    const mutation::mutant_state state = report.mutants[i].verdict.state;
    if (!mutation::is_kill(state) && state != mutation::mutant_state::not_judged) numbers.push_back(i);
  }
  return numbers;
}

void compare_survivors(const setting& run, const source_reader::source_request& request, mutation_report& report) {
  if (run.asked.keeps_equivalents || system::interrupted()) return;
  const double before = system::cpu_seconds();
  const std::vector<std::size_t> numbers = survivors_of(report);
  std::vector<mutant_place> places;
  for (const std::size_t i : numbers)
    places.push_back({report.mutants[i].file, report.mutants[i].place, report.mutants[i].alternative});
  const auto found = find_equivalents(request, report.sources, places, run.told);
  if (!found) {
    run.told.warn(fmt::format("equivalent mutants are not known: {}", found.error()));
    return;
  }
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    equivalence& code = report.mutants[numbers[i]].code;
    code = (*found)[i];
    if (code.same_as) code.same_as = numbers[*code.same_as];
  }
  report.cpu_compare = system::cpu_seconds() - before;
}

}  // namespace morph::mutating
