// Compares, test by test, what our reader makes of counters with gcov's own answers, and the stored row of the test
// with what an ordinary process of that test executes. Prints one JSON object; exit status 1 if anything differs.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "coverage/gcov/files.hpp"
#include "coverage/gcov/program_model.hpp"
#include "coverage/gcov/solver.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/process.hpp"
#include "tests/gcov_answers.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph;
using gcov_answers::place;
using nlohmann::json;
using optimizer::requirement_kind;
using places = std::set<place>;
using outcome_places = std::set<std::tuple<requirement_kind, place, std::uint32_t>>;  // of branches and of conditions

[[noreturn]] void fail(const std::string& message) {
  throw std::runtime_error(message);
}
template <class Value>
Value sound(tl::expected<Value, std::string> given) {
  if (!given) fail(given.error());
  return std::move(*given);
}

double child_seconds() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

template <class Set>
Set minus(const Set& a, const Set& b) {
  Set only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
  return only;
}

struct figures {
  std::size_t tests = 0, identical = 0, units = 0, lines = 0, branches = 0, functions = 0, conditions = 0;
  std::size_t lines_differ = 0, branches_differ = 0, functions_differ = 0, conditions_differ = 0;
  std::size_t rows = 0, row_lines = 0, row_branches = 0, row_missing = 0, row_unexplained = 0, row_branches_differ = 0;
  // Lines that a row has and gcov does not show: a block that ran mentions the line; so does one of a function that the
  // compiler wrote, which gcov leaves out; the test is written there.
  std::size_t extra_any_block = 0, extra_compiler_made = 0, extra_registration = 0;
  // What a report shows, by gcov's own rule: lines too many, and lines that it lacks.
  std::size_t shown_extra = 0, shown_missing = 0;
  std::size_t not_run = 0, incomplete = 0;
  double gcov_seconds = 0, morph_seconds = 0;
};

// What one process left.
struct unit_of_process {
  const gcov::note* notes;
  gcov::data counters;
  std::uint32_t version;
  std::string gcda;  // where it would lie without GCOV_PREFIX
};

class comparison {
 public:
  comparison(const fs::path& build, std::string gcov, const std::string& store, std::size_t every)
      : gcov_(std::move(gcov)), every_(every) {
    const auto tree = sound(build::read_build_tree(build));
    twin_ = sound(build::read_build_tree(tree.twin_dir()));
    root_ = fs::canonical(tree.source_dir).string() + "/";
    build_ = fs::canonical(tree.binary_dir).string() + "/";
    scratch_ = tree.binary_dir / "morph-exact";
    auto opened = sound(store::evidence_store::open_for_reading(store));
    if (!opened) fail(fmt::format("there is no store '{}'", store));
    for (const auto& m : sound(opened->measurements())) {
      if (!m.complete) continue;
      evidence_ = sound(opened->load(m.id));
      break;
    }
    if (evidence_.tests.empty()) fail(fmt::format("'{}' has no complete measurement", store));
    for (std::uint32_t t = 0; t < evidence_.tests.size(); ++t) {
      const auto& test = evidence_.tests[t];
      const auto& program = evidence_.programs[test.program];
      test_ids_[{program.suite, program.target, test.case_name}] = t;
    }
    elements_.resize(evidence_.tests.size());
    for (const auto& c : evidence_.classes)
      for (const auto t : c.tests) elements_[t].insert(elements_[t].end(), c.elements.begin(), c.elements.end());
  }

  void run() {
    std::size_t nth = 0;
    for (const auto& suite : twin_.suites)
      for (const auto& program : suite.programs) {
        const auto listed = frameworks::list_program(twin_, suite, program);
        if (listed.how != frameworks::listed_program::state::listed || suite.is_adopted()) {
          fmt::print(stderr, "not run: {} of suite {}: {}\n", program.target, suite.name, listed.message);
          continue;
        }
        registrations_.clear();
        model_.reset();
        for (const auto& c : listed.cases) registrations_.emplace(c.file, static_cast<std::uint32_t>(c.line));
        for (const auto& c : listed.cases)
          if (!c.disabled && nth++ % every_ == 0) compare(suite, program, c);
      }
    fs::remove_all(scratch_);
  }

  const figures& result() const { return f_; }

 private:
  void compare(const build::suite& suite, const build::test_program& program, const frameworks::listed_case& c) {
    current_ = c.name;
    const auto units = run_alone(suite, program, c);
    if (units.empty()) {
      ++f_.not_run;
      fmt::print(stderr, "not run: {}: it left no counters\n", c.name);
      return;
    }
    ++f_.tests;
    places executed;
    if (compare_units(units, executed)) ++f_.identical;
    compare_row(suite, program, c, units, executed);
  }

