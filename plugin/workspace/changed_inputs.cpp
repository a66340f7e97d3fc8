// Looking, and comparing with what was measured.
#include "plugin/workspace/changed_inputs.hpp"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "plugin/build/shared_libraries.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::workspace {
namespace {

namespace fs = std::filesystem;
using optimizer::requirement_kind;
using store::element;

/// Shared libraries as the loader would find them now.
class libraries_now {
 public:
  explicit libraries_now(const fs::path& own_dir) : known_(own_dir / "libraries.json") {
    const char* folders = std::getenv(library_path);
    for (std::string_view left = folders == nullptr ? "" : folders; !left.empty();) {
      const auto end = std::min(left.find(':'), left.size());
      if (end > 0) folders_.emplace_back(left.substr(0, end));
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  }
  std::optional<std::string> of(const fs::path& measured) {
    std::error_code error;
    for (const fs::path& folder : folders_)
      if (const fs::path here = folder / measured.filename(); fs::exists(here, error)) return known_.of(here);
    return known_.of(measured);
  }

 private:
  build::library_identities known_;
  std::vector<fs::path> folders_;
};

}  // namespace

std::optional<std::string> digest_of_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  if (value == nullptr) return std::nullopt;
  return git::blob_hash(value);  // never the value: it may be a secret
}

namespace {

std::string digest_wherever_it_lies(const build::build_tree& tree, const nlohmann::json& facts) {
  std::string text = json_text(facts);
  std::vector<std::pair<std::string, std::string>> folders{{tree.binary_dir.string(), "<build>"},
                                                           {tree.source_dir.string(), "<source>"}};
  if (folders[0].first.size() < folders[1].first.size()) std::swap(folders[0], folders[1]);  // one may lie in the other
  for (const auto& [folder, mark] : folders)
    for (std::size_t at = 0; (at = text.find(folder, at)) != std::string::npos;) {
      const std::size_t end = at + folder.size();
      const bool goes_on = end < text.size() && std::string_view("/\";:, ").find(text[end]) == std::string_view::npos;
      if (goes_on)
        at = end;
      else
        text.replace(at, folder.size(), mark);
    }
  return git::blob_hash(text);
}

}  // namespace

std::string digest_of_declaration(const build::build_tree& tree, const build::suite& suite) {
  nlohmann::json programs = nlohmann::json::array();
  for (const build::test_program& program : suite.programs) programs.push_back(program.target);
  return digest_wherever_it_lies(
      tree, {suite.framework, suite.working_directory.string(), suite.extra_args, suite.environment,
             suite.timeout.value_or(0), suite.properties, suite.data, std::move(programs)});
}

std::string digest_of_entry(const build::build_tree& tree, const frameworks::ctest_entry& entry) {
  static const std::set<std::string, std::less<>> of_no_effect{"COST", "DEF_SOURCE_LINE", "LABELS"};
  std::map<std::string, std::string> properties;
  for (const auto& [name, value] : entry.properties)
    if (!of_no_effect.contains(name)) properties[name] = value;
  return digest_wherever_it_lies(tree, {entry.command, entry.directory, properties});
}

std::string name_of_entry(const build::suite& suite, const frameworks::listed_case& test) {
  return suite.name + '/' + test.case_name;
}

fs::path path_digests_file(const fs::path& own_dir) {
  return own_dir / "files.json";
}

std::optional<std::string> files_now::of_link(const std::string& name) const {
  return build::path_digests::of_link(absolute(name));
}

std::optional<std::string> files_now::of(const std::string& name) const {
  const std::string path = absolute(name);
  if (name.ends_with("/.")) return build::path_digests::of_presence(path);
  if (!name.ends_with('/')) return digests_.of_file(path);
  if (name.starts_with('/')) return build::path_digests::of_names(path);
  return build::path_digests::of_names(path, [&](const std::string& entry) { return is_beside_git(path + entry); });
}

std::optional<std::string> files_now::of_data(const std::string& glob) const {
  return digests_.of_files(absolute(glob), [&](const std::string& path) {
    const std::string relative = repo_.relative(path);
    return relative.empty() || !repo_.tracks(relative);
  });
}

std::string files_now::absolute(const std::string& name) const {
  return (repo_.root() / name).string();
}

