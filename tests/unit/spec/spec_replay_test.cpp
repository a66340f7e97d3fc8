// What violations are shown as: the same fault as was found, by a derivation that makes it again.
#include <gtest/gtest.h>

#include <stdexcept>

#include "morph/morph.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph::engine {
namespace {

struct wide {
  double x, y;
};
struct wider : wide {
  double z;
};
static_assert(morph::reflect::reflectable<wide>);
static_assert(!morph::reflect::reflectable<wider>);  // its base would be counted as one value, without end

const violation& only_violation(session& at_work) {
  EXPECT_EQ(at_work.report().violations.size(), 1U);
  return at_work.report().violations.at(0);
}

TEST(SpecReplay, NamesWhichOfSeveralMutantsItIs) {
  morph::spec<int, int> s("several");
  s.execute([](int x) { return x == 12 ? 99 : x; });
  s.seeds("ten", {10});
  const auto many = s.datamorph("many", [](int x) { return std::vector<int>{x + 1, x + 1, x + 2, x + 3}; });
  s.relation("not 99", many, [](auto& m, auto&) { return m.output != 99; });
  session at_work(s, {});
  at_work.run();
  const violation& found = only_violation(at_work);
  std::string error;
  const auto again = read_derivation(at_work, derivation_text(at_work, found.how), error);
  ASSERT_TRUE(again) << error;
  EXPECT_EQ(at_work.spec().show_input(at_work.cases().input(at_work.rebuild(*again, 0))), "12");
  EXPECT_EQ(derivation_text(at_work, found.how), R"({"by":"many","which":3,"from":[{"in":9}]})");
}

TEST(SpecReplay, StaysWithTheKindOfException) {
  morph::spec<std::string, std::size_t> s("slip");
  s.execute([](const std::string& text) {
    if (text.size() > 5) throw std::runtime_error("too long: " + text);
    if (text.empty()) throw std::runtime_error("empty");
    return text.size();
  });
  s.seeds("texts", {"abcdefgh"});
  session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.spec().show_input(only_violation(at_work).how.input), R"("aaaaaa")");
}

TEST(SpecReplay, StaysWithRelationsThatAreFalse) {
  morph::spec<std::vector<int>, int> s("at");
  s.execute([](const std::vector<int>& v) { return static_cast<int>(v.size()); });
  s.seeds("lists", {{{1, 2, 3}}});
  s.relation("the first is not 1", morph::seeds, [](auto& c) { return c.input.at(0) < 1; });
  session at_work(s, {});
  at_work.run();
  // Not the empty list, for which the relation throws.
  EXPECT_EQ(at_work.spec().show_input(only_violation(at_work).how.input), "[1]");
}

TEST(SpecReplay, ARelationThatThrowsIsNotTheNextDatamorphismsFault) {
  morph::spec<int, int> s("blame");
  s.execute([](int x) { return x; });
  s.seeds("one", {1});
  const auto first = s.datamorph("first", [](int x) { return x + 1; });
  s.relation("throws", first, [](auto&, auto&) -> bool { throw std::runtime_error("a relation"); });
  s.datamorph("second", [](int x) { return x + 2; });
  session at_work(s, {});
  at_work.run();
  EXPECT_TRUE(at_work.report().broken.empty());
  EXPECT_EQ(at_work.report().tallies[0][0].failed, 1U);
}

TEST(SpecReplay, TextsOfOtherLengthsAreOtherInputs) {
  EXPECT_NE(morph::hash_of(std::string("a\0", 2)), morph::hash_of(std::string("`")));
  EXPECT_NE(morph::hash_of(std::string()), morph::hash_of(std::string("\0", 1)));
}

TEST(SpecReplay, WholeNumbersStandForOthersInLiterals) {
  morph::spec<wide, double> s("wide");
  s.execute([](const wide& in) { return in.x + in.y; });
  s.seeds("points", {{1, 2}, {0.5, 0}});
  s.seeds("labelled", {{{3, 4}, 7.0}});
  session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.report().seeds, 3U);
  EXPECT_FALSE(at_work.report().failed());
}

}  // namespace
}  // namespace morph::engine
