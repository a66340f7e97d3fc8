// What a program was built from, by its notes, and what a row of counters says was executed of it.
#ifndef MORPH_COVERAGE_GCOV_PROGRAM_MODEL_HPP
#define MORPH_COVERAGE_GCOV_PROGRAM_MODEL_HPP

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coverage/gcov/capture.hpp"
#include "coverage/gcov/files.hpp"
#include "coverage/gcov/moved_lines.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/solver.hpp"

namespace morph::gcov {

// Sorted indices into the model's tables.
struct executed {
  std::vector<std::uint32_t> lines;
  std::vector<std::uint32_t> functions;
  std::vector<std::uint32_t> units;
  std::vector<std::uint32_t> branches;
  std::vector<std::uint32_t> conditions;
  // Lines that are among `lines` only because another instance of a function that ran has them: gcov does not show
  // them.
  std::vector<std::uint32_t> supposed{};

  friend bool operator==(const executed&, const executed&) = default;
};

struct source_line {
  std::uint32_t file;  // index into files()
  std::uint32_t line;

  friend bool operator==(const source_line&, const source_line&) = default;
};

struct function_info {
  std::string symbol;  // mangled
  std::uint32_t file;  // index into files()
  std::uint32_t start_line, end_line;
  bool artificial;     // written by the compiler: implicit members, static initialization; reports leave these out
  std::uint32_t unit;  // the first unit that has it
};

// One way on from a line, named by what is the same in every unit and build that compiles the same text: its number
// among the line's outcomes in one function, in gcov's order; a function that starts on the line itself, such as a
// lambda, numbers its own from 32 times its column on, so that the two rarely meet (then they count as one). The
// instances of a template and the constructors that the compiler makes of one share theirs. Left out is what no test
// can mean to cover: the ways of exceptions, the sole return of a call, artificial functions.
struct branch_outcome {
  std::uint32_t file;  // index into files()
  std::uint32_t line;
  std::uint32_t number;  // below branch_outcomes

  friend bool operator==(const branch_outcome&, const branch_outcome&) = default;
};
constexpr std::uint32_t branch_outcomes = 4096;  // of a line

// A term of a condition was seen to decide it (modified condition/decision coverage): 2 * term while it was true,
// 2 * term + 1 while it was false. Numbered as outcomes of branches are, condition after condition of a line.
using condition_outcome = branch_outcome;

// How a function decides on a line, from which conditions of the source find their outcomes: in which order its blocks
// decide there, and in which order the ways on from each stand in the compiler's code. Instances of one function may
// differ; then each has its own.
struct decision_way {
  std::uint32_t file;  // index into files(), of the function and of the line
  std::uint32_t function_line, line;
  std::uint32_t decision;  // among those of the line in the function
  std::uint32_t rank;      // GCC: of its arc. Clang: of the block that it leads to.
  bool is_counted;         // false: Clang counts others alone, and the rest is shared out (solver.cpp)
  std::uint32_t number;    // as in branch_outcome
  bool is_last;            // no decision follows on the line
  bool by_clang;

  friend auto operator<=>(const decision_way&, const decision_way&) = default;
};

struct unit_info {
  std::string note_path;
};

// The role of a function in static initialization, by its symbol. The compiler gathers the initializers of a unit in
// functions of its own, which every start of the program runs:
// - `initializers` (__static_initialization_and_destruction_0) holds the initializers themselves, on their own lines;
// - `caller` (_GLOBAL__sub_I_*, _GLOBAL__I_*, and D for destructors) calls it; so counts the function in which
// GoogleTest's
//   TEST_P registers itself.
// Their start line is that of the unit's last declaration; blocks on it that guard or leave do not execute it, but
// those of `initializers` that call or just go on do: they initialize that last declaration. If no line remains,
// neither the function nor its unit counts as executed: else the start-up row, which belongs to every test, would hold
// every unit that has a static object.
// Clang has a function for each variable, `variable` (__cxx_global_var_init.N): it initializes on all its lines.
enum class initialization_role : std::uint8_t { none, initializers, caller, variable };
initialization_role role_in_initialization(std::string_view symbol);

// True for a line (index into files(), number) that static initialization runs and that is to be forgotten, such as the
// one that registers a test.
using line_filter = std::function<bool(std::uint32_t file, std::uint32_t line)>;

// Holds the flow graphs of every function that has counters in the program. A function of a note without counters there
// (the linker took another unit's copy) adds nothing: what cannot be seen must not look as if it was never executed.
class program_model {
 public:
  explicit program_model(file_reader read = read_file) : read_(std::move(read)) {}

  // Reads the module's notes; without a path, at its .gcda path with the suffix replaced. Stamp, version and checksums
  // must agree with the record; after an error the model is as it was before. `places_of`: where lines stand that
  // `#line` calls otherwise.
  tl::expected<void, std::string> add(const module_record& module, const place_finder& places_of = {},
                                      std::string note_path = {});

  // Selection's superset: a line was executed if any block that has it was. Ids ascend; ids of no known function are
  // ignored. Cost: the functions with a counter above zero, and a bit for each line of the model. Not for two threads
  // at once.
  executed convert(std::span<const counter> counters) const;
  executed convert(std::span<const counter> counters, const line_filter& drop) const;

