// What mangled names say of test frameworks: how they register tests, and who takes the numbers of lines.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace morph::object {

/// A row is all that is to be known of a framework here, but for what GoogleTest makes of values and types
/// (test_factories.hpp) and for numbers in names (test_numbers.hpp).
struct framework_symbols {
  std::span<const std::string_view> scopes;         // that its own names begin with; registering refers to them
  std::span<const std::string_view> parts;          // of the names of what its macros make, in a project's scopes
  std::span<const std::string_view> of_one_test;    // of such names that belong to one test
  std::span<const std::string_view> registrations;  // of the variables that register a test
  std::span<const std::string_view> registers;      // of the functions that register one
  std::span<const std::string_view> failures;       // of functions that take the number of a line for messages alone
};

namespace framework_names {
using names = std::string_view[];

inline constexpr names gtest_scopes{"7testing"};
inline constexpr names gtest_parts{"_Test10test_info_E", "_Test13AddToRegistryEv", "gtest_"};
inline constexpr names gtest_tests{"_Test"};
inline constexpr names gtest_registers{"7testing8internal23MakeAndRegisterTestInfoE"};

inline constexpr names catch2_scopes{"5Catch"};
inline constexpr names catch2_parts{"C_A_T_C_H", "autoRegistrar", "CATCH2_INTERNAL", "globalRegistrar"};
inline constexpr names catch2_tests{"C_A_T_C_H", "CATCH2_INTERNAL"};
inline constexpr names catch2_registrations{"autoRegistrar", "globalRegistrar"};
inline constexpr names catch2_registers{"5Catch7AutoRegC"};

inline constexpr names doctest_scopes{"7doctest"};
inline constexpr names doctest_parts{"DOCTEST_ANON", "doctest_detail_test_suite_ns"};
inline constexpr names doctest_tests{"DOCTEST_ANON"};
inline constexpr names doctest_registrations{"DOCTEST_ANON_VAR_", "DOCTEST_ANON_TMP_"};
inline constexpr names doctest_registers{"7doctest6detail7regTest", "7doctest6detail12setTestSuite"};

inline constexpr names boost_failures{"5boost9unit_test", "5boost10test_tools"};
}  // namespace framework_names

inline constexpr std::array framework_table{
    framework_symbols{framework_names::gtest_scopes,
                      framework_names::gtest_parts,
                      framework_names::gtest_tests,
                      {},
                      framework_names::gtest_registers,
                      framework_names::gtest_scopes},
    framework_symbols{framework_names::catch2_scopes, framework_names::catch2_parts, framework_names::catch2_tests,
                      framework_names::catch2_registrations, framework_names::catch2_registers,
                      framework_names::catch2_scopes},
    framework_symbols{framework_names::doctest_scopes, framework_names::doctest_parts, framework_names::doctest_tests,
                      framework_names::doctest_registrations, framework_names::doctest_registers,
                      framework_names::doctest_scopes},
    framework_symbols{{}, {}, {}, {}, {}, framework_names::boost_failures},
};

/// Whether the name contains one of those that a framework has there.
inline bool contains_name_of_framework(std::string_view name,
                                       std::span<const std::string_view> framework_symbols::*which) {
  return std::any_of(framework_table.begin(), framework_table.end(), [&](const framework_symbols& f) {
    return std::any_of((f.*which).begin(), (f.*which).end(),
                       [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
  });
}

}  // namespace morph::object
