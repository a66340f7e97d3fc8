// morph mutate
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
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
#include "plugin/command/options.hpp"
#include "plugin/contract/exit_codes.hpp"
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
#include "plugin/mutating/result.hpp"
#include "plugin/mutating/scope.hpp"
#include "plugin/mutating/sources.hpp"
#include "plugin/report/mutation_forms.hpp"
#include "plugin/report/mutation_json.hpp"
#include "plugin/report/mutation_parts.hpp"
#include "plugin/selection/file_kind.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/progress.hpp"

namespace morph::command {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;

constexpr int most_builds = 40;  // each has left out something
constexpr auto time_between_saves = std::chrono::seconds(20);

struct mutate_arguments {
  unsigned jobs = 0;
  std::vector<std::string> operators;
  bool list_operators = false;
  std::optional<double> fail_under{};
  std::vector<std::string> only, without;  // globs of files
  std::string since;                       // a revision
  bool only_changed = false;
  std::optional<std::size_t> sample{};
  std::optional<mutating::shard> part{};
  std::optional<double> budget{};  // seconds
  bool all_killers = false;
  bool forgets = false;
  bool keeps_equivalents = false;
  unsigned unmutated_runs = 2;
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
std::vector<std::string> scope_of(const mutate_arguments& arguments) {
  std::vector<std::string> scope;
  const bool has_all_operators = std::ranges::all_of(mutation::operator_facts(), [&](const auto& op) {
    return !op.by_default || std::ranges::find(arguments.operators, op.name) != arguments.operators.end();
  });
  if (!has_all_operators) scope.push_back(fmt::format("--operators {}", fmt::join(arguments.operators, ",")));
  for (const std::string& glob : arguments.only) scope.push_back("--only " + glob);
  for (const std::string& glob : arguments.without) scope.push_back("--without " + glob);
  if (arguments.only_changed)
    scope.push_back(arguments.since.empty() ? std::string("--diff") : "--diff --since " + arguments.since);
  if (arguments.sample) scope.push_back(fmt::format("--sample {}", *arguments.sample));
  return scope;
}

class mutation_run {
 public:
  mutation_run(const build::build_tree& tree, const mutate_arguments& arguments, const common_options& common)
      : tree_(tree), arguments_(arguments), common_(common), at_(build::mutation_place_of(tree)), build_(tree) {
    limits_.jobs = arguments.jobs > 0 ? arguments.jobs : std::max(1U, std::thread::hardware_concurrency());
    limits_.all_killers = arguments.all_killers;
    limits_.unmutated_runs = arguments.unmutated_runs;
    report_.scope = scope_of(arguments);
    if (arguments.budget)
      limits_.deadline =
          clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(*arguments.budget));
  }