  // What gcov's exact rule leaves of these lines: those that it calls not executed (indices into lines()). May have
  // lines that `drop` left out. Cost: the few functions that have such lines.
  std::vector<std::uint32_t> unshown(std::span<const counter> counters) const;

  // Absolute and lexically normalized.
  const std::vector<std::string>& files() const { return files_; }
  // Every executable line, once for all units.
  const std::vector<source_line>& lines() const { return lines_; }
  // Once for all units that have the same symbol at the same place.
  const std::vector<function_info>& functions() const { return functions_; }
  const std::vector<unit_info>& units() const { return units_; }
  // Those that can be taken, once for all units.
  const std::vector<branch_outcome>& branches() const { return branches_; }
  // Once for all units, ascending; of lines of a function's own file.
  const std::set<decision_way>& decisions() const { return decisions_; }
  // Those that can be seen, once for all units; none before GCC 14 or without -fcondition-coverage.
  const std::vector<condition_outcome>& conditions() const { return conditions_; }

 private:
  struct block_line {
    std::uint32_t block;
    std::uint32_t line;  // index into lines_
  };
  struct arc_outcome {
    std::uint32_t arc;
    std::uint32_t branch;  // index into branches_
  };
  // A condition on one of the lines that its block ends on.
  struct condition_place {
    std::uint32_t condition;
    std::uint32_t first, end;  // in instance::condition_outcomes, two a term
  };
  // What the counts of a function were when it was last seen, and what that executes. Tests of one program share most
  // of what they run, often to the count.
  struct remembered {
    std::vector<counter> counts;
    std::vector<std::uint32_t> lines, branches;
  };
  // A function as one unit compiled it.
  struct instance {
    std::uint32_t function;  // index into functions_
    std::uint32_t unit;
    std::uint32_t blocks;
    initialization_role role;
    conservation conserved;
    std::vector<arc> arcs;
    std::vector<block_line> lines;
    std::vector<arc_outcome> branches;
    std::vector<condition_place> conditions;        // by condition
    std::vector<std::uint32_t> condition_outcomes;  // indices into conditions_
    std::uint32_t body = ~std::uint32_t{0};         // of Clang's: index into bodies_
    std::size_t own_lines = 0;                      // how many of its body's
    mutable std::optional<flow> planned{};          // since it was seen for the first time
    mutable remembered last{};

    const flow& counts() const;
  };
  // What all instances of a function that begins at one line show of its own file: Clang 17 and later leave out of one
  // some lines behind those of another file, and another one has them.
  using body = std::set<std::uint32_t>;  // indices into lines_
  struct id_range {
    std::uint32_t first;
    std::uint32_t count;
    std::uint32_t instance;
    bool masks;  // of conditions, not counters of arcs
  };

  // Of a line and the blocks that gcov gives it to, ascending.
  using given_lines = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  struct weak_mention {
    std::uint32_t instance;
    block_line mention;
  };
  struct remembered_lines {
    std::vector<counter> counts;
    std::vector<std::uint32_t> weak, strong;
  };
  // A function that mentions lines of which some mention is weak.
  struct doubtful_function {
    std::uint32_t first_id, counters;
    std::uint32_t instance;
    std::vector<block_line> weak, strong;
    mutable remembered_lines last;
  };

  static given_lines lines_given_by_gcov(const note_function& from, const instance& made);
  void find_weak_mentions(const note& notes, std::span<const note_function* const> functions);
  void find_doubtful() const;

  void add_instance(const note_function& from, bool clang, std::span<const std::uint32_t> file_ids, std::uint32_t unit);
  void add_outcomes(const note_function& from, bool clang, std::span<const std::uint32_t> file_ids, instance& made);
  std::uint32_t file_id(const std::string& path);
  std::uint32_t line_id(std::uint32_t file, std::uint32_t line);
  std::uint32_t function_id(const note_function& from, std::uint32_t file, std::uint32_t unit);
  using outcome_ids = std::unordered_map<std::uint64_t, std::uint32_t>;  // by line and number
  std::uint32_t outcome_id(const branch_outcome& outcome, std::vector<branch_outcome>& table, outcome_ids& ids);
  std::uint32_t unit_id(const std::string& note_path);

  file_reader read_;
  std::vector<std::string> files_;
  std::vector<source_line> lines_;
  std::vector<function_info> functions_;
  std::vector<unit_info> units_;
  std::vector<branch_outcome> branches_;
  std::vector<condition_outcome> conditions_;
  std::set<decision_way> decisions_;
  std::vector<instance> instances_;
  std::vector<body> bodies_;
  std::vector<id_range> ranges_;              // ascending, apart from each other
  std::vector<weak_mention> weak_;            // by instance
  std::vector<std::uint32_t> given_of_unit_;  // by line: the last unit in which gcov gives it to blocks
  std::uint32_t units_with_lines_ = 0;
  mutable std::vector<doubtful_function> doubtful_;
  mutable std::size_t doubtful_among_ = 0;  // instances
  std::unordered_map<std::string, std::uint32_t> file_ids_;
  std::unordered_map<std::uint64_t, std::uint32_t> line_ids_, body_ids_;
  std::unordered_map<std::string, std::uint32_t> function_ids_;
  std::unordered_map<std::string, std::uint32_t> unit_ids_;
  outcome_ids branch_ids_, condition_ids_;
};

}  // namespace morph::gcov

#endif
