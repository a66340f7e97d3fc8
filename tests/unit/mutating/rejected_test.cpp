// What is left out when the build of rewritten sources fails: by the messages of real compilers, round after round.
#include "plugin/mutating/rejected.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace morph::mutating {
namespace {

using words = std::vector<std::string>;

/// Two sources with a header, as Ninja compiles and links them.
class rejected_build : public testing::Test {
 protected:
  rejected_build() {
    add_file(
        "a.cpp",
        "int f(int n) {\n  return __builtin_cpu_supports(\"sse2\") ? n : 7;\n}\nint g(int n) {\n  return n - 1;\n}\n",
        {"\"sse2\"", "7", "n - 1"});
    add_file("b.cpp", "int h(int n) {\n  return n + known(4);\n}\n", {"4", "n + known(4)"});
    add_file("c.hpp", "inline int low(int n) {\n  return m.min() + n;\n}\n", {"m.min()"});
    std::uint32_t node = 0;
    for (auto& file : sources.files) {
      file.first_node = node;
      node += 10;
    }
    commands = {{"/b", "/m/a.cpp", "x/a.cpp.o", {}},
                {"/b", "/m/b.cpp", "x/b.cpp.o", {}},
                {"/b", "/m/plain.c", "x/plain.c.o", {}}};
    for (const auto& unit : commands) sources.contents[unit.object] = {"", {{unit.file, ""}, {"/m/c.hpp", ""}}};
    sources.contents.erase("x/plain.c.o");
    request.mirror = "/m";
  }

  void add_file(const std::string& path, const std::string& text, const words& originals) {
    mutation::mutated_file file{path, text, {}};
    for (const std::string& original : originals) {
      const auto begin = static_cast<std::uint32_t>(text.find(original));
      const std::string other = original == "m.min()" ? "m.max()" : "0";
      file.places.places.push_back({begin,
                                    begin + static_cast<std::uint32_t>(original.size()),
                                    mutation::place_kind::expression,
                                    "",
                                    {{"op", other}}});
    }
    std::ranges::sort(file.places.places, [](const auto& a, const auto& b) {
      return std::pair(a.begin, ~a.end) < std::pair(b.begin, ~b.end);
    });
    for (std::size_t at = 0; (at = text.find("int ", at)) != std::string::npos; ++at) {
      if (at > 0 && text[at - 1] == '(') continue;
      const auto begin = static_cast<std::uint32_t>(at);
      const auto end = static_cast<std::uint32_t>(text.find("\n}", at) + 2);
      const auto line = static_cast<std::uint32_t>(1 + std::count(text.begin(), text.begin() + begin, '\n'));
      file.places.functions.push_back(
          {begin, end, line, line + 2, text.substr(at + 4, text.find('(', at) - at - 4) + "(int)", ""});
    }
    sources.files.push_back(std::move(file));
  }

  /// After one more failed build.
  words drop(const std::string& output, const std::string& said, const std::string& command = "c++") {
    words lines;
    for (const rejected_part& part : build.drop(
             sources, fmt::format("[1/2] Building\nFAILED: {} \n{}\n{}ninja: build stopped: subcommand failed.\n",
                                  output, command, said)))
      lines.push_back(fmt::format("{}:{} {} {}", part.path, part.line, part.what, part.mutants));
    return lines;
  }
  std::string left() const {
    std::string left;
    for (const auto& file : sources.files) left += fmt::format("{} ", file.mutants());
    return left;
  }
  /// `line:column` of the n-th occurrence in the rewritten text's line.
  std::string column_of(std::size_t file, std::uint32_t line, const std::string& text) const {
    const std::string rewritten = sources.files[file].rewritten().text;
    std::size_t begin = 0;
    for (std::uint32_t i = 1; i < line; ++i) begin = rewritten.find('\n', begin) + 1;
    return fmt::format("{}:{}", line, rewritten.find(text, begin) - begin + 1);
  }

