// Object code: what counts as a change and what does not, one trap a test; bad input; keeping what was read.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "coverage/object/compare/referrers.hpp"
#include "coverage/object/read/archive.hpp"
#include "coverage/object/read/test_factories.hpp"
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::change_kind;
using object::change_reason;
using object::link_unit;

const way plain{"g++", " -O0"};

difference between(const way& how, const std::string& before, const std::string& after,
                   const object::compare_options& options = {}) {
  laboratory lab;
  const link_unit old_unit = lab.unit(how, {{"a.cpp", before}});
  const link_unit new_unit = lab.unit(how, {{"a.cpp", after}});
  return difference_of(compare(old_unit, new_unit, options));
}

// Lines behind the first `first` moved by `by`; every line belongs to every function.
object::compare_options moved(std::uint32_t first, std::uint32_t by) {
  object::compare_options options;
  options.is_moved_line = [=](const object::function_name&, std::uint32_t was, std::uint32_t is) {
    return is == (was < first ? was : was + by);
  };
  return options;
}

// The constant behind the address counts in where the address counts from: with a fixed distance, the variable before
// it would be compared.
TEST(Object, AVariableComparedWithAConstantIsTheRightOne) {
  const auto program = [](int first, int second) {
    return fmt::format(
        "__asm__(\".data\\n.type first,@object\\n.size first,4\\nfirst: .long {}\\n\"\n"
        "        \".type second,@object\\n.size second,4\\nsecond: .long {}\\n.text\\n\"\n"
        "        \".globl f\\n.type f,@function\\nf: cmpl $7,second(%rip)\\nret\\n.size f,.-f\\n\");\n",
        first, second);
  };
  const auto found = between(plain, program(1, 2), program(1, 3));
  EXPECT_EQ(found.functions, std::set<std::string>{"f"}) << found.text;
  const auto other = between(plain, program(1, 2), program(9, 2));
  EXPECT_TRUE(other.functions.empty()) << other.text;
}

TEST(Object, APaddedConstantIsTheSame) {
  const std::string f = "void out(const char*);\nvoid f() { out(\"abc\"); }\n";
  const auto found = between(plain, f + "double d(double x) { return x * 1.5; }\n", f);
  EXPECT_TRUE(found.functions.empty()) << found.text;
}

// Without a relocation only the instruction says where it goes.
TEST(Object, ACallWithinASectionIsThatOfTheName) {
  for (const char* const level : {" -O0", " -O2"}) {
    const std::string one = "static __attribute__((noipa)) int one(int x) { return x + 1; }\n";
    const std::string two = "static __attribute__((noipa)) int two(int x) { return x + 2; }\n";
    const std::string f = "int f(int x) { return one(x); }\n", g = "int g(int x) { return two(x); }\n";
    EXPECT_TRUE(
        between({"g++", level}, one + two + f + g, one + two + "static int n;\nint more() { return ++n; }\n" + f + g)
            .functions.empty());
    // The names change places, so that every byte stays where it is.
    const std::string swapped =
        "static __attribute__((noipa)) int two(int x) { return x + 1; }\n"
        "static __attribute__((noipa)) int one(int x) { return x + 2; }\n";
    const auto found = between({"g++", level}, one + two + f + g, swapped + f + g);
    EXPECT_TRUE(found.functions.contains("f(int)") || found.functions.contains("one(int)")) << found.text;
    EXPECT_TRUE(found.functions.contains("g(int)") || found.functions.contains("two(int)")) << found.text;
  }
}

// Compilers may count from before a table whose first index is not 0.
TEST(Object, ATableReachedFromBeforeItCounts) {
  const auto program = [](int last) {
    return fmt::format(
        "__asm__(\".section .rodata\\n.type other,@object\\n.size other,8\\nother: .long 1,2\\n\"\n"
        "        \".type table,@object\\n.size table,8\\ntable: .long 3,{}\\n.text\\n\");\n"
        "extern \"C\" int f();\n__asm__(\".globl f\\n.type f,@function\\nf: leaq table-4(%rip),%rax\\n\"\n"
        "        \"movl 8(%rax),%eax\\nret\\n.size f,.-f\\n\");\n",
        last);
  };
  const auto found = between(plain, program(4), program(5));
  EXPECT_EQ(found.functions, std::set<std::string>{"f"}) << found.text;
}

// What one function reaches from a constant's begin, another may name in its middle.
TEST(Object, AConstantCutInTheMiddleCountsToItsEnd) {
  const auto program = [](int last) {
    return fmt::format(
        "__asm__(\".section .rodata\\n.Lone: .long 1,2,{},4\\n.text\\n\"\n"
        "        \".globl f\\n.type f,@function\\nf: leaq .Lone(%rip),%rax\\nret\\n.size f,.-f\\n\"\n"
        "        \".globl g\\n.type g,@function\\ng: movl .Lone+4(%rip),%eax\\nret\\n.size g,.-g\\n\");\n",
        last);
  };
  const auto found = between(plain, program(3), program(9));
  EXPECT_TRUE(found.functions.contains("f")) << found.text;
}

