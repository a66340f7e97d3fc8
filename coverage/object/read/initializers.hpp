// What runs before main() taken apart, so that registering one more test is not a change of everything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "coverage/object/read/decoder.hpp"
#include "coverage/object/read/object_print.hpp"

namespace morph::object {

/// What an instruction refers to.
struct step_reference {
  std::string name;  // empty: a constant without a name
  digest identity;   // kind, target and addend
  std::vector<std::uint32_t> references;
  bool stored = false;         // its memory is written here
  bool is_ambient = false;     // the same for all tests of the object, so that compilers keep it in a register
  std::uint32_t calls = none;  // the initializer that is called, an index into the functions
};

/// An instruction of an initializer.
struct step {
  std::uint64_t address = 0;
  std::uint32_t size = 0;
  std::string_view text;  // decoder::canonical(), kept by who made the step
  flow control = flow::next;
  std::optional<std::uint64_t> target;  // of a branch, in the same section
  std::optional<std::uint32_t> constant;
  std::vector<step_reference> refers;
};

struct initializer_function {
  std::uint64_t begin = 0;
  std::vector<step> steps;  // by address
};

/// `_GLOBAL__sub_I_*`, `__cxx_global_var_init.*` and their like: nothing but initializers of variables.
bool is_initializer_name(std::string_view name);

/// The variables by which GoogleTest, Catch2 and doctest register a test.
bool is_registration(std::string_view variable);

/// Of these, the ones of GoogleTest.
bool is_of_google_test(std::string_view variable);

struct initializer_row {
  std::vector<segment> segments;
  std::vector<std::uint32_t> functions;  // that they were made of
  std::vector<std::uint32_t> referred;   // atoms, sorted
};

/// Of a mangled name what is named, from its outermost scope on: of a table, a type or a guard what it is of. Empty for
/// other names.
std::string_view scoped_name(std::string_view name);

/// What compilers call by themselves: memory, guards of variables, unwinding.
bool is_of_runtime(std::string_view name);

/// Whether registering a test of GoogleTest, an instance or a suite with parameters may refer to it; none of the
/// project's code is run by that, unless what it refers to is called.
bool is_of_google_tests_registration(std::string_view name);

/// The same of any framework, beside the start of streams. Of the standard library strings alone: what else is called
/// of it may be a statement of the project's that optimizers merged with a registration.
bool is_of_registration(std::string_view name);

/// What makes and takes away strings.
bool is_of_strings(std::string_view name);

/// Of these, what tells tests apart: their class, their fixture, what runs around it.
bool is_of_test_or_fixture(std::string_view name);

/// What <iostream> has each source do before main().
bool is_start_of_streams(std::string_view name);

/// What GoogleTest reports by that a fixture is none. Optimizers make it a part of the registration.
bool is_report_of_google_test(std::string_view name);

/// What text and numbers are printed by, to whatever stream.
bool is_print_of_text(std::string_view name);

/// What makes a test known to its framework, and begins no other.
bool registers_test(std::string_view callee);

/// Segments of the functions in the order in which `roots` call them; references and constants are added to the print.
/// None if the flow of control cannot be followed.
initializer_row take_apart(const std::vector<initializer_function>& functions, const std::vector<std::uint32_t>& roots,
                           object_print& print);

}  // namespace morph::object
