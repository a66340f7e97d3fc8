// What a mutation run reads: compile commands, and which sources are production code.
#include "plugin/mutating/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <string_view>
#include <utility>

#include "coverage/naming/test_names.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;

/// The target whose object this is, as CMake names its folders.
std::string target_of(const std::string& object) {
  const auto end = object.find(".dir/");
  const auto folder = object.rfind("CMakeFiles/", end);
  if (end == std::string::npos || folder == std::string::npos) return {};
  const auto begin = folder + std::string_view("CMakeFiles/").size();
  return object.substr(begin, end - begin);
}

bool is_cxx(const std::string& file) {
  static const std::set<std::string> extensions{".cc", ".cpp", ".cxx", ".C", ".c++", ".CPP", ".cp", ".ipp"};
  return extensions.contains(fs::path(file).extension().string());
}

/// What a file that CMake has written includes.
std::vector<std::string> included_by(const fs::path& file) {
  std::vector<std::string> included;
  const auto text = system::read_file(file);
  if (!text) return included;
  static const std::regex line(R"re((?:^|\n)#include ["<]([^">\n]+)[">])re");
  for (auto i = std::sregex_iterator(text->begin(), text->end(), line); i != std::sregex_iterator(); ++i)
    included.push_back((*i)[1]);
  return included;
}

/// Links of a mirror lead out of it: nothing is written there.
bool is_in_mirror(const std::string& file, const fs::path& mirror) {
  std::error_code error;
  return file.starts_with(mirror.string() + "/") &&
         fs::weakly_canonical(file, error).string().starts_with(fs::weakly_canonical(mirror, error).string() + "/");
}

/// The project's sources that are compiled in a unit: one, or those of a unity build.
std::vector<std::string> sources_in(const build::compile_unit& unit, const fs::path& mirror) {
  const fs::path file(unit.file);
  const bool is_unity = file.parent_path().filename() == "Unity" && file.filename().string().starts_with("unity_");
  std::vector<std::string> sources = is_unity ? included_by(file) : std::vector{unit.file};
  std::erase_if(sources, [&](const std::string& each) { return !is_cxx(each) || !is_in_mirror(each, mirror); });
  return sources;
}

/// Where the source of a unit really lies, if it is the project's, but outside of the mirror and of the build tree.
std::string source_outside(const build::compile_unit& unit, const workspace::outside_rules& rules,
                           const fs::path& mirror) {
  if (!is_cxx(unit.file) || is_in_mirror(unit.file, mirror)) return {};
  std::error_code error;
  const std::string real = fs::weakly_canonical(unit.file, error).string();
  return rules.counts(real) && !target_of(unit.object).starts_with("_morph_") ? real : std::string();
}

/// The outermost folder around a file that is called as folders of tests are; empty if there is none.
fs::path folder_of_tests(const fs::path& file, const fs::path& mirror) {
  fs::path folder = mirror;
  for (const fs::path& name : file.parent_path().lexically_relative(mirror)) {
    folder /= name;
    if (name == "test" || name == "tests") return folder;
  }
  return {};
}

/// The programs whose tests are no cases of a framework: who says main() is the test.
std::set<std::string> targets_without_framework(const build::build_tree& tree) {
  std::set<std::string> targets;
  for (const build::suite& suite : tree.suites)
    for (const build::test_program& program : suite.programs)
      if (suite.framework == "none") targets.insert(program.target);
  return targets;
}

/// Of a source of a test program: the reader tells test code from the rest of one that is mixed.
enum class source_kind : std::uint8_t { tests, mixed, production };

source_kind kind_of(const std::string& source, const fs::path& mirror, const std::set<fs::path>& folders_of_tests,
                    const std::set<std::string>& of_others, bool is_plain) {
  static const std::regex main_function(R"re(\bmain\s*\()re");
  const std::string path = fs::path(source).lexically_relative(mirror).generic_string();
  if (folders_of_tests.contains(folder_of_tests(source, mirror))) return source_kind::tests;
  if (naming::is_named_as_tests(path) && !of_others.contains(source)) return source_kind::tests;
  const auto text = system::read_file(source);
  if (!text) return source_kind::tests;
  if (is_plain && std::regex_search(*text, main_function)) return source_kind::tests;
  return frameworks::mentions_tests(*text) ? source_kind::mixed : source_kind::production;
}

