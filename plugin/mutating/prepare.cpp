// The sources that were rewritten the last time become what they were, before the twin is configured.
#include "plugin/mutating/prepare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "plugin/build/mirror.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/build/twin_states.hpp"
#include "plugin/mutating/build.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/files.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;

/// By the list that the last run has left.
std::set<std::string> rewritten_before(const fs::path& list_file) {
  std::set<std::string> names;
  if (const auto list = system::read_file(list_file))
    for (std::size_t at = 0, end; at < list->size(); at = end + 1) {
      end = std::min(list->find('\n', at), list->size());
      names.insert(list->substr(at, end - at));
    }
  return names;
}

result<void> make_mirror(const setting& run, const std::set<std::string>& rewritten) {
  std::map<std::string, std::optional<std::string>> replaced;
  for (const std::string& name : rewritten) replaced[name] = std::nullopt;
  if (auto updated = build::update_mirror(run.tree.source_dir, run.at.source, {run.tree.binary_dir}, replaced);
      !updated)
    return tl::unexpected(updated.error());
  if (auto linked = build::link_neighbours(run.tree.source_dir, run.at.source); !linked) return linked;
  if (!has_nodes(run.at.binary))
    if (auto written = write_nodes(run.at.binary, 0); !written) return written;
  return {};
}

}  // namespace

result<build::build_tree> configure_again(const setting& run) {
  auto twin = build::configure_mutation_twin(run.tree, {run.limits.jobs, false});
  if (!twin) return twin;
  if (auto able = some_can_judge(judging_programs_of(*twin)); !able) return tl::unexpected(able.error());
  return twin;
}

result<prepared_twin> prepare(const setting& run, mutation_report& report) {
  const double started = system::cpu_seconds();
  if (auto put = build::put_judging_twin(run.tree); !put) return tl::unexpected(put.error());
  const fs::path list_file = run.state_folder() / "rewritten";
  const std::set<std::string> rewritten = rewritten_before(list_file);
  if (auto made = make_mirror(run, rewritten); !made) return tl::unexpected(made.error());
  run.told.status(fmt::format("preparing the mutation twin in '{}'", run.at.binary.string()));
  prepared_twin made;
  auto twin = configure_again(run);
  if (!twin) return tl::unexpected(twin.error());
  made.tree = std::move(*twin);
  auto commands = build::read_compile_commands(run.at.binary);
  if (!commands) return tl::unexpected(commands.error());
  made.commands = std::move(*commands);
  made.chosen = choose_sources(made.commands, run.tree, run.at.source);
  made.has_included_files = build::make_included_files(run.tree, {run.limits.jobs, false});
  report.cpu_prepare = system::cpu_seconds() - started;

  const double reading = system::cpu_seconds();
  const auto& operators = run.asked.operators;
  made.request = source_reader::source_request{run.tree.source_dir,
                                               run.at.source,
                                               run.state_folder(),
                                               made.chosen.units,
                                               made.chosen.production,
                                               made.chosen.except,
                                               run.asked.without,
                                               unwanted_units(made.chosen.units, run.tree, run.at.source, run.asked),
                                               run.asked.only,
                                               rewritten,
                                               operators,
                                               std::ranges::find(operators, "xt") != operators.end(),
                                               run.tree.compiler_path,
                                               run.limits.jobs};
  auto sources = read_sources(made.request, run.told);
  if (!sources) return tl::unexpected(sources.error());
  report.sources = std::move(*sources);
  report.rejected_by_compiler = 0;
  report.cpu_sources = system::cpu_seconds() - reading;
  std::string names;
  for (const auto& file : report.sources.files) names += file.path + '\n';
  if (auto written = system::write_file_atomically(list_file, names); !written) return tl::unexpected(written.error());
  return made;
}

}  // namespace morph::mutating
