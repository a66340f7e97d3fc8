// Which blocks of a changed function a process must have executed to notice.
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "coverage/object/compare/blocks.hpp"
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

const way plain{"g++", " -O0"};

struct differing {
  bool is_changed = false;
  bool is_narrowed = false;
  std::size_t blocks = 0;  // that differ
};

/// Of the function f() of two texts.
differing of_f(const std::string& before, const std::string& after, const way& how = plain) {
  laboratory lab(object::detail::blocks);
  const object::link_unit was = lab.unit(how, {{"a.cpp", before}});
  const object::link_unit is = lab.unit(how, {{"a.cpp", after}});
  differing found;
  for (const object::change& c : compare(was, is).changes) {
    if (!object::demangled(c.symbol).starts_with("f(")) continue;
    found.is_changed = true;
    found.is_narrowed = !c.blocks.empty();
    found.blocks = c.blocks.empty() ? 0 : c.blocks.size() - 1;
  }
  return found;
}

std::string with(const std::string& deepest, const std::string& first = "", const std::string& last = "") {
  return "int g(int);\nint f(int x) {\n" + first + "int y = 0;\nif (x > 5) {\ny = 2;\nif (x > 7) {\n" + deepest +
         "\n}\n}\nwhile (x-- > 0) y += g(x);\n" + last + "return y;\n}\nint main() { return f(3); }\n";
}

TEST(ObjectBlocks, OnlyTheBlockThatChangedDiffers) {
  const differing found = of_f(with("y = 3;"), with("y = 4;"));
  EXPECT_TRUE(found.is_narrowed);
  EXPECT_EQ(found.blocks, 1U);
}

TEST(ObjectBlocks, StatementsThatComeOrGoMoveTheOthersWithoutChangingThem) {
  EXPECT_EQ(of_f(with("y = 3;"), with("y = 3; y += g(y); y += g(y);")).blocks, 1U);
  EXPECT_EQ(of_f(with("y = 3; y += g(y); y += g(y);"), with("y = 3;")).blocks, 1U);
}

TEST(ObjectBlocks, ANewBranchDiffersWhereItIsAsked) {
  const differing found = of_f(with("y = 3;"), with("y = 3; if (y < x) y = g(x);"));
  EXPECT_TRUE(found.is_narrowed);
  EXPECT_EQ(found.blocks, 1U);
}

TEST(ObjectBlocks, LongerJumpsAreTheSameWay) {
  std::string many;
  for (int i = 0; i < 60; ++i) many += "y += g(y); ";
  EXPECT_EQ(of_f(with("y = 3;"), with("y = 3;" + many)).blocks, 1U);
}

TEST(ObjectBlocks, AChangeOfTheBeginConcernsAll) {
  const differing found = of_f(with("y = 3;"), with("y = 3;", "g(x);"));
  EXPECT_TRUE(found.is_changed);
  EXPECT_FALSE(found.is_narrowed);
}

TEST(ObjectBlocks, AnotherFrameConcernsAll) {
  EXPECT_FALSE(of_f(with("y = 3;"), with("int z[40]; z[x] = 1; y = g(z[3]);")).is_narrowed);
}

TEST(ObjectBlocks, AChangedConditionDiffersWithWhatComesBeforeIt) {
  const std::string before = with("y = 3;");
  std::string after = before;
  after.replace(after.find("x > 7"), 5, "x > 8");
  const differing found = of_f(before, after);
  EXPECT_TRUE(found.is_narrowed);
  EXPECT_EQ(found.blocks, 1U);
}

TEST(ObjectBlocks, BranchesThatChangePlacesDiffer) {
  const auto two = [](const std::string& yes, const std::string& no) {
    return "int g(int);\nint f(int x) { int y = g(x); if (x > 5) { if (x > 6) y = " + yes + "; else y = " + no +
           "; } return y; }\nint main() { return f(3); }\n";
  };
  EXPECT_EQ(of_f(two("1", "2"), two("2", "1")).blocks, 2U);
}

