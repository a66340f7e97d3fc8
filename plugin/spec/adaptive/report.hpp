// What adaptive execution tells: text, JSON, and a plot of the profile over time.
#pragma once

#include <string>
#include <vector>

#include "plugin/spec/adaptive/adaptive.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph::engine {

/// What makes the run worth less than it looks: partitions and relations where nothing applied.
std::vector<std::string> adaptive_warnings(session& of, const adaptive_summary& found);
/// Without the error that ended it, which is no part of a report.
std::string adaptive_text(session& of, const options& how, const adaptive_options& by, const adaptive_summary& found,
                          const report_style& style);
/// As the report of other runs (report_json()), with a member "adaptive".
std::string adaptive_json(session& of, const options& how, const adaptive_options& by, const adaptive_summary& found);
/// The probabilities of the partitions, on top of each other, by step; marks where something was violated.
std::string profile_svg(const spec_base& spec, const adaptive_summary& found);

}  // namespace morph::engine
