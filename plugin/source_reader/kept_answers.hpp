// Answers of morph-source that are kept from call to call, each in a file with the digests of what it was made of.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/build/compile_commands.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::source_reader {

struct kept_question {
  const char* task;                               // of morph-source
  int format;                                     // raised when the answers say more
  const char* progress;                           // "reading branches"
  const char* command;                            // that reads whatever is not known
  std::filesystem::path root;                     // what is read lies in this folder
  std::string folder;                             // of the answers, in the folder that Morph has in the build tree
  std::function<void(nlohmann::json&)> adjust{};  // before an answer is kept
};

constexpr std::size_t any_number = std::numeric_limits<std::size_t>::max();

struct kept_answers {
  std::vector<nlohmann::json> of{};  // of each unit
  std::size_t read = 0;              // how many were not known
};

/// Reads again only units of which a command, a source or a header changed, and without a limit those that had errors,
/// too: a header that was missing may be there. An error if these are more than `most_unread`.
result<kept_answers> read_units(const build::build_tree& tree, const kept_question& asked,
                                const std::vector<build::compile_unit>& units, system::observer& told,
                                std::size_t most_unread = any_number);

}  // namespace morph::source_reader
