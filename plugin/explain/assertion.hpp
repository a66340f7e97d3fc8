// A value that was observed as an assertion of a test framework.
#pragma once

#include <string>

namespace morph::explain {

struct asserted_value {
  std::string expression{};  // as a test writes it
  std::string type{};        // of the value, as Clang prints it; may be unknown
  std::string expected{};    // as a literal of C++
  std::string framework{};   // gtest, catch2 or doctest
};

/// Whether an observed value can stand in a source: a number, a text, a name. Texts that were cut cannot.
bool is_literal(const std::string& value);

/// `EXPECT_EQ(basket.total(), 30);`. Empty if the value is no literal.
std::string assertion_of(const asserted_value& of);

}  // namespace morph::explain
