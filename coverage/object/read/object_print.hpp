// What one relocatable object defines, as digests and references: all that comparing it with another build needs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "coverage/object/read/digest.hpp"
#include "coverage/object/read/elf.hpp"
#include "coverage/object/read/string_numbers.hpp"

namespace morph::object {

/// Strings by number, each once, in one piece of memory.
class name_pool {
 public:
  std::uint32_t add(std::string_view name);
  std::string_view operator[](std::uint32_t index) const {
    const std::size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(text_).substr(begin, ends_[index] - begin);
  }
  std::uint32_t size() const { return static_cast<std::uint32_t>(ends_.size()); }
  /// After the last add(): frees what finds names.
  void close() { numbers_ = {}; }

  const std::string& text() const { return text_; }
  const std::vector<std::uint32_t>& ends() const { return ends_; }
  /// False if `ends` are no ends of pieces of `text`.
  bool restore(std::string text, std::vector<std::uint32_t> ends);

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;
  string_numbers numbers_;
};

struct range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;

  friend bool operator==(const range&, const range&) = default;
};

enum class atom_kind : std::uint8_t {
  function,
  data,
  startup,  // a list of functions that run before or after main(): .init_array and its like
};

/// The smallest thing that is compared: a function, a variable, a constant without a name.
struct atom {
  static constexpr std::uint8_t local = 1;          // its name means something in its object only
  static constexpr std::uint8_t writable = 2;       // which variable it is matters, not only what it holds at first
  static constexpr std::uint8_t initializer = 4;    // a function that object_print::segments tells apart
  static constexpr std::uint8_t unconditional = 8;  // runs though no reference leads there: resolvers of IFUNCs, .init
  static constexpr std::uint8_t unnamed = 16;       // its name was made up
  static constexpr std::uint8_t lasting = 32;       // part of a list that the linker makes of a section: see `list`

  atom_kind kind = atom_kind::data;
  std::uint8_t flags = 0;
  std::uint32_t name = none;   // of names
  std::uint32_t group = none;  // its COMDAT group's signature, of names
  std::uint32_t list = none;   // its section, of names, if __start_* and __stop_* can find it
  digest content;              // without what the linker fills in
  digest relaxed;              // ... and without the constants
  digest exceptions;           // its table of them
  range references;            // of object_print::references, in the order of their places
  range constants;             // of object_print::constants

  bool is(std::uint8_t flag) const { return (flags & flag) != 0; }
  friend bool operator==(const atom&, const atom&) = default;
};

/// A reference is the number of an atom of this object, or of a name with this bit.
constexpr std::uint32_t by_name = std::uint32_t{1} << 31;

/// Who may name it: all that is loaded, and put a definition of its own in its place; all; its program or library
/// alone.
enum class visibility : std::uint8_t { usual, fixed, hidden };

enum class strength : std::uint8_t { local, weak, common, strong };

struct definition {
  std::uint32_t name;
  std::uint32_t atom;
  strength binding;
  visibility seen;

  friend bool operator==(const definition&, const definition&) = default;
};

struct wanted_name {
  std::uint32_t name;
  bool weak;
  visibility seen;

  friend bool operator==(const wanted_name&, const wanted_name&) = default;
};

/// From a place that control may go to up to the first instruction behind which it may go elsewhere: the field's basic
/// block, but that it does not end where another one begins. Places count from the begin of the function.
struct block {
  std::uint32_t begin = 0;
  std::uint32_t next = none;    // the block behind it, if it ends in a branch that is not always taken
  std::uint32_t target = none;  // the block that it branches or jumps to
  std::uint32_t is_landing_pad = 0;
  digest content;    // of its instructions, without where in the function they go
  range references;  // of object_print::references

  friend bool operator==(const block&, const block&) = default;
};

struct function_blocks {
  std::uint32_t atom = 0;
  std::uint32_t size = 0;  // bytes
  range blocks;            // of object_print::blocks, by begin; the first is where the function is entered

  friend bool operator==(const function_blocks&, const function_blocks&) = default;
};

/// A piece of what runs before main(), in order: up to the store of the variable that registers a test, or what
/// follows the last one. See initializers.hpp.
struct segment {
  std::uint32_t variable = none;  // of names; none: no test is registered
  bool of_frameworks = false;     // refers to nothing of the project
  bool of_streams = false;        // only what <iostream> brings into every source
  bool only_moves = false;        // beside what it refers to, it moves, compares and jumps
  digest content;                 // without places in the frame
  digest relaxed;                 // ... and constants
  digest shape;                   // ... and names of tests: equal for tests that are registered alike
  digest events;                  // only what is called, stored or passed as a constant; none if nothing is
  digest callees;                 // names that are not of one test
  range references;
  range event_references;
  range constants;

  friend bool operator==(const segment&, const segment&) = default;
};

struct object_print {
  machine target = machine::x86_64;
  name_pool names;
  std::vector<atom> atoms;
  std::vector<std::uint32_t> references;
  std::vector<std::uint32_t> constants;
  std::vector<definition> definitions;
  std::vector<wanted_name> wanted;
  std::vector<segment> segments;         // none if the initializers could not be taken apart
  std::vector<function_blocks> blocked;  // by atom; of functions whose ways are all known, if they were asked for
  std::vector<block> blocks;
  /// Names that are not those of the compiler, which are the second: see test_numbers.hpp. Sorted.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> compiled;

  /// As the compiler named it.
  std::string_view compiled_name(std::uint32_t name) const;
};

/// Whether functions are taken apart into blocks.
enum class detail : std::uint8_t { functions, blocks };

/// Reads objects, and keeps LLVM's tables for the next one. Not for two threads at once.
class object_reader {
 public:
  /// `roots`: folders of sources and of the build, in an order that is the same for every copy of a project. Strings in
  /// the code count without them, so that `__FILE__` says the same wherever the project lies.
  explicit object_reader(std::vector<std::string> roots = {}, detail how = detail::functions);
  ~object_reader();

  /// Linear in the bytes of code and data; debugging information is not looked at. An error says what is not supported
  /// or damaged: the caller then takes everything for changed. `path` is for messages.
  tl::expected<object_print, std::string> read(std::string_view bytes, std::string_view path);

 private:
  struct tables;
  std::vector<std::string> roots_;
  detail how_;
  std::unique_ptr<tables> tables_;
};

/// `_Z3foov.cold` is a part of `_Z3foov`: the name without what compilers append to clones and parts.
std::string_view without_clone_suffix(std::string_view name);

/// As people wrote it, as far as it is a mangled name. LLVM does it: this room includes none of plugin, whose
/// system::demangled() serves rooms without LLVM.
std::string demangled(std::string_view name);

/// Bytes with a schema number and a checksum; read_print() gives an error for anything else, never a wrong print.
std::string write_print(const object_print& print);
/// Equal for equal prints: of what write_print() gave.
digest digest_of_print(std::string_view written);
tl::expected<object_print, std::string> read_print(std::string_view bytes);

}  // namespace morph::object