TEST(ObjectBlocks, DataIsAChangeOfTheBlockThatRefersToIt) {
  const auto text = [](const std::string& number) {
    return "extern const int table[2] = {1, " + number +
           "};\nint f(int x) { int y = x; if (x > 5) y = table[x & 1]; if (x > 6) y += 2; return y; }\n"
           "int main() { return f(3); }\n";
  };
  const differing found = of_f(text("2"), text("3"));
  EXPECT_TRUE(found.is_narrowed);
  EXPECT_EQ(found.blocks, 1U);
}

TEST(ObjectBlocks, WhatCatchesOrCleansUpAlwaysDiffers) {
  const auto text = [](const std::string& number) {
    return "struct s { s(); ~s(); }; int g(int);\nint f(int x) { s one; int y = g(x); if (x > 5) { y = " + number +
           "; } if (x > 9) y += 7; return y; }\nint main() { return f(3); }\n";
  };
  const differing found = of_f(text("2"), text("3"));
  EXPECT_TRUE(found.is_narrowed);
  EXPECT_EQ(found.blocks, 2U);
}

TEST(ObjectBlocks, ACallThatGetsACleanUpDiffers) {
  const auto text = [](const std::string& first, const std::string& second) {
    return "struct s { s(); ~s(); char c; }; int g(int); extern char place[8]; void* operator new(unsigned long, "
           "char*);"
           "\nint f(int x) { int y = x; if (x > 5) { " +
           first + " y += g(1); " + second +
           " } if (x > 9) y += 7; if (x > 11) y += 8; s last; return y; }\nint main() { return f(3); }\n";
  };
  // The call and all around it are the same instructions: what happens to its exceptions is not.
  const auto call = [](const std::string& how) {
    return "struct s { s(); ~s(); };\nint g(int) " + how +
           ";\nint f(int x) { s one; int y = x; if (x > 5) y = g(1); if (x > 9) y += 7; return y; }\n"
           "int main() { return f(3); }\n";
  };
  EXPECT_TRUE(of_f(call(""), call("noexcept")).is_changed);
  EXPECT_NE(of_f(call(""), call("noexcept")).blocks, 0U);
  EXPECT_TRUE(of_f(text("", ""), text("s in;", "")).is_changed);
}

TEST(ObjectBlocks, ComputedJumpsAreNotFollowed) {
  std::string cases;
  for (int i = 0; i < 12; ++i) cases += "case " + std::to_string(i) + ": return g(" + std::to_string(i * i) + ");\n";
  const std::string head = "int g(int);\nint f(int x) {\nif (x == 77) return ",
                    tail = "; switch (x) {" + cases + "}\nreturn 0; }\nint main() { return f(3); }\n";
  EXPECT_TRUE(of_f(head + "1" + tail, head + "2" + tail).is_changed);
  EXPECT_FALSE(of_f(head + "1" + tail, head + "2" + tail).is_narrowed);
}

TEST(ObjectBlocks, PrintsKeepThem) {
  laboratory lab(object::detail::blocks);
  const object::link_unit unit = lab.unit(plain, {{"a.cpp", with("y = 3;")}});
  const object::object_print& print = *unit.objects()[0].print;
  ASSERT_FALSE(print.blocked.empty());
  const auto read = object::read_print(object::write_print(print));
  ASSERT_TRUE(read) << read.error();
  EXPECT_EQ(read->blocked, print.blocked);
  EXPECT_EQ(read->blocks, print.blocks);
}

TEST(ObjectBlocks, OtherCodeHasOtherNames) {
  laboratory lab(object::detail::blocks);
  const auto name = [&](const std::string& text) {
    const object::link_unit unit = lab.unit(plain, {{"a.cpp", text}});
    const object::object_print& print = *unit.objects()[0].print;
    return object::block_name(print, print.blocked.at(0), 0);
  };
  EXPECT_EQ(name(with("y = 3;")), name("\n\n" + with("y = 3;")));
  EXPECT_NE(name(with("y = 3;")), name(with("y = 4;")));
}

}  // namespace
}  // namespace morph::object_tests
