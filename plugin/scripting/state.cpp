// Saves, loads and lists what experiments have left.
#include "plugin/scripting/state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/scripting/files.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/state_file.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/seed.hpp"

namespace morph::scripting {
namespace {

namespace fs = std::filesystem;
using contract::not_done;
using nlohmann::json;

/// The folder above .morph.
fs::path top_of(const build::build_tree& tree) {
  return script_folders_of(tree).recorded.parent_path().parent_path();
}

fs::path seed_file(const fs::path& top) {
  return top / ".morph" / "seed";
}

std::optional<std::uint64_t> seed_in_file(const std::string& text) {
  std::uint64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = read.ec == std::errc() && text.find_first_not_of("\n", read.ptr - text.data()) == text.npos;
  return is_whole ? std::optional(number) : std::nullopt;
}

/// Files of these extensions, by name, relative to `top`.
std::vector<std::string> files_in(const fs::path& top, const char* folder, const std::vector<std::string>& extensions) {
  std::vector<std::string> all;
  std::error_code error;
  for (fs::directory_iterator each(top / folder, error); !error && each != fs::directory_iterator();
       each.increment(error))
    if (std::find(extensions.begin(), extensions.end(), each->path().extension()) != extensions.end() &&
        each->is_regular_file(error))
      all.push_back((fs::path(folder) / each->path().filename()).string());
  std::sort(all.begin(), all.end());
  return all;
}

std::vector<kept_file> kept_files(const fs::path& top) {
  std::vector<kept_file> all;
  const auto add = [&](const char* kind, const char* folder, const std::vector<std::string>& extensions) {
    for (std::string& each : files_in(top, folder, extensions)) all.push_back({kind, std::move(each)});
  };
  add("pool", ".morph/pools", {".jsonl"});
  add("script", ".morph/scripts", {script_extension});
  add("messages", ".morph/scripts", {".csv", ".log"});
  return all;
}

/// The path from `top` on; nothing if it lies elsewhere.
std::optional<std::string> path_below(const fs::path& top, const fs::path& file) {
  std::error_code ignored;
  std::string path = fs::weakly_canonical(file, ignored).lexically_relative(fs::canonical(top, ignored)).string();
  return path.empty() || path.starts_with("..") ? std::nullopt : std::optional(std::move(path));
}

std::string seed_line(std::uint64_t seed) {
  return fmt::format("\n  the seed, which is {}", seed);
}

}  // namespace

contract::outcome<kept_state> save_state(const build::build_tree& tree, const std::string& file,
                                         const std::vector<std::string>& pools) {
  const fs::path top = top_of(tree);
  const auto asked = system::seed_of_environment();
  if (!asked) return not_done(contract::usage, asked.error());
  kept_state kept{kept_files(top), *asked ? *asked : kept_seed(tree)};
  const auto add_pool = [&](std::string path) {
    const kept_file pool{"pool", std::move(path)};
    if (std::find(kept.files.begin(), kept.files.end(), pool) == kept.files.end()) kept.files.push_back(pool);
  };
  std::error_code ignored;
  for (const build::suite& suite : tree.suites)
    if (!suite.pool.empty() && fs::exists(suite.pool, ignored))
      if (auto path = path_below(top, suite.pool)) add_pool(std::move(*path));
  for (const std::string& pool : pools) {
    auto path = path_below(top, pool);
    if (!path)
      return not_done(contract::usage,
                      fmt::format("the pool '{}' lies outside of '{}'; copy it there, so that it can be put back", pool,
                                  top.string()));
    add_pool(std::move(*path));
  }
  saved_state state{kept.seed, {}};
  for (const kept_file& each : kept.files) {
    auto content = system::read_file(top / each.path);
    if (!content) return not_done(contract::environment, content.error());
    state.entries.push_back({each.kind, each.path, std::move(*content)});
    if (const std::string problem = problem_of(state.entries.back()); !problem.empty())
      return not_done(contract::usage, fmt::format("'{}': {}", each.path, problem));
  }
  if (const auto written = system::write_file_atomically(file, state_text(state)); !written)
    return not_done(contract::environment, written.error());
  return kept;
}

contract::outcome<kept_state> load_state(const build::build_tree& tree, const std::string& file, bool force) {
  const fs::path top = top_of(tree);
  const auto text = system::read_file(file);
  if (!text) return not_done(contract::usage, text.error());
  const auto state = read_state(*text);
  if (!state) return not_done(contract::environment, fmt::format("'{}': {}; nothing was loaded", file, state.error()));
  std::string differing;
  std::error_code ignored;
  for (const state_entry& each : state->entries) {
    if (!fs::exists(top / each.path, ignored)) continue;
    const auto content = system::read_file(top / each.path);
    if (!content || *content != each.content) differing += "\n  " + each.path;
  }
  if (const auto seed = kept_seed(tree); seed && state->seed && seed != state->seed) differing += seed_line(*seed);
  if (!differing.empty() && !force)
    return not_done(
        contract::usage,
        fmt::format("these are there already and differ; nothing was loaded. --force replaces them:{}", differing));
  kept_state loaded{{}, state->seed};
  for (const state_entry& each : state->entries) {
    if (const auto written = system::write_file_atomically(top / each.path, each.content); !written)
      return not_done(contract::environment, written.error());
    loaded.files.push_back({each.kind, each.path});
  }
  if (state->seed)
    if (const auto written = system::write_file_atomically(seed_file(top), fmt::format("{}\n", *state->seed)); !written)
      return not_done(contract::environment, written.error());
  return loaded;
}

contract::outcome<kept_state> clear_state(const build::build_tree& tree, bool force) {
  const fs::path top = top_of(tree);
  kept_state kept{kept_files(top), kept_seed(tree)};
  if (const auto active = recording_of(tree.binary_dir); active && *active)
    return not_done(contract::usage,
                    fmt::format("'{}' is being recorded; end that first: morph script stop", (*active)->string()));
  if (!force && (!kept.files.empty() || kept.seed)) {
    std::string list;
    for (const kept_file& each : kept.files) list += "\n  " + each.path;
    if (kept.seed) list += seed_line(*kept.seed);
    return not_done(contract::usage, fmt::format("--force removes these; nothing was removed now:{}", list));
  }
  std::error_code error;
  for (const kept_file& each : kept.files)
    if (!fs::remove(top / each.path, error) && error)
      return not_done(contract::environment, fmt::format("'{}' cannot be removed: {}", each.path, error.message()));
  fs::remove(seed_file(top), error);
  return kept;
}

std::optional<std::uint64_t> kept_seed(const build::build_tree& tree) {
  const auto text = system::read_file(seed_file(top_of(tree)));
  return text ? seed_in_file(*text) : std::nullopt;
}

std::string as_text(const kept_state& of) {
  const auto counted = [&](const char* kind, const char* unit) {
    const auto number =
        std::count_if(of.files.begin(), of.files.end(), [&](const kept_file& each) { return each.kind == kind; });
    return system::counted(number, unit);
  };
  return fmt::format("{}, {}, {} of messages, {}", counted("pool", "pool"), counted("script", "script"),
                     counted("messages", "file"), of.seed ? fmt::format("seed {}", *of.seed) : "no seed");
}

std::string as_json(const kept_state& of, const std::string& done) {
  json entries = json::array();
  for (const kept_file& each : of.files) entries.push_back({{"kind", each.kind}, {"path", each.path}});
  json all{{"schema", contract::state_schema}, {"done", done}, {"entries", entries}};
  if (of.seed) all["seed"] = *of.seed;
  return json_text(all);
}

}  // namespace morph::scripting
