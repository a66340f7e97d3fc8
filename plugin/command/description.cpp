// Reads names, options and footers back from CLI11.
#include "plugin/command/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace morph::command {
namespace {

std::string spelling(const CLI::Option* option) {
  std::string text = option->get_positional() ? option->get_name() : option->get_name(false, true);
  std::string type = option->get_type_name();
  if (type.starts_with("TEXT:")) type = type.substr(5);
  if (option->get_items_expected_max() > 0 && !option->get_positional()) text += " " + type;
  return text;
}

std::vector<const CLI::App*> below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App*) { return true; });
}

}  // namespace

/// Groups of options are commands without a name to CLI11.
std::vector<reference::described_option> options_of(const CLI::App& command, const CLI::App* known) {
  std::vector<reference::described_option> options;
  for (const CLI::Option* option : command.get_options()) {
    if (option->get_group().empty() || option->get_name() == "--help") continue;
    if (known != nullptr && known->get_option_no_throw(option->get_name()) != nullptr) continue;
    std::string what = option->get_description();
    if (!option->get_default_str().empty()) what += fmt::format(" (default: {})", option->get_default_str());
    if (option->get_required()) what += " (required)";
    options.push_back({spelling(option), what});
  }
  for (const CLI::App* group : below(command))
    if (group->get_name().empty()) std::ranges::copy(options_of(*group, known), std::back_inserter(options));
  return options;
}

reference::described_command description_of(const CLI::App& command, const CLI::App* known) {
  reference::described_command made{command.get_name(), command.get_description(), command.get_footer(),
                                    options_of(command, known)};
  made.is_hidden = command.get_group().empty();
  for (const CLI::App* each : below(command))
    if (!each->get_name().empty()) made.below.push_back(description_of(*each, known));
  return made;
}

}  // namespace morph::command
