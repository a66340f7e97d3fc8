// A measurement that carries over what the changes since the last one cannot affect.
#include <fmt/format.h>

#include "measurements.hpp"
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class incremental : public shapes_test {
 protected:
  json measure(std::vector<std::string> arguments = {}) const {
    arguments.emplace_back("--json");
    const finished end = p.try_measure(arguments);
    EXPECT_EQ(end.exit, 0) << end.both();
    return json::parse(end.out);
  }
};

TEST_F(incremental, only_the_affected_tests_are_measured) {
  const std::string base = p.git({"rev-parse", "HEAD"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string head = p.commit();
  const json said = measure();
  EXPECT_EQ(said["measured"], 2);
  EXPECT_EQ(said["carried"], 3);
  EXPECT_EQ(said["base"], base);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
  p.build();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().json["base"]["commit"], head);
}

TEST_F(incremental, the_twin_takes_over_what_cmake_found_out_about_compilers) {
  std::size_t known = 0, tried = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(p.build_dir() / "morph-twin/coverage/CMakeFiles")) {
    known += entry.path().filename() == "CMakeCXXCompiler.cmake" ? 1 : 0;
    tried += entry.path().filename() == "CompilerIdCXX" ? 1 : 0;
  }
  EXPECT_EQ(known, 1U);
  EXPECT_EQ(tried, 0U);
}

TEST_F(incremental, a_chain_of_them_is_equal_to_full_ones) {
  const auto step = [&](const char* what, int measured) {
    p.commit(what);
    EXPECT_EQ(measure()["measured"], measured) << what;
    EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p)) << what;
  };
  p.replace("src/scale.cpp", "int scale(int length) {", "int unused() {\n  return 7;\n}\n\nint scale(int length) {");
  step("a function that nobody calls, above another", 2);
  p.replace("src/scale.cpp", "return 7;", "return 8;\n");
  step("nobody executed what changed, and lines moved", 0);
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)",
            "TEST(Scale, ByOne) {\n  EXPECT_EQ(scale(1), 2);\n}\n\nTEST(Scale, ByZero)");
  step("a test between others", 5 + 1);
  p.replace("src/area.cpp", "return width * height;", "if (width == 3) return 3 * height;\n  return width * height;");
  step("a line with branches", 2);
  p.replace("src/shapes.hpp", "return length + length;", "return 2 * length;");
  step("an inline function", 1);
}

