// Which steps lead from one literal to another, and which one explains all pairs of a kind.
#include "plugin/scout/catalogue.hpp"

#include <gtest/gtest.h>

namespace morph::scout {
namespace {

std::vector<std::string> codes(const std::string& type, const std::string& source, const std::string& follow_up) {
  relation_function with;
  with.pairs = {{"follow_up", "value", type, source, follow_up}};
  std::vector<std::string> made;
  for (const literal_step& each : steps_of(with.pairs[0], with))
    made.push_back(each.before + (each.takes_input ? "{}" : "") + each.behind);
  return made;
}
using list = std::vector<std::string>;

TEST(Catalogue, NumbersAreNegatedScaledAndShifted) {
  EXPECT_EQ(codes("int", "3", "-3"),
            (list{"morph::negated(static_cast<int>({}))", "morph::shifted(static_cast<int>({}), -6)"}));
  EXPECT_EQ(codes("int", "7", "70"),
            (list{"morph::scaled(static_cast<int>({}), 10)", "morph::shifted(static_cast<int>({}), 63)"}));
  EXPECT_EQ(codes("double", "0.5", "1.25"), list{});
  EXPECT_EQ(codes("unsigned int", "4u", "5u"), list{"morph::shifted(static_cast<unsigned int>({}), 1)"});
  EXPECT_EQ(codes("int", "0", "0x10"), list{}) << "only decimal numbers are read";
}

TEST(Catalogue, TextsChangeCaseOrderAndLength) {
  EXPECT_EQ(codes("std::string", "\"abc\"", "\"ABC\""), list{"morph::upper(std::string({}))"});
  EXPECT_EQ(codes("std::string", "\"Abc\"", "\"abc\""), list{"morph::lower(std::string({}))"});
  EXPECT_EQ(codes("std::string", "\"acb\"", "\"bca\""), list{"morph::reversed(std::string({}))"});
  EXPECT_EQ(codes("std::string", "\"abc\"", "\"bca\""), list{"morph::rotated(std::string({}))"});
  EXPECT_EQ(codes("std::string", "\"bdac\"", "\"abcd\""), list{"morph::sorted(std::string({}))"});
  EXPECT_EQ(codes("std::string", "\"{ \\\"a\\\" }\"", "\"{}\""), list{}) << "escapes are not read";
  EXPECT_EQ(codes("std::string", "\"[1, 2]\"", "\"[1,2]\""), list{"morph::without_blanks(std::string({}))"});
  EXPECT_EQ(codes("std::string", "std::string(\"b\")", "std::string(\"<b>\")"),
            list{"\"<\" + std::string({}) + \">\""});
  EXPECT_EQ(codes("std::string", "\"b\"", "\"bc\""), list{"std::string({}) + \"c\""});
}

TEST(Catalogue, TextsWithBracesAndOtherLiterals) {
  EXPECT_EQ(codes("std::string", "\"x\"", "\"{}x\""), list{"\"{}\" + std::string({})"});
  EXPECT_EQ(codes("std::string", "R\"(b)\"", "\"(b)c\""), list{}) << "raw literals are not read";
  EXPECT_EQ(codes("std::string", "std::string(\"abc\", 2)", "\"abcd\""), list{});
}

TEST(Catalogue, NumbersKeepAllTheirDigits) {
  EXPECT_EQ(codes("long", "9007199254740993", "9007199254740995"), list{"morph::shifted(static_cast<long>({}), 2)"});
  EXPECT_EQ(codes("int", "010", "11"), list{}) << "octal";
  EXPECT_EQ(codes("unsigned long", "0u", "18446744073709551615u"), list{});
  EXPECT_EQ(codes("double", "1.0", "1e300"), list{});
}

TEST(Catalogue, ListsChangeOrderAndLength) {
  EXPECT_EQ(codes("std::vector<int>", "{1, 3, 2}", "{2, 3, 1}"), list{"morph::reversed(std::vector<int>({}))"});
  EXPECT_EQ(codes("std::vector<int>", "{3, 10, 2}", "{2, 3, 10}"), list{"morph::sorted(std::vector<int>({}))"});
  EXPECT_EQ(codes("std::vector<int>", "std::vector<int>{1, 2}", "std::vector<int>{1, 2, 7}"),
            list{"morph::joined(std::vector<int>({}), std::vector<int>{7})"});
}

TEST(Catalogue, InputsAreExchanged) {
  relation_function with{.given = "in"};
  with.pairs = {{"follow_up", "a", "int", "1", "2"}, {"follow_up2", "b", "int", "2", "1"}};
  EXPECT_EQ(steps_of(with.pairs[0], with).front().before, "in.b");
  EXPECT_EQ(steps_of(with.pairs[1], with).front().before, "in.a");
}

test with_pair(const std::string& source, const std::string& follow_up, const std::string& by = "==") {
  relation one{.by = by, .first = {.callee = "f"}, .second = {.callee = "f"}};
  one.function = relation_function{.inputs = {{"value", "int", {source}}}, .given = "in", .lines = {"use(follow_up);"}};
  one.function->pairs = {{"follow_up", "value", "int", source, follow_up}};
  return {.relations = {one}};
}

TEST(Catalogue, AStepExplainsAllPairsOfItsKind) {
  std::vector<test> tests{with_pair("2", "4"), with_pair("3", "6"), with_pair("3", "4", "!=")};
  infer_follow_ups(tests);
  const relation_function& first = *tests[0].relations[0].function;
  EXPECT_EQ(first.lines,
            (list{"const int follow_up = morph::scaled(static_cast<int>(in.value), 2);", "use(follow_up);"}));
  EXPECT_EQ(first.inferred, list{"the second call's value is the first call's, times 2 (explains 2 of 2 pairs)"});
  EXPECT_EQ(tests[2].relations[0].function->lines[0],
            "const int follow_up = morph::shifted(static_cast<int>(in.value), 1);");
}

TEST(Catalogue, WithoutSuchAStepThereIsNoFunction) {
  std::vector<test> tests{with_pair("2", "4"), with_pair("3", "7")};
  infer_follow_ups(tests);
  for (const test& each : tests) {
    EXPECT_FALSE(each.relations[0].function);
    EXPECT_NE(each.relations[0].no_function.find("no step explains all pairs"), std::string::npos);
  }
}

}  // namespace
}  // namespace morph::scout
