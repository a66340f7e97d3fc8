// morph store
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/store/text.hpp"
#include "plugin/system/result.hpp"
#include "plugin/workspace/garbage.hpp"
#include "plugin/workspace/merging.hpp"
#include "plugin/workspace/opened.hpp"
#include "plugin/workspace/sound_store.hpp"
#include "plugin/workspace/store_contents.hpp"
#include "plugin/workspace/store_history.hpp"

namespace morph::command {
namespace {

struct export_arguments {
  std::string output;  // empty = standard output
  bool without_times = false;
};

/// The store that --store names or that of the build tree. An error says what to do.
result<std::string> named_store(const std::string& file, const common_options& common) {
  if (!file.empty()) return file;
  const auto tree = open_build_tree(common);
  if (!tree) return tl::unexpected(std::string("name the store with --store FILE"));
  const auto repo = git::repository::open(tree->source_dir);
  return workspace::store_path(*tree, repo ? &*repo : nullptr);
}

int export_store(const std::string& path, const export_arguments& arguments) {
  auto opened = workspace::open_sound(path);
  if (!opened) return failed(contract::environment, opened.error());
  std::FILE* out = arguments.output.empty() ? stdout : std::fopen(arguments.output.c_str(), "w");
  if (out == nullptr) return failed(contract::environment, fmt::format("'{}' cannot be written", arguments.output));
  bool written = true;
  const auto write = [&](const std::string& line) {
    written = written && std::fwrite(line.data(), 1, line.size(), out) == line.size() && std::fputc('\n', out) != EOF;
  };
  write(nlohmann::json{{"schema", contract::export_schema}}.dump());
  const auto printed = store::write_text(*opened, {!arguments.without_times}, write);
  written = (out == stdout ? std::fflush(out) : std::fclose(out)) == 0 && written;
  if (!printed) return failed(contract::environment, printed.error());
  if (!written)
    return failed(contract::environment, fmt::format("'{}' could not be written to its end",
                                                     arguments.output.empty() ? "standard output" : arguments.output));
  return contract::fine;
}

template <typename Value>
int tell(const result<Value>& done, const common_options& common) {
  if (!done) return failed(contract::environment, done.error());
  fmt::print("{}", common.json ? as_json(*done) : as_text(*done));
  return contract::fine;
}

}  // namespace

action add_store(CLI::App& app, const common_options& common) {
  auto file = std::make_shared<std::string>();
  app.add_option("--store", *file, "The store (default: that of the build tree)")->type_name("FILE");
  CLI::App* info = app.add_subcommand("info", "What was measured, when, of which commits");
  CLI::App* history = app.add_subcommand("history", "What runs have found: verdicts, times, flaky tests, audits");
  CLI::App* verify = app.add_subcommand("verify", "Read everything and check it; exit code 1 if something is wrong");
  CLI::App* merge = app.add_subcommand(
      "merge", "One store of several: measurements of the same content become one. The order does not matter");
  auto from = std::make_shared<std::vector<std::string>>();
  auto into = std::make_shared<std::string>();
  merge->add_option("from", *from, "Stores")->type_name("FILE")->required();
  merge
      ->add_option("--into", *into, "The store that gets them, made if it is missing (default: that of the build tree)")
      ->type_name("FILE");
  CLI::App* text = app.add_subcommand("export", "Print everything as JSON lines, by names and in one order");
  auto printed = std::make_shared<export_arguments>();
  text->add_option("--output", printed->output, "Where to (default: standard output)")->type_name("FILE");
  text->add_flag("--without-times", printed->without_times,
                 "Leave out what differs when the same is measured twice: times, commits, verdicts");
  CLI::App* gc = app.add_subcommand("gc", "Remove measurements that no plan can use any more");
  auto garbage = std::make_shared<workspace::garbage_request>();
  gc->add_option("--ref", garbage->references, "Keep what these revisions reach (default: HEAD, all branches and tags)")
      ->type_name("REV");
  gc->add_option("--keep", garbage->keep, "Keep this many of each configuration in any case, the newest")
      ->type_name("N")
      ->capture_default_str();
  gc->add_option("--within", garbage->within, "Of what they reach, only this many commits back (default: all)")
      ->type_name("COMMITS");
  gc->add_flag("--dry-run", garbage->dry_run, "Only say what would go");
  app.require_subcommand(1);
  for (CLI::App* sub : {info, history, verify, merge, text, gc}) sub->fallthrough();
  return [=, &common]() -> int {
    const auto path = named_store(merge->parsed() && !into->empty() ? *into : *file, common);
    if (!path) return failed(contract::environment, path.error());
    if (merge->parsed()) return tell(workspace::merge_stores(*from, *path), common);
    if (text->parsed()) return export_store(*path, *printed);
    if (gc->parsed()) {
      garbage->build = common.build;
      return tell(workspace::collect_garbage(*path, *garbage), common);
    }
    if (info->parsed()) return tell(workspace::contents_of(*path), common);
    if (history->parsed()) return tell(workspace::history_of(*path), common);
    const auto found = workspace::findings_in(*path);
    const int code = tell(found, common);
    return found && !found->findings.empty() ? contract::finding : code;
  };
}

}  // namespace morph::command
