// Outcomes of tests, turned to runs.
#include "plugin/workspace/store_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"
#include "plugin/workspace/sound_store.hpp"

namespace morph::workspace {
namespace {

using nlohmann::json;

using run_key = std::tuple<std::int64_t, std::string, std::string>;
run_key key_of(const store::test_outcome& of) {
  return {of.at, of.source, of.configuration};
}

void add_runs(store_history& to, const std::vector<store::test_outcome>& outcomes) {
  std::map<run_key, std::size_t> runs;
  for (const store::test_outcome& one : outcomes) runs.try_emplace(key_of(one));
  for (auto& [key, position] : runs) {
    position = to.runs.size();
    to.runs.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key)});
  }
  for (const store::test_outcome& one : outcomes) {
    const std::size_t position = runs.at(key_of(one));
    past_run& run = to.runs[position];
    ++run.tests;
    run.failed += one.failed ? 1 : 0;
    run.seconds += one.seconds;
    if (to.tests.empty() || to.tests.back().name != one.name) to.tests.push_back({one.name});
    to.tests.back().verdicts.push_back({position, one.failed, one.seconds});
  }
  for (past_test& test : to.tests) std::ranges::stable_sort(test.verdicts, {}, &past_test::verdict::run);
}

}  // namespace

result<store_history> history_of(const std::string& path) {
  auto opened = store::evidence_store::open_for_reading(path);
  if (!opened) return tl::unexpected(opened.error());
  store_history found{path};
  if (!*opened) return found;
  store::evidence_store& evidence = **opened;
  const auto outcomes = evidence.outcomes();
  if (!outcomes) return tl::unexpected(outcomes.error());
  add_runs(found, *outcomes);
  std::set<std::string> configurations, flaky;
  for (const store::test_outcome& one : *outcomes) configurations.insert(one.configuration);
  for (const std::string& configuration : configurations) {
    const auto histories = evidence.histories(configuration);
    if (!histories) return tl::unexpected(histories.error());
    for (const auto& [name, history] : *histories)
      if (history.flaky) flaky.insert(name);
  }
  for (past_test& test : found.tests) test.is_flaky = flaky.contains(test.name);
  auto audits = evidence.audits();
  if (!audits) return tl::unexpected(audits.error());
  found.audits = std::move(*audits);
  return found;
}

std::string as_json(const store_history& of) {
  json runs = json::array(), tests = json::array(), audits = json::array();
  for (const past_run& run : of.runs)
    runs.push_back({{"at", run.at},
                    {"source", run.source},
                    {"configuration", run.configuration},
                    {"tests", run.tests},
                    {"failed", run.failed},
                    {"seconds", run.seconds}});
  for (const past_test& test : of.tests) {
    json verdicts = json::array();
    for (const auto& [run, failed, seconds] : test.verdicts) verdicts.push_back({run, failed ? 1 : 0, seconds});
    tests.push_back({{"name", test.name}, {"flaky", test.is_flaky}, {"verdicts", std::move(verdicts)}});
  }
  for (const store::audit& one : of.audits)
    audits.push_back({{"at", one.at},
                      {"commit", one.commit},
                      {"base", one.base},
                      {"tests", one.tests},
                      {"selected", one.selected},
                      {"failed", one.failed},
                      {"full_us", one.full_us},
                      {"selected_us", one.selected_us},
                      {"missed", one.missed}});
  return json_text({{"schema", contract::history_schema},
                    {"path", of.path},
                    {"runs", std::move(runs)},
                    {"tests", std::move(tests)},
                    {"audits", std::move(audits)}}) +
         '\n';
}

std::string as_text(const store_history& of) {
  std::string text;
  for (const past_run& run : of.runs)
    text += fmt::format("{} {}: {}, {} failed, {:.3f} s\n", date_of(run.at), run.source,
                        system::counted(run.tests, "test"), run.failed, run.seconds);
  for (const past_test& test : of.tests)
    if (test.is_flaky) text += fmt::format("flaky: {}\n", test.name);
  for (const store::audit& one : of.audits)
    text +=
        fmt::format("{} audit {}: {} of {} selected, {} failed, {} missed\n", date_of(one.at), one.commit.substr(0, 10),
                    one.selected, system::counted(one.tests, "test"), one.failed, one.missed.size());
  return text.empty() ? fmt::format("{}: no verdict yet; `morph record` stores those of ctest\n", of.path) : text;
}

}  // namespace morph::workspace
