// Errors of compilers, and what asked for the template that they are in.
#include "coverage/mutation/compiler_messages.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace morph::mutation {

static void PrintTo(const message_place& at, std::ostream* to) {
  *to << at.file << ':' << at.line << ':' << at.column;
}

namespace {

using places = std::vector<std::vector<message_place>>;

TEST(CompilerMessages, OfGccNameWhatAskedBeforeTheError) {
  EXPECT_EQ(
      errors_in("In file included from /usr/include/c++/12/algorithm:60,\n"
                "                 from /p/a.cpp:1:\n"
                "/usr/include/c++/12/bits/predefined_ops.h: In instantiation of 'bool _Val_comp_iter::operator()()':\n"
                "/usr/include/c++/12/bits/stl_algo.h:2041:14:   required from 'It std::upper_bound(It)'\n"
                "/p/a.cpp:5:209:   required from here\n"
                "/usr/include/c++/12/bits/predefined_ops.h:98:18: error: no match for call\n"
                "   98 |           return bool(_M_comp(*__it, __val));\n"
                "/p/a.cpp:5:300: note: candidate: a lambda\n"
                "/p/a.cpp:9:3: error: 'x' was not declared\n"),
      (places{{{"/usr/include/c++/12/bits/predefined_ops.h", 98, 18},
               {"/usr/include/c++/12/bits/stl_algo.h", 2041, 14},
               {"/p/a.cpp", 5, 209}},
              {{"/p/a.cpp", 9, 3}}}));
}

TEST(CompilerMessages, OfClangNameWhatAskedBehindTheError) {
  EXPECT_EQ(errors_in("/usr/include/c++/12/bits/predefined_ops.h:98:18: error: no matching function for call\n"
                      "/p/a.cpp:5:20: note: in instantiation of function template specialization 'f' requested here\n"
                      "/p/a.cpp:2:1: note: candidate function not viable\n"
                      "1 error generated.\n"),
            (places{{{"/usr/include/c++/12/bits/predefined_ops.h", 98, 18}, {"/p/a.cpp", 5, 20}}}));
}

TEST(CompilerMessages, WithoutErrorsNameNothing) {
  EXPECT_EQ(errors_in("/p/a.cpp:5:20: warning: unused\n/p/a.cpp:5:209:   required from here\nninja: error: stopped\n"),
            places{});
}

TEST(CompilerMessages, OfACrashOfGccNameTheFunctionsLastLine) {
  const std::string text =  // of g++ 12.2
      "during RTL pass: reload\n"
      "In file included from /p/src/format.cc:8:\n"
      "/p/include/format.h: In member function ‘void bigint::square()’:\n"
      "/p/include/format.h:2929:4: internal compiler error: in cand_eq_p, at lra-remat.cc:207\n"
      " 2929 |   return out;\n"
      "      |    ^\n"
      "0x7f6f18aa9249 __libc_start_call_main\n"
      "\t../sysdeps/nptl/libc_start_call_main.h:58\n"
      "0x7f6f18aa9304 __libc_start_main_impl\n"
      "\t../csu/libc-start.c:360\n"
      "Please submit a full bug report, with preprocessed source (by using -freport-bug).\n";
  EXPECT_EQ(crashes_in(text), (std::vector<message_place>{{"/p/include/format.h", 2929, 4}}));
  EXPECT_EQ(errors_in(text), places{});
  EXPECT_EQ(crashes_in("/p/a.cpp:7: internal compiler error: Segmentation fault\n"),
            (std::vector<message_place>{{"/p/a.cpp", 7, 0}}));
}

TEST(CompilerMessages, OfACrashOfClangNameWhatItWasAt) {
  EXPECT_EQ(crashes_in("Stack dump:\n"  // of Clang 19
                       "0.\tProgram arguments: clang++-19 -c c.cpp\n"
                       "1.\tc.cpp:4:2: current parser token 'pragma'\n"
                       "2.\tc.cpp:2:14: parsing function body 'f'\n"
                       "clang++-19: note: diagnostic msg: /tmp/c-7aaa62.cpp\n"),
            (std::vector<message_place>{{"c.cpp", 4, 2}, {"c.cpp", 2, 14}}));
}

TEST(CompilerMessages, InAHeaderNameWhoCalledWhatWasInlined) {
  const auto errors = read_errors(  // of g++ 12.2
      "In file included from /usr/lib/gcc/x86_64-linux-gnu/12/include/immintrin.h:43,\n"
      "                 from /p/a.cpp:1:\n"
      "In function ‘__m128i _mm_srli_si128(__m128i, int)’,\n"
      "    inlined from ‘__m128i shifted(__m128i, int)’ at /p/a.cpp:3:24,\n"
      "    inlined from ‘__m128i f(__m128i)’ at /p/a.cpp:9:17:\n"
      "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h:1229:19: error: the last argument must be an 8-bit "
      "immediate\n");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].text, "the last argument must be an 8-bit immediate");
  EXPECT_EQ(errors[0].places,
            (std::vector<message_place>{{"/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h", 1229, 19},
                                        {"/p/a.cpp", 3, 24},
                                        {"/p/a.cpp", 9, 17}}));
  EXPECT_EQ(errors[0].functions.front(), "__m128i _mm_srli_si128(__m128i, int)");
  EXPECT_EQ(errors[0].functions.back(), "__m128i f(__m128i)");
}

