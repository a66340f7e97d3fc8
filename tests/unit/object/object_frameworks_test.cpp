// Object code of test frameworks: tests that come, go and move are no change of the others.
#include <fmt/format.h>

#include "coverage/object/read/test_factories.hpp"
#include "tests/unit/object/object_programs.hpp"

namespace morph::object_tests {
namespace {

using object::link_unit;

class ObjectRegistration : public ::testing::TestWithParam<way> {};

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST_P(ObjectRegistration, ATestMoreOrLessIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const link_unit before = lab.unit(how, {{"a.cpp", google_tests}});
  const auto against = [&](const std::string& text, const object::compare_options& options) {
    return difference_of(compare(before, lab.unit(how, {{"a.cpp", text}}), options));
  };
  const std::string one_more =
      replaced(google_tests, "TEST(A, Two)", "TEST(A, New) { EXPECT_EQ(1, 1); }\nTEST(A, Two)");
  const auto added = against(one_more + "TEST(A, Last) { EXPECT_EQ(1, 1); }\n", moved(7, 1));
  EXPECT_TRUE(added.functions.empty() && !added.everything) << added.text;
  const std::string typed =
      "template <class T> struct T1 : testing::Test {};\nusing Ts = testing::Types<int, long>;\n"
      "TYPED_TEST_SUITE(T1, Ts);\nTYPED_TEST(T1, Zero) { EXPECT_EQ(TypeParam(), 0); }\n";
  const auto before_typed = difference_of(compare(lab.unit(how, {{"a.cpp", google_tests + typed}}),
                                                  lab.unit(how, {{"a.cpp", one_more + typed}}), moved(7, 1)));
  EXPECT_TRUE(before_typed.functions.empty() && !before_typed.everything) << before_typed.text;
  const auto less = against(replaced(google_tests, "TEST(A, Four) { EXPECT_EQ(1, 1); }\n", ""), {});
  EXPECT_TRUE(less.functions.empty() && !less.everything) << less.text;
  const auto text = against(replaced(google_tests, "name(\"name\")", "name(\"nome\")"), {});
  EXPECT_TRUE(text.everything) << text.text;
  const auto both =
      against(replaced(replaced(google_tests, "make(3)", "make(4)"), "TEST(A, Four)", "TEST(A, Renamed)"), {});
  EXPECT_TRUE(both.everything) << both.text;
  const std::string with_parameters = "struct P : testing::TestWithParam<int> {};\nTEST_P(P, New) {}\n";
  const auto of_values = against(google_tests + with_parameters, {});
  EXPECT_FALSE(of_values.everything) << of_values.text;
  const auto instance =
      against(google_tests + with_parameters + "INSTANTIATE_TEST_SUITE_P(A, P, testing::Values(1));\n", {});
  EXPECT_FALSE(instance.everything) << instance.text;
  const auto unknown =
      against(google_tests + "int gtest_more_registered_ = (testing::Test::RecordProperty(\"a\", \"b\"), 1);\n", {});
  EXPECT_TRUE(unknown.everything) << unknown.text;
  const auto body = against(replaced(google_tests, "size(), 4U", "size(), 5U"), {});
  EXPECT_EQ(body.functions, std::set<std::string>{"F_Three_Test::TestBody()"}) << body.text;
  EXPECT_FALSE(body.everything) << body.text;
}

class ObjectOptimizedTests : public ::testing::TestWithParam<way> {};

// Their variables are left out: nobody reads them.
TEST_P(ObjectOptimizedTests, ATestMoreInAnUnnamedNamespaceIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string begin =
                        "#include <gtest/gtest.h>\nint f(int);\n#define CHECKS(x) EXPECT_EQ(f(x), x); EXPECT_EQ(f(x), "
                        "x); EXPECT_EQ(f(x), x)\n"
                        "namespace {\nstruct F : testing::Test {};\n",
                    one = "TEST(A, One) { CHECKS(1); }\n", two = "TEST_F(F, Two) { CHECKS(2); }\n",
                    three = "TEST_F(F, Three) { CHECKS(3); }\n", more = "TEST_F(F, New) { CHECKS(4); }\n";
  const link_unit before = lab.unit(how, {{"a.cpp", begin + one + two + three + "}\n"}});
  const auto against = [&](const std::string& text, std::uint32_t from) {
    return difference_of(compare(before, lab.unit(how, {{"a.cpp", begin + text + "}\n"}}), moved(from, 1)));
  };
  for (const auto& [text, from] : {std::pair(one + two + three + more, 99U), std::pair(one + two + more + three, 8U),
                                   std::pair(one + more + two + three, 7U)}) {
    const auto added = against(text, from);
    EXPECT_FALSE(added.everything) << added.text;
    EXPECT_FALSE(added.functions.contains("(anonymous namespace)::A_One_Test::TestBody()")) << added.text;
  }
  const auto body = against(one + "TEST_F(F, Two) { CHECKS(3); }\n" + three, 99);
  EXPECT_EQ(body.functions, std::set<std::string>{"(anonymous namespace)::F_Two_Test::TestBody()"}) << body.text;
  const auto value = against(one + two + "int set = f(1);\n" + three, 8);
  EXPECT_TRUE(value.everything) << value.text;
}

// What is called of the standard library beside a registration is a statement of the project's.
TEST_P(ObjectOptimizedTests, AStatementOfAnUnnamedNamespaceIsOfAllTests) {
  if (!is_present(GetParam().compiler)) GTEST_SKIP() << GetParam().compiler << " is not installed";
  laboratory lab;
  const std::string begin = "#include <gtest/gtest.h>\n#include <locale>\nint f(int);\n",
                    one = "TEST(A, One) { EXPECT_EQ(f(1), 1); }\n", two = "TEST(C, Two) { EXPECT_EQ(f(2), 2); }\n",
                    set = "static const auto set_ = (std::locale::global(std::locale(\"\")), 0);\n",
                    sync = "static const bool fast = std::ios::sync_with_stdio(false);\n";
  for (const std::string space : {"namespace {\n", "namespace N {\n"})
    for (const std::string flags : {"", " -fPIC"})
      for (const std::string& statement : {set, sync}) {
        const way how{GetParam().compiler, GetParam().flags + flags};
        const std::string with = begin + two + space + statement + one + "}\nTEST(D, Three) {}\n",
                          without = begin + two + space + "}\nTEST(D, Three) {}\n",
                          alone = begin + two + space + one + "}\nTEST(D, Three) {}\n";
        const link_unit unit = lab.unit(how, {{"a.cpp", with}});
        EXPECT_TRUE(difference_of(compare(unit, lab.unit(how, {{"a.cpp", without}}), moved(1000, 0))).everything)
            << how.flags << with;
        EXPECT_TRUE(difference_of(compare(unit, lab.unit(how, {{"a.cpp", alone}}), moved(1000, 0))).everything)
            << how.flags << with;
        EXPECT_TRUE(difference_of(compare(lab.unit(how, {{"a.cpp", alone}}), unit, moved(1000, 0))).everything)
            << how.flags << with;
      }
}

// Registrations become one function, with what each of them does last, or nearly never, behind them all.
TEST_P(ObjectOptimizedTests, ATestMoreIsNoChange) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  // A name that is too long for a string's own memory.
  const std::string begin =
      "#include <gtest/gtest.h>\n#line 2 \"/a/folder/with/a/long/name/tests.cpp\"\nint f(int);\n#define CHECKS(x) "
      "EXPECT_EQ(f(x), x); EXPECT_EQ(f(x), x); EXPECT_EQ(f(x), x)\n";
  const std::string first = "TEST(A, One) { CHECKS(1); }\n", second = "TEST(A, Two) { CHECKS(2); }\n",
                    fixture = "struct F : testing::Test { static void SetUpTestSuite(); };\n",
                    of_fixture = "TEST_F(F, Three) { CHECKS(3); }\n", more = "TEST(A, New) { CHECKS(4); }\n",
                    more_of_fixture = "TEST_F(F, New) { CHECKS(4); }\n";
  const link_unit before = lab.unit(how, {{"a.cpp", begin + first + second + fixture + of_fixture}});
  const auto against = [&](const std::string& text, std::uint32_t from) {
    return difference_of(compare(before, lab.unit(how, {{"a.cpp", begin + text}}), moved(from, 1)));
  };
  const auto last = against(first + second + fixture + of_fixture + more, 99);
  // GCC at -O3 keeps what is passed of a fixture in other registers then.
  const std::set<std::string> none,
      at_most = how.flags == " -O3" ? std::set<std::string>{"F_Three_Test::TestBody()"} : none;
  EXPECT_TRUE((last.functions == none || last.functions == at_most) && !last.everything) << last.text;
  const auto between = against(first + more + second + fixture + of_fixture, 5);
  EXPECT_TRUE((between.functions == none || between.functions == at_most) && !between.everything) << between.text;
  const auto in_fixture = against(first + second + fixture + of_fixture + more_of_fixture, 99);
  EXPECT_FALSE(in_fixture.everything) << in_fixture.text;
  EXPECT_FALSE(in_fixture.functions.contains("A_One_Test::TestBody()")) << in_fixture.text;
  const auto value = against(first + more + second + "int set = f(1);\n" + fixture + of_fixture, 5);
  EXPECT_TRUE(value.everything) << value.text;
  const auto print =
      against(first + second + "bool told = (std::cerr << \"text\").good();\n" + fixture + of_fixture, 6);
  EXPECT_TRUE(print.everything) << print.text;
  const auto environment =
      against(first + second + "auto added = testing::AddGlobalTestEnvironment(new testing::Environment);\n" + fixture +
                  of_fixture,
              6);
  EXPECT_TRUE(environment.everything) << environment.text;
}

// Statements of the project that no variable keeps join the registration behind them.
TEST_P(ObjectOptimizedTests, AStatementBesideATestIsOfAllTests) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string begin =
      "#include <gtest/gtest.h>\n#include <fstream>\n#include <locale>\n#include <memory_resource>\nint f(int);\n";
  const std::string first = "TEST(A, One) { EXPECT_EQ(f(1), 1); }\n", second = "TEST(A, Two) { EXPECT_EQ(f(2), 2); }\n";
  const auto with = [&](const std::string& statement) {
    return lab.unit(how, {{"a.cpp", begin + first + statement + second}});
  };
  const auto expect_all = [&](const std::string& one, const std::string& other) {
    const auto there = difference_of(compare(with(one), with(other))),
               back = difference_of(compare(with(other), with(one)));
    EXPECT_TRUE(there.everything) << other << there.text;
    EXPECT_TRUE(back.everything) << other << back.text;
  };
  const auto writes = [](int value) {
    return fmt::format(
        "static bool write() {{ std::ofstream(\"v\") << {}; return true; }}\n"
        "[[maybe_unused]] static const bool written = write();\n",
        value);
  };
  const std::string locale = "static const bool set = (std::locale::global(std::locale(\"\")), true);\n",
                    resource =
                        "static const bool set = "
                        "(std::pmr::set_default_resource(std::pmr::null_memory_resource()), true);\n";
  expect_all(writes(42), writes(43));
  expect_all("", writes(42));
  expect_all("", locale);
  expect_all("", resource);
  expect_all("", "static const bool set = (testing::internal::CaptureStdout(), true);\n");
  expect_all("", "static const bool set = (testing::GTEST_FLAG(death_test_style) = \"threadsafe\", true);\n");
}

