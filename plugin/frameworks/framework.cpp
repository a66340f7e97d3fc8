// The table of test frameworks.
#include "plugin/frameworks/framework.hpp"

#include <algorithm>

#include "plugin/frameworks/boost.hpp"
#include "plugin/frameworks/rows.hpp"

namespace morph::frameworks {
namespace {

const std::vector<framework>& table() {
  static const std::vector<framework> frameworks{
      framework{.name = "gtest",
                .words = {.product = "GoogleTest",
                          .headers = {"gtest/", "gmock/"},
                          .other_headers = {"gtest_prod.h"},
                          .linked = {"gtest", "gmock", "gtest_main", "gmock_main", "googletest",
                                     "gtest::", "gmock::", "gtest_main::", "gmock_main::", "googletest::"},
                          .discovery = {"gtest_discover_tests", "gtest_add_tests"},
                          .folders = {"googletest", "gtest"},
                          .scope = "testing::"},
                .list = list_gtest,
                .choose = choose_gtest,
                .make_runner = make_gtest_runner,
                .variables = gtest_variables(),
                .dividing = {"GTEST_TOTAL_SHARDS", "GTEST_SHARD_INDEX"},
                .skip_expression = R"(\[  SKIPPED \])",
                .silence = {"GTEST_BRIEF", "morph"},
                .absent_expression = R"(\[==========\] 0 tests from 0 test (suites|cases) ran)"},
      framework{.name = "catch2",
                .words = {.product = "Catch2",
                          .headers = {"catch2/", "catch.hpp", "catch_amalgamated.hpp"},
                          .linked = {"catch2", "catch2withmain", "catch2::", "catch2withmain::"},
                          .discovery = {"catch_discover_tests"},
                          .folders = {"catch2"},
                          .scope = "Catch::"},
                .list = list_catch2,
                .choose = choose_catch2,
                .make_runner = make_catch2_runner,
                .variables = {"BAZEL_TEST", "TESTBRIDGE_TEST_ONLY", "TEST_SHARD_INDEX", "TEST_TOTAL_SHARDS",
                              "TEST_SHARD_STATUS_FILE", "XML_OUTPUT_FILE"},
                .dividing = {"TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX"},
                // Not the exit status, which is 4 in version 3 and the number of failed assertions in version 2.
                .skip_expression = "test cases: +1 [|] +1 skipped",
                .absent_expression = "No test cases matched '"},
      framework{.name = "doctest",
                .words = {.product = "doctest",
                          .headers = {"doctest.h", "doctest.hpp", "doctest_compatibility.h"},
                          .linked = {"doctest", "doctest_with_main", "doctest::", "doctest_with_main::"},
                          .discovery = {"doctest_discover_tests"},
                          .switch_off = "DOCTEST_CONFIG_DISABLE",
                          .scope = "doctest::"},
                .list = list_doctest,
                .choose = choose_doctest,
                .make_runner = make_doctest_runner,
                .absent_expression = R"(\[doctest\] test cases: +0 [|] +0 passed [|] +0 failed)"},
      framework{.name = "boost",
                .words = {.product = "Boost.Test",
                          .headers = {"boost/test/"},
                          .linked = {"boost::unit_test_framework", "boost_unit_test_framework",
                                     "${boost_unit_test_framework_library}"},
                          .scope = "boost::unit_test::"},
                .list = list_boost,
                .choose = choose_boost,
                .make_runner = make_boost_runner,
                .variables = {"BOOST_TEST_AUTO_START_DBG", "BOOST_TEST_BUILD_INFO", "BOOST_TEST_CATCH_SYSTEM_ERRORS",
                              "BOOST_TEST_LIST_CONTENT", "BOOST_TEST_LIST_LABELS", "BOOST_TEST_LOGGER",
                              "BOOST_TEST_LOG_FORMAT", "BOOST_TEST_LOG_LEVEL", "BOOST_TEST_LOG_SINK",
                              "BOOST_TEST_OUTPUT_FORMAT", "BOOST_TEST_RANDOM", "BOOST_TEST_REPORT_FORMAT",
                              "BOOST_TEST_REPORT_LEVEL", "BOOST_TEST_REPORT_SINK", "BOOST_TEST_RESULT_CODE",
                              "BOOST_TEST_RUN_FILTERS", "BOOST_TEST_SAVE_PATTERN", "BOOST_TEST_SHOW_PROGRESS",
                              "BOOST_TEST_WAIT_FOR_DEBUGGER"},
                .end_of_options = "--",
                .in_junit = boost_name_in_junit},
      framework{.name = "spec",
                .words = {.product = "specs"},
                .list = list_spec,
                .choose = choose_spec,
                .make_runner = make_spec_runner,
                .variables = {"MORPH_SEED", "MORPH_SPEC_CASES", "MORPH_SPEC_CASE_IDS"}}};
  return frameworks;
}

}  // namespace

std::span<const framework> all_frameworks() {
  return table();
}

std::vector<std::pair<std::string, std::string>> properties_of_case(
    const framework& f, std::vector<std::pair<std::string, std::string>> given) {
  constexpr std::string_view name = "FAIL_REGULAR_EXPRESSION";
  if (f.absent_expression.empty()) return given;
  const auto at =
      std::find_if(given.begin(), given.end(), [&](const auto& property) { return property.first == name; });
  if (at == given.end())
    given.emplace_back(name, f.absent_expression);
  else
    at->second += (at->second.empty() ? "" : ";") + f.absent_expression;
  return given;
}

bool divides_tests(std::string_view variable) {
  const auto is_of = [&](const framework& f) {
    return std::find(f.dividing.begin(), f.dividing.end(), variable) != f.dividing.end();
  };
  return std::any_of(table().begin(), table().end(), is_of);
}

const framework* find_framework(std::string_view name) {
  for (const framework& f : table())
    if (f.name == name) return &f;
  return nullptr;
}

std::vector<std::string> with_arguments(const framework* f, std::vector<std::string> extra_args,
                                        const std::vector<std::string>& own) {
  auto at = extra_args.end();
  if (f != nullptr && !f->end_of_options.empty()) at = std::find(extra_args.begin(), at, f->end_of_options);
  extra_args.insert(at, own.begin(), own.end());
  return extra_args;
}

}  // namespace morph::frameworks
