// Cases beside production code: only what is marked may change.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <memory>
#define OUR_CASE(name) TEST_CASE(name)

int factorial(int n) {  // kept
  return n <= 1 ? 1 : factorial(n - 1) * n;  // kept
}
static int doubled(int n) {  // kept
  return n + n;              // kept
}
int used(int n) {            // kept
  return doubled(n) + 1;     // kept
}
static int expected(int n) {
  return n * 2;
}
namespace {
struct shape {
  virtual ~shape() = default;
  virtual int area() = 0;
};
struct square : shape {
  int area() override {  // kept
    return side * side;  // kept
  }
  int side = 2;
};
struct sample {
  int value() { return 1 + 2; }
};
int made(int n) {
  return n - 1;
}
}  // namespace
int area_of_a_shape() {                        // kept
  std::unique_ptr<shape> one(new square);
  return one->area() + 1;  // kept
}
void check_factorial(int n, int value) {
  CHECK(factorial(n) == value + 0);
}
TEST_CASE("factorial") {
  int n = 3;
  n = n + made(1);
  CHECK(factorial(n) == expected(n));
  SUBCASE("of small numbers") {
    n = n - 1;
    CHECK(n + sample().value() > 1);
  }
}
OUR_CASE("by a macro of ours") {
  check_factorial(1 + 1, 2);
}
TEST_CASE_FIXTURE(sample, "with a fixture") {
  CHECK(value() + 1 == 4);
}
TEST_SUITE("a suite") {
  int in_a_suite(int n) {  // kept
    return n + 3;          // kept
  }
  TEST_CASE_TEMPLATE("of types", T, int, long) {
    CHECK(T(2) + T(1) == T(3));
  }
}
int main(int count, char** words) {
  doctest::Context context(count, words);
  return context.run() + 0;
}
