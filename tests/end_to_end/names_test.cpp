// The tests' names, and the other ways to come by Morph: Makefiles, no Morph at all, its sources in the project.
#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <set>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

const char* const cases = R"(#include <gtest/gtest.h>

TEST(Plain, Works) {}
TEST(Plain, DISABLED_Later) {}
TEST(DISABLED_All, Later) {}

class Numbers : public testing::TestWithParam<int> {};
TEST_P(Numbers, AreSmall) {
  EXPECT_LT(GetParam(), 100);
}
TEST_P(Numbers, DISABLED_AreLarge) {}
INSTANTIATE_TEST_SUITE_P(Few, Numbers, testing::Values(1, 22, 3));
INSTANTIATE_TEST_SUITE_P(Named, Numbers, testing::Values(4, 5), [](const testing::TestParamInfo<int>& info) {
  return std::string("Number") + std::to_string(info.param);
});

class Words : public testing::TestWithParam<const char*> {};
TEST_P(Words, AreWords) {}
INSTANTIATE_TEST_SUITE_P(, Words, testing::Values("one two", "a;b", "with \"quotes\"", "#1 $HOME", "back\\slash", "[brackets]", "caf\u00e9", ""));

template <class T>
class Typed : public testing::Test {};
using types = testing::Types<int, unsigned long, std::pair<int, char>>;
TYPED_TEST_SUITE(Typed, types);
TYPED_TEST(Typed, HasAType) {}

struct in_words {
  template <class T>
  static std::string GetName(int number) {
    return "Type" + std::to_string(number);
  }
};
template <class T>
class Worded : public testing::Test {};
TYPED_TEST_SUITE(Worded, types, in_words);
TYPED_TEST(Worded, HasAType) {}

template <class T>
class Pattern : public testing::Test {};
TYPED_TEST_SUITE_P(Pattern);
TYPED_TEST_P(Pattern, Fits) {}
REGISTER_TYPED_TEST_SUITE_P(Pattern, Fits);
INSTANTIATE_TYPED_TEST_SUITE_P(My, Pattern, types);
)";

/// One program, registered by morph_add_suite() or by gtest_discover_tests().
void write_cases(const project& to, const std::string& affixes) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Cases CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(cases cases.cpp)
target_link_libraries(cases GTest::gtest_main)
if(BY_DISCOVERY)
  include(GoogleTest)
  gtest_discover_tests(cases )" + affixes +
                                 R"()
else()
  morph_add_suite(all TARGET cases )" +
                                 affixes + R"()
endif()
)");
  to.write("cases.cpp", cases);
}

struct listing {
  names of;
  names disabled;
  names places;  // CMake 4.2 and newer
  bool operator==(const listing&) const = default;
};

std::ostream& operator<<(std::ostream& out, const listing& l) {
  for (const names& part : {l.of, l.disabled, l.places}) out << nlohmann::json(part).dump(1) << '\n';
  return out;
}

listing list(const project& p) {
  listing result;
  const finished end = p.ctest({"--show-only=json-v1"});
  EXPECT_EQ(end.exit, 0) << end.err;
  const auto json = nlohmann::json::parse(end.out);
  for (const auto& test : json.at("tests")) {
    const std::string name = test.at("name");
    if (name == "all.plan") continue;
    result.of.push_back(name);
    for (const auto& property : test.at("properties"))
      if (property.at("name") == "DISABLED" && property.at("value") == true)
        result.disabled.push_back(name);
      else if (property.at("name") == "DEF_SOURCE_LINE")
        result.places.push_back(property.at("value"));
  }
  return result;
}

