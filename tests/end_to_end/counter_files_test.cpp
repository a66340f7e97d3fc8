// Measuring where the compiler's own gcov reads the counters, or its llvm-cov: what every compiler gets that Morph was
// not compared with. MORPH_COUNTERS=files chooses it for the compiler that is here.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "plugin/store/store.hpp"
#include "project.hpp"

namespace morph::end_to_end {
namespace {

void write_places(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Places CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_library(places places.cpp started.cpp)
add_library(dynamic SHARED dynamic.cpp)
add_executable(tool tool.cpp)
target_link_libraries(tool places)
add_executable(place_tests place_test.cpp tests_alone.cpp)
target_compile_definitions(place_tests PRIVATE TOOL="$<TARGET_FILE:tool>")
target_link_libraries(place_tests places dynamic GTest::gtest_main)
add_dependencies(place_tests tool)
morph_add_suite(places TARGET place_tests PRODUCTION places dynamic)
add_executable(plain plain.cpp)
target_link_libraries(plain places)
morph_add_suite(plain TARGET plain FRAMEWORK none PRODUCTION places)
)");
  to.write("places.hpp", R"(#pragma once
int left(int x);
int right(int x);
int several(int x);
int only_tool(int x);
int forked(int x);
int lost(int x);
int dynamic(int x);
extern int at_start;
struct with_default {
  int value = 3;
};
int thrown_through(int x);
int with_lambda(int x);
int behind(int x);
int from_table(int x);
int made();
)");
  to.write("places.cpp", R"(#include "places.hpp"
int left(int x) {
  return x + 1;
}

int right(int x) {
  return x + 2;
}

int several(int x) {
  if (x > 100)
    return right(x);
  return x + left(x);
}
int only_tool(int x) { return x; }
int forked(int x) {
  return x;
}
int lost(int x) {
  return x;
}
static int throwing(int x) {
  if (x > 0) throw x;
  return x;
}
int thrown_through(int x) {
  if (x > 2)
    x -= 1;
  if (throwing(x) == 1)
    return 2;
  return 3;
}
int with_lambda(int x) {
  const auto inner = [](int y) {
    return y + 40;
  };
  if (x > 5)
    return inner(x);
  return x + 50;
}
)");
  to.write("started.cpp", R"(#include "places.hpp"
static int make() {
  return 4;
}
int at_start = make();
int behind(int x) {
  return x;
}
int at_start_too = make();
static int (*const table[])(int) = {
  [](int x) {
    return x + 1;
  },
  make() == 4
    ? behind : nullptr,
};
int from_table(int x) {
  return table[1](x);
}
struct with_members {
  with_members() {}
  int get() {
    return value;
  }
  int value = make();
};
int made() {
  return with_members().value + with_members().get();
}
)");
  to.write("dynamic.cpp",
           "#include \"places.hpp\"\nint dynamic(int x) {\n  return x;\n}\nint unused(int x) {\n  return -x;\n}\n");
  to.write("tool.cpp", "#include \"places.hpp\"\nint main() {\n  return only_tool(0);\n}\n");
  to.write("plain.cpp", "#include \"places.hpp\"\nint main() {\n  return right(-2);\n}\n");
  to.write("tests_alone.cpp", R"(#include <gtest/gtest.h>
static bool is_installed = setenv("INSTALLED", "1", 1) == 0;
TEST(Alone, Installs) {
  EXPECT_TRUE(is_installed);
}
)");
  to.write("place_test.cpp", R"(#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "places.hpp"
TEST(Place, Left) {
  EXPECT_EQ(left(1), 2);
}
TEST(Place, Right) {
  EXPECT_EQ(right(1), 3);
}
TEST(Place, Several) {
  EXPECT_EQ(several(1) + with_default().value, 6);
}
TEST(Place, Dynamic) {
  EXPECT_EQ(dynamic(1), 1);
}
TEST(Place, Tool) {
  unsetenv("MORPH_NOTHING");
  EXPECT_EQ(system(TOOL), 0);
}
TEST(Place, ForksAndExits) {
  if (fork() == 0) exit(forked(0));
  EXPECT_GT(wait(nullptr), 0);
}
TEST(Place, ForksAndLosesIt) {
  if (fork() == 0) _exit(lost(0));
  EXPECT_GT(wait(nullptr), 0);
}
TEST(Place, ToolWithoutEnvironment) {
  EXPECT_EQ(system("env -i " TOOL), 0);
}
TEST(Place, UnsetsItsEnvironment) {
  clearenv();
  EXPECT_EQ(right(1), 3);
}
TEST(Place, Throws) {
  EXPECT_THROW(thrown_through(1), int);
}
TEST(Place, Lambda) {
  EXPECT_EQ(with_lambda(1), 51);
}
TEST(Place, Started) {
  EXPECT_EQ(behind(1) + from_table(1) + made(), 10);
}
TEST(Place, LeavesEarly) {
  if (left(1) == 2) _exit(0);
}
TEST(Place, Exits) {
  if (left(1) == 2) exit(0);
}
)");
}

workspace& measured_places() {
  static workspace measured(write_places, {"-DMORPH_COUNTERS=files"});
  return measured;
}

class counter_files : public testing::Test {
 protected:
  counter_files() : p(measured_places().here()) { measured_places().restore(); }
  project& p;
};

const names always{"Place.Exits", "Place.ForksAndLosesIt", "Place.LeavesEarly", "Place.ToolWithoutEnvironment"};

names with_always(names of) {
  of.insert(of.end(), always.begin(), always.end());
  return sorted(std::move(of));
}

TEST_F(counter_files, a_process_that_did_not_write_its_counters_makes_the_test_run_always) {
  p.write("README", "nothing\n");
  const auto plan = p.plan();
  for (const auto& test : always) EXPECT_FALSE(plan.reasons(test).empty()) << test;
  EXPECT_EQ(plan.reasons("Place.ForksAndLosesIt"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.reasons("Place.ToolWithoutEnvironment"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.reasons("Place.LeavesEarly"), names{"incomplete-evidence"});
  EXPECT_EQ(plan.reasons("Place.Exits"), names{"incomplete-evidence"});
}

TEST_F(counter_files, a_change_inside_a_function_selects_the_tests_that_ran_it) {
  p.replace("places.cpp", "  return x + 2;", "  return 2 + x;");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Right", "Place.UnsetsItsEnvironment", "plain"}));
  measured_places().restore();
  p.replace("places.cpp", "int forked(int x) {\n  return x;", "int forked(int x) {\n  return x + 0;");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.ForksAndExits"}));
  measured_places().restore();
  p.replace("dynamic.cpp", "  return x;", "  return x + 0;");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Dynamic"})) << p.morph({"plan", "--why", "Place.Left"}).out;
}

// gcov shows some lines of expressions over several lines so, though a part of them ran.
TEST_F(counter_files, a_line_that_gcov_shows_as_not_executed_counts_with_its_function) {
  p.replace("places.cpp", "return right(x);", "return 1 * right(x);");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Several"}));
}

// llvm-cov does not say so of what Clang compiles as it would without Morph.
TEST_F(counter_files, a_function_that_its_callee_left_was_executed) {
  p.replace("places.cpp", "  if (throwing(x) == 1)", "  if (1 == throwing(x))");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Throws"}));
}

TEST_F(counter_files, a_function_goes_on_behind_a_lambda) {
  p.replace("places.cpp", "return x + 50;", "return 50 + x;");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Lambda"}));
}

TEST_F(counter_files, a_change_outside_of_functions_selects_every_test_that_loads_the_unit) {
  const names everything = p.plan({"--policy", "all"}).selected();
  ASSERT_EQ(everything.size(), 16U);
  names of_program = everything;
  std::erase(of_program, "plain");
  const std::pair<std::string, std::string> of_all[] = {{"places.hpp", "  int value = 3;"},
                                                        {"places.cpp", "int only_tool("}},
                                            of_one[] = {{"started.cpp", "int at_start = make();"},
                                                        {"started.cpp", "int at_start_too = make();"},
                                                        {"started.cpp", "  make() == 4"},
                                                        {"started.cpp", "  int value = make();"},
                                                        {"tests_alone.cpp", "static bool is_installed"}};
  const auto expect_selected = [&](const auto& changes, const names& selected) {
    for (const auto& [file, line] : changes) {
      p.replace(file, line, "/**/" + line);
      EXPECT_EQ(p.plan().selected(), selected) << line;
      measured_places().restore();
    }
  };
  expect_selected(of_all, everything);
  expect_selected(of_one, of_program);
}

TEST_F(counter_files, a_changed_test_selects_itself) {
  p.replace("place_test.cpp", "EXPECT_EQ(left(1), 2);", "EXPECT_EQ(2, left(1));");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Left"}));
  measured_places().restore();
  p.replace("place_test.cpp", "TEST(Place, Left) {", "TEST(Place, Left) { /**/");
  EXPECT_EQ(p.plan().selected(), with_always({"Place.Left"}));
}

TEST_F(counter_files, it_is_said_aloud) {
  const auto measured = p.try_measure({"--fresh"});
  EXPECT_EQ(measured.exit, 0);
  EXPECT_NE(measured.err.find("are read by its own gcov: every test runs in a process of its own"), std::string::npos)
      << measured.err;
  const auto doctor = p.morph({"doctor"});
  EXPECT_NE(doctor.out.find("are read by its own gcov: measuring is slower"), std::string::npos) << doctor.out;
}

TEST_F(counter_files, an_llvm_cov_that_misses_functions_is_not_asked) {
  if (tested_compiler().find("clang") == std::string::npos) GTEST_SKIP() << "not run: gcov is not tried";
  // As if Clang counted no more what it counts today.
  const std::string without = "-DCMAKE_CXX_FLAGS=-DMORPH_RUNTIME_CLANG_ARCS_H";
  p.configure({without});
  finished end = p.try_measure({});
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("was compiled without the options of the twin"), std::string::npos) << end.err;
  p.write("build/fork.h", "#include <unistd.h>\n__attribute__((used)) static pid_t (*const keep)() = fork;\n");
  p.configure({without + " -include " + (p.build_dir() / "fork.h").string()});
  end = p.try_measure({});
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("cannot be relied on: it calls 4 functions of "), std::string::npos) << end.err;
  p.configure({"-DCMAKE_CXX_FLAGS="});
}

// ---- notes that are not what they were: gcov tells too little of them, without a word

class counter_file_notes : public counter_files {
 protected:
  std::filesystem::path notes() const {
    return p.build_dir() / "morph-twin/coverage/CMakeFiles/dynamic.dir/dynamic.cpp.gcno";
  }
  /// All tests whose program has loaded the code.
  void make_their_tests_run_always(const std::string& why) const {
    const finished end = p.try_measure({"--fresh"});
    EXPECT_EQ(end.exit, 0) << end.both();
    EXPECT_NE(end.out.find("measured 16 of 16 tests"), std::string::npos) << end.out;
    EXPECT_NE(end.err.find(notes().string()), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(why), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("until then, tests that run this code always run"), std::string::npos) << end.err;
    names all = p.plan({"--policy", "all"}).selected();
    std::erase(all, "plain");
    EXPECT_EQ(p.plan().selected(), all);
  }
};

TEST_F(counter_file_notes, that_are_missing) {
  std::filesystem::remove(notes());
  make_their_tests_run_always("No such file");
}

TEST_F(counter_file_notes, that_are_cut_off) {
  write_bytes(notes(), read_bytes(notes()).substr(0, 108));
  make_their_tests_run_always("are damaged near byte");
}

TEST_F(counter_file_notes, that_lack_a_function) {
  const std::string bytes = read_bytes(notes());
  constexpr std::size_t before_symbol = 6 * sizeof(std::uint32_t);  // in the record of a function
  write_bytes(notes(), bytes.substr(0, std::max(bytes.find("_Z7dynamici"), bytes.find("_Z6unusedi")) - before_symbol));
  make_their_tests_run_always("lack a function");
}

TEST_F(counter_file_notes, of_another_compilation) {
  std::string bytes = read_bytes(notes());
  bytes[8] = static_cast<char>(bytes[8] + 1);
  write_bytes(notes(), bytes);
  make_their_tests_run_always("the stamp is ");
}

/// Test -> what it executed with its program's start.
struct row {
  std::set<std::string> lines, functions;
  bool incomplete = false;
};
std::map<std::string, row> newest_rows(const project& p) {
  auto opened = store::evidence_store::open_for_reading(p.store().string());
  if (!opened || !*opened) throw std::runtime_error("no store");
  const auto measurements = (*opened)->measurements().value();
  const auto newest = std::max_element(measurements.begin(), measurements.end(),
                                       [](const auto& a, const auto& b) { return a.id < b.id; });
  const auto e = (*opened)->load(newest->id).value();
  std::map<std::string, row> rows;
  const auto add = [&](const store::measured_test& test, store::element x) {
    const auto kind = store::kind_of(x);
    if (kind == optimizer::requirement_kind::line)
      rows[test.name].lines.insert(e.files[store::owner_of(x)] + ":" + std::to_string(store::number_of(x)));
    if (kind == optimizer::requirement_kind::function && !e.functions[store::number_of(x)].artificial)
      rows[test.name].functions.insert(e.functions[store::number_of(x)].symbol);
  };
  for (const auto& c : e.classes)
    for (const auto x : c.elements)
      for (const auto t : c.tests)
        for (const auto& test : e.tests)
          if (!test.is_startup() &&
              (&test == &e.tests[t] || (e.tests[t].is_startup() && e.tests[t].program == test.program)))
            add(test, x);
  for (const auto& test : e.tests)
    if (!test.is_startup()) rows[test.name].incomplete = test.is_doubtful();
  return rows;
}

TEST_F(counter_files, a_row_has_the_functions_of_one_that_morph_reads_and_at_least_its_lines) {
  const auto files = newest_rows(p);
  p.configure({"-DMORPH_COUNTERS=auto"});
  p.must_run(p.morph_command({"measure", "--fresh"}));
  const auto memory = newest_rows(p);
  ASSERT_EQ(files.size(), 16U);
  for (const auto& [name, row] : files) {
    if (row.incomplete) continue;
    const auto& other = memory.at(name);
    EXPECT_EQ(row.functions, other.functions) << name;
    // What initializes is outside of functions: with files it is no executable line.
    std::set<std::string> missing;
    std::set_difference(other.lines.begin(), other.lines.end(), row.lines.begin(), row.lines.end(),
                        std::inserter(missing, missing.end()));
    for (const char* initializer :
         {"started.cpp:5", "started.cpp:9", "started.cpp:10", "started.cpp:14", "started.cpp:15", "started.cpp:16",
          "started.cpp:25", "places.hpp:10", "places.hpp:11", "tests_alone.cpp:2"})
      missing.erase(initializer);
    EXPECT_EQ(missing, std::set<std::string>()) << name;
  }
}

}  // namespace
}  // namespace morph::end_to_end
