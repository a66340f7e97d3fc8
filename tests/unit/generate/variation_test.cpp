// Properties of all sequences that variation makes.
#include "plugin/generate/variation.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "lock_program.hpp"
#include "toy_api.hpp"

namespace morph::generate {
namespace {

constexpr int rounds = 3000;

std::string fault_of(const argument& of, const slot& as, const sequence& in, const api& by,
                     const literal_table& literals) {
  if (as.from == slot::source::nothing || of.kind == morph_argument_nothing)
    return of.kind != morph_argument_nothing                    ? "has an argument"
           : as.from == slot::source::nothing || as.may_be_null ? ""
                                                                : "has no argument";
  if ((as.from == slot::source::value) != (of.kind == morph_argument_value)) return "has an argument of another kind";
  if (of.kind == morph_argument_literal)
    return literals[of.number].kind == literals.role_at(as.role).kind ? "" : "has a literal of another role";
  const auto& gives = by.callables[in[of.number].callable].gives;
  if (!gives) return "uses what gives nothing";
  if (!by.is_a(gives->type, as.type)) return "uses a value of another type";
  return as.changes && gives->is_constant ? "changes a constant" : "";
}

/// Why a sequence cannot be executed; empty if it can.
std::string fault_in(const sequence& of, const api& by, const literal_table& literals) {
  if (of.empty()) return "is empty";
  if (of.size() > most_calls) return "is too long";
  if (!is_ordered(of)) return "is not ordered";
  std::vector<bool> gone(of.size(), false);
  for (std::size_t i = 0; i < of.size(); ++i) {
    const auto& slots = by.callables[of[i].callable].slots;
    if (of[i].arguments.size() != slots.size()) return fmt::format("call {} lacks arguments", i);
    std::vector<int> uses(of.size(), 0);
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const argument& each = of[i].arguments[s];
      if (const auto fault = fault_of(each, slots[s], of, by, literals); !fault.empty())
        return fmt::format("call {} of {}: slot {} {}", i, by.callables[of[i].callable].signature, s, fault);
      if (each.kind != morph_argument_value) continue;
      if (gone[each.number])
        return fmt::format("call {} of {} uses a value that was taken", i, by.callables[of[i].callable].signature);
      ++uses[each.number];
    }
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const argument& each = of[i].arguments[s];
      if (each.kind != morph_argument_value || !slots[s].takes) continue;
      if (uses[each.number] > 1) return fmt::format("call {} takes a value that it uses", i);
      gone[each.number] = true;
    }
  }
  return {};
}

class Variation : public testing::Test {
 protected:
  std::string fault(const sequence& of) const { return of.empty() ? "" : fault_in(of, api_, literals_); }

  literal_table literals_;
  api api_ = toy::made(literals_);
  optimizer::random_source random_{7};
  variation vary_{api_, literals_, random_};
};

TEST_F(Variation, AtRandomMakesSequencesThatCanBeExecuted) {
  for (int i = 0; i < rounds; ++i) ASSERT_EQ(fault(vary_.random()), "") << "round " << i;
}

TEST_F(Variation, ByMutationMakesSequencesThatCanBeExecuted) {
  sequence one = vary_.random();
  for (int i = 0; i < rounds; ++i) {
    one = vary_.mutated(one);
    ASSERT_EQ(fault(one), "") << "round " << i;
  }
}

TEST_F(Variation, ByCrossoverMakesSequencesThatCanBeExecuted) {
  sequence head = vary_.random(), tail = vary_.random();
  for (int i = 0; i < rounds; ++i) {
    const sequence child = vary_.crossed(head, tail);
    ASSERT_EQ(fault(child), "") << "round " << i;
    tail = std::move(head);
    head = vary_.mutated(child);
  }
}

TEST_F(Variation, CallsEveryCallable) {
  std::set<std::uint32_t> called;
  for (int i = 0; i < rounds; ++i)
    for (const call& each : vary_.random()) called.insert(each.callable);
  EXPECT_EQ(called.size(), api_.callables.size());
}

TEST_F(Variation, PassesNullPointersNowAndThen) {
  int nulls = 0, objects = 0;
  for (int i = 0; i < rounds; ++i)
    for (const call& each : vary_.random())
      if (each.callable == toy::adopt) ++(each.arguments[1].kind == morph_argument_nothing ? nulls : objects);
  EXPECT_GT(nulls, 0);
  EXPECT_GT(objects, nulls);
}

TEST_F(Variation, OfNoSequenceIsARandomOne) {
  bool has_calls = false;
  for (int i = 0; i < 20; ++i) has_calls = has_calls || !vary_.mutated({}).empty();
  EXPECT_TRUE(has_calls);
}

TEST(VariationOfNoCallables, MakesNoCalls) {
  literal_table literals;
  const api by;
  optimizer::random_source random(1);
  variation vary(by, literals, random);
  EXPECT_TRUE(vary.random().empty());
  EXPECT_TRUE(vary.mutated({}).empty());
}

TEST_F(Variation, ByCrossoverWithNoSequenceIsTheOther) {
  const sequence one{{toy::make_shape, {}}};
  EXPECT_EQ(vary_.crossed(one, {}), one);
  EXPECT_EQ(vary_.crossed({}, one), one);
}

TEST_F(Variation, MostlyAvoidsCallablesThatCrash) {
  const auto calls_of = [&](std::uint32_t callable) {
    int made = 0;
    for (int i = 0; i < rounds; ++i)
      for (const call& each : vary_.random()) made += each.callable == callable ? 1 : 0;
    return made;
  };
  const int before = calls_of(toy::area);
  api_.callables[toy::area].calls = api_.callables[toy::area].crashes = 10;
  EXPECT_LT(calls_of(toy::area) * 5, before);
}

TEST(VariationOfLiterals, TakesThoseThatASequenceHas) {
  toy::lock_program program;
  for (std::int64_t i = 0; i < 1000; ++i) program.literals.offer({.kind = 'i', .number = 1000 + i});
  optimizer::random_source random(1);
  variation vary(program.offered, program.literals, random);
  int again = 0, all = 0;
  for (int i = 0; i < rounds; ++i) {
    std::set<std::uint32_t> seen;
    for (const call& each : vary.random()) {
      if (each.callable != toy::press) continue;
      all += seen.empty() ? 0 : 1;
      again += seen.insert(each.arguments[1].number).second ? 0 : 1;
    }
  }
  ASSERT_GT(all, 1000);
  EXPECT_GT(again * 5, all);
  EXPECT_LT(again * 2, all);
}

TEST(VariationOfEqualSeeds, IsEqual) {
  const auto of_seed = [](std::uint64_t seed) {
    literal_table literals;
    const api by = toy::made(literals);
    optimizer::random_source random(seed);
    variation vary(by, literals, random);
    std::vector<sequence> made{vary.random()};
    for (int i = 0; i < 200; ++i) made.push_back(vary.crossed(vary.mutated(made.back()), vary.random()));
    return made;
  };
  EXPECT_EQ(of_seed(3), of_seed(3));
  EXPECT_NE(of_seed(3), of_seed(4));
}

}  // namespace
}  // namespace morph::generate
