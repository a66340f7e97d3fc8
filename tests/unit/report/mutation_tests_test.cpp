// Who kills what: alone, and with others.
#include "plugin/report/mutation_tests.hpp"

#include <gtest/gtest.h>

#include "plugin/report/mutation_forms.hpp"

namespace morph::report {
namespace {

/// A mutant a list of killers, in two files.
mutation_result killed_by(const std::vector<std::vector<std::string>>& killers, std::vector<judging_test> tests) {
  mutation_result result;
  result.files = {{"a.cpp", "x\ny,\n"}, {"b.cpp", "z"}};
  for (std::size_t i = 0; i < killers.size(); ++i) {
    mutant_result m;
    m.op = "crp";
    m.end = 1;
    m.replacement = std::to_string(i);
    m.killers = killers[i];
    m.state = killers[i].empty() ? mutant_state::survived : mutant_state::killed;
    result.files[i % 2].mutants.push_back(m);
  }
  for (mutated_source& file : result.files) place_mutants(file);
  result.tests = std::move(tests);
  result.has_all_killers = true;
  return result;
}

kill_row row(const std::string& name, std::size_t kills, std::size_t alone, bool is_redundant) {
  return {name, "s", kills, alone, is_redundant};
}

TEST(MutationTests, a_test_is_redundant_if_others_kill_all_that_it_kills) {
  const auto result = killed_by({{"wide", "narrow"}, {"wide"}, {"other"}, {}},
                                {{"wide", {}, "s"}, {"narrow", {}, "s"}, {"other", {}, "s"}, {"none", {}, "s"}});
  EXPECT_EQ(kills_of_tests(result), (std::vector<kill_row>{row("wide", 2, 1, false), row("narrow", 1, 0, true),
                                                           row("other", 1, 1, false), row("none", 0, 0, true)}));
}

TEST(MutationTests, of_two_equal_tests_one_stays) {
  const auto result = killed_by({{"one", "two"}, {"one", "two"}}, {{"one", {}, "s"}, {"two", {}, "s"}});
  EXPECT_EQ(kills_of_tests(result), (std::vector<kill_row>{row("one", 2, 0, true), row("two", 2, 0, false)}));
}

TEST(MutationTests, the_tests_that_kill_least_are_left_out_first) {
  const auto result = killed_by({{"all", "a"}, {"all", "b"}}, {{"all", {}, "s"}, {"a", {}, "s"}, {"b", {}, "s"}});
  EXPECT_EQ(kills_of_tests(result),
            (std::vector<kill_row>{row("all", 2, 0, false), row("a", 1, 0, true), row("b", 1, 0, true)}));
}

TEST(MutationTests, two_together_make_a_third_one_redundant) {
  const auto result =
      killed_by({{"a", "all"}, {"b", "all"}, {"a"}, {"b"}}, {{"all", {}, "s"}, {"a", {}, "s"}, {"b", {}, "s"}});
  EXPECT_EQ(kills_of_tests(result),
            (std::vector<kill_row>{row("all", 2, 0, true), row("a", 2, 1, false), row("b", 2, 1, false)}));
}

TEST(MutationTests, a_test_is_compared_with_those_of_its_suite) {
  const auto result = killed_by({{"a", "b"}, {"a"}, {"left out"}},
                                {{"a", {}, "s"}, {"b", {}, "other"}, {"left out", "fails at times", "s"}});
  EXPECT_EQ(kills_of_tests(result), (std::vector<kill_row>{{"a", "s", 2, 2, false}, {"b", "other", 1, 1, false}}));
  EXPECT_EQ(kills_of_tests(result, "other"), (std::vector<kill_row>{{"b", "other", 1, 1, false}}));
  EXPECT_EQ(kills_of_suites(result), (std::vector<kill_row>{{"other", "other", 1, 0, true}, {"s", "s", 2, 1, false}}));
}

TEST(MutationTests, the_kill_matrix_has_a_line_a_killed_mutant) {
  const auto result =
      killed_by({{"a", "b, 2"}, {"b, 2"}, {}, {"c"}}, {{"a", {}, "s"}, {"b, 2", {}, "s"}, {"c", {}, "t"}});
  EXPECT_EQ(kills_as_csv(result, "s"),
            "file,line,column,operator,original,replacement,a,\"b, 2\"\n"
            "a.cpp,1,1,crp,x,0,1,1\n"
            "b.cpp,1,1,crp,z,1,0,1\n");
}

TEST(MutationTests, the_text_has_the_tables_that_are_asked_for) {
  auto result = killed_by({{"a", "b"}, {"a"}}, {{"a", {}, "s"}, {"b", {}, "s"}, {"c", {}, "t"}});
  result.files[0].functions = {{1, "f()", {}, 0, 4}, {2, "g()", {}, 2, 3}};
  const std::string text = mutation_as_text(result, {.by = {"function", "suite", "test"}, .suite = "s"});
  EXPECT_EQ(text.substr(0, text.find("\n2 mutants")),
            "\n"
            "function                                          mutants  covered   killed        \n"
            "a.cpp:1 f()                                             1        1        1  100.0%\n"
            "\n"
            "suite                                                              kills   alone\n"
            "s                                                                      2       2\n"
            "t                                                                      0       0  kills nothing\n"
            "\n"
            "test                                                               kills   alone\n"
            "a                                                                      2       1\n"
            "b                                                                      1       0  redundant\n");
  result.has_all_killers = false;
  EXPECT_NE(mutation_as_text(result, {.by = {"test"}}).find("Only the first killer of a mutant is known"),
            std::string::npos);
}

}  // namespace
}  // namespace morph::report