  result<mutating::mutation_report> run() {
    if (arguments_.only_changed || !arguments_.since.empty()) {
      auto changed = mutating::lines_changed_since(tree_, arguments_.since);
      if (!changed) return tl::unexpected(changed.error());
      changed_ = std::move(*changed);
    }
    if (auto made = make_sources(); !made) return tl::unexpected(made.error());
    if (!arguments_.forgets) memory_ = mutating::load_verdicts(verdicts_file());
    auto settled = settled_by();
    if (!settled) return tl::unexpected(settled.error());
    list_mutants();
    if (memory_.settled == *settled && (memory_.all_killers || !arguments_.all_killers) && all_are_known()) {
      compare_survivors();
      report_.has_all_killers = memory_.all_killers;
      if (arguments_.all_killers) keep_kills();
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
        spdlog::error("{}", judged.error());
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
    memory_.all_killers = is_settled && arguments_.all_killers && (is_of_all() || has_known_killers);
    if (auto saved = mutating::save_verdicts(verdicts_file(), memory_); !saved) return tl::unexpected(saved.error());
    report_.has_all_killers = is_over && left_of_wanted == 0 && arguments_.all_killers;
    if (is_settled && arguments_.all_killers) keep_kills();
    compare_survivors();
    note_run(arguments_.budget && left_of_wanted > 0 ? report::run_end::budget : report::run_end::finished);
    return std::move(report_);
  }

 private:
  struct judging_program {
    const build::suite* suite;
    const build::test_program* program;

    std::string name() const { return suite->name + '/' + program->target; }
  };

  void say(const std::string& what) const { spdlog::info("{}", what); }

  void note_run(report::run_end ended) {
    const mutating::shard part = arguments_.part.value_or(mutating::shard{});
    const auto repo = git::repository::open(tree_.source_dir);
    const auto head = repo ? repo->head() : tl::unexpected(repo.error());
    report_.run = {mutating::facts_of({tree_, at_, commands_, chosen_, counted_, foreign_, limits_,
                                       arguments_.operators, report_.scope}),
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
      const mutating::counted_file& counted = counted_[file] = {
          kind, kind == selection::file_kind::source ? mutating::content_digest(*text) : git::blob_hash(*text)};
      const std::string line = fmt::format("{} {}\n", file, counted.digest);
      all += line;
      if (kind == selection::file_kind::unknown) data += line;
    }
    data_ = git::blob_hash(data);
    dependencies_ = build::read_dependencies(twin_).value_or(build::dependency_map());  // none before its first build
    foreign_ = mutating::digest_of_foreign(commands_, at_, dependencies_);
    auto foreign_headers = mutating::read_for({}, dependencies_);
    std::erase_if(foreign_headers,
                  [&](const std::string& path) { return path.starts_with(at_.source.string() + '/'); });
    all += mutating::header_digests(report_.sources, request_, at_.binary).of(foreign_headers) + '\n';
    for (const judging_program& each : programs())
      all += each.name() + ' ' + mutating::conditions_of(tree_, *each.suite, commands_, limits_, foreign_) + '\n';
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
    chosen_ = mutating::choose_sources(commands_, tree_, at_.source);
    has_included_files_ = build::make_included_files(tree_, {limits_.jobs, false});
    report_.cpu_prepare = cpu_seconds() - started;
    const double reading = cpu_seconds();
    request_ =
        source_reader::source_request{tree_.source_dir,
                                      at_.source,
                                      state,
                                      chosen_.units,
                                      chosen_.production,
                                      chosen_.except,
                                      arguments_.without,
                                      arguments_.operators,
                                      std::ranges::find(arguments_.operators, "xt") != arguments_.operators.end(),
                                      tree_.compiler_path,
                                      limits_.jobs};
    auto sources = mutating::read_sources(request_, [&](const std::string& what) { say(what); });
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
    mutating::rejections rejected(request_, commands_, at_.binary);
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
          spdlog::warn("{}", describe(part));
      }
    }
    report_.cpu_build = cpu_seconds() - started;
    if (report_.rejected_by_compiler > 0) return mutating::keep_dropped(request_, report_.sources);
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
    return (arguments_.only.empty() || is_in(arguments_.only)) && !is_in(arguments_.without);
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
    const auto headers = mutating::header_digests(report_.sources, request_, at_.binary).of_files();
    for (std::size_t f = 0; f < report_.sources.files.size(); ++f) {
      const auto& file = report_.sources.files[f];
      if (!is_chosen(file.path)) {
        for (const mutation::place& p : file.places.places)
          report_.sources.left_out["in a file that is left out"] += static_cast<std::uint32_t>(p.alternatives.size());
        continue;
      }
      const auto names = mutating::name_mutants(file);
      for (std::uint32_t p = 0; p < file.places.places.size(); ++p) {
        const bool has_changed = !changed_ || mutating::is_changed(file, file.places.places[p], *changed_);
        if (!has_changed && arguments_.only_changed) continue;
        for (std::uint32_t k = 0; k < file.places.places[p].alternatives.size(); ++k) {
          if (!file.is_live(p, k)) continue;
          report_.mutants.push_back({f, p, k});
          names_.push_back(names[p][k]);
          remembered_as_.push_back(names[p][k] + ' ' + headers[f].substr(0, names[p][k].size()));
          wanted_.push_back(has_changed && (!arguments_.part || mutating::is_in(*arguments_.part, names[p][k])));
        }
      }
    }
    if (arguments_.sample) draw();
  }

