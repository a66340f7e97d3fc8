// What a mutant changed in what tests do: differences of observed state, and the symptom that they add up to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace morph::observation {

/// Vera-Pérez et al., "Suggestions on Test Suite Improvements with Automatic Infection and Propagation Analysis",
/// section 3, of a mutant over all tests that run its function.
enum class symptom : std::uint8_t {
  weak_oracle,     // in some test its state differs
  no_propagation,  // no test's state differs, but in some the state after a call does
  no_infection,    // neither
};

/// Where a difference was seen.
enum class level : std::uint8_t {
  call,  // the state right after a call of the function: receiver, arguments, result, exception
  test,  // the state of the test: an expression of its body, or an exception that leaves it
};

struct source_place {
  std::string file{};  // relative to the project's sources
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

struct difference {
  level where = level::call;
  std::string test{};
  source_place place{};      // of the function, or of the test's expression
  std::string expression{};  // of the test, as written; of a call the function's qualified name
  std::string type{};        // of that expression, as Clang prints it
  std::string property{};    // "result", "this->count_", "argument text", "exception", "invocations"; of a test's
                             // expression "", ".size()", "->name_"
  std::string original{};    // as C++ literals where they can be: 5, 0.1, "abc", nullptr, Color::red
  std::string mutated{};
  bool is_private = false;               // the property is a field that a test cannot name
  std::uint64_t invocation = 0;          // of that point in that test, from 0
  source_place instruction{};            // the statement of the test that led to the call
  std::vector<std::string> call_path{};  // of functions, the test first, the observed function last
};

struct observed_test {
  std::string name{};
  std::uint64_t calls = 0;  // of the function, without the mutant
  std::uint32_t depth = 0;  // the shortest call path from the test to the function
};

struct observed_mutant {
  std::string id{};  // as morph mutate prints it
  symptom means = symptom::no_infection;
  std::vector<observed_test> tests{};     // that run the function, nearest first
  std::vector<difference> differences{};  // of the deciding level first; at most 32
  std::uint64_t left_out = 0;             // differences beyond these
  std::vector<std::string>
      operands{};  // values seen where the mutant could differ, for no_infection: "many" -> {"1", "2"}
  std::vector<std::string> not_read{};  // what could not be observed, and why
};

}  // namespace morph::observation
