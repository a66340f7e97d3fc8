#include "plugin/command/mutate_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "plugin/project/files.hpp"
#include "plugin/project/repository.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

/// The target whose object this is, as CMake names its folders.
std::string target_of(const compile_unit& unit) {
  const auto end = unit.object.find(".dir/");
  const auto folder = unit.object.rfind("CMakeFiles/", end);
  if (end == std::string::npos || folder == std::string::npos) return {};
  const auto begin = folder + std::string_view("CMakeFiles/").size();
  return unit.object.substr(begin, end - begin);
}

bool is_cxx(const std::string& file) {
  static const std::set<std::string> extensions{".cc", ".cpp", ".cxx", ".C", ".c++", ".CPP", ".cp", ".ipp"};
  return extensions.contains(fs::path(file).extension().string());
}

}  // namespace

chosen_sources choose_sources(const std::vector<compile_unit>& all, const project::build_tree& tree,
                              const fs::path& mirror) {
  const std::set<std::string> tests(tree.targets.begin(), tree.targets.end());
  std::set<fs::path> production_folders, test_folders;
  chosen_sources chosen;
  std::vector<compile_unit> of_tests;
  for (const compile_unit& unit : all) {
    if (!is_cxx(unit.file) || !unit.file.starts_with(mirror.string() + "/")) continue;
    const std::string target = target_of(unit);
    if (target.starts_with("_morph_")) continue;
    const fs::path folder = fs::path(unit.file).parent_path();
    if (tests.contains(target)) {
      of_tests.push_back(unit);
      chosen.tests[target].insert(unit.file);
      test_folders.insert(folder);
      chosen.except.push_back(unit.file);
    } else {
      chosen.units.push_back(unit);
      production_folders.insert(folder);
    }
  }
  if (chosen.units.empty()) chosen.units = std::move(of_tests);  // headers alone
  for (const fs::path& folder : test_folders) {
    const bool holds_production = std::ranges::any_of(production_folders, [&](const fs::path& other) {
      return std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first == folder.end();
    });
    if (!holds_production && folder != mirror) chosen.except.push_back(folder.string());
  }
  return chosen;
}

std::string conditions_of(const project::build_tree& tree, const project::suite& suite,
                          const std::vector<compile_unit>& commands, const run_limits& limits) {
  std::set<std::string> options;
  for (const compile_unit& unit : commands) {
    std::string all;
    for (const std::string& argument : unit.arguments)
      if (argument != unit.object && argument != unit.file) all += argument + '\n';
    options.insert(std::move(all));
  }
  std::string all = fmt::format("{}\n{}\n{} {} {} {}\n{}\n", MORPH_VERSION, tree.configuration, limits.cpu_base,
                                limits.cpu_times, limits.patience, limits.wall, suite.working_directory.string());
  for (const std::string& each : options) all += each + '\n';
  for (const auto* list : {&suite.extra_args, &suite.environment})
    for (const std::string& each : *list) all += each + '\n';
  return project::blob_hash(all);
}

std::vector<test_source> test_sources_of(const std::string& target, const chosen_sources& chosen,
                                         const fs::path& mirror, const std::vector<std::string>& files) {
  std::set<std::string> of_others;
  for (const auto& [other, sources] : chosen.tests)
    if (other != target) of_others.insert(sources.begin(), sources.end());
  const auto mine = chosen.tests.find(target);
  std::vector<test_source> sources;
  for (const std::string& file : files) {
    const std::string path = (mirror / file).string();
    const bool is_mine = mine != chosen.tests.end() && mine->second.contains(path);
    const bool is_of_tests = std::ranges::any_of(
        chosen.except, [&](const std::string& except) { return path == except || path.starts_with(except + "/"); });
    if (!is_mine && (!is_of_tests || of_others.contains(path))) continue;
    auto text = project::read_file(path);
    if (text) sources.push_back({path, std::move(*text)});
  }
  return sources;
}

}  // namespace morph::command
