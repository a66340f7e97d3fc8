// Objects whose notes have no function.
#include "plugin/measuring/blind_units.hpp"

#include <algorithm>
#include <filesystem>

#include "coverage/gcov/note.hpp"
#include "plugin/build/runtime_sources.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/program_tables.hpp"
#include "plugin/system/files.hpp"

namespace morph::measuring {

namespace {

namespace fs = std::filesystem;

/// Whether an object has counters, be it in a program or a part of a library that nothing links.
bool has_counters(const session& m, const std::string& object, const std::set<std::string>& without_probes) {
  if (build::has_probes(m.twin)) return !without_probes.contains(object);
  constexpr std::uintmax_t note_without_functions = 4096;  // holds little more than the folder's name
  const std::string note = (m.twin.binary_dir / object).replace_extension(".gcno").string();
  std::error_code error;
  if (const auto size = fs::file_size(note, error); !error && size > note_without_functions) return true;
  if (has_counter_files(m.twin)) return gcov_shows_functions(m.twin, note);
  const auto bytes = system::read_file(note);
  const auto parsed = bytes ? gcov::parse_note(*bytes, note) : tl::unexpected(bytes.error());
  return parsed && !parsed->functions.empty();
}

}  // namespace

void register_blind_units(const session& m, const std::set<std::string>& tool_objects,
                          const std::set<std::string>& without_probes) {
  for (const auto& [object, files] : m.dependencies) {
    if (!object.ends_with(".o")) continue;  // a precompiled header is in the objects that use it
    if (files.empty() || build::is_runtime_source(m.twin, files.front())) continue;
    if (tool_objects.count(object) == 0 && has_counters(m, object, without_probes)) continue;
    const bool concerns_us =
        std::any_of(files.begin(), files.end(), [&](const auto& path) { return !name_of_source(m, path).empty(); });
    if (!concerns_us) continue;
    store::measured_unit unit = describe_unit(m, object, files);
    unit.blind = true;
    m.writer.unit(unit);
  }
}

}  // namespace morph::measuring
