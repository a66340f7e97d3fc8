// C++20 modules, with a compiler and a CMake that have them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

constexpr const char* tests_of_all = "area perimeter twice volume";

class modules : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto others = other_cmakes();
    if (others.empty() || others.back().filename() < "4")
      GTEST_SKIP() << "no CMake that knows modules: MORPH_CMAKES names a folder of several";
    const auto number = tested_compiler().rfind('-');
    const std::string scanner =
        "clang-scan-deps" + tested_compiler().substr(std::min(number, tested_compiler().size()));
    if (tested_compiler().find("clang") != std::string::npos && std::system(("command -v " + scanner).c_str()) != 0)
      GTEST_SKIP() << "not run: no " << scanner;
    cmake_.emplace(others.back() / "bin");
    p.set_variable("PATH", std::getenv("PATH"));
    p.unset_variable("CMAKE_CXX_COMPILER_LAUNCHER");  // a cache that does not know modules
    p.write("CMakeLists.txt", std::string(R"(cmake_minimum_required(VERSION 3.28)
project(Modules CXX)
set(CMAKE_CXX_STANDARD 20)
enable_testing()
add_library(geo STATIC volume.cpp)
target_sources(geo PUBLIC FILE_SET CXX_MODULES FILES geo.cppm around.cppm)
add_executable(geo_tests main.cpp)
target_link_libraries(geo_tests geo)
foreach(name )") + tests_of_all + R"()
  add_test(NAME ${name} COMMAND geo_tests ${name})
endforeach()
find_package(Morph REQUIRED)
morph_adopt_tests(NAME tests)
)");
    p.write("geo.cppm", R"(export module geo;
export import :around;
export namespace geo {
double area(double w, double h) { return w * h; }
double volume(double w, double h, double d);
template <class T>
T twice(T x) { return x * 2; }
}
)");
    p.write("around.cppm",
            "export module geo:around;\nexport namespace geo {\n"
            "double perimeter(double w, double h) { return 2 * (w + h); }\n}\n");
    p.write("volume.cpp",
            "module geo;\nnamespace geo {\n"
            "double volume(double w, double h, double d) { return area(w, h) * d; }\n}\n");
    p.write("main.cpp", R"(#include <cstring>
import geo;
int main(int, char** arguments) {
  const auto is = [&](const char* name) { return std::strcmp(arguments[1], name) == 0; };
  if (is("area")) return geo::area(2, 3) != 6;
  if (is("perimeter")) return geo::perimeter(2, 3) != 10;
  if (is("twice")) return geo::twice(2) != 4;
  return geo::volume(2, 3, 4) != 24;
}
)");
    p.start_repository();
  }
  names run_after_build() const {
    p.build();
    names run = started(p.ctest({"-L", "^morph$"}).out);
    std::erase(run, "tests.plan");
    return sorted(run);
  }

  std::optional<path_in_front> cmake_;
  const std::string compiler = "-DCMAKE_CXX_COMPILER=" + tested_compiler();  // named, so that CMake asks it anew

  scratch_folder folder_;
  project p{folder_.path() / "project", folder_.path() / "home"};
};

TEST_F(modules, tests_are_selected_by_the_functions_of_interfaces_partitions_and_implementations) {
  p.configure({compiler, "-DMORPH_EVIDENCE=probes"});
  EXPECT_EQ(run_after_build(), (names{"area", "perimeter", "twice", "volume"}));
  EXPECT_EQ(run_after_build(), names());
  p.replace("geo.cppm", "export import", "// The other half.\nexport import");
  EXPECT_EQ(run_after_build(), names());
  p.replace("geo.cppm", "return w * h", "return h == 7 ? 0 : w * h");
  EXPECT_EQ(run_after_build(), (names{"area", "volume"}));
  p.replace("around.cppm", "return 2", "return w == 7 ? 0 : 2");
  EXPECT_EQ(run_after_build(), names{"perimeter"});
  p.replace("volume.cpp", "return area", "return d == 7 ? 0 : area");
  EXPECT_EQ(run_after_build(), names{"volume"});
  p.replace("geo.cppm", "return x", "return x == 7 ? 0 : x");
  EXPECT_EQ(run_after_build(), names{"twice"});
}

TEST_F(modules, a_twin_that_cannot_compile_them_says_so_and_every_test_runs) {
  p.configure({compiler});
  p.build();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("C++20 modules: this compiler builds no twin of them; `ctest -L morph` with "
                         "-DMORPH_EVIDENCE=probes needs none"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(run_after_build().size(), 4U);
}

}  // namespace
}  // namespace morph::end_to_end
