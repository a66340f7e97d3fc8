// One run: sources, the twin, its programs, verdicts, equivalence.
#include "plugin/mutating/run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <ctime>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "coverage/mutation/judge.hpp"
#include "coverage/mutation/operator_table.hpp"
#include "coverage/mutation/temporary_files.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/build/dependencies.hpp"
#include "plugin/build/mirror.hpp"
#include "plugin/build/twin.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/mutating/facts.hpp"
#include "plugin/mutating/header_digests.hpp"
#include "plugin/mutating/initial_values.hpp"
#include "plugin/mutating/inputs.hpp"
#include "plugin/mutating/kills.hpp"
#include "plugin/mutating/memory.hpp"
#include "plugin/mutating/names.hpp"
#include "plugin/mutating/ordinary_build.hpp"
#include "plugin/mutating/programs.hpp"
#include "plugin/mutating/rejected.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::mutating {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr int most_builds = 40;  // each has left out something
constexpr auto time_between_saves = std::chrono::seconds(20);

double cpu_seconds(int of) {
  rusage used{};
  ::getrusage(of, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec) * 1e-6;
}

double cpu_seconds() {
  return cpu_seconds(RUSAGE_SELF) + cpu_seconds(RUSAGE_CHILDREN);
}

result<void> write_nodes(const fs::path& binary_dir, std::uint32_t nodes) {
  const fs::path path = binary_dir / ".morph" / "mutants" / "morph_nodes.h";
  const std::string text = fmt::format("#define MORPH_NODES {}\n", nodes);
  if (const auto now = system::read_file(path); now && *now == text) return {};
  return system::write_file_atomically(path, text);
}

/// Why the tests of a suite cannot judge mutants; empty if they can.
std::string why_not(const build::suite& suite) {
  if (suite.is_adopted()) return "adopted tests cannot judge mutants yet";
  // The status of a program that runs many tests says nothing of one of them, and nobody reads what programs print.
  const std::string unknown_skip = suite.framework == "none" ? "SKIP_REGULAR_EXPRESSION" : "SKIP_RETURN_CODE";
  for (const auto& [name, value] : suite.properties)
    if (name == "WILL_FAIL" || name == "PASS_REGULAR_EXPRESSION" || name == "FAIL_REGULAR_EXPRESSION" ||
        name == unknown_skip)
      return fmt::format("tests with the property {} cannot judge mutants yet", name);
  return {};
}

/// The options that leave mutants out, as they were given. Those that leave mutants unjudged are not among them.
std::vector<std::string> scope_of(const request& asked) {
  std::vector<std::string> scope;
  const bool has_all_operators = std::ranges::all_of(mutation::operator_facts(), [&](const auto& op) {
    return !op.by_default || std::ranges::find(asked.operators, op.name) != asked.operators.end();
  });
  if (!has_all_operators) scope.push_back(fmt::format("--operators {}", fmt::join(asked.operators, ",")));
  for (const std::string& glob : asked.only) scope.push_back("--only " + glob);
  for (const std::string& glob : asked.without) scope.push_back("--without " + glob);
  if (asked.only_changed)
    scope.push_back(asked.since.empty() ? std::string("--diff") : "--diff --since " + asked.since);
  if (asked.sample) scope.push_back(fmt::format("--sample {}", *asked.sample));
  return scope;
}

