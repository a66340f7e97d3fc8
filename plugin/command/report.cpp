// morph report coverage; morph report mutation stands in report_mutation.cpp.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>

#include "plugin/build/build_tree.hpp"
#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/git/line_map.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/report/answers.hpp"
#include "plugin/report/output.hpp"
#include "plugin/report/tracefiles.hpp"
#include "plugin/system/files.hpp"
#include "plugin/workspace/baseline.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using git::file_change;
using git::line_range;

struct report_arguments {
  std::string format = "text";
  std::string output;  // empty = standard output
  std::vector<std::string> only, without;
  std::string test, line, revision;  // one question at most
  bool approximate = false;
};

/// The lines of files as they stand now.
class work_tree_text {
 public:
  explicit work_tree_text(fs::path root) : root_(std::move(root)) {}

  const std::vector<std::string>& lines(const std::string& path) {
    const auto [at, added] = files_.try_emplace(path);
    if (added) {
      const auto content = system::read_file(root_ / path);
      std::istringstream text(content ? *content : std::string());
      for (std::string line; std::getline(text, line);) at->second.push_back(std::move(line));
    }
    return at->second;
  }
  /// Without blanks around it.
  std::string line(const std::string& path, std::uint32_t number) {
    const auto& all = lines(path);
    if (number == 0 || number > all.size()) return {};
    const std::string& text = all[number - 1];
    const auto first = text.find_first_not_of(" \t\r");
    return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
  }

 private:
  fs::path root_;
  std::map<std::string, std::vector<std::string>> files_;
};

/// What every form of the report is made from.
struct reporting {
  git::repository repo;
  selection::file_kinds kinds;
  std::function<bool(const std::string&)> wanted;
  report::coverage coverage;
  report::origin from;
};

result<reporting> make_reporting(const build::build_tree& tree, const report_arguments& arguments) {
  workspace::surroundings around = workspace::open_surroundings(tree);
  if (!around.missing.empty()) return tl::unexpected(around.missing);
  selection::file_kinds kinds(around.repo->root(), tree.ignore);
  auto found =
      workspace::find_baseline(tree, *around.repo, *around.evidence, kinds, {},
                               arguments.approximate || std::getenv(contract::approximate_variable) != nullptr);
  if (!found) return tl::unexpected(found.error());

  reporting r{*around.repo,
              kinds,
              report::filter_of(arguments.only, arguments.without),
              report::make_coverage(found->facts),
              {}};
  report::follow_changes(r.coverage, found->changes);
  r.from = {found->commit, found->distance, found->facts.info.complete, {}, {}};
  for (const git::file_change& change : found->changes)
    if (kinds.kind_of(change.path) != selection::file_kind::ignored || r.coverage.find(change.path) != nullptr)
      r.from.changed.push_back(change.path);
  const auto& without_counters = r.coverage.without_counters;
  for (const std::string& path : r.repo.tracked_files())
    if (kinds.kind_of(path) == selection::file_kind::source && r.coverage.find(path) == nullptr &&
        !std::binary_search(without_counters.begin(), without_counters.end(), path) && r.wanted(path))
      r.from.in_no_program.push_back(path);
  report::keep_files(r.coverage, r.wanted);
  return r;
}

/// FILE as seen from where we are, else from the top of the repository.
std::string path_in_repository(const reporting& r, const std::string& file) {
  std::error_code error;
  const std::string from_here = r.repo.name_of(fs::absolute(file, error));
  return from_here.empty() || !fs::exists(r.repo.root() / from_here, error) ? fs::path(file).lexically_normal().string()
                                                                            : from_here;
}

struct named_line {
  std::string path;
  std::uint32_t line = 0;
};
result<named_line> parse_line(const reporting& r, const std::string& text) {
  const auto colon = text.rfind(':');
  named_line named;
  if (colon != std::string::npos && colon > 0) {
    const char* end = text.data() + text.size();
    const auto [behind, error] = std::from_chars(text.data() + colon + 1, end, named.line);
    if (error != std::errc() || behind != end) named.line = 0;
  }
  if (named.line == 0)
    return tl::unexpected(fmt::format("'{}' does not name a line; write FILE:LINE, for example src/area.cpp:12", text));
  named.path = path_in_repository(r, text.substr(0, colon));
  std::error_code error;
  if (!fs::exists(r.repo.root() / named.path, error))
    return tl::unexpected(fmt::format("there is no file '{}', neither here nor from the top of the repository, '{}'",
                                      text.substr(0, colon), r.repo.root().string()));
  const std::size_t lines = work_tree_text(r.repo.root()).lines(named.path).size();
  if (named.line > lines)
    return tl::unexpected(fmt::format("'{}' has {} lines, there is no line {}", named.path, lines, named.line));
  return named;
}

