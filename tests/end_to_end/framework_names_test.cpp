// Names of Catch2's, doctest's and Boost.Test's cases: those of the frameworks' own CMake modules, and hostile ones.
// Programs that do not simply list their cases.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "frameworks.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

using framework_names = each_framework;
MORPH_FOR_EACH_FRAMEWORK(framework_names);

std::string literal(const std::string& text) {
  std::string code = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') code += '\\';
    code += c == '\n' ? "\\n" : std::string(1, c);
  }
  return code + '"';
}

/// A program whose cases write their numbers into the file that RAN names.
std::string program_of(const test_framework& framework, const names& cases) {
  std::string code = framework.preamble + R"(#include <cstdlib>
#include <fstream>
static void ran(int number) {
  if (const char* file = std::getenv("RAN")) std::ofstream(file, std::ios::app) << number << '\n';
}
)";
  for (std::size_t i = 0; i < cases.size(); ++i)
    code += fmt::format("TEST_CASE({}) {{\n  ran({});\n}}\n", literal(cases[i]), i);
  return code;
}

void write_build(const project& to, const test_framework& framework, const std::string& registration) {
  to.write("CMakeLists.txt", fmt::format(R"(cmake_minimum_required(VERSION 3.25)
project(Names CXX)
enable_testing()
find_package({} REQUIRED)
find_package(Morph REQUIRED)
add_executable(cases cases.cpp)
target_compile_features(cases PRIVATE cxx_std_17)
target_link_libraries(cases {})
{}
)",
                                         framework.package, framework.with_main, registration));
}

names listed_by_ctest(const project& p) {
  const finished end = p.ctest({"--show-only=json-v1"});
  EXPECT_EQ(end.exit, 0) << end.err;
  const auto json = nlohmann::json::parse(end.out);
  names found;
  for (const auto& test : json.at("tests"))
    if (test.at("name") != "all.plan") found.push_back(test.at("name"));
  return found;
}

TEST_P(framework_names, are_those_of_its_own_cmake_module) {
  if (framework.discovery.empty()) GTEST_SKIP() << "not run: it has no such module";
  names cases{"plain",     "Suite: case", "with, comma", "[balanced] brackets", "a/slash", "it's \"quoted\"", "#hash",
              "<int> & ü", "a\tb",        "UPPER",       "(1 + 2) * 3"};
  if (is("catch2_3")) cases.insert(cases.end(), {"semi;colon", "back\\slash"});  // the modules of others lose them
  workspace w;
  project& p = w.here();
  write_build(p, framework,
              fmt::format(R"(if(BY_DISCOVERY)
  {}(cases TEST_PREFIX p. TEST_SUFFIX .s)
else()
  morph_add_suite(all TARGET cases TEST_PREFIX p. TEST_SUFFIX .s)
endif())",
                          framework.discovery));
  p.write("cases.cpp",
          program_of(framework, cases) + "TYPED_CASE(\"typed\", int, long) {}\nLEFT_OUT(\"left out\") {}\n");
  const auto configured = [&](const char* option) {
    names arguments = framework.configuring;
    arguments.emplace_back(option);
    p.configure(arguments);
    p.build();
    return listed_by_ctest(p);
  };
  const names expected = configured("-DBY_DISCOVERY=ON");
  ASSERT_EQ(expected.size(), cases.size() + 2);
  EXPECT_EQ(expected.front(), "p.plain.s");
  EXPECT_EQ(configured("-DBY_DISCOVERY=OFF"), expected);
  const finished all = p.ctest();
  EXPECT_EQ(all.exit, 0) << all.both();
  EXPECT_EQ(configured("-DMORPH_ENABLED=OFF"), expected);
}

