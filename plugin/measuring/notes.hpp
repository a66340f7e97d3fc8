// Where counters are kept while programs run, and the notes that belong to them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "plugin/measuring/session.hpp"

namespace morph::measuring {

/// GCOV_PREFIX of what is run while measuring: instrumented programs that do not share their counters write them there,
/// and not over the twin's objects. Empty, or not there.
std::filesystem::path fresh_gcda_prefix(const session& m);

/// The notes (.gcno) of what writes its counters to this .gcda: beside it, unless options of the project such as
/// -fprofile-dir have counters written elsewhere. `stamp`: of the compilation.
std::string notes_of(const session& m, const std::string& gcda_path, std::uint32_t stamp);

/// Of a .gcno or a .gcda of any version; nothing if it is too short.
std::optional<std::uint32_t> stamp_in(std::string_view notes_or_counters);

}  // namespace morph::measuring
