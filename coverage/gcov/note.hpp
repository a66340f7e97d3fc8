// The notes (.gcno) that GCC writes beside an object: each function's flow graph and the lines of its blocks.
#ifndef MORPH_COVERAGE_GCOV_NOTE_HPP
#define MORPH_COVERAGE_GCOV_NOTE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::gcov {

constexpr std::uint32_t entry_block = 0;
constexpr std::uint32_t exit_block = 1;

struct arc {
  std::uint32_t source;
  std::uint32_t destination;
  bool on_tree;  // not instrumented: its count follows from the others
  bool fake;     // a call that may not return, or a return from setjmp
  bool fall_through;
};

// A run of lines of one file that a block holds: note_function::lines[first .. first + count). Empty when the block
// goes on in another file on a line of the same number: GCC then leaves the number out.
struct location {
  std::uint32_t block;
  std::uint32_t file;  // index into note::files
  std::uint32_t first;
  std::uint32_t count;
};

// A Boolean expression of several terms, or of one that decides. Its outcomes are two bit masks: which terms were seen
// to decide it while they were true, and which while they were false (modified condition/decision coverage).
struct condition {
  std::uint32_t block;  // where it begins
  std::uint32_t terms;  // at most most_terms
};
constexpr std::uint32_t most_terms = 64;

struct note_function {
  std::uint32_t ident = 0;
  std::uint32_t lineno_checksum = 0;
  std::uint32_t cfg_checksum = 0;
  std::string symbol;  // mangled
  bool artificial = false;
  std::uint32_t file = 0;  // index into note::files
  std::uint32_t start_line = 0, start_column = 0;
  std::uint32_t end_line = 0, end_column = 0;
  std::uint32_t blocks = 0;           // at most arcs.size() + 2
  std::vector<arc> arcs;              // counters belong to those off the tree, in this order
  std::vector<condition> conditions;  // with -fcondition-coverage; each has two counters, in this order
  std::vector<location> locations;
  std::vector<std::uint32_t> lines;
};

struct note {
  int gcc = 0;  // major version
  bool clang = false;
  bool mixes_files = false;  // lines may be of another file than they say
  std::uint32_t stamp = 0;
  std::uint32_t checksum = 0;
  std::string cwd;
  std::vector<std::string> files;  // as the compiler saw them: relative ones belong to cwd
  std::vector<note_function> functions;
};

// One pass over the bytes; memory is a small multiple of their number, whatever they hold. `path` is for messages.
tl::expected<note, std::string> parse_note(std::string_view bytes, std::string_view path);

// Absolute and lexically normalized.
std::string resolved_path(std::string_view cwd, std::string_view file);

}  // namespace morph::gcov

#endif
