// Compiling, leaving out what does not compile, linking, running with each list of seeds, judging.
#include "plugin/scout/trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "coverage/mutation/compiler_messages.hpp"
#include "plugin/build/compiling.hpp"
#include "plugin/build/link_lines.hpp"
#include "plugin/scout/test_program.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int most_rounds = 6;
constexpr std::size_t fewest_valid = 10;        // of 100 drawn inputs
constexpr std::chrono::seconds longest_run{8};  // of a list
constexpr double longest_trial = 6;             // seconds of a relation, before no other list is begun

fs::path installed(const char* name) {
  return (system::own_executable().parent_path().parent_path() / name).lexically_normal();
}

class source_trial {
 public:
  source_trial(const build::build_tree& tree, const std::vector<build::compile_unit>& units,
               const std::vector<build::linked_file>& linked, const spec_source& of, const fs::path& folder,
               const trial_request& asked)
      : tree_(tree), units_(units), linked_(linked), of_(of), folder_(folder), asked_(asked) {}

  tried_source run() {
    std::error_code ignored;
    fs::remove_all(folder_ / "run", ignored);  // what another time has left
    fs::create_directories(folder_ / "run", ignored);
    // Drawn inputs may be names of files.
    writes_ = system::write_limit::below({folder_ / "run", "/dev"});
    for (const spec& each : of_.specs) made_.specs.push_back({.of = each});
    if (compile() && link())
      for (const char* const list : seed_lists) run_list(list);
    judge();
    narrow();
    made_.kept = {of_.file, of_.stem, of_.from, {}};
    for (const tried_spec& each : made_.specs)
      if (each.how == fate::kept) made_.kept.specs.push_back(each.of);
    return std::move(made_);
  }

 private:
  // ---- compiling

  /// Those that nothing is known of yet.
  spec_source remaining() const {
    spec_source made{of_.file, of_.stem, of_.from, {}};
    for (const tried_spec& each : made_.specs)
      if (is_open(each)) made.specs.push_back(each.of);
    return made;
  }

  static bool is_open(const tried_spec& of) { return of.how == fate::did_not_run && of.why.empty(); }

  tried_spec& tried(const std::string& name) {
    return *std::ranges::find(made_.specs, name, [](const tried_spec& each) { return each.of.name; });
  }

  bool compile() {
    for (int round = 0; round < most_rounds; ++round) {
      const spec_source now = remaining();
      if (now.specs.empty()) return false;
      const spec_text text = text_of(now, true);
      if (!system::write_file_atomically(source(), text.text)) return false;
      std::string log;
      if (build::run_compiler(compile_words(), of_.from->unit.directory, log)) return true;
      if (!drop(now, text, log))
        for (const spec& each : now.specs) reject(each.name, fate::does_not_compile, first_error(log));
    }
    return false;
  }

  std::vector<std::string> compile_words() const {
    std::vector<std::string> words;
    for (const std::string& each : build::options_of(of_.from->unit))
      if (!each.starts_with("-std=") && each != "-pedantic") words.push_back(each);
    words.insert(words.end(), {"-std=gnu++20", "-fexceptions", "-w", "-O0", "-g0", "-iquote",
                               fs::path(of_.from->unit.file).parent_path().string(), "-idirafter",
                               installed("include").string(), "-c", source().string(), "-o", object().string()});
    return words;
  }

  void reject(const std::string& name, fate how, std::string why) {
    tried_spec& one = tried(name);
    if (!one.why.empty()) return;
    one.how = how;
    one.why = std::move(why);
  }

  /// Specs that an error stands in, or that use a declaration with one.
  bool drop(const spec_source& now, const spec_text& text, const std::string& log) {
    bool has_dropped = false;
    for (const auto& error : mutation::read_errors(log)) {
      for (const auto& place : error.places) {
        if (fs::path(place.file).filename() != source().filename()) continue;
        const std::size_t line = place.line;
        const auto spans = [&](const spec_text::lines& each) { return each.first <= line && line <= each.last; };
        if (const auto at = std::ranges::find_if(text.of_specs, spans); at != text.of_specs.end()) {
          const auto number = static_cast<std::size_t>(at - text.of_specs.begin());
          reject(now.specs[number].name, fate::does_not_compile, error.text);
          has_dropped = true;
          break;
        }
        const auto at = std::ranges::find_if(text.of_declarations, spans);
        if (at == text.of_declarations.end()) continue;
        const auto number = static_cast<std::size_t>(at - text.of_declarations.begin());
        for (const spec& each : now.specs)
          if (std::ranges::find(each.of.function->uses, number) != each.of.function->uses.end()) {
            reject(each.name, fate::does_not_compile, error.text);
            has_dropped = true;
          }
        break;
      }
    }
    return has_dropped;
  }

