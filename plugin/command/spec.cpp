// morph spec: the program of a suite of specs, which does the work: it knows the types.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/spec_breed.hpp"
#include "plugin/command/spec_new.hpp"
#include "plugin/command/spec_refresh.hpp"
#include "plugin/command/spec_state.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/pools/filter.hpp"
#include "plugin/pools/measures.hpp"
#include "plugin/pools/pool_file.hpp"
#include "plugin/pools/suites.hpp"
#include "plugin/pools/words.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/scripting/state.hpp"
#include "plugin/system/foreground_process.hpp"
#include "plugin/system/progress.hpp"

namespace morph::command {
namespace {

using words_of_command = std::vector<std::string>;

bool has(const words_of_command& words, const char* word) {
  return std::ranges::find(words, word) != words.end();
}

words_of_command command_of(const build::suite& suite, const words_of_command& words) {
  words_of_command made{suite.programs.front().executable.string()};
  made.insert(made.end(), words.begin(), words.end());
  return made;
}

int exit_status(const system::process_end& end) {
  return end.how == system::process_end::kind::exited ? end.code : contract::environment;
}

/// The metrics of the program, and coverage, coupled branches and the mutation score, which it does not know.
int measure_pool(const build::build_tree& tree, const build::suite& suite, words_of_command words,
                 const common_options& common) {
  if (common.json) words.emplace_back("--json");
  const system::process_end end = system::run({.arguments = command_of(suite, words)});
  fmt::print(stderr, "{}", end.err);
  const std::string pool = pools::value_of(words, "--pool");
  if (!end.succeeded() || pool.empty()) {
    fmt::print("{}", end.out);
    return exit_status(end);
  }
  terminal told(!common.quiet);
  const pools::pool_measures m = pools::measures_of(tree, suite, pools::ids_in_pool(pool), told);
  if (has(words, "--json")) {
    fmt::print("{}\n", pools::add_to_json(end.out, m));
    return contract::fine;
  }
  if (!m.no_coverage.empty()) spdlog::info("no coverage: {}", m.no_coverage);
  if (m.no_coverage.empty() && !m.coupled.missing.empty()) spdlog::info("no coupled branches: {}", m.coupled.missing);
  if (!m.kills.missing.empty()) spdlog::info("no mutation score: {}", m.kills.missing);
  fmt::print("{}{}", end.out, pools::as_text(m));
  return contract::fine;
}

int filter_pool(const build::build_tree& tree, const build::suite& suite, const pools::filter_request& asked,
                bool quiet) {
  const auto made = pools::filter_by_rows(tree, suite, asked);
  if (!made) return failed(made.error());
  fmt::print(stderr, "{}", made->program.err);
  fmt::print("{}", made->program.out);
  if (made->program.succeeded() && !quiet) fmt::print("{}", pools::as_text(*made));
  return exit_status(made->program);
}

/// The program writes its progress itself (plugin/spec/engine/progress.hpp).
void pass_progress_on() {
  const int to = system::progress_descriptor();
  if (to < 0) return;
  ::fcntl(to, F_SETFD, 0);
  ::setenv("MORPH_PROGRESS_FD", std::to_string(to).c_str(), 1);
}

int run_program(const build::build_tree& tree, words_of_command words, const common_options& common) {
  if (common.json) words.emplace_back("--json");
  if (common.quiet) words.emplace_back("--quiet");
  pass_progress_on();
  if (const auto script = scripting::recording_of(tree.binary_dir); script && *script) {
    // The command is written into the script when it has ended.
    const system::process_end end = system::run_in_foreground({.arguments = words});
    if (end.how == system::process_end::kind::not_started) spdlog::error("{}", end.err);
    return exit_status(end);
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(arguments.front(), arguments.data());
  return failed(contract::environment, fmt::format("'{}' cannot be run: {}", words.front(), std::strerror(errno)));
}

/// `words`: the activity and what follows it.
int run_spec(const std::string& suite, const words_of_command& words, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  const std::string& activity = words.front();
  if (activity == "state") return run_state(*tree, {words.begin() + 1, words.end()}, common.json);
  if (std::getenv("MORPH_SEED") == nullptr)
    if (const auto seed = scripting::kept_seed(*tree)) ::setenv("MORPH_SEED", std::to_string(*seed).c_str(), 1);
  if (words == words_of_command{"refresh", "--if-any"} && !pools::has_specs(*tree)) return contract::fine;
  // Help is the same from all of them.
  const auto found = pools::choose_suite(*tree, suite, activity == "refresh" || has(words, "--help"));
  if (!found) return failed(found.error());
  const build::suite& chosen = **found;
  if (activity == "refresh") return refresh_pools(*tree, suite.empty() ? nullptr : &chosen, words, common);
  if (const auto built = pools::check_built(*tree, chosen); !built) return failed(contract::environment, built.error());
  if (activity == "breed") return breed_pool(*tree, chosen, words, common);
  if (activity == "measure") return measure_pool(*tree, chosen, words, common);
  if (activity == "filter") {
    const auto asked = pools::read_filter(words);
    if (!asked) return failed(contract::usage, asked.error());
    if (*asked) return filter_pool(*tree, chosen, **asked, common.quiet);
  }
  return run_program(*tree, command_of(chosen, words), common);
}

}  // namespace

action add_spec(CLI::App& app, const common_options& common) {
  auto suite = std::make_shared<std::string>();
  app.add_option("--suite", *suite, "The suite of specs, if the build tree has several")->type_name("NAME");
  app.prefix_command();
  CLI::App* const fresh = app.add_subcommand("new", "Write a spec of a function that a header declares");
  fresh->fallthrough();
  const action run_new = add_spec_new(*fresh, common);
  return [suite, &common, &app, fresh, run_new] {
    if (fresh->parsed()) return run_new();
    common_options ours = common;
    // Our options may stand behind the activity, too.
    words_of_command words = pools::take_options(
        app.remaining(), {{"--build", &ours.build}, {"--config", &ours.config}, {"--suite", suite.get()}});
    if (words.empty()) words = {"--help"};
    return run_spec(*suite, words, ours);
  };
}

}  // namespace morph::command
