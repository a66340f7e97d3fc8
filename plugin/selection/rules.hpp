// What gives a test a reason, rule by rule: the trigger, and the sentence of `morph plan --why`. The one table that
// plans and docs are made from.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "plugin/selection/reason.hpp"

namespace morph::selection {

enum class rule : std::uint8_t {
  failed_last,
  failed_within,
  function_executed,
  referrer_executed,
  program_linked,
  program_executed,
  line_executed,
  file_line_executed,
  includer_executed,
  compiled_unknown,
  file_without_counters,
  unit_without_counters,
  source_unmeasured,
  submodule_changed,
  link_unknown,
  link_of_all,
  link_of_program,
  object_unknown,
  unit_executed,
  file_opened,
  folder_opened,
  file_untracked,
  data_declared,
  pool_line,
  file_named,
  folder_named,
  use_unknown,
  opened_unknown,
  build_reads,
  build_described,
  build_made,
  suite_declared,
  entry_declared,
  variable_changed,
  library_changed,
  test_unknown,
  row_doubtful,
  startup_doubtful,
  no_baseline,
  suite_unlisted,
  suite_unknown,
  measuring_interrupted,
  always_pattern,
  name_of_several,
  program_not_built,
  needs_another,
  needed_by_another,
  namesake_selected,
  everything_asked,
  nothing_changed,
  another_row,
  narrowed,
  covered_by_others,
  risk_taken,
  budget_used,
  runs_with_plan,
};

struct rule_row {
  rule id;
  reason_kind kind;
  std::string_view trigger;
  std::string_view because;  // with {} for what make_reason() gets
};

inline constexpr std::array rules{
    rule_row{rule::failed_last, reason_kind::failed_recently, "its last verdict, of ctest or of a report, is a failure",
             "it failed the last time it ran; it stays selected until it passes"},
    rule_row{rule::failed_within, reason_kind::failed_recently,
             "it failed in one of its last K runs (`--failed-within K`, K > 1)",
             "it failed in one of its last {} runs; it stays selected until it has passed in all of them"},
    // Code, by what differs between two builds.
    rule_row{rule::function_executed, reason_kind::changed_code,
             "a function that it executed has other object code, another table of exceptions, or refers to other data; "
             "before the build: it may be one whose text changed",
             "{}; the test executed it"},
    rule_row{rule::referrer_executed, reason_kind::changed_code,
             "the same of something that coverage cannot see, to which a function that it executed refers",
             "{}; the test executed {}, which refers to it"},
    rule_row{
        rule::program_linked, reason_kind::changed_code,
        "initializers of its program differ, or its objects cannot be compared; of shared libraries and of programs "
        "without tests that any test may execute: every test",
        "{}; every test of its program may depend on it"},
    rule_row{rule::program_executed, reason_kind::changed_code,
             "the same of a program without tests and counters that it executed", "{}; the test executed '{}'"},
    // Code, by lines.
    rule_row{rule::line_executed, reason_kind::changed_code,
             "by lines: it executed a line that changed, or stands before or after an insertion",
             "{}{} {}; the test executed it"},
    rule_row{rule::file_line_executed, reason_kind::changed_code,
             "by lines: any other change of a source of which it executed a line",
             "{}; the test executed a line of the file"},
    rule_row{
        rule::includer_executed, reason_kind::changed_code,
        "by lines: any other change of a header, or of the first line of a function in it, if it executed anything "
        "that is compiled with the header",
        "{}; '{}' includes it, and the test executed code compiled there"},
    rule_row{rule::compiled_unknown, reason_kind::changed_code,
             "by lines: a file has executable lines, but no object is known to be compiled from it: every test",
             "{}; which objects are compiled from it is not known"},
    rule_row{rule::file_without_counters, reason_kind::changed_code,
             "by lines: a source without executable lines (tables): every test", "{}; none of its code has counters"},
    rule_row{rule::unit_without_counters, reason_kind::changed_code,
             "by lines: a file of an object without counters, or of a program that the build runs: every test",
             "'{}' {} is part of '{}', whose code has no counters or runs while the project is built"},
    rule_row{rule::source_unmeasured, reason_kind::changed_code,
             "a source that no build explains and that was no part of a measured program: every test",
             "'{}' {} was not part of any measured program; what it may change is not known"},
    rule_row{rule::submodule_changed, reason_kind::changed_code,
             "a submodule that cannot be compared file by file: every test",
             "'{}' {} is a submodule that cannot be compared with what was measured, file by file"},
    // Code, before the build.
    rule_row{rule::link_unknown, reason_kind::changed_code,
             "before the build: a changed file is compiled into an object of which no link line is known: every test",
             "'{}' changed; what is linked of '{}' is not known before the build"},
    rule_row{rule::link_of_all, reason_kind::changed_code,
             "before the build: it is compiled into a shared library or a program without tests: every test",
             "'{}' changed; '{}' is linked of it, and may change for every test before it is built"},
    rule_row{rule::link_of_program, reason_kind::changed_code,
             "before the build: it is compiled into an object of the test's program. The change is not confined to the "
             "code of its unit, or the object is the program's own",
             "'{}' changed; '{}' is linked of it, and what it changes there is not known before the build"},
    rule_row{rule::object_unknown, reason_kind::changed_code,
             "before the build: a header, and it is unknown what a program without tests is compiled from: every test",
             "'{}' changed; '{}' may be compiled from it, and tests may start '{}'"},
    rule_row{rule::unit_executed, reason_kind::changed_code,
             "before the build: it executed anything compiled with a source whose change is confined to its unit",
             "'{}' changed; the test executed code that is compiled with it"},
    // Files.
    rule_row{rule::file_opened, reason_kind::changed_data, "a file that it opened, executed or looked for changed",
             "'{}' changed; the test opened it"},
    rule_row{rule::folder_opened, reason_kind::changed_data, "a file came or went below a folder that it opened",
             "'{}' {}; the test opened '{}'"},
    rule_row{rule::file_untracked, reason_kind::changed_data,
             "a file, folder or link that it opened or looked for and that git does not track, in the repository or "
             "outside, is another one, came or went",
             "'{}', which git does not track, changed; the test opened or looked for it"},
    rule_row{rule::data_declared, reason_kind::changed_data, "a file that its suite declares as DATA changed",
             "'{}' is DATA of the suite and changed"},
    rule_row{rule::pool_line, reason_kind::changed_data,
             "in the POOL of its suite the line of its case, or of one that this was made of, changed. Every test of "
             "the suite, if a line has no id or the older text is unknown",
             "'{}' changed in the line of this case, or of one that it was made of"},
    rule_row{rule::file_named, reason_kind::changed_data, "a file that its command names changed",
             "'{}' changed; the test's command names it"},
    rule_row{rule::folder_named, reason_kind::changed_data,
             "a file of a kind that affects no test changed below a folder that its command names",
             "'{}' changed; the test's command names its folder '{}'"},
    rule_row{rule::use_unknown, reason_kind::changed_data,
             "a tracked file that is neither source, build description, DATA nor ignored, and that the build may read: "
             "every test",
             "'{}' {} is of unknown use; declare it as DATA of a suite, or list it in MORPH_IGNORE"},
    rule_row{rule::opened_unknown, reason_kind::changed_data,
             "a file that commands of the build read, or may read unseen, changed, and the test opened a file that the "
             "build may have made of it",
             "'{}' {} may be what the build made '{}' of; the test opened it"},
    rule_row{rule::build_reads, reason_kind::changed_data,
             "a file that commands of the build read changed, and what they make of it cannot be compared: every test",
             "'{}' {} is read by the build; what it makes of it is not known"},
    rule_row{rule::build_described, reason_kind::changed_build,
             "a CMake file, or one like it, changed, and what it makes cannot be compared: every test",
             "'{}' {} describes the build; what it changes is not known before the next measurement"},
    rule_row{rule::build_made, reason_kind::changed_build,
             "a CMake file, or one like it, changed, and the test opened a file that the build made",
             "'{}' {} describes the build, which makes '{}'; the test opened it"},
    rule_row{rule::suite_declared, reason_kind::changed_build,
             "its suite is declared with other arguments, environment, properties, programs or DATA",
             "the suite '{}' is declared otherwise than when it was measured"},
    rule_row{rule::entry_declared, reason_kind::changed_build,
             "the project registers it with another command, folder, environment or property",
             "'{}' is registered otherwise than when it was measured"},
    rule_row{rule::variable_changed, reason_kind::changed_environment,
             "an environment variable that it asked for has another value",
             "the environment variable '{}' has another value; the test asked for it"},
    rule_row{rule::library_changed, reason_kind::changed_environment,
             "a shared library that its program needs or that it loaded, and that the build does not make, has another "
             "build id, or without one another content",
             "the shared library '{}' is another build than the one that was measured; the test used it"},
    // The evidence.
    rule_row{rule::test_unknown, reason_kind::is_new, "the baseline has its suite, but not the test",
             "the baseline does not have this test"},
    rule_row{rule::row_doubtful, reason_kind::incomplete_evidence,
             "it did not pass when it was measured, or its record may lack something (\"Incomplete evidence\" below)",
             "{}; what it executes may not have been recorded in full"},
    rule_row{rule::startup_doubtful, reason_kind::incomplete_evidence,
             "the same of what runs before the first test of its program",
             "what its program does before the first test was not recorded in full"},
    rule_row{rule::no_baseline, reason_kind::unmeasured,
             "there is no measurement of this configuration, no store or no git repository", "there is no baseline"},
    rule_row{rule::suite_unlisted, reason_kind::unmeasured,
             "a program of its suite is not built or does not list its tests",
             "not every program of its suite could be listed"},
    rule_row{rule::suite_unknown, reason_kind::unmeasured, "its suite is new", "the baseline does not have this suite"},
    rule_row{rule::measuring_interrupted, reason_kind::unmeasured, "the baseline was interrupted",
             "the measurement was interrupted before this test"},
    // Others.
    rule_row{rule::always_pattern, reason_kind::always, "an ALWAYS expression occurs in its name",
             "an ALWAYS pattern of its suite matches"},
    rule_row{rule::name_of_several, reason_kind::always, "a test of another program or suite has its ctest name",
             "another test has the same ctest name, and ctest sets properties by name"},
    rule_row{rule::program_not_built, reason_kind::always, "its program is not built",
             "its program is not built, therefore it cannot pass"},
    rule_row{rule::needs_another, reason_kind::required,
             "the set-up of a fixture that it requires, or a test that it depends on, may behave otherwise",
             "it needs what '{}' does, which may have changed"},
    rule_row{rule::needed_by_another, reason_kind::required, "a selected test depends on it",
             "'{}' runs and depends on it"},
    rule_row{rule::namesake_selected, reason_kind::same_name, "another case of its name is selected",
             "ctest runs all cases of this name, and one is selected"},
    rule_row{rule::everything_asked, reason_kind::policy_all,
             "POLICY all, MORPH_POLICY=all, or the trailer `Morph: all` in the commit", "the policy runs everything"},
    rule_row{rule::nothing_changed, reason_kind::unaffected, "no rule above selects it",
             "nothing that it executed in the baseline has changed since"},
    rule_row{rule::another_row, reason_kind::unaffected,
             "what it executed when it passed with another content is as it was then",
             "nothing that it executed at commit {} differs from what is built now"},
    rule_row{rule::narrowed, reason_kind::deferred_by_policy,
             "POLICY narrow: all of its reasons are functions whose object code changed, of whose changed lines it "
             "executed none",
             "it executed none of the lines that changed there; the policy narrow leaves it out, which is unproven"},
    rule_row{
        rule::covered_by_others, reason_kind::deferred_by_policy,
        "POLICY minimal: of the change it executed only what K selected tests (--k-coverage K, default: 3) execute "
        "without "
        "it, and it has no other reason",
        "what it executed of the change is executed by {} tests or more that run; the policy minimal leaves it out"},
    rule_row{
        rule::risk_taken, reason_kind::deferred_by_policy,
        "POLICY risk=P: it only executed something that changed, and the tests of that kind before it in the order "
        "find a fault with probability P, by known faults",
        "the tests before it find {} % of the faults that all affected tests find, by known faults; the policy "
        "risk leaves it out"},
    rule_row{rule::budget_used, reason_kind::deferred_by_budget,
             "the tests that fit into the time budget and cover most of the change are others",
             "the time budget goes to tests that cover more of the change"},
    rule_row{rule::runs_with_plan, reason_kind::planned, "`morph plan --nightly`: it runs with the plan",
             "it runs with the plan, so that nothing is left to run of it"},
};

constexpr const rule_row& row_of(rule id) {
  return rules[static_cast<std::size_t>(id)];
}

/// What the sentence is about is checked while this is compiled.
template <rule Id, typename... Arguments>
reason make_reason(std::string detail, const Arguments&... arguments) {
  constexpr rule_row row = row_of(Id);
  static_assert(row.id == Id, "the rows of the table stand in the order of the rules");
  return {row.kind, std::move(detail), fmt::format(row.because, arguments...)};
}

/// How a file can change by lines: the beginning of the sentences of file_line_executed and those that follow it.
enum class file_cause : std::uint8_t { deleted, as_a_whole, was_empty, not_executable, of_compiler, declaration };

struct cause_row {
  file_cause id;
  std::string_view text;  // of a file; or of a place and how it changed
};
inline constexpr std::array causes{
    cause_row{file_cause::deleted, "'{}' was deleted"},
    cause_row{file_cause::as_a_whole, "'{}' changed as a whole"},
    cause_row{file_cause::was_empty, "'{}' was empty"},
    cause_row{file_cause::not_executable, "{} {} and is no executable line"},
    cause_row{file_cause::of_compiler, "{} {} and is executed by what the compiler wrote"},
    cause_row{file_cause::declaration, "{} {} and declares a function of a header"},
};

template <file_cause Id, typename... Arguments>
std::string describe(const Arguments&... arguments) {
  constexpr cause_row row = causes[static_cast<std::size_t>(Id)];
  static_assert(row.id == Id, "the rows of the table stand in the order of the causes");
  return fmt::format(row.text, arguments...);
}

/// What follows the sentence.
inline constexpr std::string_view at_start_up = " before the first test of its program";
inline constexpr std::string_view by_overlay = " (by the overlay)";

}  // namespace morph::selection
