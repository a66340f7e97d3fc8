// Which tests run by their own rows when a build has several programs, libraries, and targets that make other files.
#include <fstream>

#include "learned_shapes.hpp"

namespace morph::end_to_end {
namespace {

class learning_builds : public learned_shapes {};

TEST_F(learning_builds, an_archive_that_nobody_links_concerns_who_opens_it) {
  p.replace("CMakeLists.txt", "add_executable(shapes_tests",
            "add_library(spare STATIC src/area.cpp)\nadd_executable(shapes_tests");
  run_after_build();
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : width * height");
  EXPECT_EQ(run_after_build(), area_tests);

  p.replace("tests/reads_test.cpp", "TESTS \"/../../outside.txt\"", "\"libspare.a\"");
  run_after_build();
  p.replace("src/area.cpp", "width == 7", "width == 8");
  EXPECT_EQ(run_after_build(), sorted({"Area.OfSquare", "Area.OfStrip", "Reads.Outside"}));
}

TEST_F(learning_builds, main_of_a_program_that_no_test_starts_concerns_none) {
  const auto program = [&](const std::string& name, const std::string& prints) {
    p.write("src/" + name + ".cpp", "#include <cstdio>\nstatic void say() { std::puts(\"" + prints +
                                        "\"); }\nint main() {\n  say();\n  return 0;\n}\n");
  };
  program("started", "one");
  program("tool", "two");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_executable(tool src/tool.cpp)
add_executable(started src/started.cpp)
add_test(NAME started COMMAND started)
morph_adopt_tests(NAME others)
)");
  run_after_build();
  program("tool", "version two");
  EXPECT_EQ(run_after_build(), names());
  p.replace("src/tool.cpp", "return 0", "return 1");
  EXPECT_EQ(run_after_build(), names());
  for (int i = 0; i < 2; ++i) {
    p.replace("src/started.cpp", "say();", "say(), say();");
    EXPECT_EQ(run_after_build(), names{"started"});
  }
  // What a test starts is one of its own.
  p.replace("CMakeLists.txt", "COMMAND started", "COMMAND started $<TARGET_FILE:tool>");
  p.replace("src/started.cpp", "int main() {", "#include <cstdlib>\nint main(int, char** c) {\n  std::system(c[1]);");
  EXPECT_EQ(run_after_build(), names{"started"});
  p.replace("src/tool.cpp", "return 1", "return 2");
  EXPECT_EQ(run_after_build(), names{"started"});
}

TEST_F(learning_builds, tests_of_programs_that_are_equal_execute_the_sources_of_both) {
  for (const char* source : {"left/main.cpp", "right/main.cpp"})
    p.write(source,
            "#include <cstdlib>\n"
            "__attribute__((noinline)) int one(int x) { return x + 3; }\n"
            "__attribute__((noinline)) int two(int x) { return x + 5; }\n"
            "int main(int c, char** v) { return std::atoi(v[1]) == 1 ? one(c) != 5 : two(c) != 7; }\n");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
foreach(side left right)
  add_executable(${side}_program ${side}/main.cpp)
  target_compile_options(${side}_program PRIVATE -g0)
  foreach(test 1 2)
    add_test(NAME ${side}.${test} COMMAND ${side}_program ${test})
  endforeach()
endforeach()
morph_adopt_tests(NAME others)
)");
  run_after_build();
  ASSERT_TRUE(read_bytes(p.build_dir() / "left_program") == read_bytes(p.build_dir() / "right_program"));
  p.replace("right/main.cpp", "x + 3", "x == 9 ? 0 : x + 3");
  EXPECT_EQ(run_after_build(), (names{"left.1", "right.1"}));
  p.replace("left/main.cpp", "x + 5", "x == 9 ? 0 : x + 5");
  EXPECT_EQ(run_after_build(), (names{"left.2", "right.2"}));
  // Each has rows of its own by now.
  p.replace("left/main.cpp", "x + 3", "x == 8 ? 0 : x + 3");
  EXPECT_EQ(run_after_build(), names{"left.1"});
}

TEST_F(learning_builds, another_copy_that_one_program_takes_concerns_no_test_of_another) {
  p.write("tests/pick.hpp", "inline int pick() {\n#ifdef SECOND\n  return 2;\n#else\n  return 1;\n#endif\n}\n");
  p.write("tests/picks.cpp", "#include \"pick.hpp\"\nint picks() {\n  return pick();\n}\n");
  const std::string text = "int picks();\nint main() {\n  return picks() > 0 ? 0 : 1;\n}\n";
  p.write("tests/first.cpp", text);
  p.write("tests/second.cpp", text);
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_library(picks STATIC tests/picks.cpp)
foreach(name first second)
  add_executable(${name} tests/${name}.cpp)
  target_link_libraries(${name} picks)
  morph_add_suite(${name} TARGET ${name} FRAMEWORK none)
endforeach()
target_compile_definitions(second PRIVATE SECOND)
)");
  p.configure();
  run_after_build();
  EXPECT_EQ(run(), names());
  p.write("tests/second.cpp", "#include \"pick.hpp\"\n" + text + "int own() {\n  return pick();\n}\n");
  EXPECT_EQ(run_after_build(), names{"second"});
  p.replace("tests/picks.cpp", "return pick()", "return pick() + 1");
  EXPECT_EQ(run_after_build(), (names{"first", "second"}));
}

