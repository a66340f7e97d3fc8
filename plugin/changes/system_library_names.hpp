// Names that the system's shared libraries define or ask for: a definition of the project takes the place of theirs.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_set>

namespace morph::changes {

/// Of all shared libraries that loading `file` brings along, but for those for which `is_own` says so, whose own
/// libraries count nevertheless. Nothing if one of them is not found or not read: nobody knows then. Looks where the
/// files themselves say, in LD_LIBRARY_PATH, in the folders of /etc/ld.so.conf and in the usual ones.
std::optional<std::unordered_set<std::string>> library_names(
    const std::filesystem::path& file, const std::function<bool(const std::filesystem::path&)>& is_own);

}  // namespace morph::changes
