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

}  // namespace
}  // namespace morph::command
