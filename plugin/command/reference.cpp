// morph reference
#include "plugin/reference/reference.hpp"

#include <fmt/format.h>

#include "plugin/command/description.hpp"
#include "plugin/command/options.hpp"

namespace morph::command {

action add_reference(CLI::App& app, const common_options&) {
  return [&app] {
    // It has no options of its own: those that it takes are those of all.
    const reference::described_command all = description_of(*app.get_parent(), &app);
    fmt::print("{}", reference::as_markdown(options_of(app, nullptr), all.below));
    return contract::fine;
  };
}

}  // namespace morph::command
