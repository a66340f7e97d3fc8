// Observed mutants are read as they were written.
#include "coverage/observation/observed_json.hpp"

#include <gtest/gtest.h>

namespace morph::observation {
namespace {

using nlohmann::json;

observed_mutant one() {
  observed_mutant made{.id = "src/a.cpp:3:5:ror.2", .means = symptom::no_propagation};
  made.tests = {{"Price.OfMany", 14, 2}};
  difference of{.where = level::test,
                .test = "Price.OfMany",
                .place = {"tests/a_test.cpp", 7, 3},
                .expression = "b",
                .type = "shop::basket",
                .property = "->total_",
                .original = "5",
                .mutated = "\"x\"",
                .is_private = true,
                .invocation = 2,
                .instruction = {"tests/a_test.cpp", 6, 3},
                .call_path = {"Price.OfMany", "shop::price(int)"}};
  made.differences = {of};
  made.left_out = 3;
  made.operands = {"many: 1, 2"};
  made.not_read = {"lock_: a mutex"};
  return made;
}

TEST(ObservedJson, ReadsWhatItWrites) {
  const json written = to_json(one());
  const observed_mutant read = observed_of(json::parse(written.dump()));
  EXPECT_EQ(to_json(read), written);
  EXPECT_EQ(read.means, symptom::no_propagation);
  EXPECT_EQ(read.differences.at(0).where, level::test);
  EXPECT_EQ(read.differences.at(0).instruction.line, 6U);
  EXPECT_TRUE(read.differences.at(0).is_private);
  EXPECT_EQ(read.tests.at(0).depth, 2U);
}

TEST(ObservedJson, KnowsItsSymptoms) {
  for (const symptom each : {symptom::weak_oracle, symptom::no_propagation, symptom::no_infection})
    EXPECT_EQ(symptom_of(name_of(each)), each);
  EXPECT_EQ(symptom_of("strong-oracle"), std::nullopt);
}

TEST(ObservedJson, RefusesWhatLacksAMember) {
  const json written = to_json(one());
  for (const auto& [name, value] : written.items()) {
    json less = written;
    less.erase(name);
    EXPECT_THROW(observed_of(less), json::exception) << name;
  }
  json other = written;
  other["symptom"] = "strong-oracle";
  EXPECT_THROW(observed_of(other), json::exception);
}

}  // namespace
}  // namespace morph::observation
