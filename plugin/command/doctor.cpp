// morph doctor
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <nlohmann/json.hpp>

#include "plugin/command/workspace.hpp"
#include "plugin/project/process.hpp"

namespace morph::command {
namespace {

using nlohmann::json;

struct check {
  std::string what;
  bool good = false;
  std::string detail;
};

int run_doctor(const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  std::vector<check> checks;
  checks.push_back({"build tree", tree->instrument.empty(),
                    fmt::format("{}, {}, {} suites", tree->binary_dir.string(), tree->generator, tree->suites.size())});
  const std::string compiler = json::parse(tree->configuration, nullptr, false).value("compiler", "");
  const bool measurable = compiler.starts_with("GNU 11.") || compiler.starts_with("GNU 12.");
  checks.push_back(
      {"compiler", measurable,
       compiler + (measurable ? "" : ": not measurable in this version (GCC 11 and 12 are); everything runs")});

  const auto repo = project::repository::open(tree->source_dir);
  const auto head = repo ? repo->head() : tl::unexpected(repo.error());
  checks.push_back({"git", head.has_value(),
                    head ? head->commit.substr(0, 10) + (head->dirty ? ", uncommitted changes" : "") : head.error()});

  for (const listed_suite& suite : list_suites(*tree))
    for (const auto& program : suite.programs)
      checks.push_back({"suite " + suite.declared->name, program.how == project::listed_program::state::listed,
                        program.message.empty() ? fmt::format("{} cases", program.cases.size()) : program.message});

  const std::string path = store_path(*tree, repo ? &*repo : nullptr);
  auto evidence = store::evidence_store::open_for_reading(path);
  const bool there = evidence && *evidence;
  checks.push_back({"evidence", there,
                    there      ? path
                    : evidence ? path + ": nothing was measured yet; run `morph measure`"
                               : evidence.error()});

  const bool all_good = std::all_of(checks.begin(), checks.end(), [](const check& c) { return c.good; });
  if (common.json) {
    json list = json::array();
    for (const check& c : checks) list.push_back({{"check", c.what}, {"good", c.good}, {"detail", c.detail}});
    fmt::print("{}\n", json{{"schema", "morph.doctor/1"}, {"checks", list}}.dump(1));
  } else {
    for (const check& c : checks) fmt::print("{:<8} {:<14} {}\n", c.good ? "good" : "PROBLEM", c.what, c.detail);
  }
  return all_good ? fine : finding;
}

}  // namespace

action add_doctor(CLI::App&, const common_options& common) {
  return [&common] { return run_doctor(common); };
}

}  // namespace morph::command
