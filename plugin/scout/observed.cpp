// A copy of each source with a call in front of statements; what it notes is compared with what was read.
#include "plugin/scout/observed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "plugin/build/compiling.hpp"
#include "plugin/frameworks/framework.hpp"
#include "plugin/scout/test_program.hpp"
#include "plugin/system/files.hpp"
#include "plugin/system/process.hpp"

namespace morph::scout {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds longest_run{120};

/// A record is written at once: a test may crash. Of each place 200 are enough.
constexpr const char* notes_source = R"(#include <fcntl.h>
#include <unistd.h>
#include <atomic>
#include <cstring>
namespace {
const unsigned long places = 1UL << 20, most = 200;
std::atomic<unsigned char> seen[places];
void note(unsigned long what) {
  static const int file = open(MORPH_SCOUT_NOTES, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (write(file, &what, sizeof what) < 0) return;
}
}
extern "C" void morph_scout_reached(unsigned long at) {
  if (seen[at % places] >= most) return;
  ++seen[at % places];
  note(2 * at);
}
extern "C" void morph_scout_began(unsigned long at) {
  for (unsigned long i = 0; i < places; ++i) seen[i].store(0, std::memory_order_relaxed);
  note(2 * at + 1);
}
)";

std::vector<noted> notes_in(const fs::path& file) {
  const auto bytes = system::read_file(file);
  std::vector<noted> made;
  if (!bytes) return made;
  for (std::size_t i = 0; i + sizeof(unsigned long) <= bytes->size(); i += sizeof(unsigned long)) {
    unsigned long record = 0;
    std::copy_n(bytes->data() + i, sizeof record, reinterpret_cast<char*>(&record));
    made.push_back({record / 2, record % 2 == 1});
  }
  return made;
}

/// In a literal of C++.
std::string escaped(const std::string& path) {
  std::string made;
  for (const char each : path) {
    if (each == '"' || each == '\\') made += '\\';
    made += each;
  }
  return made;
}

class observed_source {
 public:
  observed_source(const build::build_tree& tree, const std::vector<build::linked_file>& linked, test_source& of,
                  fs::path folder)
      : tree_(tree), linked_(linked), of_(of), folder_(std::move(folder)) {}

  /// Why nothing was observed; empty if something was.
  std::string run() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    fs::create_directories(folder_, ignored);
    const auto text = system::read_file(of_.unit.file);
    if (!text) return text.error();
    const auto program = program_of(tree_, linked_, of_.unit);
    if (!program) return "no program of the build links its test";
    std::string log;
    if (!write(*text) || !compile(log) || !link(*program, log))
      return "a copy of its source that notes calls cannot be compiled or linked";
    const system::command c = command_for(*program);
    if (c.arguments.empty()) return "how its test is chosen is not known";
    const auto end = system::run(c);
    notes = notes_in(folder_ / "notes");
    // What the test that was stopped would have done is not known.
    if (end.how == system::process_end::kind::timed_out) {
      const auto last = std::find_if(notes.rbegin(), notes.rend(), [](const noted& each) { return each.begins; });
      notes.erase(last == notes.rend() ? notes.begin() : std::prev(last.base()), notes.end());
    }
    return notes.empty() ? "its test did not run" : "";
  }

  std::vector<noted> notes{};

 private:
  /// As ctest runs the program, with the tests that hold relations. Without arguments if these cannot be chosen.
  system::command command_for(const program_of_tests& program) const {
    system::command made{.arguments = arguments_for_tests(), .directory = program.file.parent_path().string()};
    if (made.arguments.empty()) return made;
    for (const build::suite& each : tree_.suites) {
      if (std::ranges::none_of(each.programs, [&](const auto& one) { return one.executable == program.file; }))
        continue;
      made.directory = each.working_directory.string();
      made.arguments =
          frameworks::with_arguments(frameworks::find_framework(each.framework), each.extra_args, made.arguments);
      for (const std::string& variable : each.environment)
        if (const auto sign = variable.find('='); sign != std::string::npos)
          made.environment.emplace_back(variable.substr(0, sign), variable.substr(sign + 1));
      break;
    }
    made.arguments.insert(made.arguments.begin(), (folder_ / "tests").string());
    made.timeout = longest_run;
    made.capture_at_end = true;
    return made;
  }

