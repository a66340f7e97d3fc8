// What one measurement found out: which test executed which lines, functions and translation units of which files.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "optimizer/matrix/matrix.hpp"

namespace morph::store {

/// One requirement that a test can cover, as it stands on disk: kind (4 bits), owner (28 bits), number (32 bits).
/// line: owner = file, number = line. function: number = index of functions. unit: number = index of units.
/// branch: owner = file, number = branches_of_line * line + an outcome of that line that was taken. condition: the same
/// with an outcome of the line's conditions (gcov::condition_outcome). Nothing is selected or ordered by branches and
/// conditions; they are there for those who ask for them.
/// kill: owner = a file, number = one of its mutants by a digest of its content, which the test is known to kill.
/// data: owner = a file that the test opened; a folder's name ends in '/'. input: number = index of inputs.
/// unshown: as line, beside one that was executed in part only: gcov's own rule calls it not executed. For reports.
using element = std::uint64_t;
constexpr std::uint32_t branches_of_line = 4096;
constexpr std::uint32_t lines_with_branches = 1U << 20;  // of a file; what branches in longer files is not kept

/// One way on from a decision of a function on a line (gcov::decision_way), for finding outcomes of conditions.
struct decision_way {
  std::uint32_t function_line = 0, line = 0;
  std::uint32_t decision = 0;  // among those of the line in the function
  std::uint32_t rank = 0;      // among the ways of the decision
  bool is_counted = false;     // else that it was taken, or not, may be a guess
  std::uint32_t number = 0;    // of the branch, below branches_of_line
  bool is_last = false;        // decision of the line
  bool by_clang = false;

  auto operator<=>(const decision_way&) const = default;
};
using packed_way = std::uint64_t;  // its order is that of the members, as far as `rank`
/// Nothing for what is not kept: of long files, and of decisions with many ways or with many before them.
std::optional<packed_way> pack(const decision_way& way);
decision_way unpack(packed_way way);

constexpr element make_element(optimizer::requirement_kind kind, std::uint32_t owner, std::uint32_t number) {
  return static_cast<element>(kind) << 60 | static_cast<element>(owner) << 32 | number;
}
constexpr optimizer::requirement_kind kind_of(element e) {
  return static_cast<optimizer::requirement_kind>(e >> 60);
}
constexpr std::uint32_t owner_of(element e) {
  return static_cast<std::uint32_t>(e >> 32) & 0xfffffff;
}
constexpr std::uint32_t number_of(element e) {
  return static_cast<std::uint32_t>(e);
}

/// How a measured test ended. The numbers are those of the stream and of the disk.
enum class outcome : std::uint8_t { passed = 0, failed = 1, skipped = 2, crashed = 3, timed_out = 4, exited = 5 };
const char* name_of(outcome how);

/// Why a row may lack something that the test executes under ctest. The bits are those of the stream and of the disk.
struct incomplete_row {
  std::uint32_t bit;
  const char* name;
  const char* meaning;  // "it <meaning>"
};
std::span<const incomplete_row> incomplete_table();
inline constexpr std::uint32_t row_of_failed_fixture = 1U << 8;  // the test did not run
inline constexpr std::uint32_t row_without_probes = 1U << 11;    // something that it ran had none, or lost them

struct measured_program {
  std::string suite;
  std::string target;
};

/// A test, or with an empty `case_name` the start-up row of its program: what ran before the first test, and therefore
/// belongs to every test of the program.
struct measured_test {
  std::uint32_t program = 0;
  std::string case_name;
  std::string name;  // ctest's
  outcome how = outcome::passed;
  int detail = 0;                // signal or exit status of an abnormal end
  std::uint32_t incomplete = 0;  // bits of morph_stream::incomplete
  std::int64_t wall_us = 0;
  std::int64_t cpu_us = 0;
  bool measured = false;  // false: known to exist, not run yet
  std::int64_t at = 0;    // seconds since 1970: when its row was measured; 0 = unknown
  /// The commit where the row was measured, if it was carried over from there; empty = here.
  std::string carried_from{};
  /// Its rows of one content differed. The row has what any of them had; what others would have is not known.
  bool unsteady = false;

  bool is_startup() const { return case_name.empty(); }
  /// What it would execute under ctest may not all be in its row: it was cut off, or it did not get to its end (a data
  /// file that only a full build makes, an environment of another kind).
  bool is_doubtful() const { return incomplete != 0 || how != outcome::passed; }
};

struct measured_function {
  std::string symbol;  // mangled
  std::uint32_t file = 0;
  std::uint32_t start_line = 0;
  std::uint32_t end_line = 0;
  bool artificial = false;
};

/// Whether it names a basic block of a function (object::block_name), and no function.
inline bool is_block(std::string_view symbol) {
  return symbol.starts_with('#');
}

/// A translation unit: its main source and every file of the repository that its compilation read.
struct measured_unit {
  std::string object;  // relative to the twin tree
  std::uint32_t source = 0;
  std::vector<std::uint32_t> dependencies;  // ascending files, the source included
  bool blind = false;  // without counters, or of a program that the build runs: who is affected is unknown
};

/// What a test reads that no commit holds, with the digest of what it was then; none = it was not there. Of a suite:
/// how it is declared, which is every test's of it without a row saying so. `watch`: nothing that is read; rows that
/// have it are of tests of which the kernel told the files, the digest says whether all of them. `file`: a path, with
/// a '/' behind it the names in a folder, with "/." whether it is there; or a glob of DATA. How its digest begins says
/// what it is of (build/path_digests.hpp).
struct measured_input {
  enum class kind : std::uint8_t {
    variable = 0,
    file = 1,
    library = 2,
    suite = 3,
    watch = 4,
    entry = 5  // how ctest runs a test that the project has registered itself
  } what = kind::variable;
  /// Of an environment variable, a suite or a test, a path as in `files` or, outside the repository, absolute; or where
  /// the loader finds a shared library that no build makes.
  std::string name;
  std::optional<std::string> digest;

