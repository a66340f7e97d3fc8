// Collecting them.
#include "plugin/measuring/outside_files.hpp"

#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "plugin/build/build_reads.hpp"
#include "plugin/build/runtime_sources.hpp"

namespace morph::measuring {
namespace {

namespace fs = std::filesystem;

class file_collector {
 public:
  file_collector(workspace::snapshot& to, workspace::watched_files& files, const build::build_tree& tree,
                 const workspace::outside_rules& rules, const git::repository& repo, const selection::file_kinds& kinds)
      : c_(to),
        tree_(tree),
        repo_(repo),
        kinds_(kinds),
        rules_(rules),
        files_(files),
        products_(tree.binary_dir.string() + "/") {
    for (const auto& o : c_.identity.overrides) known_.insert(o.path);
  }

  result<std::string> add(const build::dependency_map& dependencies, const std::set<std::string>& described) {
    std::set<std::string> compiled;
    for (const auto& [object, files] : dependencies)
      if (!files.empty() && !build::is_runtime_source(tree_, files.front()))
        for (const std::string& path : files)
          if (!build::is_of_system(path) && !build::is_runtime_source(tree_, path)) compiled.insert(path);
    std::set<std::string> names;
    for (const std::string& path : compiled) add_outside(path, names);
    for (const std::string& path : described)
      if (!build::is_runtime_source(tree_, path)) add_outside(path, names);
    files_.set_names(std::move(names));
    std::string id = workspace::id_of(c_.identity);
    std::vector<std::string> untracked;
    for (const std::string& path : compiled) find_untracked(path, untracked);
    auto contents = repo_.contents(untracked);
    if (!contents) return tl::unexpected(contents.error());
    for (auto& [name, text] : *contents) {
      c_.identity.overrides.push_back({name, git::blob_hash(text)});
      c_.dirty.push_back({name, std::move(text)});
    }
    workspace::sort_overrides(c_);
    return id;
  }

 private:
  void add_outside(const std::string& path, std::set<std::string>& names) {
    const std::string name = repo_.target_name(path);
    if (!git::is_outside(name)) {
      if (is_in_another_repository(name)) keep(folder_of(name), true, names);
      return;
    }
    if (!rules_.counts((repo_.root() / name).lexically_normal().string())) return;
    const bool is_ours = !rules_.is_others(path, name);
    keep(name, is_ours, names);
    const bool is_source = kinds_.counts_untracked(name);  // beside it others may appear
    if (is_ours && is_source && !name.starts_with('/')) keep(folder_of(name), true, names);
  }

  static std::string folder_of(const std::string& name) { return name.substr(0, name.rfind('/') + 1); }

  /// One that git was not told of: it says nothing of what is new in there.
  bool is_in_another_repository(const std::string& name) {
    if (repo_.tracks(name) || kinds_.in_build_tree(name)) return false;
    const auto [at, added] = of_others_.try_emplace(folder_of(name), false);
    if (added)
      for (fs::path folder = fs::path(name).parent_path(); !folder.empty() && !at->second;
           folder = folder.parent_path())
        if (std::error_code error; fs::exists(repo_.root() / folder / ".git", error)) at->second = true;
    return at->second;
  }

  void keep(const std::string& name, bool whole, std::set<std::string>& names) {
    if (!known_.insert(name).second) return;
    auto kept = workspace::keep_file(files_, name, whole);
    if (!kept) return;
    names.insert(name);
    c_.identity.overrides.push_back(std::move(kept->file));
    c_.watched[*c_.identity.overrides.back().blob] = std::move(kept->content);
  }

  void find_untracked(const std::string& path, std::vector<std::string>& untracked) {
    const std::string name = repo_.relative(path);
    if (name.empty() || path.starts_with(products_) || repo_.tracks(name) || kinds_.in_build_tree(name)) return;
    if (!known_.insert(name).second) return;
    untracked.push_back(name);
  }

  workspace::snapshot& c_;
  const build::build_tree& tree_;
  const git::repository& repo_;
  const selection::file_kinds& kinds_;
  const workspace::outside_rules& rules_;
  workspace::watched_files& files_;
  std::string products_;
  std::set<std::string> known_;
  std::map<std::string, bool> of_others_;  // by folder
};

}  // namespace

result<std::string> add_read_files(workspace::snapshot& to, workspace::watched_files& files,
                                   const build::build_tree& tree, const workspace::outside_rules& rules,
                                   const git::repository& repo, const selection::file_kinds& kinds,
                                   const build::dependency_map& dependencies, const std::set<std::string>& described) {
  return file_collector(to, files, tree, rules, repo, kinds).add(dependencies, described);
}

}  // namespace morph::measuring
