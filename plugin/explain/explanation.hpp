// What is said of an undetected mutant: the change, what was observed, and what to do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coverage/observation/difference.hpp"
#include "plugin/report/mutation.hpp"

namespace morph::explain {

/// A mutant of the last `morph mutate`, as people see it.
struct explained_change {
  std::string id{}, file{}, op{};
  report::text_place from{}, to{};              // columns are bytes
  report::text_place shown_from{}, shown_to{};  // columns as editors count: UTF-16 code units
  report::mutant_kind kind = report::mutant_kind::expression;
  std::string original{}, replacement{};
  report::difference value = report::difference::unknown;  // whether a test was seen to give it another value
  std::uint32_t infected = 0;                              // in so many tests
  report::changed_line lines{};
  std::string function{};  // around it, or empty
  std::uint32_t function_line = 0;
};

enum class remedy : std::uint8_t {
  vary_inputs,    // no-infection: other values into tests that are there
  call_function,  // no-propagation: a test of the nearest function
  assert_value,   // weak-oracle: an assertion on what differs
  add_accessor,   // weak-oracle: nothing shows the private field that differs
  refactor,       // no-propagation: no test can observe it
};

/// A line of a test that would notice the mutant.
struct proposed_assertion {
  std::string test{};
  observation::source_place place{};  // of the expression
  std::string text{};                 // the assertion, in the framework of the test
  std::string expected{};
};

struct suggestion {
  remedy how = remedy::vary_inputs;
  std::vector<std::string> lines{};    // sentences, each on a line of its own
  std::vector<std::string> tests{};    // to begin with, nearest first
  std::vector<std::string> targets{};  // call_function: functions, best first
  std::vector<proposed_assertion> assertions{};
};

struct explanation {
  explained_change change{};
  observation::observed_mutant seen{};
  std::string instruction{};  // the text of the test's statement that led to the call
  suggestion advice{};
};

}  // namespace morph::explain
