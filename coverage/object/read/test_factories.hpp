// What GoogleTest makes the objects and the values of tests with.
#pragma once

#include <string>
#include <string_view>

namespace morph::object {

/// Of `testing::internal::TestFactoryImpl<CLASS>::CreateTest()`, mangled, or of the one of tests with parameters: CLASS
/// as mangled names of its members have it between `_ZN` and the member. Empty for other names.
std::string class_made_by_factory(std::string_view symbol);

/// Of the table of virtual functions of `testing::internal::TestFactoryImpl<CLASS>`, mangled: the variable of CLASS
/// that keeps the test, mangled. Empty for other names.
std::string variable_of_factory(std::string_view table);

/// Of the functions that INSTANTIATE_TEST_SUITE_P(PREFIX, SUITE, ...) makes of its arguments, mangled: PREFIX and SUITE
/// in one word, as in the names of its tests, `PREFIX/SUITE.TEST/0`, without the slash. Empty for other names.
std::string instance_of_values(std::string_view symbol);

}  // namespace morph::object
