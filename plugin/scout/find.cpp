// Asks morph-source of the sources that mention tests.
#include "plugin/scout/find.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <tuple>

#include "plugin/build/compile_commands.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/scout/catalogue.hpp"
#include "plugin/source_reader/kept_answers.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kept_format = 7;

/// Each source once: its tests are the same in every program.
std::vector<build::compile_unit> units_of_tests(const build::build_tree& tree,
                                                const std::vector<build::compile_unit>& all) {
  std::vector<build::compile_unit> made;
  std::set<std::string> seen;
  for (const build::compile_unit& each : all) {
    if (!build::is_source(each.file) || !system::is_inside(each.file, tree.source_dir.string()) ||
        system::is_inside(each.file, tree.binary_dir.string()) || seen.contains(each.file))
      continue;
    const auto text = system::read_file(each.file);
    if (!text || !frameworks::mentions_tests(*text)) continue;
    seen.insert(each.file);
    made.push_back(each);
  }
  return made;
}

bool is_named(const test& of, const std::string& name) {
  return of.name == name || of.file == name || of.file.ends_with('/' + name) ||
         of.file + ':' + std::to_string(of.line) == name;
}

std::vector<unsigned> lines_of(const test& of) {
  std::vector<unsigned> made;
  for (const section& each : of.sections) made.push_back(each.line);
  return made;
}

bool is_changed(const line_range& of, const mutating::changed_lines& changed) {
  const auto file = changed.find(of.file);
  return file != changed.end() && std::ranges::any_of(file->second, [&](const mutating::line_run& each) {
           return each.first <= of.last && of.first <= each.last;
         });
}

bool is_changed(const test& of, const mutating::changed_lines& changed) {
  return is_changed(line_range{of.file, of.line, of.end_line}, changed) ||
         std::ranges::any_of(of.helpers, [&](const line_range& each) { return is_changed(each, changed); });
}

/// It has changed, or names a changed file, such as a header with helpers.
bool may_have_changed(const build::compile_unit& of, const std::string& root, const mutating::changed_lines& changed) {
  if (changed.contains(fs::path(of.file).lexically_relative(root).generic_string())) return true;
  const auto text = system::read_file(of.file);
  return text && std::ranges::any_of(changed, [&](const auto& each) {
           return text->find(fs::path(each.first).filename().string()) != std::string::npos;
         });
}

bool source_has_no_tests(const json& answer) {
  return answer.value("tests", json::array()).empty();
}

}  // namespace

contract::outcome<found> find_relations(const build::build_tree& tree, const request& asked, system::observer& told) {
  const auto all = build::compile_commands_of(tree);
  if (!all) return contract::not_done(contract::environment, all.error());
  std::optional<mutating::changed_lines> changed;
  if (asked.only_changed || !asked.since.empty()) {
    auto lines = mutating::lines_changed_since(tree, asked.since);
    if (!lines) return contract::not_done(contract::environment, lines.error());
    changed = std::move(*lines);
  }
  const std::string root = tree.source_dir.string();
  std::vector<build::compile_unit> units = units_of_tests(tree, *all);
  if (units.empty())
    return contract::not_done(contract::environment,
                              "no source that the build tree compiles has tests of GoogleTest, Catch2 or doctest");
  if (changed) std::erase_if(units, [&](const auto& each) { return !may_have_changed(each, root, *changed); });
  const source_reader::kept_question question{.task = "scout",
                                              .format = kept_format,
                                              .progress = "reading tests",
                                              .command = "morph scout",
                                              .root = tree.source_dir,
                                              .folder = "scout"};
  const auto answers = source_reader::read_units(tree, question, units, told);
  if (!answers) return contract::not_done(contract::environment, answers.error());
  found made{.read = answers->read};
  std::vector<test> all_tests;
  std::vector<std::size_t> source_of;
  for (std::size_t i = 0; i < units.size(); ++i) {
    made.files.push_back(fs::path(units[i].file).lexically_relative(root).generic_string());
    test_source& source = made.sources.emplace_back(test_source{units[i], parts_of(answers->of[i]), {}, {}});
    for (const json& each : answers->of[i].value("without_braces", json::array()))
      source.without_braces.emplace(each.at(0), each.at(1));
    for (test& each : tests_of(answers->of[i], root)) {
      if (!asked.across) std::erase_if(each.relations, [](const relation& one) { return one.is_across; });
      all_tests.push_back(std::move(each));
      source_of.push_back(i);
    }
    if (source_has_no_tests(answers->of[i]))
      if (const auto text = system::read_file(units[i].file))
        for (const std::string& each : frameworks::unknown_test_macros(*text)) ++made.unread[each];
    const json errors = answers->of[i].value("errors", json::array());
    if (!errors.empty()) made.errors.push_back({made.files.back(), errors[0].at("line"), errors[0].at("text")});
  }
  infer_follow_ups(all_tests);
  for (std::size_t i = 0; i < all_tests.size(); ++i) {
    test& each = all_tests[i];
    each.is_asked = (asked.named.empty() || is_named(each, asked.named)) && (!changed || is_changed(each, *changed));
    made.sources[source_of[i]].tests.push_back(each);
    if (each.is_asked) made.tests.push_back(std::move(each));
  }
  if (made.tests.empty() && !asked.named.empty() && !changed)
    return contract::not_done(contract::usage,
                              fmt::format("no source of tests and no test is called '{}'", asked.named));
  const auto where = [](const test& each) { return std::tuple(each.file, each.line, each.name, lines_of(each)); };
  std::ranges::stable_sort(made.tests, {}, where);
  // Tests in a header are read in each source that includes it.
  const auto again = std::ranges::unique(made.tests, {}, where);
  made.tests.erase(again.begin(), again.end());
  return made;
}

}  // namespace morph::scout
