// The descriptions of frames, which name functions and their tables.
#include "coverage/object/read/exception_tables.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <vector>

namespace morph::object {
namespace {

// The table of a function's exceptions is found by the second relocation of its frame's description.
void read_frames(const elf_object& object, std::uint32_t index, exception_tables& found) {
  const elf_section& frames = object.sections[index];
  const std::string_view bytes = frames.bytes;
  const auto word = [&](std::uint64_t at) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
  };
  std::map<std::uint64_t, bool> has_table;
  std::size_t next = 0;
  for (std::uint64_t at = 0; bytes.size() - at >= 9;) {
    const std::uint64_t length = word(at), end = at + 4 + length;
    if (length == 0 || end > bytes.size()) return;
    const std::uint32_t id = word(at + 4);
    if (id == 0) {
      const std::string_view augmentation = bytes.substr(at + 9, end - at - 9);
      has_table[at] = augmentation.substr(0, augmentation.find('\0')).find('L') != std::string_view::npos;
    } else if (const auto common = has_table.find(at + 4 - id); common != has_table.end() && common->second) {
      while (next < frames.relocations.size() && frames.relocations[next].offset < at) ++next;
      std::vector<std::pair<std::uint32_t, std::uint64_t>> places;
      for (; next < frames.relocations.size() && frames.relocations[next].offset < end; ++next) {
        const relocation& r = frames.relocations[next];
        const elf_symbol& to = object.symbols[r.symbol];
        places.emplace_back(to.section, to.value + static_cast<std::uint64_t>(r.addend));
      }
      if (places.size() >= 2 && places[0].first != none && places[1].first != none)
        found[places[0]] = {places[1].first, places[1].second, 0};
    }
    at = end;
  }
}

}  // namespace

exception_tables find_exception_tables(const elf_object& object) {
  exception_tables found;
  for (std::uint32_t i = 0; i < object.sections.size(); ++i)
    if (object.sections[i].name == ".eh_frame" && !object.sections[i].bytes.empty()) read_frames(object, i, found);
  std::map<std::uint32_t, std::vector<std::uint64_t>> begins;
  for (const auto& [function, table] : found) begins[table.section].push_back(table.begin);
  for (auto& [section, all] : begins) std::sort(all.begin(), all.end());
  for (auto& [function, table] : found) {
    const auto& all = begins[table.section];
    const auto next = std::upper_bound(all.begin(), all.end(), table.begin);
    table.end = next == all.end() ? object.sections[table.section].bytes.size() : *next;
  }
  return found;
}

bool catches(const elf_object& object, const exception_table& table) {
  const std::string_view bytes = object.sections[table.section].bytes;
  constexpr char omitted = '\xff';
  const bool whole = table.begin < table.end && table.end <= bytes.size() && table.end - table.begin >= 2;
  return !whole || bytes[table.begin] != omitted || bytes[table.begin + 1] != omitted;
}

}  // namespace morph::object
