// What is reached past the objects of a program: members of static libraries that others want, names found by a string,
// the order in which objects start.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_units(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Units CXX)
set(CMAKE_CXX_STANDARD 17)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(parts STATIC hook.cpp forced.cpp unused.cpp)
add_library(engine SHARED engine.cpp)
add_library(plugin MODULE plugin.cpp)
add_library(one STATIC one.cpp)
add_library(two STATIC two.cpp)
add_library(scripted SHARED scripted.cpp)
target_link_options(scripted PRIVATE LINKER:--version-script=${CMAKE_SOURCE_DIR}/scripted.map)
set_target_properties(scripted PROPERTIES LINK_DEPENDS ${CMAKE_SOURCE_DIR}/scripted.map)
foreach(name calls forced finds exports starts wraps moves scripts unites)
  add_executable(${name} ${name}_test.cpp)
  target_link_libraries(${name} GTest::gtest_main ${CMAKE_DL_LIBS})
endforeach()
target_link_libraries(calls engine parts)
target_link_libraries(forced parts)
target_link_options(forced PRIVATE LINKER:--undefined=forced_value)
target_compile_definitions(finds PRIVATE PLUGIN="$<TARGET_FILE:plugin>")
add_dependencies(finds plugin)
target_sources(exports PRIVATE names.cpp)
set_target_properties(exports PROPERTIES ENABLE_EXPORTS ON)
target_sources(starts PRIVATE first.cpp second.cpp)
target_link_options(wraps PRIVATE LINKER:--defsym=table=table_of_two LINKER:--wrap=wrapped)
target_sources(wraps PRIVATE tables.cpp)
target_link_libraries(moves one two)
target_link_libraries(scripts scripted)
target_sources(unites PRIVATE piece_a.cpp piece_b.cpp)
set_target_properties(unites PROPERTIES UNITY_BUILD ON)
target_precompile_headers(unites PRIVATE pieces.hpp)
morph_add_suite(units TARGET calls forced finds exports starts wraps moves scripts unites)
)");
  to.write("hook.cpp", "extern \"C\" int hook() {\n  return 3;\n}\n");
  to.write("forced.cpp",
           "#include <cstdlib>\nextern \"C\" {\nint forced_value = ::setenv(\"FORCED\", \"yes\", 1);\n}\n");
  to.write("unused.cpp", "int unused() {\n  return 1;\n}\n");
  to.write("engine.cpp", "extern \"C\" int hook();\nint engine() {\n  return hook();\n}\n");
  to.write("plugin.cpp", "extern \"C\" int plugin_value() {\n  return 1;\n}\n");
  to.write("calls_test.cpp",
           "#include <gtest/gtest.h>\nint engine();\nTEST(Engine, Calls) { EXPECT_EQ(engine(), 3); }\n"
           "TEST(Engine, Beside) { EXPECT_EQ(1, 1); }\n");
  to.write("forced_test.cpp",
           "#include <gtest/gtest.h>\n#include <cstdlib>\n"
           "TEST(Forced, IsSet) { EXPECT_STREQ(std::getenv(\"FORCED\"), \"yes\"); }\n");
  to.write("finds_test.cpp", R"(#include <dlfcn.h>
#include <gtest/gtest.h>
TEST(Plugin, Value) {
  void* plugin = dlopen(PLUGIN, RTLD_NOW);
  ASSERT_NE(plugin, nullptr);
  auto value = reinterpret_cast<int (*)()>(dlsym(plugin, "plugin_value"));
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(value(), 1);
}
TEST(Plugin, Extra) { EXPECT_EQ(dlsym(dlopen(PLUGIN, RTLD_NOW), "plugin_extra"), nullptr); }
)");
  to.write("exports_test.cpp", R"(#include <dlfcn.h>
#include <gtest/gtest.h>
TEST(Exports, Early) { EXPECT_NE(dlsym(dlopen(nullptr, RTLD_NOW), "early"), nullptr); }
TEST(Exports, Late) { EXPECT_EQ(dlsym(dlopen(nullptr, RTLD_NOW), "late"), nullptr); }
)");
  to.write("names.cpp", "extern \"C\" int early() {\n  return 1;\n}\nextern \"C\" int other() {\n  return 2;\n}\n");
  to.write("starts_test.cpp",
           "#include <gtest/gtest.h>\nextern int counter;\nextern int first, second;\n"
           "int counter = 0;\nTEST(Starts, InOrder) { EXPECT_LT(first, second); }\n");
  to.write("first.cpp", "extern int counter;\nextern int first;\nint first = ++counter;\n");
  to.write("tables.cpp",
           "extern \"C\" {\nextern const int table_of_one, table_of_two;\nconst int table_of_one = 1;\n"
           "const int table_of_two = 2;\nint wrapped() {\n  return 1;\n}\n}\n");
  to.write("wraps_test.cpp",
           "#include <gtest/gtest.h>\nextern \"C\" {\nextern const int table;\nint wrapped();\n"
           "int __real_wrapped();\nint __wrap_wrapped() { return __real_wrapped() + 1; }\n}\n"
           "TEST(Wraps, Table) { EXPECT_EQ(table, 2); }\nTEST(Wraps, Function) { EXPECT_EQ(wrapped(), 2); }\n"
           "TEST(Wraps, Beside) { EXPECT_EQ(1, 1); }\n");
  to.write("one.cpp", "int unused_one() {\n  return 1;\n}\n");
  to.write("two.cpp", "int moved() {\n  return 2;\n}\nextern const int shade;\nconst int shade = 2;\n");
  to.write("moves_test.cpp",
           "#include <gtest/gtest.h>\nint moved();\nextern const int shade;\n"
           "TEST(Moves, Function) { EXPECT_EQ(moved(), 2); }\nTEST(Moves, Data) { EXPECT_EQ(shade, 2); }\n"
           "TEST(Moves, Beside) { EXPECT_EQ(1, 1); }\n");
  to.write("scripted.cpp", "int scripted() {\n  return 1;\n}\nextern \"C\" int inner() {\n  return 1;\n}\n");
  to.write("scripted.map", "{ global: *; };\n");
  to.write("scripts_test.cpp",
           "#include <dlfcn.h>\n#include <gtest/gtest.h>\nint scripted();\n"
           "TEST(Scripts, Calls) { EXPECT_EQ(scripted(), 1); }\n"
           "TEST(Scripts, Finds) { EXPECT_NE(dlsym(RTLD_DEFAULT, \"inner\"), nullptr); }\n");
  to.write("pieces.hpp",
           "#pragma once\n#include <gtest/gtest.h>\ninline int piece() {\n  return 1;\n}\n"
           "constexpr int limit = 5;\nint a();\nint b();\n");
  to.write("piece_a.cpp", "#include \"pieces.hpp\"\nint a() {\n  return limit;\n}\n");
  to.write("piece_b.cpp", "#include \"pieces.hpp\"\nint b() {\n  return piece();\n}\n");
  to.write("unites_test.cpp",
           "#include \"pieces.hpp\"\nTEST(Unites, A) { EXPECT_EQ(a(), 5); }\n"
           "TEST(Unites, B) { EXPECT_EQ(b(), 1); }\nTEST(Unites, Beside) { EXPECT_EQ(1, 1); }\n");
  to.write("second.cpp", "extern int counter;\nextern int second;\nint second = ++counter;\n");
}

