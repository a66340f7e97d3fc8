// Asks the program of specs for mutants and rows, and remembers both.
#include "plugin/pools/breeding_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "plugin/contract/exit_codes.hpp"
#include "plugin/system/process.hpp"

namespace morph::pools {
namespace {

using nlohmann::json;
using optimizer::case_set;

std::string list_text(const case_set& cases) {
  std::string text;
  for (const std::uint32_t c : cases) text += ' ' + std::to_string(c);
  return text;
}

constexpr std::size_t most_known = 50'000;  // values of pools that are remembered

/// By cases that run in a twin; the program of specs knows the other metrics.
bool is_measured(const std::string& metric) {
  return metric == "coverage" || metric == "coupled-branches" || metric == "mutation-score";
}

result<std::unique_ptr<row_source>> rows_named(const std::string& metric, const build::build_tree& tree,
                                               const build::suite& suite, std::shared_ptr<twin_cases>& twin,
                                               system::observer& told) {
  if (metric == "mutation-score") return kill_rows(tree, suite);
  if (twin == nullptr) {
    auto opened = twin_cases::open(tree, suite, told);
    if (!opened) return tl::unexpected(opened.error());
    twin = std::move(*opened);
  }
  if (metric == "coupled-branches") return coupled_rows(tree, twin, told);
  return coverage_rows(twin);
}

}  // namespace

void bred_archive::fail(int code, const std::string& why) {
  stop_ = {code, why, {}};
  throw std::runtime_error(why);
}

json bred_archive::ask(const std::string& question) {
  const auto said = program_->ask(question);
  if (!said && question == "about")
    fail(contract::environment,
         fmt::format("the program of specs does not answer ({}); what it said stands above", said.error()));
  if (!said)
    fail(contract::finding,
         fmt::format("the program of specs ended ({}) when it was asked for '{}'; what it ran then crashed: a "
                     "datamorphism, or a metric",
                     said.error(), question.substr(0, 60)));
  json answer = json::parse(*said, nullptr, false);
  if (!answer.is_object())
    fail(contract::internal, fmt::format("the program of specs answered '{}'", said->substr(0, 80)));
  if (answer.contains("error")) fail(contract::usage, answer["error"].get<std::string>());
  return answer;
}

void bred_archive::take_cases(const json& answer) {
  for (const json& id : answer.at("ids")) ids_.push_back(id.get<std::string>());
  for (const json& origins : answer.at("origins")) origins_.push_back(origins.get<case_set>());
}

contract::outcome<std::unique_ptr<bred_archive>> bred_archive::open(const build::build_tree& tree,
                                                                    const build::suite& suite,
                                                                    const archive_request& what,
                                                                    system::observer& told) {
  std::unique_ptr<bred_archive> made(new bred_archive(what));
  std::vector<std::string> words{what.program, "serve",   "--pool", what.pool,
                                 "--spec",     what.spec, "--out",  what.scratch};
  if (!what.executer.empty()) words.insert(words.end(), {"--executer", what.executer});
  if (!what.case_metric.empty()) words.insert(words.end(), {"--sort", what.case_metric});
  made->knows_strengths_ = !what.case_metric.empty();
  for (const std::string& name : what.towards) {
    metric& each = made->metrics_.emplace_back();
    each.name = name;
    made->knows_strengths_ |= is_measured(name) || name == "diversity" || name == "borders";
    if (is_measured(name)) continue;
    words.insert(words.end(), {"--by", name});
    made->asks_for_metrics_ = true;
  }
  auto started = spec_process::start(words);
  if (!started) return contract::not_done(contract::environment, started.error());
  made->program_ = std::move(*started);
  try {
    const json about = made->ask("about");
    for (const json& each : about.at("datamorphisms")) {
      made->datamorphisms_.push_back(each.at("name").get<std::string>());
      made->arities_.push_back(each.at("arity").get<unsigned>());
    }
    made->has_filters_ = !about.at("set filters").empty();
    made->take_cases(about);
    if (made->ids_.empty())
      made->fail(
          contract::usage,
          fmt::format("the pool '{0}' has no case to begin with; make seeds: morph spec seed --pool {0}", what.pool));
    if (made->arities_.empty())
      made->fail(contract::usage,
                 fmt::format("the spec '{}' declares no datamorphism, and mutants are what a pool is bred of; "
                             "declare one: s.datamorph(NAME, FUNCTION)",
                             what.spec));
    std::shared_ptr<twin_cases> twin;
    for (metric& each : made->metrics_) {
      if (!is_measured(each.name)) continue;
      auto rows = rows_named(each.name, tree, suite, twin, told);
      if (!rows) made->fail(contract::environment, fmt::format("there is no {}: {}", each.name, rows.error()));
      each.rows = std::move(*rows);
    }
    made->measure_new_cases();
  } catch (const std::runtime_error& error) {
    return made->stop().message.empty() ? contract::not_done(contract::internal, error.what())
                                        : tl::unexpected(made->stop());
  }
  return made;
}

void bred_archive::measure_new_cases() {
  for (metric& each : metrics_) {
    const auto first = static_cast<std::uint32_t>(each.of_cases.size());
    if (each.rows == nullptr || first == cases()) continue;
    case_set fresh;
    for (std::uint32_t c = first; c < cases(); ++c) fresh.push_back(c);
    save(fresh);
    auto rows = each.rows->rows_of({what_.spec, what_.scratch, {ids_.begin() + first, ids_.end()}});
    if (system::interrupted()) fail(contract::environment, "interrupted; the pool is as it was");
    if (!rows)
      fail(contract::environment, fmt::format("the cases were not measured for {}: {}", each.name, rows.error()));
    const bool is_first = each.of_cases.empty();
    for (requirement_row& row : *rows) each.of_cases.push_back(std::move(row));
    if (is_first && each.rows->all() == 0)
      fail(contract::environment, fmt::format("there is no {}: {}", each.name, each.rows->why_none()));
  }
}

std::vector<case_set> bred_archive::mate(const std::vector<optimizer::mating>& matings, std::uint32_t most_cases) {
  std::string question = "mutate " + std::to_string(most_cases);
  for (const optimizer::mating& each : matings) {
    question += ' ' + std::to_string(each.datamorphism);
    for (std::size_t i = 0; i < each.sources.size(); ++i)
      question += (i == 0 ? ':' : ',') + std::to_string(each.sources[i]);
  }
  const json answer = ask(question);
  take_cases(answer);
  measure_new_cases();
  return answer.at("made").get<std::vector<case_set>>();
}

std::vector<double> bred_archive::measure(const case_set& cases) {
  if (const auto found = known_.find(cases); found != known_.end()) return found->second;
  json told;
  if (asks_for_metrics_) told = ask("measure" + list_text(cases)).at("values");
  std::vector<double> values;
  std::size_t at = 0;
  for (const metric& each : metrics_) {
    if (each.rows == nullptr) {
      const json& value = told.at(at++);
      if (!value.is_number())
        fail(contract::usage,
             fmt::format("the metric '{}' is {} for a pool of {} cases; a pool can only be bred towards numbers: "
                         "does it divide by 0, or have nothing to say of few cases?",
                         each.name, value.get<std::string>(), cases.size()));
      values.push_back(value.get<double>());
      continue;
    }
    ++question_;
    std::size_t covered = 0;
    for (const std::uint32_t c : cases)
      for (const std::uint32_t requirement : each.of_cases[c]) {
        if (seen_.size() <= requirement) seen_.resize(requirement + 1, 0);
        if (seen_[requirement] == question_) continue;
        seen_[requirement] = question_;
        ++covered;
      }
    values.push_back(static_cast<double>(covered) / static_cast<double>(each.rows->all()));
  }
  if (known_.size() >= most_known) known_.clear();
  known_[cases] = values;
  return values;
}

/// Of what a case covers, each requirement counts the more, the fewer others cover it.
std::vector<double> bred_archive::strengths(const case_set& cases) {
  std::vector<double> sums(cases.size(), 0);
  if (asks_for_metrics_ || !what_.case_metric.empty()) {
    const json told = ask("strengths" + list_text(cases)).at("strengths");
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (!told.at(i).is_number())
        fail(contract::usage,
             fmt::format("the case metric '{}' is {} for the case {}; which case is stronger can only be told by "
                         "numbers",
                         what_.case_metric.empty() ? "diversity" : what_.case_metric, told.at(i).get<std::string>(),
                         ids_[cases[i]]));
      sums[i] = told.at(i).get<double>();
    }
    if (!what_.case_metric.empty()) return sums;
  }
  for (const metric& each : metrics_) {
    if (each.rows == nullptr) continue;
    std::map<std::uint32_t, std::uint32_t> count;
    for (const std::uint32_t c : cases)
      for (const std::uint32_t requirement : each.of_cases[c]) ++count[requirement];
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const std::uint32_t requirement : each.of_cases[cases[i]]) sums[i] += 1.0 / count[requirement];
  }
  return sums;
}

