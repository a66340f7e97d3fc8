// morph mutate
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "coverage/mutation/operator_table.hpp"
#include "plugin/command/mutate_report.hpp"
#include "plugin/command/mutate_run.hpp"
#include "plugin/command/mutate_sources.hpp"
#include "plugin/command/progress.hpp"
#include "plugin/command/workspace.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/framework.hpp"
#include "plugin/project/mirror.hpp"
#include "plugin/project/process.hpp"
#include "plugin/project/twin.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr int most_builds = 6;

struct mutate_arguments {
  unsigned jobs = 0;
  std::vector<std::string> operators;
  bool list_operators = false;
  std::optional<double> fail_under{};
};

double cpu_seconds(int of) {
  rusage used{};
  ::getrusage(of, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

double cpu_seconds() {
  return cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
}

/// The target whose object this is, as CMake names its folders.
std::string target_of(const compile_unit& unit) {
  const auto end = unit.object.find(".dir/");
  const auto folder = unit.object.rfind("CMakeFiles/", end);
  if (end == std::string::npos || folder == std::string::npos) return {};
  const auto begin = folder + std::string_view("CMakeFiles/").size();
  return unit.object.substr(begin, end - begin);
}

bool is_cxx(const std::string& file) {
  static const std::set<std::string> extensions{".cc", ".cpp", ".cxx", ".C", ".c++", ".CPP", ".cp", ".ipp"};
  return extensions.contains(fs::path(file).extension().string());
}

/// What is read, and what in the mirror is not mutated: sources of tests, and headers beside them.
struct chosen_sources {
  std::vector<compile_unit> units;
  std::vector<std::string> except;
};

chosen_sources choose_sources(const std::vector<compile_unit>& all, const project::build_tree& tree,
                              const fs::path& mirror) {
  const std::set<std::string> tests(tree.targets.begin(), tree.targets.end());
  std::set<fs::path> production_folders, test_folders;
  chosen_sources chosen;
  std::vector<compile_unit> of_tests;
  for (const compile_unit& unit : all) {
    if (!is_cxx(unit.file) || !unit.file.starts_with(mirror.string() + "/")) continue;
    const std::string target = target_of(unit);
    if (target.starts_with("_morph_")) continue;
    const fs::path folder = fs::path(unit.file).parent_path();
    if (tests.contains(target)) {
      of_tests.push_back(unit);
      test_folders.insert(folder);
      chosen.except.push_back(unit.file);
    } else {
      chosen.units.push_back(unit);
      production_folders.insert(folder);
    }
  }
  if (chosen.units.empty()) chosen.units = std::move(of_tests);  // headers alone
  for (const fs::path& folder : test_folders) {
    const bool holds_production = std::ranges::any_of(production_folders, [&](const fs::path& other) {
      return std::mismatch(folder.begin(), folder.end(), other.begin(), other.end()).first == folder.end();
    });
    if (!holds_production && folder != mirror) chosen.except.push_back(folder.string());
  }
  return chosen;
}

project::result<void> write_nodes(const fs::path& binary_dir, std::uint32_t nodes) {
  const fs::path path = binary_dir / ".morph" / "mutants" / "morph_nodes.h";
  const std::string text = fmt::format("#define MORPH_NODES {}\n", nodes);
  if (const auto now = project::read_file(path); now && *now == text) return {};
  return project::write_file_atomically(path, text);
}

mutant_program program_of(const project::suite& suite, const project::test_program& program) {
  mutant_program made;
  made.executable = program.executable.string();
  made.arguments = suite.extra_args;
  made.directory = suite.working_directory.string();
  if (const auto* framework = project::find_framework(suite.framework))
    for (const std::string& name : framework->variables) made.environment.emplace_back(name, std::nullopt);
  for (const std::string& entry : suite.environment) {
    const auto equals = std::min(entry.find('='), entry.size());
    made.environment.emplace_back(entry.substr(0, equals), entry.substr(std::min(equals + 1, entry.size())));
  }
  return made;
}

/// Why the tests of a suite cannot judge mutants; empty if they can.
std::string why_not(const project::suite& suite) {
  if (suite.is_adopted()) return "adopted tests cannot judge mutants yet";
  for (const auto& [name, value] : suite.properties)
    if (name == "WILL_FAIL" || name == "PASS_REGULAR_EXPRESSION" || name == "FAIL_REGULAR_EXPRESSION" ||
        name == "SKIP_RETURN_CODE")
      return fmt::format("tests with the property {} cannot judge mutants yet", name);
  return {};
}

class mutation_run {
 public:
  mutation_run(const project::build_tree& tree, const mutate_arguments& arguments, const common_options& common)
      : tree_(tree), arguments_(arguments), common_(common), at_(project::mutation_place_of(tree)) {
    limits_.jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
  }

  project::result<mutation_report> run() {
    if (auto made = make_sources(); !made) return tl::unexpected(made.error());
    if (auto built = build(); !built) return tl::unexpected(built.error());
    list_mutants();
    for (const project::suite& suite : twin_.suites) {
      for (const project::test_program& program : suite.programs) {
        if (project::interrupted()) return tl::unexpected(std::string("interrupted"));
        if (const std::string why = why_not(suite); !why.empty()) {
          report_.not_run.push_back(fmt::format("suite '{}': {}", suite.name, why));
          break;
        }
        if (auto judged = judge(suite, program); !judged) {
          spdlog::error("{}", judged.error());
          report_.not_run.push_back(judged.error());
          report_.is_whole = false;
        }
      }
    }
    finish();
    return std::move(report_);
  }

 private:
  void say(const std::string& what) const { spdlog::info("{}", what); }

  project::result<void> make_sources() {
    const double started = cpu_seconds();
    const fs::path state = tree_.own_dir() / "mutation";
    const auto list = project::read_file(state / "rewritten");
    std::map<std::string, std::optional<std::string>> replaced;
    if (list)
      for (std::size_t at = 0, end; at < list->size(); at = end + 1) {
        end = std::min(list->find('\n', at), list->size());
        replaced[list->substr(at, end - at)] = std::nullopt;
      }
    if (auto updated = project::update_mirror(tree_.source_dir, at_.source, {tree_.binary_dir}, replaced); !updated)
      return tl::unexpected(updated.error());
    if (!fs::exists(at_.binary / ".morph" / "mutants" / "morph_nodes.h"))
      if (auto written = write_nodes(at_.binary, 0); !written) return written;
    say(fmt::format("preparing the mutation twin in '{}'", at_.binary.string()));
    auto twin = project::configure_mutation_twin(tree_, {limits_.jobs, false});
    if (!twin) return tl::unexpected(twin.error());
    twin_ = std::move(*twin);
    const auto commands = read_compile_commands(at_.binary);
    if (!commands) return tl::unexpected(commands.error());
    chosen_sources chosen = choose_sources(*commands, tree_, at_.source);
    report_.cpu_prepare = cpu_seconds() - started;
    const double reading = cpu_seconds();
    source_request request{tree_.source_dir,
                           at_.source,
                           state,
                           std::move(chosen.units),
                           std::move(chosen.except),
                           arguments_.operators,
                           std::ranges::find(arguments_.operators, "xt") != arguments_.operators.end(),
                           tree_.compiler_path,
                           limits_.jobs};
    auto sources = read_sources(request, [&](const std::string& what) { say(what); });
    if (!sources) return tl::unexpected(sources.error());
    report_.sources = std::move(*sources);
    report_.cpu_sources = cpu_seconds() - reading;
    std::string names;
    for (const auto& file : report_.sources.files) names += file.path + '\n';
    return project::write_file_atomically(state / "rewritten", names);
  }

  project::result<void> build() {
    const double started = cpu_seconds();
    say("building the mutation twin");
    for (int round = 0;; ++round) {
      std::map<std::string, std::optional<std::string>> replaced;
      for (const auto& file : report_.sources.files) replaced[file.path] = file.rewritten().text;
      if (auto updated = project::update_mirror(tree_.source_dir, at_.source, {tree_.binary_dir}, replaced); !updated)
        return tl::unexpected(updated.error());
      if (auto written = write_nodes(at_.binary, report_.sources.nodes); !written) return written;
      const auto built = project::build_mutation_twin(tree_, {limits_.jobs, false});
      if (built) break;
      if (project::interrupted() || round == most_builds) return built;
      const auto log = project::read_file(at_.log);
      const std::size_t rejected = log ? drop_rejected(report_.sources, at_.source, *log) : 0;
      if (rejected == 0) return built;
      report_.rejected_by_compiler += rejected;
      say(fmt::format("{} mutants do not compile, and are left out", rejected));
    }
    report_.cpu_build = cpu_seconds() - started;
    return {};
  }

  void list_mutants() {
    for (std::size_t f = 0; f < report_.sources.files.size(); ++f) {
      const auto& file = report_.sources.files[f];
      for (std::uint32_t p = 0; p < file.places.places.size(); ++p)
        for (std::uint32_t k = 0; k < file.places.places[p].alternatives.size(); ++k)
          if (file.is_live(p, k)) {
            report_.mutants.push_back({f, p, k});
            judged_.push_back({file.first_node + p, k + 1, mutation::is_compared(file.places.places[p], k)});
          }
    }
  }

  project::result<void> judge(const project::suite& suite, const project::test_program& program) {
    const mutant_program what = program_of(suite, program);
    const double before = cpu_seconds();
    std::size_t steps = 0;
    progress bar(1, "tests", !common_.quiet);
    auto baseline = run_baseline(
        what, limits_, [](const std::string&) { return true; },
        [&] { bar.reach(++steps, "running tests without mutants"); });
    bar.clear();
    if (!baseline) return tl::unexpected(fmt::format("suite '{}': {}", suite.name, baseline.error()));
    for (const baseline_test& test : baseline->tests)
      report_.tests.push_back({test.name, test.usable ? std::string() : test.why_not});
    const double between = cpu_seconds();
    report_.cpu_baseline += between - before;
    progress mutants(judged_.size(), "mutants", !common_.quiet);
    auto judged = judge_mutants(what, *baseline, limits_, judged_, [&] { mutants.step("judging " + program.target); });
    mutants.clear();
    if (!judged) return tl::unexpected(fmt::format("suite '{}': {}", suite.name, judged.error()));
    report_.cpu_judge += cpu_seconds() - between;
    return {};
  }

  void finish() {
    for (std::size_t i = 0; i < judged_.size(); ++i) report_.mutants[i].verdict = std::move(judged_[i].verdict);
  }

  const project::build_tree& tree_;
  const mutate_arguments& arguments_;
  const common_options& common_;
  project::mutation_place at_;
  run_limits limits_;
  project::build_tree twin_;
  mutation_report report_;
  std::vector<judged_mutant> judged_;
};

int print_operators(const common_options& common) {
  nlohmann::json rows = nlohmann::json::array();
  for (const auto& op : mutation::operator_facts()) {
    if (common.json)
      rows.push_back({{"name", op.name}, {"summary", op.summary}, {"example", op.example}, {"default", op.by_default}});
    else
      fmt::print("{:<4} {:<75} {}{}\n", op.name, op.summary, op.example, op.by_default ? "" : " (not by default)");
  }
  if (common.json) fmt::print("{}\n", rows.dump());
  return fine;
}

int run_mutate(const mutate_arguments& given, const common_options& common) {
  if (given.list_operators) return print_operators(common);
  mutate_arguments arguments = given;
  const bool all = arguments.operators == std::vector<std::string>{"all"};
  if (arguments.operators.empty() || all) {
    arguments.operators.clear();
    for (const auto& op : mutation::operator_facts())
      if (all || op.by_default) arguments.operators.emplace_back(op.name);
  }
  for (const std::string& name : arguments.operators)
    if (mutation::find_operator_fact(name) == nullptr) {
      spdlog::error("there is no mutation operator '{}'; `morph mutate --list-operators` shows them", name);
      return usage;
    }
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return usage;
  }
  project::catch_interrupts();
  const auto lock = project::lock_file(tree->own_dir() / "mutate.lock", project::if_locked::refuse);
  if (!lock) {
    spdlog::error("{}; is another `morph mutate` at work in this build tree?", lock.error());
    return environment;
  }
  const auto started = clock::now();
  auto report = mutation_run(*tree, arguments, common).run();
  if (project::interrupted()) {
    spdlog::error("interrupted; run it again");
    return environment;
  }
  if (!report) {
    spdlog::error("{}", report.error());
    return environment;
  }
  report->seconds = std::chrono::duration<double>(clock::now() - started).count();
  const report::mutation_result result = result_of(*report, std::time(nullptr));
  const std::string as_json = report::mutation_as_json(result);
  fmt::print("{}", common.json ? as_json : report::mutation_as_text(result, common.verbose));
  if (auto saved = project::write_file_atomically(mutation_result_path(*tree), as_json); !saved) {
    spdlog::error("{}", saved.error());
    return environment;
  }
  if (!result.is_whole) return environment;
  if (arguments.fail_under && report::figures_of(result).all.score() < *arguments.fail_under / 100) {
    spdlog::error("the mutation score is below {} %", *arguments.fail_under);
    return finding;
  }
  return fine;
}

}  // namespace

action add_mutate(CLI::App& app, const common_options& common) {
  auto arguments = std::make_shared<mutate_arguments>();
  app.add_option("-j,--jobs", arguments->jobs, "Compile and run this many at once (default: one a processor)")
      ->type_name("N");
  app.add_option("--operators", arguments->operators,
                 "Only these mutation operators, or all (default: those that --list-operators does not except)")
      ->delimiter(',')
      ->type_name("NAMES");
  app.add_flag("--list-operators", arguments->list_operators, "Show the mutation operators and end");
  app.add_option("--fail-under", arguments->fail_under, "Exit with 1 if the mutation score is below PERCENT")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""));
  return [arguments, &common] { return run_mutate(*arguments, common); };
}

}  // namespace morph::command
