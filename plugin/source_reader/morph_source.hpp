// Starts morph-source, which reads translation units with Clang.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "plugin/build/compile_commands.hpp"
#include "plugin/system/result.hpp"

namespace morph::source_reader {

std::filesystem::path source_program();

/// The folder of GCC's libraries, so that Clang reads the headers that the project's compiler reads.
std::vector<std::string> header_options(const std::string& compiler);

/// With them Morph's headers for specs are found: those beside the program. Empty where it is not installed.
/// After the folders of the system, since it may be one of these, whose order matters.
std::vector<std::string> spec_header_options();

struct source_request {
  std::filesystem::path source;  // the originals
  std::filesystem::path mirror;  // as compile commands name them
  std::filesystem::path state;   // a folder for what is kept
  std::vector<build::compile_unit> units;
  /// So many of them come first. The others, of tests, are read only where headers hold more places than sources do:
  /// they instantiate templates.
  std::size_t production = 0;
  std::vector<std::string> except;     // files and folders of the mirror that are not mutated
  std::vector<std::string> without{};  // globs of the project's files that stay as they are, but are read
  std::set<std::string> unwanted{};    // names of units that are used if they are known, and not read
  std::vector<std::string> only{};     // globs: all other files stay as they are, too,
  std::set<std::string> rewritten{};   // but for these, which the twin is built of already
  std::vector<std::string> operators;
  bool extreme = true;
  std::string compiler;  // of the project, for its headers
  unsigned jobs = 1;
};

struct source_question {
  const build::compile_unit* unit = nullptr;
  nlohmann::json mutants = nlohmann::json::array();  // to compare: node, node of the function, alternative
};

/// What the program says of each unit, as coverage/source/main.cpp writes it. Files of the mirror are taken from the
/// first of the folders `from` that has them. `task`: read, check or compare.
result<std::vector<nlohmann::json>> ask_source_program(const source_request& request,
                                                       const std::vector<std::string>& options,
                                                       const std::vector<source_question>& questions,
                                                       const std::vector<std::string>& from, const char* task);

/// What is asked of units as they stand: no mirror, and nothing is mutated.
struct reading {
  const char* task = "";
  std::vector<std::string> options{};  // of Clang: header_options()
  std::string root{}, except{};        // functions are read below the one, and not below the other
};
nlohmann::json job_of(const reading& of, const std::vector<build::compile_unit>& units);

/// The same for a job as coverage/source/main.cpp reads it, which goes through that file.
result<std::vector<nlohmann::json>> run_source_program(const nlohmann::json& job, const std::filesystem::path& file);

}  // namespace morph::source_reader
