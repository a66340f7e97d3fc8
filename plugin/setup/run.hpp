// What `morph init` does.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "plugin/setup/embedded.hpp"
#include "plugin/setup/proposal.hpp"
#include "plugin/system/result.hpp"

namespace morph::setup {

struct request {
  std::string folder = ".";  // the project's top folder
  std::string build{};       // the build tree; empty: the newest one in the folder
  std::string ci{};          // the service whose recipe is written, unless its file is there
  std::string editor{};      // the same of an editor's tasks
  bool write = false;        // the lines that are offered
  bool adopt = false;        // one line for all tests is offered
};

/// Of a service or an editor, if one was asked for.
struct placed_recipe {
  const recipe* of = nullptr;
  bool is_written = false;  // else its file was there
};

/// What was found and done.
struct init_report {
  std::filesystem::path source;
  std::string build;  // the build tree that was read; empty: none
  std::optional<proposal> offer;
  std::string no_offer;  // why there is none
  std::string diff;
  bool written = false;
  placed_recipe ci{};
  placed_recipe editor{};
};

/// Reads the project and offers lines; changes nothing that was not asked for.
result<init_report> run(const request& asked);

/// Schema morph.init/1, with an end of line.
std::string as_json(const init_report& r);
/// For people.
std::string as_text(const init_report& r);

}  // namespace morph::setup
