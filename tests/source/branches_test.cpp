// Where small sources branch, and what each branch and call depends on, worked out by hand.
//
// A site is written as `kind text < 0:1 2:0`: its kind, its text, and the outcomes of earlier sites that lead to it.
#include "coverage/source/branches/branches.hpp"

#include <clang/AST/ASTContext.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "coverage/source/clang/parse.hpp"

namespace morph::source {
namespace {

using lines = std::vector<std::string>;

struct read_text {
  std::string text;
  std::vector<parse_error> errors;
  std::vector<function_branches> functions;
  std::vector<branch_class> classes{};

  std::string at(byte_range where) const { return text.substr(where.begin, where.end - where.begin); }
  /// The two characters before an offset.
  std::string before(std::uint32_t offset) const { return text.substr(offset - 2, 2); }

  const function_branches& function(const std::string& name) const {
    const auto found = std::ranges::find(functions, name, &function_branches::name);
    if (found != functions.end()) return *found;
    ADD_FAILURE() << "no function " << name;
    for (const function_branches& each : functions) ADD_FAILURE() << "there is " << each.name;
    static const function_branches none;
    return none;
  }
};

read_text read_source_text(const std::string& text, const char* standard = "-std=c++17") {
  const std::string folder = std::filesystem::path(testing::TempDir()).parent_path().string();
  const std::string path =
      folder + "/" + testing::UnitTest::GetInstance()->current_test_info()->name() + std::string(".cpp");
  std::ofstream(path) << text;
  read_text made{text, {}, {}};
  const auto result = parse({folder, path, {"c++", standard, path}}, {"/nowhere", {"/nowhere"}}, {},
                            [&](clang::ASTContext& context, const std::vector<parse_error>& errors) {
                              auto files = read_branches(context, {folder, {}}, errors);
                              EXPECT_LE(files.size(), 1U);
                              if (!files.empty()) made.functions = std::move(files.begin()->second);
                              made.classes = read_classes(context, {folder, {}});
                            });
  made.errors = result.errors;
  std::filesystem::remove(path);
  return made;
}

/// Of a source without errors.
read_text read(const std::string& text, const char* standard = "-std=c++17") {
  read_text made = read_source_text(text, standard);
  for (const parse_error& error : made.errors) ADD_FAILURE() << error.line << ": " << error.text;
  return made;
}

std::string named(const std::vector<branch>& branches) {
  std::string made;
  for (const branch& each : branches) made += ' ' + std::to_string(each.site) + ':' + std::to_string(each.outcome);
  return made;
}

lines sites_of(const function_branches& function) {
  constexpr std::array kinds{"compare", "text", "truth", "switch", "loop", "declared", "unseen"};
  lines made;
  for (const branch_site& each : function.sites)
    made.push_back(std::string(kinds.at(static_cast<std::size_t>(each.kind))) + ' ' + each.text +
                   (each.under.empty() ? "" : " <" + named(each.under)));
  return made;
}

/// The sites of the only function that the source defines.
lines sites_in(const std::string& text, const char* standard = "-std=c++17") {
  const read_text found = read(text, standard);
  EXPECT_EQ(found.functions.size(), 1U);
  return found.functions.empty() ? lines{} : sites_of(found.functions.front());
}

TEST(Branches, OfAShortCircuitAreTwo) {
  EXPECT_EQ(sites_in("int f(int a, int b) { if (a > 0 && b) return 1; if (a || b < 2) return 2; return 3; }"),
            (lines{"compare a > 0", "truth b < 0:1", "truth a < 0:0 1:0", "compare b < 2 < 2:0"}));
}

TEST(Branches, OfAShortCircuitAreTwoWithTemporariesInIt) {
  EXPECT_EQ(
      sites_in("struct S { S(); ~S(); operator bool(); }; S s(); int f(int a) { if (a && s()) return 1; return 2; }"),
      (lines{"truth a", "truth s() < 0:1"}));
}

TEST(Branches, OutsideOfConditionsAreLeftOperands) {
  EXPECT_EQ(sites_in("bool f(int a, int b) { bool c = a && b; return c || b > 3; }"), (lines{"truth a", "truth c"}));
}

TEST(Branches, OfNestedIfsDependOnTheNearest) {
  EXPECT_EQ(sites_in("void g(); void f(int a, int b, int c) { if (a) { if (b) g(); else if (c) g(); } if (c) g(); }"),
            (lines{"truth a", "truth b < 0:1", "truth c < 1:0", "truth c"}));
}

TEST(Branches, BehindAnEarlyReturnDependOnIt) {
  EXPECT_EQ(sites_in("int f(int a, int b) { if (a) { if (b) return 1; } if (b) return 2; return 3; }"),
            (lines{"truth a", "truth b < 0:1", "truth b < 0:0 1:0"}));
}

TEST(Branches, BehindAThrowDependOnIt) {
  EXPECT_EQ(sites_in("int f(int a, int b) { if (a) throw 1; if (b) return 2; return 3; }"),
            (lines{"truth a", "truth b < 0:0"}));
}

TEST(Branches, OfLoopsDoNotDependOnTheirOwnBodies) {
  EXPECT_EQ(
      sites_in(
          "void f(int a, int b) { while (a) { if (b) break; --a; } for (int i = 0; i < b; ++i) if (i == a) ++a; }"),
      (lines{"truth a", "truth b < 0:1", "compare i < b", "compare i == a < 2:1"}));
}

TEST(Branches, InABodyThatRunsOnceAtLeastDoNotDependOnItsEnd) {
  EXPECT_EQ(sites_in("void f(int a, int b) { if (b) do { if (a == 7) ++b; } while (a > 0); }"),
            (lines{"truth b", "compare a == 7 < 0:1", "compare a > 0 < 0:1"}));
}

TEST(Branches, AtTheEndOfDoAreTheWholeCondition) {
  EXPECT_EQ(sites_in("void f(int a, int b) { do { --a; } while (a && b > 3); }"),
            (lines{"truth a", "truth a && b > 3"}));
}

TEST(Branches, InAnEndlessLoopDependOnEachOther) {
  EXPECT_EQ(
      sites_in(
          "void g(); void f(int& a) { for (;;) { if (a > 1) { if (a > 2) g(); } while (true) { if (a) break; } } }"),
      (lines{"compare a > 1", "compare a > 2 < 0:1", "truth a"}));
}

TEST(Branches, OfASwitchAreItsCases) {
  const read_text found = read(
      "void g(); int f(int a, int b) { switch (a) { case 2: g(); case 3: if (b) g(); break; case -1: return 4; "
      "default: "
      "if (b > 1) g(); } if (b > 2) g(); return 5; }");
  const function_branches& f = found.function("f(int, int)");
  EXPECT_EQ(sites_of(f),
            (lines{"switch a", "truth b < 0:0 0:1", "compare b > 1 < 0:3", "compare b > 2 < 0:0 0:1 0:3"}));
  using cases = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(f.sites[0].cases, (cases{{"2", "2"}, {"3", "3"}, {"-1", "-1"}}));
  EXPECT_TRUE(f.sites[0].has_default);
}

TEST(Branches, OfASwitchOverAllEnumeratorsLeaveOutTheRest) {
  const read_text found =
      read("enum class E { x, y }; int f(E e) { switch (e) { case E::x: return 1; case E::y: ; } return 2; }");
  const branch_site& choice = found.function("f(E)").sites.at(0);
  EXPECT_EQ(choice.never, (std::vector<std::size_t>{2}));
  EXPECT_EQ(named(found.function("f(E)").entry), " 0:0 0:1");
  EXPECT_EQ(choice.cases[1].second, "E::y");
  EXPECT_FALSE(choice.has_default);
}

TEST(Branches, OfASwitchWithARangeAreUnseen) {
  EXPECT_EQ(sites_in("int f(int a) { switch (a) { case 1 ... 3: return 1; } return 2; }"), (lines{"unseen a"}));
}

TEST(Branches, OfAConditionalOperatorAreItsCondition) {
  EXPECT_EQ(sites_in("int f(int a, int b) { return a > 1 ? b ? 1 : 2 : a; }"),
            (lines{"compare a > 1", "truth b < 0:1"}));
  EXPECT_EQ(sites_in("int f(int a) { return a ?: 2; }"), (lines{"unseen a ?: 2"}));
}

TEST(Branches, OfALambdaAreItsOwn) {
  const read_text found =
      read("struct S { int m(int a) { auto l = [&](int b) { return b > a ? 1 : 2; }; return a ? l(3) : 4; } };");
  ASSERT_EQ(found.functions.size(), 2U);
  EXPECT_EQ(sites_of(found.functions[0]), (lines{"truth a"}));
  EXPECT_EQ(sites_of(found.functions[1]), (lines{"compare b > a"}));
  EXPECT_EQ(found.functions[1].in_class, "S");
  EXPECT_EQ(found.at(found.functions[1].range), "[&](int b) { return b > a ? 1 : 2; }");
  EXPECT_EQ(found.before(found.functions[1].body), " {");
  EXPECT_FALSE(found.functions[1].is_constexpr);
}

TEST(Branches, OfATemplateAreThoseOfItsPattern) {
  const read_text found = read(
      "template <class T> struct S { int m(T t, int n) const { for (auto e : t) { if (e == n) return 1; } if (n > 2) "
      "return 2; if constexpr (sizeof(T) > 4 && sizeof(T) < 9) { if (t) return 3; } else if (n) return 4; return 5; } "
      "};\n"
      "struct L { int* begin(); int* end(); operator bool(); }; int use() { return S<L>().m(L(), 1); }");
  const function_branches& m = found.function("S::m(T, int) const");
  EXPECT_EQ(sites_of(m), (lines{"loop for (auto e : t)", "truth e == n < 0:1", "compare n > 2 < 0:0", "truth t < 2:0",
                                "truth n < 2:0"}));
  EXPECT_TRUE(m.is_template);
  EXPECT_EQ(m.in_class, "S");
  EXPECT_FALSE(found.function("use()").is_template);
  EXPECT_EQ(found.function("use()").calls.at(0).callee, m.name);
}

TEST(Branches, OfAConstructorAreAmongItsInitializersToo) {
  const read_text found = read(
      "struct B { B(int); }; struct S : B { int x = 3 > 2 ? 1 : 2; int y; S(int a) : B(a ? 1 : 2), y(0) { if (a > y) y "
      "= 3; } };");
  const function_branches& made = found.function("S::S(int)");
  EXPECT_EQ(sites_of(made), (lines{"truth a", "compare a > y"}));
  EXPECT_EQ(made.in_class, "S");
  EXPECT_EQ(found.text.substr(made.body, 4), " if ");
}

TEST(Branches, OfMacrosAreSeenIfTheyAreWhole) {
  const read_text found = read(
      "#define MAX (3 + 1)\n#define SMALL(x) ((x) < MAX)\n#define BOTH(a, b) a && b\n#define IF(c) if (c)\n#define "
      "LESS <\n"
      "int f(int a) { if (a == MAX) return 1; if (SMALL(a)) return 2; if (BOTH(a, a)) return 3; IF(a > 7) return 4; "
      "return a LESS 3 ? 5 : 6; }");
  const function_branches& f = found.function("f(int)");
  EXPECT_EQ(sites_of(f), (lines{"compare a == MAX", "truth SMALL(a) < 0:0", "unseen BOTH(a, a) < 1:0",
                                "unseen BOTH(a, a) < 2:1", "unseen IF(a > 7) < 2:0 3:0", "truth a LESS 3 < 4:0"}));
  EXPECT_EQ(found.at(f.sites[0].right), "MAX");
}

TEST(Branches, OfABodyFromAMacroAreUnseen) {
  const read_text found = read("#define BODY { return a ? 1 : 2; }\nint f(int a) BODY\nint g(int a) { return a; }");
  EXPECT_EQ(sites_of(found.function("f(int)")), (lines{"unseen BODY"}));
  EXPECT_EQ(found.function("f(int)").body, 0U);
  EXPECT_NE(found.function("g(int)").body, 0U);
}

TEST(Branches, OfLinesOfPreprocessingAreUnseen) {
  EXPECT_EQ(sites_in("int f(int a) {\n  if (a ==\n#if 1\n      3\n#endif\n  ) return 1;\n  return 2; }"),
            (lines{"unseen a == #if 1 3"}));
}

TEST(Branches, OfDeclaredConditionsAreSeenInTheirBlocks) {
  const read_text found = read(
      "int g(); int f() { if (int a = g()) { return a; } else { g(); } if (int b = g()) { return b; } if (int c = g()) "
      "return c; while (int d = g()) { if (d) g(); } return 1; }");
  const function_branches& f = found.function("f()");
  EXPECT_EQ(sites_of(f), (lines{"declared int a = g()", "declared int b = g() < 0:0", "unseen int c = g() < 1:0",
                                "unseen int d = g() < 2:0", "truth d < 3:1"}));
  EXPECT_EQ(found.text.substr(f.sites[0].then, 10), " return a;");
  EXPECT_EQ(found.text.substr(f.sites[0].otherwise, 5), " g();");
  EXPECT_EQ(f.sites[1].otherwise, 0U);
}

TEST(Branches, OfHeadsFromMacrosAreSeenInTheirBlocks) {
  EXPECT_EQ(
      sites_in("#define EACH(x, in) for (int x : in)\n#define SOME(x, y) if (int x = y)\nint f(const int (&v)[3]) { "
               "EACH(i, v) { SOME(a, i) { return a; } } return 0; }"),
      (lines{"loop EACH(i, v)", "declared SOME(a, i) < 0:1"}));
}

TEST(Branches, OfARangeAreSeenInABodyWithBraces) {
  const read_text found =
      read("int f(const int (&v)[3]) { for (int i : v) { if (i) return i; } for (int i : v) return i; return 0; }");
  const function_branches& f = found.functions.at(0);
  EXPECT_EQ(sites_of(f), (lines{"loop for (int i : v)", "truth i < 0:1", "unseen for (int i : v) < 0:0"}));
  EXPECT_EQ(found.text.substr(f.sites[0].body, 4), " if ");
}

TEST(Branches, ThatTheCompilerDecidesAreNone) {
  const read_text found = read(
      "constexpr int n = 3; constexpr int f(int a) { constexpr bool b = n > 2 && n < 9 ? true : false; static_assert(n "
      "> "
      "1 || b); if constexpr (n > 4 && n < 7) { if (a) return 1; } if (n > 2) return 2; int c[n > 3 ? 4 : 5] = {}; "
      "return "
      "a > 1 ? c[0] : 4; } consteval int g(int a) { return a ? 1 : 2; }",
      "-std=c++20");
  ASSERT_EQ(found.functions.size(), 1U);
  EXPECT_TRUE(found.functions[0].is_constexpr);
  EXPECT_EQ(sites_of(found.functions[0]), lines{});  // what is behind `if (n > 2) return` is never reached
}

TEST(Branches, OfWhatMayBeAConstantInATemplateAreNone) {
  EXPECT_EQ(
      sites_in(
          "template <class T> int f(int a) { const int n = sizeof(T) > 4 ? 1 : 2; const int m = a ? 1 : 2; int b[n] "
          "= {}; return b[0] + m; }"),
      (lines{"truth a"}));
}

TEST(Branches, OfAHandlerDependOnNothingOutside) {
  EXPECT_EQ(sites_in("void g(); int f(int a) { if (a) { try { g(); if (a > 1) g(); } catch (int i) { if (i) { if (i > "
                     "2) g(); } } } return "
                     "1; }"),
            (lines{"truth a", "compare a > 1 < 0:1", "truth i", "compare i > 2 < 2:1"}));
}

TEST(Branches, OfAHandlerDoNotDependOnOneOfItsThrows) {
  EXPECT_EQ(
      sites_in(
          "void g(); int f(int a) { try { g(); if (a > 1) throw 1; } catch (...) { if (a > 2) g(); } if (a > 3) g(); "
          "return 1; }"),
      (lines{"compare a > 1", "compare a > 2", "compare a > 3"}));
  EXPECT_EQ(sites_in("void g(); void f(int a) { try { g(); if (a > 1) throw 1; } catch (int i) { if (i) g(); } }"),
            (lines{"compare a > 1", "truth i"}));
}

TEST(Branches, OfAFunctionTryBlockHaveNoPlaceForAStatement) {
  const read_text found = read("int f(int a) try { return a ? 1 : 2; } catch (int i) { return i > 1 ? 3 : 4; }");
  EXPECT_EQ(sites_of(found.functions.at(0)), (lines{"truth a", "compare i > 1"}));
  EXPECT_EQ(found.functions[0].body, 0U);
}

TEST(Branches, UnderANegationKeepTheDistance) {
  const read_text found = read("void g(); void f(int a, bool b) { if (!(a < 3)) { if (b) g(); } if (!b) g(); }");
  const function_branches& f = found.function("f(int, bool)");
  EXPECT_EQ(sites_of(f), (lines{"compare a < 3", "truth b < 0:0", "truth !b"}));
  EXPECT_EQ(named(f.calls.at(1).under), " 2:1");
}

TEST(Branches, ThatCompareNumbersSayWhereTheirPartsStand) {
  const read_text found = read(
      "enum E { x, y }; struct W { operator int(); }; void f(E e, W w, char c, int* p) { if ((e) != x) ; if (w < 3) ; "
      "if (c >= '0') ; if (p == nullptr) ; }");
  const function_branches& f = found.functions.at(0);
  EXPECT_EQ(sites_of(f), (lines{"compare (e) != x", "truth w < 3", "compare c >= '0'", "truth p == nullptr"}));
  EXPECT_EQ(found.at(f.sites[0].left) + '|' + found.at(f.sites[0].op_range) + '|' + found.at(f.sites[0].right),
            "(e)|!=|x");
  EXPECT_EQ(f.sites[0].op, "!=");
}

TEST(Branches, ThatCompareTextsSayWhatTheirOperandsAre) {
  for (const char* standard : {"-std=c++17", "-std=c++20"}) {
    const read_text found = read(
        "#include <string>\n#include <string_view>\nvoid f(const std::string& s, std::string_view v, const char* p) "
        "{ if (s == \"x\") ; if (p != s) ; if (v == s) ; if (s < v) ; if (s.substr(1) == p && p) ; }",
        standard);
    const function_branches& f = found.functions.at(0);
    EXPECT_EQ(sites_of(f), (lines{"text s == \"x\"", "text p != s", "text v == s", "truth s < v",
                                  "text s.substr(1) == p", "truth p < 4:1"}));
    EXPECT_EQ(f.sites[1].left_kind, operand_kind::pointer);
    EXPECT_EQ(f.sites[1].right_kind, operand_kind::string);
    EXPECT_EQ(f.sites[2].left_kind, operand_kind::view);
    EXPECT_EQ(f.sites[1].op, "!=");
    EXPECT_EQ(found.at(f.sites[1].left) + found.at(f.sites[1].op_range) + found.at(f.sites[1].right), "p!=s");
  }
}

TEST(Branches, LeadToCallsAndCallsFollowThem) {
  const read_text found = read(
      "struct C { C(int); void m(int) const; }; void h(); [[noreturn]] void end();\n"
      "void f(int a, int b) { if (a) h(); if (b) { C c(1); c.m(a > 3 ? 1 : 2); } if (a > 9) end(); h(); }");
  const auto& calls = found.function("f(int, int)").calls;
  lines made;
  for (const branch_call& each : calls)
    made.push_back(each.callee + " <" + named(each.under) + " >" + named(each.follows));
  EXPECT_EQ(made, (lines{"h() < 0:1 > 0:1", "C::C(int) < 1:1 > 1:1", "C::m(int) const < 1:1 > 1:1 2:0 2:1",
                         "end() < 3:1 >", "h() < 3:0 > 0:0 0:1 1:0 1:1 2:0 2:1 3:0"}));
  EXPECT_EQ(calls.at(1).callee_class, "C");
  EXPECT_EQ(calls.at(1).line, 2U);
}

TEST(Branches, AreFollowedByACallAlthoughSomethingMayBeThrown) {
  const read_text found = read("void h(); void f(int a, int b) { while (a) { if (b) throw 1; --a; } h(); }");
  EXPECT_EQ(named(found.function("f(int, int)").calls.at(0).follows), " 0:0 0:1 1:0");
}

TEST(Branches, CallsNameTheFunctionAsItsDefinitionIsNamed) {
  const read_text found = read("int g(int); int f() { return g(1); } int g(const int x) { return x; }");
  EXPECT_EQ(found.function("f()").calls.at(0).callee, "g(int)");
  EXPECT_EQ(found.functions.at(1).name, "g(int)");
}

TEST(Branches, ThatCanFollowTheEntryLeaveOutHandlers) {
  const read_text found = read("void g(); void f(int a) { try { if (a) g(); } catch (...) { if (a > 1) g(); } }");
  EXPECT_EQ(named(found.functions.at(0).entry), " 0:0 0:1");
}

TEST(Branches, CallsSayWhatTheyAreCalledOn) {
  const read_text found = read(
      "struct B { virtual void v(); void m(); ~B() {} }; struct D : B { void v() override; };\n"
      "void f(D& d, D* p, int a) { d.m(); d.v(); p->B::v(); if (a) { B b; } delete p; }");
  lines made;
  for (const branch_call& each : found.function("f(D &, D *, int)").calls)
    made.push_back(each.callee + (each.receiver.empty() ? "" : " on " + each.receiver) +
                   (each.is_virtual ? " virtual" : "") + (each.is_always ? " always" : ""));
  EXPECT_EQ(made, (lines{"B::m() on D always", "D::v() on D virtual always", "B::v() on D always", "B::~B()"}));
}

TEST(Branches, OfHandlersAreNeverAlwaysTaken) {
  const read_text found = read("void g(); void h(); void f() { try { g(); } catch (...) { h(); } }");
  const auto& calls = found.function("f()").calls;
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_TRUE(calls[0].is_always);
  EXPECT_TRUE(calls[1].under.empty());
  EXPECT_FALSE(calls[1].is_always);
}

TEST(Branches, OfAFunctionThatClangRejectsAreNone) {
  const read_text found =
      read_source_text("int f(int a) { if (a) return missing; return a ? 1 : 2; }\nint g(int a) { return a ? 1 : 2; }");
  EXPECT_EQ(found.errors.size(), 1U);
  EXPECT_TRUE(found.function("f(int)").is_rejected);
  EXPECT_EQ(found.function("f(int)").sites.size(), 0U);
  EXPECT_EQ(found.function("g(int)").sites.size(), 1U);
}

TEST(Branches, AreWrittenAsJson) {
  const read_text found = read("void g(); void f(int a) { if (a < 3) g(); }");
  auto written = to_json(file_branches{{"a.cpp", found.functions}});
  written[0]["functions"][0]["calls"][0].erase("callee_file");
  EXPECT_EQ(written, nlohmann::json::parse(R"~([{"path": "a.cpp", "functions": [{
    "name": "f(int)", "class": "", "line": 1, "end_line": 1, "begin": 10, "end": 43, "body": 25,
    "constexpr": false, "template": false, "entry": [[0, 0], [0, 1]],
    "sites": [{"kind": "compare", "line": 1, "begin": 30, "end": 35, "text": "a < 3", "under": [],
               "op": "<", "left": [30, 31], "right": [34, 35], "operator": [32, 33],
               "code": {"part_of": "if", "statement": 0, "end_line": 1}}],
    "calls": [{"begin": 37, "line": 1, "callee": "g()", "callee_class": "",
               "under": [[0, 1]], "follows": [[0, 1]]}]}]}])~"));
}

TEST(BranchClasses, AreWrittenAsJsonWithBasesAndWhatTheyOverride) {
  const read_text found = read(
      "namespace n { template <class T> struct B { virtual ~B(); virtual void v(T) const; virtual void w(); void m(); "
      "}; }\nstruct M {}; struct D : n::B<int>, M { ~D() override; void v(int) const override; void m(); };");
  EXPECT_EQ(to_json(found.classes), nlohmann::json::parse(R"~([
    {"name": "n::B", "bases": [], "overrides": []},
    {"name": "M", "bases": [], "overrides": []},
    {"name": "D", "bases": ["n::B", "M"], "overrides": [["D::v(int) const", "n::B::v(T) const"]]}])~"));
}

}  // namespace
}  // namespace morph::source
