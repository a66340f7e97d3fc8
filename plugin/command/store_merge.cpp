// Merging, printing and thinning stores.
#include "plugin/command/store_merge.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/merge.hpp"
#include "plugin/store/store.hpp"
#include "plugin/store/text.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using store::evidence_store;

std::uintmax_t size_of_file(const std::string& path) {
  std::error_code error;
  const auto size = fs::file_size(path, error);
  return error ? 0 : size;
}

int environment_error(const std::string& message) {
  spdlog::error("{}", message);
  return contract::environment;
}

/// The first of what is wrong with it; every byte that a plan relies on is read.
result<void> check(evidence_store& opened) {
  const auto findings = opened.verify();
  if (!findings) return tl::unexpected(findings.error());
  if (!findings->empty())
    return tl::unexpected(fmt::format("evidence store '{}' is damaged: {}", opened.path(), findings->front()));
  const auto measurements = opened.measurements();
  if (!measurements) return tl::unexpected(measurements.error());
  std::set<std::string> blobs;
  for (const auto& m : *measurements)
    for (const auto& file : m.taken_from.overrides)
      if (file.blob) blobs.insert(*file.blob);
  for (const std::string& hash : blobs) {
    const auto content = opened.blob(hash);
    if (!content) return tl::unexpected(content.error());
    if (git::blob_hash(*content) != hash)
      return tl::unexpected(
          fmt::format("evidence store '{}' is damaged: the content of blob {} is another", opened.path(), hash));
  }
  return {};
}

result<evidence_store> open_sound(const std::string& path) {
  auto opened = evidence_store::open_for_reading(path);
  if (!opened) return tl::unexpected(opened.error());
  if (!*opened) return tl::unexpected(fmt::format("there is no evidence store '{}'", path));
  if (auto sound = check(**opened); !sound) return tl::unexpected(sound.error());
  return std::move(**opened);
}

/// The store that will be replaced, with other writers kept out.
struct held_store {
  evidence_store store;
  std::unique_ptr<store::transaction> held;
};

result<held_store> hold_sound(const std::string& path) {
  auto opened = evidence_store::open_for_writing(path);
  if (!opened) return tl::unexpected(opened.error());
  if (auto sound = check(*opened); !sound) return tl::unexpected(sound.error());
  auto held = opened->hold();
  if (!held) return tl::unexpected(held.error());
  return held_store{std::move(*opened), std::move(*held)};
}

std::string date_of(std::int64_t at) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(at)));
}

}  // namespace

result<std::string> named_store(const std::string& file, const common_options& common) {
  if (!file.empty()) return file;
  const auto tree = open_build_tree(common);
  if (!tree) return tl::unexpected(std::string("name the store with --store FILE"));
  const auto repo = git::repository::open(tree->source_dir);
  return workspace::store_path(*tree, repo ? &*repo : nullptr);
}

int merge_stores(const std::vector<std::string>& from, const std::string& into, const common_options& common) {
  // All are looked at before anything is written.
  std::vector<evidence_store> opened;
  for (const std::string& path : from) {
    auto sound = open_sound(path);
    if (!sound) return environment_error(fmt::format("{}; nothing was merged, '{}' is as it was", sound.error(), into));
    opened.push_back(std::move(*sound));
  }
  std::error_code error;
  std::optional<held_store> target;
  if (fs::exists(into, error) && fs::file_size(into, error) > 0) {
    auto held = hold_sound(into);
    if (!held) return environment_error(fmt::format("{}; nothing was merged", held.error()));
    target = std::move(*held);
  }
  std::vector<evidence_store*> all;
  for (evidence_store& store : opened) all.push_back(&store);
  if (target) all.push_back(&target->store);
  const auto totals = store::replace_by_union(into, all, [](const auto&) { return true; });
  if (!totals) return environment_error(fmt::format("{}; '{}' is as it was", totals.error(), into));
  if (common.json)
    fmt::print("{}\n", json{{"schema", contract::merge_schema},
                            {"path", into},
                            {"bytes", size_of_file(into)},
                            {"measurements", totals->measurements},
                            {"verdicts", totals->outcomes},
                            {"audits", totals->audits}}
                           .dump());
  else
    fmt::print("{}: {} measurements, {} verdicts, {} bytes\n", into, totals->measurements, totals->outcomes,
               size_of_file(into));
  return contract::fine;
}

int export_store(const std::string& path, const export_arguments& arguments, const common_options&) {
  auto opened = open_sound(path);
  if (!opened) return environment_error(opened.error());
  std::FILE* out = arguments.output.empty() ? stdout : std::fopen(arguments.output.c_str(), "w");
  if (out == nullptr) return environment_error(fmt::format("'{}' cannot be written", arguments.output));
  bool written = true;
  const auto write = [&](const std::string& line) {
    written = written && std::fwrite(line.data(), 1, line.size(), out) == line.size() && std::fputc('\n', out) != EOF;
  };
  write(json{{"schema", contract::export_schema}}.dump());
  const auto printed = store::write_text(*opened, {!arguments.without_times}, write);
  written = (out == stdout ? std::fflush(out) : std::fclose(out)) == 0 && written;
  if (!printed) return environment_error(printed.error());
  if (!written)
    return environment_error(fmt::format("'{}' could not be written to its end",
                                         arguments.output.empty() ? "standard output" : arguments.output));
  return contract::fine;
}

