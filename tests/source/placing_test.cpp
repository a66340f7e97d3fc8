// Where assertions can stand in tests of GoogleTest, Catch2 and doctest.
//
// What is asked for stands between `<<` and `>>` in a source, which is read without these marks.
#include "coverage/source/placing/placing.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "coverage/source/clang/parse.hpp"

namespace morph::source {
namespace {

namespace fs = std::filesystem;

struct placed_text {
  std::string text{};
  std::vector<placed_expression> places{};

  std::string statement(std::size_t i) const {
    return text.substr(places.at(i).begin, places.at(i).end - places.at(i).begin);
  }
};

constexpr const char* shop =
    "#include <string>\nstruct basket {\n  int total() const { return n; }\n  int add(int k) { return n += k; }\n"
    "  std::string name() const { return \"b\"; }\n  int n = 0;\n  basket* next = nullptr;\n};\nint twice(int k);\nint "
    "thrice(int k);\n";

placed_text placed(const std::string& marked, const std::string& include = "<gtest/gtest.h>") {
  placed_text made{"#include " + include + "\n" + shop, {}};
  std::vector<asked_expression> asked;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < marked.size(); ++i) {
    const bool opens = marked.compare(i, 2, "<<") == 0, closes = marked.compare(i, 2, ">>") == 0;
    if (opens) {
      begin = made.text.size();
      const auto line = static_cast<std::uint32_t>(std::count(made.text.begin(), made.text.end(), '\n') + 1);
      asked.push_back({line, static_cast<std::uint32_t>(begin - made.text.rfind('\n')), ""});
    }
    if (closes) asked.back().text = made.text.substr(begin);
    if (opens || closes)
      ++i;
    else
      made.text += marked[i];
  }
  const auto& test = *testing::UnitTest::GetInstance()->current_test_info();
  const fs::path folder = fs::path(testing::TempDir()) / (std::string("morph_placing_") + test.name());
  fs::create_directories(folder);
  const std::string file = (folder / "a_test.cpp").string();
  std::ofstream(file) << made.text;
  const auto result = parse({folder.string(), file, {"c++", "-std=c++17", file}}, {"/nowhere", {"/nowhere"}}, {},
                            [&](clang::ASTContext& context, const std::vector<parse_error>&) {
                              made.places = place_assertions(context, asked);
                            });
  for (const parse_error& each : result.errors) ADD_FAILURE() << each.file << ':' << each.line << ": " << each.text;
  fs::remove_all(folder);
  return made;
}

TEST(Placing, OfWhatADeclarationNamesIsBehindIt) {
  const auto made = placed("TEST(Shop, A) {\n  const int k = <<twice(3)>>;\n  (void)k;\n}\n");
  ASSERT_EQ(made.places.front().how, placing::after) << made.places.front().why_not;
  EXPECT_EQ(made.places.front().expression, "k");
  EXPECT_EQ(made.places.front().macro, "TEST");
  EXPECT_EQ(made.statement(0), "const int k = twice(3);");
}

TEST(Placing, OfWhatIsAssignedIsBehindTheAssignment) {
  const auto made = placed(
      "TEST(Shop, A) {\n  int k = 0;\n  k = <<twice(3)>>;\n  std::string s;\n  s = <<basket().name()>>;\n"
      "  long wide = <<twice(4)>>;\n  (void)k, (void)wide;\n}\n");
  EXPECT_EQ(made.places[0].how, placing::after);
  EXPECT_EQ(made.places[0].expression, "k");
  EXPECT_EQ(made.places[1].how, placing::after) << made.places[1].why_not;
  EXPECT_EQ(made.places[1].expression, "s");
  EXPECT_NE(made.places[2].how, placing::after);  // it has another type
}

TEST(Placing, OfANameIsInFrontOfTheStatementThatMayChangeIt) {
  const auto made = placed("TEST(Shop, A) {\n  basket b;\n  <<b>>.add(3);\n  EXPECT_EQ(<<b.n>>, 3);\n}\n");
  ASSERT_EQ(made.places[0].how, placing::before) << made.places[0].why_not;
  EXPECT_EQ(made.places[0].expression, "b");
  EXPECT_EQ(made.statement(0), "b.add(3);");
  ASSERT_EQ(made.places[1].how, placing::before);
  EXPECT_EQ(made.statement(1), "EXPECT_EQ(b.n, 3);");
}

TEST(Placing, OfAConstantMethodRepeatsTheCall) {
  const auto made = placed("TEST(Shop, A) {\n  basket b;\n  EXPECT_LT(<<b.total()>>, 3);\n}\n");
  EXPECT_EQ(made.places[0].how, placing::before);
  EXPECT_EQ(made.places[0].expression, "b.total()");
  EXPECT_FALSE(made.places[0].is_unsigned);
}

TEST(Placing, OfAnotherCallGivesItAName) {
  const auto made = placed(
      "TEST(Shop, A) {\n  basket b;\n  <<b.add(3)>>;\n  EXPECT_LT(<<twice(4)>>, 30);\n"
      "  EXPECT_LT(<<twice(4)>>, thrice(2));\n  EXPECT_LT(twice(<<thrice(2)>>), 30);\n}\n");
  ASSERT_EQ(made.places[0].how, placing::hoist) << made.places[0].why_not;
  EXPECT_EQ(made.places[0].expression, "add_result");
  EXPECT_TRUE(made.places[0].is_whole_statement);
  ASSERT_EQ(made.places[1].how, placing::hoist) << made.places[1].why_not;
  EXPECT_FALSE(made.places[1].is_whole_statement);
  EXPECT_EQ(made.text.substr(made.places[1].from, made.places[1].to - made.places[1].from), "twice(4)");
  EXPECT_EQ(made.places[2].why_not, "its statement makes other calls, which must not change their order");
  EXPECT_EQ(made.places[3].how, placing::hoist) << made.places[3].why_not;
}

TEST(Placing, IsRefusedWhereAValueIsOneOfSeveral) {
  const auto made = placed(
      "TEST(Shop, A) {\n  basket b;\n  for (int i = 0; i < 3; ++i) {\n    EXPECT_LT(<<b.total()>>, 3);\n  }\n"
      "  const auto f = [&] { return <<b.total()>>; };\n  if (b.n == 0) <<twice(3)>>;\n"
      "  EXPECT_TRUE(b.next == nullptr || <<twice(b.next->n)>> > 0);\n  f();\n}\n"
      "int helper(int k) { return <<twice(k)>>; }\n"
      "class Many : public testing::TestWithParam<int> {};\nTEST_P(Many, A) { EXPECT_LT(<<twice(GetParam())>>, 3); }\n"
      "template <typename T> class Typed : public testing::Test {};\nTYPED_TEST_SUITE_P(Typed);\n"
      "TYPED_TEST_P(Typed, A) { EXPECT_LT(<<twice(3)>>, 3); }\n");
  EXPECT_EQ(made.places[0].why_not, "it stands in a loop, and its value may be that of one pass");
  EXPECT_EQ(made.places[1].why_not, "it stands in a lambda");
  EXPECT_EQ(made.places[2].why_not, "it stands in a branch without braces");
  EXPECT_EQ(made.places[3].why_not, "it is evaluated only if what stands before it says so");
  EXPECT_EQ(made.places[4].why_not, "it stands in a function that several tests may call");
  EXPECT_EQ(made.places[5].why_not, "TEST_P runs it with several parameters, and the value may be that of one of them");
  EXPECT_EQ(made.places[6].why_not, "the test is a template, and the value may be that of one of its types");
  for (const placed_expression& each : made.places) EXPECT_EQ(each.how, placing::none);
}

TEST(Placing, OfMacrosOfTheProjectIsRefused) {
  const auto made = placed(
      "#define SHOP_TEST(name) TEST(Shop, name)\n#define TRY(what) twice(3); what\n"
      "SHOP_TEST(A) { EXPECT_LT(<<twice(3)>>, 30); }\nTEST(Shop, B) {\n  TRY(thrice(4));\n  <<TRY>>(thrice(4));\n}\n");
  EXPECT_EQ(made.places[0].why_not, "'SHOP_TEST', which writes the test, is no macro of GoogleTest, Catch2 or doctest");
  EXPECT_EQ(made.places[1].why_not, "no expression of a test stands there; a macro may have written it");
}

TEST(Placing, KnowsWhatAnAssertionHasToCompare) {
  const auto made = placed(
      "TEST(Shop, A) {\n  const bool b = true;\n  const float f = 1;\n  const unsigned long n = 3;\n"
      "  const char* t = \"x\";\n  basket* p = nullptr;\n"
      "  EXPECT_TRUE(<<b>>);\n  EXPECT_GT(<<f>>, 0);\n  EXPECT_GT(<<n>>, 1U);\n  EXPECT_STREQ(<<t>>, \"x\");\n  "
      "EXPECT_FALSE(<<p>>);\n}\n");
  EXPECT_TRUE(made.places[0].is_boolean);
  EXPECT_TRUE(made.places[1].is_real && made.places[1].is_single);
  EXPECT_TRUE(made.places[2].is_unsigned);
  EXPECT_TRUE(made.places[3].is_text && made.places[3].is_pointer);
  EXPECT_TRUE(made.places[4].is_pointer && !made.places[4].is_text);
}

TEST(Placing, TakesAFreeName) {
  const auto made =
      placed("TEST(Shop, A) {\n  const int twice_result = 1;\n  EXPECT_LT(<<twice(4)>>, 30 + twice_result);\n}\n");
  EXPECT_EQ(made.places[0].expression, "twice_result2");
}

TEST(Placing, OfCatch2AndDoctest) {
  const std::string body =
      "  basket b;\n  CHECK(<<b.total()>> == 0);\n  const int k = <<twice(3)>>;\n  REQUIRE(<<twice(4)>> < k);\n}\n";
  for (const auto& [include, head] : {std::pair("<catch2/catch.hpp>", "TEST_CASE(\"a\") {\n  SECTION(\"b\") {}\n"),
                                      std::pair("<doctest/doctest.h>", "TEST_CASE(\"a\") {\n  SUBCASE(\"b\") {}\n")}) {
    if (!fs::exists("/usr/include/" + std::string(include).substr(1, std::string(include).size() - 2))) continue;
    const auto made = placed(head + body, include);
    EXPECT_EQ(made.places[0].how, placing::before) << include << made.places[0].why_not;
    EXPECT_EQ(made.statement(0), "CHECK(b.total() == 0);") << include;
    EXPECT_EQ(made.places[1].how, placing::after) << include << made.places[1].why_not;
    EXPECT_EQ(made.places[2].how, placing::hoist) << include << made.places[2].why_not;
  }
}

}  // namespace
}  // namespace morph::source