TEST(Object, TheListOfASectionIsThatOfAllObjects) {
  laboratory lab;
  const std::string walk =
      "extern const int __start_plugins[], __stop_plugins[];\n"
      "int f() { int sum = 0; for (auto p = __start_plugins; p != __stop_plugins; ++p) sum += *p; return sum; }\nint "
      "g() { return 1; }\n";
  const std::string entry = "__attribute__((section(\"plugins\"), used)) static const int entry = ";
  const link_unit before = lab.unit(plain, {{"a.cpp", walk}, {"b.cpp", entry + "1;\n"}});
  const link_unit after = lab.unit(plain, {{"a.cpp", walk}, {"b.cpp", entry + "2;\n"}});
  const link_unit more = lab.unit(plain, {{"a.cpp", walk}, {"b.cpp", entry + "1;\n"}, {"c.cpp", entry + "3;\n"}});
  EXPECT_EQ(difference_of(compare(before, after)).functions, std::set<std::string>{"f()"});
  EXPECT_EQ(difference_of(compare(before, more)).functions, std::set<std::string>{"f()"});
}

TEST(Object, DataThatRefersToItselfIsOneThing) {
  const auto program = [](int value) {
    return fmt::format(
        "struct node {{ const node* next; int value; }};\nextern const node a, b, c;\n"
        "extern const node a{{&b, 1}};\nextern const node b{{&c, 2}};\nextern const node c{{&a, {}}};\n"
        "extern const node d; extern const node d{{&d, 4}};\n"
        "int f() {{ return a.next->value; }}\nint g() {{ return d.value; }}\n",
        value);
  };
  const auto found = between(plain, program(3), program(9));
  EXPECT_EQ(found.functions, std::set<std::string>{"f()"}) << found.text;
}

// Which of the constants without names comes next is told by nothing but the way along them.
TEST(Object, ARingOfConstantsWithoutNamesCountsInItsOrder) {
  const auto program = [](const char* first, const char* second, const char* third) {
    return fmt::format(
        "__asm__(\".section .data.rel.ro,\\\"aw\\\"\\n.Lone: .quad {},1\\n.Ltwo: .quad {},2\\n.Lthree: .quad "
        "{},3\\n.text\\n\"\n"
        "        \".globl f\\n.type f,@function\\nf: leaq .Lone(%rip),%rax\\nret\\n.size f,.-f\\n\");\n",
        first, second, third);
  };
  const auto found = between(plain, program(".Ltwo", ".Lthree", ".Lone"), program(".Lthree", ".Lone", ".Ltwo"));
  EXPECT_EQ(found.functions, std::set<std::string>{"f"}) << found.text;
}

// __LINE__ in assert().
TEST(Object, ALineThatMovedIsNoChangeIfTheMapSaysSo) {
  for (const way& how : {plain, way{"clang++-19", " -O2"}, way{"clang++-19", " -O0 --target=aarch64-linux-gnu"}}) {
    if (!is_present(how.compiler)) continue;
    const std::string code =
        "void fails(const char*, int);\nint f(int a) {\n  if (a > 0) fails(__FILE__, __LINE__);\n  return a;\n}\n";
    const std::string other =
        "void fails(const char*, int);\n\n\nint f(int a) {\n  if (a > 0) fails(__FILE__, 9);\n  return a;\n}\n";
    EXPECT_TRUE(between(how, code, "\n\n" + code, moved(1, 2)).functions.empty());
    EXPECT_TRUE(between(how, code, "\n\n" + code).functions.contains("f(int)")) << "without a map, nothing explains it";
    EXPECT_TRUE(between(how, code, "\n\n" + code, moved(1, 3)).functions.contains("f(int)")) << "another map";
    EXPECT_TRUE(between(how, code, other, moved(1, 2)).functions.contains("f(int)"));
    object::compare_options foreign = moved(1, 2);
    foreign.is_moved_line = [](const object::function_name&, std::uint32_t, std::uint32_t) { return false; };
    EXPECT_TRUE(between(how, code, "\n\n" + code, foreign).functions.contains("f(int)")) << "no line of f()";
  }
}

TEST(Object, ALineThatIsAValueCounts) {
  for (const way& how :
       {plain, way{"g++", " -O2"}, way{"clang++-19", " -O0"}, way{"clang++-19", " -O2 --target=aarch64-linux-gnu"}}) {
    if (!is_present(how.compiler)) continue;
    const std::string code =
        "void fails(const char*, int);\nvoid show(int);\nint f() { return __LINE__; }\n"
        "void g() { show(__LINE__); }\nint h(int a) { fails(__FILE__, __LINE__); return a + __LINE__; }\n"
        "void i() { fails(__FILE__, __LINE__); }\n";
    const auto found = between(how, code, "\n\n" + code, moved(1, 2));
    EXPECT_EQ(found.functions, (std::set<std::string>{"f()", "g()", "h(int)"}))
        << how.compiler << how.flags << found.text;
  }
}

TEST(Object, TheLinkersCopyIsCompared) {
  laboratory lab;
  const std::string header = "inline int shared() { return MODE; }\n";
  const std::string first = "#define MODE 1\n" + header + "int a() { return shared(); }\n";
  const std::string second = "#define MODE 2\n" + header + "int b() { return shared(); }\n";
  const std::string third = "#define MODE 3\n" + header + "int b() { return shared(); }\n";
  const link_unit before = lab.unit(plain, {{"a.cpp", first}, {"b.cpp", second}});
  int copies = 0;
  for (object::unit_atom i = 0; i < before.size(); ++i)
    if (before.is_live(i) && before.name_of(i) == "_Z6sharedv") ++copies;
  EXPECT_EQ(copies, 1);
  EXPECT_TRUE(compare(before, lab.unit(plain, {{"a.cpp", first}, {"b.cpp", third}})).changes.empty());
  const auto found = compare(before, lab.unit(plain, {{"_.cpp", third}, {"a.cpp", first}, {"b.cpp", second}}));
  ASSERT_EQ(found.changes.size(), 1U);
  EXPECT_EQ(found.changes[0].symbol, "_Z6sharedv");
  EXPECT_EQ(found.changes[0].reason, change_reason::copy);
  EXPECT_EQ(found.changes[0].detail, "_.cpp.o");
}

