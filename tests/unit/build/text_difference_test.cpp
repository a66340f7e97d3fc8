// What the text of a change tells of code, without a compiler.
#include "plugin/build/text_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <array>

namespace morph::build {
namespace {

/// The names of the functions whose code may differ; "same" if nothing does, "unknown" if more may.
std::string differing(const std::string& before, const std::string& after, const std::string& header = "") {
  const std::array texts{after, header};
  const auto found = compare_texts(before, after, git::diff_lines(before, after), read_words(texts));
  if (!found.is_known) return "unknown";
  return found.bodies.empty() ? "same" : fmt::format("{}", fmt::join(found.bodies, " "));
}

/// With the body's lines of `int f(int x)`.
std::string differing_in_f(const std::string& before, const std::string& after) {
  const std::string head = "int g(int);\nint h = 1;\nint f(int x) {\n", tail = "  return x + g(h);\n}\n";
  return differing(head + before + tail, head + after + tail);
}

/// Where `int f(int x) { return x; }` stands as `head` says.
std::string differing_with_head(const std::string& head) {
  return differing(head + " {\n  return x;\n}\n", head + " {\n  return -x;\n}\n", "#define API\n#define HOT [[hot]]\n");
}

TEST(TextDifference, IsNoneOfCommentsAndBlanks) {
  const std::string plain = "#include \"a.h\"\nint f(int x) {\n  return x + 1;\n}\n";
  EXPECT_EQ(differing(plain, "// new\n" + plain), "same");
  EXPECT_EQ(differing(plain, "#include \"a.h\"\n// new\n\nint f( int x ) /* here */ {\n  return x+1; }\n"), "same");
  EXPECT_EQ(differing("/* 2023 */\n" + plain, "/* 2024 */\n" + plain), "same");
  EXPECT_EQ(differing(plain, "#include \"a.h\"  // for g\nint f(int x) {\n  return x + 1;\n}\n"), "same");
}

TEST(TextDifference, IsWhatABlankDividesOrADirectiveTakesIn) {
  EXPECT_EQ(differing("int h = 1 + +g;\n", "int h = 1 ++g;\n"), "unknown");
  EXPECT_EQ(differing("int h = a< :: b;\n", "int h = a<::b;\n"), "unknown");
  EXPECT_EQ(differing("auto h = \"x\" _s;\n", "auto h = \"x\"_s;\n"), "unknown");
  EXPECT_EQ(differing("double h = 1 - .5;\n", "double h = 1 -.5;\n"), "unknown");
  EXPECT_EQ(differing("#define A\nint x;\n", "#define A int x;\n"), "unknown");
  EXPECT_EQ(differing("#define A /* one\n*/ int x;\nint y;\n", "#define A /* one\n*/\nint x;\nint y;\n"), "unknown");
  EXPECT_EQ(differing("#define A x+y\n", "#define A x + y\n"), "unknown") << "it may make a string of it";
  EXPECT_EQ(differing("// one\\\nint x;\n", "// one\nint x;\n"), "unknown");
  EXPECT_EQ(differing("int f(int x) {\n  CHECK(x+1);\n}\n", "int f(int x) {\n  CHECK(x + 1);\n}\n"), "unknown");
  EXPECT_EQ(differing("int x;\nint y;\nint z;\n", "int x;\n/*\nint y;\n*/\nint z;\n"), "unknown");
}

TEST(TextDifference, IsOperatorsAndLiteralsInABody) {
  EXPECT_EQ(differing_in_f("  x = x + 1;\n", "  x = x - 20;\n"), "f");
  EXPECT_EQ(differing_in_f("  x = x + 1;\n", "  if (x < 3) x = x * 2;\n"), "f");
  EXPECT_EQ(differing_in_f("", "  x = g(x) + 1'000;\n"), "f");
  EXPECT_EQ(differing_in_f("  g(x);\n", ""), "f");
  EXPECT_EQ(differing_in_f("  if (x) {\n  }\n", "  if (!x) {\n  }\n"), "f");
  EXPECT_EQ(differing_in_f("  g('{');\n", "  g('}' + sizeof(\"}} static\"));  // static }\n"), "f");
  EXPECT_EQ(differing("int f(int x) { return x; }\nint g(int x) { return x; }\n",
                      "int f(int x) { return x; }\nint g(int x) { return -x; }\n"),
            "g");
  EXPECT_EQ(differing("struct s {\n  int f(int x) const { return x; }\n  int y = 1;\n};\n",
                      "struct s {\n  int f(int x) const { return +x; }\n  int y = 1;\n};\n"),
            "f");
}

TEST(TextDifference, IsUnknownOfOtherNames) {
  EXPECT_EQ(differing_in_f("  x = x + 1;\n", "  x = other(x);\n"), "unknown");
  EXPECT_EQ(differing_in_f("  other(x);\n", "  x = x + 1;\n"), "unknown");
  EXPECT_EQ(differing_in_f("", "  x = *new int;\n"), "unknown");
}

TEST(TextDifference, IsUnknownOfWhatOutlivesABody) {
  EXPECT_EQ(differing_in_f("", "  static int h = 1;\n"), "unknown");
  EXPECT_EQ(differing_in_f("", "#define x 1\n"), "unknown");
  EXPECT_EQ(differing_in_f("  static int h = 1;\n", ""), "unknown");
  EXPECT_EQ(differing_in_f("", "  struct f {};\n"), "unknown");
  EXPECT_EQ(differing_in_f("", "  constexpr int h = 1;\n"), "unknown");
}

TEST(TextDifference, IsUnknownOfABodyThatEndsElsewhere) {
  EXPECT_EQ(differing_in_f("", "  return x;\n}\nint h[] = {1};\nint g(int x) {\n"), "unknown");
  EXPECT_EQ(differing_in_f("", "  if (x) {\n"), "unknown");
  EXPECT_EQ(differing_in_f("  }\n", ""), "unknown");
}

TEST(TextDifference, IsUnknownOutsideOfBodies) {
  EXPECT_EQ(differing("int h = 1;\nint f(int x) {\n}\n", "int h = 2;\nint f(int x) {\n}\n"), "unknown");
  EXPECT_EQ(differing("int f(int x, int y = 1) {\n}\n", "int f(int x, int y = 2) {\n}\n"), "unknown");
  EXPECT_EQ(differing("int h[] = {g(1), {1, 2}};\n", "int h[] = {g(1), {1, 3}};\n"), "unknown");
  EXPECT_EQ(differing("m h{{f(1), {1, 2}}};\n", "m h{{f(1), {1, 3}}};\n"), "unknown");
  EXPECT_EQ(differing("struct alignas(8) s {\n  int x = 1;\n};\n", "struct alignas(8) s {\n  int x = 2;\n};\n"),
            "unknown");
  EXPECT_EQ(
      differing("class s : b<sizeof(int)> {\n  int x = 1;\n};\n", "class s : b<sizeof(int)> {\n  int x = 2;\n};\n"),
      "unknown");
}

TEST(TextDifference, IsKnownOfPlainFunctionsAlone) {
  for (const char* head :
       {"int f(int x)", "template <class T, int N = 3, std::enable_if_t<(N > 2), int> = 0>\nint f(T x)",
        "s::s(int x) : a_(x), b_", "std::map<int, int> s::f(int x) const noexcept(true)", "s::~s()",
        "int operator+(s x)", "bool s::operator<=(int x) const", "int s::operator()(int x)", "API HOT int f(int x)",
        "[[nodiscard]] static inline int f(int x = 3)"})
    EXPECT_NE(differing_with_head(head), "unknown") << head;
  for (const char* head :
       {"constexpr int f(int x)", "auto f(int x)", "decltype(auto) f(int x)", "consteval int f(int x)",
        "__attribute__((always_inline)) int f(int x)", "[[gnu::always_inline]] int f(int x)", "OTHER(1) int f(int x)",
        "TEST(a, b)", "s::operator int(int x)", "int operator\"\"_s(char x)", "int operator +(s x)",
        "int f(int x) requires c<int>", "extern \"C\" int f(int x)", "struct alignas(4) s"})
    EXPECT_EQ(differing_with_head(head), "unknown") << head;
  EXPECT_EQ(differing("CONST int f(int x) {\n  return x;\n}\n", "CONST int f(int x) {\n  return -x;\n}\n",
                      "#if A\n#define CONST CONST_\n#define CONST_ \\\n  constexpr\n#else\n#define CONST\n#endif\n"),
            "unknown");
  EXPECT_EQ(
      differing("CASE(f) {\n  return 1;\n}\n", "CASE(f) {\n  return 2;\n}\n", "#define CASE(x) void case_##x()\n"),
      "unknown")
      << "what it is called is not known";
}

TEST(TextDifference, IsWhereLinesThatMovedMayBeSeen) {
  const std::string text = "int g();\nint f(int x) {\n  return line(x);\n}\nint k = 1;\n";
  const auto moved = [&](const std::string& word, const std::string& header) {
    std::string before = text;
    before.replace(before.find("line"), 4, word);
    return differing(before, "// new\n" + before, header);
  };
  EXPECT_EQ(moved("line", ""), "same");
  EXPECT_EQ(moved("__LINE__ + g", ""), "f");
  EXPECT_EQ(moved("CHECK", ""), "f") << "a macro that nobody knows";
  EXPECT_EQ(moved("CHECK", "#define CHECK(x) (x)\n"), "same");
  EXPECT_EQ(moved("CHECK", "#define CHECK(x) AT(x)\n#define AT(x) at(x, __LINE__)\n"), "f");
  EXPECT_EQ(moved("CHECK", "#define CHECK(x) LOG(x)\n"), "f");
  EXPECT_EQ(moved("assert", ""), "same");
  EXPECT_EQ(moved("UINT64_C", ""), "same");
  EXPECT_EQ(moved("line", "int line(int, std::source_location = std::source_location::current());\n"), "unknown");
  EXPECT_EQ(differing("int k = __LINE__;\n", "\nint k = __LINE__;\n"), "unknown");
  EXPECT_EQ(differing("int k = __LINE__;\n// one\nint x;\n", "int k = __LINE__;\nint x;\n"), "same");
  EXPECT_EQ(differing("TEST(a, b) {\n}\n", "\nTEST(a, b) {\n}\n"), "unknown");
  EXPECT_EQ(differing("int f() {\n  CHECK(1,\n    2);\n}\n", "int f() {\n  CHECK(1,\n\n    2);\n}\n"), "f");
  EXPECT_EQ(differing("int f(int x) {\n  return x;\n}\nint g(int x) {\n  return x + __LINE__;\n}\n",
                      "int f(int x) {\n  x = 1 + 1;\n  return x;\n}\nint g(int x) {\n  return x + __LINE__;\n}\n"),
            "f g");
}

TEST(TextDifference, IsUnknownWhereCallersPlacesMayMove) {
  const std::string header = "void log(std::source_location = std::source_location::current());\n";
  EXPECT_EQ(differing("int k; // one\nint x = f();\n", "int k; // two\nint x = f();\n", header), "same");
  EXPECT_EQ(differing("int f() {\n log(); }\n", "int f() {\n  log(); }\n", header), "unknown");
  EXPECT_EQ(differing("int f() {\n  int x = 1; }\n", "int f() {\n  int x = 2; }\n", header), "unknown");
}

/// Where `d = 1` becomes `d = 2`.
std::string differing_at_d(std::string text, const std::string& header = "") {
  const std::string before = text;
  text.replace(text.find("d = 1") + 4, 1, "2");
  return differing(before, text, header);
}

TEST(TextDifference, IsUnknownWhereWhatStandsBeforeABraceIsNoHeadOfAPlainFunction) {
  const std::string body = "{\n  d = 1;\n}\n";
  for (const char* head : {
           "struct Foo {\nFoo(int a, Options o = {}) : a_(a), o_(o) ",
           "struct Foo {\nFoo(int a, Options o = Options{}) : a_(a), o_(o) ",
           "Foo(int x)\n: a(1),\n#ifdef X\n b(2),\n#endif\n c(x) ",
           "#if A\nconstexpr\n#endif\nint f(int x) ",
           "#ifndef _WIN32\nint run() {\n#else\nint wrun() {\n#endif\n",
           "int f(int x) try ",
           "int f(int x) try {\n  g();\n} catch (const error& e) ",
           "std::function<Value(const std::string&)> cb",
           "std::map<std::string, std::function<Value(double)>> ops",
           "[[deprecated(\"x\")]] int limit",
           "[[gnu::aligned(16)]] int t[]",
           "std::array<Cell, std::size(names)> c",
           "const Value (*const t[])(int)",
           "int a : width(3)",
           "template<> Foo<Value(const X&)> Bar<int>::baz",
           "Result (*lookup(const char* n))(int) ",
           "Value (S::*f(int))(int) ",
           "template<> std::function<Value(const X&)> make<int>(int) ",
           "template<> [[deprecated(\"x\")]] int foo<int>(int) ",
           "NAME::NAME(int x) : a(x) ",
           "BOOST_FORCEINLINE int f(int x) ",
           "static __always_inline int f(int x) ",
           "__device__ int f(int x) ",
           "int operator[ ](int x) ",
           "template <> bool operator==<value>(const X<value>& x) ",
           "struct S { [[gnu::always_inline]] int f(int); };\ninline int S::f(int x) ",
           "int f(int) __asm__(\"other\");\nint f(int x) ",
           "int f() {\n#ifdef A\n  return 1;\n}\nint g() {\n#endif\n",
           "__attribute__((flatten)) int g();\nint f(int x) ",
           "MY_INLINE int f(int x) ",
           "[[gnu::destructor]] void f() ",
           "int g() {\n  if (x) {\n    work();\n  END\n}\nint f(int x) ",
       })
    EXPECT_EQ(
        differing_at_d(head + body, "#define NAME Foo_v1\n#define END }\n#define MY_INLINE static BOOST_FORCEINLINE\n"),
        "unknown")
        << head;
  for (const char* head : {"int f(int x) ", "explicit f(int x) : a_(x), b_", "public:\n  f(int x) ",
                           "std::map<int, int> f(std::function<Value(int)> g) const noexcept(true) ",
                           "template <class T, class = void>\ntypename T::type f(T&& x) -> ",
                           "#if A\n#include <a>\n#endif\nint f(int x) "})
    EXPECT_EQ(differing_at_d(head + body), "f") << head;
}

TEST(TextDifference, IsUnknownOfStatementsThatReachOutOfTheBody) {
  const std::string head = "int f(int x) {\n  int d = 1;\n", tail = "\n  return x;\n}\n";
  const auto of = [&](const std::string& before, const std::string& after, const std::string& header = "") {
    return differing(head + before + tail, head + after + tail, header);
  };
  EXPECT_EQ(of("x = 0 + __COUNTER__;", "x = __COUNTER__ + __COUNTER__;"), "unknown");
  EXPECT_EQ(of("TRACE(1);", "TRACE(2);", "#define TRACE(n) static int e __attribute__((section(\"t\"))) = n\n"),
            "unknown");
  EXPECT_EQ(of("asm(\"v: .long 1\");", "asm(\"v: .long 2\");"), "unknown");
  EXPECT_EQ(of("static int e = 1;", "static int e = 2;"), "unknown");
  EXPECT_EQ(of("\n%:define N 1\n", "\n%:define N 2\n"), "unknown");
  EXPECT_EQ(of("x = MINE(1);", "x = MINE(2);", "#define MINE(n) (n)\n"), "f");
}

TEST(TextDifference, ReadsLinesAsThePreprocessorDoes) {
  const std::string use = "// one\nint f(int x) {\n  return LOG(x);\n}\n", moved = use.substr(use.find('\n') + 1);
  for (const char* header :
       {"#define LOG(x) (/* one\n two */ x + __LINE__)\n", "#define LOG(x) \\\n  (x + __LINE__)\n",
        "#error can't\n#define LOG(x) (x + __LINE__)\n", "#define LOG(x) (\"a\\\nb\", x + __LINE__)\n"})
    EXPECT_EQ(differing(use, moved, header), "f") << header;
  EXPECT_EQ(differing("// in C:\\ \nint x = 2;\n", "// in C:\nint x = 2;\n"), "unknown");
  EXPECT_EQ(differing("// in C:\\\r\nint x = 2;\r\n", "// in C:\r\nint x = 2;\r\n"), "unknown");
  EXPECT_EQ(differing("#define A\n#define B 1\n", "#define A #define B 1\n"), "unknown");
  EXPECT_EQ(differing("const char* t = __TIMESTAMP__;\n// one\n", "const char* t = __TIMESTAMP__;\n// two\n"),
            "unknown");
  EXPECT_EQ(differing("#define A /* one\n*/ int x;\n", "#define A /* two\n*/ int x;\n"), "same");
}

}  // namespace
}  // namespace morph::build
