// How a test reads what differs.
#include "plugin/explain/properties.hpp"

#include <gtest/gtest.h>

#include "handmade.hpp"

namespace morph::explain {
namespace {

std::string read_as(const std::string& expression, const std::string& property, const std::string& type) {
  return property_of({.type = type, .property = property}, expression, shop()).text;
}

TEST(PropertyOf, AFieldStandsBehindWhatHasIt) {
  EXPECT_EQ(read_as("b", ".total", "basket"), "b.total");
  EXPECT_EQ(read_as("make(a, \"x y\")", ".total", "basket"), "make(a, \"x y\").total");
  EXPECT_EQ(read_as("p", "->total", "basket *"), "p->total");
}

TEST(PropertyOf, OperatorsAreInBrackets) {
  EXPECT_EQ(read_as("*p", ".total", "basket"), "(*p).total");
  EXPECT_EQ(read_as("a + b", ".total", "basket"), "(a + b).total");
  EXPECT_EQ(read_as("a ? p : q", "", "int *"), "a ? p : q");
  EXPECT_EQ(read_as("a ? p : q", "->", "int *"), "*(a ? p : q)");
  EXPECT_EQ(read_as("f(' ')", "->", "int *"), "*f(' ')");
}

}  // namespace
}  // namespace morph::explain
