// Phrases that all forms of an explanation share.
#pragma once

#include <string>

#include "plugin/explain/explanation.hpp"

namespace morph::explain {

/// "a test sees another state, and no assertion checks it"
const char* meaning_of(observation::symptom means);

/// "Price.OfMany (1 call, depth 1), Price.OfFew (2 calls, depth 3) and 2 more"; at most three are named.
std::string tests_of(const observation::observed_mutant& seen);

/// What could not be compared: "lock_: a mutex and 2 more". Not of one that has nothing.
std::string not_read_of(const observation::observed_mutant& seen);

/// An output of a spec, which stands nowhere in its source.
bool is_of_spec(const observation::difference& of);

/// "p.total(), an int, at tests/price_test.cpp:14: 30 -> 29"
std::string text_of(const observation::difference& of);

/// "Price.OfMany > shop::basket::add(int)": the body of a test is called as the test.
std::string path_of(const observation::difference& of);

/// The difference that an explanation shows: one of those that decide. Null if none was kept.
const observation::difference* shown_difference(const explanation& of);

/// The one that says how the test got there: after a call of the function, in the same test if there is one.
const observation::difference* leading_difference(const explanation& of);

std::string place_of(const observation::source_place& at);

}  // namespace morph::explain
