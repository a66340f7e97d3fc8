// morph init
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/setup/run.hpp"

namespace morph::command {

action add_init(CLI::App& app, const common_options& common) {
  auto asked = std::make_shared<setup::request>();
  std::vector<std::string> services, editors;
  for (const setup::recipe& known : setup::recipes()) services.emplace_back(known.service);
  for (const setup::recipe& known : setup::editor_tasks()) editors.emplace_back(known.service);
  app.add_option("folder", asked->folder, "The project's top folder")->type_name("DIR")->capture_default_str();
  app.add_option("--ci", asked->ci, "Write the recipe of this CI service, unless its file is there")
      ->check(CLI::IsMember(services));
  app.add_option("--editor", asked->editor, "Write tasks for this editor, unless its file is there")
      ->check(CLI::IsMember(editors));
  app.add_flag("--write", asked->write, "Apply the lines that are offered");
  app.add_flag("--adopt", asked->adopt, "Offer morph_adopt_tests(), one line for all tests, instead of suites");
  return [asked, &common]() -> int {
    asked->build = common.build;
    const auto done = setup::run(*asked);
    if (!done) return failed(contract::environment, done.error());
    fmt::print("{}", common.json ? setup::as_json(*done) : setup::as_text(*done));
    return contract::fine;
  };
}

}  // namespace morph::command
