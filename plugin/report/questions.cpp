// Looks for the files that questions name.
#include "plugin/report/questions.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "plugin/system/counted.hpp"

namespace morph::report {
namespace {

namespace fs = std::filesystem;

std::string path_in_repository(const git::repository& repo, const std::string& file) {
  std::error_code error;
  const std::string from_here = repo.name_of(fs::absolute(file, error));
  return from_here.empty() || !fs::exists(repo.root() / from_here, error) ? fs::path(file).lexically_normal().string()
                                                                          : from_here;
}

}  // namespace

result<named_line> parse_line(const std::string& text) {
  const auto colon = text.rfind(':');
  named_line named;
  if (colon != std::string::npos && colon > 0) {
    const char* end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data() + colon + 1, end, named.line);
    if (error != std::errc() || behind != end) named.line = 0;
  }
  if (named.line == 0)
    return tl::unexpected(fmt::format("'{}' does not name a line; write FILE:LINE, for example src/area.cpp:12", text));
  named.path = text.substr(0, colon);
  return named;
}

result<named_line> find_line(const git::repository& repo, const std::string& text) {
  auto named = parse_line(text);
  if (!named) return named;
  const std::string asked = named->path;
  named->path = path_in_repository(repo, asked);
  std::error_code error;
  if (!fs::exists(repo.root() / named->path, error))
    return tl::unexpected(fmt::format("there is no file '{}', neither here nor from the top of the repository, '{}'",
                                      asked, repo.root().string()));
  const std::size_t lines = work_tree_text(repo.root()).lines(named->path).size();
  if (named->line > lines)
    return tl::unexpected(
        fmt::format("'{}' has {}, there is no line {}", named->path, system::counted(lines, "line"), named->line));
  return named;
}

std::vector<changed_lines> lines_of_changes(const coverage& c, const selection::file_kinds& kinds,
                                            const std::function<bool(const std::string&)>& wanted,
                                            std::span<const git::file_change> changes, work_tree_text& texts) {
  std::vector<changed_lines> changed;
  for (const git::file_change& change : changes) {
    const bool counts = c.find(change.path) != nullptr || kinds.kind_of(change.path) == selection::file_kind::source;
    if (!counts || change.how == git::file_change::kind::deleted || !wanted(change.path)) continue;
    changed_lines lines{change.path, {}, change.binary || change.submodule};
    if (change.how == git::file_change::kind::added) {
      if (const auto all = texts.lines(change.path).size(); all > 0)
        lines.lines = {git::line_range{1, static_cast<std::uint32_t>(all)}};
    } else if (!lines.whole) {
      lines.lines = git::line_map(change.hunks).new_lines();
    }
    changed.push_back(std::move(lines));
  }
  return changed;
}

}  // namespace morph::report
