// What decides the verdicts of a mutation run, as text that two runs can be compared by.
#include "plugin/mutating/facts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/build/twin.hpp"
#include "plugin/git/repository.hpp"

namespace morph::mutating {
namespace {

using nlohmann::json;

/// With names in place of the folders that differ between machines.
class placeless {
 public:
  placeless(const build::build_tree& tree, const build::mutation_place& at)
      : folders_{{at.source.string(), "<source>"},
                 {at.binary.string(), "<build>"},
                 {tree.binary_dir.string(), "<build>"},
                 {tree.source_dir.string(), "<source>"}} {}

  std::string operator()(std::string text) const {
    for (const auto& [folder, name] : folders_)
      for (auto at = text.find(folder); at != std::string::npos; at = text.find(folder, at + name.size()))
        text.replace(at, folder.size(), name);
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::string>> folders_;  // inner ones first
};

/// Where Morph itself lies may differ, too.
bool is_of_morph(const std::string& argument) {
  return argument.ends_with("/morph_mutants.h") || argument.starts_with("-fmacro-prefix-map=");
}

std::map<std::string, std::string> options_of(const std::vector<build::compile_unit>& commands,
                                              const placeless& plain) {
  std::map<std::string, std::set<std::string>> units;  // by option: those that have it
  std::set<std::string> all;
  for (const build::compile_unit& unit : commands) {
    const std::string name = plain(unit.object.empty() ? unit.file : unit.object);
    std::string line = name;
    for (const std::string& argument : unit.arguments) {
      if (argument == unit.object || argument == unit.file || is_of_morph(argument)) continue;
      const std::string option = plain(argument);
      units[option].insert(name);
      line += '\n' + option;
    }
    all.insert(std::move(line));
  }
  std::map<std::string, std::string> options;
  for (const auto& [option, names] : units) options[option] = git::blob_hash(fmt::format("{}", fmt::join(names, "\n")));
  options["the order of options"] = git::blob_hash(fmt::format("{}", fmt::join(all, "\n\n")));
  return options;
}

std::map<std::string, std::string> configuration_of(const build::build_tree& tree, const placeless& plain) {
  std::map<std::string, std::string> values;
  const json all = json::parse(tree.configuration, nullptr, false);
  if (!all.is_structured()) return {{"configuration", plain(tree.configuration)}};
  const json flat = all.flatten();  // items() refers to it
  for (const auto& [key, value] : flat.items())
    values[key.substr(key.rfind('/') + 1)] = plain(value.is_string() ? value.get<std::string>() : value.dump());
  return values;
}

std::map<std::string, std::string> suites_of(const build::build_tree& tree, const placeless& plain) {
  std::map<std::string, std::string> suites;
  for (const build::suite& suite : tree.suites) {
    std::string all = plain(suite.working_directory.string()) + '\n';
    for (const build::test_program& program : suite.programs) all += program.target + '\n';
    for (const auto* list : {&suite.extra_args, &suite.environment})
      for (const std::string& each : *list) all += plain(each) + '\n';
    for (const auto& [name, value] : suite.properties) all += fmt::format("{} {}\n", name, plain(value));
    suites[suite.name] = git::blob_hash(all);
  }
  return suites;
}

}  // namespace

report::run_facts facts_of(const run_inputs& of) {
  const placeless plain(of.tree, of.at);
  report::run_facts facts;
  facts["version"]["Morph"] = MORPH_VERSION;
  for (const auto& [path, file] : of.files) {
    const std::string there = (of.at.source / path).string();
    const bool is_of_tests = std::ranges::any_of(of.chosen.except, [&](const std::string& except) {
      return there == except || there.starts_with(except + "/");
    });
    const char* const kind = file.kind == selection::file_kind::build     ? "build files"
                             : file.kind == selection::file_kind::unknown ? "data"
                             : is_of_tests                                ? "tests"
                                                                          : "sources";
    facts[kind][path] = file.digest;
  }
  facts["sources"]["what lies outside of the project"] = of.foreign;
  facts["configuration"] = configuration_of(of.tree, plain);
  facts["options"] = options_of(of.commands, plain);
  facts["suites"] = suites_of(of.tree, plain);
  for (const std::string& name : of.operators) facts["operators"][name];
  facts["limits"] = {{"processor time", fmt::format("{} s and {} times", of.limits.cpu_base, of.limits.first_factor)},
                     {"patience", fmt::format("{}", of.limits.second_run_factor())},
                     {"wall time", fmt::format("{} s", of.limits.wall)},
                     {"--unmutated-runs", fmt::format("{}", of.limits.unmutated_runs)}};
  for (const std::string& option : of.scope) facts["scope"][option];
  return facts;
}

}  // namespace morph::mutating
