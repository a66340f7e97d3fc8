// morph spec: the program of a suite of specs, which does the work: it knows the types.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/command/mutate_report.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/process.hpp"
#include "plugin/report/coverage.hpp"
#include "plugin/report/mutation_json.hpp"

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
  std::set<std::string> ids;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    const json each = json::parse(line, nullptr, false);
    if (each.is_object() && each.contains("id") && each["id"].is_string()) ids.insert(each["id"]);
  }
  return ids;
}

/// Of the code under test, which is all but what tests are written in, by the newest measurement that there is: of the
/// pool's cases, where they were measured one by one (MORPH_SPEC_CASES), else of all tests of the suite. Nothing if
/// nothing was measured.
struct pool_coverage {
  report::file_tally tally;
  std::size_t tests = 0;
  bool of_cases = false;
  std::string missing;  // why there is none
};
pool_coverage coverage_of(const project::build_tree& tree, const project::suite& suite,
                          const std::set<std::string>& ids, const std::set<std::string>& test_files) {
  pool_coverage found;
  surroundings around = open_surroundings(tree);
  found.missing = around.missing;
  if (!found.missing.empty()) return found;
  const selection::file_kinds kinds(around.repo->root(), tree.ignore);
  const auto baseline = find_baseline(tree, *around.repo, *around.evidence, kinds, {}, false);
  if (!baseline) {
    found.missing = baseline.error();
    return found;
  }
  report::coverage all = report::make_coverage(baseline->facts);
  report::follow_changes(all, baseline->changes);
  report::keep_files(all, [&](const std::string& path) {
    return test_files.count((std::filesystem::path(around.repo->root()) / path).lexically_normal().string()) == 0;
  });
  std::vector<std::uint32_t> of_suite, of_cases;
  for (std::uint32_t t = 0; t < all.tests.size(); ++t) {
    if (all.tests[t].suite != suite.name) continue;
    of_suite.push_back(t);
    const std::string& name = all.tests[t].facts.case_name;
    if (ids.count(name.substr(name.rfind('.') + 1)) != 0) of_cases.push_back(t);
  }
  found.of_cases = !of_cases.empty();
  const auto& tests = found.of_cases ? of_cases : of_suite;
  found.tests = tests.size();
  if (tests.empty()) {
    found.missing = "the suite was not measured";
    return found;
  }
  // Sets that one of the tests is in count as run, all others as run by nobody.
  std::vector<bool> runs(all.test_sets.size(), false);
  for (const std::uint32_t test : tests) {
    const std::vector<bool> has = report::sets_with(all, test);
    for (std::size_t s = 0; s < runs.size(); ++s) runs[s] = runs[s] || has[s];
  }
  const auto reduced = [&](report::set_id& set) {
    if (!runs[set]) set = report::nobody;
  };
  for (report::reported_file& file : all.files) {
    for (report::reported_line& line : file.lines) {
      reduced(line.tests);
      for (report::reported_outcome& branch : line.branches) reduced(branch.tests);
    }
    for (report::reported_function& function : file.functions) reduced(function.tests);
    found.tally += report::tally_of(file);
  }
  return found;
}

/// Which mutants of the last `morph mutate` the pool's cases kill, where cases are tests, else all tests of the suite.
struct pool_kills {
  std::size_t killed = 0;
  report::mutation_tally of;
  bool of_cases = false;
  bool is_all = true;   // else others may have killed first, and these kill more
  std::string missing;  // why there are none
};
pool_kills kills_of(const project::build_tree& tree, const project::suite& suite, const std::set<std::string>& ids) {
  pool_kills found;
  const auto text = project::read_file(mutation_result_path(tree));
  const auto result = text ? report::read_mutation(*text) : tl::unexpected(std::string("`morph mutate` did not run"));
  if (!result) {
    found.missing = result.error();
    return found;
  }
  for (const report::mutated_source& file : result->files)
    if (const auto now = project::read_file(tree.source_dir / file.path); !now || *now != file.text) {
      found.missing = fmt::format("'{}' has changed since `morph mutate`", file.path);
      return found;
    }
  std::set<std::string> of_suite, of_cases;
  for (const report::judging_test& test : result->tests) {
    if (test.suite != suite.name || !test.why_left_out.empty()) continue;
    of_suite.insert(test.name);
    if (ids.count(test.name.substr(test.name.rfind('.') + 1)) != 0) of_cases.insert(test.name);
  }
  found.of_cases = !of_cases.empty();
  const auto& tests = found.of_cases ? of_cases : of_suite;
  if (tests.empty()) {
    found.missing = "the suite did not judge mutants";
    return found;
  }
  found.is_all = result->has_all_killers || tests.size() == result->tests.size();
  for (const report::mutated_source& file : result->files)
    for (const report::mutant_result& m : file.mutants) {
      found.of.add(m.state);
      found.killed += std::ranges::any_of(m.killers, [&](const std::string& t) { return tests.count(t) != 0; }) ? 1 : 0;
    }
  return found;
}

