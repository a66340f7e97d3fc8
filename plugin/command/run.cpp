// morph run: what ctest executes for Morph's own entries.
#include <fmt/format.h>

#include <memory>

#include "plugin/command/command.hpp"

namespace morph::command {

action add_run(CLI::App& app, const common_options&) {
  auto note = std::make_shared<std::string>();
  app.add_option("--note", *note, "Print this text: the entry <suite>.plan reports the selection")->required();
  return [note] {
    fmt::print("{}\n", *note);
    return fine;
  };
}

}  // namespace morph::command
