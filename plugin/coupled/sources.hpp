// The branches of the project's sources, and which tests of a measurement took them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "coverage/coupling/graph.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/coupled/branch_tests.hpp"
#include "plugin/source_reader/kept_answers.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::coupled {

struct source_branches {
  std::vector<nlohmann::json> units{};
  coupling::branch_graph graph{};
  std::vector<const nlohmann::json*> read{};  // by function of the graph; into `units`
};

using source_reader::any_number;

/// `root`: of the repository. An error if more than `most_unread` sources are to be read anew.
result<source_branches> read_sources(const build::build_tree& tree, const std::filesystem::path& root,
                                     std::size_t most_unread, system::observer& told);

/// `covered`: of `facts`, where the lines stand after the changes.
branch_evidence evidence_of(const source_branches& sources, const report::coverage& covered,
                            const store::evidence& facts, const std::vector<git::file_change>& changes);

/// Why a measurement cannot say which branches tests took; empty if it can.
std::string why_no_branches(const store::evidence& facts);

}  // namespace morph::coupled
