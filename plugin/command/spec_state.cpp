#include "plugin/command/spec_state.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/scripting/files.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/state_file.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/system/seed.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

struct state_arguments {
  std::string file;
  std::vector<std::string> pools;
  bool force = false, json = false;
};

int complain(int code, const std::string& what) {
  spdlog::error("{}", what);
  return code;
}

/// The folder above .morph.
fs::path top_of(const build::build_tree& tree) {
  return scripting::script_folders_of(tree).recorded.parent_path().parent_path();
}

fs::path seed_file(const fs::path& top) {
  return top / ".morph" / "seed";
}

std::optional<std::uint64_t> number_in(const std::string& text) {
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

/// Kind and path of all that there is.
std::vector<std::pair<std::string, std::string>> kept_files(const fs::path& top) {
  std::vector<std::pair<std::string, std::string>> all;
  for (std::string& each : files_in(top, ".morph/pools", {".jsonl"})) all.emplace_back("pool", std::move(each));
  for (std::string& each : files_in(top, ".morph/scripts", {scripting::script_extension}))
    all.emplace_back("script", std::move(each));
  for (std::string& each : files_in(top, ".morph/scripts", {".csv", ".log"}))
    all.emplace_back("messages", std::move(each));
  return all;
}

std::string counts_of(const std::vector<std::pair<std::string, std::string>>& files,
                      const std::optional<std::uint64_t>& seed) {
  const auto of_kind = [&](const char* kind) {
    return std::count_if(files.begin(), files.end(), [&](const auto& each) { return each.first == kind; });
  };
  const auto counted = [](auto number, const char* what) {
    return fmt::format("{} {}{}", number, what, number == 1 ? "" : "s");
  };
  return fmt::format("{}, {}, {} of messages, {}", counted(of_kind("pool"), "pool"),
                     counted(of_kind("script"), "script"), counted(of_kind("messages"), "file"),
                     seed ? fmt::format("seed {}", *seed) : "no seed");
}

void print_json(const char* done, const std::vector<std::pair<std::string, std::string>>& files,
                const std::optional<std::uint64_t>& seed) {
  json entries = json::array();
  for (const auto& [kind, path] : files) entries.push_back({{"kind", kind}, {"path", path}});
  json all{{"schema", contract::state_schema}, {"done", done}, {"entries", entries}};
  if (seed) all["seed"] = *seed;
  fmt::print("{}\n", json_text(all));
}

int save(const build::build_tree& tree, const state_arguments& what) {
  const fs::path top = top_of(tree);
  scripting::saved_state state{kept_seed(tree), {}};
  if (const char* const seed = std::getenv("MORPH_SEED")) {
    const auto number = system::seed_in(seed);
    if (!number) return complain(contract::usage, "MORPH_SEED: " + number.error());
    state.seed = *number;
  }
  auto files = kept_files(top);
  std::error_code ignored;
  // Those of suites are known; the others are named.
  for (const build::suite& suite : tree.suites) {
    if (suite.pool.empty() || !fs::exists(suite.pool, ignored)) continue;
    const std::string path =
        fs::weakly_canonical(suite.pool, ignored).lexically_relative(fs::canonical(top, ignored)).string();
    const std::pair<std::string, std::string> entry{"pool", path};
    if (path.empty() || path.starts_with("..")) continue;
    if (std::find(files.begin(), files.end(), entry) == files.end()) files.push_back(entry);
  }
  for (const std::string& pool : what.pools) {
    const std::string path =
        fs::weakly_canonical(pool, ignored).lexically_relative(fs::canonical(top, ignored)).string();
    if (path.empty() || path.starts_with(".."))
      return complain(contract::usage,
                      fmt::format("the pool '{}' lies outside of '{}'; copy it there, so that it can be put back", pool,
                                  top.string()));
    const std::pair<std::string, std::string> entry{"pool", path};
    if (std::find(files.begin(), files.end(), entry) == files.end()) files.push_back(entry);
  }
  for (const auto& [kind, path] : files) {
    auto content = system::read_file(top / path);
    if (!content) return complain(contract::environment, content.error());
    state.entries.push_back({kind, path, std::move(*content)});
    if (const std::string problem = scripting::problem_of(state.entries.back()); !problem.empty())
      return complain(contract::usage, fmt::format("'{}': {}", path, problem));
  }
  if (const auto written = system::write_file_atomically(what.file, scripting::state_text(state)); !written)
    return complain(contract::environment, written.error());
  if (what.json)
    print_json("saved", files, state.seed);
  else
    fmt::print("saved: {}\n", counts_of(files, state.seed));
  return contract::fine;
}

int load(const build::build_tree& tree, const state_arguments& what) {
  const fs::path top = top_of(tree);
  const auto text = system::read_file(what.file);
  if (!text) return complain(contract::usage, text.error());
  const auto state = scripting::read_state(*text);
  if (!state)
    return complain(contract::environment, fmt::format("'{}': {}; nothing was loaded", what.file, state.error()));
  std::vector<std::pair<std::string, std::string>> files;
  std::string differing;
  std::error_code ignored;
  for (const scripting::state_entry& each : state->entries) {
    files.emplace_back(each.kind, each.path);
    if (!fs::exists(top / each.path, ignored)) continue;
    const auto content = system::read_file(top / each.path);
    if (!content || *content != each.content) differing += "\n  " + each.path;
  }
  if (const auto seed = kept_seed(tree); seed && state->seed && seed != state->seed)
    differing += fmt::format("\n  the seed, which is {}", *seed);
  if (!differing.empty() && !what.force)
    return complain(
        contract::usage,
        fmt::format("these are there already and differ; nothing was loaded. --force replaces them:{}", differing));
  for (const scripting::state_entry& each : state->entries)
    if (const auto written = system::write_file_atomically(top / each.path, each.content); !written)
      return complain(contract::environment, written.error());
  if (state->seed)
    if (const auto written = system::write_file_atomically(seed_file(top), fmt::format("{}\n", *state->seed)); !written)
      return complain(contract::environment, written.error());
  if (what.json)
    print_json("loaded", files, state->seed);
  else
    fmt::print("loaded: {}\n", counts_of(files, state->seed));
  return contract::fine;
}

int clear(const build::build_tree& tree, const state_arguments& what) {
  const fs::path top = top_of(tree);
  const auto files = kept_files(top);
  const auto seed = kept_seed(tree);
  const auto active = scripting::recording_of(tree.binary_dir);
  if (active && *active)
    return complain(contract::usage,
                    fmt::format("'{}' is being recorded; end that first: morph script stop", (*active)->string()));
  if (!what.force && (!files.empty() || seed)) {
    std::string list;
    for (const auto& each : files) list += "\n  " + each.second;
    if (seed) list += fmt::format("\n  the seed, which is {}", *seed);
    return complain(contract::usage, fmt::format("--force removes these; nothing was removed now:{}", list));
  }
  std::error_code error;
  for (const auto& each : files)
    if (!fs::remove(top / each.second, error) && error)
      return complain(contract::environment, fmt::format("'{}' cannot be removed: {}", each.second, error.message()));
  fs::remove(seed_file(top), error);
  if (what.json)
    print_json("cleared", files, seed);
  else
    fmt::print("removed: {}\n", counts_of(files, seed));
  return contract::fine;
}

}  // namespace

