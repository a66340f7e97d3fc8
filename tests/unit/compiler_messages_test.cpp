// Errors of compilers, and what asked for the template that they are in.
#include "plugin/command/compiler_messages.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace morph::command {

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

TEST(CompilerMessages, OfErrorsAreNoCrashes) {
  EXPECT_EQ(crashes_in("/p/a.cpp:9:3: error: 'x' was not declared\n/p/a.cpp:9:3: note: internal compiler error: no\n"),
            std::vector<message_place>{});
}

}  // namespace
}  // namespace morph::command