namespace {

/// The trees of every commit that a plan may start from.
result<std::set<std::string>> reachable_trees(const git::repository& repo, const gc_arguments& arguments) {
  if (repo.is_shallow() && arguments.within == 0)
    return tl::unexpected(
        std::string("this clone is shallow: what older commits can use is not known here; use a whole clone, or "
                    "--within COMMITS"));
  std::vector<std::string> starts = arguments.references;
  if (starts.empty()) {
    starts = repo.references();
    starts.emplace_back("HEAD");
  }
  std::set<std::string> trees;
  for (const std::string& start : starts) {
    const auto walked = repo.walk(start, [&](const auto& commit) {
      if (arguments.within != 0 && commit.distance > arguments.within) return true;
      trees.insert(commit.tree);
      return false;
    });
    // A tag may name something that is no commit.
    if (!walked && !arguments.references.empty()) return tl::unexpected(walked.error());
  }
  return trees;
}

/// Ids of those that stay.
std::set<std::int64_t> useful(const std::vector<store::measurement_info>& newest_first,
                              const std::set<std::string>& trees, std::size_t keep) {
  std::set<std::int64_t> ids;
  std::map<std::string, std::size_t> newest;  // by configuration
  for (const auto& m : newest_first)
    if (newest[m.configuration]++ < keep || trees.count(m.taken_from.tree) != 0) ids.insert(m.id);
  return ids;
}

}  // namespace

int collect_garbage(const std::string& path, const gc_arguments& arguments, const common_options& common) {
  std::error_code error;
  const fs::path folder = fs::absolute(path, error).parent_path();
  auto repo = git::repository::open(common.build.empty() ? fs::current_path(error) : fs::path(common.build));
  if (!repo) repo = git::repository::open(folder);
  if (!repo) return environment_error(fmt::format("{}; run it in the repository whose store it is", repo.error()));
  const auto trees = reachable_trees(*repo, arguments);
  if (!trees) return environment_error(trees.error());
  if (!fs::exists(path, error)) return environment_error(fmt::format("there is no evidence store '{}'", path));

  std::optional<held_store> target;
  std::optional<evidence_store> read;
  if (arguments.dry_run) {
    auto sound = open_sound(path);
    if (!sound) return environment_error(sound.error());
    read = std::move(*sound);
  } else {
    auto held = hold_sound(path);
    if (!held) return environment_error(held.error());
    target = std::move(*held);
  }
  evidence_store* const opened = target ? &target->store : &*read;
  const auto measurements = opened->measurements();
  if (!measurements) return environment_error(measurements.error());
  const std::set<std::int64_t> stay = useful(*measurements, *trees, arguments.keep);
  const auto before = size_of_file(path);

  // A dry run writes the same file elsewhere: its size is no guess.
  const fs::path trial = fs::temp_directory_path(error) / fmt::format("morph-gc-{}.db", ::getpid());
  const std::string goal = arguments.dry_run ? trial.string() : path;
  const std::vector<evidence_store*> all{opened};
  const auto totals = store::replace_by_union(goal, all, [&](const auto& m) { return stay.count(m.id) != 0; });
  const auto after = size_of_file(goal);
  if (arguments.dry_run) fs::remove(trial, error);
  if (!totals) return environment_error(fmt::format("{}; '{}' is as it was", totals.error(), path));

  json gone = json::array();
  std::string text;
  for (const auto& m : *measurements) {
    if (stay.count(m.id) != 0) continue;
    gone.push_back({{"id", m.id}, {"commit", m.taken_from.commit}, {"created", date_of(m.created)}});
    text +=
        fmt::format("  {} {}{}: no given revision reaches it, and {} newer ones of its configuration are kept\n",
                    date_of(m.created), m.taken_from.commit.substr(0, 10),
                    workspace::has_uncommitted_changes(m.taken_from) ? " + uncommitted changes" : "", arguments.keep);
  }
  if (common.json)
    fmt::print("{}\n", json{{"schema", contract::gc_schema},
                            {"path", path},
                            {"dry_run", arguments.dry_run},
                            {"removed", gone},
                            {"kept", stay.size()},
                            {"bytes_before", before},
                            {"bytes_after", after}}
                           .dump(1));
  else
    fmt::print("{}: {} of {} measurements {}, {} bytes -> {} bytes\n{}", path, gone.size(), measurements->size(),
               arguments.dry_run ? "would go" : "removed", before, after, text);
  return contract::fine;
}

}  // namespace morph::command