/// The metrics of the program, and coverage and the mutation score, which it does not know.
int measure_pool(const project::build_tree& tree, const project::suite& suite, const spec_options& options,
                 bool as_json) {
  const std::string program = suite.programs.front().executable.string();
  std::vector<std::string> words{program};
  words.insert(words.end(), options.words.begin(), options.words.end());
  const bool asked_json = as_json || std::find(words.begin(), words.end(), "--json") != words.end();
  if (as_json) words.emplace_back("--json");
  const project::process_end end = project::run({.arguments = words});
  fmt::print(stderr, "{}", end.err);
  if (!end.succeeded() || value_of(words, "--pool").empty()) {
    fmt::print("{}", end.out);
    return end.how == project::process_end::kind::exited ? end.code : environment;
  }
  std::set<std::string> test_files;
  for (const listed_suite& each : list_suites(tree))
    for (const project::listed_program& of : each.programs)
      for (const project::listed_case& test : of.cases)
        test_files.insert(std::filesystem::path(test.file).lexically_normal().string());
  const std::set<std::string> ids = ids_in_pool(value_of(words, "--pool"));
  const pool_coverage found = coverage_of(tree, suite, ids, test_files);
  const pool_kills kills = kills_of(tree, suite, ids);
  const auto part = [](const report::tally& t) {
    return t.total == 0 ? 0.0 : static_cast<double>(t.hit) / static_cast<double>(t.total);
  };
  const std::vector<std::pair<std::string, report::tally>> rows{{"line coverage", found.tally.lines},
                                                                {"branch coverage", found.tally.branches},
                                                                {"function coverage", found.tally.functions}};
  if (asked_json) {
    json all = json::parse(end.out, nullptr, false);
    if (found.missing.empty()) {
      for (const auto& [name, tally] : rows) all[name] = part(tally);
      all["coverage of"] = found.of_cases ? "cases" : "suite";
    }
    if (kills.missing.empty()) {
      all["mutation score"] = kills.of.share(kills.killed);
      all["mutation score of"] = kills.of_cases ? "cases" : "suite";
      all["mutation score is a lower bound"] = !kills.is_all;
    }
    fmt::print("{}\n", all.dump());
    return fine;
  }
  fmt::print("{}", end.out);
  if (!found.missing.empty()) spdlog::info("no coverage: {}", found.missing);
  for (const auto& [name, tally] : rows)
    if (found.missing.empty())
      fmt::print("{:>12.6g}  {} ({} of {}, by {})\n", part(tally), name, tally.hit, tally.total,
                 found.of_cases ? fmt::format("{} measured cases of the pool", found.tests)
                                : fmt::format("all {} tests of the suite", found.tests));
  if (!kills.missing.empty()) {
    spdlog::info("no mutation score: {}", kills.missing);
    return fine;
  }
  fmt::print("{:>12.6g}  mutation score ({} mutants killed{}, by {})\n", kills.of.share(kills.killed), kills.killed,
             kills.is_all ? "" : " first, at least: `morph mutate --matrix` finds all",
             kills.of_cases ? "the pool's cases" : "the tests of the suite");
  return fine;
}

int run_spec(const spec_options& options, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  std::vector<std::string> names;
  const project::suite* chosen = nullptr;
  for (const project::suite& suite : tree->suites) {
    if (suite.framework != "spec") continue;
    names.push_back(suite.name);
    if (options.suite.empty() || suite.name == options.suite) chosen = &suite;
  }
  if (names.empty()) {
    spdlog::error("this build tree has no specs; declare them with morph_add_spec(NAME SOURCES ...)");
    return environment;
  }
  if (chosen == nullptr) {
    spdlog::error("there is no suite of specs '{}'; there are: {}", options.suite, fmt::join(names, ", "));
    return usage;
  }
  if (options.suite.empty() && names.size() > 1) {
    spdlog::error("this build tree has several suites of specs; say which: --suite NAME, one of {}",
                  fmt::join(names, ", "));
    return usage;
  }
  const std::filesystem::path& program = chosen->programs.front().executable;
  if (!std::filesystem::exists(program)) {
    spdlog::error("'{}' is not built; build it: cmake --build {} --target {}", program.string(),
                  tree->binary_dir.string(), chosen->programs.front().target);
    return environment;
  }
  if (options.words.front() == "measure") return measure_pool(*tree, *chosen, options, common.json);
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  if (common.json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  spdlog::error("'{}' cannot be run: {}", program.string(), std::strerror(errno));
  return environment;
}

}  // namespace

action add_spec(CLI::App& app, const common_options& common) {
  auto options = std::make_shared<spec_options>();
  app.add_option("--suite", options->suite, "The suite of specs, if the build tree has several")->type_name("NAME");
  app.prefix_command();
  return [options, &common, &app] {
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
