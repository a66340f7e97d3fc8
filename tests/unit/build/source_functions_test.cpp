// Which function a line is in, by braces.
#include "plugin/build/source_functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace morph::build {
namespace {

// Of the lines that belong to what may be the symbol, the first and the last; 0 where there is none.
std::pair<std::uint32_t, std::uint32_t> lines_of(const std::string& text, std::string_view demangled) {
  std::pair<std::uint32_t, std::uint32_t> lines{0, 0};
  for (const source_function& f : source_functions(text)) {
    if (!may_be(f, demangled)) continue;
    lines.first = lines.first == 0 ? f.first_line : std::min(lines.first, f.first_line);
    lines.second = std::max(lines.second, f.last_line);
  }
  return lines;
}
using range = std::pair<std::uint32_t, std::uint32_t>;

TEST(SourceFunctions, BeginBeforeTheirNamesAndEndWithTheirBraces) {
  const std::string text =
      "namespace a {\n"
      "struct b : c {\n"
      "  int get(int x) const { return x; }\n"
      "};\n"
      "static int\n"
      "sum(std::vector<int> all) {\n"
      "  for (int x : all) { if (x) get(x); }\n"
      "  return 0;\n"
      "}\n"
      "}\n"
      "template <class T> void b<T>::put() {}\n"
      "char b::operator[](int n) const { return 0; }\n"
      "char b::operator()(int n) const { return 0; }\n";
  EXPECT_EQ(lines_of(text, "a::b::get(int) const"), range(3, 3));
  EXPECT_EQ(lines_of(text, "a::sum(std::vector<int>)"), range(5, 9));
  EXPECT_EQ(lines_of(text, "a::sum(std::vector<int>)::{lambda()#1}::operator()() const"), range(5, 9));
  EXPECT_EQ(lines_of(text, "b<int>::put()"), range(11, 11));
  EXPECT_EQ(lines_of(text, "b::operator[](int) const"), range(12, 12));
  EXPECT_EQ(lines_of(text, "b::operator()(int) const"), range(13, 13));
  EXPECT_EQ(lines_of(text, "a::summary()"), range(0, 0));
  EXPECT_EQ(lines_of(text, "if (int)"), range(0, 0)) << "what is in a function is none";
}

TEST(SourceFunctions, GoOnBehindBracesOfInitializers) {
  const std::string text = "thing::thing() : a_{1},\n b_{2}\n{\n  check();\n}\nint after(int) {\n}\n";
  EXPECT_EQ(lines_of(text, "thing::thing()"), range(1, 5));
  EXPECT_EQ(lines_of(text, "after(int)"), range(6, 7));
}

TEST(SourceFunctions, OfBracesInLiteralsAndCommentsAndBranchesOfThePreprocessor) {
  const std::string text =
      "void one() { const char* x = \"}\"; /* } */ char c = '}'; // }\n"
      "}\n"
      "#if A\n"
      "void two(int) {\n"
      "#else\n"
      "void two() {\n"
      "#endif\n"
      "#define M(x) \\\n"
      "  void m() {\n"
      "}\n"
      "void three() {}\n";
  EXPECT_EQ(lines_of(text, "one()"), range(1, 2));
  EXPECT_EQ(lines_of(text, "two()"), range(6, 10));
  EXPECT_EQ(lines_of(text, "three()"), range(11, 11));
}

TEST(SourceFunctions, OfTestsAreKnownByWhatFrameworksMakeOfTheirNames) {
  const std::string text =
      "TEST_F(Stack, Push) {\n}\n"
      "TEST_F(Stack, Pop) {\n}\n"
      "BOOST_FIXTURE_TEST_CASE(empty, files) {\n}\n"
      "TEST_CASE(\"a stack\", \"[x]\") {\n}\n"
      "TEST_CASE(\"a queue\") {\n}\n";
  EXPECT_EQ(lines_of(text, "Stack_Push_Test::TestBody()"), range(1, 2));
  EXPECT_EQ(lines_of(text, "(anonymous namespace)::Stack_Pop_Test::TestBody()"), range(3, 4));
  EXPECT_EQ(lines_of(text, "Stack_Pop2_Test::TestBody()"), range(0, 0));
  EXPECT_EQ(lines_of(text, "empty::test_method()"), range(5, 6));
  EXPECT_EQ(lines_of(text, "C_A_T_C_H_T_E_S_T_\"a stack\"()"), range(7, 8));
  EXPECT_EQ(lines_of(text, "DOCTEST_ANON_FUNC_\"a queue\"()"), range(9, 10));
}

TEST(SourceFunctions, OfAnUnfinishedTextAreThoseThatEnd) {
  EXPECT_EQ(source_functions("int f() {}\nint g() {").size(), 1U);
  EXPECT_TRUE(source_functions("}}}} # \n#else\n#endif\n(((").empty());
  EXPECT_TRUE(source_functions("").empty());
}

}  // namespace
}  // namespace morph::build
