// morph report html: all that studio shows, as a page that needs no server.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include "plugin/command/failed.hpp"
#include "plugin/command/options.hpp"
#include "plugin/command/studio_settings.hpp"
#include "plugin/command/terminal.hpp"
#include "plugin/offline/assemble.hpp"
#include "plugin/offline/collect.hpp"
#include "plugin/offline/write.hpp"
#include "plugin/system/process.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;

struct html_arguments {
  std::string output;
  double split_above = 20;  // MB
};

int run_report_html(const html_arguments& arguments, const common_options& common) {
  const auto tree = open_build_tree(common, true);
  if (!tree) return contract::environment;
  const studio::settings of = studio_settings(*tree, common);
  terminal told(!common.quiet);
  const offline::collected found = offline::collect(of, offline::by_own_program(of), {}, told);
  if (system::interrupted()) return failed(contract::environment, "interrupted; nothing was written");
  if (!found.left_out.empty())
    told.warn(
        fmt::format("{} sources are not in the report, which has 64 MiB of them at most, and none above 4 MiB: "
                    "'{}' is the first",
                    found.left_out.size(), found.left_out.front()));
  const fs::path file(arguments.output);
  std::error_code ignored;
  const bool may_split = !fs::exists(file, ignored) || fs::is_regular_file(file, ignored);
  const auto longest = static_cast<std::size_t>(arguments.split_above * 1e6);
  const offline::assembled made =
      offline::assemble(found, {.version = MORPH_VERSION,
                                .repository = of.repository.string(),
                                .build = of.build.string(),
                                .at = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                                .stem = offline::stem_of(file),
                                .longest = may_split ? longest : std::string::npos});
  if (const auto written = offline::write(made, file); !written) return failed(contract::environment, written.error());
  if (!made.parts.empty())
    told.warn(fmt::format("the report has more than {:g} MB: '{}' to '{}' have a part of it, and belong beside '{}'",
                          arguments.split_above, made.parts.front().name, made.parts.back().name,
                          file.filename().string()));
  if (common.json) fmt::print("{}", offline::as_json(made, found, file));
  return contract::fine;
}

constexpr const char* html_footer =
    "Takes --build, --config, --json, --quiet and --verbose as every command does.\n"
    "The screens of `morph studio` with what the same commands print now: plan, tests, coverage, mutants, specs, "
    "history.\n"
    "Nothing is measured or judged; a screen whose evidence is missing says so. One file, which any browser opens "
    "from\n"
    "the disk, without server and network. Above the size of --split-above a warning says so, and sources and large\n"
    "documents go into scripts beside the page, report.1.js and so on, which the page loads when a screen needs them.\n"
    "Sources are those that the coverage names, as they are now: 64 MiB of them at most. Examples:\n"
    "  morph report html -o report.html\n"
    "  morph report html -o report.html --json | jq .bytes";

}  // namespace

std::pair<CLI::App*, action> add_report_html(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<html_arguments>();
  CLI::App* made = app.add_subcommand("html", "All that studio shows, as a page that needs no server");
  made->footer(html_footer);
  made->fallthrough();
  made->add_option("-o,--output", arguments->output, "Write it there")->type_name("FILE")->required();
  made->add_option("--split-above", arguments->split_above, "The largest page without files beside it")
      ->type_name("MB")
      ->check(CLI::Range(0.001, 1e6).description(""))
      ->capture_default_str();
  return {made, [arguments, &common] { return run_report_html(*arguments, common); }};
}

}  // namespace morph::command