TEST(CompilerMessages, InAMacroNameWhereItIsUsed) {
  EXPECT_EQ(errors_in("/usr/include/m.h:3:20: error: expected a constant\n"
                      "/p/a.cpp:5:10: note: in expansion of macro ‘M’\n"),
            (places{{{"/usr/include/m.h", 3, 20}, {"/p/a.cpp", 5, 10}}}));
}

TEST(CompilerMessages, OfAssemblersAndDriversHaveNoPlaceOfOurs) {
  const auto errors = read_errors(
      "/tmp/ccX.s: Assembler messages:\n/tmp/ccX.s:32: Error: symbol `mark' is already defined\n"
      "g++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\n"
      "g++: internal compiler error: Segmentation fault signal terminated program cc1plus\n");
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(errors[0].text, "symbol `mark' is already defined");
  EXPECT_EQ(errors[0].places, (std::vector<message_place>{{"/tmp/ccX.s", 32, 0}}));
  EXPECT_EQ(errors[1].text, "Killed signal terminated program cc1plus");
  EXPECT_TRUE(errors[1].places.empty());
  EXPECT_TRUE(errors[2].is_crash);
}

TEST(CompilerMessages, OfLinkersNameTheFunction) {
  auto errors = read_errors(
      "/usr/bin/ld: CMakeFiles/odd.dir/src/a.cpp.o: in function `between(int)':\n"
      "/usr/bin/ld: /p/src/a.cpp:9: undefined reference to `limits::max() const'\n"
      "a.cpp:(.text+0x5): undefined reference to `g()'\ncollect2: error: ld returned 1 exit status\n");
  ASSERT_EQ(errors.size(), 2U);
  EXPECT_EQ(errors[0].places, (std::vector<message_place>{{"/p/src/a.cpp", 9, 0}}));
  EXPECT_EQ(errors[0].functions, std::vector<std::string>{"between(int)"});
  EXPECT_TRUE(errors[1].places.empty());
  EXPECT_EQ(errors[1].functions, std::vector<std::string>{"between(int)"});
  errors = read_errors(
      "ld.lld: error: undefined symbol: g()\n>>> referenced by a.cpp:5 (/p/src/a.cpp:5)\n"
      ">>>               a.o:(between(int))\n");
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].places, (std::vector<message_place>{{"/p/src/a.cpp", 5, 0}}));
}

TEST(CompilerMessages, OfLongLinesAreRead) {
  const std::string line(1 << 20, 'x');
  EXPECT_EQ(errors_in(line + "\n/p/a.cpp:5:2: error: no\n   5 | " + line + ":3:4: error: x\n"),
            (places{{{"/p/a.cpp", 5, 2}}}));
}

TEST(FailedSteps, OfNinjaHaveTheirOutputAndWhatTheySaid) {
  const auto steps = failed_steps_in(
      "ninja: Entering directory `/b'\n[1/4] Building CXX object a.o\nnoise\n"
      "FAILED: [code=1] CMakeFiles/x.dir/b.cpp.o \n/usr/bin/c++ -c b.cpp\n/p/b.cpp:3:1: error: no\n"
      "[2/4] Building CXX object c.o\nmore noise\nFAILED: prog \n: && c++ a.o -o prog\nundefined\n"
      "ninja: build stopped: cannot make progress due to previous errors.\n");
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].output, "CMakeFiles/x.dir/b.cpp.o");
  EXPECT_EQ(steps[0].text, "/p/b.cpp:3:1: error: no\n");
  EXPECT_EQ(steps[1].output, "prog");
  EXPECT_EQ(steps[1].command, ": && c++ a.o -o prog");
  EXPECT_EQ(steps[1].text, "undefined\n");
}

TEST(FailedSteps, OfMakefilesAreTheirRules) {
  const auto steps = failed_steps_in(
      "make[1]: Entering directory '/b'\n[ 50%] Building CXX object sub/CMakeFiles/x.dir/b.cpp.o\n"
      "/p/b.cpp:3:1: error: no\n"
      "make[2]: *** [sub/CMakeFiles/x.dir/build.make:76: sub/CMakeFiles/x.dir/b.cpp.o] Error 1\n"
      "make[2]: Target 'CMakeFiles/x.dir/build' not remade because of errors.\n"
      "make[1]: *** [CMakeFiles/Makefile2:83: CMakeFiles/x.dir/all] Error 2\n");
  ASSERT_EQ(steps.size(), 1U);
  EXPECT_EQ(steps[0].output, "sub/CMakeFiles/x.dir/b.cpp.o");
  EXPECT_EQ(steps[0].command, "sub/CMakeFiles/x.dir/");
  EXPECT_EQ(steps[0].text, "/p/b.cpp:3:1: error: no\n");
  EXPECT_EQ(failed_steps_in("whatever\n").front().text, "whatever\n");
}

TEST(CompilerMessages, OfErrorsAreNoCrashes) {
  EXPECT_EQ(crashes_in("/p/a.cpp:9:3: error: 'x' was not declared\n/p/a.cpp:9:3: note: internal compiler error: no\n"),
            std::vector<message_place>{});
}

}  // namespace
}  // namespace morph::mutation
