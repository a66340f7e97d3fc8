// Gathering the facts; rows.cpp judges and prints them.
#include "plugin/doctor/checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "coverage/probe/table.hpp"
#include "optimizer/exact/exact.hpp"
#include "plugin/build/build_tree.hpp"
#include "plugin/changes/fingerprints.hpp"
#include "plugin/contract/variables.hpp"
#include "plugin/doctor/unseen.hpp"
#include "plugin/frameworks/listing.hpp"
#include "plugin/git/repository.hpp"
#include "plugin/measuring/gcov_files.hpp"
#include "plugin/measuring/probe_rows.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/planning/planning.hpp"
#include "plugin/setup/estimate.hpp"
#include "plugin/store/store.hpp"
#include "plugin/system/counted.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/static_program.hpp"
#include "plugin/workspace/opened.hpp"

namespace morph::doctor {
namespace {

namespace fs = std::filesystem;
using build::build_tree;
using nlohmann::json;
using rows = std::vector<check_row>;

/// An instrumented build without optimization against the user's own, in bytes of its products.
constexpr std::uintmax_t twin_growth = 5;  // measured: 1.5 on a small project, 4.5 on fmt

/// What a command prints; empty if it fails.
std::string output_of(std::vector<std::string> arguments) {
  system::command c;
  c.arguments = std::move(arguments);
  c.timeout = std::chrono::seconds(20);
  const auto end = system::run(c);
  return end.succeeded() ? end.out.substr(0, end.out.find_last_not_of('\n') + 1) : std::string();
}

// ---- the build tree

/// When CMake last wrote the build system.
fs::file_time_type configured_at(const build::build_tree& tree) {
  fs::file_time_type latest = fs::file_time_type::min();
  for (const char* file : {"build.ninja", "CMakeFiles/Makefile2", "CMakeFiles/cmake.check_cache"}) {
    std::error_code error;
    const auto time = fs::last_write_time(tree.binary_dir / file, error);
    if (!error) latest = std::max(latest, time);
  }
  return latest;
}

check_row check_description(const build::build_tree& tree) {
  if (!tree.instrument.empty())
    return {row_state::problem, "build tree",
            fmt::format("'{}' is itself an instrumented twin", tree.binary_dir.string()),
            "name the ordinary build tree with --build"};
  std::set<fs::path> descriptions{tree.source_dir / "CMakeLists.txt"};
  for (const auto& suite : tree.suites) descriptions.insert(suite.declared_at.substr(0, suite.declared_at.rfind(':')));
  for (const fs::path& file : descriptions) {
    std::error_code error;
    const auto time = fs::last_write_time(file, error);
    if (!error && time > configured_at(tree))
      return {row_state::problem, "build tree",
              fmt::format("'{}' is newer than what CMake wrote into '{}'", file.string(), tree.binary_dir.string()),
              fmt::format("run `cmake --build {}`", tree.binary_dir.string())};
  }
  return {row_state::fine, "build tree",
          fmt::format("{}, {}", tree.binary_dir.string(), system::counted(tree.suites.size(), "suite")), ""};
}

/// The program that ctest asks for plans, out of a suite's include script.
std::string program_of_ctest(const build::build_tree& tree) {
  constexpr std::string_view setting = "set(_morph_program [==[";
  for (const auto& suite : tree.suites) {
    const auto script = system::read_file(tree.own_dir() / "suites" / (suite.name + ".cmake"));
    const auto at = script ? script->find(setting) : std::string::npos;
    if (at == std::string::npos) continue;
    const auto start = at + setting.size();
    return script->substr(start, script->find("]==]", start) - start);
  }
  return {};
}

void check_tools(const build::build_tree& tree, rows& found) {
  found.push_back(judge_version("morph", MORPH_VERSION, tree.morph_version));
  const std::string program = program_of_ctest(tree);
  std::error_code error;
  if (!program.empty() && !fs::equivalent(program, "/proc/self/exe", error)) {
    const std::string version = output_of({program, "--version"});
    if (version.empty())
      found.push_back({row_state::problem, "ctest's morph", fmt::format("'{}' does not run", program),
                       "build it, or configure the build tree again with MORPH_EXECUTABLE"});
    else
      found.push_back(judge_version("ctest's morph", version.substr(version.rfind(' ') + 1), tree.morph_version));
  }

  const std::string compiler = json::parse(tree.configuration, nullptr, false).value("compiler", "");
  found.push_back(judge_compiler(compiler, tree.counters));
  const bool has_counters = !build::has_probes(tree) && !build::is_off(tree) && !tree.compiler_path.empty();
  if (compiler.starts_with("GNU ") && has_counters) {
    const std::string gcov = measuring::gcov_beside(compiler, tree.compiler_path);
    found.push_back(judge_gcov(compiler, gcov, output_of({gcov, "--version"}),
                               output_of({tree.compiler_path, "-print-file-name=libgcov.a"}), tree.counters));
  }
  if (compiler.starts_with("Clang ") && has_counters) {
    // Compiler packages name it with the machine, or put it into a folder of the machine's.
    std::string library;
    for (const char* name :
         {"libclang_rt.profile-x86_64.a", "libclang_rt.profile-aarch64.a", "libclang_rt.profile.a"}) {
      if (library.starts_with('/')) break;
      library = output_of({tree.compiler_path, fmt::format("-print-file-name={}", name)});
    }
    found.push_back(judge_clang_library(compiler, library));
    const std::string llvm_cov = measuring::gcov_beside(compiler, tree.compiler_path);
    if (measuring::has_counter_files(tree))
      found.push_back(judge_llvm_cov(compiler, llvm_cov, output_of({llvm_cov, "--version"})));
  }
  const std::string cmake = output_of({tree.cmake, "--version"});
  const std::string version = cmake.substr(0, cmake.find('\n'));
  found.push_back(cmake.empty()
                      ? check_row{row_state::problem, "cmake", fmt::format("'{}' does not run", tree.cmake),
                                  "configure the build tree again"}
                      : check_row{row_state::fine, "cmake", fmt::format("{}, {}", version, tree.generator), ""});
}

// ---- suites

void check_suites(const build::build_tree& tree, rows& found) {
  using clock = std::chrono::steady_clock;
  for (const build::suite& suite : tree.suites) {
    check_row row{row_state::fine, "suite " + suite.name, "", ""};
    std::size_t cases = 0, disabled = 0;
    std::vector<std::string> messages;
    const auto started = clock::now();
    bool cached = true;
    for (const auto& program : suite.programs) {
      const auto listed = frameworks::list_program(tree, suite, program);
      cached = cached && listed.from_cache;
      cases += listed.cases.size();
      for (const auto& c : listed.cases) disabled += c.disabled ? 1 : 0;
      if (listed.how == frameworks::listed_program::state::listed) continue;
      messages.push_back(listed.message);
      row.advice = listed.how == frameworks::listed_program::state::not_built
                       ? fmt::format("run `cmake --build {}`", tree.binary_dir.string())
                       : "its tests run as a whole until it can be listed";
    }
    const double taken = std::chrono::duration<double, std::milli>(clock::now() - started).count();
    row.detail = fmt::format("{}, {}{}, listed in {:.0f} ms{}", suite.framework, system::counted(cases, "case"),
                             disabled > 0 ? fmt::format(" ({} disabled)", disabled) : "", taken,
                             cached && suite.framework != "none" ? " (kept listing)" : "");
    if (cases == 0 && messages.empty()) row.how = row_state::note;
    if (!messages.empty()) {
      row.how = row_state::problem;
      row.detail = fmt::format("{}", fmt::join(messages, "; "));
    }
    found.push_back(std::move(row));
  }
}

// ---- git, store, plan

std::optional<git::repository> check_git(const fs::path& folder, rows& found) {
  auto repo = git::repository::open(folder);
  const auto head = repo ? repo->head() : tl::unexpected(repo.error());
  if (!head) {
    found.push_back({row_state::problem, "git", head.error(), ""});
    return repo ? std::optional(std::move(*repo)) : std::nullopt;
  }
  std::string detail = fmt::format("{} at {}", repo->root().string(), head->commit.substr(0, 10));
  if (repo->is_detached()) detail += ", detached";
  if (head->dirty) detail += ", uncommitted changes (they count as part of the change)";
  if (head->run_all) detail += ", the commit asks for everything (Morph: all)";
  found.push_back({row_state::fine, "git", detail, ""});
  if (repo->is_shallow())
    found.push_back({row_state::note, "git history",
                     "the clone is shallow: a measured commit behind its border is not found",
                     "clone with a depth that reaches the last measured commit of the main branch"});
  if (repo->is_partial())
    found.push_back({row_state::note, "git objects",
                     "the clone is partial: git fetches what a comparison needs; without its remote everything runs",
                     ""});
  return std::move(*repo);
}

/// The store's rows; the evidence if it can be read.
std::optional<store::evidence_store> check_store(const build::build_tree& tree, const git::repository* repo,
                                                 rows& found) {
  const std::string path = workspace::store_path(tree, repo);
  auto opened = store::evidence_store::open_for_reading(path);
  if (!opened) {
    found.push_back({row_state::problem, "evidence", opened.error(), ""});
    return std::nullopt;
  }
  const std::string relative = repo != nullptr ? repo->relative(path) : std::string();
  if (!relative.empty() && !repo->ignores(relative))
    found.push_back({row_state::problem, "git-ignored", fmt::format("git does not ignore '{}'", relative),
                     "run `morph init --write`"});
  if (!*opened && build::has_probes(tree)) {
    found.push_back({row_state::fine, "evidence", fmt::format("{}: nothing was recorded yet", path),
                     "run `ctest -L morph`, and `morph record` behind it"});
    return std::nullopt;
  }
  if (!*opened) {
    found.push_back({row_state::problem, "evidence", fmt::format("{}: nothing was measured yet", path),
                     workspace::how_to_measure(tree)});
    return std::nullopt;
  }
  const auto findings = (*opened)->verify();
  const auto measurements = (*opened)->measurements();
  if (!findings || !measurements || !findings->empty()) {
    found.push_back({row_state::problem, "evidence",
                     !findings ? findings.error()
                     : !measurements
                         ? measurements.error()
                         : fmt::format("{}: {}{}", path, findings->front(),
                                       findings->size() > 1 ? fmt::format(" and {} more", findings->size() - 1) : ""),
                     "`morph store verify` tells more; without the file everything is measured again"});
    return std::nullopt;
  }
  std::error_code error;
  const auto usable = std::count_if(measurements->begin(), measurements->end(),
                                    [&](const auto& m) { return m.configuration == tree.configuration; });
  found.push_back({row_state::fine, "evidence",
                   fmt::format("{}, {}, sound; {} of {} measurements are of this configuration", path,
                               setup::bytes_text(fs::file_size(path, error)), usable, measurements->size()),
                   ""});
  return std::move(**opened);
}

/// What plans have learned from ctest. False: nothing so far.
bool check_learned(const build::build_tree& tree, rows& found) {
  const std::string path = workspace::learned_path(tree);
  auto opened = store::evidence_store::open_for_reading(path);
  const auto all = opened && *opened ? (*opened)->measurements() : std::vector<store::measurement_info>();
  const auto latest = all && !all->empty() ? (*opened)->load(all->front().id) : tl::unexpected(std::string());
  if (!opened || !all) {
    found.push_back({row_state::problem, "learned",
                     fmt::format("'{}' is damaged, or was left in the middle of writing", path),
                     "`ctest -L morph` mends it, or learns anew"});
    return false;
  }
  if (!latest) return false;
  std::size_t tests = 0, known = 0, incomplete = 0;
  for (const store::measured_test& test : latest->tests) {
    tests += test.is_startup() ? 0 : 1;
    known += !test.is_startup() && test.measured ? 1 : 0;
    incomplete += !test.is_startup() && test.measured && test.is_doubtful() ? 1 : 0;
  }
  found.push_back(
      {row_state::fine, "learned",
       fmt::format("what {} of {} executed{}; `morph record` puts it into the store", known,
                   system::counted(tests, "test"),
                   incomplete > 0 ? fmt::format(", of {} not all of it (they always run)", incomplete) : ""),
       ""});
  return true;
}

void check_plan(const build::build_tree& tree, rows& found) {
  const auto planned = planning::make_planning(tree, {});
  if (!planned) {
    found.push_back({row_state::problem, "baseline", planned.error(), ""});
    return;
  }
  const planning::full_plan& p = **planned;
  if (p.request.baseline) found.push_back({row_state::fine, "baseline", planning::base_text(p), ""});
  for (const std::string& note : p.notes) {
    const bool no_baseline = note.starts_with("everything runs: ");
    // What cannot be listed has a row of its own.
    if (!no_baseline && p.listing_failed) continue;
    found.push_back({no_baseline ? row_state::problem : row_state::note, no_baseline ? "baseline" : "plan", note, ""});
  }
}

// ---- what measuring needs

/// The seconds that measured tests took, of the newest measurement; else what ctest remembers.
std::optional<double> running_time(const build::build_tree& tree, store::evidence_store* evidence) {
  if (evidence != nullptr)
    if (const auto all = evidence->measurements(); all && !all->empty())
      if (const auto facts = evidence->load(all->front().id)) {
        double sum = 0;
        for (const auto& test : facts->tests) sum += static_cast<double>(test.wall_us) / 1e6;
        return sum;
      }
  const auto costs = system::read_file(tree.binary_dir / "Testing" / "Temporary" / "CTestCostData.txt");
  return costs ? setup::parse_cost_data(*costs) : std::nullopt;
}

bool is_adopted(const build::build_tree& tree, const fs::path& program) {
  std::error_code error;
  return std::any_of(tree.suites.begin(), tree.suites.end(), [&](const build::suite& suite) {
    return suite.is_adopted() && std::any_of(suite.executables.begin(), suite.executables.end(),
                                             [&](const auto& file) { return fs::equivalent(file, program, error); });
  });
}

/// What of the build can have no probes.
void check_probes(const build::build_tree& tree, rows& found) {
  if (const auto runtime = measuring::probe_runtime(); !runtime)
    found.push_back({row_state::problem, "probes", runtime.error(), ""});
  if (!system::can_watch_files())
    found.push_back({row_state::note, "files of tests",
                     "the kernel does not tell which files tests open; a change of one that is no code runs every test",
                     ""});
  std::size_t files = 0, functions = 0;
  const auto links = build::linked_files(tree.binary_dir);
  if (!links) return;  // the row on fingerprints says why
  object::print_cache cache = changes::cache_of(tree);
  changes::fingerprints code(cache, tree, nullptr);
  for (const build::linked_file& link : *links) {
    const std::string path = (tree.binary_dir / link.path).string();
    const auto bytes = system::read_file(path);
    if (const auto compared = bytes ? code.identify(link) : tl::unexpected(bytes.error()); bytes && !compared)
      found.push_back(
          link.shared
              ? check_row{row_state::problem, "object code", compared.error() + "; no run is recorded",
                          "build this shared library in another way, or with -DMORPH_EVIDENCE=twin"}
              : check_row{row_state::note, "object code",
                          fmt::format("{}; every test of '{}' runs when it differs", compared.error(), link.path), ""});
    if (!bytes || path.ends_with(".a")) continue;  // not built, or built into others
    if (const auto table = probe::make_table(*bytes, path)) {
      ++files;
      functions += table->functions.size();
      if (system::is_static_program(path) && is_adopted(tree, path))
        found.push_back({row_state::note, "probes",
                         fmt::format("'{}' is static, and nobody but its suite says what starts it: adopted tests that "
                                     "run it always run",
                                     path),
                         "declare it by morph_add_suite()"});
    } else {
      found.push_back({row_state::problem, "probes", table.error() + "; tests that run it always run", ""});
    }
  }
  if (files > 0)
    found.push_back({row_state::fine, "probes",
                     fmt::format("{} of {}", system::counted(functions, "function"),
                                 system::counted(files, "program or shared library", "programs and shared libraries")),
                     ""});
}

void check_measuring(const build::build_tree& tree, store::evidence_store* evidence, rows& found) {
  if (build::has_probes(tree)) return check_probes(tree, found);
  if (build::is_off(tree)) return;
  std::error_code error;
  const fs::path twin = tree.twin_dir();
  const bool there = fs::exists(twin / "CMakeCache.txt", error);
  const auto nothing_left_out = [](const std::string&) { return false; };
  const auto own = [](const std::string& name) { return name == "morph-twin" || name == ".morph" || name == "_deps"; };
  const std::uintmax_t twin_size = there ? setup::products_size(twin, nothing_left_out) : 0;

  bool current = false;
  if (there && tree.generator == "Ninja") {
    std::vector<std::string> dry{tree.make_program, "-C", twin.string(), "-n"};
    dry.insert(dry.end(), tree.targets.begin(), tree.targets.end());
    current = output_of(dry).find("no work to do") != std::string::npos;
  }
  found.push_back(
      !there ? check_row{row_state::fine, "twin", fmt::format("not built yet; it will be in {}", twin.string()), ""}
             : check_row{row_state::fine, "twin",
                         fmt::format("{}, {}{}", twin.string(), setup::bytes_text(twin_size),
                                     current ? ", up to date" : ", measuring brings it up to date"),
                         ""});

  if (::access(tree.own_dir().c_str(), W_OK) != 0)
    found.push_back({row_state::note, "twin",
                     fmt::format("'{}' cannot be written: {}; it serves plans and reports", tree.binary_dir.string(),
                                 std::strerror(errno)),
                     "measure in another build tree"});

  const std::uintmax_t expected = twin_growth * setup::products_size(tree.binary_dir, own);
  const auto space = fs::space(tree.binary_dir, error);
  if (!error) found.push_back(judge_space(space.available, current || expected < twin_size ? 0 : expected - twin_size));

  std::optional<double> compiling;
  if (const auto log = system::read_file(tree.binary_dir / ".ninja_log"))
    compiling = setup::parse_ninja_log(*log, setup::is_object);
  found.push_back(judge_time(compiling, running_time(tree, evidence), std::thread::hardware_concurrency(), current));
}

// ---- what no plan compares

/// The objects that the build makes for test programs, and for shared libraries.
std::vector<store::linked_object> objects_of_tests(const build::build_tree& tree, changes::fingerprints& of) {
  std::vector<store::linked_object> objects;
  const auto links = build::linked_files(tree.binary_dir);
  if (!links) return objects;
  const auto is_of_test = [&](const build::linked_file& link) {
    const fs::path file = (tree.binary_dir / link.path).lexically_normal();
    return std::any_of(tree.suites.begin(), tree.suites.end(), [&](const build::suite& suite) {
      return std::any_of(suite.programs.begin(), suite.programs.end(), [&](const build::test_program& program) {
        return program.executable.lexically_normal() == file;
      });
    });
  };
  for (const build::linked_file& link : *links) {
    if (link.archive || !(link.shared || is_of_test(link))) continue;
    const auto identified = of.identify(link);
    if (!identified) continue;  // the plan says so
    for (const store::linked_object& object : identified->objects)
      if (fs::path(object.path).is_relative()) objects.push_back(object);
  }
  std::sort(objects.begin(), objects.end());
  objects.erase(std::unique(objects.begin(), objects.end()), objects.end());
  return objects;
}

void check_unseen(const build::build_tree& tree, rows& found) {
  object::print_cache cache = changes::cache_of(tree);
  changes::fingerprints of(cache, tree, nullptr);
  std::map<const unseen_kind*, std::vector<std::string>> calls;
  for (const store::linked_object& object : objects_of_tests(tree, of)) {
    const auto print = of.get(object);
    if (!print) continue;
    for (const unseen_call& call : unseen_calls(**print))
      calls[call.kind].push_back(fmt::format("'{}' in '{}{}' uses {}", call.caller, object.path,
                                             object.member.empty() ? "" : "(" + object.member + ")", call.callee));
  }
  for (const unseen_kind& kind : unseen_kinds())
    if (const auto at = calls.find(&kind); at != calls.end())
      found.push_back({row_state::note, fmt::format("not seen: {}", kind.name),
                       at->second.size() == 1
                           ? at->second.front()
                           : fmt::format("{}, and {} more", at->second.front(), at->second.size() - 1),
                       std::string(kind.advice)});
}

void check_environment(rows& found) {
  for (const contract::variable_row& variable : contract::environment_variables) {
    if (variable.is_common) continue;
    const char* value = std::getenv(variable.name);
    if (value == nullptr || *value == '\0') continue;
    found.push_back(
        {row_state::note, "environment", fmt::format("{}={}: {}", variable.name, value, variable.meaning), ""});
  }
}

}  // namespace

std::vector<check_row> check(const std::string& build_folder) {
  rows found;
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const auto folder =
      build_folder.empty() ? build::find_build_tree(here) : result<fs::path>(fs::absolute(build_folder, error));
  const auto tree = folder ? build::read_build_tree(*folder) : tl::unexpected(folder.error());
  if (tree) {
    found.push_back(check_description(*tree));
    check_tools(*tree, found);
    check_suites(*tree, found);
  } else {
    found.push_back({row_state::problem, "build tree", tree.error(), "`morph init` offers the CMake lines"});
  }
  const auto repo = check_git(tree ? tree->source_dir : here, found);
  if (tree) {
    auto evidence = check_store(*tree, repo ? &*repo : nullptr, found);
    const bool has_learned = build::has_probes(*tree) && check_learned(*tree, found);
    if (evidence || has_learned) check_plan(*tree, found);
    found.push_back(judge_solver(optimizer::exact_solver()));
    check_unseen(*tree, found);
    if (tree->instrument.empty()) check_measuring(*tree, evidence ? &*evidence : nullptr, found);
  }
  check_environment(found);
  return found;
}

}  // namespace morph::doctor
