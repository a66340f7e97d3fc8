// Third step: the rewritten sources are built, without the mutants that the project's compiler rejects.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "plugin/mutating/prepare.hpp"
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/setting.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

/// How many nodes programs count, in a header that they include. Written only if it says something else.
result<void> write_nodes(const std::filesystem::path& binary_dir, std::uint32_t nodes);
bool has_nodes(const std::filesystem::path& binary_dir);

/// The report's sources lose what is rejected. The error says what the compiler said first.
result<void> build_mutants(const setting& run, const prepared_twin& twin, mutation_report& report);

/// The error of a build that went on after a failure need not have it: the first failure of its log is added.
std::string with_first_failure(const std::string& error, const std::string& log);

}  // namespace morph::mutating
