// Object code: what counts as a change and what does not, one trap a test.
#include <fmt/format.h>

#include "coverage/object/compare/referrers.hpp"
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::change_kind;
using object::change_reason;
using object::link_unit;

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
  const auto found = between(unoptimized, program(1, 2), program(1, 3));
  EXPECT_EQ(found.functions, std::set<std::string>{"f"}) << found.text;
  const auto other = between(unoptimized, program(1, 2), program(9, 2));
  EXPECT_TRUE(other.functions.empty()) << other.text;
}

TEST(Object, APaddedConstantIsTheSame) {
  const std::string f = "void out(const char*);\nvoid f() { out(\"abc\"); }\n";
  const auto found = between(unoptimized, f + "double d(double x) { return x * 1.5; }\n", f);
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
  const auto found = between(unoptimized, program(4), program(5));
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
  const auto found = between(unoptimized, program(3), program(9));
  EXPECT_TRUE(found.functions.contains("f")) << found.text;
}

TEST(Object, TheListOfASectionIsThatOfAllObjects) {
  laboratory lab;
  const std::string walk =
      "extern const int __start_plugins[], __stop_plugins[];\n"
      "int f() { int sum = 0; for (auto p = __start_plugins; p != __stop_plugins; ++p) sum += *p; return sum; }\nint "
      "g() { return 1; }\n";
  const std::string entry = "__attribute__((section(\"plugins\"), used)) static const int entry = ";
  const link_unit before = lab.unit(unoptimized, {{"a.cpp", walk}, {"b.cpp", entry + "1;\n"}});
  const link_unit after = lab.unit(unoptimized, {{"a.cpp", walk}, {"b.cpp", entry + "2;\n"}});
  const link_unit more = lab.unit(unoptimized, {{"a.cpp", walk}, {"b.cpp", entry + "1;\n"}, {"c.cpp", entry + "3;\n"}});
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
  const auto found = between(unoptimized, program(3), program(9));
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
  const auto found = between(unoptimized, program(".Ltwo", ".Lthree", ".Lone"), program(".Lthree", ".Lone", ".Ltwo"));
  EXPECT_EQ(found.functions, std::set<std::string>{"f"}) << found.text;
}

// __LINE__ in assert().
TEST(Object, ALineThatMovedIsNoChangeIfTheMapSaysSo) {
  for (const way& how :
       {unoptimized, way{"clang++-19", " -O2"}, way{"clang++-19", " -O0 --target=aarch64-linux-gnu"}}) {
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

// GCC puts functions with arguments of an unnamed namespace into the group of the constructor that alone calls them.
TEST(Object, ALineThatMovedInAFunctionOfTheSameGroupIsNoChange) {
  const std::string code = R"(void fails(const char*, int);
namespace { template <class T> struct al {}; }
template <template <class> class A> struct s {
  template <class T> static int make(int x) {
    if (x > 0) fails(__FILE__, __LINE__);
    return x;
  }
  struct v {
    v(int x) : w(make<A<int>>(x)) {}
    int w;
  };
};
int f(int x) { return s<al>::v(x).w; }
)";
  for (const way& how : {unoptimized, way{"clang++-19", " -O0"}}) {
    if (!is_present(how.compiler)) continue;
    const auto found = between(how, code, "\n\n" + code, moved(1, 2));
    EXPECT_TRUE(found.functions.empty()) << found.text;
    EXPECT_FALSE(between(how, code, "\n\n" + code, moved(1, 3)).functions.empty());
    std::string other = code;
    other.replace(other.find("x > 0"), 5, "x > 1");
    EXPECT_FALSE(between(how, code, other, moved(1, 0)).functions.empty());
  }
}

TEST(Object, ALineThatIsAValueCounts) {
  for (const way& how : {unoptimized, way{"g++", " -O2"}, way{"clang++-19", " -O0"},
                         way{"clang++-19", " -O2 --target=aarch64-linux-gnu"}}) {
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
  const link_unit before = lab.unit(unoptimized, {{"a.cpp", first}, {"b.cpp", second}});
  int copies = 0;
  for (object::unit_atom i = 0; i < before.size(); ++i)
    if (before.is_live(i) && before.name_of(i) == "_Z6sharedv") ++copies;
  EXPECT_EQ(copies, 1);
  EXPECT_TRUE(compare(before, lab.unit(unoptimized, {{"a.cpp", first}, {"b.cpp", third}})).changes.empty());
  const auto found = compare(before, lab.unit(unoptimized, {{"_.cpp", third}, {"a.cpp", first}, {"b.cpp", second}}));
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
  for (const way& how : {unoptimized, way{"g++", " -O2"}, way{"clang++-19", " -O0"}}) {
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
      compare(lab.unit(unoptimized, {{"a.cpp", "static const char* const names[] = {\"a\", \"b\"};\n" + code}}),
              lab.unit(unoptimized, {{"a.cpp", "static const char* const names[] = {\"a\", \"c\"};\n" + code}}))
          .changes;
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes[0].reason, change_reason::data);
  EXPECT_EQ(changes[0].detail, "names");
}

TEST(Object, WhatOnlyWentIsNoChangeButInALibrary) {
  laboratory lab;
  const std::string f = "int f() { return 1; }\n";
  const sources before{{"a.cpp", f + "int gone() { return 2; }\n"}}, after{{"a.cpp", f}};
  const auto program = compare(lab.unit(unoptimized, before), lab.unit(unoptimized, after));
  EXPECT_TRUE(program.changes.empty());
  ASSERT_EQ(program.normalized.size(), 1U);
  EXPECT_EQ(program.normalized[0].rule, object::normal_rule::gone);
  object::link_options shared;
  shared.shared = true;
  const auto library = compare(lab.unit(unoptimized, before, "", shared), lab.unit(unoptimized, after, "", shared));
  ASSERT_EQ(library.changes.size(), 1U);
  EXPECT_EQ(library.changes[0].reason, change_reason::gone);
}

TEST(Object, ANewOperatorNewIsForAll) {
  const std::string f = "int f() { return 1; }\n";
  EXPECT_TRUE(between(unoptimized, f, f + "void* operator new(decltype(sizeof 0)) { return nullptr; }\n").everything);
  const auto placed = between(unoptimized, f, f + "#include <new>\nint* g(void* at) { return new (at) int(3); }\n");
  EXPECT_FALSE(placed.everything) << placed.text;
}

TEST(Object, ReferrersStandForWhatCoverageCannotSee) {
  laboratory lab;
  const std::string classes = "struct B { virtual ~B() {} virtual int cost(int x) { return x; } };\n";
  const std::string use =
      "int call(B&);\nint t1() { D d; return call(d); }\nint t2() { B b; return call(b); }\nint main() { return t1() + "
      "t2(); }\n";
  const link_unit before = lab.unit(unoptimized, {{"a.cpp", classes + "struct D : B {};\n" + use}});
  const link_unit after =
      lab.unit(unoptimized, {{"a.cpp", classes + "struct D : B { int cost(int) override { return 1; } };\n" + use}});
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

}  // namespace
}  // namespace morph::object_tests
