// Notes and counters that are not of one compilation, or not whole.
#include <gtest/gtest.h>

#include "coverage/gcov/agreement.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace morph::gcov {
namespace {
using gcov_support::gcov_writer;
using gcov_support::written_function;

written_function straight(std::uint32_t ident, std::uint32_t line) {
  return {ident,
          ident + 1,
          ident + 2,
          "_Z1fv",
          false,
          "a.cpp",
          line,
          line,
          4,
          {{0, 2, 4}, {2, 3, 1}, {3, 1, 1}},
          {{2, "a.cpp", {line}}, {3, "a.cpp", {line + 1}}}};
}

const std::vector<written_function> functions{straight(10, 1), straight(20, 5)};

std::string said(const std::string& notes, const std::string& counters) {
  const auto agrees = check_agreement(notes, "x.gcno", counters, "x.gcda");
  return agrees ? "" : agrees.error();
}

std::string notes(int gcc, std::uint32_t stamp = 7) {
  return gcov_writer(gcc).note(stamp, "/src", functions);
}
std::string counters(int gcc, std::uint32_t stamp = 7) {
  return gcov_writer(gcc).data(stamp, 0, functions, {{1}, {2}});
}

TEST(gcov_agreement, of_one_compilation_is_fine_whatever_the_version) {
  for (const int gcc : {9, 11, 12, 16, 17}) EXPECT_EQ(said(notes(gcc), counters(gcc)), "") << gcc;
}

TEST(gcov_agreement, of_another_stamp_or_compiler_is_none_whatever_the_version) {
  for (const int gcc : {9, 12, 17}) {
    EXPECT_EQ(said(notes(gcc, 8), counters(gcc)),
              "the notes 'x.gcno' do not belong to the program that wrote 'x.gcda': the stamp is 8 in the notes and 7 "
              "in the counters")
        << gcc;
    EXPECT_NE(said(notes(gcc), counters(gcc + 1)).find("the version is "), std::string::npos) << gcc;
    EXPECT_EQ(said(counters(gcc), counters(gcc)), "'x.gcno' does not begin as gcc writes it");
    EXPECT_EQ(said(notes(gcc).substr(0, 11), counters(gcc)), "'x.gcno' is cut off within its header");
  }
}

TEST(gcov_agreement, of_notes_that_lack_a_function_is_none) {
  const std::string first_only = gcov_writer(12).note(7, "/src", {functions[0]});
  ASSERT_TRUE(notes(12).starts_with(first_only));
  EXPECT_EQ(said(first_only, counters(12)),
            "the notes 'x.gcno' lack a function (ident 20) of the program that wrote 'x.gcda'");
}

// Notes that end between two records of the last function look whole. gcov complains of them, or a line is missing.
TEST(gcov_agreement, of_notes_that_are_cut_off_is_none) {
  for (const int gcc : {11, 12}) {
    const std::string whole = notes(gcc);
    const std::size_t last_function = whole.rfind("_Z1fv");
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const std::string next = whole.substr(length, 4);
      const bool is_of_function = next.size() == 4 && next[0] == 0 && next[1] == 0 && next[2] != 0 && next[3] == 1;
      if (length > last_function && is_of_function) continue;
      EXPECT_NE(said(whole.substr(0, length), counters(gcc)), "") << gcc << " at " << length;
    }
  }
}

}  // namespace
}  // namespace morph::gcov