  std::vector<unit_of_process> run_alone(const build::suite& suite, const build::test_program& program,
                                         const frameworks::listed_case& c) {
    fs::remove_all(scratch_);
    fs::create_directories(scratch_);
    system::command alone;
    alone.arguments = {program.executable.string()};
    alone.arguments.insert(alone.arguments.end(), suite.extra_args.begin(), suite.extra_args.end());
    if (const auto* framework = frameworks::find_framework(suite.framework)) {
      const auto chosen = framework->choose(std::vector<std::string>{c.case_name});
      alone.arguments.insert(alone.arguments.end(), chosen.begin(), chosen.end());
      for (const auto& name : framework->variables) alone.environment.emplace_back(name, std::nullopt);
    }
    alone.directory = suite.working_directory.string();
    for (const auto& entry : suite.environment)
      alone.environment.emplace_back(entry.substr(0, entry.find('=')), entry.substr(entry.find('=') + 1));
    alone.environment.emplace_back("GCOV_PREFIX", scratch_.string());
    system::run(alone);

    std::vector<unit_of_process> units;
    for (const auto& entry : fs::recursive_directory_iterator(scratch_)) {
      if (entry.path().extension() != ".gcda") continue;
      const std::string gcda = "/" + entry.path().lexically_relative(scratch_).string();
      const auto bytes = sound(gcov::read_file(entry.path().string()));
      const gcov::note& notes = notes_of(fs::path(gcda).replace_extension(".gcno").string());
      fs::create_symlink(fs::path(gcda).replace_extension(".gcno"), fs::path(entry.path()).replace_extension(".gcno"));
      unit_of_process unit{&notes, sound(gcov::parse_data(bytes, gcda)), 0, gcda};
      std::memcpy(&unit.version, bytes.data() + 4, sizeof unit.version);
      units.push_back(std::move(unit));
    }
    std::sort(units.begin(), units.end(), [](const auto& a, const auto& b) { return a.gcda < b.gcda; });
    return units;
  }

  const gcov::note& notes_of(const std::string& path) {
    const auto at = notes_.find(path);
    if (at != notes_.end()) return at->second;
    const auto bytes = sound(gcov::read_file(path));
    return notes_.emplace(path, sound(gcov::parse_note(bytes, path))).first->second;
  }

  /// Adds what gcov calls executed.
  bool compare_units(const std::vector<unit_of_process>& units, places& executed) {
    system::command ask;
    ask.arguments = {gcov_, "-b", "--json-format", "--stdout"};
    if (!units.empty() && units.front().notes->gcc >= 14) ask.arguments.push_back("--conditions");
    for (const auto& unit : units) ask.arguments.push_back(scratch_.string() + unit.gcda);
    const double before = child_seconds();
    const auto said = system::run(ask);
    f_.gcov_seconds += child_seconds() - before;
    if (!said.succeeded()) fail(fmt::format("{} failed for {}: {}", gcov_, current_, said.err));

    bool identical = true;
    std::size_t at = 0;
    for (const auto& unit : units) {
      const auto end = said.out.find('\n', at);
      if (end == std::string::npos) fail(fmt::format("{} says nothing of '{}'", gcov_, unit.gcda));
      const auto theirs = gcov_answers::of_gcov(json::parse(said.out.begin() + static_cast<std::ptrdiff_t>(at),
                                                            said.out.begin() + static_cast<std::ptrdiff_t>(end)));
      at = end + 1;
      const auto started = std::clock();
      const auto counts = sound(gcov::gcov_counts(*unit.notes, unit.counters));
      f_.morph_seconds += static_cast<double>(std::clock() - started) / CLOCKS_PER_SEC;
      const auto ours = gcov_answers::of_morph(*unit.notes, counts);
      ++f_.units;
      f_.lines += theirs.counts.size();
      f_.branches += theirs.branches.size();
      f_.functions += theirs.functions.size();
      f_.conditions += theirs.conditions.size();
      identical &= same("lines", unit.gcda, ours.counts, theirs.counts, f_.lines_differ) &
                   same("branches", unit.gcda, ours.branches, theirs.branches, f_.branches_differ) &
                   same("functions", unit.gcda, ours.functions, theirs.functions, f_.functions_differ) &
                   same("conditions", unit.gcda, ours.conditions, theirs.conditions, f_.conditions_differ);
      executed.insert(theirs.executed.begin(), theirs.executed.end());
    }
    return identical;
  }

