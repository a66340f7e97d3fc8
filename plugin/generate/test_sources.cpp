// From link lines to sources.
#include "plugin/generate/test_sources.hpp"

#include <algorithm>
#include <regex>
#include <set>

#include "plugin/build/link_lines.hpp"
#include "plugin/generate/emit.hpp"
#include "plugin/system/files.hpp"

namespace morph::generate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_sources = 40;

std::string object_of(const build::compile_unit& unit, const build::build_tree& tree) {
  const fs::path object = (fs::path(unit.directory) / unit.object).lexically_normal();
  const fs::path relative = object.lexically_relative(tree.binary_dir);
  return relative.empty() || *relative.begin() == ".." ? object.string() : relative.string();
}

bool has(const build::linked_file& of, const std::set<std::string>& inputs) {
  return std::ranges::any_of(of.inputs, [&](const auto& each) { return inputs.contains(each.path); });
}

bool is_program(const build::linked_file& of) {
  return !of.archive && !of.shared;
}

/// By its text, where nothing else tells tests apart.
bool looks_like_test(const std::string& text) {
  static const std::regex sign(
      "#[ \\t]*include[ \\t]*[<\"][^>\"]*(gtest|gmock|catch|doctest)[^>\"]*[>\"]|\\bmain\\s*\\(");
  return std::regex_search(text, sign);
}

}  // namespace

result<std::vector<build::compile_unit>> test_sources(const build::build_tree& tree, const subject& of) {
  const auto linked = build::linked_files(tree.binary_dir);
  if (!linked) return tl::unexpected(linked.error());
  const auto units = build::compile_commands_of(tree);
  if (!units) return tl::unexpected(units.error());
  std::set<std::string> own, own_files, libraries, of_libraries;
  for (const auto& each : of.sources) {
    own.insert(object_of(each, tree));
    own_files.insert(each.file);
  }
  for (const auto& each : *linked) {
    if (is_program(each)) continue;
    for (const auto& input : each.inputs) of_libraries.insert(input.path);
    if (has(each, own)) libraries.insert(each.path);
  }
  const std::set<std::string> files = of.goals.files();
  const bool is_header_only = std::ranges::none_of(of.sources, [&](const auto& unit) {
    return std::ranges::any_of(files, [&](const std::string& file) { return tree.source_dir / file == unit.file; });
  });
  std::set<std::string> whole, by_text;  // objects: of programs that link a library with the unit; of others
  for (const auto& each : *linked) {
    if (!is_program(each)) continue;
    const bool links = has(each, libraries) || std::ranges::any_of(libraries, [&](const std::string& library) {
                         return each.options.find(fs::path(library).filename().string()) != std::string::npos;
                       });
    if (!links && !is_header_only && !has(each, own)) continue;
    for (const auto& input : each.inputs)
      if (!of_libraries.contains(input.path)) (links ? whole : by_text).insert(input.path);
  }
  const auto at = of.unit.rfind("::");
  const std::string name = at == std::string::npos ? of.unit : of.unit.substr(at + 2);
  std::vector<build::compile_unit> naming, others;
  std::set<std::string> seen;
  for (const build::compile_unit& each : *units) {
    const std::string object = object_of(each, tree);
    if (!whole.contains(object) && !by_text.contains(object)) continue;
    if (!is_header_only && own_files.contains(each.file)) continue;
    if (!system::is_inside(each.file, tree.source_dir.string()) ||
        system::is_inside(each.file, tree.binary_dir.string()) || !seen.insert(each.file).second)
      continue;
    const auto text = system::read_file(each.file);
    if (!text || text->starts_with(first_line)) continue;
    if (!whole.contains(object) && !looks_like_test(*text)) continue;
    (text->find(name) != std::string::npos ? naming : others).push_back(each);
  }
  naming.insert(naming.end(), others.begin(), others.end());
  if (naming.size() > most_sources) naming.resize(most_sources);
  return naming;
}

}  // namespace morph::generate