TEST_F(learning_builds, a_library_of_several_programs_concerns_who_executes_it_in_any) {
  p.write("tests/core.cpp", "int core(int x) {\n  return x + 1;\n}\n");
  p.write("tests/uses_core.cpp",
          "int core(int);\nconst char* name = NAME;\nint main() {\n  return core(1) == 2 ? 0 : 1;\n}\n");
  p.write("tests/starts.cpp", "#include <cstdlib>\nint main() {\n  return std::system(TOOL);\n}\n");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_library(core STATIC tests/core.cpp)
foreach(name first tool second)
  add_executable(${name} tests/uses_core.cpp)
  target_link_libraries(${name} core)
  target_compile_definitions(${name} PRIVATE NAME="${name}")
endforeach()
add_executable(starts tests/starts.cpp)
target_compile_definitions(starts PRIVATE TOOL="$<TARGET_FILE:tool>")
add_dependencies(starts tool)
morph_add_suite(first TARGET first FRAMEWORK none)
morph_add_suite(starts TARGET starts FRAMEWORK none)
add_test(NAME adopted COMMAND second)
morph_adopt_tests()
)");
  p.configure();
  run_after_build();
  EXPECT_EQ(run(), names());
  p.replace("tests/core.cpp", "x + 1", "x == 9 ? 0 : x + 1");
  EXPECT_EQ(run_after_build(), (names{"adopted", "first", "starts"}));
  EXPECT_EQ(run(), names());
}

TEST_F(learning_builds, a_source_that_a_formatter_alone_names_concerns_none) {
  p.write("examples/first.cpp", "int main() {}\n");
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_custom_target(format COMMAND cmake -E cat ${CMAKE_SOURCE_DIR}/examples/first.cpp)
)");
  run_after_build();
  p.write("examples/first.cpp", "int main() { return 1; }\n");
  p.build();
  EXPECT_EQ(run(), names());
  // What another target waits for may make what that one needs.
  p.replace("CMakeLists.txt", "add_custom_target(format COMMAND",
            "add_executable(spare EXCLUDE_FROM_ALL src/area.cpp)\nadd_dependencies(spare format)\n"
            "add_custom_target(format COMMAND");
  run_after_build();
  p.write("examples/first.cpp", "int main() { return 3; }\n");
  EXPECT_EQ(run_after_build().size(), 9U);
  p.replace("CMakeLists.txt", "add_dependencies(spare format)\n", "");
  run_after_build();
  p.write("examples/first.cpp", "int main() { return 4; }\n");
  EXPECT_EQ(run_after_build(), names());
  // A build of everything runs it: what it makes, nobody says.
  p.replace("CMakeLists.txt", "add_custom_target(format COMMAND", "add_custom_target(format ALL COMMAND");
  run_after_build();
  p.write("examples/first.cpp", "int main() { return 2; }\n");
  EXPECT_EQ(run_after_build().size(), 9U);
}

TEST_F(learning_builds, what_a_target_on_demand_copies_concerns_who_opens_it) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_custom_target(copy COMMAND cmake -E copy ${CMAKE_SOURCE_DIR}/src/area.cpp copy.txt)
)");
  p.replace("tests/reads_test.cpp", "TESTS \"/../../outside.txt\"", "\"copy.txt\"");
  std::ofstream(p.build_dir() / "copy.txt") << p.read("src/area.cpp");
  run_after_build();
  EXPECT_EQ(run(), names());
  p.replace("src/area.cpp", "width * height", "width * height /* and nothing else */");
  EXPECT_EQ(run_after_build(), names{"Reads.Outside"});
}

TEST_F(learning_builds, a_shared_library_with_a_version_concerns_who_enters_what_changed) {
  p.replace("CMakeLists.txt", "add_library(shapes src/area.cpp src/scale.cpp)",
            "add_library(shapes SHARED src/area.cpp src/scale.cpp)\n"
            "set_target_properties(shapes PROPERTIES VERSION 1.2.3 SOVERSION 1)");
  run_after_build();
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : width * height");
  EXPECT_EQ(run_after_build(), area_tests);
  EXPECT_EQ(run(), names());

  p.replace("CMakeLists.txt", "VERSION 1.2.3", "VERSION 1.3.0");
  EXPECT_EQ(run_after_build(), names());
  p.replace("CMakeLists.txt", "VERSION 1.3.0", "VERSION 1.3.1");
  p.replace("src/area.cpp", "width == 7", "width == 8");
  EXPECT_EQ(run_after_build(), area_tests);
  // What programs look for is another file.
  p.replace("CMakeLists.txt", "SOVERSION 1", "SOVERSION 2");
  EXPECT_EQ(run_after_build().size(), 9U);
}

TEST_F(learning_builds, programs_that_are_optimized_in_the_linker_are_compared_as_a_whole) {
  p.configure({"-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"});
  EXPECT_EQ(run_after_build().size(), 9U);
  EXPECT_EQ(run(), names());
  p.replace("src/area.cpp", "width * height", "width * height /* and nothing else */");
  EXPECT_EQ(run_after_build(), names());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : width * height");
  EXPECT_EQ(run_after_build(), sorted(all_shapes));
  EXPECT_EQ(run(), names());
  EXPECT_NE(p.morph({"doctor"}).out.find("every test of 'shapes_tests' runs when it differs"), std::string::npos);
  p.replace("CMakeLists.txt", "add_library(shapes src", "add_library(shapes SHARED src");
  EXPECT_EQ(run_after_build().size(), 9U);
  EXPECT_EQ(run().size(), 9U);
  EXPECT_NE(p.morph({"doctor"}).out.find("becomes code only in the linker; no run is recorded"), std::string::npos);
}

}  // namespace
}  // namespace morph::end_to_end
