// The graph of the task "branches", and units that define what is wanted for the task "access".
#include "plugin/explain/sources.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "plugin/build/compile_commands.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/coupled/sources.hpp"
#include "plugin/explain/reach.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/source_reader/morph_source.hpp"
#include "plugin/system/files.hpp"

namespace morph::explain {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Units that compile these files, absolute: sources themselves, and for headers one unit that has read them.
std::vector<build::compile_unit> units_with(const build::build_tree& tree, std::set<std::string> files,
                                            const std::vector<build::compile_unit>& all) {
  std::vector<build::compile_unit> made;
  const auto read = build::read_dependencies(tree);
  const auto take = [&](const build::compile_unit& unit) {
    if (std::ranges::find(made, unit.file, &build::compile_unit::file) == made.end()) made.push_back(unit);
    files.erase(unit.file);
    if (!read) return;
    const auto object = read->find(
        (fs::path(unit.directory) / unit.object).lexically_normal().lexically_relative(tree.binary_dir).string());
    if (object == read->end()) return;
    for (const std::string& each : object->second) files.erase(fs::path(each).lexically_normal().string());
  };
  for (const build::compile_unit& each : all)
    if (files.contains(each.file)) take(each);
  for (const build::compile_unit& each : all) {
    if (files.empty() || !read) break;
    const auto object = read->find(
        (fs::path(each.directory) / each.object).lexically_normal().lexically_relative(tree.binary_dir).string());
    if (object == read->end()) continue;
    if (std::ranges::any_of(object->second, [&](const std::string& path) {
          return files.contains(fs::path(path).lexically_normal().string());
        }))
      take(each);
  }
  return made;
}

std::string named_from(const std::string& path, const std::string& root) {
  return system::is_inside(path, root) ? fs::path(path).lexically_relative(root).generic_string() : path;
}

}  // namespace

fs::path root_of(const build::build_tree& tree) {
  const auto repo = git::repository::open(tree.source_dir);
  return repo ? fs::path(repo->root()) : tree.source_dir;
}

void add_access(const json& answer, const std::string& root, project_functions& to) {
  for (const json& each : answer.at("functions")) {
    function_access made{each.at("name"),    each.at("class"),    named_from(each.at("header"), root),
                         each.at("why_not"), each.at("result"),   each.at("parameters"),
                         each.at("objects"), each.at("constant"), each.at("getter"),
                         each.at("reads"),   each.at("gives")};
    // Another unit may have seen a header declare it.
    const auto [known, is_new] = to.access.try_emplace(made.name, made);
    if (!is_new && !known->second.why_not.empty() && made.why_not.empty()) known->second = std::move(made);
  }
}

result<project_functions> read_functions(const build::build_tree& tree, const std::set<std::string>& wanted,
                                         const std::set<std::string>& classes, system::observer& told) {
  const fs::path root = root_of(tree);
  auto sources = coupled::read_sources(tree, root, coupled::any_number, told);
  if (!sources) return tl::unexpected(sources.error());
  project_functions made{std::move(sources->graph), {}};
  std::set<std::string> files;
  const auto add = [&](const coupling::function& each) {
    files.insert((root / each.file).lexically_normal().string());
  };
  for (const std::string& each : wanted)
    for (const caller_level& level : callers_of(made.graph, each)) add(made.graph.functions[level.function]);
  for (const coupling::function& each : made.graph.functions)
    if (classes.contains(each.in_class)) add(each);
  const auto all = build::compile_commands_of(tree);
  if (!all) return tl::unexpected(all.error());
  const auto units = units_with(tree, std::move(files), *all);
  if (units.empty()) return made;
  told.status("reading which functions tests can call");
  const json job = source_reader::job_of(
      {"access", source_reader::header_options(tree.compiler_path), root.string(), tree.binary_dir.string()}, units);
  const fs::path file = tree.own_dir() / "explain" / ("job-" + std::to_string(::getpid()) + ".json");
  const auto answers = source_reader::run_source_program(job, file);
  std::error_code ignored;
  fs::remove(file, ignored);
  if (!answers) return tl::unexpected(answers.error());
  for (const json& each : *answers)
    if (each.contains("functions")) add_access(each, tree.source_dir.string(), made);
  return made;
}

}  // namespace morph::explain