TEST(Object, StringsCountWithoutTheFoldersOfTheProject) {
  laboratory lab;
  const auto at = [&](const way& how, const std::string& root, const std::string& more) {
    object::object_reader reader({root, root + "/build"});
    const std::string path = root + "/a.cpp", made = root + "/build/b.hpp";
    auto print = reader.read(lab.object(how, "a.cpp",
                                        fmt::format("const char* f() {{ return \"{}\"; }}\nconst char* g() {{ return "
                                                    "\"{}\"; }}\nextern const char name[]; const char name[] = "
                                                    "\"{}\";\nconst char* h() {{ return name; }}\n",
                                                    path, made + more, path)),
                             "a.cpp");
    EXPECT_TRUE(print) << print.error();
    return link_unit({{"a.o", false, false, {{"", std::make_shared<const object::object_print>(std::move(*print))}}}});
  };
  for (const way& how : {plain, way{"g++", " -O2"}, way{"clang++-19", " -O0"}}) {
    if (!is_present(how.compiler)) continue;
    const link_unit here = at(how, "/home/me/p", "");
    const auto there = difference_of(compare(here, at(how, "/builds/of/another/machine/p", "")));
    EXPECT_TRUE(there.functions.empty()) << there.text;
    const auto other = difference_of(compare(here, at(how, "/builds/of/another/machine/p", "2")));
    EXPECT_EQ(other.functions, std::set<std::string>{"g()"}) << other.text;
    const auto longer = difference_of(compare(here, at(how, "/home/me/p", "/deeper")));
    EXPECT_EQ(longer.functions, std::set<std::string>{"g()"}) << longer.text;
  }
}

TEST(Object, ReasonsAreTold) {
  laboratory lab;
  const std::string code = "const char* f(int i) { return names[i]; }\n";
  const auto changes =
      compare(lab.unit(plain, {{"a.cpp", "static const char* const names[] = {\"a\", \"b\"};\n" + code}}),
              lab.unit(plain, {{"a.cpp", "static const char* const names[] = {\"a\", \"c\"};\n" + code}}))
          .changes;
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].reason, change_reason::data);
  EXPECT_EQ(changes[0].detail, "names");
}

TEST(Object, WhatOnlyWentIsNoChangeButInALibrary) {
  laboratory lab;
  const std::string f = "int f() { return 1; }\n";
  const sources before{{"a.cpp", f + "int gone() { return 2; }\n"}}, after{{"a.cpp", f}};
  const auto program = compare(lab.unit(plain, before), lab.unit(plain, after));
  EXPECT_TRUE(program.changes.empty());
  ASSERT_EQ(program.normalized.size(), 1U);
  EXPECT_EQ(program.normalized[0].rule, object::normal_rule::gone);
  object::link_options shared;
  shared.shared = true;
  const auto library = compare(lab.unit(plain, before, "", shared), lab.unit(plain, after, "", shared));
  ASSERT_EQ(library.changes.size(), 1U);
  EXPECT_EQ(library.changes[0].reason, change_reason::gone);
}

TEST(Object, ANewOperatorNewIsForAll) {
  const std::string f = "int f() { return 1; }\n";
  EXPECT_TRUE(between(plain, f, f + "void* operator new(decltype(sizeof 0)) { return nullptr; }\n").everything);
  const auto placed = between(plain, f, f + "#include <new>\nint* g(void* at) { return new (at) int(3); }\n");
  EXPECT_FALSE(placed.everything) << placed.text;
}

class ObjectRegistration : public ::testing::TestWithParam<way> {};

const std::string framework = R"(#include <gtest/gtest.h>
#include <string>
int make(int);
int value = make(3);
TEST(A, One) { EXPECT_EQ(value, 6); }
std::string name("name");
TEST(A, Two) { EXPECT_EQ(name, "name"); }
struct F : testing::Test {};
TEST_F(F, Three) { EXPECT_EQ(name.size(), 4U); }
TEST(A, Four) { EXPECT_EQ(1, 1); }
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST_P(ObjectRegistration, ATestMoreOrLessIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const link_unit before = lab.unit(how, {{"a.cpp", framework}});
  const auto against = [&](const std::string& text, const object::compare_options& options) {
    return difference_of(compare(before, lab.unit(how, {{"a.cpp", text}}), options));
  };
  const std::string one_more = replaced(framework, "TEST(A, Two)", "TEST(A, New) { EXPECT_EQ(1, 1); }\nTEST(A, Two)");
  const auto added = against(one_more + "TEST(A, Last) { EXPECT_EQ(1, 1); }\n", moved(7, 1));
  EXPECT_TRUE(added.functions.empty() && !added.everything) << added.text;
  const auto less = against(replaced(framework, "TEST(A, Four) { EXPECT_EQ(1, 1); }\n", ""), {});
  EXPECT_TRUE(less.functions.empty() && !less.everything) << less.text;
  const auto text = against(replaced(framework, "name(\"name\")", "name(\"nome\")"), {});
  EXPECT_TRUE(text.everything) << text.text;
  const auto both =
      against(replaced(replaced(framework, "make(3)", "make(4)"), "TEST(A, Four)", "TEST(A, Renamed)"), {});
  EXPECT_TRUE(both.everything) << both.text;
  const std::string with_parameters = "struct P : testing::TestWithParam<int> {};\nTEST_P(P, New) {}\n";
  const auto of_values = against(framework + with_parameters, {});
  EXPECT_FALSE(of_values.everything) << of_values.text;
  const auto instance =
      against(framework + with_parameters + "INSTANTIATE_TEST_SUITE_P(A, P, testing::Values(1));\n", {});
  EXPECT_FALSE(instance.everything) << instance.text;
  const auto unknown =
      against(framework + "int gtest_more_registered_ = (testing::Test::RecordProperty(\"a\", \"b\"), 1);\n", {});
  EXPECT_TRUE(unknown.everything) << unknown.text;
  const auto body = against(replaced(framework, "size(), 4U", "size(), 5U"), {});
  EXPECT_EQ(body.functions, std::set<std::string>{"F_Three_Test::TestBody()"}) << body.text;
  EXPECT_FALSE(body.everything) << body.text;
}

