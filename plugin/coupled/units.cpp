// The question of branches, and which units it is asked of.
#include "plugin/coupled/units.hpp"

#include <set>
#include <string>

#include "coverage/naming/test_names.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/frameworks/test_sources.hpp"
#include "plugin/source_reader/kept_answers.hpp"
#include "plugin/system/files.hpp"

namespace morph::coupled {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int kept_format = 1;

std::vector<build::compile_unit> production_units(const build::build_tree& tree,
                                                  const std::vector<build::compile_unit>& all) {
  std::vector<build::compile_unit> production, others;
  std::set<std::string> seen;
  for (const build::compile_unit& each : all) {
    if (!build::is_source(each.file) || !system::is_inside(each.file, tree.source_dir.string()) ||
        system::is_inside(each.file, tree.binary_dir.string()) || !seen.insert(each.file).second)
      continue;
    const std::string path = fs::path(each.file).lexically_relative(tree.source_dir).generic_string();
    const auto text = system::read_file(each.file);
    const bool is_test = naming::is_named_as_tests(path) || !text || frameworks::mentions_tests(*text);
    (is_test ? others : production).push_back(each);
  }
  return production.empty() ? others : production;
}

/// The root of the repository as the build tree spells it, which may be by a symbolic link.
fs::path spelled_root(const fs::path& source_dir, const fs::path& root) {
  std::error_code failed;
  const fs::path real = fs::canonical(source_dir, failed);
  const fs::path below = failed ? fs::path() : real.lexically_relative(root);
  if (below == ".") return source_dir;
  fs::path made = source_dir;
  for (auto part = below.begin(); part != below.end(); ++part) made = made.parent_path();
  return !below.empty() && made / below == source_dir ? made : root;
}

void name_from(const fs::path& root, json& answer) {
  const auto named = [&](json& path) {
    const std::string text = path;
    if (system::is_inside(text, root.string())) path = fs::path(text).lexically_relative(root).generic_string();
  };
  for (json& file : answer.at("files")) {
    named(file.at("path"));
    for (json& function : file.at("functions"))
      for (json& call : function.at("calls")) named(call.at("callee_file"));
  }
}

}  // namespace

result<std::vector<json>> read_units(const build::build_tree& tree, const fs::path& root, std::size_t most_unread,
                                     system::observer& told) {
  const auto all = build::compile_commands_of(tree);
  if (!all) return tl::unexpected(all.error());
  const auto units = production_units(tree, *all);
  if (units.empty()) return tl::unexpected(std::string("the build tree compiles no source of the project"));
  const fs::path spelled = spelled_root(tree.source_dir, root);
  const source_reader::kept_question asked{.task = "branches",
                                           .format = kept_format,
                                           .progress = "reading branches",
                                           .command = "morph report coverage --coupled",
                                           .root = spelled,
                                           .folder = "coupled",
                                           .adjust = [&](json& answer) { name_from(spelled, answer); }};
  auto answers = source_reader::read_units(tree, asked, units, told, most_unread);
  if (!answers) return tl::unexpected(answers.error());
  return std::move(answers->of);
}

}  // namespace morph::coupled