  template <class Set>
  bool same(const char* what, const std::string& gcda, const Set& ours, const Set& theirs, std::size_t& differ) {
    if (ours == theirs) return true;
    const Set missing = minus(theirs, ours), extra = minus(ours, theirs);
    differ += std::max(missing.size(), extra.size());
    const auto& [path, line, rest] = missing.empty() ? *extra.begin() : *missing.begin();
    tell(fmt::format("{} of '{}' differ, such as {}:{}", what, gcda, path, line));
    return false;
  }

  void tell(const std::string& finding) {
    if (told_++ < 20) fmt::print(stderr, "{}: {}\n", current_, finding);
  }

  bool is_ours(const std::string& path) const { return path.starts_with(root_) && !path.starts_with(build_); }

  void compare_row(const build::suite& suite, const build::test_program& program, const frameworks::listed_case& c,
                   const std::vector<unit_of_process>& units, const places& executed) {
    const auto test = test_ids_.find({suite.name, program.target, c.case_name});
    const auto startup = test_ids_.find({suite.name, program.target, ""});
    if (test == test_ids_.end() || startup == test_ids_.end()) return tell("the store has no row of it");
    if (evidence_.tests[test->second].is_doubtful()) {
      ++f_.incomplete;
      return;
    }
    places row, shown;
    outcome_places row_outcomes;
    for (const auto id : {test->second, startup->second}) {
      places lines, unshown;
      for (const auto x : elements_[id]) {
        const auto kind = store::kind_of(x);
        const bool is_place = kind == requirement_kind::line || kind == requirement_kind::unshown ||
                              kind == requirement_kind::branch || kind == requirement_kind::condition;
        if (!is_place) continue;
        const std::string path = root_ + evidence_.files[store::owner_of(x)];
        const auto number = store::number_of(x);
        if (kind == requirement_kind::line)
          lines.emplace(path, number);
        else if (kind == requirement_kind::unshown)
          unshown.emplace(path, number);
        else
          row_outcomes.insert({kind, {path, number / store::branches_of_line}, number % store::branches_of_line});
      }
      row.insert(lines.begin(), lines.end());
      shown.merge(minus(lines, unshown));
    }
    ++f_.rows;
    f_.row_lines += row.size();
    f_.row_branches += row_outcomes.size();

    places own;
    for (const auto& at : executed)
      if (is_ours(at.first)) own.insert(at);
    for (const auto& at : minus(own, row)) {
      if (registrations_.contains(at)) continue;  // it only ran to register a test
      ++f_.row_missing;
      tell(fmt::format("its row lacks {}:{}", at.first, at.second));
    }
    const auto [any_block, compiler_made] = touched(units);
    for (const auto& at : minus(row, own)) {
      if (any_block.contains(at))
        ++f_.extra_any_block;
      else if (compiler_made.contains(at))
        ++f_.extra_compiler_made;
      else if (at == place(c.file, static_cast<std::uint32_t>(c.line)))
        ++f_.extra_registration;
      else {
        ++f_.row_unexplained;
        tell(fmt::format("its row has {}:{}, which nothing explains", at.first, at.second));
      }
    }
    for (const auto& at : minus(shown, own)) {
      if (compiler_made.contains(at) || at == place(c.file, static_cast<std::uint32_t>(c.line))) continue;
      ++f_.shown_extra;
      tell(fmt::format("{}:{} is shown, and gcov does not show it", at.first, at.second));
    }
    for (const auto& at : minus(own, shown)) {
      if (registrations_.contains(at)) continue;
      ++f_.shown_missing;
      tell(fmt::format("{}:{} is not shown, and gcov shows it", at.first, at.second));
    }
    const outcome_places taken = outcomes_of(units);
    for (const auto& lists : {minus(taken, row_outcomes), minus(row_outcomes, taken)})
      for (const auto& [kind, at, number] : lists) {
        ++f_.row_branches_differ;
        tell(fmt::format("outcome {} at {}:{} is not in both its row and its process", number, at.first, at.second));
      }
  }

  /// The lines of every block that ran: of functions that gcov shows, and of those that the compiler wrote.
  std::pair<places, places> touched(const std::vector<unit_of_process>& units) const {
    std::pair<places, places> result;
    for (const auto& unit : units) {
      std::map<std::uint32_t, const gcov::data_function*> by_ident;
      for (const auto& function : unit.counters.functions) by_ident[function.ident] = &function;
      for (const auto& function : unit.notes->functions) {
        const auto found = by_ident.find(function.ident);
        if (found == by_ident.end() || found->second->values.empty()) continue;
        const gcov::flow graph(function.blocks, function.arcs);
        std::vector<std::int64_t> arcs(function.arcs.size());
        for (std::size_t i = 0; i < found->second->values.size(); ++i)
          arcs[graph.counted()[i]] = static_cast<std::int64_t>(found->second->values[i]);
        graph.solve(arcs);
        std::vector<std::uint8_t> blocks(function.blocks);
        gcov::mark_executed_blocks(graph, function.arcs, arcs, blocks);
        places& into = function.artificial ? result.second : result.first;
        std::uint32_t block = ~std::uint32_t{0}, last = 0;
        for (const auto& at : function.locations) {
          if (at.block != block) last = 0;
          block = at.block;
          const auto path = gcov::resolved_path(unit.notes->cwd, unit.notes->files[at.file]);
          for (std::uint32_t i = 0; i < at.count; ++i) {
            last = function.lines[at.first + i];
            if (blocks[block] != 0) into.emplace(path, last);
          }
          if (at.count == 0 && blocks[block] != 0) into.emplace(path, last);
        }
      }
    }
    return result;
  }

