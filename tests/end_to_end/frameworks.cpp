// The frameworks that are installed, and macros that make one source serve all.
#include "frameworks.hpp"

#include <cstdlib>

namespace morph::end_to_end {
namespace {

const char* const catch2_macros = R"(#define FIXTURE_CASE(fixture, name) TEST_CASE_METHOD(fixture, name)
#define TYPED_CASE(name, ...) TEMPLATE_TEST_CASE(name, "", __VA_ARGS__)
#define SHOULD_FAIL(name) TEST_CASE(name, "[!shouldfail]")
#define LEFT_OUT(name) TEST_CASE(name, "[.]")
)";

const char* const doctest_macros = R"(#define SECTION(name) SUBCASE(name)
#define FIXTURE_CASE(fixture, name) TEST_CASE_FIXTURE(fixture, name)
#define TYPED_CASE(name, ...) TEST_CASE_TEMPLATE(name, TestType, __VA_ARGS__)
#define SHOULD_FAIL(name) TEST_CASE(name * doctest::should_fail())
#define LEFT_OUT(name) TEST_CASE(name * doctest::skip())
)";

/// Its own macros take identifiers for names; these take texts, as programs do that register cases by hand.
const char* const boost_macros = R"(#include <tuple>
#define MORPH_CASE(name, function, base)                                                       \
  struct function : base { void test_method(); };                                              \
  static void BOOST_JOIN(function, _invoker)() { function one; one.test_method(); }            \
  static boost::unit_test::ut_detail::auto_test_unit_registrar BOOST_JOIN(function, _registrar)( \
      boost::unit_test::make_test_case(&BOOST_JOIN(function, _invoker), name, __FILE__, __LINE__), \
      boost::unit_test::decorator::collector_t::instance());                                   \
  void function::test_method()
namespace { struct no_fixture {}; }
#define TEST_CASE(name) MORPH_CASE(name, BOOST_JOIN(case_, __COUNTER__), no_fixture)
#define FIXTURE_CASE(fixture, name) MORPH_CASE(name, BOOST_JOIN(case_, __COUNTER__), fixture)
#define SHOULD_FAIL(name) BOOST_TEST_DECORATOR(* boost::unit_test::expected_failures(1)) TEST_CASE(name)
#define LEFT_OUT(name) BOOST_TEST_DECORATOR(* boost::unit_test::disabled()) TEST_CASE(name)
#define TYPED_CASE(name, ...)          \
  typedef std::tuple<__VA_ARGS__> types; \
  BOOST_AUTO_TEST_CASE_TEMPLATE(with_a_type, TestType, types)
#define SCENARIO(name) TEST_CASE(name)
#define SECTION(name) if (true)
#define GIVEN(name) if (true)
#define WHEN(name) if (true)
#define THEN(name) if (true)
#define CHECK(condition) BOOST_CHECK(condition)
)";

}  // namespace

std::string name_in(const test_framework& framework, std::string name) {
  if (framework.name != "boost") return name;
  for (char& c : name)
    if (std::string(":*@+!/,").find(c) != std::string::npos) c = '_';
  name.erase(0, name.find_first_not_of(' '));
  return name.substr(0, name.find_last_not_of(' ') + 1);
}

std::optional<test_framework> find_test_framework(const std::string& which) {
  namespace fs = std::filesystem;
  test_framework f;
  if (which == "doctest") {
    if (!fs::exists("/usr/include/doctest/doctest.h")) return std::nullopt;
    f = {"doctest",
         "doctest",
         "doctest::doctest",
         std::string("#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n") + doctest_macros,
         "include(${doctest_DIR}/doctest.cmake)\ndoctest_discover_tests",
         {}};
    return f;
  }
  if (which == "boost") {
    if (!fs::exists("/usr/include/boost/test/unit_test.hpp")) return std::nullopt;
    f = {"boost",
         "Boost COMPONENTS unit_test_framework",
         "Boost::unit_test_framework",
         std::string("#define BOOST_TEST_MODULE of tests\n#include <boost/test/unit_test.hpp>\n") + boost_macros,
         "",
         {}};
    return f;
  }
  f = {"catch2",
       "Catch2",
       "Catch2::Catch2WithMain",
       std::string("#include <catch2/catch.hpp>\n") + catch2_macros,
       "include(${Catch2_DIR}/Catch.cmake)\ncatch_discover_tests",
       {"-DCatch2_DIR=/usr/lib/cmake/Catch2"}};
  if (which == "catch2_2") {
    if (!fs::exists("/usr/include/catch2/catch.hpp")) return std::nullopt;
    return f;
  }
  const char* const given = std::getenv("MORPH_CATCH2_3_DIR");
  for (const fs::path& prefix : {fs::path(given == nullptr ? "" : given), fs::path("/usr/local")})
    for (const char* lib : {"lib", "lib64"})
      if (const fs::path module = prefix / lib / "cmake" / "Catch2";
          fs::exists(prefix / "include" / "catch2" / "catch_all.hpp") && fs::exists(module)) {
        f.preamble = std::string("#include <catch2/catch_all.hpp>\n") + catch2_macros;
        f.configuring = {"-DCatch2_DIR=" + module.string()};
        return f;
      }
  return std::nullopt;
}

}  // namespace morph::end_to_end
