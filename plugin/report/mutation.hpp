// What became of a project's program mutants: the result of a run, however it was made, and its figures.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace morph::report {

enum class mutant_state : std::uint8_t {
  not_covered,  // no test reaches its place
  survived,
  killed,  // a test failed
  crashed,
  timed_out,
  equivalent,  // known to mean the same as the original
  not_judged,
};
inline constexpr std::size_t mutant_states = 7;
std::string_view name_of(mutant_state state);
std::optional<mutant_state> mutant_state_of(std::string_view name);
/// Crashes and time-outs are kills.
bool is_kill(mutant_state state);
/// By a test, as far as it is known to matter: what is equivalent or was not judged is not.
bool is_covered(mutant_state state);

/// Both from 1; columns are bytes.
struct text_place {
  std::uint32_t line = 1;
  std::uint32_t column = 1;

  auto operator<=>(const text_place&) const = default;
};

enum class mutant_kind : std::uint8_t {
  expression,
  statement,  // deleted, with its semicolon
  body,       // of a function: the replacement runs first, and returns; the range is the opening brace
};
std::string_view name_of(mutant_kind kind);
std::optional<mutant_kind> mutant_kind_of(std::string_view name);

struct mutant_result {
  std::uint32_t begin = 0;  // bytes [begin, end) of the source
  std::uint32_t end = 0;
  text_place from{};  // of begin and end
  text_place to{};
  mutant_kind kind = mutant_kind::expression;
  std::string op;
  std::string replacement;
  std::uint32_t node = 0;
  std::uint32_t function_node = 0;  // that is set with it
  std::uint32_t alternative = 0;    // from 1
  mutant_state state = mutant_state::not_covered;
  std::vector<std::string> killers{};  // the first one, or all that are known
  std::uint32_t covering = 0;          // tests that reach its place
  std::uint32_t infected = 0;          // tests in which its value was seen to differ from the original's
  std::uint32_t unobserved = 0;        // tests that reach it, and may notice it, of which that is not known
  std::uint32_t ran = 0;               // tests that ran with it
  std::int64_t cpu_us = 0;
  bool is_recalled = false;  // the verdict is that of an earlier run
  std::string reason{};

  bool operator==(const mutant_result&) const = default;
};

/// What is known of a survivor's value in the tests that reach it.
enum class difference : std::uint8_t { none, unknown, seen };
difference difference_of(const mutant_result& mutant);

/// Of the extreme transformations of a function's body every one survives, some do, or none does; or no test reaches
/// it.
enum class tested : std::uint8_t { not_covered, pseudo_tested, partly_tested, tested };
std::string_view name_of(tested how);
std::optional<tested> tested_of(std::string_view name);

struct function_result {
  std::uint32_t line = 0;  // of its name
  std::string name;
  std::optional<tested> how{};  // nothing if it has no extreme transformation that was judged
  std::uint32_t begin = 0;      // bytes [begin, end) of the source
  std::uint32_t end = 0;

  bool operator==(const function_result&) const = default;
};

struct mutated_source {
  std::string path;  // from the root of the project
  std::string text;  // as it was mutated
  std::vector<mutant_result> mutants{};
  std::vector<function_result> functions{};  // that have mutants; outer ones come first

  bool operator==(const mutated_source&) const = default;
};

/// What a mutant takes the place of, and the text that stands there then.
std::string_view original_of(const mutated_source& file, const mutant_result& mutant);
std::string mutated_text(const mutant_result& mutant);

/// Where the lines of a text begin. Refers to the text.
class source_lines {
 public:
  explicit source_lines(std::string_view text);

  std::size_t size() const { return begins_.size(); }
  /// Without its end; empty if there is no such line.
  std::string_view line(std::uint32_t number) const;
  text_place at(std::uint32_t offset) const;

 private:
  std::string_view text_;
  std::vector<std::uint32_t> begins_;
};

/// Fills in lines and columns of a file's mutants.
void place_mutants(mutated_source& file);

/// The text of a file's lines that a mutant concerns, before and after.
struct changed_line {
  std::string before;  // the first one, if there are several
  std::string after;
  bool is_first_of_several = false;

  bool operator==(const changed_line&) const = default;
};
changed_line change_of(const mutated_source& file, const source_lines& lines, const mutant_result& mutant);

struct judging_test {
  std::string name;            // of no other test of the result
  std::string why_left_out{};  // empty: it judges
  std::string suite{};
  std::string program{};   // suite/target
  std::string own_name{};  // as its framework calls it
  std::string in_build{};  // "passes" or "fails" in the ordinary build, if it does the other thing in the mutation twin

  bool operator==(const judging_test&) const = default;
};

struct unread_unit {
  std::string unit;
  std::string first_error;
  std::size_t errors = 0;

  bool operator==(const unread_unit&) const = default;
};

/// What the project's compiler rejected, and what was left out because of it.
struct rejected_part {
  std::string path;
  std::uint32_t line = 0;  // 0: in all of the file
  std::string what;        // empty: at this place; a function's name; "*": the file
  std::size_t mutants = 0;
  std::string why;  // the compiler's words

