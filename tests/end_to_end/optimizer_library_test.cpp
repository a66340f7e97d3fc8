// Morph::optimizer as a project finds it in the prefix: the how-to's program, and the example in the header.
#include <gtest/gtest.h>

#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

/// What stands between the fences of a page, by what is written behind the first one.
std::vector<std::string> blocks(const std::string& page, const std::string& kind) {
  std::vector<std::string> found;
  std::istringstream lines(read_bytes(page));
  bool inside = false, wanted = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      wanted = inside && line.substr(3) == kind;
      if (wanted) found.emplace_back();
    } else if (wanted) {
      found.back() += line + '\n';
    }
  }
  return found;
}

/// The program in the comment at the top of the header.
std::string example_in(const std::string& header) {
  std::istringstream lines(read_bytes(header));
  std::string program;
  for (std::string line; std::getline(lines, line) && line.starts_with("//");)
    if (line.starts_with("//   #include") || (!program.empty() && (line == "//" || line.starts_with("//   "))))
      program += line.substr(std::min<std::size_t>(line.size(), 5)) + '\n';
  return program;
}

class optimizer_library : public testing::Test {
 protected:
  optimizer_library() : p(here_.here()) {}

 private:
  workspace here_;

 protected:
  project& p;
};

TEST_F(optimizer_library, the_how_to_does_what_it_says) {
  const std::string page = MORPH_SOURCE_DIR "/docs/how-to/optimizer-library.md";
  const auto texts = blocks(page, "");
  ASSERT_EQ(texts.size(), 2U);
  p.write("CMakeLists.txt", blocks(page, "cmake").at(0));
  p.write("cheapest.cpp", blocks(page, "cpp").at(0));
  p.write("tests.txt", texts[0]);
  p.configure();
  p.build();
  const finished end = p.run({"build/cheapest"});
  EXPECT_EQ(end.exit, 0);
  EXPECT_EQ(end.both(), texts[1]);
}

TEST_F(optimizer_library, the_header_example_runs_without_a_warning_and_as_a_shared_library) {
  const std::string example = example_in(MORPH_PREFIX "/include/morph/optimizer.hpp");
  p.write("example.cpp", example);
  p.write("CMakeLists.txt",
          "cmake_minimum_required(VERSION 3.25)\n"
          "project(example LANGUAGES CXX)\n"
          "set(CMAKE_CXX_STANDARD 14)\n"  // the target asks for more
          "set(CMAKE_NO_SYSTEM_FROM_IMPORTED ON)\n"
          "add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)\n"
          "find_package(Morph REQUIRED OPTIONAL_COMPONENTS optimizer)\n"
          "add_executable(example example.cpp)\n"
          "target_link_libraries(example PRIVATE Morph::optimizer)\n"
          "add_library(shared SHARED example.cpp)\n"
          "target_link_libraries(shared PRIVATE Morph::optimizer)\n");
  p.configure();
  const finished built = p.try_build();
  ASSERT_EQ(built.exit, 0) << built.both() << example;
  EXPECT_EQ(p.run({"build/example"}).both(), "test 0\ntest 1\n6000 us; greedy: 6500 us\n");
}

}  // namespace
}  // namespace morph::end_to_end
