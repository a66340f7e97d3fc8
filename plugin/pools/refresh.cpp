// Refreshes a pool: explores by its program, measures, reduces, writes.
#include "plugin/pools/refresh.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "plugin/pools/passing_files.hpp"
#include "plugin/pools/refresh_choice.hpp"
#include "plugin/pools/rows.hpp"
#include "plugin/pools/suites.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::pools {
namespace {

namespace fs = std::filesystem;
using contract::not_done;
using contract::outcome;
using frameworks::pool_line;
using frameworks::pool_text;
using nlohmann::json;

constexpr std::size_t most_cases = 20'000;

/// The specs that the program has, as `list --json` prints them.
json specs_of(const std::string& program, const std::vector<std::string>& options) {
  std::vector<std::string> words{program, "list", "--json"};
  words.insert(words.end(), options.begin(), options.end());
  const json all = json::parse(system::run({.arguments = words}).out, nullptr, false);
  return all.is_object() && all.contains("specs") ? all["specs"] : json::array();
}

/// A spec has to be named for a pool that is not there yet, where there are several.
result<void> needs_no_name(const std::string& program, const build::suite& suite) {
  const json specs = specs_of(program, {});
  if (specs.size() < 2) return {};
  std::string names;
  for (const json& each : specs) names += (names.empty() ? "" : ", ") + each.value("name", "");
  return tl::unexpected(fmt::format(
      "the pool '{}' is not there yet, and the program has several specs; say of which it is to be: --spec NAME, one "
      "of {}",
      suite.pool.string(), names));
}

struct exploration {
  pool_text pool;
  bool has_violations = false;
};
outcome<exploration> explore(const build::build_tree& tree, const build::suite& suite, const std::string& spec,
                             const refresh_request& asked) {
  const std::string program = suite.programs.front().executable.string();
  if (spec.empty())
    if (const auto checked = needs_no_name(program, suite); !checked) return not_done(contract::usage, checked.error());
  const scratch_file saved(tree, "explored");
  system::command run{.arguments = {program, "run", "--save-pool", saved.path()}};
  if (!spec.empty()) run.arguments.insert(run.arguments.end(), {"--spec", spec});
  run.arguments.insert(run.arguments.end(), asked.for_run.begin(), asked.for_run.end());
  if (asked.quiet) run.arguments.emplace_back("--quiet");
  run.directory = suite.working_directory.string();
  run.inherit_output = asked.shows_exploring;
  const system::process_end end = system::run(run);
  const bool has_exited = end.how == system::process_end::kind::exited;
  const bool has_violations = has_exited && end.code == contract::finding;
  if (!end.succeeded() && !has_violations)
    return tl::unexpected(contract::failure{has_exited ? end.code : contract::environment, {}, end.err});
  const auto text = system::read_file(saved.path());
  auto pool = text ? frameworks::read_pool_text(*text) : tl::unexpected(text.error());
  if (!pool || pool->lines.empty())
    return not_done(contract::environment, "exploring left no cases behind; the run above says why");
  return exploration{std::move(*pool), has_violations};
}

/// As the program reads and writes them, without what it could not read because morphisms went.
outcome<usable_cases> usable_lines(const build::build_tree& tree, const build::suite& suite, const pool_text& old,
                                   const std::string& spec) {
  const std::string program = suite.programs.front().executable.string();
  std::set<std::string> seeds, datamorphisms;
  for (const json& each : specs_of(program, {"--spec", spec})) {
    for (const json& name : each["seeds"]) seeds.insert(name);
    for (const json& name : each["datamorphisms"]) datamorphisms.insert(name);
  }
  usable_cases made = usable_of(old.lines, seeds, datamorphisms);
  std::string text = old.head + '\n';
  for (const pool_line& line : made.lines) text += line.text + '\n';
  const scratch_file file(tree, "known");
  if (const auto written = system::write_file_atomically(file.path(), text); !written)
    return not_done(contract::environment, written.error());
  const system::process_end shown =
      system::run({.arguments = {program, "show", "--json", "--spec", spec, "--pool", file.path()}});
  auto read = shown.succeeded() ? frameworks::read_pool_text(shown.out) : tl::unexpected(std::string());
  if (!read)
    return tl::unexpected(contract::failure{
        contract::environment,
        fmt::format("'{}' cannot be read any more; remove what does not fit, or start without it: --anew",
                    suite.pool.string()),
        shown.err});
  made.lines = std::move(read->lines);
  return made;
}

/// `only`: with what they violated; else all, bare.
outcome<void> write_pool(const fs::path& file, const std::string& head, const std::vector<pool_line>& lines,
                         const std::set<std::string>* only) {
  std::string text = head + '\n';
  for (const pool_line& line : lines)
    if (only == nullptr || only->count(line.id) != 0)
      text += (only != nullptr && !line.violated.empty() ? frameworks::without_metrics(line.text) : line.bare) + '\n';
  const auto written = system::write_file_atomically(file, text);
  if (!written) return not_done(contract::environment, written.error());
  return {};
}

outcome<void> measure(const build::build_tree& tree, const build::suite& suite, bool shows) {
  system::command run{.arguments = {system::own_executable().string(), "measure", "--build", tree.binary_dir.string()}};
  if (!tree.config.empty()) run.arguments.insert(run.arguments.end(), {"--config", tree.config});
  run.inherit_output = shows;
  const system::process_end end = system::run(run);
  if (end.succeeded()) return {};
  return tl::unexpected(contract::failure{
      contract::environment, fmt::format("`morph measure` did not succeed; '{}' is as it was", suite.pool.string()),
      end.err});
}

refreshed sum_up(const build::suite& suite, const united_cases& all, const std::set<std::string>& before,
                 const chosen_cases& chosen) {
  refreshed made;
  made.suite = suite.name;
  made.pool = suite.pool.string();
  made.explored = all.lines.size();
  made.cases = chosen.stay.size();
  made.enough = chosen.found.ids.size();
  made.unmeasured = chosen.unmeasured;
  made.left_violations = chosen.left_violations;
  made.covered = chosen.found.covered;
  made.is_proven = chosen.found.is_proven;
  made.bound = chosen.found.bound;
  for (const pool_line& line : all.lines) {
    const bool is_in = chosen.stay.count(line.id) != 0, was_in = before.count(line.id) != 0;
    if (is_in && !was_in) made.came.push_back(line);
    if (!is_in && was_in) made.went.push_back(line);
    made.violating += is_in && !line.violated.empty() ? 1 : 0;
  }
  return made;
}

}  // namespace

