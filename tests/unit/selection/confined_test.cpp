// Which changes of a source stay within its translation unit, told from the text.
#include "plugin/selection/confined.hpp"

#include <gtest/gtest.h>

namespace morph::selection {
namespace {

/// A source of one function f (from the line that starts `int f` to the next line `}`), changed.
bool confined(const std::string& before, const std::string& after, bool included = false) {
  git::file_change change;
  change.path = "a.cpp";
  change.hunks = git::diff_lines(before, after);
  change.old_text = before;
  change.new_text = after;
  store::evidence e;
  e.files = {"a.cpp", "b.cpp"};
  e.units.push_back({"a.o", 0, {0}, false});
  if (included) e.units.push_back({"b.o", 1, {0, 1}, false});
  const auto line_of = [&](std::size_t at) {
    return static_cast<std::uint32_t>(
               std::count(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(at), '\n')) +
           1;
  };
  const auto start = before.find("int f"), end = before.find("\n}", start);
  e.functions.push_back({"_Z1fi", 0, line_of(start), line_of(end) + 1, false});
  return is_confined(change, e, 0);
}

/// The body's lines of `int f(int x)`.
bool confined_in_f(const std::string& before, const std::string& after) {
  const std::string head = "int g(int);\nint h = 1;\nint f(int x) {\n", tail = "  return x + g(h);\n}\n";
  return confined(head + before + tail, head + after + tail);
}

TEST(Confined, AreOperatorsAndLiteralsInABody) {
  EXPECT_TRUE(confined_in_f("  x = x + 1;\n", "  x = x - 20;\n"));
  EXPECT_TRUE(confined_in_f("  x = x + 1;\n", "  if (x < 3) x = x * 2;\n"));
  EXPECT_TRUE(confined_in_f("", "  x = g(x) + 1'000;\n"));
  EXPECT_TRUE(confined_in_f("  g(x);\n", ""));
  EXPECT_TRUE(confined_in_f("  if (x) {\n", "  if (!x) {\n"));
  EXPECT_TRUE(confined_in_f("  g('{');\n", "  g('}' + sizeof(\"}} static\"));  // static }\n"));
}

TEST(Confined, AreCommentsAndBlanksAnywhere) {
  EXPECT_TRUE(confined("int f(int x) {\n  return x;\n}\n", "// new\n\nint f( int x ) /* here */ {\n  return x;\n}\n"));
  EXPECT_TRUE(confined("int f(int x) {\n  return x;\n}\n", "// new\nint f(int x) {\n  return x;\n}\n", true));
}

TEST(Confined, AreNoOtherNames) {
  EXPECT_FALSE(confined_in_f("  x = x + 1;\n", "  x = other(x);\n"));
  EXPECT_FALSE(confined_in_f("  other(x);\n", "  x = x + 1;\n"));
  EXPECT_FALSE(confined_in_f("", "  x = *new int;\n"));
}

TEST(Confined, IsNothingThatOutlivesTheFunction) {
  EXPECT_FALSE(confined_in_f("", "  static int h = 1;\n"));
  EXPECT_FALSE(confined_in_f("", "#define x 1\n"));
  EXPECT_FALSE(confined_in_f("  static int h = 1;\n", ""));
  EXPECT_FALSE(confined_in_f("", "  struct f {};\n"));
}

TEST(Confined, IsNoBodyThatEndsElsewhere) {
  EXPECT_FALSE(confined_in_f("", "  return x;\n}\nint h[] = {1};\nint g(int x) {\n"));
  EXPECT_FALSE(confined_in_f("", "  if (x) {\n"));
  EXPECT_FALSE(confined_in_f("  }\n", ""));
}

TEST(Confined, IsNothingOutsideOfBodies) {
  EXPECT_FALSE(
      confined("int h = 1;\nint f(int x) {\n  return h;\n}\n", "int h = 2;\nint f(int x) {\n  return h;\n}\n"));
  EXPECT_FALSE(confined("int f(int x,\n      int y = 1) {\n  return x;\n}\n",
                        "int f(int x,\n      int y = 2) {\n  return x;\n}\n"));
  EXPECT_FALSE(confined("int f(int x) { return x;\n}\n", "int f(int x) { return x + 1;\n}\n"));
}

TEST(Confined, IsNothingWhereCompilersEvaluateOrOthersInclude) {
  const std::string plain = "int f(int x) {\n  return x;\n}\n", changed = "int f(int x) {\n  return -x;\n}\n";
  EXPECT_TRUE(confined(plain, changed));
  EXPECT_FALSE(confined(plain, changed, true));
  EXPECT_FALSE(confined("constexpr " + plain, "constexpr " + changed));
  EXPECT_FALSE(confined("auto g() {\n  return 1;\n}\n" + plain, "auto g() {\n  return 1.0;\n}\n" + plain));
}

TEST(Confined, IsNoFileAsAWhole) {
  store::evidence e;
  e.files = {"a.cpp"};
  git::file_change change;
  change.how = git::file_change::kind::deleted;
  EXPECT_FALSE(is_confined(change, e, 0));
  change.how = git::file_change::kind::modified;
  change.binary = true;
  EXPECT_FALSE(is_confined(change, e, 0));
}

}  // namespace
}  // namespace morph::selection
