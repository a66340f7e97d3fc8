// What programs are linked of, out of ninja's and make's files.
#include "plugin/build/link_lines.hpp"

#include <gtest/gtest.h>

#include "plugin/build/link_options.hpp"

namespace morph::build {

static void PrintTo(const linked_file& file, std::ostream* out) {
  *out << file.path << (file.shared ? " (shared)" : file.archive ? " (archive)" : "");
  for (const link_input& input : file.inputs) *out << " " << input.path << (input.whole ? "*" : "");
  *out << " by " << file.options;
}

namespace {

const std::vector<linked_file> expected{
    {"libs.so", true, false, {{"CMakeFiles/s.dir/s.cpp.o", false}}},
    {"libx.a", false, true, {{"CMakeFiles/x.dir/x.cpp.o", false}}},
    {"my t",
     false,
     false,
     {{"CMakeFiles/t.dir/a b.cpp.o", false}, {"lib/libx.a", false}, {"liby.a", true}, {"/usr/lib/libz.a", false}},
     "-Wl,-rpath,. -Wl,--whole-archive -Wl,--no-whole-archive -lm"}};

TEST(LinkInputs, OfNinjaAreObjectsThenLibrariesInTheirOrder) {
  EXPECT_EQ(linked_by_ninja(
                "build libx.a: CXX_STATIC_LIBRARY_LINKER__x_ CMakeFiles/x.dir/x.cpp.o\n"
                "  LINK_FLAGS = y.a\n"
                "build my$ t: CXX_EXECUTABLE_LINKER__t_ CMakeFiles/t.dir/a$ b.cpp.o | lib/libx.a liby.a || other.o\n"
                "  LINK_LIBRARIES = -Wl,-rpath,/b  lib/libx.a  -Wl,--whole-archive /b/liby.a -Wl,--no-whole-archive  "
                "-lm /usr/lib/libz.a\n"
                "build libs.so: CXX_SHARED_LIBRARY_LINKER__s_ CMakeFiles/s.dir/s.cpp.o | ${cmake_ninja_workdir}x.o\n"
                "build x.o: CXX_COMPILER x.cpp\n"
                "  LINK_LIBRARIES = never.a\n",
                "/b"),
            expected);
}

TEST(LinkInputs, OptionsAreWhatTheLinkerHeedsAndWhatHappensAround) {
  const auto options_of = [](const std::string& variables) {
    return linked_by_ninja("build t: CXX_EXECUTABLE_LINKER__t_ t.o\n" + variables, "/b").front().options;
  };
  EXPECT_EQ(options_of("  FLAGS = -g -Wall -std=c++20 -DX -I/x -flto\n  OBJECT_DIR = CMakeFiles/t.dir\n"
                       "  TARGET_SUPPORT_DIR = CMakeFiles/t.dir\n"),
            "-g -flto");
  EXPECT_EQ(options_of("  LINK_FLAGS = -Wl,--as-needed\n  POST_BUILD = cd /b && strip t\n  TARGET_FILE = t\n"),
            "-Wl,--as-needed cd . && strip t");
  EXPECT_EQ(options_of("  LINK_LIBRARIES = libx.a libs.so -lm\n"), "libs.so -lm");
}

TEST(LinkInputs, WholeLibrariesEndWithTheStateThatWasPushed) {
  const auto inputs_of = [](const std::string& words) {
    return linked_by_ninja("build t: CXX_EXECUTABLE_LINKER__t_ t.o\n  LINK_LIBRARIES = " + words + "\n", "/b")
        .front()
        .inputs;
  };
  const std::vector<link_input> both{{"t.o", false}, {"libx.a", true}, {"liby.a", false}};
  EXPECT_EQ(inputs_of("-Wl,--push-state,--whole-archive libx.a -Wl,--pop-state liby.a"), both);
  EXPECT_EQ(inputs_of("-Wl,--whole-archive,libx.a,--no-whole-archive liby.a"), both);
  EXPECT_EQ(inputs_of("-Xlinker --whole-archive libx.a -Xlinker --no-whole-archive liby.a"), both);
}

TEST(LinkInputs, OptionsNameSymbols) {
  using names = std::vector<std::string>;
  const auto wanted = [](std::string_view options) { return symbols_of(options).wanted; };
  EXPECT_EQ(wanted("-g -u one -Wl,-u,two -utwo -Wl,--undefined=three -Wl,--undefined,four -Xlinker -u -Xlinker five"),
            (names{"one", "two", "two", "three", "four", "five"}));
  EXPECT_EQ(wanted("-Wl,--require-defined=one -Wl,-e,start -Wl,-init,first -lm -Wl,-rpath,."), names{"one"});
  EXPECT_EQ(symbols_of("-Wl,-e,start -Wl,-init,first -Wl,-fini=last").roots, (names{"start", "first", "last"}));
  const link_symbols defined = symbols_of("-Wl,--defsym=a=b+0x10 -Wl,--defsym,c=d -Wl,--wrap=f");
  EXPECT_EQ(defined.wanted, (names{"b", "d", "__wrap_f", "f"}));
  EXPECT_EQ(defined.aliases,
            (std::vector<std::pair<std::string, std::string>>{{"a", "b"}, {"c", "d"}, {"__real_f", "f"}}));
  for (const char* const option : {"-rdynamic", "-Wl,--export-dynamic", "-Wl,-E", "-Wl,--dynamic-list=x",
                                   "-Wl,--export-dynamic-symbol=f", "-Xlinker --export-dynamic"})
    EXPECT_TRUE(symbols_of(option).exports) << option;
  EXPECT_FALSE(symbols_of("-g -Wl,-rpath,. -lm x.so").exports);
}

TEST(LinkInputs, OfMakeAreThoseOfTheCommand) {
  auto found = linked_by_make("/usr/bin/c++ -shared -Wl,-soname,libs.so -o ../libs.so CMakeFiles/s.dir/s.cpp.o \n",
                              "/b/sub", "/b");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "libs.so");
  EXPECT_TRUE(found[0].shared);
  EXPECT_EQ(found[0].inputs, (std::vector<link_input>{{"sub/CMakeFiles/s.dir/s.cpp.o", false}}));
  found = linked_by_make(
      "/usr/bin/c++ -O2 \"CMakeFiles/t.dir/a b.cpp.o\" -o \"my t\" -Wl,-rpath,/b lib/libx.a -Wl,--whole-archive liby.a "
      "-Wl,--no-whole-archive -lm /usr/lib/libz.a\n",
      "/b", "/b");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].inputs, expected[2].inputs);
  found = linked_by_make("/usr/bin/ar qc libx.a CMakeFiles/x.dir/x.cpp.o\n/usr/bin/ranlib libx.a\n", "/b", "/b");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], expected[1]);
}

}  // namespace
}  // namespace morph::build
