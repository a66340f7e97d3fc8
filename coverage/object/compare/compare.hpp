// What differs between two builds of one program, and what differs without meaning anything.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/object/compare/link_unit.hpp"

namespace morph::object {

enum class change_kind : std::uint8_t {
  function,
  data,         // a variable's first value, a table; the functions that refer to it are changes of their own
  initializer,  // what runs before main(), or a list of it
};

enum class change_reason : std::uint8_t {
  code,  // instructions, what they refer to, or a string or number in them
  data,  // something that they refer to, named in `detail`
  vtable,
  type,        // type information, which casts and catch clauses read
  exceptions,  // which exceptions are caught, or end the program
  definition,  // what they refer to is now defined elsewhere, or no more
  copy,        // the linker takes another object's copy, which differs
  gone,        // nobody defines it any more, though others may call it
  initializer,
  order,  // in which initializers run
};

struct change {
  change_kind kind;
  change_reason reason;
  std::string object;               // that defines it in the older build; of what is new, in the newer one
  std::string symbol;               // linkage name there
  std::vector<std::string> others;  // names of the same code: constructors of the whole and of the base
  std::string detail;               // the way to the data that differs, or what else there is to say
  /// It runs before every test, or nobody can tell when: all tests of the program.
  bool everything = false;
  unit_atom before = none;  // its number in the older unit
  /// As differing_blocks() of blocks.hpp gives them.
  std::vector<std::string> blocks{};
  /// It gives the tests of one instance of GoogleTest's their values, and can do nothing else in either build
  /// (test_values.hpp): no other test is affected. As in instance_of_values(); empty otherwise.
  std::string instance{};
};

enum class normal_rule : std::uint8_t {
  line_numbers,  // only constants differ, and these are numbers of its own lines, which moved
  registration,  // only tests are registered that were not, or no more
  streams,       // std::cout is started here too, or no more, as in others
  gone,          // nobody defines it any more, so that whoever called it changed
};

struct normalization {
  normal_rule rule;
  std::string object;
  std::string symbol;
  unit_atom before = none;  // of what is gone: its number in the older unit
  /// Gone from an object that registers a test no more: who executed it may have got another home, under the same name.
  bool may_have_moved = false;
};

struct comparison {
  std::vector<change> changes;            // in the order of the older unit
  std::vector<normalization> normalized;  // what was not counted as a change, and why
  std::size_t compared = 0;               // functions of both builds
  std::size_t added = 0;                  // functions that only the newer one has
};

/// A function of the older build.
struct function_name {
  std::string_view object;
  std::string_view compiled;  // the compiler's symbol
  std::string_view symbol;    // the same, with the titles of tests in the places of their numbers
};

/// What comparing cannot know by itself. Each may be left out: then more counts as changed.
struct compare_options {
  /// Whether the line `was` belongs to the function in the older build, whichever file it is in, and is line `is` now.
  std::function<bool(const function_name& function, std::uint32_t was, std::uint32_t is)> is_moved_line;
  /// Whether others than this program may call or read what it defines under the name. Shared libraries offer all that
  /// is not hidden.
  std::function<bool(std::string_view symbol)> is_exported;
  /// Whether somebody may look for the name in what is loaded, as by dlsym(): then it matters whether it is there.
  std::function<bool(std::string_view symbol)> is_looked_up;
  /// Whether a shared library of the program defines or calls the name, so that a new definition takes its place.
  std::function<bool(std::string_view symbol)> is_of_libraries;
  /// The same of a definition that the older build had.
  std::function<bool(std::string_view symbol)> was_of_libraries;
};

/// Linear in both units.
comparison compare(const link_unit& before, const link_unit& after, const compare_options& options = {});

std::string_view to_text(change_kind kind);
std::string_view to_text(change_reason reason);
std::string_view to_text(normal_rule rule);

}  // namespace morph::object
