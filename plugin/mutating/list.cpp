// Files that are chosen, places that have changed, alternatives that compile; of these, a sample.
#include "plugin/mutating/list.hpp"

#include "plugin/mutating/header_digests.hpp"
#include "plugin/mutating/names.hpp"

namespace morph::mutating {
namespace {

constexpr const char* in_file_left_out = "in a file that is left out";

void draw(std::size_t count, mutation_report& report, listed_mutants& listed) {
  const auto drawn = draw_sample(listed.names, count);
  report.sample_of = listed.names.size();
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    report.mutants[i] = report.mutants[drawn[i]];
    listed.names[i] = listed.names[drawn[i]];
    listed.remembered_as[i] = listed.remembered_as[drawn[i]];
    listed.wanted[i] = listed.wanted[drawn[i]];
  }
  report.mutants.resize(drawn.size());
  listed.names.resize(drawn.size());
  listed.remembered_as.resize(drawn.size());
  listed.wanted.resize(drawn.size());
}

}  // namespace

listed_mutants list_mutants(const setting& run, const source_reader::source_request& request,
                            const std::optional<changed_lines>& changed, mutation_report& report) {
  const mutating::request& asked = run.asked;
  listed_mutants listed;
  report.mutants.clear();
  report.tests.clear();
  auto& left_out = report.sources.left_out;
  left_out.erase(in_file_left_out);
  if (const auto count = report.sources.in_files_left_out; count > 0)
    left_out[in_file_left_out] = static_cast<std::uint32_t>(count);
  report.compile_time_only = report.sources.compile_time_only;
  std::erase_if(report.compile_time_only, [&](const auto& of) { return !asked.is_chosen(of.first); });
  const auto headers = header_digests(report.sources, request, run.at.binary).of_files();
  for (std::size_t f = 0; f < report.sources.files.size(); ++f) {
    const auto& file = report.sources.files[f];
    if (!asked.is_chosen(file.path)) {
      for (const mutation::place& p : file.places.places)
        left_out[in_file_left_out] += static_cast<std::uint32_t>(p.alternatives.size());
      continue;
    }
    const auto names = name_mutants(file);
    for (std::uint32_t p = 0; p < file.places.places.size(); ++p) {
      const bool has_changed = !changed || is_changed(file, file.places.places[p], *changed);
      if (!has_changed && asked.only_changed) continue;
      for (std::uint32_t k = 0; k < file.places.places[p].alternatives.size(); ++k) {
        if (!file.is_live(p, k)) continue;
        report.mutants.push_back({f, p, k});
        listed.names.push_back(names[p][k]);
        listed.remembered_as.push_back(names[p][k] + ' ' + headers[f].substr(0, names[p][k].size()));
        listed.wanted.push_back(has_changed && (!asked.part || is_in(*asked.part, names[p][k])));
      }
    }
  }
  if (asked.sample) draw(*asked.sample, report, listed);
  return listed;
}

unjudged_mutants count_unjudged(const mutation_report& report, const listed_mutants& listed) {
  unjudged_mutants left;
  for (std::size_t i = 0; i < report.mutants.size(); ++i) {
    if (report.mutants[i].verdict.state != mutation::mutant_state::not_judged) continue;
    ++left.all;
    left.wanted += listed.wanted[i] ? 1 : 0;
  }
  return left;
}

}  // namespace morph::mutating
