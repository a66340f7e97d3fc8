// Kept relations first, then the suspicious ones.
#include "plugin/scout/spec_forms.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scout {
namespace {

using nlohmann::json;

std::string runs_text(const tried_spec& of) {
  std::string made;
  for (const list_run& each : of.runs) {
    made += made.empty() ? "" : "; ";
    made += fmt::format("{}: {} of {} hold", each.list, each.pass, each.valid());
    if (each.invalid > 0) made += fmt::format(", {} invalid", each.invalid);
  }
  return made;
}

/// The most suspicious first: those that hold for most inputs, and are violated by some.
std::vector<const tried_spec*> with_fate(const std::vector<tried_source>& of, fate how) {
  std::vector<const tried_spec*> made;
  for (const tried_source& source : of)
    for (const tried_spec& each : source.specs)
      if (each.how == how) made.push_back(&each);
  if (how == fate::violated) {
    const auto held = [](const tried_spec* each) {
      const list_run* const run = each->widest();
      return run == nullptr
                 ? 0.0
                 : -static_cast<double>(run->pass) / static_cast<double>(std::max<std::size_t>(1, run->valid()));
    };
    std::ranges::stable_sort(made, {}, held);
  }
  return made;
}

/// Relations that no function was made of, by the reason; each assertion once.
std::map<std::string, std::size_t> reasons_of(const found& in) {
  std::set<std::tuple<std::string, unsigned>> with_function;
  std::map<std::tuple<std::string, unsigned>, std::string> without;
  for (const test& one : in.tests)
    for (const relation& each : one.relations) {
      if (each.is_echo) continue;
      if (each.function)
        with_function.insert({each.file, each.line});
      else
        without[{each.file, each.line}] = each.no_function;
    }
  std::map<std::string, std::size_t> made;
  for (const auto& [where, why] : without)
    if (!with_function.contains(where)) ++made[why];
  return made;
}

constexpr fate in_order[] = {fate::kept,       fate::violated,         fate::too_few_valid,
                             fate::refuted,    fate::does_not_compile, fate::does_not_link,
                             fate::did_not_run};

std::string summary_of(const std::vector<tried_source>& of) {
  std::size_t all = 0;
  for (const tried_source& each : of) all += each.specs.size();
  std::string made = system::counted(all, "relation") + " as specs: ";
  bool is_first = true;
  for (const fate how : in_order) {
    const std::size_t count = with_fate(of, how).size();
    if (count == 0 && how != fate::kept) continue;
    made += fmt::format("{}{} {}", is_first ? "" : ", ", count, word_of(how));
    is_first = false;
  }
  return made;
}

}  // namespace

std::string as_text(const std::vector<tried_source>& of, const found& in, bool has_colour) {
  const auto bold = [&](const std::string& text) { return has_colour ? "\x1b[1m" + text + "\x1b[0m" : text; };
  std::string text;
  for (const fate how : in_order)
    for (const tried_spec* const each : with_fate(of, how)) {
      text += fmt::format("{}  {}: {}\n", bold(fmt::format("{}:{}", each->of.of.file, each->of.of.line)), each->of.name,
                          how == fate::violated ? "a wrong relation, or a bug" : word_of(how));
      text += fmt::format("  {}\n", in_one_line(each->of.of.text));
      if (!each->why.empty()) text += fmt::format("  {}\n", in_one_line(each->why));
      if (const std::string runs = runs_text(*each); !runs.empty()) text += fmt::format("  {}\n", runs);
      for (const std::string& one : each->of.of.function->inferred) text += fmt::format("  inferred: {}\n", one);
      if (!each->of.fixed.empty()) text += fmt::format("  as in the test: {}\n", fmt::join(each->of.fixed, ", "));
      if (how == fate::kept)
        for (const list_run& run : each->runs)
          if (!run.counterexample.empty()) text += fmt::format("  not for {}\n", in_one_line(run.counterexample));
      text += '\n';
    }
  text += summary_of(of) + '\n';
  for (const auto& [why, count] : reasons_of(in)) text += fmt::format("  {} without: {}\n", count, why);
  return text;
}

std::string as_markdown(const std::vector<tried_source>& of, const found& in) {
  std::string text = fmt::format("### {}\n\n", summary_of(of));
  for (const fate how : {fate::violated, fate::kept})
    for (const tried_spec* const each : with_fate(of, how)) {
      text += fmt::format("- `{}:{}` {}\n  ```cpp\n  {}\n  ```\n", each->of.of.file, each->of.of.line,
                          how == fate::violated ? "a wrong relation, or a bug" : word_of(how),
                          in_one_line(each->of.of.text));
      text += fmt::format("  {}\n", how == fate::violated ? in_one_line(each->why) : runs_text(*each));
    }
  const auto without = reasons_of(in);
  for (const auto& [why, count] : without) text += fmt::format("- {} without: {}\n", count, why);
  return text;
}

std::string as_json(const std::vector<tried_source>& of, const found& in) {
  json specs = json::array(), without = json::array();
  for (const tried_source& source : of)
    for (const tried_spec& each : source.specs) {
      json runs = json::array(), inputs = json::array();
      for (const list_run& run : each.runs)
        runs.push_back({{"seeds", run.list},
                        {"pass", run.pass},
                        {"fail", run.fail},
                        {"invalid", run.invalid},
                        {"crashed", run.ended},
                        {"counterexample", run.counterexample}});
      for (const function_input& input : each.of.of.function->inputs)
        inputs.push_back({{"name", input.name}, {"type", input.type}});
      specs.push_back({{"name", each.of.name},
                       {"test", each.of.test},
                       {"file", each.of.of.file},
                       {"line", each.of.of.line},
                       {"text", each.of.of.text},
                       {"transformation", each.of.of.transformation},
                       {"unit", each.of.of.unit()},
                       {"inputs", std::move(inputs)},
                       {"as_in_the_test", each.of.fixed},
                       {"inferred", each.of.of.function->inferred},
                       {"fate", word_of(each.how)},
                       {"why", each.why},
                       {"seeds", each.of.seeds},
                       {"runs", std::move(runs)}});
    }
  for (const auto& [why, count] : reasons_of(in)) without.push_back({{"why", why}, {"relations", count}});
  const json made{
      {"schema", contract::scout_specs_schema}, {"specs", std::move(specs)}, {"without", std::move(without)}};
  return json_text(made) + '\n';
}

}  // namespace morph::scout
