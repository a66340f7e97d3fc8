// morph store: info and verify; the rest stands in store_merge.cpp.
#include "plugin/store/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plugin/command/options.hpp"
#include "plugin/command/store_merge.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/formats.hpp"
#include "plugin/workspace/watched_files.hpp"

namespace morph::command {
namespace {

using nlohmann::json;

struct opened_store {
  std::string path;
  std::optional<store::evidence_store> evidence;
};

result<opened_store> open_store(const std::string& file, const common_options& common) {
  opened_store opened;
  auto path = named_store(file, common);
  if (!path) return tl::unexpected(path.error());
  opened.path = std::move(*path);
  auto evidence = store::evidence_store::open_for_reading(opened.path);
  if (!evidence) return tl::unexpected(evidence.error());
  opened.evidence = std::move(*evidence);
  return opened;
}

int print_info(opened_store& opened, const common_options& common) {
  std::vector<store::measurement_info> measurements;
  std::uintmax_t bytes = 0;
  if (opened.evidence) {
    auto read = opened.evidence->measurements();
    if (!read) {
      spdlog::error("{}", read.error());
      return contract::environment;
    }
    measurements = std::move(*read);
    std::error_code error;
    bytes = std::filesystem::file_size(opened.path, error);
  }
  json list = json::array();
  std::string text = opened.evidence
                         ? fmt::format("{}: {} bytes, {} measurements\n", opened.path, bytes, measurements.size())
                         : fmt::format("{}: not there yet; `morph measure` makes it\n", opened.path);
  for (const auto& m : measurements) {
    const auto facts = opened.evidence->load(m.id);
    if (!facts) {
      spdlog::error("{}", facts.error());
      return contract::environment;
    }
    std::size_t tests = 0, measured = 0, incomplete = 0;
    for (const auto& t : facts->tests) {
      tests += t.is_startup() ? 0 : 1;
      measured += !t.is_startup() && t.measured ? 1 : 0;
      incomplete += !t.is_startup() && t.measured && t.is_doubtful() ? 1 : 0;
    }
    const std::string when = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(m.created)));
    list.push_back({{"id", m.id},
                    {"commit", m.taken_from.commit},
                    {"dirty", workspace::has_uncommitted_changes(m.taken_from)},
                    {"complete", m.complete},
                    {"created", when},
                    {"tests", tests},
                    {"measured", measured},
                    {"incomplete", incomplete},
                    {"classes", facts->classes.size()},
                    {"configuration", json::parse(m.configuration, nullptr, false)}});
    text +=
        fmt::format("  {} {}{}: {} of {} tests, {} incomplete, {} classes{}\n", when, m.taken_from.commit.substr(0, 10),
                    workspace::has_uncommitted_changes(m.taken_from) ? " + uncommitted changes" : "", measured, tests,
                    incomplete, facts->classes.size(), m.complete ? "" : " (interrupted)");
  }
  if (common.json)
    fmt::print(
        "{}\n",
        json{{"schema", contract::store_schema}, {"path", opened.path}, {"bytes", bytes}, {"measurements", list}}.dump(
            1));
  else
    fmt::print("{}", text);
  return contract::fine;
}

int print_verification(opened_store& opened, const common_options& common) {
  std::vector<std::string> findings;
  if (opened.evidence) {
    auto found = opened.evidence->verify();
    if (!found) {
      spdlog::error("{}", found.error());
      return contract::environment;
    }
    findings = std::move(*found);
  }
  if (common.json) {
    fmt::print("{}\n",
               json{{"schema", contract::verify_schema}, {"path", opened.path}, {"findings", findings}}.dump(1));
  } else {
    for (const std::string& line : findings) fmt::print("{}\n", line);
    fmt::print("{}: {}\n", opened.path, findings.empty() ? "sound" : fmt::format("{} findings", findings.size()));
  }
  return findings.empty() ? contract::fine : contract::finding;
}

}  // namespace

action add_store(CLI::App& app, const common_options& common) {
  auto file = std::make_shared<std::string>();
  app.add_option("--store", *file, "The store (default: that of the build tree)")->type_name("FILE");
  CLI::App* info = app.add_subcommand("info", "What was measured, when, of which commits");
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
  auto garbage = std::make_shared<gc_arguments>();
  gc->add_option("--ref", garbage->references, "Keep what these revisions reach (default: HEAD, all branches and tags)")
      ->type_name("REV");
  gc->add_option("--keep", garbage->keep, "Keep this many of each configuration in any case, the newest")
      ->type_name("N")
      ->capture_default_str();
  gc->add_option("--within", garbage->within, "Of what they reach, only this many commits back (default: all)")
      ->type_name("COMMITS");
  gc->add_flag("--dry-run", garbage->dry_run, "Only say what would go");
  app.require_subcommand(1);
  for (CLI::App* sub : {info, verify, merge, text, gc}) sub->fallthrough();
  return [=, &common]() -> int {
    if (merge->parsed() || text->parsed() || gc->parsed()) {
      const auto path = named_store(merge->parsed() && !into->empty() ? *into : *file, common);
      if (!path) {
        spdlog::error("{}", path.error());
        return contract::environment;
      }
      if (merge->parsed()) return merge_stores(*from, *path, common);
      return gc->parsed() ? collect_garbage(*path, *garbage, common) : export_store(*path, *printed, common);
    }
    auto opened = open_store(*file, common);
    if (!opened) {
      spdlog::error("{}", opened.error());
      return contract::environment;
    }
    return verify->parsed() ? print_verification(*opened, common) : print_info(*opened, common);
  };
}

}  // namespace morph::command