class ObjectNewSource : public ::testing::TestWithParam<way> {};

TEST_P(ObjectNewSource, ANewSourceOfTestsIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string tests = "TEST(Old, One) { EXPECT_EQ(make(1), 2); }\nTEST(Old, Two) { EXPECT_EQ(2, 2); }\n";
  const sources before{{"a.cpp", "#include <gtest/gtest.h>\nint make(int);\n" + tests},
                       {"b.cpp", "int make(int x) { return 2 * x; }\n"}};
  const link_unit old_unit = lab.unit(how, before);
  const auto with = [&](const std::string& text) {
    sources after = before;
    after["new.cpp"] = "#include <gtest/gtest.h>\nint make(int);\n" + text;
    return difference_of(compare(old_unit, lab.unit(how, after)));
  };
  for (const std::string header : {"", "#include <iostream>\n"}) {
    const auto one = with(header + "TEST(New, One) { EXPECT_EQ(make(1), 2); }\n");
    // GCC merges what a single test calls with what streams call.
    EXPECT_EQ(one.everything, how.flags == " -O2") << one.text;
    const auto two = with(header + "TEST(New, One) { EXPECT_EQ(1, 1); }\nTEST(New, Two) { EXPECT_EQ(2, 2); }\n");
    EXPECT_FALSE(two.everything) << two.text;
    const auto more = with(header + "TEST(New, One) { EXPECT_EQ(1, 1); }\nint value_of_new = make(3);\n");
    EXPECT_TRUE(more.everything) << more.text;
  }
}

TEST_P(ObjectRegistration, OneMoreOfManyThatStartStreamsIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string streams = "#include <iostream>\n", make = "int make(int x) { return 2 * x; }\n";
  const std::string set = "#include <string>\nint make(int);\nint set = make(3);\nstd::string name(\"name\");\n";
  const std::string other = "int other() { return 3; }\n";
  const auto everything = [&](const sources& before, const sources& after) {
    return difference_of(compare(lab.unit(how, before), lab.unit(how, after))).everything;
  };
  const sources one{{"_.cpp", streams + other}, {"a.cpp", set}, {"b.cpp", make}};
  const sources in_b{{"_.cpp", streams + other}, {"a.cpp", set}, {"b.cpp", streams + make}};
  const sources in_a{{"_.cpp", streams + other}, {"a.cpp", streams + set}, {"b.cpp", make}};
  EXPECT_FALSE(everything(one, in_b)) << "where nothing ran before";
  EXPECT_FALSE(everything(in_b, one));
  EXPECT_FALSE(everything(one, in_a)) << "beside others";
  EXPECT_FALSE(everything(in_a, one));
  const sources none{{"_.cpp", other}, {"a.cpp", set}, {"b.cpp", make}};
  EXPECT_TRUE(everything(none, one)) << "the first";
  EXPECT_TRUE(everything(one, none)) << "the last";
  sources more = in_b;
  more["b.cpp"] += "int more = make(4);\n";
  EXPECT_TRUE(everything(one, more));
}

INSTANTIATE_TEST_SUITE_P(All, ObjectNewSource, ::testing::Values(plain, way{"g++", " -O2"}, way{"clang++-19", " -O0"}),
                         [](const auto& i) { return name_of(i.param); });

INSTANTIATE_TEST_SUITE_P(All, ObjectRegistration, ::testing::Values(plain, way{"clang++-19", " -O0"}),
                         [](const auto& i) { return name_of(i.param); });

struct numbered {
  std::string framework;
  way how;
};

void PrintTo(const numbered& n, std::ostream* out) {
  *out << n.framework << " " << n.how.compiler << n.how.flags;
}

class ObjectNumberedTests : public ::testing::TestWithParam<numbered> {};

const std::string numbered_tests = R"(
int f(int);
TEST_CASE("first") { CHECK(f(1) == 1); }
TEST_CASE("second") { CHECK(f(2) == 2); }
TEST_CASE("third") { auto own = [](int i) { return f(i); }; CHECK(own(3) == 3); }
TEST_CASE("fourth") { CHECK(f(4) == 4); }
)";