  outcome_places outcomes_of(const std::vector<unit_of_process>& units) {
    std::uint32_t next_id = 0;
    std::vector<gcov::counter> row;
    std::vector<gcov::module_record> modules;
    for (const auto& unit : units)
      modules.push_back(gcov_answers::module_of(unit.gcda, unit.version, unit.counters, next_id, row));
    if (!model_ || modules != modules_) {
      model_.emplace();
      for (const auto& module : modules)
        if (auto added = model_->add(module); !added) fail(added.error());
      modules_ = std::move(modules);
    }
    outcome_places taken;
    const auto executed = model_->convert(row);
    const auto add = [&](requirement_kind kind, const auto& indices, const auto& table) {
      for (const auto i : indices)
        if (is_ours(model_->files()[table[i].file]))
          taken.insert({kind, {model_->files()[table[i].file], table[i].line}, table[i].number});
    };
    add(requirement_kind::branch, executed.branches, model_->branches());
    add(requirement_kind::condition, executed.conditions, model_->conditions());
    return taken;
  }

  std::string gcov_;
  std::size_t every_;
  build::build_tree twin_;
  std::string root_, build_;
  fs::path scratch_;
  store::evidence evidence_;
  std::map<std::tuple<std::string, std::string, std::string>, std::uint32_t> test_ids_;
  std::vector<std::vector<store::element>> elements_;  // by test
  std::map<std::string, gcov::note> notes_;
  places registrations_;  // of the current program
  std::vector<gcov::module_record> modules_;
  std::optional<gcov::program_model> model_;  // of modules_
  std::string current_;
  std::size_t told_ = 0;
  figures f_;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Compares the reader and the stored rows with gcov");
  std::string build, gcov, store;
  std::size_t every = 10;
  app.add_option("--build", build, "A measured build tree")->required();
  app.add_option("--gcov", gcov, "The gcov of its compiler")->required();
  app.add_option("--store", store, "Its evidence store")->required();
  app.add_option("--every", every, "Look at every N-th test")->check(CLI::PositiveNumber);
  CLI11_PARSE(app, argc, argv);
  try {
    comparison all(build, gcov, store, every);
    all.run();
    const figures& f = all.result();
    const auto per_test = [&](double seconds) {
      return f.tests == 0 ? 0 : 1000 * seconds / static_cast<double>(f.tests);
    };
    fmt::print("{}\n", json{{"tests", f.tests},
                            {"identical", f.identical},
                            {"units", f.units},
                            {"lines", f.lines},
                            {"lines_differ", f.lines_differ},
                            {"lines_with_branches", f.branches},
                            {"branches_differ", f.branches_differ},
                            {"functions", f.functions},
                            {"functions_differ", f.functions_differ},
                            {"lines_with_conditions", f.conditions},
                            {"conditions_differ", f.conditions_differ},
                            {"rows", f.rows},
                            {"row_lines", f.row_lines},
                            {"row_missing", f.row_missing},
                            {"row_extra_any_block", f.extra_any_block},
                            {"row_extra_compiler_made", f.extra_compiler_made},
                            {"row_extra_registration", f.extra_registration},
                            {"row_unexplained", f.row_unexplained},
                            {"shown_extra", f.shown_extra},
                            {"shown_missing", f.shown_missing},
                            {"row_branches", f.row_branches},
                            {"row_branches_differ", f.row_branches_differ},
                            {"not_run", f.not_run},
                            {"incomplete_rows", f.incomplete},
                            {"gcov_cpu_ms_per_test", per_test(f.gcov_seconds)},
                            {"morph_cpu_ms_per_test", per_test(f.morph_seconds)}}
                           .dump());
    const bool equal = f.tests > 0 && f.identical == f.tests &&
                       f.row_missing + f.row_unexplained + f.shown_extra + f.shown_missing + f.row_branches_differ == 0;
    return equal ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "morph_exact: {}\n", error.what());
    return 2;
  }
}