// The variable of the last instance is stored nowhere.
TEST_P(ObjectOptimizedTests, AnInstanceWithValuesOfTheProjectIsOfAllTests) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string begin =
                        "#include <gtest/gtest.h>\n#include <vector>\nstd::vector<int> numbers();\nstruct P : "
                        "testing::TestWithParam<int> {};\nTEST_P(P, One) {}\n",
                    few = "INSTANTIATE_TEST_SUITE_P(Few, P, testing::Values(1, 2));\n",
                    some = "INSTANTIATE_TEST_SUITE_P(Some, P, testing::Values(3));\n",
                    more = "INSTANTIATE_TEST_SUITE_P(More, P, testing::ValuesIn(numbers()));\n",
                    last = "TEST(A, Last) {}\n";
  const auto everything = [&](const std::string& one, const std::string& other) {
    const link_unit before = lab.unit(how, {{"a.cpp", begin + one}}), after = lab.unit(how, {{"a.cpp", begin + other}});
    return difference_of(compare(before, after)).everything && difference_of(compare(after, before)).everything;
  };
  EXPECT_TRUE(everything(few + some, few + some + more));
  EXPECT_TRUE(everything(few + some + last, few + some + more + last));
}

INSTANTIATE_TEST_SUITE_P(All, ObjectOptimizedTests,
                         ::testing::Values(way{"g++", " -O2"}, way{"g++", " -O3"}, way{"clang++-19", " -O2"}),
                         [](const auto& i) { return name_of(i.param); });

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
  EXPECT_EQ(everything(none, one), lab.starts_streams(how)) << "the first";
  EXPECT_EQ(everything(one, none), lab.starts_streams(how)) << "the last";
  sources more = in_b;
  more["b.cpp"] += "int more = make(4);\n";
  EXPECT_TRUE(everything(one, more));
}