TEST_P(framework_names, of_every_kind_run_the_case_that_they_name) {
  const bool catch2 = framework.name == "catch2", boost = framework.name == "boost";
  // Each of these entries runs its case alone.
  names cases{"a",
              "comma",
              "a, comma",
              "with  blanks",
              "semi;colon",
              "[brackets]",
              "open [",
              "close ]",
              "tag [x] \"q\"",
              "say \"hello\", it's",
              "slash/and/back\\slash",
              "ends in \\",
              "new\nline",
              "\"quoted\"",
              "Grüße 世界",
              "#hash",
              "-option",
              "--help",
              "~not",
              "$HOME ${x} $<1:y> %25",
              "]==]",
              "[=[",
              std::string(500, 'x'),
              "tab\there"};
  const std::size_t exact = cases.size();
  // These may run others too: the frameworks cannot escape what they contain.
  const names wild = {"*first", "last*", "*", "Upper", "upper", "exclude:all", " outer blanks "};
  cases.insert(cases.end(), wild.begin(), wild.end());
  if (!catch2) cases.insert(cases.end(), {"what?", "any*thing"});
  if (!catch2 && !boost) cases.emplace_back();
  workspace w;
  project& p = w.here();
  write_build(p, framework, "morph_add_suite(all TARGET cases)");
  p.write("cases.cpp", program_of(framework, cases));
  p.start_repository();
  p.configure(framework.configuring);
  p.build();

  const auto tests = nlohmann::json::parse(p.ctest({"--show-only=json-v1"}).out).at("tests");
  ASSERT_EQ(tests.size(), cases.size() + 1);
  const fs::path record = w.folder() / "ran";
  p.set_variable("RAN", record.string());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    std::string name = name_in(framework, cases[i]);
    if (catch2 && name.starts_with('#')) name = '"' + name + '"';
    if (name.empty()) name = "(no name)";
    EXPECT_EQ(tests[i + 1].at("name"), name);
    fs::remove(record);
    const finished end = p.run(tests[i + 1].at("command"));
    EXPECT_EQ(end.exit, 0) << cases[i] << end.both();
    names numbers;
    std::istringstream lines(fs::exists(record) ? read_bytes(record) : "");
    for (std::string line; std::getline(lines, line);) numbers.push_back(line);
    if (i < exact)
      EXPECT_EQ(numbers, names{std::to_string(i)}) << cases[i];
    else
      EXPECT_EQ(std::count(numbers.begin(), numbers.end(), std::to_string(i)), 1) << cases[i];
  }
  p.unset_variable("RAN");
  const finished all = p.ctest();
  EXPECT_EQ(all.exit, 0) << all.both();

  p.measure();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unchanged-proven") << plan.json.dump(1);
  EXPECT_EQ(plan.selected(), names());
  EXPECT_EQ(plan.deferred().size(), cases.size());
  const std::size_t newline = 12;
  ASSERT_EQ(cases[newline], "new\nline");
  p.replace("cases.cpp", fmt::format("ran({});", newline), fmt::format("ran({} + 0);", newline));
  EXPECT_EQ(p.plan().selected(), names{cases[newline]});
  EXPECT_NE(p.morph({"plan"}).out.find("new\\nline"), std::string::npos) << "one line in the table";
}

TEST_P(framework_names, that_occur_twice_in_a_program_have_the_evidence_of_both) {
  workspace w;
  project& p = w.here();
  write_build(p, framework, "morph_add_suite(all TARGET cases)");
  const bool catch2 = framework.name == "catch2";
  if (is("catch2_2") || is("boost")) GTEST_SKIP() << "not run: it refuses such a program itself";
  const char* const twice =
      catch2 ? "TEST_CASE(\"twice\", \"[one]\") { ran(1); }\nTEST_CASE(\"twice\", \"[two]\") { ran(2); }\n"
             : "TEST_CASE(\"twice\") { ran(1); }\nTEST_CASE(\"twice\") { ran(2); }\n";
  p.write("cases.cpp", framework.preamble + "static void ran(int) {}\n" + twice + "TEST_CASE(\"once\") { ran(3); }\n");
  p.start_repository();
  p.configure(framework.configuring);
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().notes(), names());
  EXPECT_EQ(p.plan().marks("twice"), names{"duplicate-name"});
  for (const std::string call : {"ran(1)", "ran(2)"}) {
    p.replace("cases.cpp", call, "ran(9)");
    EXPECT_EQ(p.plan().selected(), (names{"twice", "twice"})) << call;
    p.replace("cases.cpp", "ran(9)", call);
  }
}

// ---- programs with a main() of their own

/// Greets, needs WORD to do anything, and says goodbye.
std::string main_of(const char* run) {
  return fmt::format(R"(#include <cstdio>
#include <cstdlib>
int main(int argc, char** argv) {{
  if (std::getenv("GARBAGE")) return std::puts("this and that"), 0;
  if (std::getenv("NEEDS_WORD") && (argc < 2 || argv[1][0] != 'w')) return std::puts("usage: cases word..."), 3;
  if (std::getenv("NEEDS_WORD")) --argc, ++argv;
  std::puts("Hello\nseed 7");
  {}
  std::puts("Goodbye");
  return result;
}}
)",
                     run);
}

class own_main : public testing::TestWithParam<const char*> {
 protected:
  bool is(const char* which) const { return GetParam() == std::string(which); }

