// The kinds of change, by what people write.
#include "tests/unit/object/object_kinds.hpp"

namespace morph::object_tests {

std::vector<kind> kinds() {
  const std::string base = "struct B { virtual ~B() {} virtual int cost(int x) { return x; } };\n";
  const std::string callers =
      "int call(B& b);\n"
      "KEEP int t1() { D d; return call(d); }\nKEEP int t2() { E e; return call(e); }\n";
  const std::string two = "KEEP int t1() { return f(); }\nKEEP int t2() { return g(); }\n";
  const std::string g = "KEEP int g() { return 5; }\n";
  const std::set<std::string> t2{"t2()", "g()", "E::E()", "B::cost(int)"};
  std::vector<kind> all{
      {"NewOverride",
       base + "struct D : B {}; struct E : B {};\n" + callers,
       base + "struct D : B { int cost(int x) override { return 2 * x; } }; struct E : B {};\n" + callers,
       {"D::D()", "t1()"},
       t2},
      {"DeletedOverride",
       base + "struct D : B { int cost(int x) override { return 2 * x; } }; struct E : B {};\n" + callers,
       base + "struct D : B {}; struct E : B {};\n" + callers,
       {"D::D()", "t1()"},
       t2},
      {"BetterOverload",
       "inline int h(double d) { return (int)d + 1; }\n" + g + "KEEP int f() { return h(3); }\n" + two,
       "inline int h(double d) { return (int)d + 1; }\ninline int h(int i) { return i + 100; }\n" + g +
           "KEEP int f() { return h(3); }\n" + two,
       {"f()"},
       t2},
      {"Constexpr",
       "constexpr int limit = 10;\n" + g + "KEEP int f() { return limit * 2; }\n" + two,
       "constexpr int limit = 11;\n" + g + "KEEP int f() { return limit * 2; }\n" + two,
       {"f()"},
       t2},
      {"Macro",
       "#define SCALE 3\n" + g + "KEEP int f() { return SCALE * 2; }\n" + two,
       "#define SCALE 4\n" + g + "KEEP int f() { return SCALE * 2; }\n" + two,
       {"f()"},
       t2},
      {"DefaultArgument",
       "KEEP int h(int a, int b = 1) { return a + b; }\n" + g + "KEEP int f() { return h(1); }\n" + two,
       "KEEP int h(int a, int b = 7) { return a + b; }\n" + g + "KEEP int f() { return h(1); }\n" + two,
       {"f()"},
       t2},
      {"Enumerator",
       "enum color { red = 1, blue = 2 };\n" + g + "KEEP int f() { return blue; }\n" + two,
       "enum color { red = 1, blue = 9 };\n" + g + "KEEP int f() { return blue; }\n" + two,
       {"f()"},
       t2},
      {"Specialization",
       "template <class T> struct trait { static int v() { return 1; } };\n" + g +
           "KEEP int f() { return trait<int>::v(); }\n" + two,
       "template <class T> struct trait { static int v() { return 1; } };\n"
       "template <> struct trait<int> { static int v() { return 42; } };\n" +
           g + "KEEP int f() { return trait<int>::v(); }\n" + two,
       {"f()", "trait<int>::v()"},
       t2},
      {"Layout",
       "struct S { int a = 1; int b = 2; };\nKEEP int sum(S& s) { return s.b; }\n" + g +
           "KEEP int f() { S s; return sum(s); }\n" + two,
       "struct S { int a = 1; long pad[3]; int b = 2; };\nKEEP int sum(S& s) { return s.b; }\n" + g +
           "KEEP int f() { S s; return sum(s); }\n" + two,
       {"sum(S&)", "f()"},
       t2},
      {"Alias",
       "typedef unsigned char count;\n" + g + "KEEP int f() { count c = 255; c++; return c; }\n" + two,
       "typedef unsigned short count;\n" + g + "KEEP int f() { count c = 255; c++; return c; }\n" + two,
       {"f()"},
       t2},
      {"BaseClass",
       "struct I { virtual ~I() {} }; struct B { virtual ~B() {} }; struct D : B {}; struct E : B {};\n"
       "KEEP int is(B* b) { return dynamic_cast<I*>(b) != nullptr; }\n"
       "KEEP int t1() { D d; return is(&d); }\nKEEP int t2() { E e; return is(&e); }\n",
       "struct I { virtual ~I() {} }; struct B { virtual ~B() {} }; struct D : B, I {}; struct E : B {};\n"
       "KEEP int is(B* b) { return dynamic_cast<I*>(b) != nullptr; }\n"
       "KEEP int t1() { D d; return is(&d); }\nKEEP int t2() { E e; return is(&e); }\n",
       {"D::D()", "t1()"},
       {"t2()", "E::E()", "is(B*)"}},
      {"CatchType",
       "struct A {}; struct X : A {};\nKEEP int f() { try { throw X(); } catch (A&) { return 1; } catch (...) { return "
       "2; } }\n" +
           g + two,
       "struct A {}; struct X {};\nKEEP int f() { try { throw X(); } catch (A&) { return 1; } catch (...) { return 2; "
       "} }\n" +
           g + two,
       {"f()"},
       t2},
      {"Catches",
       "struct A {}; struct X {};\nKEEP int h(int x) { if (x) throw X(); return x; }\n"
       "KEEP int f() { try { return h(1); } catch (A&) { return 1; } }\n" +
           g + two,
       "struct A {}; struct X {};\nKEEP int h(int x) { if (x) throw X(); return x; }\n"
       "KEEP int f() { try { return h(1); } catch (X&) { return 1; } }\n" +
           g + two,
       {"f()"},
       {"t2()", "g()", "h(int)"}},
      {"Noexcept",
       "void thrower(int);\ninline void w(int x) { thrower(x); }\nKEEP int f() { try { w(1); } catch (...) { return 1; "
       "} return 0; }\n" +
           g + two,
       "void thrower(int);\ninline void w(int x) noexcept { thrower(x); }\n"
       "KEEP int f() { try { w(1); } catch (...) { return 1; } return 0; }\n" +
           g + two,
       {"w(int)", "f()"},
       t2},
      {"Conversion",
       "struct W { int v; W(int x) : v(x) {} };\ninline int h(W w) { return w.v; }\ninline int h(long l) { return 10 * "
       "l; }\n"
       "KEEP int f() { return h(W(1)) + h('c' + 0L); }\n" +
           g + two,
       "struct W { int v; W(int x) : v(x) {} };\ninline int h(W w) { return w.v; }\ninline int h(long l) { return 10 * "
       "l; }\n"
       "inline long operator+(W, long) { return 3; }\nKEEP int f() { return h(W(1)) + h(W('c') + 0L); }\n" +
           g + two,
       {"f()"},
       t2},
      {"Table",
       "static const int table[4] = {1, 2, 3, 4};\nKEEP int f(int i) { return table[i]; }\n" + g +
           "KEEP int t1(int i) { return f(i); }\nKEEP int t2() { return g(); }\n",
       "static const int table[4] = {1, 20, 3, 4};\nKEEP int f(int i) { return table[i]; }\n" + g +
           "KEEP int t1(int i) { return f(i); }\nKEEP int t2() { return g(); }\n",
       {"f(int)"},
       t2},
      {"TextInTable",
       "static const char* const names[] = {\"zero\", \"one\"};\nKEEP const char* f(int i) { return names[i]; }\n" + g +
           "KEEP int t1(int i) { return f(i)[0]; }\nKEEP int t2() { return g(); }\n",
       "static const char* const names[] = {\"zero\", \"uno\"};\nKEEP const char* f(int i) { return names[i]; }\n" + g +
           "KEEP int t1(int i) { return f(i)[0]; }\nKEEP int t2() { return g(); }\n",
       {"f(int)"},
       t2},
      {"TextsSwapped",
       "void out(const char*, const char*);\nKEEP int f() { out(\"left\", \"right\"); return 1; }\n" + g + two,
       "void out(const char*, const char*);\nKEEP int f() { out(\"right\", \"left\"); return 1; }\n" + g + two,
       {"f()"},
       t2},
      {"SwitchCases",
       "KEEP int g();\nKEEP int f(int i) { switch (i) { case 0: return 3; case 1: return 8; case 2: return g() * 2; "
       "case 3: return 77;"
       " case 4: return g() + 9; case 5: return 12; case 6: return 1; } return 0; }\n" +
           g + "KEEP int t2() { return g(); }\n",
       "KEEP int g();\nKEEP int f(int i) { switch (i) { case 0: return 3; case 2: return 8; case 1: return g() * 2; "
       "case 3: return 77;"
       " case 4: return g() + 9; case 5: return 12; case 6: return 1; } return 0; }\n" +
           g + "KEEP int t2() { return g(); }\n",
       {"f(int)"},
       t2},
      {"InlineVariable",
       "inline int shared = 4;\nKEEP int f() { return shared; }\n" + g + two,
       "inline int shared = 5;\nKEEP int f() { return shared; }\n" + g + two,
       {"f()"},
       t2},
      {"DynamicInitializer",
       "int make(int);\nint global = make(3);\nKEEP int f() { return global; }\n" + g + two,
       "int make(int);\nint global = make(4);\nKEEP int f() { return global; }\n" + g + two,
       {},
       t2,
       true},
      {"Constructor",
       "int state; __attribute__((constructor)) void start() { state = 1; }\nKEEP int f() { return state; }\n" + g +
           two,
       "int state; __attribute__((constructor)) void start() { state = 2; }\nKEEP int f() { return state; }\n" + g +
           two,
       {"start()"},
       t2},
  };
  kind weak{"WeakOverridden",
            "__attribute__((weak)) int hook() { return 1; }\nKEEP int f() { return hook(); }\n" + g + two,
            "__attribute__((weak)) int hook() { return 1; }\nKEEP int f() { return hook(); }\n" + g + two,
            {"hook()"},
            t2};
  weak.more_before = {{"other.cpp", "int unused() { return 0; }\n"}};
  weak.more_after = {{"other.cpp", "int unused() { return 0; }\nint hook() { return 2; }\n"}};
  all.push_back(weak);
  kind provided{"DefinedInsteadOfLibrary",
                "int hook();\nKEEP int f() { return hook(); }\n" + g + two,
                "int hook();\nKEEP int f() { return hook(); }\n" + g + two,
                {"f()"},
                t2};
  provided.more_before = {{"other.cpp", "int unused() { return 0; }\n"}};
  provided.more_after = {{"other.cpp", "int hook() { return 2; }\n"}};
  all.push_back(provided);
  kind plugged{"NewInitializer",
               "int r;\nKEEP int f() { return r; }\n" + g + two,
               "int r;\nKEEP int f() { return r; }\n" + g + two,
               {},
               t2,
               true};
  plugged.more_after = {{"plugin.cpp", "extern int r;\nint made();\nstatic int registered = (r = made());\n"}};
  all.push_back(plugged);
  kind flag{"CompileFlag",
            "KEEP int f() { return MODE; }\n" + g + two,
            "KEEP int f() { return MODE; }\n" + g + two,
            {"f()"},
            t2};
  flag.flags_before = "-DMODE=1";
  flag.flags_after = "-DMODE=2";
  all.push_back(flag);
  const std::string plain = "KEEP int f() {\n  return 1;\n}\n";
  all.push_back({"Comment",
                 plain + g + two,
                 "// a comment\nKEEP int f()\n{ /* x */ return 1; }\n" + g + two,
                 {},
                 {"f()", "t1()", "t2()", "g()"}});
  all.push_back({"Reordered", plain + g + two, g + plain + two, {}, {"f()", "t1()", "t2()", "g()"}});
  all.push_back(
      {"Inserted",
       "void out(const char*);\nKEEP int f() { static int calls = 3; out(\"text\"); return ++calls; }\n" + g + two,
       "void out(const char*);\nstatic int more = 7;\nKEEP int added(int i) { static int n = 9; out(\"longer text\"); "
       "return n += more += i; }\n"
       "KEEP int f() { static int calls = 3; out(\"text\"); return ++calls; }\n" +
           g + two,
       {},
       {"f()", "t1()", "t2()", "g()"}});
  return all;
}

}  // namespace morph::object_tests
