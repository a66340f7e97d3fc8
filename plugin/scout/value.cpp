// Counts, for each relation, what nobody but relations kills or runs.
#include "plugin/scout/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/naming/test_names.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scout {
namespace {

using nlohmann::json;

constexpr std::size_t own = static_cast<std::size_t>(-1), gone = own - 1;

/// Which spec a test belongs to: `own` for one of the project's, `gone` for a spec that is no relation's any more.
class spec_tests {
 public:
  explicit spec_tests(const std::vector<spec_source>& of) {
    for (const spec_source& source : of)
      for (const spec& each : source.specs) {
        suites_.insert(target_name_of(source));
        numbers_[{target_name_of(source), each.name}] = all_.size();
        all_.push_back({.of = each, .target = target_name_of(source)});
      }
  }

  /// "leveldb_relations", "CRC_Mask.holds"
  std::size_t find(const std::string& suite, const std::string& name) const {
    if (!suites_.contains(suite)) return own;
    const auto known = numbers_.find({suite, name.substr(0, name.find('.'))});
    return known == numbers_.end() ? gone : known->second;
  }

  std::vector<spec_value>& all() { return all_; }

 private:
  std::set<std::string> suites_{};
  std::map<std::pair<std::string, std::string>, std::size_t> numbers_{};
  std::vector<spec_value> all_{};
};

void count_kills(const report::mutation_result& mutated, spec_tests& specs, std::set<std::size_t>& with_tests,
                 gain& to) {
  std::map<std::string, std::size_t> spec_of_test;
  for (const report::judging_test& each : mutated.tests) {
    const std::size_t number = specs.find(each.suite, each.own_name);
    if (number == own || !each.why_left_out.empty()) continue;
    spec_of_test[each.name] = number;
    if (number != gone) with_tests.insert(number);
  }
  for (const report::mutated_source& file : mutated.files)
    for (const report::mutant_result& each : file.mutants) {
      if (each.state == report::mutant_state::equivalent || each.state == report::mutant_state::not_judged) continue;
      ++to.all;
      std::set<std::size_t> killers;
      bool is_own = false;
      for (const std::string& test : each.killers) {
        const auto known = spec_of_test.find(test);
        if (known == spec_of_test.end())
          is_own = true;
        else
          killers.insert(known->second);
      }
      to.own += is_own ? 1 : 0;
      to.added += !is_own && !killers.empty() ? 1 : 0;
      killers.erase(gone);
      for (const std::size_t number : killers) {
        ++specs.all()[number].kills;
        specs.all()[number].added += is_own ? 0 : 1;
      }
    }
}

gain count_lines(const report::coverage& covered, spec_tests& specs) {
  std::vector<std::size_t> spec_of_test;
  for (const report::reported_test& each : covered.tests)
    spec_of_test.push_back(specs.find(each.suite, each.facts.case_name));
  gain made;
  for (const report::reported_file& file : covered.files) {
    if (naming::is_named_as_tests(file.path)) continue;
    for (const report::reported_line& line : file.lines) {
      std::set<std::size_t> runners;
      for (const std::uint32_t test : covered.test_sets[line.tests]) runners.insert(spec_of_test[test]);
      const bool is_own = runners.contains(own);
      ++made.all;
      made.own += is_own ? 1 : 0;
      if (is_own || runners.empty()) continue;
      ++made.added;
      runners.erase(gone);
      for (const std::size_t number : runners) ++specs.all()[number].lines;
    }
  }
  return made;
}

std::string percent(std::size_t part, std::size_t all) {
  return all == 0 ? "-" : fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(all));
}

/// "mutants: 2 of 5 are killed by the project's own tests, 1 more by relations (40.0 % -> 60.0 %, +50.00 % relative)"
std::string described(const gain& of, const char* what, const char* how) {
  std::string made = fmt::format("{}: {} of {} {} by the project's own tests, {} more by relations", what, of.own,
                                 of.all, how, of.added);
  made += fmt::format(" ({} -> {}", percent(of.own, of.all), percent(of.own + of.added, of.all));
  if (const auto relative = of.relative()) made += fmt::format(", {:+.2f} % relative", 100 * *relative);
  return made + ")";
}

std::vector<std::string> summary_of(const relation_values& of) {
  std::vector<std::string> made{described(of.mutants, "mutants", "are killed")};
  if (of.lines) made.push_back(described(*of.lines, "lines", "are run"));
  return made;
}

json json_of(const gain& of) {
  const auto relative = of.relative();
  return {{"all", of.all}, {"own", of.own}, {"added", of.added}, {"relative", relative ? json(*relative) : json()}};
}

}  // namespace

std::optional<double> gain::relative() const {
  if (own == 0) return std::nullopt;
  return static_cast<double>(added) / static_cast<double>(own);
}

relation_values values_of(const std::vector<spec_source>& of, const report::mutation_result& mutated,
                          const report::coverage* covered) {
  spec_tests specs(of);
  relation_values made;
  std::set<std::size_t> with_tests;
  count_kills(mutated, specs, with_tests, made.mutants);
  if (covered != nullptr) made.lines = count_lines(*covered, specs);
  for (const std::size_t each : with_tests) made.specs.push_back(std::move(specs.all()[each]));
  std::ranges::stable_sort(made.specs, std::greater<>(), &spec_value::worth);
  return made;
}

std::string as_text(const relation_values& of, bool has_colour) {
  const auto bold = [&](const std::string& text) { return has_colour ? "\x1b[1m" + text + "\x1b[0m" : text; };
  std::string text =
      of.lines ? "  mutants added   lines added  kills  relation\n" : "  mutants added  kills  relation\n";
  for (const spec_value& each : of.specs) {
    text += fmt::format("{:>15}", each.added);
    if (of.lines) text += fmt::format("{:>14}", each.lines);
    text += fmt::format("{:>7}  {}  {}\n", each.kills, bold(fmt::format("{}:{}", each.of.of.file, each.of.of.line)),
                        each.of.name);
  }
  for (const std::string& each : summary_of(of)) text += each + '\n';
  return text;
}

std::string as_markdown(const relation_values& of) {
  std::string text =
      fmt::format("### {} beside the project's own tests\n\n", system::counted(of.specs.size(), "relation"));
  for (const std::string& each : summary_of(of)) text += fmt::format("- {}\n", each);
  text += of.lines ? "\n| mutants added | lines added | kills | relation |\n| --- | --- | --- | --- |\n"
                   : "\n| mutants added | kills | relation |\n| --- | --- | --- |\n";
  for (const spec_value& each : of.specs)
    text += fmt::format("| {} | {}{} | `{}:{}` {} |\n", each.added,
                        of.lines ? fmt::format("{} | ", each.lines) : std::string(), each.kills, each.of.of.file,
                        each.of.of.line, each.of.name);
  return text;
}

std::string as_json(const relation_values& of) {
  json specs = json::array();
  for (const spec_value& each : of.specs)
    specs.push_back({{"name", each.of.name},
                     {"target", each.target},
                     {"file", each.of.of.file},
                     {"line", each.of.of.line},
                     {"test", each.of.test},
                     {"kills", each.kills},
                     {"mutants_added", each.added},
                     {"lines_added", of.lines ? json(each.lines) : json()}});
  const json made{{"schema", contract::scout_rank_schema},
                  {"specs", std::move(specs)},
                  {"mutants", json_of(of.mutants)},
                  {"lines", of.lines ? json_of(*of.lines) : json()}};
  return json_text(made) + '\n';
}

}  // namespace morph::scout
