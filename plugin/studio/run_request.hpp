// The body of POST /api/runs, checked, and the command line that it becomes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "plugin/studio/settings.hpp"
#include "plugin/system/result.hpp"

namespace morph::studio {

struct run_request {
  std::vector<std::string> arguments;  // of `morph`: a subcommand that may be started, and what follows; or of ctest
  bool as_json = true;
  bool is_recorded = true;  // becomes a step of a script that is being recorded

  bool is_ctest() const { return arguments.front() == "ctest"; }
};

/// {"arguments":["plan","--reasons"]}, with "json":false for what is to print text, and "recorded":false for what a
/// page asks by itself. The error says what is wrong with the body.
result<run_request> read_run_request(std::string_view body, const settings& of);

/// What a user types for it, with the options that `morph studio` got itself.
std::string typed_line(const run_request& asked, const settings& of);

/// The words of the process: the build tree, JSON and progress are added where the request does not name them. ctest
/// gets its folder alone.
std::vector<std::string> started_words(const run_request& asked, const settings& of, int progress);

}  // namespace morph::studio
