// Times of files, and the record of dependencies kept between plans.
#include "plugin/build/built_code.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "plugin/build/build_reads.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

class file_times {
 public:
  explicit file_times(fs::path folder) : folder_(std::move(folder)) {}

  /// Nanoseconds since 1970; none if there is no such file.
  std::optional<std::int64_t> of(const std::string& path) {
    const auto [at, added] = known_.try_emplace(path);
    struct stat s {};
    if (added && ::stat((folder_ / path).c_str(), &s) == 0)
      at->second = std::int64_t{s.st_mtim.tv_sec} * 1'000'000'000 + s.st_mtim.tv_nsec;
    return at->second;
  }

  result<void> is_made_of(const std::string& product, const std::string& part) {
    const auto made = of(product), changed = of(part);
    if (!made) return tl::unexpected(fmt::format("'{}' is not built", product));
    if (!changed) return tl::unexpected(fmt::format("'{}' is not there, of which '{}' was built", part, product));
    if (*changed > *made) return tl::unexpected(fmt::format("'{}' is older than '{}'", product, part));
    return {};
  }

 private:
  fs::path folder_;
  std::unordered_map<std::string, std::optional<std::int64_t>> known_;
};

dependency_map without_system(dependency_map map) {
  for (auto& [object, files] : map) std::erase_if(files, is_of_system);
  return map;
}

/// ninja needs milliseconds to print its log, most of which are system headers.
result<dependency_map> remembered_dependencies(const build_tree& tree) {
  const fs::path log = tree.binary_dir / ".ninja_deps";
  struct stat s {};
  if (::stat(log.c_str(), &s) != 0) {
    auto read = read_dependencies(tree);
    return read ? result<dependency_map>(without_system(std::move(*read))) : read;
  }
  const std::string stamp = fmt::format("{} {}.{:09}", s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec);
  const fs::path kept = tree.own_dir() / "dependencies.json";
  if (const auto text = system::read_file(kept)) {
    const auto json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_object() && json.value("stamp", "") == stamp && json.contains("objects")) try {
        return json.at("objects").get<dependency_map>();
      } catch (const nlohmann::json::exception&) {
      }
  }
  auto read = read_dependencies(tree);
  if (!read) return read;
  dependency_map map = without_system(std::move(*read));
  const nlohmann::json json{{"stamp", stamp}, {"objects", map}};
  // Without it the next plan asks ninja again.
  static_cast<void>(system::write_file_atomically(kept, json_text(json)));
  return map;
}

/// `CMakeFiles/x.dir/cmake_pch.hxx.gch` is in all objects of its target.
std::string folder_of_precompiled(const std::string& object) {
  const auto at = object.find("/cmake_pch.");
  return at == std::string::npos ? std::string() : object.substr(0, at + 1);
}

}  // namespace

std::set<std::string> built_code::objects_of(const linked_file& link) const {
  std::set<std::string> objects;
  for (const link_input& input : link.inputs) {
    const auto archive = objects_of_archive.find(input.path);
    if (archive == objects_of_archive.end())
      objects.insert(input.path);
    else
      objects.insert(archive->second.begin(), archive->second.end());
  }
  return objects;
}

std::vector<std::string> built_code::objects_named(const std::string& path, const std::string& member) const {
  const auto archive = objects_of_archive.find(path);
  if (archive == objects_of_archive.end()) return {path};
  std::vector<std::string> found;
  const std::string name = member.substr(0, member.find('#'));  // a.o#2: the second of that name
  for (const std::string& object : archive->second)
    if (fs::path(object).filename() == name) found.push_back(object);
  return found;
}

result<built_code> read_any_build(const build_tree& tree, const dependency_map& also_read,
                                  const std::set<std::string>& without) {
  auto linked = linked_files(tree.binary_dir);
  if (!linked) return tl::unexpected(linked.error());
  auto dependencies = remembered_dependencies(tree);
  if (!dependencies) return tl::unexpected(dependencies.error());
  built_code built;
  built.dependencies = std::move(*dependencies);
  file_times times(tree.binary_dir);
  for (linked_file& file : *linked) {
    const auto made = times.of(file.path);
    if (!made || without.count(file.path) != 0) continue;
    built.newest = std::max(built.newest, *made);
    if (!file.archive) {
      built.links.push_back(std::move(file));
      continue;
    }
    auto& objects = built.objects_of_archive[file.path];
    for (const link_input& input : file.inputs) objects.push_back(input.path);
  }

  std::map<std::string, std::string> precompiled;  // folder -> the header in it
  for (const auto& [object, files] : built.dependencies)
    if (const std::string folder = folder_of_precompiled(object); !folder.empty()) precompiled[folder] = object;
  const auto check = [&](const std::string& product, const std::string& part) {
    if (!built.stale.empty()) return;
    if (auto fresh = times.is_made_of(product, part); !fresh) built.stale = std::move(fresh.error());
  };
  std::set<std::string> checked;
  for (const linked_file& link : built.links) {
    for (const link_input& input : link.inputs) check(link.path, input.path);
    for (const link_input& input : link.inputs)
      if (const auto archive = built.objects_of_archive.find(input.path); archive != built.objects_of_archive.end())
        for (const std::string& object : archive->second) check(input.path, object);
    for (const std::string& object : built.objects_of(link)) {
      if (!object.ends_with(".o") || !checked.insert(object).second) continue;
      for (const auto& map : {std::cref(built.dependencies), std::cref(also_read)}) {
        const auto known = map.get().find(object);
        if (known == map.get().end()) continue;
        for (const std::string& file : known->second) check(object, file);
      }
      for (const auto& [folder, header] : precompiled) {
        if (!object.starts_with(folder)) continue;
        check(object, header);
        for (const std::string& file : built.dependencies.at(header)) check(header, file);
      }
    }
  }
  return built;
}

result<built_code> read_built_code(const build_tree& tree, const dependency_map& also_read,
                                   const std::set<std::string>& without) {
  auto built = read_any_build(tree, also_read, without);
  if (built && !built->stale.empty()) return tl::unexpected(std::move(built->stale));
  return built;
}

}  // namespace morph::build