/// Those that gtest_discover_tests() registers.
listing expect_names_of_cmake(const project& p, names options = {}) {
  options.emplace_back("-DBY_DISCOVERY=ON");
  p.configure(options);
  p.build();
  const listing expected = list(p);
  EXPECT_EQ(expected.of.size(), 30U);
  EXPECT_EQ(expected.disabled.size(), 7U);
  options.back() = "-DBY_DISCOVERY=OFF";
  p.configure(options);
  p.build();
  EXPECT_EQ(list(p), expected);
  const finished all = p.ctest();
  EXPECT_EQ(all.exit, 0) << all.both();
  return expected;
}

TEST(test_names, are_those_of_gtest_discover_tests) {
  workspace w;
  project& p = w.here();
  for (const char* affixes : {"", "TEST_PREFIX \"before the: \\\"x\\\":\" TEST_SUFFIX .after"}) {
    write_cases(p, affixes);
    const listing expected = expect_names_of_cmake(p);
    p.configure({"-DMORPH_ENABLED=OFF"});
    p.build();
    EXPECT_EQ(list(p), expected);
    p.configure({"-DMORPH_ENABLED=ON"});
  }
}

TEST(test_names, are_those_of_each_cmake) {
  const auto all = other_cmakes();
  if (all.empty()) GTEST_SKIP() << "no other CMake: MORPH_CMAKES names a folder of them";
  std::set<names> different;
  for (const auto& cmake : all) {
    SCOPED_TRACE(cmake);
    const path_in_front of(cmake / "bin");
    workspace w;
    project& p = w.here();
    write_cases(p, "");
    p.start_repository();
    ASSERT_NE(p.run({"cmake", "--version"}).out.find(cmake.filename()), std::string::npos);
    different.insert(
        expect_names_of_cmake(p, {"-DMORPH_EVIDENCE=probes", "-DCMAKE_CXX_COMPILER=" + tested_compiler()}).of);
    EXPECT_EQ(started(p.ctest({"-L", "morph"}).out), names{"all.plan"});
    p.replace("cases.cpp", "TEST_P(Words, AreWords) {}", "TEST_P(Words, AreWords) { EXPECT_NE(GetParam(), nullptr); }");
    p.build();
    EXPECT_EQ(p.plan().selected().size(), 8U);
    p.ctest({"-L", "morph"});
    EXPECT_EQ(p.plan().selected(), names());
  }
  const bool has_both = all.front().filename() < "4.2" && all.back().filename() > "4.2";
  EXPECT_EQ(different.size(), has_both ? 2U : 1U) << "rules before and after 4.2";
}

TEST(test_names, what_is_known_of_tests_outlives_another_cmake) {
  const auto all = other_cmakes();
  if (all.empty() || all.back().filename() < "4.2")
    GTEST_SKIP() << "no CMake with other names: MORPH_CMAKES names a folder of several";
  workspace w;
  project& p = w.here();
  write_cases(p, "");
  p.replace("cases.cpp", "EXPECT_LT(GetParam(), 100)", "EXPECT_NE(GetParam(), 5)");
  p.start_repository();
  p.configure({"-DMORPH_EVIDENCE=probes", "-DCMAKE_CXX_COMPILER=" + tested_compiler()});
  p.build();
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"Named/Numbers.AreSmall/Number5  # GetParam() = 5"});
  EXPECT_EQ(p.plan().selected(), names{"Named/Numbers.AreSmall/Number5  # GetParam() = 5"});
  const path_in_front of(all.back() / "bin");
  p.set_variable("PATH", std::getenv("PATH"));
  p.configure();
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Named/Numbers.AreSmall/5"}) << all.back();
  EXPECT_EQ(plan.reasons("Named/Numbers.AreSmall/5"), (names{"failed-recently", "unmeasured"}));
}

