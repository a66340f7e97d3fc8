// One test: from its first message until no process of it is left.
#pragma once

#include <filesystem>

#include "plugin/system/descriptor.hpp"

namespace morph::recorder {

/// Gives the test a row below `folder`, and writes its record when it has ended. Then goes on letting the processes
/// that it left open files. Whoever does not speak as the runtime does gets nothing.
void record_test(const std::filesystem::path& folder, system::descriptor conversation);

}  // namespace morph::recorder