  static std::string first_error(const std::string& log) {
    const auto errors = mutation::read_errors(log);
    if (!errors.empty()) return errors.front().text;
    for (const char* const why : {"undefined reference", "multiple definition", "cannot find", "error"})
      if (const auto at = log.find(why); at != std::string::npos)
        return log.substr(at, std::min<std::size_t>(log.find('\n', at) - at, 200));
    return log.substr(0, 200);
  }

  // ---- linking

  /// Other objects of the tests' program are linked where something is missing. A main() among them is not ours.
  bool link() {
    const auto program = program_of(tree_, linked_, of_.from->unit);
    if (!program) return fail_link("no program of the build links its tests");
    std::string log;
    const fs::path others = folder_ / "others.a";
    std::error_code ignored;
    fs::remove(others, ignored);
    if (!program->objects.empty()) {
      std::vector<std::string> words{"ar", "rcsT", others.string()};
      // A thin archive finds them by where they are from itself.
      for (const std::string& each : program->objects) words.push_back((tree_.binary_dir / each).string());
      if (!build::run_compiler(words, tree_.binary_dir.string(), log)) return fail_link(first_error(log));
    }
    std::vector<std::string> words = build::link_head_of(of_.from->unit);
    words.insert(words.end(), {object().string(), installed("lib/libmorph_spec_main.a").string(), "-Wl,--start-group",
                               installed("lib/libmorph_spec.a").string()});
    if (!program->objects.empty()) words.push_back(others.string());
    words.insert(words.end(), program->libraries.begin(), program->libraries.end());
    words.insert(words.end(), {"-Wl,--end-group", "-Wl,-z,muldefs", "-pthread", "-ldl", "-o", program_file().string()});
    for (const std::string& each : program->run_paths) words.push_back("-Wl,-rpath," + each);
    words.emplace_back("-Wl,--trace");
    system::command c{.arguments = words, .directory = tree_.binary_dir.string()};
    c.environment = {{"LC_ALL", "C"}};
    c.capture_at_end = true;
    const auto end = system::run(c);
    if (!end.succeeded()) return fail_link(first_error(end.out + end.err));
    find_helpers(program->objects, end.out);
    return true;
  }

  /// Those of the objects that the linker says that it has taken.
  void find_helpers(const std::vector<std::string>& objects, const std::string& trace) {
    for (const std::string& each : objects) {
      if (trace.find(each) == std::string::npos) continue;
      const auto unit = std::ranges::find_if(units_, [&](const auto& one) { return object_of(tree_, one) == each; });
      if (unit == units_.end() || std::ranges::find(made_.helper_sources, unit->file) != made_.helper_sources.end())
        continue;
      made_.helper_sources.push_back(unit->file);
    }
  }

  bool fail_link(const std::string& why) {
    for (tried_spec& each : made_.specs)
      if (is_open(each)) reject(each.of.name, fate::does_not_link, why);
    return false;
  }

  // ---- running

  /// Of the one spec that ran. What the code under test prints stands before it.
  static std::string answer_in(const std::string& out, const std::string& name) {
    const auto begin = out.rfind(fmt::format("{{\"spec\":\"{}\"", name));
    const auto end = out.rfind(R"(],"schema":)");
    return begin == std::string::npos || end == std::string::npos || end < begin ? "" : out.substr(begin, end - begin);
  }

  static bool has_text(const spec& of) {
    return std::ranges::any_of(of.of.function->inputs, [](const function_input& each) {
      return each.type.find("string") != std::string::npos;
    });
  }

  system::process_end execute(std::vector<std::string> options) const {
    // Drawn numbers may be sizes. Sanitizers reserve more than all that there is.
    const bool is_limited = std::ranges::none_of(
        of_.from->unit.arguments, [](const std::string& each) { return each.starts_with("-fsanitize"); });
    const char* const script = is_limited ? "ulimit -v 4194304; exec \"$@\"" : "exec \"$@\"";
    options.insert(options.begin(), {"sh", "-c", script, "sh", program_file().string()});
    system::command c{.arguments = std::move(options), .directory = (folder_ / "run").string()};
    c.environment = {{"LC_ALL", "C"}, {"TMPDIR", c.directory}, {"TEST_TMPDIR", c.directory}};
    if (writes_) c.writes = &*writes_;
    c.timeout = longest_run;
    c.capture_at_end = true;
    return system::run(c);
  }

