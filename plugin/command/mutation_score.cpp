// Saying it.
#include "plugin/command/mutation_score.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "plugin/report/mutation_parts.hpp"

namespace morph::command {

void say_beside_result(const std::string& message) {
  fmt::print(stderr, "morph: {}\n", message);
}

contract::exit_code compare_score(const report::mutation_result& result, std::optional<double> fail_under) {
  if (!fail_under) return contract::fine;
  const auto score = report::figures_of(result).all.score();
  if (!score) {
    say_beside_result(fmt::format("there is no mutation score: {}", report::why_no_score(result)));
    return contract::environment;
  }
  if (*score >= *fail_under / 100) return contract::fine;
  spdlog::error("the mutation score is below {} %", *fail_under);
  return contract::finding;
}

}  // namespace morph::command
