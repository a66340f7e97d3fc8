// Cases of Catch2 beside production code: only what is marked may change.
#include <catch2/catch.hpp>

int tripled(int n) {  // kept
  return n * 3;       // kept
}
TEST_CASE("tripled") {
  int n = 2 + 1;
  SECTION("a section") { REQUIRE(tripled(n) == n + 6); }
}
SCENARIO("numbers") {
  GIVEN("one") {
    REQUIRE(tripled(1) + 0 == 3);
  }
}
struct fixture {
  int value = 3;
};
TEST_CASE_METHOD(fixture, "with a fixture") {
  REQUIRE(value + 1 == 4);
}
