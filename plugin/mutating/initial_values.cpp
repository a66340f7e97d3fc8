// Looks in all sources for the names of such variables, and finds the nodes of the functions around.
#include "plugin/mutating/initial_values.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string_view>

#include "plugin/system/files.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;
using mutation::mutated_file;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

void for_each_word(std::string_view text, const std::function<void(std::string_view, std::uint32_t)>& take) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > at) take(text.substr(at, end - at), static_cast<std::uint32_t>(at));
    at = std::max(end, at + 1);
  }
}

bool may_be_code(const fs::path& path) {
  static const std::set<std::string> known{
      ".C",  ".H",   ".S",   ".c",   ".c++", ".cc",  ".cp",  ".cpp", ".cppm", ".cu", ".cxx", ".def", ".h",   ".h++",
      ".hh", ".hpp", ".hxx", ".icc", ".ii",  ".inc", ".inl", ".ipp", ".ixx",  ".m",  ".mm",  ".tcc", ".tpp", ".txx"};
  return known.contains(path.extension().string());
}

bool has_mutants(const mutated_file& file, std::uint32_t place) {
  for (std::uint32_t k = 0; k < file.places.places[place].alternatives.size(); ++k)
    if (file.is_live(place, k)) return true;
  return false;
}

/// The innermost, since outer ones come first.
const mutation::function_extent* function_around(const mutated_file& file, std::uint32_t offset) {
  const mutation::function_extent* found = nullptr;
  for (const auto& f : file.places.functions)
    if (f.begin <= offset && offset < f.end) found = &f;
  return found;
}

/// Of a place that is reached before what stands at the byte is evaluated: around it, or the begin of its function.
std::optional<std::uint32_t> node_before(const mutated_file& file, std::uint32_t offset) {
  const auto* function = function_around(file, offset);
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
    const mutation::place& p = file.places.places[i];
    if (p.begin > offset) break;
    const bool is_around = p.kind != mutation::place_kind::body && offset < p.end;
    const bool is_begin =
        p.kind == mutation::place_kind::body && function != nullptr && function_around(file, p.begin) == function;
    if ((is_around || is_begin) && has_mutants(file, i)) found = file.node_of(i);
  }
  return found;
}

}  // namespace

std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_that_read(const mutated_sources& sources,
                                                                    const source_reader::source_request& request,
                                                                    const std::vector<std::string>& project_files) {
  std::map<std::string, std::optional<std::set<std::uint32_t>>, std::less<>> readers;  // by name; none: not known
  std::map<std::string, const mutated_file*> by_path;
  for (const mutated_file& file : sources.files) {
    by_path[(request.source / file.path).string()] = &file;
    for (const auto& value : file.places.initial_values) readers.try_emplace(value.name, std::in_place);
  }
  if (readers.empty()) return {};

  std::set<std::string> paths;
  for (const std::string& file : project_files)
    if (may_be_code(file)) paths.insert((request.source / file).string());
  const std::string mirror = request.mirror.string() + "/", root = request.source.string() + "/";
  const auto add = [&](const std::string& path) {
    if (path.starts_with(mirror))
      paths.insert((request.source / path.substr(mirror.size())).string());
    else if (!path.starts_with("/usr/"))
      paths.insert(path);
  };
  for (const auto& [name, content] : sources.contents)
    for (const auto& [path, hash] : content.files) add(path);
  for (const build::compile_unit& unit : request.units)
    add((fs::path(unit.directory) / unit.file).lexically_normal().string());

  for (const std::string& path : paths) {
    const auto text = system::read_file(path);
    if (!text) continue;
    if (path.starts_with(root) && text->find("##") != std::string::npos) return {};
    const auto known = by_path.find(path);
    const mutated_file* const file = known == by_path.end() ? nullptr : known->second;
    for_each_word(*text, [&](std::string_view word, std::uint32_t offset) {
      const auto named = readers.find(word);
      if (named == readers.end() || !named->second) return;
      if (file != nullptr && std::ranges::any_of(file->places.initial_values, [&](const auto& v) {
            return v.name == word && v.begin <= offset && offset < v.end;
          }))
        return;
      const auto node = file == nullptr ? std::nullopt : node_before(*file, offset);
      if (node)
        named->second->insert(*node);
      else
        named->second.reset();
    });
  }

  std::map<std::uint32_t, std::vector<std::uint32_t>> found;
  for (const mutated_file& file : sources.files)
    for (std::uint32_t i = 0; i < file.places.places.size(); ++i) {
      const mutation::place& p = file.places.places[i];
      for (const auto& value : file.places.initial_values)
        if (const auto& all = readers.at(value.name); all && value.begin <= p.begin && p.end <= value.end)
          found[file.node_of(i)].assign(all->begin(), all->end());
    }
  return found;
}

}  // namespace morph::mutating