  static bool is_wanted(const test& of) { return of.is_asked && !of.relations.empty(); }

  std::vector<std::string> arguments_for_tests() const {
    std::set<std::string> known;
    std::vector<std::string> names;
    for (const test& each : of_.tests) {
      if (!is_wanted(each)) continue;
      known.insert(each.framework);
      if (std::ranges::find(names, each.name) == names.end()) names.push_back(each.name);
    }
    if (known.size() != 1) return {};
    if (known.contains("gtest")) {
      std::string filter = "--gtest_filter=";
      for (const std::string& each : names) {
        const std::string suite = each.substr(0, each.find('.')), rest = each.substr(suite.size());
        filter += fmt::format("{0}:{0}/*:*/{0}/*:{1}/*{2}:*/{1}/*{2}:", each, suite, rest);
      }
      return {filter};
    }
    const frameworks::framework* const one = frameworks::find_framework(*known.begin());
    return one != nullptr ? one->choose(names) : std::vector<std::string>();
  }

  bool write(const std::string& text) const {
    std::set<std::size_t> stops, begins;
    for (const test& each : of_.tests) {
      if (!is_wanted(each)) continue;
      if (each.body) begins.insert(each.body->first);
      for (const relation& one : each.relations) stops.insert(one.stops.begin(), one.stops.end());
    }
    std::map<std::size_t, std::string> places;
    for (const std::size_t stop : stops)
      if (const auto bare = of_.without_braces.find(stop); bare != of_.without_braces.end())
        places[bare->second] += '}';
    for (const std::size_t begin : begins) places[begin] += fmt::format(" ::morph_scout_began({}UL); ", begin);
    for (const std::size_t stop : stops)
      places[stop] +=
          fmt::format("{} ::morph_scout_reached({}UL); ", of_.without_braces.contains(stop) ? "{" : "", stop);
    static constexpr std::string_view mark = "\xEF\xBB\xBF";  // of UTF-8; only at the very beginning
    std::size_t begin = text.starts_with(mark) ? mark.size() : 0;
    std::string made = text.substr(0, begin) + fmt::format(
                                                   "extern \"C\" void morph_scout_reached(unsigned long);\nextern "
                                                   "\"C\" void morph_scout_began(unsigned long);\n"
                                                   "#line 1 \"{}\"\n",
                                                   escaped(of_.unit.file));
    for (const auto& [at, inserted] : places) {
      if (at > text.size()) return false;
      made += text.substr(begin, at - begin);
      made += inserted;
      begin = at;
    }
    made += text.substr(begin);
    return system::write_file_atomically(folder_ / source_name(), made) &&
           system::write_file_atomically(folder_ / "notes.cpp", notes_source);
  }

  fs::path source_name() const { return fs::path("copy_of_" + fs::path(of_.unit.file).filename().string()); }

  bool compile(std::string& log) const {
    std::vector<std::string> words = build::options_of(of_.unit);
    words.insert(words.end(), {"-w", "-iquote", fs::path(of_.unit.file).parent_path().string(), "-c",
                               (folder_ / source_name()).string(), "-o", (folder_ / "tests.o").string()});
    if (!build::run_compiler(words, of_.unit.directory, log)) return false;
    words = build::link_head_of(of_.unit);
    words.insert(words.end(), {fmt::format("-DMORPH_SCOUT_NOTES=\"{}\"", escaped((folder_ / "notes").string())), "-w",
                               "-c", (folder_ / "notes.cpp").string(), "-o", (folder_ / "notes.o").string()});
    return build::run_compiler(words, of_.unit.directory, log);
  }

  bool link(const program_of_tests& program, std::string& log) const {
    std::vector<std::string> words = build::link_head_of(of_.unit);
    words.insert(words.end(), {(folder_ / "tests.o").string(), (folder_ / "notes.o").string()});
    words.insert(words.end(), program.objects.begin(), program.objects.end());
    words.emplace_back("-Wl,--start-group");
    words.insert(words.end(), program.libraries.begin(), program.libraries.end());
    words.insert(words.end(), {"-Wl,--end-group", "-pthread", "-ldl", "-o", (folder_ / "tests").string()});
    for (const std::string& each : program.run_paths) words.push_back("-Wl,-rpath," + each);
    return build::run_compiler(words, tree_.binary_dir.string(), log);
  }