class mutation_run {
 public:
  mutation_run(const build::build_tree& tree, const request& asked, system::observer& told)
      : tree_(tree), asked_(asked), told_(told), at_(build::mutation_place_of(tree)), build_(tree) {
    limits_.jobs = asked.jobs > 0 ? asked.jobs : std::max(1U, std::thread::hardware_concurrency());
    limits_.all_killers = asked.all_killers;
    limits_.unmutated_runs = asked.unmutated_runs;
    report_.scope = scope_of(asked);
    if (asked.budget)
      limits_.deadline =
          clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(*asked.budget));
  }

  result<mutation_report> run() {
    if (asked_.only_changed || !asked_.since.empty()) {
      auto changed = lines_changed_since(tree_, asked_.since);
      if (!changed) return tl::unexpected(changed.error());
      changed_ = std::move(*changed);
    }
    if (auto made = make_sources(); !made) return tl::unexpected(made.error());
    if (!asked_.forgets) memory_ = load_verdicts(verdicts_file());
    auto settled = settled_by();
    if (!settled) return tl::unexpected(settled.error());
    list_mutants();
    if (memory_.settled == *settled && (memory_.all_killers || !asked_.all_killers) && all_are_known()) {
      compare_survivors();
      report_.has_all_killers = memory_.all_killers;
      if (asked_.all_killers) keep_kills();
      note_run(report::run_end::finished);
      return std::move(report_);
    }
    // That they are settled again says nothing of mutants that this run leaves out.
    const bool has_known_killers = memory_.settled == *settled && memory_.all_killers;
    memory_.settled.clear();
    if (auto built = build(); !built) return tl::unexpected(built.error());
    // The build configures the twin again where a CMakeLists.txt has changed, and makes what sources include.
    const auto built_by = build::read_compile_commands(at_.binary);
    if ((built_by && *built_by != commands_) || !has_included_files_) {
      if (auto made = make_sources(); !made) return tl::unexpected(made.error());
      if (auto built = build(); !built) return tl::unexpected(built.error());
    }
    auto twin = build::configure_mutation_twin(tree_, {limits_.jobs, false});
    if (!twin) return tl::unexpected(twin.error());
    twin_ = std::move(*twin);
    if (auto able = can_judge(); !able) return tl::unexpected(able.error());
    settled = settled_by();
    if (!settled) return tl::unexpected(settled.error());
    list_mutants();
    mutation::remove_folder(temporary_folder());  // of a run that was killed
    for (const judging_program& each : programs()) {
      if (system::interrupted()) break;
      if (auto judged = judge(each); !judged) {
        told_.warn(judged.error());
        report_.not_run.push_back(judged.error());
        report_.is_whole = false;
      }
    }
    mutation::remove_folder(temporary_folder());
    if (report_.tests.empty() && report_.is_whole && !system::interrupted()) return tl::unexpected(why_nobody_judges());
    if (!system::interrupted() && !report_.tests.empty() &&
        std::ranges::none_of(report_.tests, [](const auto& test) { return test.why_left_out.empty(); }))
      return tl::unexpected(fmt::format("no test can judge mutants: '{}' {}, and so do all others",
                                        report_.tests.front().name, report_.tests.front().why_left_out));
    const bool is_over = report_.is_whole && !system::interrupted();
    std::size_t left = 0, left_of_wanted = 0;
    for (std::size_t i = 0; i < report_.mutants.size(); ++i) {
      if (report_.mutants[i].verdict.state != mutation::mutant_state::not_judged) continue;
      ++left;
      left_of_wanted += wanted_[i] ? 1 : 0;
    }
    const bool is_settled = is_over && left == 0;
    if (is_settled) memory_.settled = *settled;
    memory_.all_killers = is_settled && asked_.all_killers && (is_of_all() || has_known_killers);
    if (auto saved = save_verdicts(verdicts_file(), memory_); !saved) return tl::unexpected(saved.error());
    report_.has_all_killers = is_over && left_of_wanted == 0 && asked_.all_killers;
    if (is_settled && asked_.all_killers) keep_kills();
    compare_survivors();
    note_run(asked_.budget && left_of_wanted > 0 ? report::run_end::budget : report::run_end::finished);
    return std::move(report_);
  }

 private:
  struct judging_program {
    const build::suite* suite;
    const build::test_program* program;

    std::string name() const { return suite->name + '/' + program->target; }
  };

  void say(const std::string& what) const { told_.status(what); }

  void note_run(report::run_end ended) {
    const shard part = asked_.part.value_or(shard{});
    const auto repo = git::repository::open(tree_.source_dir);
    const auto head = repo ? repo->head() : tl::unexpected(repo.error());
    report_.run = {
        facts_of({tree_, at_, commands_, chosen_, counted_, foreign_, limits_, asked_.operators, report_.scope}),
        head ? head->commit : std::string(),
        {{part.number, part.of, ended}}};
  }

  /// Programs name files as the project has them (-fmacro-prefix-map), or as they are compiled.
  std::string in_mirror(const std::string& place) const {
    const std::string source = tree_.source_dir.string() + '/', mirror = at_.source.string() + '/';
    return place.starts_with(source) && !place.starts_with(mirror) ? mirror + place.substr(source.size()) : place;
  }

  fs::path state_folder() const { return tree_.own_dir() / "mutation"; }
  fs::path temporary_folder() const { return state_folder() / "tmp"; }
  fs::path verdicts_file() const { return state_folder() / "verdicts.json"; }

  std::vector<judging_program> programs() {
    std::vector<judging_program> able;
    report_.not_run.clear();
    for (const build::suite& suite : twin_.suites) {
      if (const std::string why = why_not(suite); !why.empty()) {
        report_.not_run.push_back(fmt::format("suite '{}': {}", suite.name, why));
        continue;
      }
      for (const build::test_program& program : suite.programs) able.push_back({&suite, &program});
    }
    if (const auto& outside = chosen_.outside; !able.empty() && !outside.empty())
      report_.not_run.push_back(fmt::format("mutants of {} source{} outside of '{}', which are not made: '{}'{}",
                                            outside.size(), outside.size() == 1 ? "" : "s", tree_.source_dir.string(),
                                            *outside.begin(), outside.size() > 1 ? " and others" : ""));
    return able;
  }

  result<void> can_judge() {
    if (!programs().empty()) return {};
    if (report_.not_run.empty()) return tl::unexpected(std::string("no suite of this build has a test program"));
    return tl::unexpected(why_nobody_judges());
  }

  std::string why_nobody_judges() const {
    return fmt::format("no suite can judge mutants: {}", fmt::join(report_.not_run, "; "));
  }

  /// A digest of all that verdicts hang on. Of sources, comments and blanks do not count.
  result<std::string> settled_by() {
    auto files = build::mirrored_files(tree_.source_dir, {tree_.binary_dir});
    if (!files) return tl::unexpected(files.error());
    files_ = std::move(*files);
    const selection::file_kinds kinds(tree_.source_dir, tree_.ignore);
    const auto repo = git::repository::open(tree_.source_dir);
    std::string all, data;
    counted_.clear();
    for (const std::string& file : files_) {
      const auto kind = kinds.kind_of(file);
      if (kind == selection::file_kind::ignored) continue;
      // As for plans: what git does not know counts where a compiler may read it, and is somebody's output elsewhere.
      if (repo && !kinds.counts_untracked(file) && !repo->tracks(repo->relative(tree_.source_dir / file))) continue;
      const auto text = system::read_file(tree_.source_dir / file);
      if (!text) continue;  // a link to nowhere
      const counted_file& counted =
          counted_[file] = {kind, kind == selection::file_kind::source ? content_digest(*text) : git::blob_hash(*text)};
      const std::string line = fmt::format("{} {}\n", file, counted.digest);
      all += line;
      if (kind == selection::file_kind::unknown) data += line;
    }
    data_ = git::blob_hash(data);
    dependencies_ = build::read_dependencies(twin_).value_or(build::dependency_map());  // none before its first build
    foreign_ = digest_of_foreign(commands_, at_, dependencies_);
    auto foreign_headers = read_for({}, dependencies_);
    std::erase_if(foreign_headers,
                  [&](const std::string& path) { return path.starts_with(at_.source.string() + '/'); });
    all += header_digests(report_.sources, request_, at_.binary).of(foreign_headers) + '\n';
    for (const judging_program& each : programs())
      all += each.name() + ' ' + conditions_of(tree_, *each.suite, commands_, limits_, foreign_) + '\n';
    return git::blob_hash(all);
  }

  result<void> make_sources() {
    const double started = cpu_seconds();
    const fs::path state = state_folder();
    const auto list = system::read_file(state / "rewritten");
    std::map<std::string, std::optional<std::string>> replaced;
    if (list)
      for (std::size_t at = 0, end; at < list->size(); at = end + 1) {
        end = std::min(list->find('\n', at), list->size());
        replaced[list->substr(at, end - at)] = std::nullopt;
      }
    if (auto updated = build::update_mirror(tree_.source_dir, at_.source, {tree_.binary_dir}, replaced); !updated)
      return tl::unexpected(updated.error());
    if (auto linked = build::link_neighbours(tree_.source_dir, at_.source); !linked) return linked;
    if (!fs::exists(at_.binary / ".morph" / "mutants" / "morph_nodes.h"))
      if (auto written = write_nodes(at_.binary, 0); !written) return written;
    say(fmt::format("preparing the mutation twin in '{}'", at_.binary.string()));
    auto twin = build::configure_mutation_twin(tree_, {limits_.jobs, false});
    if (!twin) return tl::unexpected(twin.error());
    twin_ = std::move(*twin);
    if (auto able = can_judge(); !able) return able;
    auto commands = build::read_compile_commands(at_.binary);
    if (!commands) return tl::unexpected(commands.error());
    commands_ = std::move(*commands);
    chosen_ = choose_sources(commands_, tree_, at_.source);
    has_included_files_ = build::make_included_files(tree_, {limits_.jobs, false});
    report_.cpu_prepare = cpu_seconds() - started;
    const double reading = cpu_seconds();
    request_ = source_reader::source_request{
        tree_.source_dir,    at_.source,         state,
        chosen_.units,       chosen_.production, chosen_.except,
        asked_.without,      asked_.operators,   std::ranges::find(asked_.operators, "xt") != asked_.operators.end(),
        tree_.compiler_path, limits_.jobs};
    auto sources = read_sources(request_, told_);
    if (!sources) return tl::unexpected(sources.error());
    report_.sources = std::move(*sources);
    report_.rejected_by_compiler = 0;
    report_.cpu_sources = cpu_seconds() - reading;
    std::string names;
    for (const auto& file : report_.sources.files) names += file.path + '\n';
    return system::write_file_atomically(state / "rewritten", names);
  }

  result<void> build() {
    const double started = cpu_seconds();
    say("building the mutation twin");
    rejections rejected(request_, commands_, at_.binary);
    for (int round = 0;; ++round) {
      std::map<std::string, std::optional<std::string>> replaced;
      for (const auto& file : report_.sources.files) replaced[file.path] = file.rewritten().text;
      if (auto updated = build::update_mirror(tree_.source_dir, at_.source, {tree_.binary_dir}, replaced); !updated)
        return tl::unexpected(updated.error());
      if (auto written = write_nodes(at_.binary, report_.sources.nodes); !written) return written;
      const auto built = build::build_mutation_twin(tree_, {limits_.jobs, false});
      if (built) break;
      if (system::interrupted() || round == most_builds) return built;
      const auto log = system::read_file(at_.log);
      const bool is_full = log && log->find(std::strerror(ENOSPC)) != std::string::npos;  // no fault of a mutant
      if (!log || is_full) return built;
      const std::size_t before = mutants_left();
      const auto parts = rejected.drop(report_.sources, *log);
      if (parts.empty()) return with_first_failure(built.error(), *log);
      report_.rejected_by_compiler += before - mutants_left();
      for (const report::rejected_part& part : parts) {
        if (part.what.empty())
          say(describe(part));
        else
          told_.warn(describe(part));
      }
    }
    report_.cpu_build = cpu_seconds() - started;
    if (report_.rejected_by_compiler > 0) return keep_dropped(request_, report_.sources);
    return {};
  }

  /// The last lines of a build that went on need not have it.
  static result<void> with_first_failure(const std::string& error, const std::string& log) {
    const std::string first = mutation::failed_steps_in(log).front().text.substr(0, 2000);
    return tl::unexpected(error.find(first) != std::string::npos ? error : error + "\nfirst:\n" + first);
  }

  std::size_t mutants_left() const {
    std::size_t left = 0;
    for (const auto& file : report_.sources.files) left += file.mutants();
    return left;
  }

  bool is_chosen(const std::string& path) const {
    const auto is_in = [&](const std::vector<std::string>& globs) {
      return std::ranges::any_of(globs, [&](const std::string& g) { return system::matches_glob(g, path); });
    };
    return (asked_.only.empty() || is_in(asked_.only)) && !is_in(asked_.without);
  }

  void list_mutants() {
    report_.mutants.clear();
    report_.sources.left_out.erase("in a file that is left out");
    if (const auto count = report_.sources.in_files_left_out; count > 0)
      report_.sources.left_out["in a file that is left out"] = static_cast<std::uint32_t>(count);
    names_.clear();
    remembered_as_.clear();
    report_.tests.clear();
    wanted_.clear();
    report_.compile_time_only = report_.sources.compile_time_only;
    std::erase_if(report_.compile_time_only, [&](const auto& of) { return !is_chosen(of.first); });
    const auto headers = header_digests(report_.sources, request_, at_.binary).of_files();
    for (std::size_t f = 0; f < report_.sources.files.size(); ++f) {
      const auto& file = report_.sources.files[f];
      if (!is_chosen(file.path)) {
        for (const mutation::place& p : file.places.places)
          report_.sources.left_out["in a file that is left out"] += static_cast<std::uint32_t>(p.alternatives.size());
        continue;
      }
      const auto names = name_mutants(file);
      for (std::uint32_t p = 0; p < file.places.places.size(); ++p) {
        const bool has_changed = !changed_ || is_changed(file, file.places.places[p], *changed_);
        if (!has_changed && asked_.only_changed) continue;
        for (std::uint32_t k = 0; k < file.places.places[p].alternatives.size(); ++k) {
          if (!file.is_live(p, k)) continue;
          report_.mutants.push_back({f, p, k});
          names_.push_back(names[p][k]);
          remembered_as_.push_back(names[p][k] + ' ' + headers[f].substr(0, names[p][k].size()));
          wanted_.push_back(has_changed && (!asked_.part || is_in(*asked_.part, names[p][k])));
        }
      }
    }
    if (asked_.sample) draw();
  }

  void draw() {
    const auto drawn = draw_sample(names_, *asked_.sample);
    report_.sample_of = names_.size();
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      report_.mutants[i] = report_.mutants[drawn[i]];
      names_[i] = names_[drawn[i]];
      remembered_as_[i] = remembered_as_[drawn[i]];
      wanted_[i] = wanted_[drawn[i]];
    }
    report_.mutants.resize(drawn.size());
    names_.resize(drawn.size());
    remembered_as_.resize(drawn.size());
    wanted_.resize(drawn.size());
  }

  void take_verdict(reported_mutant& of, const mutation::program_verdict& found, std::uint32_t first_test) {
    mutation::mutant_verdict& verdict = of.verdict;
    const auto weight = [](mutation::mutant_state state) {
      return mutation::is_kill(state)                      ? 3
             : state == mutation::mutant_state::not_judged ? 2
             : state == mutation::mutant_state::survived   ? 1
                                                           : 0;
    };
    if (weight(found.state) > weight(verdict.state)) {
      verdict.state = found.state;
      verdict.detail = found.detail;
      verdict.is_recalled = found.is_recalled;
      verdict.before_first = found.before_first;
    }
    for (const std::uint32_t t : found.killers) verdict.killers.push_back(first_test + t);
    verdict.covering += found.covering;
    verdict.infected += found.infected;
    verdict.unobserved += found.unobserved;
    verdict.ran += found.ran;
    verdict.cpu_us += found.cpu_us;
  }

  /// No option leaves mutants out.
  bool is_of_all() const { return report_.scope.empty(); }

  void keep_kills() const {
    // What the store keeps is all that anybody kills: `morph optimize` leaves out tests that kill nothing of it.
    if (!is_of_all()) {
      told_.warn(
          fmt::format("kills are not kept: they are of a part of the mutants ({})", fmt::join(report_.scope, " ")));
      return;
    }
    std::vector<known_kill> kills;
    for (std::size_t i = 0; i < report_.mutants.size(); ++i)
      for (const std::uint32_t t : report_.mutants[i].verdict.killers)
        kills.push_back({report_.sources.files[report_.mutants[i].file].path, names_[i], report_.tests[t].program,
                         report_.tests[t].name});
    if (const auto kept = mutating::keep_kills(tree_, kills))
      say(*kept);
    else
      told_.warn(fmt::format("kills are not kept: {}", kept.error()));
  }

  bool is_decided(const reported_mutant& m) const { return mutation::is_kill(m.verdict.state) && !asked_.all_killers; }

  /// No mutant needs to be judged again.
  bool all_are_known() {
    for (const judging_program& each : programs()) {
      const auto memory = memory_.programs.find(each.name());
      if (memory == memory_.programs.end()) return false;
      const std::uint32_t first_test = note_tests(each, memory->second);
      for (std::size_t i = 0; i < names_.size(); ++i) {
        if (is_decided(report_.mutants[i])) continue;
        const auto known = memory->second.recall(remembered_as_[i]);
        if (!known) return false;
        take_verdict(report_.mutants[i], *known, first_test);
      }
    }
    return true;
  }

  /// The number of its first one.
  std::uint32_t note_tests(const judging_program& of, const program_memory& memory) {
    const auto first = static_cast<std::uint32_t>(report_.tests.size());
    for (const remembered_test& test : memory.tests())
      report_.tests.push_back({of.suite->name, of.name(), test.name, test.why_left_out, test.in_build});
    return first;
  }

  /// What no test can kill is no weakness of the tests.
  void compare_survivors() {
    if (asked_.keeps_equivalents || system::interrupted()) return;
    const double before = cpu_seconds();
    std::vector<mutant_place> places;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < report_.mutants.size(); ++i) {
      const reported_mutant& m = report_.mutants[i];
      if (mutation::is_kill(m.verdict.state) || m.verdict.state == mutation::mutant_state::not_judged) continue;
      places.push_back({m.file, m.place, m.alternative});
      numbers.push_back(i);
    }
    const auto found = find_equivalents(request_, report_.sources, places, told_);
    if (!found) {
      told_.warn(fmt::format("equivalent mutants are not known: {}", found.error()));
      return;
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      equivalence& code = report_.mutants[numbers[i]].code;
      code = (*found)[i];
      if (code.same_as) code.same_as = numbers[*code.same_as];
    }
    report_.cpu_compare = cpu_seconds() - before;
  }

  /// Without mutants a test does what it does in the ordinary build; else who reads the report has to know. Returns
  /// what it does there, if that is something else.
  std::string compare_with_build(const judging_program& of, mutation::baseline_test& test) {
    const std::string& suite = of.suite->name;
    const std::string& target = of.program->target;
    if (!test.fails) {
      if (!test.usable || !build_.has_failed(suite, target, test.name)) return {};
      told_.warn(fmt::format("'{}' passes in the mutation twin, and has failed in the last run of the ordinary build",
                             test.name));
      return "fails";
    }
    const auto passes = build_.passes(suite, target, test.name);
    if (!passes) return {};
    test.why_not += *passes ? ", in the mutation twin alone" : ", as in the ordinary build";
    if (!*passes) return {};
    told_.warn(fmt::format(
        "'{}' passes in the ordinary build and fails in the mutation twin, without any mutant: it judges none. To see "
        "why, run `{}`",
        test.name, command_of(*of.suite, *of.program, test.name)));
    return "passes";
  }

  result<void> judge(const judging_program& each) {
    mutation::mutant_program what = mutant_program_of(*each.suite, *each.program);
    what.temporary = temporary_folder().string();
    mutation::run_limits limits = limits_;
    limits.jobs = jobs_for(*each.suite, limits_.jobs);
    const double before = cpu_seconds();
    told_.begin(0, "tests");
    auto baseline = mutation::run_baseline(what, limits, [&] { told_.step("running tests without mutants"); });
    told_.end();
    const auto failed = [&](const std::string& error) {
      return tl::unexpected(fmt::format("suite '{}': {}", each.suite->name, error));
    };
    if (!baseline) return failed(baseline.error());
    if (system::interrupted()) return {};
    if (baseline->tests.empty()) {
      report_.not_run.push_back(fmt::format("suite '{}': '{}' has no tests", each.suite->name, each.program->target));
      return {};
    }

    program_memory& memory = memory_.programs[each.name()];
    memory.begin_run(conditions_of(tree_, *each.suite, commands_, limits_, foreign_));
    std::vector<std::string> places;
    for (const mutation::baseline_test& test : baseline->tests) places.push_back(in_mirror(test.place));
    const auto contents = test_contents(
        places, test_sources_of(each.program->target, chosen_, tree_.source_dir, at_.source, files_, places));
    const std::string headers =
        header_digests(report_.sources, request_, at_.binary).of(read_for(each.program->target, dependencies_));
    std::vector<remembered_test> tests;
    for (std::size_t t = 0; t < places.size(); ++t) {
      mutation::baseline_test& test = baseline->tests[t];
      const std::string in_build = compare_with_build(each, test);
      tests.push_back({test.name, contents[t] + ' ' + headers + ' ' + data_, test.why_not, in_build});
    }
    memory.set_tests(std::move(tests));
    const std::uint32_t first_test = note_tests(each, memory);

    const auto readers = nodes_that_read(report_.sources, request_, files_);
    std::vector<mutation::judged_mutant> mutants;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const reported_mutant& m = report_.mutants[i];
      const auto& file = report_.sources.files[m.file];
      mutants.push_back({file.node_of(m.place),
                         file.switch_of(m.place),
                         m.alternative + 1,
                         mutation::is_compared(file.places.places[m.place], m.alternative),
                         wanted_[i] && !is_decided(m),
                         {},
                         memory.recall(remembered_as_[i])});
      if (const auto known = readers.find(mutants.back().node); known != readers.end())
        mutants.back().readers = known->second;
    }
    const double between = cpu_seconds();
    report_.cpu_baseline += between - before;
    told_.begin(mutants.size(), "mutants");
    auto saved_at = clock::now();
    const auto remember = [&] {
      mutation::note_unobserved(*baseline, mutants);
      for (std::size_t i = 0; i < mutants.size(); ++i) memory.remember(remembered_as_[i], mutants[i].found);
    };
    auto judged = mutation::judge_mutants(what, *baseline, limits, mutants, [&] {
      told_.step("judging " + each.program->target);
      if (clock::now() - saved_at < time_between_saves) return;
      remember();
      if (auto saved = save_verdicts(verdicts_file(), memory_); !saved) told_.warn(saved.error());
      saved_at = clock::now();
    });
    told_.end();
    remember();
    for (std::size_t i = 0; i < mutants.size(); ++i)
      if (!is_decided(report_.mutants[i])) take_verdict(report_.mutants[i], mutants[i].found, first_test);
    report_.cpu_judge += cpu_seconds() - between;
    if (!judged) return failed(judged.error());
    return {};
  }

  const build::build_tree& tree_;
  const request& asked_;
  system::observer& told_;
  build::mutation_place at_;
  mutation::run_limits limits_;
  build::build_tree twin_;
  mutation_report report_;
  std::vector<build::compile_unit> commands_;
  build::dependency_map dependencies_;  // of the twin, as it was built last
  std::string foreign_;
  bool has_included_files_ = false;  // when sources are read; else once they are built
  chosen_sources chosen_;
  source_reader::source_request request_;
  std::vector<std::string> files_;  // of the project, by path from its root
  std::map<std::string, counted_file> counted_;
  std::string data_;  // digest of those that are neither sources nor build files: tests may read them
  std::optional<changed_lines> changed_;
  verdict_memory memory_;
  ordinary_build build_;
  std::vector<std::string> names_;          // of report_.mutants, by their own files
  std::vector<std::string> remembered_as_;  // the same, with the headers around them
  std::vector<bool> wanted_;
};

}  // namespace

result<std::vector<std::string>> operators_named(const std::vector<std::string>& names) {
  const bool all = names == std::vector<std::string>{"all"};
  if (!names.empty() && !all) {
    for (const std::string& name : names)
      if (mutation::find_operator_fact(name) == nullptr)
        return tl::unexpected(
            fmt::format("there is no mutation operator '{}'; `morph mutate --list-operators` shows them", name));
    return names;
  }
  std::vector<std::string> chosen;
  for (const auto& op : mutation::operator_facts())
    if (all || op.by_default) chosen.emplace_back(op.name);
  return chosen;
}

result<mutation_report> run(const build::build_tree& tree, const request& asked, system::observer& told) {
  const auto lock = system::lock_file(tree.own_dir() / "mutate.lock", system::if_locked::refuse);
  if (!lock)
    return tl::unexpected(fmt::format("{}; is another `morph mutate` at work in this build tree?", lock.error()));
  const auto started = clock::now();
  auto report = mutation_run(tree, asked, told).run();
  if (report) report->seconds = std::chrono::duration<double>(clock::now() - started).count();
  return report;
}

}  // namespace morph::mutating
