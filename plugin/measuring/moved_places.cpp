// Reading #line directives of sources, and where the lines that they rename stand.
#include "plugin/measuring/moved_places.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "plugin/measuring/program_tables.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {

namespace {

const directing_file& directives_of(const session& m, const std::string& path) {
  const auto [known, is_new] = m.directives.try_emplace(path);
  if (is_new && !name_of_source(m, path).empty())
    if (const auto text = system::read_file(path))
      known->second = {std::max(build::number_of_lines(*text), 1U), build::directed_lines_of(*text)};
  return known->second;
}

}  // namespace

gcov::place_finder places_of_unit(const session& m, const std::vector<std::string>& read) {
  std::vector<std::pair<std::string, const directing_file*>> directing;
  for (const std::string& path : read)
    if (const directing_file& file = directives_of(m, path); !file.directed.empty())
      directing.emplace_back(path, &file);
  if (directing.empty()) return {};
  return [&m, &read, directing = std::move(directing)](const std::string& cwd, const std::string& file,
                                                       std::uint32_t last) -> std::optional<gcov::line_places> {
    gcov::line_places places;
    bool is_elsewhere = false;
    for (const auto& [path, texts] : directing)
      for (const build::directed_lines& run : texts->directed) {
        if ((run.file.empty() ? path : gcov::resolved_path(cwd, run.file)) != file) continue;
        for (std::uint32_t line = run.first; line <= run.last; ++line) {
          const std::uint32_t named = run.named + (line - run.first);
          places[named].push_back({path, line});
          is_elsewhere = is_elsewhere || path != file || named != line;
        }
      }
    if (!is_elsewhere) return std::nullopt;
    const directing_file& own = directives_of(m, file);
    if (std::ranges::find(read, file) != read.end()) {
      // What stands before the first directive has its own number.
      const std::uint32_t end = own.directed.empty() ? own.lines + 1 : own.directed.front().first - 1;
      for (std::uint32_t line = 1; line < end; ++line) places[line].push_back({file, line});
    } else if (own.lines >= last) {
      return std::nullopt;
    }
    return places;
  };
}

}  // namespace morph::measuring
