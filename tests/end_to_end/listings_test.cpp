// Programs that register their tests at run time: what they read for it makes another list.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// A test for each file of a folder beside the repository, and one for a variable.
void write_corpus(const project& p) {
  p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(corpus CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(tests tests.cpp)
target_compile_definitions(tests PRIVATE "CORPUS=\"${CMAKE_SOURCE_DIR}/../corpus\"")
target_link_libraries(tests GTest::gtest)
add_test(NAME remove COMMAND ${CMAKE_COMMAND} -E rm -f ${CMAKE_SOURCE_DIR}/../corpus/two.txt)
morph_add_suite(cases TARGET tests PROPERTIES FAIL_REGULAR_EXPRESSION "bad one;bad two" DEPENDS remove)
morph_add_suite(tiers TARGET tests GRANULARITY tier TEST_PREFIX tier. PROPERTIES DEPENDS remove)
)");
  p.write("tests.cpp", R"(#include <gtest/gtest.h>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
class OfFile : public testing::Test {
 public:
  explicit OfFile(std::string file) : file_(std::move(file)) {}
  void TestBody() override {
    std::string line;
    std::getline(std::ifstream(file_), line);
    std::cout << line << std::endl;
    EXPECT_NE(line, "wrong");
  }
 private:
  std::string file_;
};
TEST(Always, There) {}
int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  for (const auto& entry : std::filesystem::directory_iterator(CORPUS))
    testing::RegisterTest("Corpus", entry.path().stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
                          [file = entry.path().string()]() -> testing::Test* { return new OfFile(file); });
  if (const char* more = std::getenv("MORE_TESTS"))
    testing::RegisterTest("More", more, nullptr, nullptr, __FILE__, __LINE__,
                          []() -> testing::Test* { return new OfFile(CORPUS "/one.txt"); });
  return RUN_ALL_TESTS();
}
)");
  p.write("../corpus/one.txt", "text\n");
  p.write("../corpus/two.txt", "text\n");
}

class changing_listings : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<workspace>(write_corpus); }
  static void TearDownTestSuite() { shared.reset(); }
  // Measuring runs what the tests depend on, which takes a file away.
  void SetUp() override {
    fs::remove_all(corpus());
    p.write("../corpus/one.txt", "text\n");
    p.write("../corpus/two.txt", "text\n");
  }
  void TearDown() override { shared->restore(); }
  static fs::path corpus() { return shared->folder() / "corpus"; }
  names of_corpus() const {
    names found;
    for (const std::string& name : listed(p.ctest({"-N"}).out))
      if (name.starts_with("Corpus.") || name.starts_with("More.")) found.push_back(name);
    return sorted(found);
  }

  static std::unique_ptr<workspace> shared;
  project& p = shared->here();
};
std::unique_ptr<workspace> changing_listings::shared;

TEST_F(changing_listings, files_that_come_and_go_are_tests_that_come_and_go) {
  EXPECT_EQ(of_corpus(), (names{"Corpus.one", "Corpus.two"}));
  p.write("../corpus/three.txt", "wrong\n");
  fs::remove(corpus() / "two.txt");
  EXPECT_EQ(of_corpus(), (names{"Corpus.one", "Corpus.three"}));
  EXPECT_EQ(failed(p.ctest({"-L", "^morph$", "-R", "^Corpus"}).out), names{"Corpus.three"});
  EXPECT_EQ(p.plan().reasons("tier.Corpus.three").front(), "new");
}

TEST_F(changing_listings, plans_before_the_build_know_the_tests_of_new_files) {
  p.plan();
  p.write("../corpus/three.txt", "text\n");
  EXPECT_EQ(p.plan({"--before-build"}).reasons("Corpus.three").front(), "new");
}

TEST_F(changing_listings, variables_with_other_values_list_other_tests) {
  p.set_variable("MORE_TESTS", "First");
  EXPECT_EQ(of_corpus(), (names{"Corpus.one", "Corpus.two", "More.First"}));
  p.unset_variable("MORE_TESTS");
  EXPECT_EQ(of_corpus(), (names{"Corpus.one", "Corpus.two"}));
}

// After ctest has listed the tests another one takes its file away.
TEST_F(changing_listings, a_test_that_is_gone_has_failed) {
  EXPECT_EQ(p.ctest({"-R", "^Corpus.two$"}).exit, 0);
  EXPECT_EQ(failed(p.ctest({"-R", "^(remove|Corpus.two|Always.There)$"}).out), names{"Corpus.two"});
  p.write("../corpus/two.txt", "text\n");
  const finished tiers = p.ctest({"-V", "-R", "^(remove|tiers[.].*)$"});
  EXPECT_EQ(tiers.exit, 8) << tiers.out;
  EXPECT_NE(tiers.out.find("tier.Corpus.two"), std::string::npos) << tiers.out;
}

TEST_F(changing_listings, expressions_of_the_user_count_beside) {
  p.write("../corpus/two.txt", "bad two\n");
  EXPECT_EQ(failed(p.ctest({"-R", "^Corpus"}).out), names{"Corpus.two"});
}

}  // namespace
}  // namespace morph::end_to_end
