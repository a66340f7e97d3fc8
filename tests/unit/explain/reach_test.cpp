// The functions nearest to a hidden one that a test can call.
#include "plugin/explain/reach.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::explain {
namespace {

std::vector<std::string> nearest(const std::string& named, const std::vector<std::vector<std::string>>& paths = {}) {
  std::vector<std::string> made;
  for (const test_point& each : nearest_test_points(shop(), named, paths).points)
    made.push_back(std::to_string(each.distance) + ' ' + each.function);
  return made;
}

using names = std::vector<std::string>;

TEST(Reach, IsTheFunctionItselfIfATestCanCallIt) {
  EXPECT_EQ(nearest("shop::basket::price() const"), names{"0 shop::basket::price() const"});
  EXPECT_EQ(nearest("shop::basket::price()"), names{"0 shop::basket::price() const"});  // as reports name it
}

TEST(Reach, OrdersCallersByParametersAndPutsGettersLast) {
  EXPECT_EQ(nearest("shop::basket::sum() const"),
            (names{"1 shop::basket::price() const", "1 shop::report(const basket &)", "2 shop::day()",
                   "3 shop::month()", "1 shop::basket::total() const"}));
  EXPECT_EQ(nearest("shop::rounded(int)").front(), "2 shop::basket::price() const");
}

TEST(Reach, PrefersWhatTestsGoThrough) {
  EXPECT_EQ(
      nearest("shop::basket::sum() const", {{"Shop.Buys", "shop::report(const basket &)", "shop::basket::sum() const"}})
          .front(),
      "1 shop::report(const basket &)");
}

TEST(Reach, PrefersWhatIsNearToWhatTestsGoThroughFarAway) {
  EXPECT_EQ(nearest("shop::basket::sum() const", {{"Shop.Buys", "shop::day()"}}).front(), "2 shop::day()");
  EXPECT_EQ(nearest("shop::basket::sum() const", {{"Shop.Buys", "shop::month()"}}).front(),
            "1 shop::basket::price() const");
}

TEST(Reach, SaysWhoMayCallAnOperator) {
  EXPECT_EQ(nearest_test_points(shop(), "shop::operator<(const item &, const item &)", {}).why_none,
            "'shop::operator<(const item &, const item &)' is declared in no header, and nothing in the project's "
            "production code calls it by name (a standard container or algorithm may)");
}

TEST(Reach, GoesThroughVirtualCalls) {
  EXPECT_EQ(nearest("shop::store::get()"), names{"1 shop::use(reader &)"});
}

TEST(Reach, SaysWhyNothingLeadsThere) {
  EXPECT_EQ(nearest_test_points(shop(), "shop::hidden()", {}).why_none,
            "'shop::hidden()' lies in an anonymous namespace, and no test can call the function that leads to it");
  EXPECT_EQ(nearest_test_points(shop(), "shop::fill()", {}).why_none,
            "'shop::fill()' is declared in no header, and nothing in the project's production code calls it");
  EXPECT_EQ(nearest_test_points(shop(), "shop::other()", {}).why_none,
            "Clang has not read 'shop::other()' in the sources of the project's production code");
}

}  // namespace
}  // namespace morph::explain
