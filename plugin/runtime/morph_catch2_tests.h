// Catch2's tests and which of them it runs, for adapters. Catch2 >= 2.2, and 3.
//
// MORPH_CATCH2_HEADER names the single header that the program itself uses; without it the installed headers are taken.
#ifndef MORPH_RUNTIME_CATCH2_TESTS_H
#define MORPH_RUNTIME_CATCH2_TESTS_H

#define CATCH_CONFIG_EXTERNAL_INTERFACES  // in version 2, what listeners are made of
#ifdef MORPH_CATCH2_HEADER
#include MORPH_CATCH2_HEADER
#elif defined __has_include
#if __has_include(<catch2/reporters/catch_reporter_event_listener.hpp>)
#include <catch2/catch_test_macros.hpp>
#define MORPH_CATCH2_HEADERS
#elif __has_include(<catch2/catch.hpp>)
#include <catch2/catch.hpp>
#elif __has_include(<catch2/catch_amalgamated.hpp>)
#include <catch2/catch_amalgamated.hpp>
#elif __has_include("catch_amalgamated.hpp")
#include "catch_amalgamated.hpp"
#else
#include "catch.hpp"
#endif
#endif
#ifdef MORPH_CATCH2_HEADERS  // version 3 in parts
#include <catch2/catch_test_case_info.hpp>
#include <catch2/catch_test_spec.hpp>
#include <catch2/catch_version_macros.hpp>
#include <catch2/interfaces/catch_interfaces_config.hpp>
#include <catch2/internal/catch_test_case_registry_impl.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#endif
#include <vector>

namespace {

// A test case that no run takes: it stands for none at all, for the registry fills an empty list again.
#if CATCH_VERSION_MAJOR >= 3
typedef Catch::TestCaseHandle test_case;
typedef Catch::EventListenerBase listener_base;
typedef Catch::ITestInvoker invoker_base;

inline const Catch::TestCaseInfo& info_of(const test_case& test) {
  return test.getTestCaseInfo();
}
inline bool all_skipped(const Catch::Totals& totals) {
  return totals.testCases.skipped != 0;
}
inline test_case make_nothing(invoker_base* invoker) {
  return test_case(Catch::makeTestCaseInfo("", Catch::NameAndTags("nothing", "[.]"), CATCH_INTERNAL_LINEINFO).release(),
                   invoker);
}
#else
typedef Catch::TestCase test_case;
typedef Catch::TestEventListenerBase listener_base;
typedef Catch::ITestInvoker invoker_base;

inline const Catch::TestCaseInfo& info_of(const test_case& test) {
  return test;
}
inline bool all_skipped(const Catch::Totals&) {
  return false;
}
inline test_case make_nothing(invoker_base* invoker) {
  return Catch::makeTestCase(invoker, "", Catch::NameAndTags("nothing", "[.]"), CATCH_INTERNAL_LINEINFO);
}
#endif

// Catch2 tells its listeners that a run starts, then takes its tests out of the registry's list, sorted and cached. In
// a test's process that list is replaced by one that holds the test alone; nothing else of the framework is touched.
typedef std::vector<test_case> test_list;

inline test_list& registered_tests(const Catch::IConfig& config) {
  return const_cast<test_list&>(Catch::getAllTestCasesSorted(config));
}

// What was in the list stays in memory: freeing it would touch its pages in each process.
inline void leave_only(test_list& tests, const test_case& test) {
  (new test_list(1, test))->swap(tests);
}

inline const char* name_of(const Catch::TestCaseInfo& test) {
  return test.name.c_str();
}
inline const char* name_of(const Catch::TestCaseInfo* test) {
  return test->name.c_str();
}

}  // namespace

#endif
