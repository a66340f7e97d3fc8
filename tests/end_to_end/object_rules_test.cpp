// What a change selects once it is built: by object code where that was recorded and is up to date, else by lines.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using object_rules = shapes_test;

std::string rules_of(const plan_view& plan) {
  return plan.json.at("rules").at("by").get<std::string>();
}

TEST_F(object_rules, a_comment_in_a_header_selects_nothing_when_it_is_built) {
  p.replace("src/shapes.hpp", "// Shapes.", "// Shapes and more.\n// Another line.");
  EXPECT_EQ(rules_of(p.plan()), "lines");
  EXPECT_NE(p.plan().selected(), names());
  p.build();
  EXPECT_EQ(rules_of(p.plan()), "object-code");
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().state(), "affected");
}

TEST_F(object_rules, a_changed_function_selects_who_executed_it_by_its_name) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(rules_of(plan), "object-code");
  EXPECT_EQ(plan.selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{"changed-code:scale(int)"});
}

TEST_F(object_rules, a_narrow_plan_leaves_out_who_executed_none_of_the_changed_lines) {
  p.replace("src/scale.cpp", "  return length * 2;", "  if (length == 0) {\n    return 0;\n  }\n  return length * 2;");
  p.commit("two ways");
  p.build();
  p.measure();
  p.replace("src/scale.cpp", "    return 0;", "    return length;");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(p.plan({"--policy", "safe"}).selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  const plan_view narrow = p.plan({"--policy", "narrow"});
  EXPECT_EQ(narrow.selected(), names{"Scale.ByZero"});
  EXPECT_EQ(narrow.marks("Scale.ByTwo"), names{"unproven"});
  EXPECT_EQ(narrow.reasons("Scale.ByTwo"), (names{"changed-code:scale(int)", "deferred-by-policy"}));
  EXPECT_EQ(narrow.json["suites"][0]["policy"], "narrow");
  EXPECT_NE(p.morph({"plan", "--policy", "narrow"}).out.find("1 deferred: by policy [unproven]"), std::string::npos);
  EXPECT_NE(p.morph({"plan", "--policy", "narrow", "--why", "Scale.ByTwo"}).out.find("which is unproven"),
            std::string::npos);
}

TEST_F(object_rules, of_two_changes_in_a_header_only_that_counts_which_changes_code) {
  p.replace("src/shapes.hpp", "#define CORNERS 4", "#define CORNERS 8");  // which nobody uses
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/shapes.hpp", "return length + length;", "return length != 0 ? length + length : 0;");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Perimeter.OfSquare"});
  EXPECT_EQ(p.plan().reasons("Perimeter.OfSquare"), names{"changed-code:twice(int)"});
}

