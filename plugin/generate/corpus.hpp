// Texts that the project's tests have: those in their sources, and files that these name.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace morph::generate {

struct corpus {
  std::vector<std::string> texts{};  // of a length that a test can hold
  std::vector<std::string> files{};  // from the root, in their order
};

/// `lines`: of the task "recipes", each with its `source`. A file is looked for beside the source that names it, and in
/// the folders above up to the root. Files of other places, of sources, and with a byte that is 0 are none of it. What
/// is longer than `most_bytes` gives some of its lines.
corpus corpus_of(const std::vector<nlohmann::json>& lines, const std::filesystem::path& root, std::size_t most_bytes);

}  // namespace morph::generate