// Every test has a number in its name, which the tests and sections before it decide.
TEST_P(ObjectNumberedTests, AreThoseOfTheirTitles) {
  const way how = GetParam().how;
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  const bool doctest = GetParam().framework == "doctest";
  const std::string header = doctest ? "#include <doctest/doctest.h>" : "#include <catch2/catch.hpp>";
  const std::string section = doctest ? "SUBCASE" : "SECTION";
  laboratory lab;
  const link_unit before = lab.unit(how, {{"a.cpp", header + numbered_tests}});
  const auto against = [&](const std::string& text) {
    return compare(before, lab.unit(how, {{"a.cpp", header + text}}), moved(1000, 0));
  };
  const auto changed = [](const object::comparison& found) {
    std::set<std::string> titles;
    for (const std::string& name : difference_of(found).functions) {
      const auto begin = name.find('"');
      titles.insert(begin == std::string::npos ? name : name.substr(begin + 1, name.rfind('"') - begin - 1));
    }
    return titles;
  };
  const auto moved_away = [](const object::comparison& found) {
    std::set<std::string> names;
    for (const object::normalization& n : found.normalized)
      if (n.may_have_moved) names.insert(object::demangled(object::without_clone_suffix(n.symbol)));
    return names;
  };

  const auto added = against(replaced(numbered_tests, R"(TEST_CASE("third"))",
                                      R"(TEST_CASE("new") { CHECK(f(3) == 3); } TEST_CASE("third"))"));
  EXPECT_TRUE(added.changes.empty()) << difference_of(added).text;
  EXPECT_TRUE(moved_away(added).empty());

  const auto longer =
      against(replaced(numbered_tests, "f(1) == 1); }", "f(1) == 1); " + section + "(\"s\") { f(1); } }"));
  EXPECT_EQ(changed(longer), std::set<std::string>{"first"}) << difference_of(longer).text;
  EXPECT_FALSE(difference_of(longer).everything);

  const auto less = against(replaced(numbered_tests, R"(TEST_CASE("second") { CHECK(f(2) == 2); })", ""));
  EXPECT_TRUE(less.changes.empty()) << difference_of(less).text;
  EXPECT_EQ(moved_away(less).size(), 1U) << "the test may have moved to another source";

  const auto exchanged =
      against(replaced(replaced(numbered_tests, R"("second")", R"("last")"), R"("fourth")", R"("second")"));
  EXPECT_EQ(changed(exchanged), std::set<std::string>{"second"}) << difference_of(exchanged).text;
  EXPECT_EQ(moved_away(exchanged).size(), 1U) << "fourth";

  // Nobody can say which of them is which.
  const std::string twice = replaced(numbered_tests, R"("second")", R"("first")");
  const auto three = compare(lab.unit(how, {{"a.cpp", header + twice}}),
                             lab.unit(how, {{"a.cpp", header + replaced(twice, R"("fourth")", R"("first")")}}));
  EXPECT_GE(moved_away(three).size(), 2U) << difference_of(three).text;
}

INSTANTIATE_TEST_SUITE_P(All, ObjectNumberedTests,
                         ::testing::Values(numbered{"doctest", plain}, numbered{"doctest", {"g++", " -O2"}},
                                           numbered{"doctest", {"clang++-19", " -O0"}}, numbered{"catch2", plain}),
                         [](const auto& i) { return i.param.framework + "_" + name_of(i.param.how); });

TEST(Object, LinesOfBoostsChecksMove) {
  if (!std::filesystem::exists("/usr/include/boost/test/unit_test.hpp")) GTEST_SKIP() << "Boost.Test is not installed";
  const std::string code =
      "#define BOOST_TEST_DYN_LINK\n#include <boost/test/unit_test.hpp>\nint f(int);\n"
      "struct of_a_case { void checks(); };\nvoid of_a_case::checks() {\n  BOOST_TEST(f(1) == 1);\n"
      "  BOOST_CHECK_EQUAL(f(2), 2);\n  BOOST_REQUIRE(f(3));\n}\n";
  const auto lower = between(plain, code, replaced(code, "int f(int);\n", "\nint f(int);\n"), moved(3, 1));
  EXPECT_TRUE(lower.functions.empty()) << lower.text;
  const auto other = between(plain, code, replaced(code, "f(3)", "f(4)"));
  EXPECT_TRUE(other.functions.contains("of_a_case::checks()")) << other.text;
}

TEST(Object, ReferrersStandForWhatCoverageCannotSee) {
  laboratory lab;
  const std::string classes = "struct B { virtual ~B() {} virtual int cost(int x) { return x; } };\n";
  const std::string use =
      "int call(B&);\nint t1() { D d; return call(d); }\nint t2() { B b; return call(b); }\nint main() { return t1() + "
      "t2(); }\n";
  const link_unit before = lab.unit(plain, {{"a.cpp", classes + "struct D : B {};\n" + use}});
  const link_unit after =
      lab.unit(plain, {{"a.cpp", classes + "struct D : B { int cost(int) override { return 1; } };\n" + use}});
  const auto changes = compare(before, after).changes;
  const auto names = [&](const object::reach& found) {
    std::set<std::string> all;
    for (const auto& f : found.functions) all.insert(object::demangled(before.name_of(f.function)));
    return all;
  };
  const auto written = [&](object::unit_atom f) {  // what people wrote, as Clang's coverage has it
    const std::string name = object::demangled(before.name_of(f));
    return name == "t1()" || name == "t2()" || name == "main" || name.starts_with("B::");
  };
  const auto found = reach_of(before, changes, written);
  EXPECT_TRUE(found.everything.empty());
  EXPECT_EQ(names(found), std::set<std::string>{"t1()"});
  const auto nothing = reach_of(before, changes, [](object::unit_atom) { return false; });
  EXPECT_FALSE(nothing.everything.empty()) << "the chain ends in main()";
}

