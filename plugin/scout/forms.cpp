// A relation a paragraph: where it is asserted, which two calls it compares, and how one leads to the other.
#include "plugin/scout/forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "plugin/contract/formats.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::scout {
namespace {

using nlohmann::json;

constexpr std::size_t most_characters = 100;  // of an assertion or a call

/// Without line ends, and not longer than a line.
std::string short_text(const std::string& text) {
  std::string made;
  for (const char each : text) {
    const bool is_blank = each == ' ' || each == '\n' || each == '\t' || each == '\r';
    if (!is_blank) made += each;
    if (is_blank && !made.empty() && made.back() != ' ') made += ' ';
  }
  if (made.size() > most_characters) {
    made.resize(most_characters - 3);
    while (!made.empty() && (static_cast<unsigned char>(made.back()) & 0xC0) == 0x80) made.pop_back();
    made += "...";
  }
  return made;
}

std::string name_of(const test& of) {
  std::string made = of.name;
  for (const section& each : of.sections) made += " / " + each.name;
  return made;
}

const char* explained(const std::string& transformation) {
  if (transformation == "computed") return "its input is computed from the first call's";
  if (transformation == "state") return "it is called on what the first call left";
  if (transformation == "identity") return "it is given the same";
  return "its input is written beside the first call's";
}

/// Sections share what stands before them: a relation there is found on each of their paths.
std::vector<std::pair<const test*, const relation*>> each_once(const found& of, bool with_echoes) {
  std::vector<std::pair<const test*, const relation*>> made;
  for (const test& in : of.tests)
    for (const relation& each : in.relations) {
      if (each.is_echo && !with_echoes) continue;
      const bool is_known = std::ranges::any_of(made, [&](const auto& other) {
        return other.second->line == each.line && other.second->file == each.file && other.first->line == in.line &&
               other.first->file == in.file;
      });
      if (!is_known) made.emplace_back(&in, &each);
    }
  return made;
}

std::size_t tests_with_relations(const found& of, bool with_echoes) {
  return static_cast<std::size_t>(std::ranges::count_if(of.tests, [&](const test& each) {
    return std::ranges::any_of(each.relations, [&](const relation& one) { return with_echoes || !one.is_echo; });
  }));
}

std::string summary_of(const found& of, std::size_t relations, bool with_echoes) {
  return fmt::format("{} in {} of {} ({})", system::counted(relations, "relation"),
                     tests_with_relations(of, with_echoes), system::counted(of.tests.size(), "test"),
                     system::counted(of.files.size(), "source"));
}

/// What the runs of their tests say of them; empty without such runs.
std::string seen_in(const found& of, const std::vector<std::pair<const test*, const relation*>>& all) {
  if (!of.refuted) return "";
  std::map<std::string, std::size_t> unseen;
  std::size_t seen = 0;
  for (const auto& [in, each] : all)
    if (each->unseen.empty())
      ++seen;
    else
      ++unseen[each->unseen];
  std::string made = fmt::format("  {} seen in a run of their tests, {} refuted\n", seen, of.refuted->size());
  for (const auto& [why, count] : unseen) made += fmt::format("  {} not observed: {}\n", count, why);
  return made;
}

json json_of(const invocation& of) {
  return {{"text", of.text}, {"file", of.file}, {"line", of.line}, {"units", of.units}, {"inputs", of.inputs}};
}

}  // namespace

std::string as_text(const found& of, bool with_echoes, bool has_colour) {
  const auto bold = [&](const std::string& text) { return has_colour ? "\x1b[1m" + text + "\x1b[0m" : text; };
  std::string text;
  const auto all = each_once(of, with_echoes);
  for (const auto& [in, each] : all) {
    text += fmt::format("{}  {}{}\n", bold(fmt::format("{}:{}", each->file, each->line)), name_of(*in),
                        each->is_echo     ? "  (echo of a literal)"
                        : each->is_across ? "  (across units)"
                                          : "");
    text += fmt::format("  {}\n", short_text(each->text));
    text += fmt::format("  1 {}  (line {})\n", short_text(each->first.text), each->first.line);
    text += fmt::format("  2 {}  (line {}): {}\n\n", short_text(each->second.text), each->second.line,
                        explained(each->transformation));
  }
  if (of.refuted)
    for (const refuted_relation& each : *of.refuted)
      text += fmt::format("{}:{}  {}\n  {}\n  refuted by the run of its test: {}\n\n", each.of.file, each.of.line,
                          each.test, short_text(each.of.text), each.why);
  text += summary_of(of, all.size(), with_echoes) + '\n';
  for (const auto& [macro, count] : of.unread)
    text += fmt::format("  {} of {}(): a framework that is not known\n", system::counted(count, "test"), macro);
  return text + seen_in(of, all);
}

std::string as_markdown(const found& of, bool with_echoes) {
  const auto all = each_once(of, with_echoes);
  std::string text = fmt::format("### {}\n\n{}", summary_of(of, all.size(), with_echoes), seen_in(of, all));
  for (const auto& [in, each] : all) {
    text += fmt::format("- `{}:{}` in `{}`\n  ```cpp\n  {}\n  ```\n", each->file, each->line, short_text(name_of(*in)),
                        short_text(each->text));
    text += fmt::format("  relates `{}` and `{}`: {}\n", short_text(each->first.text), short_text(each->second.text),
                        explained(each->transformation));
  }
  return text;
}

std::string as_json(const found& of) {
  json tests = json::array();
  std::size_t relations = 0;
  for (const test& in : of.tests) {
    json sections = json::array(), held = json::array();
    for (const section& each : in.sections) sections.push_back({{"name", each.name}, {"line", each.line}});
    for (const relation& each : in.relations) {
      held.push_back({{"file", each.file},
                      {"line", each.line},
                      {"text", each.text},
                      {"kind", each.kind},
                      {"by", each.by},
                      {"is_echo", each.is_echo},
                      {"is_across", each.is_across},
                      {"unit", each.unit()},
                      {"observed", of.refuted ? json(each.unseen.empty() ? "seen" : each.unseen) : json()},
                      {"transformation", each.transformation},
                      {"invocations", {json_of(each.first), json_of(each.second)}}});
      if (!each.is_echo) ++relations;
    }
    if (held.empty()) continue;
    tests.push_back({{"name", in.name},
                     {"file", in.file},
                     {"line", in.line},
                     {"sections", std::move(sections)},
                     {"relations", std::move(held)}});
  }
  json errors = json::array(), refuted = json();
  if (of.refuted) {
    refuted = json::array();
    for (const refuted_relation& each : *of.refuted)
      refuted.push_back({{"test", each.test},
                         {"file", each.of.file},
                         {"line", each.of.line},
                         {"text", each.of.text},
                         {"why", each.why}});
  }
  for (const source_error& each : of.errors)
    errors.push_back({{"file", each.file}, {"line", each.line}, {"text", each.text}});
  const json made{{"schema", contract::scout_schema},
                  {"sources", of.files.size()},
                  {"files", of.files},
                  {"read", of.read},
                  {"tests_read", of.tests.size()},
                  {"relations", relations},
                  {"tests", std::move(tests)},
                  {"refuted", std::move(refuted)},
                  {"unread", of.unread},
                  {"errors", std::move(errors)}};
  return json_text(made) + '\n';
}

}  // namespace morph::scout
