// Notes are found by the names of objects.
#include "plugin/measuring/notes.hpp"

#include <algorithm>
#include <cstring>
#include <map>

#include "plugin/system/files.hpp"

namespace morph::measuring {

namespace fs = std::filesystem;

fs::path fresh_gcda_prefix(const session& m) {
  const fs::path folder = m.twin.own_dir() / "measure";
  std::error_code none;
  for (fs::directory_iterator at(folder, none), end; at != end; at.increment(none)) {
    if (none) break;
    if (at->path().filename().string().starts_with("gcda")) fs::remove_all(at->path(), none);
  }
  return folder / "gcda";
}

std::optional<std::uint32_t> stamp_in(std::string_view notes_or_counters) {
  constexpr std::size_t behind_magic_and_version = 8;
  std::uint32_t stamp = 0;
  if (notes_or_counters.size() < behind_magic_and_version + sizeof stamp) return std::nullopt;
  std::memcpy(&stamp, notes_or_counters.data() + behind_magic_and_version, sizeof stamp);
  return stamp;
}

// With -fprofile-dir GCC names counters by the whole path of the object, `#` for each `/`, less what
// -fprofile-prefix-path takes away; Clang by the last part alone. The notes stay beside the object.
std::string notes_of(const session& m, const std::string& gcda_path, std::uint32_t stamp) {
  const std::string usual = fs::path(gcda_path).replace_extension(".gcno").string();
  std::error_code error;
  if (fs::exists(usual, error)) return usual;
  const auto part_behind = [](const std::string& text, char separator) {
    return text.substr(text.rfind(separator) + 1);  // all of it if there is none
  };
  if (!m.notes_by_name) {
    m.notes_by_name.emplace();
    for (const auto& [object, files] : m.dependencies) {
      const std::string name = fs::path(object).replace_extension().string();
      m.notes_by_name->emplace(part_behind(part_behind(name, '/'), '#'), name);
    }
  }
  const std::string counters = fs::path(gcda_path).stem().string();
  const auto ends_with = [](const std::string& text, const std::string& end) {
    return text == end || text.ends_with('#' + end);
  };
  const auto [first, last] = m.notes_by_name->equal_range(part_behind(counters, '#'));
  for (auto at = first; at != last; ++at) {
    std::string mangled = at->second;
    std::replace(mangled.begin(), mangled.end(), '/', '#');
    if (!ends_with(counters, mangled) && !ends_with(mangled, counters)) continue;
    const std::string path = (m.twin.binary_dir / (at->second + ".gcno")).string();
    if (const auto bytes = system::read_file(path); bytes && stamp_in(*bytes) == stamp) return path;
  }
  return usual;
}

}  // namespace morph::measuring