optimizer::breeding_ground bred_archive::ground(std::uint32_t most_cases,
                                                std::optional<std::chrono::steady_clock::time_point> deadline) {
  optimizer::breeding_ground made;
  made.arities = arities_;
  made.metrics = metrics_.size();
  made.capacity = most_cases;
  made.cases = [this] { return cases(); };
  made.mate = [this, most_cases](const std::vector<optimizer::mating>& matings) { return mate(matings, most_cases); };
  made.measure = [this](const case_set& cases) { return measure(cases); };
  made.strengths = [this](const case_set& cases) { return strengths(cases); };
  made.filter = [this](const case_set& cases) { return ask("filter" + list_text(cases)).at("cases").get<case_set>(); };
  made.origins = [this](std::uint32_t c) { return origins_[c]; };
  made.is_over = [deadline] {
    return system::interrupted() || (deadline && std::chrono::steady_clock::now() >= *deadline);
  };
  return made;
}

std::size_t bred_archive::save(const case_set& cases) {
  ask("save" + list_text(cases));
  case_set left = cases, all;
  std::vector<bool> is_there(ids_.size(), false);
  std::size_t number = 0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    const std::uint32_t c = left[i];
    if (is_there[c]) continue;
    is_there[c] = true;
    ++number;
    for (const std::uint32_t origin : origins_[c]) left.push_back(origin);
  }
  return number;
}

}  // namespace morph::pools