std::vector<report::changed_lines> changed_since(const reporting& r, const std::vector<git::file_change>& changes,
                                                 work_tree_text& texts) {
  std::vector<report::changed_lines> changed;
  for (const git::file_change& change : changes) {
    const bool counts =
        r.coverage.find(change.path) != nullptr || r.kinds.kind_of(change.path) == selection::file_kind::source;
    if (!counts || change.how == git::file_change::kind::deleted || !r.wanted(change.path)) continue;
    report::changed_lines lines{change.path, {}, change.binary || change.submodule};
    if (change.how == git::file_change::kind::added) {
      if (const auto all = texts.lines(change.path).size(); all > 0)
        lines.lines = {line_range{1, static_cast<std::uint32_t>(all)}};
    } else if (!lines.whole) {
      lines.lines = git::line_map(change.hunks).new_lines();
    }
    changed.push_back(std::move(lines));
  }
  return changed;
}

/// A text and an exit code.
struct answer {
  std::string text;
  contract::exit_code code = contract::fine;
};
using answered = tl::expected<answer, std::string>;

answered answer_test(const reporting& r, const std::string& name, bool as_json) {
  const auto tests = report::find_tests(r.coverage, name);
  if (tests.empty())
    return tl::unexpected(fmt::format(
        "the measurement has no test '{}'; `ctest -N` lists the tests, `morph measure` measures new ones", name));
  return answer{as_json ? report::tests_as_json(r.coverage, r.from, tests)
                        : report::tests_as_text(r.coverage, r.from, tests)};
}

answered answer_line(const reporting& r, const std::string& text, bool as_json) {
  const auto named = parse_line(r, text);
  if (!named) return tl::unexpected(named.error());
  const report::line_answer found = report::ask_line(r.coverage, named->path, named->line);
  return answer{as_json ? report::line_as_json(r.coverage, r.from, found)
                        : report::line_as_text(r.coverage, r.from, found)};
}

answered answer_diff(const reporting& r, const std::string& revision, bool as_json) {
  const auto start = r.repo.nearest(revision, [](const std::string&) { return true; });
  if (!start) return tl::unexpected(start.error());
  const auto changes =
      r.repo.changes_since((*start)->tree, {}, [&](const std::string& path) { return r.kinds.counts_untracked(path); });
  if (!changes) return tl::unexpected(changes.error());
  work_tree_text texts(r.repo.root());
  const auto text_at = [&](const std::string& path, std::uint32_t line) { return texts.line(path, line); };
  report::diff_coverage diff =
      report::make_diff(r.coverage, changed_since(r, *changes, texts),
                        [&](const auto& path, std::uint32_t line) { return text_at(path, line).empty(); });
  diff.revision = revision;
  diff.commit = (*start)->commit;
  return answer{as_json ? report::diff_as_json(r.coverage, r.from, diff)
                        : report::diff_as_text(r.coverage, r.from, diff, text_at),
                diff.totals().has_findings() ? contract::finding : contract::fine};
}