int run_state(const build::build_tree& tree, std::vector<std::string> words, bool as_json) {
  state_arguments what;
  what.json = as_json;
  CLI::App app{
      "Keeps what experiments have left in one file: the pools in .morph/pools, the recorded scripts and\n"
      "the messages of plays in .morph/scripts, and the seed.",
      "morph spec state"};
  CLI::App* const save_ = app.add_subcommand("save", "Write all of it into a file");
  CLI::App* const load_ = app.add_subcommand("load", "Put it back; what else there is stays");
  CLI::App* const clear_ = app.add_subcommand("clear", "Remove all of it");
  for (CLI::App* each : {save_, load_}) each->add_option("file", what.file, "The file")->type_name("FILE")->required();
  save_->add_option("--pool", what.pools, "A pool that lies elsewhere in the project, too; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  load_->add_flag("--force", what.force, "Replace what is there and differs");
  clear_->add_flag("--force", what.force, "Do it; else what would go is only listed");
  for (CLI::App* each : {save_, load_, clear_}) each->add_flag("--json", what.json, "Print JSON for scripts");
  app.require_subcommand(1);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? contract::fine : contract::usage;
  }
  return save_->parsed() ? save(tree, what) : load_->parsed() ? load(tree, what) : clear(tree, what);
}

std::optional<std::uint64_t> kept_seed(const build::build_tree& tree) {
  const auto text = system::read_file(seed_file(top_of(tree)));
  return text ? number_in(*text) : std::nullopt;
}

}  // namespace morph::command