  /// One spec at a time: what one does to global state, or a hang, is not another's.
  void run_list(const char* list) {
    for (tried_spec& each : made_.specs) {
      if (!is_open(each) || system::interrupted()) continue;
      if (list != seed_lists[2] && each.of.examples.empty()) continue;
      if (list != seed_lists[0] && !writes_ && has_text(each.of)) continue;
      // What hangs or crashes for inputs like the test's does so for others.
      if (!each.runs.empty() && each.runs.back().ended > 20) continue;
      if (seconds_[each.of.name] > longest_trial) continue;
      if (auto run = run_of(each.of.name, list))
        each.runs.push_back(std::move(*run));
      else
        seconds_[each.of.name] += longest_trial;  // it hangs or takes too long, and would again
    }
  }

  std::optional<list_run> run_of(const std::string& name, const std::string& list) {
    if (list != seed_lists[0] && !writes_ && has_text(tried(name).of)) return std::nullopt;
    const auto begin = std::chrono::steady_clock::now();
    const auto end = execute({"--json", "--spec", name, "--seeds", list, "--seed", std::to_string(asked_.seed),
                              "--max-time", "3", "--no-shrink"});
    seconds_[name] += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const json told = json::parse(answer_in(end.out, name), nullptr, false);
    if (!told.is_object() || !told.contains("relations")) return std::nullopt;
    list_run made{.list = list};
    for (const json& relation : told["relations"]) {
      if (relation["name"] == "holds") {
        made.pass = relation["pass"];
        made.fail = relation["fail"];
        made.invalid = relation["not_applicable"];
      } else if (relation["name"] == "every run ends") {
        made.ended = relation["fail"];
      }
    }
    if (made.fail > 0) made.counterexample = counterexample(name, list);
    return made;
  }

  std::string counterexample(const std::string& name, const std::string& list) const {
    const auto end = execute({"--quiet", "--test", name + ".holds", "--seeds", list, "--seed",
                              std::to_string(asked_.seed), "--max-time", "3"});
    static constexpr std::string_view begin = "  source  ";
    const auto at = end.out.find(begin);
    if (at == std::string::npos) return "";
    std::string line = end.out.substr(at + begin.size(), end.out.find('\n', at) - at - begin.size());
    if (const auto from = line.rfind("   (seed "); from != std::string::npos) line.resize(from);
    return line;
  }

  // ---- judging

  /// What is violated, or hardly ever valid, may be about some of its inputs: those that may vary one at a time. The
  /// others are constants again, as in the test.
  void narrow() {
    std::vector<tried_spec> before;
    for (tried_spec& each : made_.specs) {
      if ((each.how != fate::violated && each.how != fate::too_few_valid) || each.of.of.function->inputs.size() < 2 ||
          seconds_[each.of.name] > longest_trial)
        continue;
      std::set<std::string> fixed;
      for (const function_input& input : each.of.of.function->inputs) {
        const auto run =
            seconds_[each.of.name] > 2 * longest_trial ? std::nullopt : run_of(each.of.name, list_of_input(input));
        const bool is_free =
            run && run->ended == 0 && run->fail == 0 && run->valid() >= fewest_valid && run->valid() > run->invalid;
        if (!is_free) fixed.insert(input.name);
      }
      if (fixed.empty() || fixed.size() == each.of.of.function->inputs.size()) continue;
      auto made = narrowed(each.of, fixed);
      if (!made) continue;
      before.push_back(each);
      seconds_[each.of.name] = 0;
      each = {.of = std::move(*made)};
    }
    if (before.empty()) return;
    if (compile() && link())
      for (const char* const list : seed_lists) run_list(list);
    judge();
    for (tried_spec& each : before) {
      tried_spec& now = tried(each.of.name);
      if (now.how != fate::kept) now = std::move(each);
    }
  }

