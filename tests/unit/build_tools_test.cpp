// Programs that a build runs: what they are made of, out of ninja's and make's files.
#include "plugin/project/build_tools.hpp"

#include <gtest/gtest.h>

namespace morph::project {
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
}  // namespace morph::project
