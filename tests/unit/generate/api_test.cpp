// Which callables sequences can reach, and in how many steps.
#include "plugin/generate/api.hpp"

#include <gtest/gtest.h>

#include "toy_api.hpp"

namespace morph::generate {
namespace {

using toy::object;

TEST(Api, KnowsTheBasesOfATypeAndItself) {
  api of;
  of.bases = {{0}, {1, 0}};
  EXPECT_TRUE(of.is_a(1, 0));
  EXPECT_TRUE(of.is_a(1, 1));
  EXPECT_FALSE(of.is_a(0, 1));
}

TEST(Api, LevelsAreStepsFromLiterals) {
  api of;
  of.bases = {{0}, {1}};
  of.callables = {{.slots = {object(1)}},
                  {.slots = {object(0)}, .gives = produced{1}},
                  {.slots = {toy::literal_of(0)}, .gives = produced{0}}};
  EXPECT_EQ(of.settle(), (std::vector<bool>{true, true, true}));
  EXPECT_EQ(of.callables[0].level, 2U);
  EXPECT_EQ(of.callables[1].level, 1U);
  EXPECT_EQ(of.callables[2].level, 0U);
}

TEST(Api, AnObjectOfADerivedClassServesForItsBase) {
  api of;
  of.bases = {{0}, {1, 0}};
  of.callables = {{.slots = {object(0)}}, {.gives = produced{1}}};
  EXPECT_TRUE(of.settle()[0]);
  EXPECT_EQ(of.makers[0], std::vector<std::uint32_t>{1});
}

TEST(Api, AnObjectOfABaseDoesNotServeForADerivedClass) {
  api of;
  of.bases = {{0}, {1, 0}};
  of.callables = {{.slots = {object(1)}}, {.gives = produced{0}}};
  EXPECT_EQ(of.settle(), (std::vector<bool>{false, true}));
}

TEST(Api, AConstantObjectDoesNotServeForWhatChangesIt) {
  api of;
  of.bases = {{0}};
  of.callables = {{.slots = {object(0, true)}}, {.slots = {object(0)}}, {.gives = produced{0, true}}};
  EXPECT_EQ(of.settle(), (std::vector<bool>{false, true, true}));
}

TEST(Api, OnlyWhatIsToBeDestroyedServesForWhatDestroysIt) {
  api of;
  of.bases = {{0}};
  slot last = object(0, true);
  last.takes = last.destroys = true;
  of.callables = {{.slots = {last}}, {.gives = produced{0}}};
  EXPECT_EQ(of.settle(), (std::vector<bool>{false, true}));
  of.callables[1].gives->is_to_destroy = true;
  EXPECT_EQ(of.settle(), (std::vector<bool>{true, true}));
}

TEST(Api, ACallableThatNeedsItsOwnResultIsNotReached) {
  api of;
  of.bases = {{0}};
  of.callables = {{.slots = {object(0)}, .gives = produced{0}, .is_of_unit = true}};
  EXPECT_EQ(of.settle(), std::vector<bool>{false});
  EXPECT_TRUE(of.makers[0].empty());
  EXPECT_TRUE(of.of_unit.empty());
}

TEST(Api, APointerThatMayBeNullNeedsNoObject) {
  api of;
  of.bases = {{0}};
  slot perhaps = object(0);
  perhaps.may_be_null = true;
  of.callables = {{.slots = {perhaps}}};
  EXPECT_EQ(of.settle(), std::vector<bool>{true});
  EXPECT_EQ(of.callables[0].level, 0U);
}

TEST(Api, MakersWithTheFewestStepsComeFirst) {
  api of;
  of.bases = {{0}, {1}};
  of.callables = {{.slots = {object(1)}, .gives = produced{0}}, {.gives = produced{1}}, {.gives = produced{0}}};
  of.settle();
  EXPECT_EQ(of.makers[0], (std::vector<std::uint32_t>{2, 0}));
}

TEST(Api, KnowsTheCallablesOfTheUnit) {
  literal_table literals;
  EXPECT_EQ(toy::made(literals).of_unit,
            (std::vector<std::uint32_t>{toy::grow, toy::area, toy::consume, toy::adopt, toy::join}));
}

TEST(Api, ACallableIsRiskyIfMostOfItsCallsCrash) {
  EXPECT_FALSE((callable{.calls = 3, .crashes = 3}).is_risky());
  EXPECT_TRUE((callable{.calls = 7, .crashes = 4}).is_risky());
  EXPECT_FALSE((callable{.calls = 8, .crashes = 4}).is_risky());
}

}  // namespace
}  // namespace morph::generate