  void judge() {
    for (tried_spec& each : made_.specs) {
      if (!is_open(each)) continue;
      if (each.runs.empty()) {
        each.why = "its program did not answer";
        continue;
      }
      const auto run_of = [&](const char* list) -> const list_run* {
        const auto at = std::ranges::find(each.runs, list, &list_run::list);
        return at != each.runs.end() ? &*at : nullptr;
      };
      if (const list_run* const own = run_of(seed_lists[0]);
          own != nullptr && (own->pass == 0 || own->fail > 0 || own->ended > 0)) {
        each.how = fate::refuted;
        each.why = own->fail > 0    ? "it does not hold for the test's own input: " + own->counterexample
                   : own->ended > 0 ? "the test's own input makes it crash or hang"
                                    : "the test's own input is not valid for it";
        continue;
      }
      std::erase_if(each.of.seeds, [&](const std::string& list) {
        const list_run* const run = run_of(list.c_str());
        return run == nullptr || run->fail > 0 || run->ended > 0 ||
               run->pass < (list == seed_lists[0] ? 1 : fewest_valid);
      });
      // Of the test's own inputs alone it says no more than the test.
      const bool has_drawn = std::ranges::any_of(each.of.seeds, [](const auto& list) { return list != seed_lists[0]; });
      const auto failing = std::ranges::find_if(each.runs, [](const list_run& run) { return run.fail > 0; });
      if (has_drawn) {
        each.how = fate::kept;
      } else if (each.widest() != nullptr && failing != each.runs.end()) {
        each.how = fate::violated;
        each.why = fmt::format("violated by {} of {} valid inputs, such as {}", failing->fail, failing->valid(),
                               failing->counterexample);
      } else {
        each.how = fate::too_few_valid;
        const bool ends = std::ranges::none_of(each.runs, [](const list_run& run) { return run.ended > 0; });
        each.why = seconds_[each.of.name] > longest_trial
                       ? "for most drawn inputs it hangs or takes too long; write seeds for it"
                   : !ends
                       ? "drawn inputs make it crash or hang; write seeds for it"
                       : fmt::format("fewer than {} of 100 drawn inputs are valid; write seeds for it", fewest_valid);
      }
    }
  }

  fs::path source() const { return folder_ / file_name_of(of_); }
  fs::path object() const { return folder_ / "specs.o"; }
  fs::path program_file() const { return folder_ / "specs"; }

  const build::build_tree& tree_;
  const std::vector<build::compile_unit>& units_;
  const std::vector<build::linked_file>& linked_;
  const spec_source& of_;
  fs::path folder_;
  const trial_request& asked_;
  std::optional<system::write_limit> writes_{};
  std::map<std::string, double> seconds_{};  // of each spec
  tried_source made_{};
};

}  // namespace

const char* word_of(fate of) {
  switch (of) {
    case fate::kept:
      return "kept";
    case fate::violated:
      return "violated";
    case fate::too_few_valid:
      return "too few valid inputs";
    case fate::refuted:
      return "refuted";
    case fate::does_not_compile:
      return "does not compile";
    case fate::does_not_link:
      return "does not link";
    case fate::did_not_run:
      return "did not run";
  }
  return "";
}

const list_run* tried_spec::widest() const {
  for (auto each = runs.rbegin(); each != runs.rend(); ++each)
    if (each->list != seed_lists[0] && each->valid() >= fewest_valid) return &*each;
  return nullptr;
}

result<std::vector<tried_source>> try_specs(const build::build_tree& tree, const std::vector<spec_source>& sources,
                                            const trial_request& asked, system::observer& told) {
  if (!fs::exists(installed("lib/libmorph_spec_main.a")))
    return tl::unexpected(
        fmt::format("'{}' is not there; install Morph whole", installed("lib/libmorph_spec_main.a").string()));
  const auto linked = build::linked_files(tree.binary_dir);
  if (!linked) return tl::unexpected(linked.error());
  const auto units = build::compile_commands_of(tree);
  if (!units) return tl::unexpected(units.error());
  std::vector<tried_source> made(sources.size());
  std::atomic<std::size_t> next = 0;
  std::size_t done = 0;
  std::mutex guards_done;
  std::condition_variable is_done;
  {
    std::vector<std::jthread> workers;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
      workers.emplace_back([&] {
        for (std::size_t each = next++; each < sources.size() && !system::interrupted(); each = next++) {
          const fs::path folder = tree.own_dir() / "scout" / "specs" / std::to_string(each);
          made[each] = source_trial(tree, *units, *linked, sources[each], folder, asked).run();
          const std::scoped_lock held(guards_done);
          ++done;
          is_done.notify_one();
        }
      });
    std::unique_lock held(guards_done);
    while (done < sources.size() && !system::interrupted()) {
      told.status(fmt::format("trying relations: {} of {} sources", done, sources.size()));
      const std::size_t known = done;
      // A signal wakes nobody.
      while (done == known && !system::interrupted()) is_done.wait_for(held, std::chrono::milliseconds(100));
    }
  }
  if (system::interrupted()) return tl::unexpected(std::string("interrupted"));
  return made;
}

}  // namespace morph::scout
