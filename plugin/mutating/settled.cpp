// Equal digests: all verdicts of the last run hold.
#include "plugin/mutating/settled.hpp"

#include <fmt/format.h>

#include <set>

#include "plugin/build/mirror.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/mutating/header_digests.hpp"
#include "plugin/mutating/inputs.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/files.hpp"

namespace morph::mutating {

result<counted_content> count_content(const setting& run, const prepared_twin& twin, const mutated_sources& sources) {
  counted_content content;
  auto files = build::mirrored_files(run.tree.source_dir, {run.tree.binary_dir});
  if (!files) return tl::unexpected(files.error());
  content.files = std::move(*files);
  const selection::file_kinds kinds(run.tree.source_dir, run.tree.ignore);
  const auto repo = git::repository::open(run.tree.source_dir);
  std::string all, data;
  for (const std::string& file : content.files) {
    const auto kind = kinds.kind_of(file);
    if (kind == selection::file_kind::ignored) continue;
    // As for plans: what git does not know counts where a compiler may read it, and is somebody's output elsewhere.
    if (repo && !kinds.counts_untracked(file) && !repo->tracks(repo->relative(run.tree.source_dir / file))) continue;
    const auto text = system::read_file(run.tree.source_dir / file);
    if (!text) continue;  // a link to nowhere
    const counted_file& counted = content.counted[file] = {
        kind, kind == selection::file_kind::source ? content_digest(*text) : git::blob_hash(*text)};
    const std::string line = fmt::format("{} {}\n", file, counted.digest);
    all += line;
    if (kind == selection::file_kind::unknown) data += line;
  }
  content.data = git::blob_hash(data);
  content.dependencies = build::read_dependencies(twin.tree).value_or(build::dependency_map());  // none before a build
  content.foreign = digest_of_foreign(twin.commands, run.at, content.dependencies);
  auto foreign_headers = read_for({}, content.dependencies);
  std::erase_if(foreign_headers,
                [&](const std::string& path) { return path.starts_with(run.at.source.string() + '/'); });
  all += header_digests(sources, twin.request, run.at.binary).of(foreign_headers) + '\n';
  for (const judging_program& each : judging_programs_of(twin.tree).able)
    all += each.name() + ' ' + conditions_of(run.tree, *each.suite, twin.commands, run.limits, content.foreign) + '\n';
  content.digest = git::blob_hash(all);
  return content;
}

}  // namespace morph::mutating
