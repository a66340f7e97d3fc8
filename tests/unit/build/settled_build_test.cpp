// When a build is at rest, on files that stand for programs and libraries.
#include "plugin/build/settled_build.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>

#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;
using morph::test_support::temporary_folder;

/// One program, linked of an object and of a library that another build makes.
class settling : public ::testing::Test {
 protected:
  settling() {
    in.write("build.ninja",
             "build tests: CXX_EXECUTABLE_LINKER__tests_ CMakeFiles/tests.dir/t.cpp.o | ext/liba.a\n"
             "  LINK_LIBRARIES = ext/liba.a\n");
    put("CMakeFiles/tests.dir/t.cpp.o", "object", 10);
    put("ext/liba.a", "one", 10);
    put("tests", "tests of one", 20);
    how = {in.path(), in / "links.json", [this] { return build(); }, [this] { return planned; }, [] { return ""; }};
  }
  void put(const std::string& name, const std::string& content, int seconds_ago_1000) {
    in.write(name, content);
    fs::last_write_time(in / name, fs::file_time_type::clock::now() - std::chrono::seconds(1000 - seconds_ago_1000));
  }
  std::string content(const std::string& name) const {
    std::ifstream file(in / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  result<void> build() {
    ++builds;
    if (on_build) on_build();
    if (!fs::exists(in / "tests")) put("tests", "tests of " + content("ext/liba.a"), 30 + builds);
    return {};
  }

  temporary_folder in;
  settled_build how;
  std::function<void()> on_build;
  std::string planned;
  int builds = 0;
};

TEST_F(settling, ABuildThatIsUpToDateIsNotRepeated) {
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 0);
}

TEST_F(settling, AProgramThatIsOlderThanItsLibraryIsLinkedAgain) {
  put("ext/liba.a", "two", 25);
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 1);
  EXPECT_EQ(content("tests"), "tests of two");
}

TEST_F(settling, SoIsOneWhoseLibraryHasAnotherContentAndAnOldTime) {
  EXPECT_TRUE(settle(how));
  put("ext/liba.a", "two", 5);
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 1);
  EXPECT_EQ(content("tests"), "tests of two");
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 1);
}

TEST_F(settling, WhatIsLeftToDoEveryTimeIsDoneOnceMore) {
  planned = "another build; link tests";
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 1);
}

TEST_F(settling, ATargetThatNothingIsLinkedOfIsLeftAlone) {
  planned = "write the manual";
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 0);
}

TEST_F(settling, WhatAnotherBuildChangesIsBuiltUntilItStays) {
  planned = "link tests";
  on_build = [this] {
    if (builds <= 2) put("tests", "tests " + std::to_string(builds), 40 + builds);
  };
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 3);
}

TEST_F(settling, AProgramThatIsAnotherEachTimeIsTakenIfItIsUpToDate) {
  planned = "link tests";
  on_build = [this] { put("tests", "made at " + std::to_string(builds), 40 + builds); };
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 4);
}

TEST_F(settling, ALibraryThatAlwaysComesLastIsRefused) {
  on_build = [this] {
    put("tests", "tests of " + content("ext/liba.a"), 40 + 2 * builds);
    put("ext/liba.a", std::to_string(builds), 41 + 2 * builds);
  };
  put("ext/liba.a", "two", 25);
  const auto done = settle(how);
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().find("after 5 builds 'tests' is older than 'ext/liba.a'"), std::string::npos) << done.error();
}

TEST_F(settling, ALibraryOfTheFutureIsNoReason) {
  put("ext/liba.a", "one", 100000);
  EXPECT_TRUE(settle(how));
  EXPECT_EQ(builds, 0);
}

}  // namespace
}  // namespace morph::build
