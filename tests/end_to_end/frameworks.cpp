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

}  // namespace

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