// Archives.

TEST(ObjectArchive, OnlyWantedMembersAreLinked) {
  laboratory lab;
  lab.object(plain, "main.cpp", "int used();\nint main() { return used(); }\n");
  lab.object(plain, "used.cpp", "int deep();\nint used() { return deep(); }\n");
  lab.object(plain, "unused.cpp", "int unused() { return 3; }\n");
  lab.object(plain, "deep.cpp", "int deep() { return 2; }\n");
  const std::string at = lab.folder().path().string();
  lab.run("cd " + at +
          " && ar crs lib.a deep.cpp.o unused.cpp.o used.cpp.o && ar crsT thin.a deep.cpp.o unused.cpp.o used.cpp.o "
          "2>/dev/null");
  for (const char* const name : {"lib.a", "thin.a"}) {
    object::print_cache cache;
    std::vector<object::link_item> items{*cache.read(lab.folder() / "main.cpp.o", "main.cpp.o")};
    const auto archive = cache.read(lab.folder() / name, name);
    ASSERT_TRUE(archive) << archive.error();
    items.push_back(*archive);
    const link_unit unit(items);
    std::set<std::string> taken;
    for (const object::unit_object& o : unit.objects()) taken.insert(o.path);
    EXPECT_EQ(taken, (std::set<std::string>{"main.cpp.o", fmt::format("{}(deep.cpp.o)", name),
                                            fmt::format("{}(used.cpp.o)", name)}));
    items[1].whole = true;
    EXPECT_TRUE(link_unit(items).find("_Z6unusedv"));
  }
}

// Bad input.

struct bad {
  std::string what, commands, message;
};

TEST(ObjectInput, WhatCannotBeComparedSaysWhy) {
  const std::vector<bad> all{
      {"bitcode", "clang++-19 -flto -c a.cpp -o bad.o", "bitcode"},
      {"slim", "g++ -flto -c a.cpp -o bad.o", "-flto"},
      {"fat", "g++ -flto -ffat-lto-objects -c a.cpp -o bad.o", "-flto"},
      {"stripped",
       "g++ -c a.cpp -o bad.o && strip bad.o && objcopy --remove-section .symtab bad.o 2>/dev/null; strip -s bad.o",
       ""},
      {"machine", "clang++-19 --target=riscv64-linux-gnu -c a.cpp -o bad.o", "machine"},
      {"width", "clang++-19 --target=i386-linux-gnu -c a.cpp -o bad.o", "64-bit"},
      {"order", "clang++-19 --target=aarch64_be-linux-gnu -c a.cpp -o bad.o", "little-endian"},
      {"linked", "g++ -shared -fPIC a.cpp -o bad.o", "linked"},
      {"format", "clang++-19 --target=x86_64-apple-macos -c a.cpp -o bad.o", "no ELF"},
      {"text", "cp a.cpp bad.o", "no ELF"},
      {"empty", ": > bad.o", "no ELF"},
      {"folder", "mkdir bad.o", "no file"},
      {"none", "true", "No such file"},
  };
  for (const bad& one : all) {
    laboratory lab;
    lab.folder().write("a.cpp", "int f(int x) { return x + 1; }\n");
    lab.run("cd '" + lab.folder().path().string() + "' && { " + one.commands + "; }");
    object::print_cache cache;
    const auto read = cache.read(lab.folder() / "bad.o", "bad.o");
    if (read && one.message.empty()) continue;  // stripped, but for what relocations need
    ASSERT_FALSE(read) << one.what;
    EXPECT_NE(read.error().find("'bad.o'"), std::string::npos) << one.what << ": " << read.error();
    EXPECT_NE(read.error().find(one.message), std::string::npos) << one.what << ": " << read.error();
  }
}

// libLLVMSupport.a of Debian has one, of a source for other machines.
TEST(ObjectInput, OfASourceWithoutCodeItNeedsNoSymbols) {
  laboratory lab;
  lab.folder().write("a.cpp", "#ifdef ANOTHER_MACHINE\nint f() { return 1; }\n#endif\n");
  lab.run("cd '" + lab.folder().path().string() + "' && g++ -c a.cpp && strip -s a.o");
  object::print_cache cache;
  const auto read = cache.read(lab.folder() / "a.o", "a.o");
  EXPECT_TRUE(read) << read.error();
}

TEST(ObjectInput, CutAtAnyLengthItIsAnError) {
  laboratory lab;
  const std::string whole =
      lab.object(plain, "a.cpp", "#include <string>\nstd::string f(int x) { return std::to_string(x); }\n");
  lab.run("cd '" + lab.folder().path().string() + "' && ar crs lib.a a.cpp.o");
  object::object_reader reader;
  ASSERT_TRUE(reader.read(whole, "a.o"));
  for (std::size_t size = 0; size < whole.size(); size += size < 256 ? 1 : 97)
    EXPECT_FALSE(reader.read(std::string_view(whole).substr(0, size), "a.o")) << size;
  const std::string archive = lab.bytes("lib.a");
  EXPECT_TRUE(object::is_archive(archive));
  int accepted = 0;
  for (std::size_t size = 0; size + 2 < archive.size(); size += size < 512 ? 1 : 997) {
    lab.folder().write("cut.a", archive.substr(0, size));
    object::print_cache cache;
    // An archive that ends behind a whole member is whole.
    const auto read = cache.read(lab.folder() / "cut.a", "cut.a");
    if (read && !read->members.empty()) ++accepted;
  }
  EXPECT_EQ(accepted, 0);
}

