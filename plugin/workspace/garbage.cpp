// Which measurements stay, and a store without the others.
#include "plugin/workspace/garbage.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/merge.hpp"
#include "plugin/workspace/sound_store.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::workspace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::evidence_store;

namespace {

/// The trees of every commit that a plan may start from.
result<std::set<std::string>> reachable_trees(const git::repository& repo, const garbage_request& asked) {
  if (repo.is_shallow() && asked.within == 0)
    return tl::unexpected(
        std::string("this clone is shallow: what older commits can use is not known here; use a whole clone, or "
                    "--within COMMITS"));
  std::vector<std::string> starts = asked.references;
  if (starts.empty()) {
    starts = repo.references();
    starts.emplace_back("HEAD");
  }
  std::set<std::string> trees;
  for (const std::string& start : starts) {
    const auto walked = repo.walk(start, [&](const auto& commit) {
      if (asked.within != 0 && commit.distance > asked.within) return true;
      trees.insert(commit.tree);
      return false;
    });
    // A tag may name something that is no commit.
    if (!walked && !asked.references.empty()) return tl::unexpected(walked.error());
  }
  return trees;
}

}  // namespace

std::set<std::int64_t> useful(const std::vector<store::measurement_info>& newest_first,
                              const std::set<std::string>& trees, std::size_t keep) {
  std::set<std::int64_t> ids;
  std::map<std::string, std::size_t> newest;  // by configuration
  for (const auto& m : newest_first)
    if (newest[m.configuration]++ < keep || trees.count(m.taken_from.tree) != 0) ids.insert(m.id);
  return ids;
}

result<collected> collect_garbage(const std::string& path, const garbage_request& asked) {
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  auto repo = git::repository::open(asked.build.empty() ? fs::current_path(error) : fs::path(asked.build));
  if (!repo) repo = git::repository::open(folder);
  if (!repo) return tl::unexpected(fmt::format("{}; run it in the repository whose store it is", repo.error()));
  const auto trees = reachable_trees(*repo, asked);
  if (!trees) return tl::unexpected(trees.error());
  if (!fs::exists(path, error)) return tl::unexpected(fmt::format("there is no evidence store '{}'", path));

  std::optional<held_store> target;
  std::optional<evidence_store> read;
  if (asked.dry_run) {
    auto sound = open_sound(path);
    if (!sound) return tl::unexpected(sound.error());
    read = std::move(*sound);
  } else {
    auto held = hold_sound(path);
    if (!held) return tl::unexpected(held.error());
    target = std::move(*held);
  }
  evidence_store* const opened = target ? &target->store : &*read;
  const auto measurements = opened->measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  const std::set<std::int64_t> stay = useful(*measurements, *trees, asked.keep);
  const auto before = size_of_file(path);

  // A dry run writes the same file elsewhere: its size is no guess.
  const fs::path trial = fs::temp_directory_path(error) / fmt::format("morph-gc-{}.db", ::getpid());
  const std::string goal = asked.dry_run ? trial.string() : path;
  const std::vector<evidence_store*> all{opened};
  const auto totals = store::replace_by_union(goal, all, [&](const auto& m) { return stay.count(m.id) != 0; });
  const auto after = size_of_file(goal);
  if (asked.dry_run) fs::remove(trial, error);
  if (!totals) return tl::unexpected(fmt::format("{}; '{}' is as it was", totals.error(), path));

  collected done{path, asked.dry_run, {}, stay.size(), asked.keep, before, after};
  for (const auto& m : *measurements)
    if (stay.count(m.id) == 0) done.removed.push_back(m);
  return done;
}

std::string as_json(const collected& of) {
  json gone = json::array();
  for (const auto& m : of.removed)
    gone.push_back({{"id", m.id}, {"commit", m.taken_from.commit}, {"created", date_of(m.created)}});
  return json{{"schema", contract::gc_schema},
              {"path", of.path},
              {"dry_run", of.dry_run},
              {"removed", gone},
              {"kept", of.kept},
              {"bytes_before", of.bytes_before},
              {"bytes_after", of.bytes_after}}
             .dump(1) +
         '\n';
}

std::string as_text(const collected& of) {
  std::string text =
      fmt::format("{}: {} of {} measurements {}, {} bytes -> {} bytes\n", of.path, of.removed.size(),
                  of.removed.size() + of.kept, of.dry_run ? "would go" : "removed", of.bytes_before, of.bytes_after);
  for (const auto& m : of.removed)
    text += fmt::format("  {} {}{}: no given revision reaches it, and {} newer ones of its configuration are kept\n",
                        date_of(m.created), m.taken_from.commit.substr(0, 10),
                        has_uncommitted_changes(m.taken_from) ? " + uncommitted changes" : "", of.newest_kept);
  return text;
}

}  // namespace morph::workspace