  const build::build_tree& tree_;
  const std::vector<build::linked_file>& linked_;
  test_source& of_;
  fs::path folder_;
};

/// Takes out what its test's run has refuted.
void sort_out(const observed_source& by, const std::string& why_not, test_source& of,
              std::vector<refuted_relation>& refuted) {
  std::set<std::tuple<std::string, std::string, unsigned>> told;  // sections share what stands in front of them
  for (test& one : of.tests)
    std::erase_if(one.relations, [&](relation& each) {
      if (!one.is_asked) return false;
      if (each.stops.empty() || !one.body)
        each.unseen = "a call or the assertion stands in another file, in a macro, behind a label or in a loop's head";
      else
        each.unseen = why_not;
      if (!each.unseen.empty()) return false;
      const std::string why = why_refuted(each, *one.body, by.notes);
      if (why == "?") each.unseen = "its test did not run";
      if (why.empty() || why == "?") return false;
      if (told.insert({one.name, each.file, each.line}).second) refuted.push_back({one.name, std::move(each), why});
      return true;
    });
}

}  // namespace

std::string why_refuted(const relation& of, const std::pair<std::size_t, std::size_t>& body,
                        const std::vector<noted>& notes) {
  const std::size_t first = of.stops[0], second = of.stops[1], asserted = of.stops[2];
  const auto is_own = [&](std::size_t at) { return body.first <= at && at < body.second; };
  bool ran = false, is_in = false;
  bool has_first = false, has_second = false;                           // in this run of the test
  bool first_once = false, second_once = false, asserted_once = false;  // in any
  bool is_asserting = false;  // what helpers do now may be on the assertion's behalf
  bool second_runs = false;   // likewise of the second call's statement
  for (const noted& each : notes) {
    if (each.begins) {
      is_in = each.at == body.first;
      ran |= is_in;
      // What SetUp() has called comes in front of the test.
      if (is_own(first)) has_first = false;
      if (is_own(second) || !has_first) has_second = false;
      is_asserting = second_runs = false;
      continue;
    }
    if (!is_in && is_own(each.at)) continue;
    if (is_own(each.at)) is_asserting = false;
    if (each.at != first && (is_own(each.at) || !is_own(second))) second_runs = false;
    // One statement may hold both calls, and the assertion.
    if (each.at == first) {
      has_first = first_once = true;
      has_second |= second_runs && !is_own(first);  // in a helper of that statement
    }
    if (each.at == second) {
      has_second |= has_first;
      second_once = second_runs = true;
    }
    if (each.at == asserted && is_in) is_asserting = asserted_once = true;
    if (is_asserting && has_first && has_second) return "";
  }
  if (!ran) return "?";
  if (!asserted_once) return "the assertion was not reached";
  if (!first_once) return fmt::format("the first call (line {}) was not made", of.first.line);
  if (!second_once) return fmt::format("the second call (line {}) was not made", of.second.line);
  return "the calls were not made in this order in front of the assertion";
}

result<void> observe(const build::build_tree& tree, found& of, system::observer& told) {
  const auto linked = build::linked_files(tree.binary_dir);
  if (!linked) return tl::unexpected(linked.error());
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < of.sources.size(); ++i)
    if (std::ranges::any_of(of.sources[i].tests,
                            [](const test& each) { return each.is_asked && !each.relations.empty(); }))
      wanted.push_back(i);
  // One at a time: tests of a program may share files.
  std::vector<refuted_relation> made;
  for (std::size_t i = 0; i < wanted.size() && !system::interrupted(); ++i) {
    told.status(fmt::format("running tests of relations: {} of {} sources", i, wanted.size()));
    test_source& source = of.sources[wanted[i]];
    observed_source by(tree, *linked, source, tree.own_dir() / "scout" / "observed" / std::to_string(i));
    const std::string why_not = by.run();
    sort_out(by, why_not, source, made);
  }
  if (system::interrupted()) return tl::unexpected(std::string("interrupted"));
  // The same in the order of files and lines.
  for (test& one : of.tests)
    for (const test_source& source : of.sources)
      for (const test& each : source.tests)
        if (each.file == one.file && each.line == one.line && each.name == one.name &&
            std::ranges::equal(each.sections, one.sections, {}, &section::line, &section::line))
          one.relations = each.relations;
  of.refuted = std::move(made);
  return {};
}

}  // namespace morph::scout