INSTANTIATE_TEST_SUITE_P(All, ObjectNewSource,
                         ::testing::Values(unoptimized, way{"g++", " -O2"}, way{"clang++-19", " -O0"}),
                         [](const auto& i) { return name_of(i.param); });

INSTANTIATE_TEST_SUITE_P(All, ObjectRegistration, ::testing::Values(unoptimized, way{"clang++-19", " -O0"}),
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
  const std::string header = doctest ? "#include <doctest/doctest.h>" : "#include <" + header_of_catch2() + ">";
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
                         ::testing::Values(numbered{"doctest", unoptimized}, numbered{"doctest", {"g++", " -O2"}},
                                           numbered{"doctest", {"clang++-19", " -O0"}},
                                           numbered{"catch2", unoptimized}),
                         [](const auto& i) { return i.param.framework + "_" + name_of(i.param.how); });

TEST(Object, LinesOfBoostsChecksMove) {
  if (!std::filesystem::exists("/usr/include/boost/test/unit_test.hpp")) GTEST_SKIP() << "Boost.Test is not installed";
  const std::string code =
      "#define BOOST_TEST_DYN_LINK\n#include <boost/test/unit_test.hpp>\nint f(int);\n"
      "struct of_a_case { void checks(); };\nvoid of_a_case::checks() {\n  BOOST_TEST(f(1) == 1);\n"
      "  BOOST_CHECK_EQUAL(f(2), 2);\n  BOOST_REQUIRE(f(3));\n}\n";
  const auto lower = between(unoptimized, code, replaced(code, "int f(int);\n", "\nint f(int);\n"), moved(3, 1));
  EXPECT_TRUE(lower.functions.empty()) << lower.text;
  const auto other = between(unoptimized, code, replaced(code, "f(3)", "f(4)"));
  EXPECT_TRUE(other.functions.contains("of_a_case::checks()")) << other.text;
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

// GoogleTest that the project builds is trusted as the system's, unless it is one object with the tests.
TEST_P(ObjectRegistration, GoogleTestMayBeBuiltByTheProject) {
  const way how = GetParam();
  if (!is_present(how.compiler)) GTEST_SKIP() << how.compiler << " is not installed";
  laboratory lab;
  const std::string framework =
      "#include <cstdio>\nnamespace testing {\nUnitTest* UnitTest::GetInstance() { return nullptr; }\n"
      "namespace internal { GTestLog::~GTestLog() { std::fflush(stderr); } }\n}\n";
  const std::string include = "#include <gtest/gtest.h>\n";
  const auto tests = [](const std::string& type) {
    return "int count();\nstruct Counted { Counted(int); Counted(const Counted&) { count(); } };\n"
           "struct P : testing::TestWithParam<" +
           type +
           "> {};\nTEST_P(P, One) {}\n"
           "INSTANTIATE_TEST_SUITE_P(Few, P, testing::Values(1, 2));\n";
  };
  const std::string more = "INSTANTIATE_TEST_SUITE_P(More, P, testing::Values(3, 4));\n";
  const auto everything = [&](const std::string& type, const std::string& beside, const std::string& apart) {
    const auto built = [&](const std::string& last) {
      return lab.unit(how, {{"a.cpp", include + beside + tests(type) + last}, {"gtest.cpp", include + apart}});
    };
    return difference_of(compare(built(""), built(more))).everything;
  };
  EXPECT_FALSE(everything("int", "", framework));
  EXPECT_TRUE(everything("Counted", "", framework));
  EXPECT_TRUE(everything("Counted", framework, ""));
  EXPECT_TRUE(everything(
      "int", "", "namespace testing { namespace internal { GTestLog::~GTestLog() { std::fflush(stderr); } } }\n"))
      << "nobody says that it is GoogleTest's";
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