outcome<refreshed> refresh(const build::build_tree& tree, const build::suite& suite, const refresh_request& asked) {
  if (const auto built = check_built(tree, suite); !built) return not_done(contract::environment, built.error());
  const auto old_text = system::read_file(suite.pool);
  pool_text old;
  if (old_text) {
    auto read = frameworks::read_pool_text(*old_text);
    if (!read && !asked.anew)
      return not_done(contract::environment, fmt::format("{}:{}", suite.pool.string(), read.error()));
    if (read) old = std::move(*read);
  }
  std::set<std::string> before = ids_of(old.lines);
  const auto explored = explore(tree, suite, asked.spec.empty() ? old.spec : asked.spec, asked);
  if (!explored) return tl::unexpected(explored.error());
  const pool_text& fresh = explored->pool;
  if (!asked.anew && !old.spec.empty() && old.spec != fresh.spec)
    return not_done(contract::environment, fmt::format("'{}' is of the spec '{}', not of '{}'; --anew replaces it",
                                                       suite.pool.string(), old.spec, fresh.spec));
  usable_cases known;
  if (!asked.anew && !old.lines.empty()) {
    auto usable = usable_lines(tree, suite, old, fresh.spec);
    if (!usable) return tl::unexpected(usable.error());
    known = std::move(*usable);
    before = ids_of(known.lines);  // with those of lines that had none
  }
  const united_cases all = unite(fresh.lines, known.lines);
  if (all.lines.size() > most_cases)
    return not_done(contract::environment,
                    fmt::format("{} cases are more than the {} that can be tests of their own; explore with "
                                "--max-cases, or another strategy",
                                all.lines.size(), most_cases));
  kept_pool keep(suite.pool, old_text ? std::optional(*old_text) : std::nullopt);
  std::error_code error;
  fs::create_directories(suite.pool.parent_path(), error);
  if (auto written = write_pool(suite.pool, fresh.head, all.lines, nullptr); !written)
    return tl::unexpected(written.error());
  if (auto measured = measure(tree, suite, asked.shows_measuring); !measured) return tl::unexpected(measured.error());
  const suite_rows rows = rows_of(tree, suite, ids_of(all.lines));
  if (!rows.missing.empty() || rows.of_cases.empty())
    return not_done(contract::environment,
                    fmt::format("the cases were not measured{}", rows.missing.empty() ? "" : ": " + rows.missing));
  const chosen_cases chosen = choose(all, rows, before);
  if (!asked.dry_run) {
    if (auto written = write_pool(suite.pool, fresh.head, all.lines, &chosen.stay); !written)
      return tl::unexpected(written.error());
    keep.replaced();
  }
  refreshed made = sum_up(suite, all, before, chosen);
  made.has_violations = explored->has_violations;
  made.is_written = !asked.dry_run;
  made.stale = known.stale.size();
  made.went.insert(made.went.end(), known.stale.begin(), known.stale.end());
  return made;
}

}  // namespace morph::pools
