// Plans as the CMake code that registers their tests with ctest.
#include "plugin/planning/plan_cmake.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <utility>

#include "plugin/frameworks/framework.hpp"
#include "plugin/planning/plan_print.hpp"
#include "plugin/system/static_program.hpp"

namespace morph::planning {
namespace {

using selection::planned_test;

constexpr int plan_entry_cost = 2'000'000;

/// A bracket argument whose level does not occur in the text.
std::string quoted(const std::string& text) {
  std::string equals = "=";
  while (text.find(fmt::format("]{}]", equals)) != std::string::npos || text.ends_with(fmt::format("]{}", equals)))
    equals += '=';
  // CMake drops a newline that directly follows the opening bracket.
  return fmt::format("[{0}[{1}{2}]{0}]", equals, text.starts_with('\n') ? "\n" : "", text);
}

/// A list element: semicolons inside it do not separate.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == ';') result.push_back('\\');
    result.push_back(c);
  }
  return result;
}

std::string joined(const std::vector<std::string>& elements) {
  std::vector<std::string> safe;
  for (const std::string& e : elements) safe.push_back(escaped(e));
  return fmt::format("{}", fmt::join(safe, ";"));
}

/// add_test() and its properties, without labels and cost.
class entry_writer {
 public:
  explicit entry_writer(const workspace::listed_suite& suite) : s_(*suite.declared), tells_places_(suite.tells_places) {
    if (s_.working_directory != s_.binary_dir)
      place_ += fmt::format(" WORKING_DIRECTORY {}", quoted(s_.working_directory.string()));
    if (!s_.environment.empty()) place_ += fmt::format(" ENVIRONMENT {}", quoted(joined(s_.environment)));
    given_ = text_of_properties(s_.properties);
    common_ = place_;
    if (s_.timeout) common_ += fmt::format(" TIMEOUT {}", *s_.timeout);
    if (framework_ != nullptr && !framework_->skip_expression.empty())
      common_ += fmt::format(" SKIP_REGULAR_EXPRESSION {}", quoted(framework_->skip_expression));
    common_ +=
        framework_ == nullptr ? given_ : text_of_properties(frameworks::properties_of_case(*framework_, s_.properties));
  }

  /// `label` is "morph" or "deferred".
  void add(const build::test_program& program, const frameworks::listed_case& c, const char* label, int cost,
           const std::string& recording, const std::string& tracer) {
    code_ += fmt::format("add_test({}", quoted(c.name));
    if (!tracer.empty() && !recording.empty()) code_ += ' ' + quoted(tracer);
    code_ += ' ' + quoted(program.executable.string());
    if (framework_ != nullptr)
      for (const std::string& argument : framework_->choose({&c.case_name, 1})) code_ += ' ' + quoted(argument);
    for (const std::string& argument : s_.extra_args) code_ += ' ' + quoted(argument);
    if (!tracer.empty() && !recording.empty() && s_.framework == "doctest")
      code_ += ' ' + quoted(system::no_stops_of_doctest);
    code_ += ")\n";
    set_properties(c.name, fmt::format("{} LABELS {} COST {}{}{}", common_, labels(label), cost,
                                       c.disabled ? " DISABLED TRUE" : "", with_recording(s_.properties, recording)));
    if (tells_places_ && !c.file.empty())
      code_ += fmt::format("set_tests_properties({} PROPERTIES DEF_SOURCE_LINE {})\n", quoted(c.name),
                           quoted(fmt::format("{}:{}", c.file, c.line)));
    names_.push_back(c.name);
  }

  /// Somebody else has registered it. ctest appends labels that are set here to those that a test has.
  void adopt(const frameworks::listed_case& c, const char* label, int cost, const std::string& recording) {
    if (!c.disabled)
      set_properties(c.name, fmt::format(" LABELS {} COST {}{}", labels(label), cost,
                                         with_recording(c.entry->properties, recording)));
  }