class other_units : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<workspace>(write_units); }
  static void TearDownTestSuite() { shared.reset(); }
  void TearDown() override { shared->restore(); }
  names selected() {
    p.build();
    return p.plan().selected();
  }
  static std::unique_ptr<workspace> shared;
  project& p = shared->here();
};
std::unique_ptr<workspace> other_units::shared;

const names of_finds{"Plugin.Extra", "Plugin.Value"}, of_exports{"Exports.Early", "Exports.Late"};

bool has_all(const names& found, const names& wanted) {
  return std::all_of(wanted.begin(), wanted.end(), [&](const std::string& name) {
    return std::find(found.begin(), found.end(), name) != found.end();
  });
}

TEST_F(other_units, a_member_that_only_a_shared_library_wants) {
  p.replace("hook.cpp", "return 3", "return 4");
  EXPECT_EQ(selected(), names{"Engine.Calls"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_member_that_only_an_option_wants) {
  p.replace("forced.cpp", "yes", "no");
  EXPECT_EQ(selected(), names{"Forced.IsSet"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_member_that_nobody_wants) {
  p.replace("unused.cpp", "return 1", "return 2");
  EXPECT_EQ(selected(), names());
}

TEST_F(other_units, a_shared_library_that_wants_another_member) {
  p.replace("engine.cpp", "int engine() {", "extern \"C\" int forced_value;\nint engine() {");
  p.replace("engine.cpp", "return hook()", "return hook() + forced_value");
  EXPECT_TRUE(has_all(selected(), {"Engine.Beside", "Engine.Calls"})) << "what runs before main()";
}

TEST_F(other_units, a_name_that_a_plugin_defines_from_now_on) {
  p.write("plugin.cpp", p.read("plugin.cpp") + "extern \"C\" int plugin_extra() {\n  return 1;\n}\n");
  EXPECT_TRUE(has_all(selected(), of_finds));
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_name_that_a_plugin_hides) {
  p.replace("plugin.cpp", "extern \"C\" int", "extern \"C\" __attribute__((visibility(\"hidden\"))) int");
  EXPECT_TRUE(has_all(selected(), of_finds));
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_name_that_a_plugin_offers_from_now_on) {
  const std::string hidden =
      "extern \"C\" __attribute__((visibility(\"hidden\"))) int plugin_extra() {\n  return 1;\n}\n";
  p.write("plugin.cpp", p.read("plugin.cpp") + hidden);
  p.commit("a hidden name");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("plugin.cpp", "__attribute__((visibility(\"hidden\"))) ", "");
  EXPECT_TRUE(has_all(selected(), of_finds));
}

TEST_F(other_units, a_name_that_a_program_exports_from_now_on) {
  p.write("names.cpp", p.read("names.cpp") + "extern \"C\" int late() {\n  return 1;\n}\n");
  EXPECT_EQ(selected(), of_exports);
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_name_that_a_program_exports_no_more) {
  p.write("names.cpp", "extern \"C\" int other() {\n  return 2;\n}\n");
  EXPECT_EQ(selected(), of_exports);
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_name_that_nobody_looks_for) {
  p.write("names.cpp",
          "extern \"C\" int early() {\n  return 1;\n}\nextern \"C\" int other() {\n  return 2;\n}\n"
          "int mangled() {\n  return 1;\n}\n");
  EXPECT_EQ(selected(), names()) << "nobody looks for names of C++";
}

TEST_F(other_units, objects_that_start_in_another_order) {
  p.replace("CMakeLists.txt", "first.cpp second.cpp", "second.cpp first.cpp");
  EXPECT_EQ(selected(), names{"Starts.InOrder"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, data_under_a_name_that_the_linker_gives) {
  p.replace("tables.cpp", "table_of_two = 2", "table_of_two = 3");
  EXPECT_EQ(selected(), names{"Wraps.Table"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_function_behind_its_wrapper) {
  p.replace("tables.cpp", "return 1", "return 5");
  EXPECT_EQ(selected(), names{"Wraps.Function"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_function_in_another_static_library) {
  p.write("one.cpp", "int moved() {\n  return 2;\n}\n");
  p.write("two.cpp", "extern const int shade;\nconst int shade = 2;\n");
  EXPECT_FALSE(has_all(selected(), {"Moves.Data"}));
  p.replace("one.cpp", "return 2", "return 4");
  EXPECT_TRUE(has_all(selected(), {"Moves.Function"}));
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

// The first library that defines a name wins.
TEST_F(other_units, data_in_another_static_library) {
  p.write("one.cpp", "extern const int shade;\nconst int shade = 7;\nint moved() {\n  return 2;\n}\n");
  EXPECT_TRUE(has_all(selected(), {"Moves.Data"}));
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_version_script_that_hides_a_name) {
  p.write("scripted.map", "{ global: _Z*; local: *; };\n");
  EXPECT_TRUE(has_all(selected(), {"Scripts.Finds"}));
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, an_option_that_binds_names_within_a_library) {
  p.replace("CMakeLists.txt", "target_link_options(scripted PRIVATE ",
            "target_link_options(scripted PRIVATE LINKER:-Bsymbolic ");
  EXPECT_TRUE(has_all(selected(), {"Scripts.Calls", "Scripts.Finds"}));
}

TEST_F(other_units, sources_that_are_compiled_as_one_with_a_precompiled_header) {
  p.replace("piece_b.cpp", "return piece()", "return piece() + 1");
  EXPECT_EQ(selected(), names{"Unites.B"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(other_units, a_constant_in_a_precompiled_header) {
  p.replace("pieces.hpp", "limit = 5", "limit = 6");
  EXPECT_EQ(selected(), names{"Unites.A"});
  EXPECT_NE(p.ctest({"-L", "morph"}).exit, 0);
}

}  // namespace
}  // namespace morph::end_to_end