TEST_F(object_rules, a_source_that_no_build_reads_selects_nothing_once_all_is_built) {
  p.write("src/draft.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "of which not all is built";
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(object_rules, a_source_that_no_build_reads_selects_nothing_though_other_programs_wait_to_be_built) {
  p.write("src/other.cpp", "int main() { return 0; }\n");
  p.replace("CMakeLists.txt", "enable_testing()", "enable_testing()\nadd_executable(other src/other.cpp)");
  p.commit("another program");
  p.build();
  p.measure();
  std::filesystem::remove(p.build_dir() / "other");
  p.write("src/draft.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(object_rules, a_source_that_no_build_reads_is_not_named_where_another_name_ends_like_it) {
  p.write("src/cale.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), names()) << "src/scale.cpp is another file";
}

TEST_F(object_rules, a_source_of_what_nobody_built_and_a_header_that_nobody_includes_select_nothing) {
  p.write("src/example.hpp", "int example();\n");
  p.write("src/other.cpp", "int main() { return 0; }\n");
  p.replace("CMakeLists.txt", "enable_testing()",
            "enable_testing()\nadd_executable(other EXCLUDE_FROM_ALL src/other.cpp)");
  p.commit("another program");
  p.build();
  p.measure();
  p.replace("src/example.hpp", "example", "sample");
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/other.cpp", "return 0", "return 1");
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/later.hpp", "int later();\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), all_shapes) << "a new header, which may be found from now on";
  p.git({"rm", "--quiet", "--force", "src/later.hpp"});
  p.must_run({"cmake", "--build", p.build_dir().string(), "--target", "other"});
  p.replace("src/other.cpp", "return 1", "return 2");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "a program that was built once";
}

TEST_F(object_rules, a_source_that_nobody_compiles_may_be_named_like_one_that_somebody_does) {
  p.write("samples/scale.cpp", "int sample() { return 1; }\n");
  p.write("samples/kernel.cu", "__global__ void sample() {}\n");
  p.write("samples/CMakeLists.txt", "project(samples LANGUAGES CUDA)\nadd_library(samples scale.cpp kernel.cu)\n");
  p.commit("samples that nobody builds");
  p.measure();
  p.replace("samples/scale.cpp", "return 1", "return 2");
  p.replace("samples/kernel.cu", "sample", "example");
  EXPECT_EQ(p.plan().selected(), names());
  p.write("samples/area.cpp", "int area();\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), all_shapes) << "a new one of a name that is compiled";
}

// As an amalgamated header beside the headers that it is made of.
TEST_F(object_rules, a_header_that_nobody_includes_may_be_named_like_one_that_somebody_does) {
  p.write("single/shapes.hpp", "int example();\n");
  p.commit("another header of that name");
  p.measure();
  p.replace("single/shapes.hpp", "example", "sample");
  EXPECT_EQ(p.plan().selected(), names());
  p.write("other/shapes.hpp", "int later();\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), all_shapes) << "a new one, which may be found from now on";
}

TEST_F(object_rules, a_header_that_nobody_includes_may_be_opened_where_nobody_looked) {
  p.write("samples/other.hpp", "int example();\n");
  p.commit("a sample");
  ASSERT_EQ(p.try_measure({"--fresh", "--ignore-files"}).exit, 0);
  p.replace("samples/other.hpp", "example", "sample");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST_F(object_rules, a_header_that_a_command_of_the_build_reads_unseen_selects_who_opened_what_it_makes) {
  p.write("single/words.hpp", "int example();\n");
  p.write("scan.sh", "cat $1/*.hpp > words.txt\n");
  p.write("tests/words_test.cpp",
          "#include <gtest/gtest.h>\n#include <fstream>\n"
          "TEST(Words, AreThere) { EXPECT_TRUE(std::ifstream(WORDS).good()); }\n");
  p.replace("CMakeLists.txt", "tests/shapes_test.cpp", "tests/shapes_test.cpp tests/words_test.cpp words.txt");
  p.replace(
      "CMakeLists.txt", "enable_testing()",
      "enable_testing()\nadd_compile_definitions(WORDS=\"${PROJECT_BINARY_DIR}/words.txt\")\n"
      "add_custom_command(OUTPUT words.txt COMMAND sh ${PROJECT_SOURCE_DIR}/scan.sh ${PROJECT_SOURCE_DIR}/single\n"
      "  DEPENDS scan.sh)");
  p.commit("words");
  p.configure();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("single/words.hpp", "example", "sample");
  EXPECT_EQ(p.plan().selected(), names{"Words.AreThere"});
}

TEST_F(object_rules, a_source_that_a_rule_of_the_build_names_may_be_read_by_it) {
  p.replace("CMakeLists.txt", "enable_testing()",
            "enable_testing()\nadd_custom_command(OUTPUT words.txt COMMAND true DEPENDS src/draft.cpp)\n"
            "add_custom_target(words DEPENDS words.txt)");
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/draft.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

// Which ninja looks for only when it builds.
TEST_F(object_rules, a_source_that_the_next_build_finds_concerns_it) {
  p.replace("CMakeLists.txt", "add_library(shapes src/area.cpp src/scale.cpp)",
            "file(GLOB sources CONFIGURE_DEPENDS src/*.cpp)\nadd_library(shapes OBJECT ${sources})");
  p.commit("all sources of a folder");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/draft.c", "int draft(void) { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), names()) << "which is not looked for";
  p.write("tools/draft.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), names()) << "nor in another folder";
  p.write("src/more.cpp", "#include \"shapes.hpp\"\nstatic int more = scale(1);\n");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "which is not built";
  p.build();
  EXPECT_EQ(p.plan().selected(), all_shapes) << "what it runs before main()";
}

TEST_F(object_rules, a_source_that_the_next_build_finds_below_a_folder_concerns_it) {
  p.write("src/deep/more.c", "int more(void) { return 1; }\n");
  p.replace("CMakeLists.txt", "add_library(shapes src/area.cpp src/scale.cpp)",
            "file(GLOB_RECURSE sources CONFIGURE_DEPENDS src/*.cpp)\nadd_library(shapes OBJECT ${sources})");
  p.commit("all sources below a folder");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/deep/more.cpp", "#include \"../shapes.hpp\"\nstatic int more = scale(1);\n");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST_F(object_rules, a_file_of_unknown_use_that_the_next_build_finds_concerns_it) {
  p.write("src/of_widths.table", "1\n");
  p.replace("CMakeLists.txt", "add_library(shapes",
            "file(GLOB tables CONFIGURE_DEPENDS src/*.table)\nadd_library(shapes");
  p.commit("all tables of a folder");
  p.build();
  p.measure();
  p.write("src/of_widths.table", "2\n");
  p.write("src/of_areas.txt", "1\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), names()) << "which nobody reads";
  p.write("src/of_areas.table", "1\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), all_shapes);
  p.remove("src/of_areas.table");
  EXPECT_EQ(p.plan().selected(), names());
  p.remove("src/of_widths.table");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST_F(object_rules, a_glob_without_a_look_before_each_build_counts_too) {
  p.replace("CMakeLists.txt", "add_library(shapes",
            "file(GLOB tables ${PROJECT_SOURCE_DIR}/src/*.table)\nadd_library(shapes");
  p.commit("all tables of a folder");
  p.build();
  p.measure();
  p.write("src/of_areas.table", "1\n");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), all_shapes);
  p.build();
  EXPECT_EQ(p.plan().selected(), all_shapes) << "nobody made CMake look";
  p.configure();
  p.build();
  EXPECT_EQ(p.plan().selected(), names()) << "CMake found it and made nothing else of it";
  p.commit("a table");
  p.measure();
  p.remove("src/of_areas.table");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "gone, and nobody made CMake look";
  p.configure();
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(object_rules, a_source_that_a_command_of_every_build_may_read_concerns_it) {
  p.replace("CMakeLists.txt", "enable_testing()", "enable_testing()\nadd_custom_target(gather ALL COMMAND true)");
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/draft.cpp", "int draft() { return 1; }\n");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST_F(object_rules, a_source_named_like_one_that_is_included_may_take_its_place) {
  p.write("src/detail.cpp", "inline int detail() { return 1; }\n");
  p.replace("src/scale.cpp", "#include \"shapes.hpp\"", "#include \"shapes.hpp\"\n#include \"detail.cpp\"");
  p.commit("a source that another includes");
  p.build();
  p.measure();
  p.write("tests/detail.cpp", "inline int detail() { return 2; }\n");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST_F(object_rules, a_build_description_selects_what_it_makes_otherwise) {
  p.replace("CMakeLists.txt", "add_library(shapes", "# The library.\nadd_library(shapes");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "which is not configured";
  p.build();
  EXPECT_EQ(p.plan().state(), "affected");
  EXPECT_EQ(p.plan().selected(), names());

  p.write("src/more.cpp", "int more() { return 1; }\n");
  p.replace("CMakeLists.txt", "src/scale.cpp)", "src/scale.cpp src/more.cpp)");
  p.git({"add", "--all"});
  p.build();
  EXPECT_EQ(p.plan().selected(), names()) << "nobody calls it";

  p.replace("src/scale.cpp", "length * 2", "length * FACTOR");
  p.replace("CMakeLists.txt", "target_include_directories(",
            "target_compile_definitions(shapes PRIVATE FACTOR=2)\ntarget_include_directories(");
  p.build();
  EXPECT_EQ(p.plan().selected(), names()) << "the same code";
  p.replace("CMakeLists.txt", "FACTOR=2", "FACTOR=3");
  p.must_run({"cmake", p.build_dir().string()});
  EXPECT_EQ(p.plan().selected(), all_shapes) << "which is configured and not built";
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(object_rules, what_cmake_makes_a_header_of_selects_what_the_header_changes) {
  p.write("src/config.h.in", "#define FACTOR @FACTOR@\n#define MARGIN 1\n");
  p.write("unused.h.in", "#define FACTOR 2\n");
  p.replace("CMakeLists.txt", "target_include_directories(",
            "set(FACTOR 2)\nconfigure_file(src/config.h.in config.h)\n"
            "target_include_directories(shapes PRIVATE ${CMAKE_CURRENT_BINARY_DIR})\ntarget_include_directories(");
  p.write("src/scale.cpp", "#include \"config.h\"\n" + p.read("src/scale.cpp"));
  p.replace("src/scale.cpp", "length * 2", "length * FACTOR");
  p.commit("a header that is made");
  p.build();
  p.measure();
  p.replace("src/config.h.in", "MARGIN 1", "MARGIN 2");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "which is not built";
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/config.h.in", "@FACTOR@", "(@FACTOR@ + 1)");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  p.git({"checkout", "--quiet", "."});
  p.build();
  p.replace("unused.h.in", "2", "3");
  EXPECT_EQ(p.plan().selected(), names()) << "which nobody reads";
}

TEST_F(object_rules, a_new_option_selects_what_it_changes) {
  const std::string build = p.read("CMakeLists.txt");
  const auto with = [&](const std::string& lines) {
    p.write("CMakeLists.txt", build);
    p.replace("CMakeLists.txt", "target_include_directories(", lines + "\ntarget_include_directories(");
    p.configure();
    p.build();
    return p.plan();
  };
  const plan_view idle = with("option(ROUND \"Round\" ON)");
  EXPECT_EQ(idle.selected(), names());
  EXPECT_EQ(idle.notes(), names{"the baseline was measured with other options (ROUND: '(unset)' -> 'ON'); what they "
                                "change is compared"});
  p.replace("src/scale.cpp", "length * 2", "length * FACTOR");
  EXPECT_EQ(with("option(ROUND \"Round\" ON)\ntarget_compile_definitions(shapes PRIVATE FACTOR=2)").selected(),
            names());
  EXPECT_EQ(with("option(ROUND \"Round\" ON)\ntarget_compile_definitions(shapes PRIVATE "
                 "$<IF:$<BOOL:${ROUND}>,FACTOR=3,FACTOR=2>)")
                .selected(),
            (names{"Scale.ByTwo", "Scale.ByZero"}));
  p.replace("CMakeLists.txt", "add_library(shapes", "# The library.\nadd_library(shapes");
  EXPECT_EQ(p.plan().selected(), all_shapes) << "which is not configured";
}

TEST_F(object_rules, a_failure_before_a_new_option_is_not_forgotten) {
  p.write("build/before.xml", "<testsuite><testcase name=\"Area.OfStrip\"><failure/></testcase></testsuite>");
  ASSERT_EQ(p.morph({"record", "build/before.xml"}).out, "recorded 1 verdict, 1 of them failures\n");
  p.replace("CMakeLists.txt", "add_library(shapes", "option(ROUND \"Round\" ON)\nadd_library(shapes");
  p.configure();
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Area.OfStrip"});
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"failed-recently"});
}

TEST_F(object_rules, an_option_from_outside_is_another_configuration) {
  p.configure({"-DROUND=ON"});
  EXPECT_EQ(p.plan().state(), "unmeasured-ran-all");
  EXPECT_NE(p.plan().notes()[0].find("this configuration was not measured (ROUND: "), std::string::npos);
}

TEST_F(object_rules, another_link_line_selects_its_program_and_another_declaration_its_suite) {
  p.replace("CMakeLists.txt", "target_include_directories(",
            "target_link_options(shapes PUBLIC -Wl,--no-relax)\ntarget_include_directories(");
  p.build();
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-code:shapes_tests"});
  p.git({"checkout", "--quiet", "."});
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("CMakeLists.txt", "DATA data/*.txt", "DATA data/*.txt ENVIRONMENT \"UNIT=cm\"");
  p.build();
  EXPECT_EQ(p.plan().selected(), all_shapes);
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-build:geometry"});
}

TEST_F(object_rules, a_new_definition_counts_if_a_library_of_the_system_takes_it) {
  const std::string scale = p.read("src/scale.cpp");
  p.write("src/scale.cpp", scale + "int nobody_calls_it() { return 1; }\n");
  p.build();
  EXPECT_EQ(p.plan().selected(), names());
  p.write("src/scale.cpp", scale + "extern \"C\" char* secure_getenv(const char*) noexcept { return nullptr; }\n");
  p.build();
  EXPECT_EQ(p.plan().selected(), all_shapes) << "libstdc++ asks for it";
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-code:secure_getenv"});
}

TEST_F(object_rules, diff_says_in_words_what_differs_from_what_was_measured) {
  EXPECT_EQ(p.morph({"diff"}).out.find("shapes_tests: 0 of "), 0U) << p.morph({"diff"}).both();
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.replace("tests/shapes_test.cpp", "TEST(Area, OfStrip)", "// Strips.\nTEST(Area, OfStrip)");
  p.build();
  const std::string text = p.morph({"diff"}).out;
  EXPECT_NE(text.find("shapes_tests: 1 of "), std::string::npos) << text;
  EXPECT_NE(text.find("\n  function scale(int): code  [libshapes.a(scale.cpp.o)]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("(numbers of lines that moved)"), std::string::npos) << text;
  const auto said = nlohmann::json::parse(p.morph({"diff", "--json"}).out);
  EXPECT_EQ(said["files"][0]["changes"][0]["symbol"], "_Z5scalei");
  p.remove(".morph/evidence.db");
  EXPECT_EQ(p.morph({"diff"}).exit, 3);
}

// The tests' code holds the paths of their sources, which are longer there.
TEST_F(object_rules, a_build_in_another_folder_is_compared_with_what_was_measured_here) {
  const auto elsewhere = p.root() / ".." / "elsewhere" / "under_a_longer_name" / "project";
  p.git({"clone", "--quiet", p.root().string(), elsewhere.string()});
  project other(elsewhere.lexically_normal(), p.root() / ".." / "home");
  other.configure({"-DMORPH_STORE=" + p.store().string()});
  other.build();
  EXPECT_EQ(rules_of(other.plan()), "object-code");
  EXPECT_EQ(other.plan().selected(), names());
  other.replace("src/shapes.hpp", "// Shapes.", "// Shapes and more.\n// Another line.");
  other.build();
  EXPECT_EQ(other.plan().selected(), names());
  other.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  other.build();
  EXPECT_EQ(rules_of(other.plan()), "object-code");
  EXPECT_EQ(other.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  std::filesystem::remove_all(p.root() / ".." / "elsewhere");
}

TEST_F(object_rules, an_object_that_is_no_longer_one_or_is_missing_costs_its_program) {
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.build();
  const std::string object = "CMakeFiles/shapes_tests.dir/tests/shapes_test.cpp.o";
  const std::string bytes = p.read("build/" + object);
  p.write("build/" + object, "no object");
  p.must_run({"touch", (p.build_dir() / "shapes_tests").string()});
  EXPECT_EQ(p.plan().selected(), all_shapes);
  p.remove("build/" + object);
  EXPECT_EQ(rules_of(p.plan()), "lines");
  EXPECT_EQ(p.plan().selected(), all_shapes);  // nobody knows what the program that is there was made of
  p.write("build/" + object, bytes);
}

}  // namespace
}  // namespace morph::end_to_end
