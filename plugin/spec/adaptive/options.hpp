// `run --adaptive`: its options, and the run of one spec.
#pragma once

#include <string>
#include <vector>

#include "plugin/spec/adaptive/adaptive.hpp"
#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/engine/specs.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph::engine {

struct adaptive_request {
  bool on = false, paper = false, first_violation = false, resume = false;
  source_choice sources = source_choice::mdrt;
  relation_choice relations = relation_choice::pbmr;
  std::optional<double> epsilon, delta, gamma, tau, floor;
  std::optional<std::uint64_t> steps, violations;
  std::string profile, log, plot;
  std::string asked;  // the first option that is of no use without --adaptive
};

std::vector<option> adaptive_option_list(adaptive_request& to);
/// What is wrong with the options together; empty if nothing.
std::string problem_of(const adaptive_request& asked);

/// One spec. The exit status.
int run_adaptive(const made_spec& of, const adaptive_request& asked, const options& how, isolation isolated, bool json,
                 const report_style& style);

const char* name_of(source_choice how);
const char* name_of(relation_choice how);

}  // namespace morph::engine