TEST(ObjectInput, ManyAndLongNames) {
  laboratory lab;
  std::string many;
  for (int i = 0; i < 100000; ++i)
    many += fmt::format(".globl f{0}\n.type f{0},@function\nf{0}: call f{1}\n ret\n.size f{0},.-f{0}\n", i,
                        (i * 7) % 100000);
  const std::string name(65536, 'n');
  many += fmt::format(".globl {0}\n.type {0},@function\n{0}: call f1\n ret\n.size {0},.-{0}\n", name);
  lab.folder().write("many.s", many);
  lab.run("cd '" + lab.folder().path().string() + "' && as many.s -o many.o");
  object::print_cache cache(lab.folder() / "kept");
  const auto read = cache.read(lab.folder() / "many.o", "many.o");
  ASSERT_TRUE(read) << read.error();
  const link_unit unit({*read});
  EXPECT_TRUE(unit.find("f99999"));
  EXPECT_TRUE(unit.find(name));
  EXPECT_TRUE(compare(unit, unit).changes.empty());
}

// Keeping.

TEST(ObjectPrint, WrittenAndReadItIsTheSame) {
  laboratory lab;
  object::object_reader reader;
  const auto print = reader.read(lab.object(plain, "a.cpp", framework), "a.o");
  ASSERT_TRUE(print) << print.error();
  ASSERT_FALSE(print->segments.empty());
  const std::string bytes = write_print(*print);
  const auto again = object::read_print(bytes);
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->atoms, print->atoms);
  EXPECT_EQ(again->references, print->references);
  EXPECT_EQ(again->constants, print->constants);
  EXPECT_EQ(again->definitions, print->definitions);
  EXPECT_EQ(again->wanted, print->wanted);
  EXPECT_EQ(again->segments, print->segments);
  EXPECT_EQ(again->compiled, print->compiled);
  EXPECT_EQ(write_print(*again), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 50)
    EXPECT_FALSE(object::read_print(std::string_view(bytes).substr(0, size)));
  std::string other = bytes;
  other[bytes.size() / 2] = static_cast<char>(other[bytes.size() / 2] ^ 1);
  EXPECT_FALSE(object::read_print(other));
  other = bytes;
  other[8] = 99;
  EXPECT_EQ(object::read_print(other).error(), "its schema is 99, not 6");
}

void make_old(const std::filesystem::path& file) {
  // The time of the last change of the inode cannot be set, so that only waiting would do: the answer is by content.
  std::filesystem::last_write_time(file, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
}

TEST(ObjectCache, OnlyWhatChangedIsReadAgain) {
  laboratory lab;
  lab.object(plain, "a.cpp", "int a() { return 1; }\n");
  lab.object(plain, "b.cpp", "int b() { return 1; }\n");
  const auto kept = lab.folder() / "kept";
  const auto read_all = [&] {
    object::print_cache cache(kept);
    EXPECT_TRUE(cache.read(lab.folder() / "a.cpp.o", "a.o"));
    EXPECT_TRUE(cache.read(lab.folder() / "b.cpp.o", "b.o"));
    return cache.figures();
  };
  EXPECT_EQ(read_all().read, 2U);
  EXPECT_EQ(read_all().read, 0U);
  lab.object(plain, "b.cpp", "int b() { return 2; }\n");
  EXPECT_EQ(read_all().read, 1U);
  EXPECT_EQ(read_all().read, 0U);
  make_old(lab.folder() / "a.cpp.o");
  EXPECT_EQ(read_all().read, 0U);
  for (const auto& file : std::filesystem::directory_iterator(kept))
    std::ofstream(file.path(), std::ios::binary) << "half";
  EXPECT_EQ(read_all().read, 2U) << "what is damaged is made again";
  std::filesystem::remove_all(kept);
  std::ofstream(kept) << "no folder";
  EXPECT_EQ(read_all().read, 2U) << "a folder that cannot be written costs only time";
}

TEST(ObjectCache, ManyMayShareAFolder) {
  laboratory lab;
  lab.object(plain, "a.cpp", framework);
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i)
    all.emplace_back([&] {
      for (int k = 0; k < 3; ++k) {
        object::print_cache cache(lab.folder() / "kept");
        const auto read = cache.read(lab.folder() / "a.cpp.o", "a.o");
        EXPECT_TRUE(read) << read.error();
      }
    });
  for (std::thread& one : all) one.join();
}

