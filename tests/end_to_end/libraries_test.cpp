// Shared libraries that the build does not make: another build of one is a change of every test that uses it.
#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

fs::path library_of(const project& p) {
  return p.root().parent_path() / "outside" / "libunits.so";
}

void build_library(const project& p, const std::string& value) {
  const fs::path folder = library_of(p).parent_path();
  fs::create_directories(folder);
  write_bytes(folder / "units.cpp", "int unit() { return " + value + "; }\n");
  p.must_run({MORPH_CXX_COMPILER, "-shared", "-fPIC", "-Wl,--build-id", "-o", library_of(p).string(),
              (folder / "units.cpp").string()});
}

void write_rulers(const project& to) {
  build_library(to, "1");
  to.write("CMakeLists.txt",
           "cmake_minimum_required(VERSION 3.25)\nproject(Rulers CXX)\nenable_testing()\n"
           "find_package(Morph REQUIRED)\nadd_library(rulers rulers.cpp)\n"
           "foreach(name with without)\n  add_executable(${name} ${name}.cpp)\n"
           "  target_link_libraries(${name} rulers)\nendforeach()\n"
           "target_link_libraries(with " +
               library_of(to).string() +
               ")\n"
               "morph_add_suite(rulers TARGET with without FRAMEWORK none)\n");
  to.write("rulers.cpp", "int ruler(int x) {\n  return x;\n}\n");
  to.write("with.cpp", "int unit();\nint ruler(int);\nint main() {\n  return ruler(unit()) == 1 ? 0 : 1;\n}\n");
  to.write("without.cpp", "int ruler(int);\nint main() {\n  return ruler(1) == 1 ? 0 : 1;\n}\n");
}

TEST(shared_libraries, of_another_build_select_every_test_of_the_programs_that_need_them) {
  workspace w(write_rulers);
  project& p = w.here();
  EXPECT_EQ(p.plan().selected(), names());
  const std::string recorded = p.morph({"store", "export"}).out;
  EXPECT_NE(recorded.find("libc.so.6"), std::string::npos);
  EXPECT_EQ(recorded.find("ld.so.cache"), std::string::npos);  // which is another one on each machine
  build_library(p, "1");                                       // the same once more
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_EQ(p.plan().state(), "unchanged-proven");

  build_library(p, "2");
  plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"with"});
  EXPECT_EQ(plan.reasons("with"), names{"changed-environment:" + library_of(p).string()});
  EXPECT_NE(p.morph({"plan", "--why", "with"}).out.find("is another build than the one that was measured"),
            std::string::npos);
  EXPECT_EQ(p.plan({"--before-build"}).json["targets"], names{"with"});
  EXPECT_EQ(failed(p.ctest({"-L", "morph"}).out), names{"with"});

  // The content of the repository is the same, and it has to be measured again all the same.
  build_library(p, "[] { volatile int one = 1; return one; }()");
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  const finished again = p.try_measure();
  EXPECT_NE(again.out.find("measured 1 of 2 tests"), std::string::npos) << again.both();
  EXPECT_EQ(p.plan().selected(), names());

  fs::remove(library_of(p));
  EXPECT_EQ(p.plan().selected(), names{"with"});
}

}  // namespace
}  // namespace morph::end_to_end