  bool operator==(const rejected_part&) const = default;
};

/// "src/cpu.cpp:5: 2 mutants are left out: the compiler says '...'"
std::string describe(const rejected_part& part);

enum class run_end : std::uint8_t { finished, budget, interrupted };
std::string_view name_of(run_end end);
std::optional<run_end> run_end_of(std::string_view name);

/// The `shard`-th of `of` parts of the mutants, and how the run that judged it ended.
struct judged_part {
  std::uint32_t shard = 1;
  std::uint32_t of = 1;
  run_end ended = run_end::finished;

  auto operator<=>(const judged_part&) const = default;
};

/// By kind ("tests", "options"), what a verdict hangs on: its name and its value or digest.
using run_facts = std::map<std::string, std::map<std::string, std::string>>;

/// What was judged, of what. Results of equal facts are parts of one.
struct run_record {
  run_facts facts;
  std::string commit;              // a label; empty if there is none, or several
  std::vector<judged_part> parts;  // sorted, each shard once

  bool operator==(const run_record&) const = default;
};

struct mutation_result {
  std::optional<run_record> run{};               // nothing: an older Morph made the result
  std::vector<mutated_source> files;             // by path
  std::map<std::string, std::string> operators;  // those that made mutants, with what they do
  std::vector<judging_test> tests;
  std::map<std::string, std::uint32_t> left_out;           // places, by reason
  std::map<std::string, std::uint32_t> compile_time_only;  // by path: mutants of what compilers alone evaluate
  std::vector<unread_unit> rejected_units;
  std::vector<rejected_part> rejected_parts{};
  std::vector<std::string> not_run;
  bool is_whole = true;            // every program judged; whether all mutants are: missing_of()
  bool has_all_killers = false;    // else a mutant has the first one that was found
  std::size_t sample_of = 0;       // the mutants are drawn from so many; 0: they are all
  std::vector<std::string> scope;  // options that chose these mutants, "--only src/"; empty: they are all
  std::size_t units = 0;
  std::size_t units_read = 0;
  std::size_t candidates = 0;
  std::size_t not_compilable = 0;
  std::size_t rejected_by_compiler = 0;
  double seconds = 0;
  std::map<std::string, double> cpu_seconds;  // by step
  std::int64_t at = 0;                        // seconds since 1970

  bool operator==(const mutation_result&) const = default;
};

/// Leaves the mutants and functions of those files alone.
void keep_files(mutation_result& result, const std::function<bool(const std::string&)>& wanted);

/// How many mutants are in which state. What was not judged counts for nothing else, what is equivalent for no score.
class mutation_tally {
 public:
  void add(mutant_state state) { ++counts_[static_cast<std::size_t>(state)]; }

  std::size_t of(mutant_state state) const { return counts_[static_cast<std::size_t>(state)]; }
  std::size_t all() const;
  std::size_t covered() const;
  std::size_t killed() const;
  /// Killed of all, and of those that a test reaches. Nothing if there is none: it is no score.
  std::optional<double> score() const;
  std::optional<double> score_of_covered() const;
  /// Of so many that are killed by somebody.
  std::optional<double> share(std::size_t killed) const;

 private:
  std::size_t counts_[mutant_states]{};
};

struct score_interval {
  double low = 0;
  double high = 1;
};
/// Of the score of all mutants, by those that were drawn: Wilson's, with 95 % confidence.
score_interval interval_of(const mutation_tally& sample);

/// What became of the mutants of each of a file's functions, without those of functions within them.
std::vector<mutation_tally> tallies_of_functions(const mutated_source& file);

/// Of a function with these extreme transformations; nothing if none of them says anything.
std::optional<tested> tested_by(const mutation_tally& bodies);

struct mutation_figures {
  mutation_tally all;
  std::map<std::string, mutation_tally> by_file, by_operator;
  std::map<tested, std::size_t> functions;
  std::size_t recalled = 0;
};
mutation_figures figures_of(const mutation_result& result);

/// Why there is no score, and what to do: "all 3 mutants mean the same as the original; ...". Empty if there is one.
std::string why_no_score(const mutation_result& result);

/// "a part of all mutants: --only src/ --sample 300"; empty if they are all.
std::string about_scope(const mutation_result& result);

/// On one line, without what terminals obey; what is not UTF-8 becomes U+FFFD.
std::string on_one_line(std::string_view text);

/// What is not UTF-8 becomes U+FFFD, byte by byte; everything else stays.
std::string as_utf8(std::string_view text);

/// With the column as JavaScript, SARIF and editors count: UTF-16 code units of what as_utf8() makes of the line.
text_place in_utf16(const source_lines& lines, text_place place);

/// "'a - b' in place of 'a + b'"
std::string what_changed(const mutated_source& file, const mutant_result& mutant);

/// "it passes in the ordinary build, and fails in the mutation twin"; empty if it does the same in both.
std::string about_difference(const judging_test& test);

/// Why a mutant is in its state: "2 tests reach it, its value differs in none"; or differs, or nobody can tell
std::string why(const mutant_result& mutant);

}  // namespace morph::report