int run_report(const report_arguments& arguments, const common_options& common) {
  const bool as_json = common.json || arguments.format == "json";
  const bool is_tracefile = arguments.format == "lcov" || arguments.format == "gcovr";
  const bool is_question = !arguments.test.empty() || !arguments.line.empty() || !arguments.revision.empty();
  if (is_tracefile && (common.json || is_question)) {
    spdlog::error("--format {} is a form of the whole report; leave out {}", arguments.format,
                  common.json ? "--json" : "--per-test, --line and --diff");
    return contract::usage;
  }
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  const auto made = make_reporting(*tree, arguments);
  if (!made) {
    spdlog::error("{}", made.error());
    return contract::environment;
  }
  const reporting& r = *made;
  if (r.coverage.files.empty()) {
    spdlog::error("no measured file is left by --only and --without; without them the report lists the files");
    return contract::usage;
  }

  answered result = answer{};
  if (!arguments.test.empty())
    result = answer_test(r, arguments.test, as_json);
  else if (!arguments.line.empty())
    result = answer_line(r, arguments.line, as_json);
  else if (!arguments.revision.empty())
    result = answer_diff(r, arguments.revision, as_json);
  else if (!is_tracefile)
    result->text = as_json ? report::coverage_as_json(r.coverage, r.from) : report::summary_as_text(r.coverage, r.from);
  if (!result) {
    spdlog::error("{}", result.error());
    return contract::usage;
  }

  auto out = report::output::open(arguments.output);
  if (!out) {
    spdlog::error("{}", out.error());
    return contract::environment;
  }
  const auto write = [&](std::string_view text) { out->write(text); };
  if (is_tracefile && !common.quiet)
    for (const std::string& note : report::notes_on(r.coverage, r.from)) fmt::print(stderr, "morph: {}\n", note);
  if (arguments.format == "lcov")
    report::write_lcov(r.coverage, r.repo.root().string(), write);
  else if (arguments.format == "gcovr")
    report::write_gcovr(r.coverage, write);
  else
    write(result->text);
  if (auto written = out->close(); !written) {
    spdlog::error("{}", written.error());
    return contract::environment;
  }
  return result->code;
}

constexpr const char* coverage_footer =
    "Takes --build, --config, --json, --quiet and --verbose as every command does.\n"
    "Reads the measurement that `morph plan` starts from; nothing is run. Lines stand where the work tree has them; "
    "of\n"
    "those that changed since they were measured nothing is known, and the report says so. Exit code 1: --diff found "
    "a\n"
    "changed line that no test is known to run. Examples:\n"
    "  morph report coverage\n"
    "  morph report coverage --without 'tests/'\n"
    "  morph report coverage --line src/area.cpp:12       # which tests run this line\n"
    "  morph report coverage --per-test Area.OfSquare\n"
    "  morph report coverage --diff $(git merge-base origin/main HEAD)\n"
    "  morph report coverage --format lcov -o coverage.info && genhtml --show-details coverage.info -o html\n"
    "  morph report coverage --format gcovr -o coverage.json && gcovr -a coverage.json --html-details coverage.html\n"
    "  morph report coverage --json | jq .totals";

}  // namespace

action add_report(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<report_arguments>();
  CLI::App* coverage =
      app.add_subcommand("coverage", "Which lines, branches, conditions and functions the measured tests execute");
  coverage->footer(coverage_footer);
  coverage->fallthrough();
  app.require_subcommand(1);
  const auto [mutation, report_mutation] = add_report_mutation(app, common);
  coverage->add_option("--format", arguments->format, "The form of the whole report")
      ->check(CLI::IsMember({"text", "json", "lcov", "gcovr"}))
      ->capture_default_str();
  coverage->add_option("-o,--output", arguments->output, "Write it there (default: standard output)")
      ->type_name("FILE");
  CLI::Option* only = coverage->add_option("--only", arguments->only, "Only files that match")
                          ->type_name("GLOB")
                          ->allow_extra_args(false);
  CLI::Option* without = coverage->add_option("--without", arguments->without, "Leave out files that match")
                             ->type_name("GLOB")
                             ->allow_extra_args(false);
  coverage->add_flag("--approximate", arguments->approximate,
                     "Use what was measured with isolation none too (default: MORPH_APPROXIMATE)");
  CLI::Option* test = coverage->add_option("--per-test", arguments->test, "What this test executes")->type_name("TEST");
  CLI::Option* line = coverage
                          ->add_option("--line", arguments->line,
                                       "Which tests execute this line, take its branches and see its terms decide")
                          ->type_name("FILE:LINE");
  CLI::Option* diff = coverage
                          ->add_option("--diff", arguments->revision,
                                       "Which lines that changed since this revision no test is known to execute")
                          ->type_name("REVISION");
  test->excludes(line)->excludes(diff);
  line->excludes(diff)->excludes(only)->excludes(without);
  return [=, mutation = mutation, report_mutation = report_mutation, &common] {
    return mutation->parsed() ? report_mutation() : run_report(*arguments, common);
  };
}

}  // namespace morph::command