TEST(ObjectCache, AnObjectThatChangesWhileItIsReadIsNotBelieved) {
  laboratory lab;
  const std::string small = lab.object(plain, "a.cpp", "int a() { return 1; }\n");
  const std::string large = lab.object(plain, "a.cpp", framework);
  const auto file = lab.folder() / "a.cpp.o";
  std::atomic<bool> done = false;
  std::thread writer([&] {
    for (int i = 0; !done; ++i) std::ofstream(file, std::ios::binary) << (i % 2 == 0 ? small : large);
  });
  for (int i = 0; i < 200; ++i) {
    object::print_cache cache(lab.folder() / "kept");
    const auto read = cache.read(file, "a.o");
    EXPECT_TRUE(read || read.error().find("'a.o'") != std::string::npos) << read.error();
  }
  done = true;
  writer.join();
  object::print_cache cache(lab.folder() / "kept"), fresh;
  const auto kept = cache.read(file, "a.o"), read = fresh.read(file, "a.o");
  ASSERT_EQ(kept.has_value(), read.has_value());
  EXPECT_TRUE(!read || write_print(*kept->members[0].print) == write_print(*read->members[0].print));
}

TEST(ObjectNames, SuffixesOfClones) {
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.constprop.0"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.isra.0.cold"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv.part.3.lto_priv.12"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix("counter.3"), "counter.3");
  EXPECT_EQ(object::without_clone_suffix("_Z1fv"), "_Z1fv");
  EXPECT_EQ(object::without_clone_suffix(".cold"), ".cold");
}

// What makes its values is a function that runs before all tests.
TEST_P(ObjectRegistration, AnotherValueIsOfItsInstanceAlone) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string tests =
      "#include <gtest/gtest.h>\nint more(int);\nint calls;\nnamespace testing { int cases(int); }\nstatic int own(int "
      "x) { return x + ++calls; }\nstruct P : "
      "testing::TestWithParam<int> {};\nTEST_P(P, One) {}\n"
      "namespace inner {\nINSTANTIATE_TEST_SUITE_P(Some, P, testing::Values(VALUES));\n}\n";
  const auto instances = [&](const std::string& before, const std::string& after) {
    const object::comparison compared = object::compare(lab.unit(how, {{"a.cpp", replaced(tests, "VALUES", before)}}),
                                                        lab.unit(how, {{"a.cpp", replaced(tests, "VALUES", after)}}));
    std::set<std::string> found;
    for (const object::change& c : compared.changes)
      if (c.symbol.find("_EvalGenerator_") != std::string::npos) found.insert(c.instance);
    return found;
  };
  EXPECT_EQ(instances("1, 2", "1, 3"), std::set<std::string>{"SomeP"});
  EXPECT_EQ(instances("1", "more(1)"), std::set<std::string>{""}) << "code of the project may do anything";
  EXPECT_EQ(instances("more(1)", "1"), std::set<std::string>{""});
  EXPECT_EQ(instances("testing::cases(1)", "testing::cases(2)"), std::set<std::string>{""}) << "a library's, say";
  EXPECT_EQ(instances("own(1)", "own(2)"), std::set<std::string>{""});
  EXPECT_EQ(instances("1", "calls"), std::set<std::string>{""});
}

TEST(Object, WhatGivesValuesNamesItsInstance) {
  using object::instance_of_values;
  EXPECT_EQ(instance_of_values("_ZL31gtest_SomeValues_EvalGenerator_v"), "SomeValues");
  EXPECT_EQ(instance_of_values("_ZN5innerL34gtest_SomeValues_EvalGenerateName_B5cxx11ERKN7testing13TestParamInfoIiEE"),
            "SomeValues");
  EXPECT_EQ(instance_of_values("_ZN12_GLOBAL__N_125gtest_AllR_EvalGenerator_Ev"), "AllR") << "as Clang has it";
  EXPECT_EQ(instance_of_values("_ZL37gtest_gtest_SomeValues_EvalGenerator_v"), "gtest_SomeValues");
  EXPECT_EQ(instance_of_values("_ZZL31gtest_SomeValues_EvalGenerator_vENKUlvE_clEv"), "") << "a lambda in it";
  EXPECT_EQ(instance_of_values("_ZL23gtest_SomeValues_dummy_"), "");
  EXPECT_EQ(instance_of_values("_ZL32gtest_SomeValues_EvalGenerator_v"), "") << "another name";
  EXPECT_EQ(instance_of_values("gtest_SomeValues_EvalGenerator_"), "");
}

TEST(Object, WhatMakesATestOfGoogleTestNamesItsClass) {
  using object::class_made_by_factory;
  const std::string plain_class = "_ZN7testing8internal15TestFactoryImplI10A_one_TestE10CreateTestEv",
                    unnamed = "_ZN7testing8internal15TestFactoryImplIN12_GLOBAL__N_110B_two_TestEE10CreateTestEv",
                    typed = "_ZN7testing8internal15TestFactoryImplI11Q_four_TestISt6vectorIiSaIiEEEE10CreateTestEv",
                    with_parameters = "_ZN7testing8internal24ParameterizedTestFactoryI12P_three_TestE10CreateTestEv",
                    shortened = "_ZN7testing8internal15TestFactoryImplINS_11R_five_TestEE10CreateTestEv";
  EXPECT_EQ(class_made_by_factory(plain_class), "10A_one_Test");
  EXPECT_EQ(class_made_by_factory(unnamed), "12_GLOBAL__N_110B_two_Test");
  EXPECT_EQ(class_made_by_factory(typed), "11Q_four_TestISt6vectorIiSaIiEEE");
  EXPECT_EQ(class_made_by_factory(with_parameters), "12P_three_Test");
  EXPECT_TRUE(class_made_by_factory(shortened).empty());
  EXPECT_TRUE(class_made_by_factory("_ZN7testing8internal15TestFactoryImplI10A_one_TestEC2Ev").empty());
}

}  // namespace
}  // namespace morph::object_tests
