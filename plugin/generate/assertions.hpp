// What a generated test can assert: results that are the same in every run.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "plugin/generate/emit.hpp"
#include "plugin/generate/minimize.hpp"

namespace morph::generate {

inline constexpr std::size_t most_assertions = 3;
inline constexpr int most_left_out = 4;  // calls behind a test's own that end it, before it goes without any

/// A test and all that it could assert.
struct observed_test {
  sequence asking{};    // its calls, then those that ask its objects at the end
  std::size_t own = 0;  // how many of them are its own
  outcome did{};
  /// Values that are the same in every run: first what the last call gave, then the state, then earlier results.
  std::vector<observation> stable{};
  std::size_t of_last_call = 0;                    // so many of them are what the last call gave, pointers left out
  std::map<std::uint32_t, std::uint32_t> known{};  // calls that gave the object of another call
};

/// The calls, and behind them constant methods and fields of the objects that they worked with, and of what these
/// methods give. `did`: what the calls do.
observed_test asking(const sequence& calls, const outcome& did, const model& in, const api& as);

/// Without the call behind its own that `ended` it. False: none of these did.
bool leave_out_ask(observed_test& of, const outcome& ended);

/// Runs the test several times and keeps the values that never differ. `unstable` counts the others. Nothing: it does
/// not end in the same way each time.
result<std::optional<observed_test>> observed(const kept_test& of, const model& in, const api& as,
                                              const literal_table& literals, served_program& served,
                                              std::uint64_t& unstable);

/// The first values, as many as a test asserts.
std::vector<std::uint32_t> first_assertions(const observed_test& of);

/// The test with these of its values, without calls that only others need.
test_case with_assertions(const observed_test& of, const std::vector<std::uint32_t>& chosen);

}  // namespace morph::generate
