// A line of digests for each header, from what its lines outside of functions say.
#include "plugin/mutating/header_digests.hpp"

#include <algorithm>

#include "plugin/git/repository.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/system/files.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;

bool lies_in(const std::string& path, const std::string& folder) {
  return path == folder || path.starts_with(folder + "/");
}

}  // namespace

header_digests::header_digests(const mutated_sources& sources, const source_reader::source_request& request,
                               const fs::path& binary)
    : sources_(sources), request_(request), mirror_(request.mirror.string()), own_((binary / ".morph").string()) {
  for (const auto* files : {&sources.files, &sources.without_mutants})
    for (const mutation::mutated_file& file : *files) outlined_[file.path] = &file;
}

std::string header_digests::make_line(const std::string& path) const {
  if (path.starts_with("/usr/") || lies_in(path, own_) || build::is_source(path)) return {};
  if (std::ranges::any_of(request_.except, [&](const std::string& each) { return lies_in(path, each); })) return {};
  const std::string name = fs::path(path).filename().string();
  if (name.starts_with("cmake_pch.")) return {};
  if (!lies_in(path, mirror_)) return name + ' ' + git::blob_hash(system::read_file(path).value_or(std::string()));
  const std::string inside = path.substr(mirror_.size() + 1);
  const auto known = outlined_.find(inside);
  if (known != outlined_.end()) return inside + ' ' + digest_outside_functions(*known->second);
  return inside + ' ' + content_digest(system::read_file(request_.source / inside).value_or(std::string()));
}

const std::string& header_digests::line_of(const std::string& path) {
  const auto [line, is_new] = lines_.try_emplace(path);
  if (is_new) line->second = make_line(path);
  return line->second;
}

std::string header_digests::of(const std::set<std::string>& paths) {
  std::set<std::string> lines;
  for (const std::string& path : paths) lines.insert(line_of(path));
  std::string all;
  for (const std::string& line : lines) all += line + '\n';
  return git::blob_hash(all);
}

std::vector<std::string> header_digests::of_files() {
  // Numbers, not names: a header may be in each of a thousand units with a thousand others.
  std::map<std::string, std::size_t> number_of;
  std::vector<std::vector<std::size_t>> units, units_with;
  for (const auto& [name, unit] : sources_.contents) {
    std::vector<std::size_t>& files = units.emplace_back();
    for (const auto& [path, hash] : unit.files) {
      files.push_back(number_of.try_emplace(path, number_of.size()).first->second);
      units_with.resize(number_of.size());
      units_with[files.back()].push_back(units.size() - 1);
    }
  }
  std::vector<const std::string*> paths(number_of.size());
  for (const auto& [path, number] : number_of) paths[number] = &path;

  std::vector<std::string> digests;
  for (const mutation::mutated_file& file : sources_.files) {
    std::vector<bool> is_around(paths.size(), false);
    if (const auto self = number_of.find(mirror_ + '/' + file.path); self != number_of.end())
      for (const std::size_t unit : units_with[self->second])
        for (const std::size_t each : units[unit]) is_around[each] = true;
    std::set<std::string> around;
    for (std::size_t i = 0; i < paths.size(); ++i)
      if (is_around[i]) around.insert(*paths[i]);
    digests.push_back(of(around));
  }
  return digests;
}

}  // namespace morph::mutating
