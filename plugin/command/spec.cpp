// morph spec: the program of a suite of specs, which does the work: it knows the types.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/build/build_tree.hpp"
#include "plugin/command/spec_breed.hpp"
#include "plugin/command/spec_new.hpp"
#include "plugin/command/spec_refresh.hpp"
#include "plugin/command/spec_state.hpp"
#include "plugin/pools/rows.hpp"
#include "plugin/scripting/recording.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/foreground_process.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

struct spec_options {
  std::string suite;
  std::vector<std::string> words;  // for the program
};

using nlohmann::json;

/// The value of the last `--name VALUE` or `--name=VALUE`.
std::string value_of(const std::vector<std::string>& words, const std::string& name) {
  std::string value;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == name && i + 1 < words.size()) value = words[i + 1];
    if (words[i].starts_with(name + "=")) value = words[i].substr(name.size() + 1);
  }
  return value;
}

std::set<std::string> ids_in_pool(const std::string& file) {
  std::vector<std::string> ids;
  std::ifstream in(file);
  // As `save_pool` writes it: then nothing else has to be read.
  constexpr std::string_view begin = "{\"id\":\"";
  constexpr std::size_t digits = 16;
  for (std::string line; std::getline(in, line);) {
    const std::size_t end = begin.size() + digits;
    if (line.starts_with(begin) && line.size() > end && line[end] == '"' && line[end + 1] == ',') {
      ids.push_back(line.substr(begin.size(), digits));
      continue;
    }
    const json each = json::parse(line, nullptr, false);
    if (each.is_object() && each.contains("id") && each["id"].is_string()) ids.push_back(each["id"]);
  }
  std::sort(ids.begin(), ids.end());
  return {ids.begin(), ids.end()};
}

/// The metrics of the program, and coverage and the mutation score, which it does not know.
int measure_pool(const build::build_tree& tree, const build::suite& suite, const spec_options& options, bool as_json) {
  const std::string program = suite.programs.front().executable.string();
  std::vector<std::string> words{program};
  words.insert(words.end(), options.words.begin(), options.words.end());
  const bool asked_json = as_json || std::find(words.begin(), words.end(), "--json") != words.end();
  if (as_json) words.emplace_back("--json");
  const system::process_end end = system::run({.arguments = words});
  fmt::print(stderr, "{}", end.err);
  if (!end.succeeded() || value_of(words, "--pool").empty()) {
    fmt::print("{}", end.out);
    return end.how == system::process_end::kind::exited ? end.code : contract::environment;
  }
  const std::set<std::string> ids = ids_in_pool(value_of(words, "--pool"));
  const pools::suite_rows found = pools::rows_of(tree, suite, ids);
  const report::file_tally covered = pools::tally_of(found);
  const pools::pool_kills kills = pools::kills_of(tree, suite, ids);
  const auto part = [](const report::tally& t) {
    return t.total == 0 ? 0.0 : static_cast<double>(t.hit) / static_cast<double>(t.total);
  };
  const std::vector<std::pair<std::string, report::tally>> rows{{"line coverage", covered.lines},
                                                                {"branch coverage", covered.branches},
                                                                {"function coverage", covered.functions}};
  if (asked_json) {
    json all = json::parse(end.out, nullptr, false);
    if (found.missing.empty()) {
      for (const auto& [name, tally] : rows) all[name] = part(tally);
      all["coverage of"] = found.of_cases.empty() ? "suite" : "cases";
    }
    if (kills.missing.empty()) {
      const auto score = kills.of.share(kills.killed);
      all["mutation score"] = score ? json(*score) : json(nullptr);
      all["mutation score of"] = kills.of_cases ? "cases" : "suite";
      all["mutation score is a lower bound"] = !kills.is_all;
    }
    fmt::print("{}\n", all.dump());
    return contract::fine;
  }
  fmt::print("{}", end.out);
  if (!found.missing.empty()) spdlog::info("no coverage: {}", found.missing);
  for (const auto& [name, tally] : rows)
    if (found.missing.empty())
      fmt::print("{:>12.6g}  {} ({} of {}, by {})\n", part(tally), name, tally.hit, tally.total,
                 found.of_cases.empty() ? fmt::format("all {} tests of the suite", found.of_suite.size())
                                        : fmt::format("{} measured cases of the pool", found.of_cases.size()));
  if (!kills.missing.empty()) {
    spdlog::info("no mutation score: {}", kills.missing);
    return contract::fine;
  }
  const auto score = kills.of.share(kills.killed);
  fmt::print("{:>12}  mutation score ({} mutants killed{}, by {})\n", score ? fmt::format("{:.6g}", *score) : "none",
             kills.killed, kills.is_all ? "" : " first, at least: `morph mutate --all-killers` finds all",
             kills.of_cases ? "the pool's cases" : "the tests of the suite");
  return contract::fine;
}