TEST_F(incremental, carried_rows_say_where_they_are_from) {
  const std::string base = p.git({"rev-parse", "HEAD"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  measure();
  p.replace("src/scale.cpp", "length != 0 ? length * 2 : 0", "length * 2 + 0");
  p.commit();
  measure();
  std::map<std::string, std::set<std::string>> from;
  std::istringstream lines(p.morph({"store", "export"}).out);
  const std::string tree = p.git({"rev-parse", "HEAD^{tree}"});
  bool is_head = false;
  for (std::string line; std::getline(lines, line);) {
    const auto object = json::parse(line);
    if (object.contains("measurement")) is_head = object["measurement"]["tree"] == tree;
    if (is_head && object.contains("carried_from") && object["test"] != "")
      from[object["carried_from"]].insert(object["test"]);
  }
  EXPECT_EQ(from, (std::map<std::string, std::set<std::string>>{
                      {"", {"Scale.ByTwo", "Scale.ByZero"}},
                      {base, {"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"}}}));
}

TEST_F(incremental, what_failed_is_measured_again) {
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.commit();
  EXPECT_EQ(measure()["failed"], 1);
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  const json said = measure();
  EXPECT_EQ(said["measured"], 3);  // and Scale.ByTwo
  EXPECT_EQ(said["failed"], 1);
}

TEST_F(incremental, what_may_affect_everything_measures_everything) {
  p.replace("CMakeLists.txt", "project(Shapes CXX)", "project(Shapes LANGUAGES CXX)");
  p.commit();
  const finished end = p.try_measure({"--incremental"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.err.find("every test is measured: the changes may affect every test"), std::string::npos) << end.err;
  EXPECT_EQ(end.out.find("carried over"), std::string::npos) << end.out;
}

TEST_F(incremental, a_file_of_unknown_use_measures_who_may_read_it) {
  p.write("sizes.tab", "1\n");
  p.write("tests/sizes_test.cpp",
          "#include <gtest/gtest.h>\n#include <fstream>\n"
          "TEST(Sizes, AreThere) { EXPECT_TRUE(std::ifstream(SIZES \".tab\").good()); }\n");
  p.replace("CMakeLists.txt", "tests/shapes_test.cpp", "tests/shapes_test.cpp tests/sizes_test.cpp");
  p.replace("CMakeLists.txt", "enable_testing()",
            "enable_testing()\nadd_compile_definitions(SIZES=\"${PROJECT_SOURCE_DIR}/sizes\")");
  p.write("unread.tab", "1\n");
  p.commit();
  p.build();
  measure();
  p.write("unread.tab", "2\n");
  p.commit();
  const json said = measure();
  EXPECT_EQ(said["measured"], 0);
  EXPECT_EQ(said["carried"], 6);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
  p.write("sizes.tab", "2\n");
  p.commit();
  EXPECT_EQ(measure()["measured"], 1);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

// The plan knows that no code changed; rows from before lack what got counters.
TEST_F(incremental, code_that_gets_counters_measures_everything) {
  p.replace("CMakeLists.txt", "add_library(shapes src/area.cpp src/scale.cpp)",
            "add_library(shapes src/area.cpp)\nadd_library(scaling src/scale.cpp)\n"
            "target_include_directories(scaling PUBLIC src)");
  p.replace("CMakeLists.txt", "shapes_tests shapes GTest", "shapes_tests shapes scaling GTest");
  p.replace("CMakeLists.txt", "DATA data", "PRODUCTION shapes DATA data");
  p.commit();
  p.configure();
  p.build();
  measure();
  p.replace("CMakeLists.txt", "PRODUCTION shapes", "PRODUCTION shapes scaling");
  p.commit();
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(measure()["measured"], 5);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

TEST_F(incremental, full_means_all) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  const json said = measure({"--fresh"});
  EXPECT_EQ(said["measured"], 5);
  EXPECT_EQ(said["carried"], 0);
  EXPECT_EQ(said["base"], nullptr);
  EXPECT_EQ(p.try_measure({"--fresh", "--incremental"}).exit, 2);
}

TEST_F(incremental, if_nothing_is_affected_the_last_measurement_stays) {
  const std::string base = p.git({"rev-parse", "HEAD"});
  p.replace("src/scale.cpp", "int scale(int length) {", "int unused() {\n  return 7;\n}\n\nint scale(int length) {");
  p.commit();
  p.build();
  const json said = measure({"--if-affected"});
  EXPECT_EQ(said["measured"], 0);
  EXPECT_EQ(said["tests"], 5);
  EXPECT_EQ(said["base"], base);
  EXPECT_NE(
      p.try_measure({"--if-affected"}).out.find(", 1 commit ago, affect 0 of 5 tests: its measurement stays in place"),
      std::string::npos);
  EXPECT_EQ(p.plan().json["base"]["commit"], base);
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.build();
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(measure({"--if-affected"})["measured"], 2);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

TEST_F(incremental, if_affected_measures_what_is_not_built) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  EXPECT_EQ(measure({"--if-affected"})["measured"], 2);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

TEST_F(incremental, what_failed_since_is_not_affected) {
  p.write("build/since.xml", "<testsuite><testcase name=\"Area.OfStrip\"><failure/></testcase></testsuite>");
  ASSERT_EQ(p.morph({"record", "build/since.xml"}).exit, 0);
  p.write("README.md", "Shapes\n");
  p.commit();
  EXPECT_EQ(p.plan().selected(), names{"Area.OfStrip"});
  EXPECT_EQ(measure({"--if-affected"})["measured"], 0);
}

TEST_F(incremental, so_much_may_be_affected) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.build();
  EXPECT_NE(p.try_measure({"--if-affected", "100"}).out.find(", 1 commit ago, affect 2 of 5 tests"), std::string::npos);
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(measure({"--if-affected", "0.001"})["measured"], 2);
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)",
            "TEST(Scale, ByOne) {\n  EXPECT_EQ(scale(1), 2);\n}\n\nTEST(Scale, ByZero)");
  p.commit();
  p.build();
  EXPECT_NE(measure({"--if-affected", "100"})["measured"], 0) << "a new test takes nobody knows how long";
  EXPECT_EQ(p.try_measure({"--if-affected", "101"}).exit, 2);
  EXPECT_EQ(p.try_measure({"--if-affected", "--fresh"}).exit, 2);
}

TEST_F(incremental, a_measurement_that_knows_less_than_a_new_one_does_not_stay) {
  ASSERT_EQ(p.try_measure({"--fresh", "--ignore-files"}).exit, 0);
  p.write("README.md", "Shapes\n");
  p.commit();
  EXPECT_EQ(measure({"--if-affected", "--ignore-files"})["measured"], 0);
  EXPECT_EQ(measure({"--if-affected"})["measured"], 5);
}

TEST_F(incremental, what_always_runs_is_not_affected) {
  p.replace("CMakeLists.txt", "DATA data", "ALWAYS Perimeter DATA data");
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)",
            "TEST(Scale, BySkipping) {\n  GTEST_SKIP();\n}\n\nTEST(Scale, ByZero)");
  p.commit();
  p.configure();
  p.build();
  measure();
  p.write("README.md", "Shapes\n");
  p.commit();
  EXPECT_EQ(p.plan().selected(), (names{"Perimeter.OfSquare", "Scale.BySkipping"}));
  EXPECT_EQ(measure({"--if-affected"})["measured"], 0);
}

TEST_F(incremental, no_measurement_stays_for_more_than_twenty_commits) {
  for (int i = 1; i <= 20; ++i) {
    p.write("README.md", fmt::format("Shapes, edition {}\n", i));
    p.commit();
  }
  EXPECT_EQ(measure({"--if-affected"})["carried"], 0);
  p.write("README.md", "Shapes\n");
  p.commit();
  EXPECT_EQ(measure({"--if-affected"})["carried"], 5);
  EXPECT_EQ(facts_of_head(p), facts_of_full_measurement(p));
}

}  // namespace
}  // namespace morph::end_to_end
