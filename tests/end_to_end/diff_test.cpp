// What differs between two build trees by their object code, with Ninja and with make.
#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

class object_diff : public ::testing::TestWithParam<const char*> {
 protected:
  object_diff() : p(folder_.path() / "project", folder_.path() / "home") {
    p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(p CXX)
add_library(area STATIC area.cpp unused.cpp)
add_library(words SHARED words.cpp)
add_executable(main main.cpp)
target_link_libraries(main PRIVATE area words)
)");
    p.write("area.cpp",
            "static const int sides[] = {3, 4};\nint area(int i) { return sides[i]; }\nint other() { return 1; }\n");
    p.write("unused.cpp", "int unused() { return 1; }\n");
    p.write("words.cpp", "const char* word() { return \"old\"; }\n");
    p.write("main.cpp",
            "int area(int);\nconst char* word();\nint main(int n, char**) { return area(n) + word()[0]; }\n");
  }
  std::string tree(const std::string& name) const { return (p.root() / name).string(); }
  void make(const std::string& name, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> command{"cmake", "-S", p.root().string(), "-B", tree(name), "-G", GetParam()};
    command.insert(command.end(), options.begin(), options.end());
    p.must_run(command);
    p.must_run({"cmake", "--build", tree(name)});
  }
  finished diff(const std::string& before, const std::string& after, bool json = false) const {
    std::vector<std::string> command{MORPH_PROGRAM, "diff", "--before", tree(before), "--after", tree(after)};
    if (json) command.emplace_back("--json");
    return p.run(command);
  }

 private:
  scratch_folder folder_;

 protected:
  project p;
};

TEST_P(object_diff, says_which_functions_changed_and_why) {
  make("old");
  p.write("area.cpp",
          "// moved\nstatic const int sides[] = {3, 5};\nint area(int i) { return sides[i]; }\nint other() { return 1; "
          "}\n");
  p.write("unused.cpp", "int unused() { return 2; }\n");
  make("new");
  const finished same = diff("old", "old");
  EXPECT_EQ(same.exit, 0) << same.err;
  EXPECT_EQ(same.out, "libwords.so: 0 of 1 functions changed, 0 new\nmain: 0 of 3 functions changed, 0 new\n");
  const finished text = diff("old", "new");
  EXPECT_NE(text.out.find(
                "main: 1 of 3 functions changed, 0 new\n  function area(int): data (sides)  [libarea.a(area.cpp.o)]\n"),
            std::string::npos)
      << text.out << text.err;
  const auto said = nlohmann::json::parse(diff("old", "new", true).out);
  EXPECT_EQ(said["schema"], "morph.diff/1");
  ASSERT_EQ(said["files"].size(), 2U);
  EXPECT_EQ(said["files"][1]["file"], "main");
  EXPECT_EQ(said["files"][1]["changes"][0]["symbol"], "_Z4areai");
  EXPECT_EQ(said["files"][1]["changes"][0]["reason"], "data");
}

TEST_P(object_diff, says_what_cannot_be_compared) {
  make("old");
  make("new", {"-DCMAKE_CXX_FLAGS=-flto"});
  const finished text = diff("old", "new");
  EXPECT_EQ(text.exit, 0);
  EXPECT_NE(text.out.find("main: everything counts as changed: the code of"), std::string::npos) << text.out;
  const finished none = diff("old", "home");
  EXPECT_NE(none.exit, 0);
}

INSTANTIATE_TEST_SUITE_P(, object_diff, ::testing::Values("Ninja", "Unix Makefiles"),
                         [](const auto& i) { return std::string(i.param).substr(0, 4); });

}  // namespace
}  // namespace morph::end_to_end
