// Running the tests of others.
#include "plugin/measuring/fixtures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "plugin/frameworks/ctest_verdict.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;
using frameworks::listed_case;

std::vector<std::string> list_of(const build::suite& suite, std::string_view property) {
  for (const auto& [name, value] : suite.properties)
    if (name == property) return frameworks::split_list(value);
  return {};
}

bool has(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

double timeout_of(const frameworks::ctest_entry& entry) {
  double seconds = ctest_default_timeout;
  for (const std::string& value : entry.list("TIMEOUT"))
    std::from_chars(value.data(), value.data() + value.size(), seconds);
  return seconds;
}

}  // namespace

result<bool> fixtures::set_up(const build::suite& suite) {
  bool counted = true;
  for (const std::string& fixture : list_of(suite, "FIXTURES_REQUIRED")) {
    const state& of = set_up(fixture);
    if (!of.failed.empty()) return tl::unexpected(fmt::format("fixture '{}': {}", fixture, of.failed));
    counted = counted && of.counted;
  }
  // Whether they pass does not matter to ctest.
  for (const std::string& name : list_of(suite, "DEPENDS")) {
    if (!depended_.insert(name).second) continue;
    if (const auto all = list(); !all) return tl::unexpected(all.error());
    for (const frameworks::listed_case& test : **listed_)
      if (test.name == name && !test.disabled) static_cast<void>(run(test));
  }
  if (listed_ && *listed_)
    for (const frameworks::listed_case& test : **listed_)
      if (has(list_of(suite, "DEPENDS"), test.name) && known_.count(test.name) == 0 &&
          !frameworks::is_inert(*test.entry))
        counted = false;
  return counted;
}

result<void> fixtures::list() {
  if (!listed_) {
    // ctest empties the log of the last run where it is started.
    const fs::path folder = twin_.own_dir() / "measure" / "ctest";
    if (auto written = system::write_file_atomically(folder / "CTestTestfile.cmake",
                                                     fmt::format("subdirs([==[{}]==])\n", tree_.binary_dir.string()));
        !written)
      return tl::unexpected(written.error());
    system::command c;
    c.arguments = {tree_.ctest, "--show-only=json-v1"};
    if (const std::string& config = tree_.config.empty() ? tree_.ctest_config : tree_.config; !config.empty())
      c.arguments.insert(c.arguments.end(), {"-C", config});
    c.directory = folder.string();
    c.environment = {{frameworks::nested_ctest_variable, tree_.binary_dir.string()}};
    const system::process_end end = system::run(c);
    listed_ = end.succeeded() ? frameworks::parse_ctest_listing(end.out)
                              : result<std::vector<frameworks::listed_case>>(tl::unexpected(fmt::format(
                                    "ctest cannot list the tests: {} {}", system::describe(end, c.timeout), end.err)));
  }
  if (!*listed_) return tl::unexpected(listed_->error());
  return {};
}

const fixtures::state& fixtures::set_up(const std::string& fixture) {
  const auto [at, is_new] = states_.try_emplace(fixture);
  state& of = at->second;
  if (!is_new && !of.cleaned) return of;
  of = {};
  if (const auto all = list(); !all) {
    of.failed = all.error();
    return of;
  }
  run_all("FIXTURES_SETUP", fixture, of);
  return of;
}

/// The tests of others that have a fixture in this property, and those of suites that have.
void fixtures::run_all(const std::string& property, const std::string& name, state& of) {
  const auto failed = [&](const std::string& test, const std::string& why) {
    if (of.failed.empty()) of.failed = fmt::format("'{}' {}", test, why);
  };
  for (const frameworks::listed_case& test : **listed_) {
    if (test.disabled || !has(test.entry->list(property), name)) continue;
    for (const std::string& needed : test.entry->list("FIXTURES_REQUIRED")) {
      const state& its = set_up(needed);
      if (!its.failed.empty()) failed(test.name, fmt::format("needs the fixture '{}': {}", needed, its.failed));
      of.counted = of.counted && its.counted;
    }
    if (!of.failed.empty()) return;
    if (const auto why = run(test)) failed(test.name, *why);
    of.counted = of.counted && (known_.count(test.name) != 0 || frameworks::is_inert(*test.entry));
  }
  for (const build::suite& suite : twin_.suites) {
    if (suite.is_adopted() || !has(list_of(suite, property), name)) continue;
    for (const build::test_program& program : suite.programs)
      if (const auto why = run(suite, program)) failed(program.target, *why);
  }
}

