// What GoogleTest makes the objects of tests with.
#pragma once

#include <string>
#include <string_view>

namespace morph::object {

/// Of `testing::internal::TestFactoryImpl<CLASS>::CreateTest()`, mangled, or of the one of tests with parameters: CLASS
/// as mangled names of its members have it between `_ZN` and the member. Empty for other names.
std::string class_made_by_factory(std::string_view symbol);

}  // namespace morph::object
