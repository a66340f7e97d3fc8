// Asks morph-source what a header offers, and finds the one function that is meant.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace morph::source_reader {

struct header_question {
  std::string header;                // as it is included: a path, or a name in the include folders
  std::string function;              // "name", "space::name", "name(int, int)", "name<int>"
  std::string input;                 // a type, or empty
  std::vector<std::string> flags;    // of the compiler
  std::vector<std::string> options;  // in front of them: where the headers of the project's compiler are
  std::string folder;                // where paths begin
};

struct described_function {
  nlohmann::json function;
  nlohmann::json types;
  nlohmann::json input;  // null without one
  std::string header;    // its file
};

/// An error names what Clang says of the header, or which functions there are.
tl::expected<described_function, std::string> ask_header(const header_question& question);

/// Which of these sources define a function of that name.
std::vector<bool> ask_who_defines(const std::string& name, const std::vector<std::string>& sources,
                                  const std::vector<std::vector<std::string>>& flags,
                                  const std::vector<std::string>& options, const std::string& folder);

struct function_sources {
  std::string function{};              // without its namespaces
  std::vector<std::string> sources{};  // that may define it
  std::vector<std::vector<std::string>> flags{};
  std::vector<std::string> options{};  // as header_question has them
  std::string root{};                  // of the project: functions elsewhere are not read
};

/// The texts of the conditions in functions of that name, and the values of their `case`s. None where Clang cannot read
/// them.
std::vector<std::string> ask_conditions(const function_sources& of);

/// What the sources call, as the task "recipes" writes it; none where Clang cannot read them.
std::vector<nlohmann::json> ask_recipes(const function_sources& of);

/// What Clang says against the text of a source that is to stand at `file`; empty if nothing.
std::string errors_of_source(const std::filesystem::path& file, const std::string& text,
                             const std::vector<std::string>& flags, const std::vector<std::string>& options);

}  // namespace morph::source_reader
