// Programs that a build runs: what they are made of, out of ninja's and make's files.
#include "plugin/build/build_tools.hpp"

#include <gtest/gtest.h>

namespace morph::build {
namespace {

using names = std::set<std::string>;

TEST(BuildTools, OfNinjaAreMadeOfTheirObjectsAndOfThoseOfTheirLibraries) {
  EXPECT_EQ(ninja_tool_objects(
                "build libcodec.a: CXX_STATIC_LIBRARY_LINKER__codec_ CMakeFiles/codec.dir/codec.cpp.o\n"
                "build my$ gen: CXX_EXECUTABLE_LINKER__gen_ CMakeFiles/gen.dir/gen.cpp.o | libcodec.a || other\n"
                "build table.cpp | ${w}table.cpp: CUSTOM_COMMAND my$ gen in.txt || order\n"
                "build t: CXX_EXECUTABLE_LINKER__t_ CMakeFiles/t.dir/t.cpp.o CMakeFiles/t.dir/table.cpp.o\n"),
            (names{"CMakeFiles/codec.dir/codec.cpp.o", "CMakeFiles/gen.dir/gen.cpp.o"}));
}

TEST(BuildTools, OfNinjaAreNotThoseOfCustomTargetsNorThoseThatAreOnlyBuiltBefore) {
  EXPECT_EQ(ninja_tool_objects("build t: CXX_EXECUTABLE_LINKER__t_ CMakeFiles/t.dir/t.cpp.o\n"
                               "build CMakeFiles/check | ${w}CMakeFiles/check: CUSTOM_COMMAND t\n"
                               "build sub/CMakeFiles/check: CUSTOM_COMMAND t\n"
                               "build table.cpp: CUSTOM_COMMAND in.txt || t\n"),
            names{});
}

TEST(BuildTools, OfNinjaMayBeBuiltBeforeAndNamedInTheCommandOnly) {
  const auto objects_with = [](const std::string& command) {
    return ninja_tool_objects(
        "build my$ gen: CXX_EXECUTABLE_LINKER__gen_ CMakeFiles/gen.dir/gen.cpp.o\n"
        "build table.cpp: CUSTOM_COMMAND || my$ gen\n  COMMAND = " +
        command + "\n");
  };
  const names gen{"CMakeFiles/gen.dir/gen.cpp.o"};
  EXPECT_EQ(objects_with("cd /b && \"/b/my gen\" table.cpp"), gen);
  EXPECT_EQ(objects_with("cd /b && env A=1 ./my$ gen"), gen);
  EXPECT_EQ(objects_with("cd /b && ./my$ generator table.cpp"), names{});
  EXPECT_EQ(objects_with("cd /b && touch table.cpp"), names{});
  EXPECT_EQ(objects_with("cd \"/b/my gen\" && touch table.cpp"), names{}) << "a folder called like it";
  EXPECT_EQ(objects_with("cd /b; \"/b/my gen\" table.cpp"), gen);
  EXPECT_EQ(objects_with("cd /b/my$ gen && /b/my$ gen table.cpp"), gen);
}

TEST(BuildTools, AreNotNamedByTheFolderThatACommandIsRunIn) {
  const auto objects_with = [](const std::string& command) {
    return ninja_tool_objects(
        "build gen: CXX_EXECUTABLE_LINKER__gen_ CMakeFiles/gen.dir/gen.cpp.o\n"
        "build table.cpp: CUSTOM_COMMAND || gen\n  COMMAND = " +
        command + "\n");
  };
  const names gen{"CMakeFiles/gen.dir/gen.cpp.o"};
  EXPECT_EQ(objects_with("cd /src/gen && touch table.cpp"), names{});
  EXPECT_EQ(objects_with("mkdir x && cd gen && touch table.cpp"), names{});
  EXPECT_EQ(objects_with("cd /src/gen && gen table.cpp"), gen);
  EXPECT_EQ(objects_with("xcd gen table.cpp"), gen);
  EXPECT_EQ(make_tool_objects("gen: CMakeFiles/gen.dir/gen.cpp.o\ngen: CMakeFiles/gen.dir/link.txt\n"
                              "table.cpp:\n\tcd /src/gen && touch table.cpp\n"),
            names{});
}

TEST(BuildTools, OfMakeMayBeNamedInTheRecipeOnly) {
  const std::string gen = "sub/gen: sub/CMakeFiles/gen.dir/gen.cpp.o\nsub/gen: sub/CMakeFiles/gen.dir/link.txt\n";
  EXPECT_EQ(make_tool_objects(gen + "sub/table.cpp:\n\t@echo Generating\n\tcd /b/sub && ./gen table.cpp\n"),
            names{"sub/CMakeFiles/gen.dir/gen.cpp.o"});
  EXPECT_EQ(make_tool_objects(gen + "sub/table.cpp:\n\tcd /b/sub && ./generate table.cpp\n"), names{});
  EXPECT_EQ(make_tool_objects(gen + "CMakeFiles/check:\n\tcd /b/sub && ./gen\n"), names{});
}

TEST(BuildTools, OfMakeAreMadeOfTheirObjectsAndOfThoseOfTheirLibraries) {
  EXPECT_EQ(make_tool_objects("# comment: gen\n"
                              "libcodec.a: CMakeFiles/codec.dir/codec.cpp.o\n"
                              "libcodec.a: CMakeFiles/codec.dir/link.txt\n"
                              "CMakeFiles/codec.dir/codec.cpp.o: /src/codec.cpp\n"
                              "my\\ gen: CMakeFiles/gen.dir/gen.cpp.o\n"
                              "my\\ gen: libcodec.a\n"
                              "my\\ gen: CMakeFiles/gen.dir/link.txt\n"
                              "t: CMakeFiles/t.dir/t.cpp.o\n"
                              "t: CMakeFiles/t.dir/link.txt\n"
                              "table.cpp: my\\ gen\n"
                              "CMakeFiles/check: t\n"),
            (names{"CMakeFiles/codec.dir/codec.cpp.o", "CMakeFiles/gen.dir/gen.cpp.o"}));
}

}  // namespace
}  // namespace morph::build