/// `filter --by minimize`, `filter --by select --most N`: by the rows of the pool's cases. The program does the rest,
/// and filters by what else is asked.
struct filter_by_rows {
  bool is_minimal = false;
  std::optional<std::uint32_t> most{};
  bool removes = false;
  std::string wrong{};             // what is asked that cannot be
  std::vector<std::string> words;  // for the program, without all that
};
std::optional<filter_by_rows> asked_by_rows(const std::vector<std::string>& words) {
  filter_by_rows asked;
  bool selects = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string name = words[i], value;
    const std::size_t equals = name.find('=');
    const bool has_value = equals != std::string::npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    } else if (i + 1 < words.size()) {
      value = words[i + 1];
    }
    const bool is_ours = name == "--most" || (name == "--by" && (value == "minimize" || value == "select"));
    if (name == "--remove") asked.removes = true;
    if (!is_ours) {
      asked.words.push_back(words[i]);
      continue;
    }
    if (!has_value) ++i;
    if (value == "minimize") asked.is_minimal = true;
    if (value == "select") selects = true;
    if (name != "--most") continue;
    std::uint32_t most = 0;
    const auto read = std::from_chars(value.data(), value.data() + value.size(), most);
    if (read.ec != std::errc() || read.ptr != value.data() + value.size() || most == 0)
      asked.wrong = fmt::format("--most needs a number of cases from 1 on, not '{}'", value);
    asked.most = most;
  }
  if (!asked.is_minimal && !selects) return std::nullopt;
  if (asked.is_minimal && selects) asked.wrong = "--by minimize and --by select are two ways; name one";
  if (selects && !asked.most) asked.wrong = "--by select needs --most N, how many cases";
  if (asked.is_minimal && asked.most)
    asked.wrong = "--most is for --by select; --by minimize keeps as many as it takes";
  if (asked.removes) asked.wrong = "--by minimize and --by select say what stays; leave out --remove";
  return asked;
}

int filter_pool(const build::build_tree& tree, const build::suite& suite, const filter_by_rows& asked, bool quiet) {
  if (!asked.wrong.empty()) {
    spdlog::error("{}", asked.wrong);
    return contract::usage;
  }
  const std::set<std::string> ids = ids_in_pool(value_of(asked.words, "--pool"));
  const pools::suite_rows rows = pools::rows_of(tree, suite, ids);
  if (!rows.missing.empty() || rows.of_cases.empty()) {
    spdlog::error(
        "no case of the pool was measured by itself{}; declare the suite with ENVIRONMENT MORPH_SPEC_CASES=1 "
        "and run `morph measure`",
        rows.missing.empty() ? "" : fmt::format(" ({})", rows.missing));
    return contract::environment;
  }
  // With `--most` lines and branches alone count: what is left over is told in their number.
  pools::case_wishes wishes;
  if (pools::pool_kills kills = pools::kills_of(tree, suite, ids); !asked.most && kills.missing.empty())
    wishes.serves = std::move(kills.by_case);
  const pools::reduced_cases found = pools::reduce_cases(rows, asked.most, wishes);
  std::string stay;
  for (const std::string& id : found.ids) stay += id + '\n';
  std::size_t unmeasured = 0;
  auto measured = rows.of_cases.begin();
  for (const std::string& id : ids)
    if (measured != rows.of_cases.end() && measured->first == id) {
      ++measured;
    } else {
      stay += id + '\n';
      ++unmeasured;
    }
  const std::filesystem::path file = tree.own_dir() / fmt::format("filter.{}", ::getpid());
  if (const auto written = system::write_file_atomically(file, stay); !written) {
    spdlog::error("{}", written.error());
    return contract::environment;
  }
  std::vector<std::string> words{suite.programs.front().executable.string()};
  words.insert(words.end(), asked.words.begin(), asked.words.end());
  words.insert(words.end(), {"--ids", file.string()});
  const system::process_end end = system::run({.arguments = words});
  std::error_code ignored;
  std::filesystem::remove(file, ignored);
  fmt::print(stderr, "{}", end.err);
  fmt::print("{}", end.out);
  if (!end.succeeded()) return end.how == system::process_end::kind::exited ? end.code : contract::environment;
  if (quiet) return contract::fine;
  fmt::print("{} of {} measured cases cover {} of {} lines and branches{}{}\n", found.ids.size(), rows.of_cases.size(),
             found.covered, found.all, wishes.serves.empty() ? "" : " and kill what all kill",
             found.is_proven ? (asked.most ? "; no others cover more" : "; no fewer do")
             : asked.most    ? fmt::format("; none can cover more than {}", found.bound)
                             : fmt::format("; no fewer than {} can", found.bound));
  if (unmeasured > 0) fmt::print("{} that were not measured stay\n", unmeasured);
  return contract::fine;
}

