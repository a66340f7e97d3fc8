// Sequences as text: written and read again, and what is read of a file that fits no more.
#include "plugin/generate/sequence_text.hpp"

#include <gtest/gtest.h>

#include "optimizer/matrix/random.hpp"
#include "plugin/generate/fitting.hpp"
#include "plugin/generate/variation.hpp"
#include "toy_api.hpp"

namespace morph::generate {
namespace {

constexpr argument nothing{morph_argument_nothing, 0};

argument call_value(std::uint32_t call) {
  return {morph_argument_value, call};
}

class SequenceText : public testing::Test {
 protected:
  argument number(std::int64_t of) { return {morph_argument_literal, literals.add({.kind = 'i', .number = of})}; }
  argument text(const std::string& of) { return {morph_argument_literal, literals.add({.kind = 's', .text = of})}; }

  literal_table literals{};
  api offered = toy::made(literals);
};

TEST_F(SequenceText, ACallIsALineWithNamesForWhatCallsGive) {
  const sequence one{{toy::make_circle, {number(-5), text("a \"b\"\n\\\x01\xff")}},
                     {toy::grow, {call_value(0), number(7)}},
                     {toy::adopt, {call_value(0), nothing}}};
  const sequence other{{toy::make_token, {number(1)}}, {toy::consume, {call_value(0)}}};
  EXPECT_EQ(printed({one, other}, offered, literals),
            "morph generate sequences 1\n"
            "v0 = circle(int, string) <- -5, \"a \\\"b\\\"\\n\\\\\\x01\\xff\"\n"
            "circle::grow(int) <- v0, 7\n"
            "adopt(shape&, shape*) <- v0, -\n"
            "\n"
            "v0 = token(int) <- 1\n"
            "consume(token&&) <- v0\n");
}

TEST_F(SequenceText, WhatIsWrittenIsReadAgain) {
  optimizer::random_source random(7);
  variation vary(offered, literals, random);
  std::vector<sequence> all;
  while (all.size() < 300) {
    sequence made = vary.random();
    if (!made.empty()) all.push_back(std::move(made));
  }
  const auto read = parsed(printed(all, offered, literals), offered, literals);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->all, all);
  EXPECT_EQ(read->dropped, 0U);
}

TEST_F(SequenceText, RealsAndListsAreReadAgain) {
  const auto real_role = literals.add_role({.kind = 'd'});
  const auto list_role = literals.add_role({.kind = 'l', .elements = {real_role}});
  offered.callables.push_back({.signature = "f(list)", .slots = {toy::literal_of(list_role)}});
  literal list{.kind = 'l'};
  for (const double each : {0.0, -1.5, 1e300, 0.1, 1e-9, 3.0})
    list.elements.push_back(literals.add({.kind = 'd', .real = each}));
  const auto called = static_cast<std::uint32_t>(offered.callables.size() - 1);
  const std::vector<sequence> all{{{called, {{morph_argument_literal, literals.add(list)}}}},
                                  {{called, {{morph_argument_literal, literals.add({.kind = 'l'})}}}}};
  const std::string text = printed(all, offered, literals);
  EXPECT_NE(text.find("f(list) <- [0.0, -1.5, 1e+300, 0.1, 1e-09, 3.0]"), std::string::npos) << text;
  const auto read = parsed(text, offered, literals);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->all, all);
}

TEST_F(SequenceText, CallablesOfOneSignatureAreToldApart) {
  offered.callables.push_back(offered.callables[toy::make_token]);
  const auto second = static_cast<std::uint32_t>(offered.callables.size() - 1);
  const std::vector<sequence> all{{{toy::make_token, {number(1)}}, {second, {number(2)}}}};
  const auto read = parsed(printed(all, offered, literals), offered, literals);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->all, all);
}

TEST_F(SequenceText, WithoutCallsOfWhatIsNotThereAndOfWhatDependsOnThem) {
  const auto read = parsed(
      "morph generate sequences 1\n"
      "v0 = square(int) <- 1\n"
      "shape::area() const <- v0\n"
      "v2 = token(int) <- 1\n"
      "consume(token&&) <- v2\n"
      "consume(token&&) <- v2\n"
      "circle::grow(int) <- v2, 1\n"
      "v6 = token(int) <- 1000\n"
      "v7 = token(int) <- \"text\"\n",
      offered, literals);
  ASSERT_TRUE(read.has_value()) << read.error();
  EXPECT_EQ(read->all, (std::vector<sequence>{{{toy::make_token, {number(1)}}, {toy::consume, {call_value(0)}}}}));
  EXPECT_EQ(read->dropped, 6U);
}

TEST_F(SequenceText, AnErrorNamesTheLine) {
  const auto error_of = [&](const std::string& text) {
    const auto read = parsed(text, offered, literals);
    return read.has_value() ? "none" : read.error();
  };
  EXPECT_EQ(error_of(""), "line 1: it is empty");
  EXPECT_EQ(error_of("morph generate sequences 2\n"), "line 1: not 'morph generate sequences 1'");
  const std::string head = "morph generate sequences 1\n";
  EXPECT_EQ(error_of(head + "v0 = token(int) <- 1"), "line 2: the line has no end");
  for (const char* each :
       {"token(int) <- ", "token(int) <- \"a", "token(int) <- \"a\\", "token(int) <- \"\\xg0\"", "token(int) <- [1",
        "token(int) <- 1 2", "token(int) <- 1x", "token(int) <- nan", "token(int) <- v3", "token(int) <- 1,2"})
    EXPECT_EQ(error_of(head + each + '\n'),
              std::string(each).ends_with("<- ") ? "none" : "line 2: no call of a sequence")
        << each;
}

TEST_F(SequenceText, ATruncatedTextIsAnErrorOrShorter) {
  const std::vector<sequence> all{
      {{toy::make_circle, {number(-5), text("a\"\x80")}}, {toy::grow, {call_value(0), number(7)}}},
      {{toy::make_token, {number(1)}}}};
  const std::string text = printed(all, offered, literals);
  for (std::size_t size = 0; size < text.size(); ++size) {
    const auto read = parsed(text.substr(0, size), offered, literals);
    const bool is_at_end_of_line = size > 0 && text[size - 1] == '\n';
    EXPECT_EQ(read.has_value(), is_at_end_of_line) << size;
  }
}

TEST_F(SequenceText, AnyBytesAreReadOrExplained) {
  const std::vector<sequence> all{
      {{toy::make_circle, {number(-5), text("a\"\x80")}}, {toy::grow, {call_value(0), number(7)}}},
      {{toy::make_token, {number(1)}}, {toy::consume, {call_value(0)}}}};
  const std::string whole = printed(all, offered, literals);
  optimizer::random_source random(1);
  for (int i = 0; i < 5000; ++i) {
    std::string changed = whole;
    for (int flips = 0; flips < 3; ++flips)
      changed[random.below(static_cast<std::uint32_t>(changed.size()))] = static_cast<char>(random.below(256));
    const auto read = parsed(changed, offered, literals);
    if (!read.has_value()) {
      EXPECT_TRUE(read.error().starts_with("line ")) << read.error();
      continue;
    }
    for (const sequence& each : read->all)
      for (std::size_t c = 0; c < each.size(); ++c)
        EXPECT_TRUE(fits(each[c], {each.begin(), each.begin() + static_cast<std::ptrdiff_t>(c)}, offered, literals));
  }
}

}  // namespace
}  // namespace morph::generate
