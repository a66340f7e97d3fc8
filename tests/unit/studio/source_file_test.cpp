// Which files a page may read.
#include "plugin/studio/source_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/unit/temporary_folder.hpp"

namespace morph::studio {
namespace {

namespace fs = std::filesystem;

class SourceFile : public testing::Test {
 protected:
  SourceFile() {
    at.write("repo/src/a.cpp", "int a;\n");
    at.write("repo/a b+c%.txt", "odd");
    at.write("build/made.cpp", "int made;\n");
    at.write("secret.txt", "secret");
    at.write("repository-of-others/b.cpp", "other");
    of.repository = at / "repo";
    of.build = at / "build";
  }
  answer read(const std::string& file, std::size_t longest = longest_source) const {
    return source_file(file, of, longest);
  }

  test_support::temporary_folder at;
  settings of;
};

TEST_F(SourceFile, OfTheRepositoryOrTheBuildTreeIsRead) {
  EXPECT_EQ(read("src/a.cpp").status, 200U);
  EXPECT_EQ(read("src/a.cpp").body, "int a;\n");
  EXPECT_EQ(read("src/a.cpp").type, "text/plain; charset=utf-8");
  EXPECT_EQ(read("src/../src/./a.cpp").body, "int a;\n");
  EXPECT_EQ(read("made.cpp").body, "int made;\n");
  EXPECT_EQ(read((at / "build/made.cpp").string()).body, "int made;\n");
}

TEST_F(SourceFile, OutsideIsRefused) {
  for (const std::string& file :
       {std::string("../secret.txt"), std::string("src/../../secret.txt"), (at / "secret.txt").string(),
        std::string("/etc/passwd"), std::string("../repository-of-others/b.cpp"), std::string("..")})
    EXPECT_EQ(read(file).status, 403U) << file;
}

TEST_F(SourceFile, BehindALinkToTheOutsideIsRefused) {
  fs::create_symlink(at / "secret.txt", at / "repo/link.txt");
  fs::create_directory_symlink(at.path(), at / "repo/up");
  EXPECT_EQ(read("link.txt").status, 403U);
  EXPECT_EQ(read("up/secret.txt").status, 403U);
  EXPECT_EQ(read("up/repo/src/a.cpp").status, 200U);
}

TEST_F(SourceFile, BehindALinkToTheInsideIsRead) {
  fs::create_symlink(at / "build/made.cpp", at / "repo/link.cpp");
  EXPECT_EQ(read("link.cpp").body, "int made;\n");
}

TEST_F(SourceFile, MissingOrNoTextIsNotFound) {
  EXPECT_EQ(read("nothing.cpp").status, 404U);
  EXPECT_EQ(read("src").status, 404U);
  ASSERT_EQ(::mkfifo((at / "repo/pipe").c_str(), 0600), 0);
  EXPECT_EQ(read("pipe").status, 404U);
}

TEST_F(SourceFile, WithoutANameIsRefused) {
  EXPECT_EQ(read("").status, 400U);
  EXPECT_EQ(read(std::string("src/a.cpp\0.txt", 14)).status, 400U);
}

TEST_F(SourceFile, LongerThanTheLimitIsRefused) {
  EXPECT_EQ(read("src/a.cpp", 7).status, 200U);
  EXPECT_EQ(read("src/a.cpp", 6).status, 413U);
}

}  // namespace
}  // namespace morph::studio