int run_spec(const spec_options& options, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (options.words.front() == "state")
    return run_state(*tree, {options.words.begin() + 1, options.words.end()}, common.json);
  if (std::getenv("MORPH_SEED") == nullptr)
    if (const auto seed = kept_seed(*tree)) ::setenv("MORPH_SEED", std::to_string(*seed).c_str(), 1);
  std::vector<std::string> names;
  const build::suite* chosen = nullptr;
  for (const build::suite& suite : tree->suites) {
    if (suite.framework != "spec") continue;
    names.push_back(suite.name);
    const bool is_asked = options.suite.empty() || suite.name == options.suite;
    if (is_asked && (chosen == nullptr || std::filesystem::exists(suite.programs.front().executable))) chosen = &suite;
  }
  if (names.empty() && options.words == std::vector<std::string>{"refresh", "--if-any"}) return contract::fine;
  if (names.empty()) {
    spdlog::error("this build tree has no specs; declare them with morph_add_spec(NAME SOURCES ...)");
    return contract::environment;
  }
  if (options.words.front() == "refresh" && (chosen != nullptr || options.suite.empty()))
    return refresh_pools(*tree, options.suite.empty() ? nullptr : chosen, options.words, common);
  if (chosen == nullptr) {
    spdlog::error("there is no suite of specs '{}'; there are: {}", options.suite, fmt::join(names, ", "));
    return contract::usage;
  }
  // Help is the same from all of them.
  const bool wants_help = std::ranges::find(options.words, "--help") != options.words.end();
  if (options.suite.empty() && names.size() > 1 && !wants_help) {
    spdlog::error("this build tree has several suites of specs; say which: --suite NAME, one of {}",
                  fmt::join(names, ", "));
    return contract::usage;
  }
  const std::filesystem::path& program = chosen->programs.front().executable;
  if (!std::filesystem::exists(program)) {
    spdlog::error("'{}' is not built; build it: cmake --build {} --target {}", program.string(),
                  tree->binary_dir.string(), chosen->programs.front().target);
    return contract::environment;
  }
  if (options.words.front() == "filter")
    if (const auto asked = asked_by_rows(options.words)) return filter_pool(*tree, *chosen, *asked, common.quiet);
  if (options.words.front() == "breed") return breed_pool(*tree, *chosen, options.words, common);
  if (options.words.front() == "measure") return measure_pool(*tree, *chosen, options, common.json);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  if (common.json) words.emplace_back("--json");
  if (common.quiet) words.emplace_back("--quiet");
  if (const auto script = scripting::recording_of(tree->binary_dir); script && *script) {
    // The command is written into the script when it has ended.
    const system::process_end end = system::run_in_foreground({.arguments = words});
    if (end.how == system::process_end::kind::not_started) spdlog::error("{}", end.err);
    return end.how == system::process_end::kind::exited ? end.code : contract::environment;
  }
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  spdlog::error("'{}' cannot be run: {}", program.string(), std::strerror(errno));
  return contract::environment;
}

}  // namespace

action add_spec(CLI::App& app, const common_options& common) {
  auto options = std::make_shared<spec_options>();
  app.add_option("--suite", options->suite, "The suite of specs, if the build tree has several")->type_name("NAME");
  app.prefix_command();
  CLI::App* const fresh = app.add_subcommand("new", "Write a spec of a function that a header declares");
  fresh->fallthrough();
  const action run_new = add_spec_new(*fresh, common);
  return [options, &common, &app, fresh, run_new] {
    if (fresh->parsed()) return run_new();
    common_options ours = common;
    // Ours may stand behind the activity, too.
    const std::vector<std::string> words = app.remaining();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      const std::string name = words[i].substr(0, equals);
      std::string* const to = name == "--build"    ? &ours.build
                              : name == "--config" ? &ours.config
                              : name == "--suite"  ? &options->suite
                                                   : nullptr;
      if (to == nullptr)
        options->words.push_back(words[i]);
      else if (equals != std::string::npos)
        *to = words[i].substr(equals + 1);
      else if (i + 1 < words.size())
        *to = words[++i];
    }
    if (options->words.empty()) options->words = {"--help"};
    return run_spec(*options, ours);
  };
}

}  // namespace morph::command
