// What build descriptions name, out of ninja's and make's files; whose headers are whose; names outside a repository.
#include "plugin/build/build_reads.hpp"

#include <gtest/gtest.h>

#include "plugin/git/repository.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {

using morph::test_support::temporary_folder;
using paths = std::set<std::string>;

/// Of the files that these folders may hold.
paths inputs_of(const temporary_folder& folder) {
  for (const char* name : {"x/CMakeLists.txt", "x/in.txt", "x/a.def", "x/tool.py", "x/s.ld", "x/y.map", "x/lib.a",
                           "x/lib.so.1", "x/r.cpp", "x/cmake"})
    folder.write(name, "");
  build_tree tree;
  tree.binary_dir = folder / "build";
  tree.cmake = folder / "x/cmake";
  paths found;
  for (const std::string& path : described_inputs(tree))
    found.insert(std::filesystem::path(path).lexically_relative(folder.path()).string());
  return found;
}

const paths expected{"x/CMakeLists.txt", "x/in.txt", "x/a.def", "x/tool.py", "x/s.ld", "x/y.map", "x/lib.a", "x/r.cpp"};

TEST(BuildReads, OfNinjaAreInputsAndWordsOfCommandsAndOfLinkLines) {
  const temporary_folder folder;
  const std::string x = (folder / "x").string();
  folder.write("build/build.ninja", "build build.ninja: RERUN_CMAKE | ../x/CMakeLists.txt " + x +
                                        "/in.txt\n"
                                        "build g.inc: CUSTOM_COMMAND " +
                                        x +
                                        "/a.def\n"
                                        "  COMMAND = cd /b && " +
                                        x + "/cmake -E env python3 " + x +
                                        "/tool.py > g.inc\n"
                                        "build r.o: CXX_COMPILER__r_ ../x/r.cpp\n"
                                        "build p: CXX_EXECUTABLE_LINKER__p_ r.o | " +
                                        x + "/lib.a " + x +
                                        "/lib.so.1\n"
                                        "  LINK_FLAGS = -T " +
                                        x + "/s.ld -Wl,--version-script=" + x +
                                        "/y.map\n"
                                        "build CMakeFiles/morph-measure: CUSTOM_COMMAND\n"
                                        "  COMMAND = " +
                                        x + "/never.txt\n");
  EXPECT_EQ(inputs_of(folder), expected);
}

TEST(BuildReads, OfMakefilesAreWhatTheyWaitFor) {
  const temporary_folder folder;
  const std::string x = (folder / "x").string();
  folder.write("build/CMakeFiles/Makefile.cmake",
               "set(CMAKE_MAKEFILE_DEPENDS\n  \"../x/CMakeLists.txt\"\n  \"" + x + "/in.txt\"\n  )\n");
  folder.write("build/CMakeFiles/p.dir/build.make", "# a comment: " + x + "/never.txt\ng.inc: " + x + "/a.def\n\t" + x +
                                                        "/cmake -E env python3 " + x + "/tool.py > g.inc\nr.o: " + x +
                                                        "/r.cpp\n");
  folder.write("build/CMakeFiles/p.dir/link.txt", "c++ r.o -o p -Wl,-T," + x + "/s.ld -Wl,--version-script=" + x +
                                                      "/y.map " + x + "/lib.a " + x + "/lib.so.1\n");
  EXPECT_EQ(inputs_of(folder), expected);
}

TEST(BuildReads, HeadersOfOthersAreFoundInFoldersOfTheSystemAlone) {
  const temporary_folder folder;
  folder.write("build/build.ninja",
               "  INCLUDES = -I/a/own -isystem /a/vendor -isystem /a/own/vendor -isystem /a/both\n"
               "  FLAGS = -O2 -isystem/a/glued -I /a/both\n");
  const include_folders found = read_include_folders(folder / "build");
  EXPECT_EQ(found.own, (paths{"/a/own", "/a/both"}));
  EXPECT_EQ(found.others, (paths{"/a/vendor", "/a/own/vendor", "/a/glued"}));
  EXPECT_TRUE(found.are_others("/a/vendor/deep/x.hpp"));
  EXPECT_TRUE(found.are_others("/a/own/vendor/x.hpp"));
  EXPECT_FALSE(found.are_others("/a/own/x.hpp"));
  EXPECT_FALSE(found.are_others("/a/both/x.hpp"));
  EXPECT_FALSE(found.are_others("/elsewhere/x.hpp"));
}

TEST(BuildReads, PackagesOfTheSystemAreNotThoseThatSomebodyInstalled) {
  EXPECT_TRUE(is_of_system("/usr/include/zlib.h"));
  EXPECT_FALSE(is_of_system("/usr/local/include/foo.h"));
  EXPECT_FALSE(is_of_system("/opt/foo/include/foo.h"));
  EXPECT_TRUE(is_of_tools("/usr/local/include/c++/13/vector"));
  EXPECT_TRUE(is_of_tools("/opt/cmake/share/cmake-3.30/Modules/FindGit.cmake"));
  EXPECT_FALSE(is_of_tools("/opt/foo/lib/cmake/foo/fooConfig.cmake"));
}

TEST(RepositoryNames, OutsideAreWaysFromTheTop) {
  const temporary_folder folder;
  folder.write("shared/rate.cpp", "");
  folder.write("project/here.cpp", "");
  std::filesystem::create_symlink("../shared/rate.cpp", folder / "project/linked.cpp");
  std::filesystem::create_directory_symlink("../shared", folder / "project/sources");
  ASSERT_EQ(std::system(("git init --quiet " + (folder / "project").string()).c_str()), 0);
  const auto repo = git::repository::open(folder / "project");
  ASSERT_TRUE(repo) << repo.error();
  EXPECT_EQ(repo->name_of(folder / "project/here.cpp"), "here.cpp");
  EXPECT_EQ(repo->name_of(folder / "shared/rate.cpp"), "../shared/rate.cpp");
  EXPECT_EQ(repo->name_of(folder / "project/sources/rate.cpp"), "../shared/rate.cpp");
  EXPECT_EQ(repo->name_of(folder / "project/linked.cpp"), "linked.cpp");
  EXPECT_EQ(repo->target_name(folder / "project/linked.cpp"), "../shared/rate.cpp");
  EXPECT_EQ(repo->name_of("/opt/foo/include/foo.h"), "/opt/foo/include/foo.h");
  EXPECT_EQ(repo->relative(folder / "shared/rate.cpp"), "");
  for (const char* outside : {"/opt/foo.h", "../shared/rate.cpp", ".."})
    EXPECT_TRUE(git::is_outside(outside)) << outside;
  for (const char* inside : {"src/a.cpp", "..a.cpp", ""}) EXPECT_FALSE(git::is_outside(inside)) << inside;
}

TEST(Paths, AreInsideAFolderByWholeNames) {
  for (const char* inside : {"/a/b", "/a/b/c"}) EXPECT_TRUE(system::is_inside(inside, "/a/b")) << inside;
  for (const char* outside : {"/a", "/a/bc", "/", ""}) EXPECT_FALSE(system::is_inside(outside, "/a/b")) << outside;
  EXPECT_FALSE(system::is_inside("/a", ""));  // of a folder that is not there
}

TEST(Globs, OfAbsolutePathsNameFilesOutside) {
  EXPECT_TRUE(system::matches_glob("/opt/foo/", "/opt/foo/include/foo.h"));
  EXPECT_TRUE(system::matches_glob("../shared/", "../shared/rate.cpp"));
  EXPECT_FALSE(system::matches_glob("/shared/", "../shared/rate.cpp"));
}

}  // namespace
}  // namespace morph::build