  mutated_sources sources;
  source_reader::source_request request;
  std::vector<build::compile_unit> commands;
  rejections build{request, commands, "/b"};
};

TEST_F(rejected_build, AnErrorBehindTheArgumentsOfABuiltinIsTheirs) {
  // Where g++ 12 is when it says it.
  const std::string at = column_of(0, 2, ") ? n");
  EXPECT_EQ(
      drop("x/a.cpp.o", "/m/a.cpp:" + at + ": error: parameter to builtin must be a string constant or literal\n"),
      words{"a.cpp:2  1"});
  EXPECT_EQ(left(), "2 2 1 ");
  EXPECT_EQ(sources.rejected_parts.front().why, "parameter to builtin must be a string constant or literal");
}

TEST_F(rejected_build, AnErrorInAHeaderOfTheSystemIsOfItsCaller) {
  EXPECT_EQ(
      drop("x/b.cpp.o", "In function ‘int known(int)’,\n    inlined from ‘int h(int)’ at /m/b.cpp:" +
                            column_of(1, 2, "(MORPH_ON(11)") +
                            ":\n/usr/include/known.h:3:10: error: the last argument must be an 8-bit immediate\n"),
      words{"b.cpp:2  1"});
  EXPECT_EQ(left(), "3 1 1 ");
}

TEST_F(rejected_build, WhatIsWithoutAPlaceTakesItsOwnFileBeforeOthers) {
  const std::string killed = "g++: fatal error: Killed signal terminated program cc1plus\n";
  EXPECT_EQ(drop("x/b.cpp.o", killed), words{"b.cpp:0 * 2"});
  EXPECT_EQ(left(), "3 0 1 ");
  EXPECT_EQ(drop("x/b.cpp.o", killed), words{"c.hpp:0 * 1"});
  EXPECT_EQ(drop("x/b.cpp.o", killed), words()) << "it fails without mutants";
  EXPECT_EQ(left(), "3 0 0 ");
}

TEST_F(rejected_build, OfAStepThatFailsAgainAndAgainFunctionsGoAndThenFiles) {
  // The line says nothing of what is wrong: no statement there has a mutant.
  const std::string said = "a.cpp: Assembler messages:\n/m/a.cpp:6: Error: symbol `mark' is already defined\n";
  EXPECT_EQ(drop("x/a.cpp.o", said), words{"a.cpp:6 g(int) 1"});
  EXPECT_EQ(drop("x/a.cpp.o", said), words{"a.cpp:0 * 2"});
  EXPECT_EQ(left(), "0 2 1 ");
}

TEST_F(rejected_build, ALinkerNamesWhatIsNotDefined) {
  const std::string link = ": && c++ x/a.cpp.o x/b.cpp.o -o prog";
  EXPECT_EQ(drop("prog",
                 "/usr/bin/ld: x/a.cpp.o: in function `low(int)':\na.cpp:(.text+0x37): undefined reference to "
                 "`limits::max() const'\n"
                 "/usr/bin/ld: x/b.cpp.o: in function `low(int)':\nb.cpp:(.text+0x37): undefined reference to "
                 "`limits::max() const'\n",
                 link),
            words{"c.hpp:2  1"});
  EXPECT_EQ(left(), "3 2 0 ");
  EXPECT_EQ(
      drop("prog",
           "/usr/bin/ld: x/b.cpp.o: in function `h(int)':\nb.cpp:(.text+0x37): undefined reference to `other'\n", link),
      words{"b.cpp:1 h(int) 2"});
}

TEST_F(rejected_build, WhereNothingKnowsOfMutantsThereCanBeNone) {
  EXPECT_EQ(
      drop("bare",
           "/usr/bin/ld: x/b.cpp.o: in function `h(int)':\nb.cpp:(.text+0x7): undefined reference to `morph_node'\n",
           "ld x/b.cpp.o -o bare"),
      (words{"b.cpp:0 * 2", "c.hpp:0 * 1"}));
  EXPECT_EQ(left(), "3 0 0 ");
}

TEST_F(rejected_build, ACrashTakesTheFunction) {
  EXPECT_EQ(drop("x/a.cpp.o",
                 "/m/a.cpp: In function ‘int g(int)’:\n/m/a.cpp:6:1: internal compiler error: in cand_eq_p, at "
                 "lra-remat.cc:207\n"),
            words{"a.cpp:6 g(int) 1"});
}

TEST_F(rejected_build, OfAnotherLanguageHeadersAloneCanBeAtFault) {
  EXPECT_EQ(drop("x/plain.c.o", "cc1: error: no\n"), words{"c.hpp:0 * 1"});
  EXPECT_EQ(left(), "3 2 0 ");
}

TEST_F(rejected_build, StepsThatFailTogetherLeaveOutWhatEachOfThemSays) {
  const std::string at = column_of(2, 2, "(MORPH_ON(20)"), own = column_of(1, 2, "known");
  const std::string header = "/m/c.hpp:" + at + ": error: no\n";
  EXPECT_EQ(drop("x/a.cpp.o", header + "FAILED: x/b.cpp.o \nc++\n" + header + "/m/b.cpp:" + own + ": error: no\n"),
            (words{"c.hpp:2  1", "b.cpp:2  1"}));
  EXPECT_EQ(left(), "3 1 0 ");
}

TEST(RejectedParts, HaveALineEach) {
  EXPECT_EQ(describe(rejected_part{"src/cpu.cpp", 5, "", 2, "no"}),
            "src/cpu.cpp:5: 2 mutants are left out: the compiler says 'no'");
  EXPECT_EQ(describe(rejected_part{"src/cpu.cpp", 5, "f(int)", 1, "no"}),
            "src/cpu.cpp:5: all 1 mutant of 'f(int)' is left out: the compiler says 'no'");
  EXPECT_EQ(describe(rejected_part{"src/cpu.cpp", 0, "*", 9, "no"}),
            "src/cpu.cpp: all 9 mutants of the file are left out: the compiler says 'no'");
}

}  // namespace
}  // namespace morph::mutating