  /// The header is the project's own copy, but for Boost's, which are many: all of the framework is in own_main.cpp
  /// then. The program links no target of the framework.
  void write_vendored(const project& p) const {
    const bool is_doctest = is("doctest"), is_boost = is("boost");
    const char* const header = is_boost ? "boost_tests.hpp" : is_doctest ? "doctest.h" : "catch.hpp";
    p.write(std::string("third party/") + header,
            is_boost
                ? "#pragma once\n#include <boost/test/unit_test.hpp>\n#define CHECK(condition) BOOST_CHECK(condition)\n"
                : read_bytes(is_doctest ? "/usr/include/doctest/doctest.h" : "/usr/include/catch2/catch.hpp"));
    p.write("CMakeLists.txt", fmt::format(R"(cmake_minimum_required(VERSION 3.25)
project(Own CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(own_main STATIC own_main.cpp)
target_include_directories(own_main PUBLIC "third party")
add_executable(cases cases.cpp)
target_link_libraries(cases own_main)
morph_add_suite(all TARGET cases FRAMEWORK {} EXTRA_ARGS ${{WORDS}} ENVIRONMENT ${{SWITCH}}=1)
)",
                                          GetParam()));
    p.write("helper.hpp", fmt::format("#pragma once\n#include \"{}\"\ninline int two() {{\n  return 2;\n}}\n", header));
    p.write("cases.cpp",
            fmt::format("#include \"helper.hpp\"\n\n{} {{\n  CHECK(two() == 2);\n}}\n\n{} {{\n  CHECK(1 == 1);\n}}\n",
                        is_boost ? "BOOST_AUTO_TEST_CASE(first)" : "TEST_CASE(\"first\")",
                        is_boost ? "BOOST_AUTO_TEST_CASE(second)" : "TEST_CASE(\"second\\nof two\")"));
    if (is_boost)
      p.write("own_main.cpp",
              "#define BOOST_TEST_ALTERNATIVE_INIT_API\n#define BOOST_TEST_NO_MAIN\n"
              "#include <boost/test/included/unit_test.hpp>\n"
              "static bool nothing() {\n  return true;\n}\n" +
                  main_of("int result = boost::unit_test::unit_test_main(&nothing, argc, argv);"));
    else if (is_doctest)
      p.write("own_main.cpp", "#define DOCTEST_CONFIG_IMPLEMENT\n#include \"doctest.h\"\n" +
                                  main_of("doctest::Context context(argc, argv);\n  int result = context.run();"));
    else
      p.write("own_main.cpp", "#define CATCH_CONFIG_RUNNER\n#include \"catch.hpp\"\n" +
                                  main_of("int result = Catch::Session().run(argc, argv);"));
  }
};
INSTANTIATE_TEST_SUITE_P(of, own_main, testing::Values("catch2", "doctest", "boost"),
                         [](const testing::TestParamInfo<const char*>& which) { return std::string(which.param); });

TEST_P(own_main, may_print_and_use_a_header_of_its_own) {
  if (!find_test_framework(is("catch2") ? "catch2_2" : GetParam()))
    GTEST_SKIP() << GetParam() << " is not installed here";
  workspace w;
  project& p = w.here();
  write_vendored(p);
  p.start_repository();
  p.configure({"-DSWITCH=NOTHING"});
  p.build();
  const plan_view before = p.plan();
  EXPECT_EQ(before.selected(), (names{"first", is("boost") ? "second" : "second\nof two"}));
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("helper.hpp", "  return 2;", "  return 1 + 1;");
  EXPECT_EQ(p.plan().selected(), names{"first"});
  p.git({"checkout", "--", "helper.hpp"});

  // Without arguments it lists nothing: the suite runs as a whole, with its EXTRA_ARGS.
  p.configure({"-DSWITCH=NEEDS_WORD", "-DWORDS=word"});
  const finished needy = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(started(needy.out), (names{"all.plan", "all.all"})) << needy.both();
  EXPECT_EQ(needy.exit, 0) << needy.both();
  EXPECT_NE(needy.err.find("exit status 3"), std::string::npos) << needy.err;
  EXPECT_NE(needy.err.find("the suite runs as a whole"), std::string::npos) << needy.err;

  p.configure({"-DSWITCH=GARBAGE", "-DWORDS="});
  const finished garbage = p.ctest({"-N"});
  EXPECT_EQ(listed(garbage.out), (names{"all.plan", "all.all"})) << garbage.both();
  EXPECT_NE(garbage.err.find("printed no list of tests"), std::string::npos) << garbage.err;
}

}  // namespace
}  // namespace morph::end_to_end
