// Recalls and remembers verdicts; their file.
#include "plugin/mutating/memory.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::mutating {
namespace {

using nlohmann::json;

constexpr std::uint32_t forgotten_after = 10;  // runs that do not have a mutant

}  // namespace

void program_memory::begin_run(const std::string& conditions) {
  if (conditions != conditions_) *this = {};
  conditions_ = conditions;
  ++run_;
}

void program_memory::set_tests(std::vector<remembered_test> tests) {
  tests_ = std::move(tests);
  known_of_test_.clear();
  for (const remembered_test& test : tests_) {
    const auto [at, is_new] =
        place_in_known_.try_emplace({test.name, test.content}, static_cast<std::uint32_t>(known_.size()));
    if (is_new) known_.emplace_back(test.name, test.content);
    known_of_test_.push_back(at->second);
  }
  test_of_known_.assign(known_.size(), std::nullopt);
  for (std::uint32_t t = 0; t < known_of_test_.size(); ++t) test_of_known_[known_of_test_[t]] = t;
}

std::vector<std::uint32_t> program_memory::to_known(const std::vector<std::uint32_t>& tests) const {
  std::vector<std::uint32_t> known;
  for (const std::uint32_t t : tests) known.push_back(known_of_test_.at(t));
  std::ranges::sort(known);
  return known;
}

std::vector<std::uint32_t> program_memory::to_current(const std::vector<std::uint32_t>& known) const {
  std::vector<std::uint32_t> tests;
  for (const std::uint32_t k : known)
    if (test_of_known_.at(k)) tests.push_back(*test_of_known_[k]);
  std::ranges::sort(tests);
  return tests;
}

std::optional<mutation::program_verdict> program_memory::recall(const std::string& mutant) const {
  const auto known = verdicts_.find(mutant);
  if (known == verdicts_.end()) return std::nullopt;
  mutation::program_verdict verdict = known->second.verdict;
  verdict.killers = to_current(verdict.killers);
  verdict.passed = to_current(verdict.passed);
  verdict.is_recalled = true;
  return verdict;
}

void program_memory::remember(const std::string& mutant, const mutation::program_verdict& verdict) {
  if (verdict.state == mutation::mutant_state::not_judged) {
    if (const auto known = verdicts_.find(mutant); known != verdicts_.end()) known->second.seen = run_;
    return;
  }
  entry& now = verdicts_[mutant];
  now = {verdict, run_};
  now.verdict.killers = to_known(verdict.killers);
  now.verdict.passed = to_known(verdict.passed);
}

json program_memory::to_json() const {
  std::vector<std::pair<std::string, std::string>> known;
  std::vector<std::optional<std::uint32_t>> kept(known_.size());  // its place among `known`
  const auto keep = [&](std::uint32_t k) {
    if (!kept.at(k)) {
      kept[k] = static_cast<std::uint32_t>(known.size());
      known.push_back(known_[k]);
    }
    return *kept[k];
  };
  const auto keep_all = [&](const std::vector<std::uint32_t>& of) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t k : of) places.push_back(keep(k));
    return places;
  };
  json set_rows = json::array(), verdicts = json::object(), tests = json::array();
  for (std::size_t t = 0; t < tests_.size(); ++t)
    tests.push_back({keep(known_of_test_[t]), tests_[t].why_left_out, tests_[t].in_build});
  std::map<std::vector<std::uint32_t>, std::size_t> sets;
  for (const auto& [name, e] : verdicts_) {
    if (run_ - e.seen > forgotten_after) continue;
    const mutation::program_verdict& v = e.verdict;
    const auto [set, is_new] = sets.try_emplace(v.passed, sets.size());
    if (is_new) set_rows.push_back(keep_all(v.passed));
    verdicts[name] = {
        static_cast<int>(v.state), e.seen,      v.detail,    v.covering, v.infected, v.cpu_us, v.before_first,
        keep_all(v.killers),       set->second, v.unobserved};
  }
  return {{"conditions", conditions_}, {"run", run_},         {"known_tests", known}, {"tests", tests},
          {"sets", set_rows},          {"verdicts", verdicts}};
}

program_memory program_memory::from_json(const json& from) {
  program_memory memory;
  memory.conditions_ = from.at("conditions");
  memory.run_ = from.at("run");
  memory.known_ = from.at("known_tests");
  for (std::uint32_t k = 0; k < memory.known_.size(); ++k) memory.place_in_known_.emplace(memory.known_[k], k);
  std::vector<remembered_test> tests;
  for (const json& row : from.at("tests")) {
    const auto& [name, content] = memory.known_.at(row.at(0).get<std::size_t>());
    tests.push_back({name, content, row.at(1), row.at(2)});
  }
  memory.set_tests(std::move(tests));
  const auto sets = from.at("sets").get<std::vector<std::vector<std::uint32_t>>>();
  const auto is_known = [&](const std::vector<std::uint32_t>& known) {
    return std::ranges::all_of(known, [&](std::uint32_t k) { return k < memory.known_.size(); });
  };
  for (const auto& [name, row] : from.at("verdicts").items()) {
    const int state = row.at(0);
    if (state < 0 || state > static_cast<int>(mutation::mutant_state::timed_out)) continue;
    entry& e = memory.verdicts_[name];
    e.seen = row.at(1);
    e.verdict.state = static_cast<mutation::mutant_state>(state);
    e.verdict.detail = row.at(2);
    e.verdict.covering = row.at(3);
    e.verdict.infected = row.at(4);
    e.verdict.cpu_us = row.at(5);
    e.verdict.before_first = row.at(6);
    e.verdict.killers = row.at(7).get<std::vector<std::uint32_t>>();
    e.verdict.passed = sets.at(row.at(8).get<std::size_t>());
    e.verdict.unobserved = row.at(9);
    if (!is_known(e.verdict.killers) || !is_known(e.verdict.passed)) memory.verdicts_.erase(name);
  }
  return memory;
}

verdict_memory load_verdicts(const std::filesystem::path& path) {
  const auto text = system::read_file(path);
  if (!text) return {};
  try {
    const json from = json::parse(*text);
    if (from.at("schema") != contract::verdicts_schema) return {};
    verdict_memory memory;
    memory.settled = from.at("settled");
    memory.all_killers = from.at("all_killers");
    for (const auto& [name, program] : from.at("programs").items())
      memory.programs.emplace(name, program_memory::from_json(program));
    return memory;
  } catch (const std::exception&) {
    return {};
  }
}

result<void> save_verdicts(const std::filesystem::path& path, const verdict_memory& memory) {
  json programs = json::object();
  for (const auto& [name, program] : memory.programs) programs[name] = program.to_json();
  return system::write_file_atomically(path, json_text(json{{"schema", contract::verdicts_schema},
                                                            {"settled", memory.settled},
                                                            {"all_killers", memory.all_killers},
                                                            {"programs", programs}}));
}

}  // namespace morph::mutating