  /// What runs a batch of cases.
  void add(const batch_entry& entry, const std::string& morph) {
    if (entry.batch.empty()) {
      add_note(entry.name, "no tests in " + entry.name);
      set_properties(entry.name, fmt::format(" LABELS {} COST {}", labels("deferred"), entry.cost));
    } else {
      code_ += fmt::format("add_test({} {} run --batch {})\n", quoted(entry.name), quoted(morph), quoted(entry.batch));
      set_properties(entry.name, fmt::format("{}{} TIMEOUT {:.0f} LABELS {} COST {}", place_, given_, entry.timeout,
                                             labels(entry.selected ? "morph" : "deferred"), entry.cost));
    }
    names_.push_back(entry.name);
  }

  /// A program whose cases cannot be listed, as one test. Time-out and skip expression are one case's, not the whole's.
  void add_whole(const build::test_program& program) {
    std::vector<std::string> command{program.executable.string()};
    command.insert(command.end(), s_.extra_args.begin(), s_.extra_args.end());
    add_bare(s_.name + ".all" + (s_.programs.size() > 1 ? "." + program.target : ""), command, place_);
  }

  /// As gtest_discover_tests() does: an entry that cannot run, so that nobody takes the suite for green.
  void add_not_built() {
    if (!std::exchange(has_not_built_, true)) add_bare(s_.name + "_NOT_BUILT", {s_.name + "_NOT_BUILT"}, "");
  }

  void add_plan_entry(const std::string& note) {
    const std::string name = s_.name + ".plan";
    add_note(name, note);
    set_properties(name, fmt::format(" LABELS {} COST {}", quoted("morph;" + s_.name), plan_entry_cost));
  }

  /// With the variable that TEST_LIST names; the include script evaluates the code outside functions.
  std::string finish() && {
    flush_properties();
    if (!s_.test_list.empty()) code_ += fmt::format("set({} {})\n", quoted(s_.test_list), quoted(joined(names_)));
    return std::move(code_);
  }

 private:
  /// An entry that prints the text. A shell starts in a tenth of the time that Morph's own program takes.
  void add_note(const std::string& entry, const std::string& text) {
    code_ +=
        fmt::format("add_test({} /bin/sh -c {} sh {})\n", quoted(entry), quoted(R"(printf '%s\n' "$1")"), quoted(text));
  }

  static std::string text_of_properties(const std::vector<std::pair<std::string, std::string>>& properties) {
    std::string text;
    for (const auto& [key, value] : properties) text += fmt::format(" {} {}", quoted(key), quoted(value));
    return text;
  }

  /// Together for tests that share them, yet while ctest's list is short: it is searched from end to end for every
  /// test.
  void set_properties(const std::string& test, const std::string& properties) {
    constexpr std::size_t batch = 64;
    tests_with_[properties].push_back(quoted(test));
    if (++waiting_ == batch) flush_properties();
  }

  void flush_properties() {
    for (const auto& [properties, tests] : tests_with_)
      code_ += fmt::format("set_tests_properties({} PROPERTIES{})\n", fmt::join(tests, " "), properties);
    tests_with_.clear();
    waiting_ = 0;
  }

  std::string labels(const char* label) const {
    std::vector<std::string> all{label, s_.name};
    all.insert(all.end(), s_.labels.begin(), s_.labels.end());
    return quoted(joined(all));
  }

  /// Behind what the test has of that kind already.
  static std::string with_recording(const std::vector<std::pair<std::string, std::string>>& properties,
                                    const std::string& recording) {
    constexpr const char* modification = "ENVIRONMENT_MODIFICATION";
    if (recording.empty()) return {};
    std::string all;
    for (const auto& [key, value] : properties)
      if (key == modification && !value.empty()) all += value + ";";
    return fmt::format(" {} {}", modification, quoted(all + recording));
  }

  void add_bare(const std::string& name, const std::vector<std::string>& command, const std::string& properties) {
    code_ += fmt::format("add_test({}", quoted(name));
    for (const std::string& word : command) code_ += ' ' + quoted(word);
    code_ += ")\n";
    set_properties(name, fmt::format("{} LABELS {} COST {}", properties, labels("morph"), first_cost));
    names_.push_back(name);
  }