/// With the headers in place of the file that CMake has made of them to be precompiled: it calls itself a header of the
/// system, and all that it includes, and Clang can read no other compiler's result.
std::vector<std::string> with_headers_to_precompile(const std::vector<std::string>& arguments) {
  std::vector<std::string> plain, all;
  std::ranges::remove_copy(arguments, std::back_inserter(plain), "-Xclang");
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const bool has_value = i + 1 < plain.size();
    if (has_value && plain[i] == "-include-pch") {
      ++i;
    } else if (has_value && plain[i] == "-include" && fs::path(plain[i + 1]).filename() == "cmake_pch.hxx") {
      for (const std::string& header : included_by(plain[++i])) all.insert(all.end(), {"-include", header});
    } else {
      all.push_back(plain[i]);
    }
  }
  return all;
}

}  // namespace

chosen_sources choose_sources(const std::vector<build::compile_unit>& all, const build::build_tree& tree,
                              const fs::path& mirror) {
  const std::set<std::string> tests(tree.targets.begin(), tree.targets.end());
  std::set<fs::path> production_folders, test_folders;
  chosen_sources chosen;
  std::vector<build::compile_unit> of_tests;
  std::set<fs::path> named;  // what lies there, beside sources of tests, helps them: a framework, a main function
  std::set<std::string> of_others;
  for (const build::compile_unit& unit : all)
    for (const std::string& source : sources_in(unit, mirror))
      if (tests.contains(target_of(unit.object)))
        named.insert(folder_of_tests(source, mirror));
      else
        of_others.insert(source);
  named.erase(fs::path());
  const workspace::outside_rules rules(tree);
  for (const build::compile_unit& unit : all)
    if (std::string source = source_outside(unit, rules, mirror); !source.empty())
      chosen.outside.insert(std::move(source));
  for (const fs::path& folder : named) chosen.except.push_back(folder.string());
  const std::set<std::string> plain = targets_without_framework(tree);
  for (build::compile_unit unit : all) {
    const auto sources = sources_in(unit, mirror);
    const std::string target = target_of(unit.object);
    if (sources.empty() || target.starts_with("_morph_")) continue;
    unit.arguments = with_headers_to_precompile(unit.arguments);
    const bool is_in_tests = tests.contains(target);
    if (!is_in_tests && named.contains(folder_of_tests(sources.front(), mirror))) {
      of_tests.push_back(std::move(unit));
      continue;
    }
    // What a program of tests compiles beside its tests is production code, unless it says otherwise.
    bool has_production = !is_in_tests;
    for (const std::string& source : sources) {
      const source_kind kind =
          is_in_tests ? kind_of(source, mirror, named, of_others, plain.contains(target)) : source_kind::production;
      if (kind != source_kind::production) chosen.tests[target].insert(source);
      if (kind == source_kind::tests) chosen.except.push_back(source);
      has_production = has_production || kind != source_kind::tests;
      (kind == source_kind::tests ? test_folders : production_folders).insert(fs::path(source).parent_path());
    }
    (has_production ? chosen.units : of_tests).push_back(std::move(unit));
  }
  chosen.production = chosen.units.size();
  chosen.units.insert(chosen.units.end(), std::move_iterator(of_tests.begin()), std::move_iterator(of_tests.end()));
  for (const fs::path& folder : test_folders) {
    const bool holds_production = std::ranges::any_of(production_folders, [&](const fs::path& other) {
      return std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first == folder.end();
    });
    if (!holds_production && folder != mirror) chosen.except.push_back(folder.string());
  }
  return chosen;
}

