// Observed values as assertions of three frameworks, and where these stand in a source.
#include "plugin/explain/assertion.hpp"

#include <gtest/gtest.h>

#include "plugin/explain/edits.hpp"

namespace morph::explain {
namespace {

std::string gtest(const std::string& type, const std::string& expected) {
  return assertion_of({"x", type, expected, "gtest"});
}

TEST(Assertion, OfGoogleTestGoesByTheType) {
  EXPECT_EQ(gtest("int", "30"), "EXPECT_EQ(x, 30);");
  EXPECT_EQ(gtest("const unsigned long", "30"), "EXPECT_EQ(x, 30U);");
  EXPECT_EQ(gtest("std::size_t", "30"), "EXPECT_EQ(x, 30U);");
  EXPECT_EQ(gtest("int", "-3"), "EXPECT_EQ(x, -3);");
  EXPECT_EQ(gtest("bool", "true"), "EXPECT_TRUE(x);");
  EXPECT_EQ(gtest("bool", "false"), "EXPECT_FALSE(x);");
  EXPECT_EQ(gtest("double", "0.1"), "EXPECT_DOUBLE_EQ(x, 0.1);");
  EXPECT_EQ(gtest("float", "2"), "EXPECT_FLOAT_EQ(x, 2.0F);");
  EXPECT_EQ(gtest("double", "nan"), "EXPECT_TRUE(std::isnan(x));");
  EXPECT_EQ(gtest("const std::string &", "\"a, b\""), "EXPECT_EQ(x, \"a, b\");");
  EXPECT_EQ(gtest("const char *", "\"a\""), "EXPECT_STREQ(x, \"a\");");
  EXPECT_EQ(gtest("basket *", "nullptr"), "EXPECT_EQ(x, nullptr);");
  EXPECT_EQ(gtest("basket *", "not nullptr"), "EXPECT_NE(x, nullptr);");
  EXPECT_EQ(gtest("shop::colour", "shop::colour::red"), "EXPECT_EQ(x, shop::colour::red);");
  EXPECT_EQ(gtest("char", "'\\n'"), "EXPECT_EQ(x, '\\n');");
}

TEST(Assertion, OfCatch2AndDoctestIsACheck) {
  for (const char* const framework : {"catch2", "doctest"}) {
    EXPECT_EQ(assertion_of({"x.total()", "int", "30", framework}), "CHECK(x.total() == 30);");
    EXPECT_EQ(assertion_of({"x", "bool", "false", framework}), "CHECK_FALSE(x);");
    EXPECT_EQ(assertion_of({"x", "const char *", "\"a\"", framework}), "CHECK(std::string(x) == \"a\");");
  }
}

TEST(Assertion, IsNoneOfWhatIsNoLiteral) {
  for (const char* const each : {"", "{1, 2}", "\"cut...", "\"a\" \"b\"", "#8f3a", "12 elements", "\"a\\\"", "1 + 2"}) {
    EXPECT_FALSE(is_literal(each)) << each;
    EXPECT_EQ(gtest("int", each), "") << each;
  }
  for (const char* const each : {"1", "-1.5e3", "0x1F", "'\\''", "\"a\\\"b\"", "a::b", "30UL"})
    EXPECT_TRUE(is_literal(each)) << each;
}

// ---- edits

using placing = placed_expression::placing;

placed_expression at(const std::string& source, const std::string& statement, placing how,
                     const std::string& own = {}) {
  placed_expression made{.how = how, .expression = "made"};
  made.begin = static_cast<std::uint32_t>(source.find(statement));
  made.end = made.begin + static_cast<std::uint32_t>(statement.size());
  made.from = static_cast<std::uint32_t>(source.find(own.empty() ? statement : own, made.begin));
  made.to = made.from + static_cast<std::uint32_t>(own.size());
  return made;
}

constexpr const char* body = "TEST(A, B) {\n  b.add(3);  // three\n  CHECK_LT(b.pop(), 4);\n}\n";

TEST(Edits, PutALineBeforeOrBehindAStatement) {
  const std::string source = body;
  EXPECT_EQ(
      edited(source, edits_of(source, at(source, "b.add(3);", placing::before), "A;")).text,
      "TEST(A, B) {\n  A;  // observed, not known to be right\n  b.add(3);  // three\n  CHECK_LT(b.pop(), 4);\n}\n");
  const auto behind = edited(source, edits_of(source, at(source, "b.add(3);", placing::after), "A;"));
  EXPECT_EQ(
      behind.text,
      "TEST(A, B) {\n  b.add(3);  // three\n  A;  // observed, not known to be right\n  CHECK_LT(b.pop(), 4);\n}\n");
  ASSERT_EQ(behind.lines.size(), 1U);
  EXPECT_EQ(behind.lines.front(), std::pair(3U, 3U));
}

TEST(Edits, NameAValue) {
  const std::string source = body;
  EXPECT_EQ(edited(source, edits_of(source, at(source, "CHECK_LT(b.pop(), 4);", placing::hoist, "b.pop()"), "A;")).text,
            "TEST(A, B) {\n  b.add(3);  // three\n  const auto& made = b.pop();\n"
            "  A;  // observed, not known to be right\n  CHECK_LT(made, 4);\n}\n");
  placed_expression whole = at(source, "b.add(3);", placing::hoist, "b.add(3)");
  whole.is_whole_statement = true;
  EXPECT_EQ(edited(source, edits_of(source, whole, "A;")).text,
            "TEST(A, B) {\n  const auto& made = b.add(3);  // three\n  A;  // observed, not known to be right\n"
            "  CHECK_LT(b.pop(), 4);\n}\n");
}

TEST(Edits, StayOnALineThatHoldsMore) {
  const std::string source = "TEST(A, B) { b.add(3); }\n";
  EXPECT_EQ(edited(source, edits_of(source, at(source, "b.add(3);", placing::before), "A;")).text,
            "TEST(A, B) { A; /* observed, not known to be right */ b.add(3); }\n");
  EXPECT_EQ(edited(source, edits_of(source, at(source, "b.add(3);", placing::after), "A;")).text,
            "TEST(A, B) { b.add(3); A; /* observed, not known to be right */ }\n");
}

TEST(Edits, OfSeveralStandTogether) {
  const std::string source = body;
  auto all = edits_of(source, at(source, "CHECK_LT(b.pop(), 4);", placing::before), "A;");
  for (const edit& each : edits_of(source, at(source, "b.add(3);", placing::after), "B;")) all.push_back(each);
  const auto made = edited(source, all);
  EXPECT_NE(made.text.find("  A;  // observed, not known to be right\n  B;"), std::string::npos) << made.text;
  EXPECT_EQ(made.lines, (std::vector<std::pair<std::uint32_t, std::uint32_t>>{{3, 3}, {4, 4}}));
}

}  // namespace
}  // namespace morph::explain
