// Builds until nothing is rejected any more.
#include "plugin/mutating/build.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <map>
#include <optional>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/build/mirror.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/mutating/rejected.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/system/cpu_time.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {
namespace {

constexpr int most_builds = 40;  // each has left out something

std::filesystem::path nodes_header(const std::filesystem::path& binary_dir) {
  return binary_dir / ".morph" / "mutants" / "morph_nodes.h";
}

result<void> write_rewritten(const setting& run, const mutated_sources& sources) {
  std::map<std::string, std::optional<std::string>> replaced;
  for (const auto& file : sources.files) replaced[file.path] = file.rewritten().text;
  if (auto updated = build::update_mirror(run.tree.source_dir, run.at.source, {run.tree.binary_dir}, replaced);
      !updated)
    return tl::unexpected(updated.error());
  return write_nodes(run.at.binary, sources.nodes);
}

std::size_t count_mutants(const mutated_sources& sources) {
  std::size_t left = 0;
  for (const auto& file : sources.files) left += file.mutants();
  return left;
}

}  // namespace

result<void> write_nodes(const std::filesystem::path& binary_dir, std::uint32_t nodes) {
  const std::filesystem::path path = nodes_header(binary_dir);
  const std::string text = fmt::format("#define MORPH_NODES {}\n", nodes);
  if (const auto now = system::read_file(path); now && *now == text) return {};
  return system::write_file_atomically(path, text);
}

bool has_nodes(const std::filesystem::path& binary_dir) {
  return std::filesystem::exists(nodes_header(binary_dir));
}

std::string with_first_failure(const std::string& error, const std::string& log) {
  const std::string first = mutation::failed_steps_in(log).front().text.substr(0, 2000);
  return error.find(first) != std::string::npos ? error : error + "\nfirst:\n" + first;
}

result<void> build_mutants(const setting& run, const prepared_twin& twin, mutation_report& report) {
  const double started = system::cpu_seconds();
  run.told.status("building the mutation twin");
  rejections rejected(twin.request, twin.commands, run.at.binary);
  for (int round = 0;; ++round) {
    if (auto written = write_rewritten(run, report.sources); !written) return written;
    const auto built = build::build_mutation_twin(run.tree, {run.limits.jobs, false});
    if (built) break;
    if (system::interrupted() || round == most_builds) return built;
    const auto log = system::read_file(run.at.log);
    const bool is_full = log && log->find(std::strerror(ENOSPC)) != std::string::npos;  // no fault of a mutant
    if (!log || is_full) return built;
    const std::size_t before = count_mutants(report.sources);
    const auto parts = rejected.drop(report.sources, *log);
    if (parts.empty()) return tl::unexpected(with_first_failure(built.error(), *log));
    report.rejected_by_compiler += before - count_mutants(report.sources);
    for (const report::rejected_part& part : parts) {
      if (part.what.empty())
        run.told.status(describe(part));
      else
        run.told.warn(describe(part));
    }
  }
  report.cpu_build = system::cpu_seconds() - started;
  if (report.rejected_by_compiler > 0) return keep_dropped(twin.request, report.sources);
  return {};
}

}  // namespace morph::mutating