  const build::suite& s_;
  const bool tells_places_;
  const frameworks::framework* const framework_ = frameworks::find_framework(s_.framework);
  std::string place_;   // properties of every entry
  std::string given_;   // PROPERTIES
  std::string common_;  // properties of every case
  std::string code_;
  std::map<std::string, std::vector<std::string>> tests_with_;  // properties -> quoted names
  std::size_t waiting_ = 0;                                     // names in it
  bool has_not_built_ = false;
  std::vector<std::string> names_;
};

/// What the test's environment needs to be recorded, as ENVIRONMENT_MODIFICATION takes it; empty if it is not to be.
std::string modification_of(const std::optional<test_recording>& recording, const planned_test* test) {
  if (!recording || test == nullptr) return {};
  const auto at = recording->tests.find(test->test);
  if (at == recording->tests.end()) return {};
  std::string text = fmt::format("LD_PRELOAD=path_list_prepend:{}", escaped(recording->preload));
  for (const auto& [name, value] : recording->variables) text += fmt::format(";{}=set:{}", name, escaped(value));
  return text + fmt::format(";{}=set:{}", recording->name, escaped(at->second));
}

/// Empty: libraries can be loaded into it, or it is somebody else's to say what runs it.
std::string tracer_for(const workspace::listed_suite& suite, std::size_t program, const test_recording& recording) {
  if (suite.declared->is_adopted() || !system::is_static_program(suite.declared->programs[program].executable))
    return {};
  return system::tracer_beside(recording.preload);
}

}  // namespace

std::string plan_as_cmake(const full_plan& p, const std::vector<suite_entries>& batched,
                          const std::string& morph_executable, const std::optional<test_recording>& recording) {
  std::string code;
  std::size_t next = 0;
  for (std::size_t i = 0; i < p.suites.size(); ++i) {
    const workspace::listed_suite& listed = p.suites[i];
    // Without a macro for it, the suite's script falls back on what ctest knows: cmake/MorphRegisterAdopted.cmake.
    if (listed.declared->is_adopted() && !listed.whole()) continue;
    entry_writer entries(listed);
    entries.add_plan_entry(suite_note(p, i));
    for (std::size_t program = 0; program < listed.programs.size(); ++program) {
      const auto how = listed.programs[program].how;
      if (how == frameworks::listed_program::state::not_built) entries.add_not_built();
      if (how == frameworks::listed_program::state::failed) entries.add_whole(listed.declared->programs[program]);
      const std::string tracer = recording ? tracer_for(listed, program, *recording) : std::string();
      for (const frameworks::listed_case& c : listed.programs[program].cases) {
        const planned_test* t = c.disabled ? nullptr : &p.plan.tests[next++];
        const bool selected = t != nullptr && t->selected;
        if (batched[i]) continue;
        const char* label = selected ? "morph" : "deferred";
        const int cost = selected ? first_cost - static_cast<int>(*t->rank) : -1;
        if (listed.declared->is_adopted())
          entries.adopt(c, label, cost, modification_of(recording, t));
        else
          entries.add(listed.declared->programs[program], c, label, cost, modification_of(recording, t), tracer);
      }
    }
    if (batched[i])
      for (const batch_entry& entry : *batched[i]) entries.add(entry, morph_executable);
    // A macro, not a property that holds code: CMake's lexer takes quadratic time over a long bracket argument.
    code +=
        fmt::format("macro(\"_morph_code_{}\")\n{}endmacro()\n", listed.declared->name, std::move(entries).finish());
  }
  return code + "# morph-plan-end v1\n";
}

std::string fallback_as_cmake(const workspace::listed_suite& suite, const suite_entries& batched,
                              const std::string& morph_executable) {
  entry_writer entries(suite);
  if (batched) {
    for (const batch_entry& entry : *batched) entries.add(entry, morph_executable);
    return std::move(entries).finish();
  }
  for (std::size_t program = 0; program < suite.programs.size(); ++program)
    for (const frameworks::listed_case& c : suite.programs[program].cases)
      entries.add(suite.declared->programs[program], c, "morph", first_cost, "", "");
  return std::move(entries).finish();
}

}  // namespace morph::planning