  /// A glob of DATA.
  bool is_data() const { return what == kind::file && digest && digest->starts_with(data_digest); }
  static constexpr std::string_view data_digest = "files ";
};

inline constexpr const char* watched_wholly = "everywhere";  // "all": in the repository, as told by older versions
inline constexpr const char* watched_in_part = "some";

/// An object file that a program was linked of when it was measured, or the member of a static library.
struct linked_object {
  std::string path;  // of the object or library, relative to the build tree if it lies there
  std::string member;
  bool archive = false;
  bool whole = false;  // --whole-archive
  std::string print;   // which blob holds its fingerprints (object::write_print)
  auto operator<=>(const linked_object&) const = default;
};

/// A program or shared library of the ordinary build, which was up to date with what was measured.
struct measured_link {
  std::string path;  // relative to the build tree
  bool shared = false;
  std::vector<linked_object> objects;  // in the linker's order
  std::string folder{};                // of the build tree, which __FILE__ may have brought into the code
  std::string options{};               // what else the link line says; empty if that is not known
  std::string made{};                  // digest of what it holds itself; empty if that is not known
  std::string made_of{};               // digest of its inputs, byte by byte
  std::string loads{};                 // digest of shared libraries that it names and that commands of the build make
  auto operator<=>(const measured_link&) const = default;
};

/// Elements that exactly the same tests executed.
struct element_class {
  std::vector<std::uint32_t> tests;  // ascending indices of evidence::tests
  std::vector<element> elements;     // ascending
};

/// The content of a file that differed from the commit's tree when it was measured; no blob = it was deleted.
struct override_file {
  std::string path;
  std::optional<std::string> blob;
  bool operator==(const override_file&) const = default;
};

/// The identity of what was measured. `tree` and `overrides` are the content; the commit is a label.
struct snapshot {
  std::string commit;
  std::string tree;
  std::vector<override_file> overrides;  // by path
};

struct measurement_info {
  std::int64_t id = 0;
  snapshot taken_from;
  std::string configuration;  // canonical JSON
  std::int64_t created = 0;   // seconds since 1970
  bool complete = false;
};

/// A loaded measurement. An input has one entry for each digest that tests have seen. Indices in it refer to its own
/// vectors.
struct evidence {
  measurement_info info;
  std::vector<std::string> files;                            // relative to the repository
  std::vector<std::vector<std::uint32_t>> executable_lines;  // by file, ascending
  std::vector<std::vector<std::uint32_t>> branches;    // by file, ascending: all that can be taken, as in elements
  std::vector<std::vector<std::uint32_t>> conditions;  // likewise: all outcomes that can be seen
  std::vector<std::vector<packed_way>> decisions;      // by file, ascending; none in stores of older versions
  std::vector<measured_program> programs;
  std::vector<measured_test> tests;
  std::vector<measured_function> functions;
  std::vector<measured_unit> units;
  std::vector<measured_input> inputs;
  std::vector<measured_link> links;  // by path; none if the build was not up to date, or its objects are not supported
  std::vector<element_class> classes;
};

/// A program mutant, and which tests notice it.
struct killed_mutant {
  std::string file;                  // relative to the repository
  std::uint32_t number = 0;          // as in elements
  std::vector<std::uint32_t> tests;  // indices of evidence::tests
};

/// Which run of a test a row tells of, whichever measurement has it: when, at which commit, and how long it took.
struct run_of_row {
  std::int64_t at = 0;
  std::string commit;
  std::int64_t wall_us = 0, cpu_us = 0;
  bool operator==(const run_of_row&) const = default;
};
run_of_row run_of(const measured_test& test, const measurement_info& measurement);

/// Whether rows come from probes: functions, no lines, and every unit of what was loaded.
bool is_probed(const evidence& e);

/// By test: whether its row says that the kernel told its files so far (`watched_wholly` or `watched_in_part`).
std::vector<bool> tests_that_tell_files(const evidence& e, std::string_view how_far);
/// By test: whether all files that it opens, or looks for, are in its row.
std::vector<bool> watched_tests(const evidence& e);
/// Whether they are of all tests but those that run anyhow because their rows are doubtful.
bool is_watched(const evidence& e);

using row = std::pair<std::uint32_t, std::vector<element>>;  // test, ascending elements

/// Groups the elements of rows (ascending tests) by the tests that executed them. Lossless. The classes come by their
/// first elements.
std::vector<element_class> fold_rows(const std::vector<row>& rows);

/// The same for rows that need not fit in memory: `visit_rows` is called twice and shows all of them each time.
using row_visitor = std::function<void(std::uint32_t test, std::span<const element> elements)>;
std::vector<element_class> fold_rows(const std::function<void(const row_visitor&)>& visit_rows);

}  // namespace morph::store