/// Of the ordinary build; what is not there alone is meant of the twin.
std::string fixtures::in_twin(const std::string& word) const {
  const std::string from = tree_.binary_dir.string() + "/", to = twin_.binary_dir.string() + "/";
  std::string result;
  std::size_t at = 0;
  std::error_code error;
  for (auto next = word.find(from); next != std::string::npos; next = word.find(from, next + 1)) {
    const auto end = std::min(word.find_first_of(":;, ", next), word.size());
    const std::string path = word.substr(next, end - next), its = to + path.substr(from.size());
    if (path.starts_with(to) || (fs::exists(path, error) && !fs::exists(its, error))) continue;
    result.append(word, at, next - at).append(its);
    at = end;
  }
  return result.append(word, at);
}

std::optional<std::string> fixtures::run(const frameworks::listed_case& test) {
  if (test.entry->command.empty()) return "cannot be started, since its program is not built";
  auto c = frameworks::as_ctest_runs(*test.entry);
  if (!c) return "has properties that measuring does not apply";
  for (std::size_t i = 1; i < c->arguments.size(); ++i) c->arguments[i] = in_twin(c->arguments[i]);
  const std::string here = in_twin(c->directory + "/");
  c->directory = here.substr(0, here.size() - 1);
  for (auto& [name, value] : c->environment)
    if (value) value = in_twin(*value);
  return run(std::move(*c), test.name, timeout_of(*test.entry), test.entry->properties);
}

std::optional<std::string> fixtures::run(const build::suite& suite, const build::test_program& program) {
  system::command c;
  c.arguments = {program.executable.string()};
  c.arguments.insert(c.arguments.end(), suite.extra_args.begin(), suite.extra_args.end());
  c.directory = suite.working_directory.string();
  for (const std::string& entry : suite.environment) {
    const auto equals = std::min(entry.find('='), entry.size());
    c.environment.emplace_back(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
  }
  return run(std::move(c), program.target, suite.timeout.value_or(ctest_default_timeout), suite.properties);
}

std::optional<std::string> fixtures::run(system::command c, const std::string& name, double timeout,
                                         const std::vector<std::pair<std::string, std::string>>& properties) {
  std::string file = name;
  std::replace(file.begin(), file.end(), '/', '_');
  const fs::path log = twin_.own_dir() / "measure" / ("fixture." + file + ".log");
  if (auto emptied = system::write_file_atomically(log, ""); !emptied) return emptied.error();
  c.output_file = log.string();
  c.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
  c.environment.emplace_back("GCOV_PREFIX", (twin_.own_dir() / "measure" / "gcda-fixtures").string());
  const system::process_end end = system::run(c);
  const auto output = system::read_file(log);
  const bool passed = end.how == system::process_end::kind::exited &&
                      frameworks::judge(end.code, output ? *output : "", properties) != frameworks::verdict::failed;
  if (passed) return std::nullopt;
  return fmt::format("failed ({}); its output is in '{}'", system::describe(end, c.timeout), log.string());
}

void fixtures::clean_up(const std::vector<const build::suite*>& left) {
  for (auto& [fixture, of] : states_) {
    const bool is_needed = std::any_of(left.begin(), left.end(), [&, &name = fixture](const build::suite* suite) {
      return has(list_of(*suite, "FIXTURES_REQUIRED"), name);
    });
    if (is_needed || of.cleaned || !listed_ || !*listed_) continue;
    of.cleaned = true;
    state ended;
    run_all("FIXTURES_CLEANUP", fixture, ended);
    if (!ended.failed.empty()) told_.warn(fmt::format("the clean-up of the fixture '{}': {}", fixture, ended.failed));
  }
}

}  // namespace morph::measuring
