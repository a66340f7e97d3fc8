// One of a thing, and several.
#include "plugin/system/counted.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace morph::system {
namespace {

TEST(Counted, IsSingularForOneAlone) {
  EXPECT_EQ(counted(1, "test"), "1 test");
  EXPECT_EQ(counted(0U, "test"), "0 tests");
  EXPECT_EQ(counted(std::uint64_t{12}, "test"), "12 tests");
}

TEST(Counted, TakesWordsThatHaveMoreThanAnS) {
  EXPECT_EQ(counted(1, "branch", "branches"), "1 branch");
  EXPECT_EQ(counted(2, "branch", "branches"), "2 branches");
  EXPECT_EQ(counted(1, "mutant is", "mutants are"), "1 mutant is");
  EXPECT_EQ(counted(0, "mutant is", "mutants are"), "0 mutants are");
}

}  // namespace
}  // namespace morph::system
