// Options of morph spec state, and what it prints.
#include "plugin/command/spec_state.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "plugin/command/failed.hpp"
#include "plugin/scripting/state.hpp"

namespace morph::command {

int run_state(const build::build_tree& tree, std::vector<std::string> words, bool as_json) {
  std::string file;
  std::vector<std::string> pools;
  bool force = false;
  CLI::App app{
      "Keeps what experiments have left in one file: the pools in .morph/pools, the recorded scripts and\n"
      "the messages of plays in .morph/scripts, and the seed.",
      "morph spec state"};
  CLI::App* const save = app.add_subcommand("save", "Write all of it into a file");
  CLI::App* const load = app.add_subcommand("load", "Put it back; what else there is stays");
  CLI::App* const clear = app.add_subcommand("clear", "Remove all of it");
  for (CLI::App* each : {save, load}) each->add_option("file", file, "The file")->type_name("FILE")->required();
  save->add_option("--pool", pools, "A pool that lies elsewhere in the project, too; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->take_all();
  load->add_flag("--force", force, "Replace what is there and differs");
  clear->add_flag("--force", force, "Do it; else what would go is only listed");
  for (CLI::App* each : {save, load, clear}) each->add_flag("--json", as_json, "Print JSON for scripts");
  app.require_subcommand(1);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(std::move(words));
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? contract::fine : contract::usage;
  }
  const auto kept = save->parsed()   ? scripting::save_state(tree, file, pools)
                    : load->parsed() ? scripting::load_state(tree, file, force)
                                     : scripting::clear_state(tree, force);
  if (!kept) return failed(kept.error());
  if (as_json)
    fmt::print("{}\n", scripting::as_json(*kept, save->parsed() ? "saved" : load->parsed() ? "loaded" : "cleared"));
  else
    fmt::print("{}: {}\n", save->parsed() ? "saved" : load->parsed() ? "loaded" : "removed", scripting::as_text(*kept));
  return contract::fine;
}

}  // namespace morph::command
