// Starts morph-source, which reads translation units with Clang.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/command/mutate_sources.hpp"

namespace morph::command {

std::filesystem::path source_program();

/// The folder of GCC's libraries, so that Clang reads the headers that the project's compiler reads.
std::vector<std::string> header_options(const std::string& compiler);

struct source_question {
  const compile_unit* unit = nullptr;
  nlohmann::json mutants = nlohmann::json::array();  // to compare: node, node of the function, alternative
};

/// What the program says of each unit, as coverage/source/main.cpp writes it. Files of the mirror are taken from the
/// first of the folders `from` that has them. `task`: read, check or compare.
project::result<std::vector<nlohmann::json>> ask_source_program(const source_request& request,
                                                                const std::vector<std::string>& options,
                                                                const std::vector<source_question>& questions,
                                                                const std::vector<std::string>& from, const char* task);

/// The same for a job as coverage/source/main.cpp reads it, which goes through that file.
project::result<std::vector<nlohmann::json>> run_source_program(const nlohmann::json& job,
                                                                const std::filesystem::path& file);

}  // namespace morph::command