std::set<std::string> unwanted_units(const std::vector<build::compile_unit>& units, const build::build_tree& tree,
                                     const fs::path& mirror, const request& asked) {
  std::set<std::string> unwanted;
  if (asked.only.empty()) return unwanted;
  const auto read = build::read_dependencies(tree).value_or(build::dependency_map());
  const auto is_wanted = [&](const std::string& file, const fs::path& root) {
    return file.starts_with(root.string() + '/') && asked.is_chosen(fs::path(file).lexically_relative(root).string());
  };
  for (const build::compile_unit& unit : units) {
    const auto files = read.find(unit.object);
    const auto sources = sources_in(unit, mirror);
    // A source that was written since may include what it did not.
    std::error_code none;
    const auto built = fs::last_write_time(tree.binary_dir / unit.object, none);
    const bool is_built =
        files != read.end() && std::ranges::all_of(sources, [&](const std::string& source) {
          return fs::last_write_time(tree.source_dir / fs::path(source).lexically_relative(mirror), none) < built;
        });
    if (is_built && std::ranges::none_of(sources, [&](const auto& file) { return is_wanted(file, mirror); }) &&
        std::ranges::none_of(files->second, [&](const auto& file) { return is_wanted(file, tree.source_dir); }))
      unwanted.insert(build::name_of(unit));
  }
  return unwanted;
}

std::string digest_of_foreign(const std::vector<build::compile_unit>& commands, const build::mutation_place& at,
                              const build::dependency_map& dependencies) {
  std::set<std::string> files;
  for (const build::compile_unit& unit : commands) {
    if (unit.file.starts_with(at.source.string() + "/") || unit.file.starts_with(at.binary.string() + "/")) continue;
    files.insert(unit.file);
    if (const auto read = dependencies.find(unit.object); read != dependencies.end())
      std::ranges::copy_if(read->second, std::inserter(files, files.end()), [&](const std::string& file) {
        return !file.starts_with("/usr/") && !file.starts_with((at.binary / ".morph").string() + "/");
      });
  }
  std::string all;
  for (const std::string& file : files)
    all += file + ' ' + git::blob_hash(system::read_file(file).value_or(std::string())) + '\n';
  return git::blob_hash(all);
}

std::set<std::string> read_for(const std::string& target, const build::dependency_map& dependencies) {
  std::set<std::string> files;
  for (const auto& [object, read] : dependencies)
    if (target.empty() || target_of(object) == target) files.insert(read.begin(), read.end());
  return files;
}

std::string conditions_of(const build::build_tree& tree, const build::suite& suite,
                          const std::vector<build::compile_unit>& commands, const mutation::run_limits& limits,
                          const std::string& foreign) {
  std::set<std::string> options;
  for (const build::compile_unit& unit : commands) {
    std::string all;
    for (const std::string& argument : unit.arguments)
      if (argument != unit.object && argument != unit.file) all += argument + '\n';
    options.insert(std::move(all));
  }
  std::string all =
      fmt::format("{}\n{}\n{} {} {} {}\n{}\n", MORPH_VERSION, tree.configuration, limits.cpu_base, limits.first_factor,
                  limits.second_run_factor(), limits.wall, suite.working_directory.string());
  all += foreign + '\n';
  for (const std::string& each : options) all += each + '\n';
  for (const auto* list : {&suite.extra_args, &suite.environment})
    for (const std::string& each : *list) all += each + '\n';
  for (const auto& [name, value] : suite.properties)
    if (name == "SKIP_RETURN_CODE") all += fmt::format("{} {}\n", name, value);
  return git::blob_hash(all);
}

std::vector<test_source> test_sources_of(const std::string& target, const chosen_sources& chosen,
                                         const fs::path& originals, const fs::path& mirror,
                                         const std::vector<std::string>& files,
                                         const std::vector<std::string>& places) {
  std::set<std::string> of_others, placed;
  for (const std::string& place : places)
    placed.insert(fs::path(place.substr(0, place.rfind(':'))).lexically_normal().string());
  for (const auto& [other, sources] : chosen.tests)
    if (other != target) of_others.insert(sources.begin(), sources.end());
  const auto mine = chosen.tests.find(target);
  std::vector<test_source> sources;
  for (const std::string& file : files) {
    const std::string path = (mirror / file).string();
    const bool is_mine = placed.contains(path) || (mine != chosen.tests.end() && mine->second.contains(path));
    const bool is_of_tests = std::ranges::any_of(
        chosen.except, [&](const std::string& except) { return path == except || path.starts_with(except + "/"); });
    if (!is_mine && (!is_of_tests || of_others.contains(path))) continue;
    auto text = system::read_file(originals / file);
    if (text) sources.push_back({path, std::move(*text)});
  }
  return sources;
}

}  // namespace morph::mutating