TEST(test_names, of_every_kind_can_be_measured) {
  workspace w;
  project& p = w.here();
  write_cases(p, "");
  p.start_repository();
  p.configure();
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  // CMake 3.25 takes GoogleTest's comment into the names of parameters that have one.
  const names of_numbers{"Few/Numbers.AreSmall/1", "Few/Numbers.AreSmall/22", "Few/Numbers.AreSmall/3",
                         "Named/Numbers.AreSmall/Number4  # GetParam() = 4",
                         "Named/Numbers.AreSmall/Number5  # GetParam() = 5"};
  p.replace("cases.cpp", "EXPECT_LT(GetParam(), 100)", "EXPECT_GT(100, GetParam())");
  EXPECT_EQ(p.plan().selected(), of_numbers);
  p.git({"checkout", "--", "cases.cpp"});
  p.replace("cases.cpp", "TYPED_TEST(Typed, HasAType) {", "TYPED_TEST(Typed, HasAType) { TypeParam{};");
  EXPECT_EQ(p.plan().selected(),
            (names{"Typed.HasAType<int>", "Typed.HasAType<std::pair<int, char>>", "Typed.HasAType<unsigned long>"}));
  p.git({"checkout", "--", "cases.cpp"});
  p.replace("cases.cpp", "TEST_P(Numbers, AreSmall) {", "TEST_P(Numbers, AreSmall) {  // of two digits");
  EXPECT_EQ(p.plan().selected(), of_numbers);
}

// ---- other ways

TEST(other_ways, with_makefiles_a_change_selects_the_two_tests_that_ran_it) {
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.start_repository();
  p.configure({"-G", "Unix Makefiles"});
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.build();
  EXPECT_EQ(p.plan().selected(), area_tests);
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(sorted(started(end.out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
  p.replace("src/shapes.hpp", "CORNERS 4", "CORNERS 5");
  EXPECT_EQ(p.plan().selected(), all_shapes);
}

TEST(other_ways, a_path_with_blanks_and_a_shared_library_work) {
  workspace w;
  project p(w.folder() / "a project & more", w.folder() / "home");
  write_shapes(p);
  p.start_repository();
  p.configure({"-DBUILD_SHARED_LIBS=ON", "-DCMAKE_BUILD_TYPE=Release"});
  p.build();
  p.measure();
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(sorted(started(p.ctest({"-L", "morph"}).out)), (names{"Area.OfSquare", "Area.OfStrip", "geometry.plan"}));
}

TEST(other_ways, a_project_in_a_folder_of_its_repository_is_measured) {
  workspace w;
  project top(w.folder() / "repository", w.folder() / "home");
  project p(w.folder() / "repository" / "cpp", w.folder() / "home");
  write_shapes(p);
  top.write("python/tool.py", "pass\n");
  top.start_repository();
  p.configure();
  p.build();
  p.measure();
  EXPECT_TRUE(std::filesystem::exists(top.store()));
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"changed-code:cpp/src/area.cpp:5"});
  p.write("data/sizes.txt", "7 8 9\n");
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-data:cpp/data/sizes.txt"});
}

TEST(other_ways, a_project_reached_through_a_symbolic_link_is_measured) {
  workspace w;
  std::filesystem::create_directory(w.folder() / "real");
  std::filesystem::create_directory_symlink(w.folder() / "real", w.folder() / "link");
  project p(w.folder() / "link", w.folder() / "home");
  write_shapes(p);
  p.start_repository();
  p.configure();
  p.build();
  p.measure();
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
}

TEST(other_ways, the_sources_in_a_sub_directory_register_the_tests) {
  workspace w;
  project& p = w.here();
  write_shapes(p);
  p.replace("CMakeLists.txt", "find_package(Morph REQUIRED)",
            "add_subdirectory(" MORPH_SOURCE_DIR " morph EXCLUDE_FROM_ALL)");
  p.configure({"-DMORPH_EXECUTABLE=" MORPH_PROGRAM});
  const finished end = p.ctest({"-N"});
  EXPECT_EQ(end.exit, 0);
  EXPECT_EQ(listed(end.out), (names{"geometry.plan", "geometry_NOT_BUILT"})) << end.both();
}

}  // namespace
}  // namespace morph::end_to_end