  void draw() {
    const auto drawn = mutating::draw_sample(names_, *arguments_.sample);
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

  void take_verdict(mutating::reported_mutant& of, const mutation::program_verdict& found, std::uint32_t first_test) {
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
    if (!is_of_all())
      return spdlog::warn("kills are not kept: they are of a part of the mutants ({})", fmt::join(report_.scope, " "));
    std::vector<mutating::known_kill> kills;
    for (std::size_t i = 0; i < report_.mutants.size(); ++i)
      for (const std::uint32_t t : report_.mutants[i].verdict.killers)
        kills.push_back({report_.sources.files[report_.mutants[i].file].path, names_[i], report_.tests[t].program,
                         report_.tests[t].name});
    if (const auto kept = mutating::keep_kills(tree_, kills))
      say(*kept);
    else
      spdlog::warn("kills are not kept: {}", kept.error());
  }

  bool is_decided(const mutating::reported_mutant& m) const {
    return mutation::is_kill(m.verdict.state) && !arguments_.all_killers;
  }

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
  std::uint32_t note_tests(const judging_program& of, const mutating::program_memory& memory) {
    const auto first = static_cast<std::uint32_t>(report_.tests.size());
    for (const mutating::remembered_test& test : memory.tests())
      report_.tests.push_back({of.suite->name, of.name(), test.name, test.why_left_out, test.in_build});
    return first;
  }

  /// What no test can kill is no weakness of the tests.
  void compare_survivors() {
    if (arguments_.keeps_equivalents || system::interrupted()) return;
    const double before = cpu_seconds();
    std::vector<mutating::mutant_place> places;
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < report_.mutants.size(); ++i) {
      const mutating::reported_mutant& m = report_.mutants[i];
      if (mutation::is_kill(m.verdict.state) || m.verdict.state == mutation::mutant_state::not_judged) continue;
      places.push_back({m.file, m.place, m.alternative});
      numbers.push_back(i);
    }
    const auto found =
        mutating::find_equivalents(request_, report_.sources, places, [&](const std::string& what) { say(what); });
    if (!found) return spdlog::warn("equivalent mutants are not known: {}", found.error());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      mutating::equivalence& code = report_.mutants[numbers[i]].code;
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
      spdlog::warn("'{}' passes in the mutation twin, and has failed in the last run of the ordinary build", test.name);
      return "fails";
    }
    const auto passes = build_.passes(suite, target, test.name);
    if (!passes) return {};
    test.why_not += *passes ? ", in the mutation twin alone" : ", as in the ordinary build";
    if (!*passes) return {};
    spdlog::warn(
        "'{}' passes in the ordinary build and fails in the mutation twin, without any mutant: it judges none. To see "
        "why, run `{}`",
        test.name, mutating::command_of(*of.suite, *of.program, test.name));
    return "passes";
  }

  result<void> judge(const judging_program& each) {
    mutation::mutant_program what = mutating::mutant_program_of(*each.suite, *each.program);
    what.temporary = temporary_folder().string();
    mutation::run_limits limits = limits_;
    limits.jobs = mutating::jobs_for(*each.suite, limits_.jobs);
    const double before = cpu_seconds();
    std::size_t steps = 0;
    system::progress bar(1, "tests", !common_.quiet);
    auto baseline = mutation::run_baseline(what, limits, [&] { bar.reach(++steps, "running tests without mutants"); });
    bar.clear();
    const auto failed = [&](const std::string& error) {
      return tl::unexpected(fmt::format("suite '{}': {}", each.suite->name, error));
    };
    if (!baseline) return failed(baseline.error());
    if (system::interrupted()) return {};
    if (baseline->tests.empty()) {
      report_.not_run.push_back(fmt::format("suite '{}': '{}' has no tests", each.suite->name, each.program->target));
      return {};
    }

    mutating::program_memory& memory = memory_.programs[each.name()];
    memory.begin_run(mutating::conditions_of(tree_, *each.suite, commands_, limits_, foreign_));
    std::vector<std::string> places;
    for (const mutation::baseline_test& test : baseline->tests) places.push_back(in_mirror(test.place));
    const auto contents = mutating::test_contents(
        places, mutating::test_sources_of(each.program->target, chosen_, tree_.source_dir, at_.source, files_, places));
    const std::string headers = mutating::header_digests(report_.sources, request_, at_.binary)
                                    .of(mutating::read_for(each.program->target, dependencies_));
    std::vector<mutating::remembered_test> tests;
    for (std::size_t t = 0; t < places.size(); ++t) {
      mutation::baseline_test& test = baseline->tests[t];
      const std::string in_build = compare_with_build(each, test);
      tests.push_back({test.name, contents[t] + ' ' + headers + ' ' + data_, test.why_not, in_build});
    }
    memory.set_tests(std::move(tests));
    const std::uint32_t first_test = note_tests(each, memory);

    const auto readers = mutating::nodes_that_read(report_.sources, request_, files_);
    std::vector<mutation::judged_mutant> mutants;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const mutating::reported_mutant& m = report_.mutants[i];
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
    system::progress done(mutants.size(), "mutants", !common_.quiet);
    auto saved_at = clock::now();
    const auto remember = [&] {
      mutation::note_unobserved(*baseline, mutants);
      for (std::size_t i = 0; i < mutants.size(); ++i) memory.remember(remembered_as_[i], mutants[i].found);
    };
    auto judged = mutation::judge_mutants(what, *baseline, limits, mutants, [&] {
      done.step("judging " + each.program->target);
      if (clock::now() - saved_at < time_between_saves) return;
      remember();
      if (auto saved = mutating::save_verdicts(verdicts_file(), memory_); !saved) spdlog::warn("{}", saved.error());
      saved_at = clock::now();
    });
    done.clear();
    remember();
    for (std::size_t i = 0; i < mutants.size(); ++i)
      if (!is_decided(report_.mutants[i])) take_verdict(report_.mutants[i], mutants[i].found, first_test);
    report_.cpu_judge += cpu_seconds() - between;
    if (!judged) return failed(judged.error());
    return {};
  }

  const build::build_tree& tree_;
  const mutate_arguments& arguments_;
  const common_options& common_;
  build::mutation_place at_;
  mutation::run_limits limits_;
  build::build_tree twin_;
  mutating::mutation_report report_;
  std::vector<build::compile_unit> commands_;
  build::dependency_map dependencies_;  // of the twin, as it was built last
  std::string foreign_;
  bool has_included_files_ = false;  // when sources are read; else once they are built
  mutating::chosen_sources chosen_;
  source_reader::source_request request_;
  std::vector<std::string> files_;  // of the project, by path from its root
  std::map<std::string, mutating::counted_file> counted_;
  std::string data_;  // digest of those that are neither sources nor build files: tests may read them
  std::optional<mutating::changed_lines> changed_;
  mutating::verdict_memory memory_;
  mutating::ordinary_build build_;
  std::vector<std::string> names_;          // of report_.mutants, by their own files
  std::vector<std::string> remembered_as_;  // the same, with the headers around them
  std::vector<bool> wanted_;
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
  return contract::fine;
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
      return contract::usage;
    }
  const auto tree = open_build_tree(common);
  if (!tree) return contract::environment;
  if (!tree->instrument.empty()) {
    spdlog::error("'{}' is itself an instrumented tree; name the ordinary one with --build", tree->binary_dir.string());
    return contract::usage;
  }
  system::catch_interrupts();
  const auto lock = system::lock_file(tree->own_dir() / "mutate.lock", system::if_locked::refuse);
  if (!lock) {
    spdlog::error("{}; is another `morph mutate` at work in this build tree?", lock.error());
    return contract::environment;
  }
  const auto started = clock::now();
  auto report = mutation_run(*tree, arguments, common).run();
  if (system::interrupted()) {
    spdlog::error("interrupted; the verdicts found so far are kept, run it again to go on");
    return contract::environment;
  }
  if (!report) {
    spdlog::error("{}", report.error());
    return contract::environment;
  }
  report->seconds = std::chrono::duration<double>(clock::now() - started).count();
  const report::mutation_result result = mutating::result_of(*report, std::time(nullptr));
  const std::string as_json = report::mutation_as_json(result);
  fmt::print("{}", common.json ? as_json : report::mutation_as_text(result, {.verbose = common.verbose}));
  if (auto saved = system::write_file_atomically(mutating::mutation_result_path(*tree), as_json); !saved) {
    spdlog::error("{}", saved.error());
    return contract::environment;
  }
  const auto missing = report::missing_of(result);
  const bool is_finished = result.is_whole && result.run->parts.front().ended == report::run_end::finished;
  if (!is_finished || (arguments.fail_under && !missing.empty())) {
    mutating::say_beside_result(
        fmt::format("{}: {}{}", is_finished ? "--fail-under judges no part of the mutants" : "the result is not whole",
                    fmt::join(missing, "; "), result.is_whole && !is_finished ? "; run it again to go on" : ""));
    return contract::environment;
  }
  return mutating::compare_score(result, arguments.fail_under);
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
  app.add_option("--fail-under", arguments->fail_under,
                 "Exit with 1 if the mutation score is below PERCENT, with 3 if there is none")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0).description(""));
  app.add_option("--only", arguments->only, "Only mutants in files that match, as in .gitignore")->type_name("GLOB");
  app.add_option("--without", arguments->without, "No mutants in files that match")->type_name("GLOB");
  app.add_option("--since", arguments->since,
                 "Judge only mutants of functions that changed since REVISION; of others tell what is known")
      ->type_name("REVISION");
  app.add_flag("--diff", arguments->only_changed,
               "Only mutants of changed functions: since --since, else since HEAD left the main branch");
  app.add_option("--sample", arguments->sample, "Judge N mutants, drawn evenly, for an estimate of the score")
      ->type_name("N")
      ->check(CLI::PositiveNumber.description(""));
  app.add_option_function<std::string>(
         "--shard", [arguments](const std::string& text) { arguments->part = mutating::parse_shard(text); },
         "Judge the I-th of N parts of the mutants, for N machines")
      ->type_name("I/N")
      ->check([](const std::string& text) {
        return mutating::parse_shard(text) ? std::string() : "'" + text + "' is no part as 2/8";
      });
  app.add_option("--budget", arguments->budget, "Begin no mutant after so many seconds; go on in the next run")
      ->type_name("SECONDS")
      ->check(CLI::NonNegativeNumber.description(""));
  app.add_flag("--matrix", arguments->all_killers, "Find every test that kills a mutant, not the first alone");
  app.add_option("--unmutated-runs", arguments->unmutated_runs,
                 "Run each test so often without mutants, and leave out those that fail at times (default: 2)")
      ->type_name("N")
      ->check(CLI::Range(2U, 1000U).description(""));
  app.add_flag("--no-equivalence", arguments->keeps_equivalents,
               "Do not look for survivors that are compiled to the original's code, which no test can kill");
  app.add_flag("--fresh", arguments->forgets, "Judge every mutant again, whatever earlier runs have found");
  return [arguments, &common] { return run_mutate(*arguments, common); };
}

}  // namespace morph::command