/// Neither tracked, nor an empty folder, which git does not know either, nor of git's, Morph's or a build.
bool files_now::is_beside_git(const std::string& path) const {
  const std::string name = repo_.relative(path);
  if (name.empty() || name == ".git" || name == ".morph" || repo_.tracks(name) || kinds_.in_build_tree(name + "/"))
    return false;
  std::error_code error;
  if (!fs::is_directory(path, error)) return true;
  if (tracked_.empty()) tracked_ = repo_.tracked_files();
  const auto at = std::lower_bound(tracked_.begin(), tracked_.end(), name + "/");
  const bool holds_tracked = at != tracked_.end() && at->starts_with(name + "/");
  return !holds_tracked && !fs::is_empty(path, error);
}

namespace {

/// By their numbers. `wanted`: of which kinds.
std::vector<std::uint32_t> find_changed(const store::evidence& measured, const build::build_tree& tree,
                                        const std::vector<listed_suite>& suites, const git::repository& repo,
                                        const selection::file_kinds& kinds,
                                        const std::function<bool(store::measured_input::kind)>& wanted) {
  using kind = store::measured_input::kind;
  std::vector<std::uint32_t> changed;
  libraries_now libraries(tree.own_dir());
  build::path_digests digests(path_digests_file(tree.own_dir()));
  const files_now files(digests, repo, kinds);
  std::map<std::string, const frameworks::ctest_entry*> entries;
  std::set<std::string> not_asked;  // suites of which ctest has not told anything now
  for (const listed_suite& suite : suites)
    for (const frameworks::listed_program& program : suite.programs)
      for (const frameworks::listed_case& test : program.cases)
        if (test.entry)
          entries[name_of_entry(*suite.declared, test)] = &*test.entry;
        else
          not_asked.insert(suite.declared->name);
  const auto digest_now = [&](const store::measured_input& input) -> std::optional<std::string> {
    switch (input.what) {
      case kind::variable:
        return digest_of_variable(input.name);
      case kind::library:
        return libraries.of(input.name);
      case kind::watch:
        return input.digest;
      case kind::suite: {
        const build::suite* const suite = tree.find_suite(input.name);
        return suite == nullptr ? std::nullopt : std::optional(digest_of_declaration(tree, *suite));
      }
      case kind::entry: {
        if (const auto at = entries.find(input.name); at != entries.end()) return digest_of_entry(tree, *at->second);
        return not_asked.contains(input.name.substr(0, input.name.find('/'))) ? input.digest : std::nullopt;
      }
      case kind::file:
        break;
    }
    if (input.is_data()) return files.of_data(input.name);
    return input.digest && input.digest->starts_with(build::path_digests::link_mark) ? files.of_link(input.name)
                                                                                     : files.of(input.name);
  };
  for (std::uint32_t i = 0; i < measured.inputs.size(); ++i) {
    const store::measured_input& input = measured.inputs[i];
    if (!wanted(input.what)) continue;
    if (const auto now = digest_now(input); now != input.digest || now == build::path_digests::too_many_files)
      changed.push_back(i);
  }
  return changed;
}

}  // namespace

std::vector<std::uint32_t> changed_inputs(const store::evidence& measured, const build::build_tree& tree,
                                          const std::vector<listed_suite>& suites, const git::repository& repo,
                                          const selection::file_kinds& kinds) {
  return find_changed(measured, tree, suites, repo, kinds, [](auto) { return true; });
}

bool has_changed_files(const store::evidence& measured, const build::build_tree& tree, const git::repository& repo,
                       const selection::file_kinds& kinds) {
  using kind = store::measured_input::kind;
  const auto changed = find_changed(measured, tree, {}, repo, kinds,
                                    [](kind what) { return what == kind::library || what == kind::file; });
  std::vector<bool> is_used(measured.inputs.size(), false);
  for (const auto& c : measured.classes)
    for (const element x : c.elements)
      if (store::kind_of(x) == requirement_kind::input && !c.tests.empty()) is_used[store::number_of(x)] = true;
  return std::any_of(changed.begin(), changed.end(), [&](std::uint32_t i) { return is_used[i]; });
}

}  // namespace morph::workspace
