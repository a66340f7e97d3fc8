// From the project to what is offered, written and said.
#include "plugin/setup/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"

namespace morph::setup {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Adds the line that keeps what Morph writes out of commits, unless git ignores it already.
void offer_to_ignore(const git::repository& repo, const fs::path& source, proposal& offer) {
  if (repo.ignores(".morph/evidence")) return;
  const fs::path path = (repo.root() / ".gitignore").lexically_relative(source);
  const std::string before = system::read_file(source / path).value_or("");
  std::string after = before;
  if (!after.empty() && after.back() != '\n') after += '\n';
  const auto lines = static_cast<std::uint32_t>(std::ranges::count(after, '\n'));
  after += ".morph/\n";
  offer.changes.push_back({path.generic_string(), lines + 1, "git ignores what Morph writes"});
  offer.edits.push_back({path.generic_string(), before, after});
}

result<proposal> read_project(const git::repository& repo, const fs::path& source, const std::string& build, bool adopt,
                              std::vector<std::string>& notes) {
  project_text text;
  text.read = [&](const std::string& path) -> std::optional<std::string> {
    std::error_code error;
    if (!fs::is_regular_file(source / path, error)) return std::nullopt;
    auto content = system::read_file(source / path);
    return content ? std::optional(std::move(*content)) : std::nullopt;
  };
  text.files = [&] {
    std::vector<std::string> files;
    for (const std::string& path : repo.tracked_files())
      if (const std::string file = (repo.root() / path).lexically_relative(source).generic_string();
          !file.starts_with(".."))
        files.push_back(file);
    return files;
  };
  if (!build.empty()) {
    if (auto tests = read_registered_tests(build, source))
      text.registered = std::move(*tests);
    else
      notes.push_back(tests.error());
  }
  return propose(text, adopt);
}

/// Files with changes that git does not have are not touched.
result<void> write_edits(const git::repository& repo, const fs::path& source, const proposal& offer) {
  const auto dirty = repo.dirty_files([](const std::string&) { return true; });
  if (!dirty) return tl::unexpected(dirty.error());
  for (const auto& edit : offer.edits) {
    const std::string path = repo.relative(source / edit.path);
    for (const auto& file : *dirty)
      if (file.path == path)
        return tl::unexpected(fmt::format("'{}' has changes that are not committed; commit or stash them first", path));
  }
  for (const auto& edit : offer.edits)
    if (auto written = system::write_file_atomically(source / edit.path, edit.after); !written)
      return tl::unexpected(written.error());
  return {};
}

/// Writes the one of this name, unless its file is there.
result<void> put_beside(std::span<const recipe> known, const std::string& name, const fs::path& root,
                        placed_recipe& to) {
  const auto found = std::ranges::find(known, name, &recipe::service);
  if (found == known.end()) return {};
  to.of = &*found;
  std::error_code error;
  if (fs::exists(root / found->path, error)) return {};
  if (auto written = system::write_file_atomically(root / found->path, found->text); !written) return written;
  to.is_written = true;
  return {};
}

json to_json(const placed_recipe& of) {
  if (of.of == nullptr) return nullptr;
  return {{"service", of.of->service}, {"path", of.of->path}, {"written", of.is_written}, {"text", of.of->text}};
}

}  // namespace

result<init_report> run(const request& asked) {
  std::error_code error;
  init_report r;
  r.source = fs::canonical(asked.folder, error);
  if (error || !fs::is_directory(r.source)) return tl::unexpected(fmt::format("'{}' is not a folder", asked.folder));
  const auto repo = git::repository::open(r.source);
  if (!repo) return tl::unexpected(repo.error());

  if (!asked.build.empty()) {
    const fs::path build = fs::absolute(asked.build, error);
    if (auto checked = check_build_tree(build, r.source); !checked) return tl::unexpected(checked.error());
    r.build = build.string();
  } else {
    r.build = find_any_build_tree(r.source).string();
  }
  std::vector<std::string> notes;
  auto offer = read_project(*repo, r.source, r.build, asked.adopt, notes);
  if (offer) {
    r.offer = std::move(*offer);
    r.offer->notes.insert(r.offer->notes.end(), notes.begin(), notes.end());
    offer_to_ignore(*repo, r.source, *r.offer);
    for (const auto& edit : r.offer->edits) {
      const std::string relative = repo->relative(r.source / edit.path);
      r.diff += git::unified_diff(relative.empty() ? edit.path : relative, edit.before, edit.after);
    }
  } else {
    r.no_offer = offer.error();
    if (asked.write) return tl::unexpected(r.no_offer);
  }
  if (asked.write && !r.offer->edits.empty()) {
    if (auto written = write_edits(*repo, r.source, *r.offer); !written) return tl::unexpected(written.error());
    r.written = true;
  }

  if (auto placed = put_beside(recipes(), asked.ci, repo->root(), r.ci); !placed) return tl::unexpected(placed.error());
  if (auto placed = put_beside(editor_tasks(), asked.editor, repo->root(), r.editor); !placed)
    return tl::unexpected(placed.error());
  return r;
}

std::string as_text(const init_report& r) {
  std::string text;
  if (!r.offer) {
    text += fmt::format("note: no CMake lines are offered: {}\n", r.no_offer);
  } else {
    text += fmt::format("read {}{}\n", system::counted(r.offer->files.size(), "file"),
                        r.build.empty() ? "; no build tree" : fmt::format(" and the build tree '{}'", r.build));
    for (const auto& note : r.offer->notes) text += fmt::format("note: {}\n", note);
    for (const auto& what : r.offer->unknown) text += fmt::format("could not tell: {}\n", what);
    if (!r.offer->changes.empty()) text += "\n";
    for (const auto& change : r.offer->changes)
      text += fmt::format("{}:{}: {}\n", change.path, change.line, change.what);
    if (!r.diff.empty()) text += fmt::format("\n{}\n", r.diff);
    if (r.written)
      text += fmt::format("written; look at it with `git diff`, then configure and build\n");
    else if (!r.diff.empty())
      text += fmt::format("`morph init --write` applies this\n");
  }
  for (const placed_recipe& each : {r.ci, r.editor}) {
    if (each.of == nullptr) continue;
    const char* const needs = each.of == r.ci.of ? "; its first lines say what it needs" : "";
    if (each.is_written)
      text += fmt::format("{}: written{}\n", each.of->path, needs);
    else
      text += fmt::format("{} is there already and stays as it is; the recipe:\n\n{}", each.of->path, each.of->text);
  }
  return text;
}

std::string as_json(const init_report& r) {
  json root{{"schema", contract::init_schema},
            {"source", r.source.string()},
            {"build", r.build.empty() ? json(nullptr) : json(r.build)},
            {"written", r.written},
            {"diff", r.diff},
            {"files", json::array()},
            {"changes", json::array()},
            {"unknown", json::array()},
            {"notes", json::array()},
            {"ci", to_json(r.ci)},
            {"editor", to_json(r.editor)}};
  if (r.offer) {
    root["files"] = r.offer->files;
    root["unknown"] = r.offer->unknown;
    root["notes"] = r.offer->notes;
    for (const auto& change : r.offer->changes)
      root["changes"].push_back({{"path", change.path}, {"line", change.line}, {"what", change.what}});
  } else {
    root["notes"].push_back(r.no_offer);
  }
  return root.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace morph::setup
