// Pools beside the one under test.
#include <gtest/gtest.h>

#include <fstream>

#include "morph/morph.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using table_of_squares = morph::auxiliary_pool<int, int>;

TEST(SpecAuxiliaryPools, FindByInputInTheirOrder) {
  table_of_squares table = table_of_squares::of({{3, 9}, {1, 1}, {2, 4}});
  EXPECT_FALSE(table.add(2, 5));
  EXPECT_TRUE(table.add(4, 16));
  ASSERT_NE(table.find(2), nullptr);
  EXPECT_EQ(*table.find(2), 4);
  EXPECT_EQ(table.find(7), nullptr);
  std::vector<int> inputs;
  for (const auto& entry : table) inputs.push_back(entry.input);
  EXPECT_EQ(inputs, (std::vector<int>{3, 1, 2, 4}));
}

TEST(SpecAuxiliaryPools, AreReadFromFiles) {
  const morph::test_support::temporary_folder folder;
  const std::string file = (folder.path() / "table.csv").string();
  std::ofstream(file) << "x,square\n3,9\n4,16\n";
  EXPECT_EQ(*table_of_squares::read(morph::csv{file}).find(4), 16);
  std::ofstream(file) << "3\n";
  EXPECT_THROW(table_of_squares::read(morph::csv{file}), std::runtime_error);
  EXPECT_THROW(table_of_squares::read(morph::csv{file + "x"}), std::runtime_error);
}

TEST(SpecAuxiliaryPools, TellRelationsWhatIsKnown) {
  const table_of_squares table = table_of_squares::of({{3, 9}, {4, 16}});
  morph::spec<int, int> s("squares");
  s.execute([](int x) { return x == 4 ? 0 : x * x; });
  s.seeds("some", {1, 2, 3});
  s.datamorph("next", [](int x) { return x + 1; });
  s.relation(
      "as in the table", morph::all_cases, [=](auto& c) { return table.find(c.input) != nullptr; },
      [=](auto& c) { return c.output == *table.find(c.input); });
  morph::engine::session at_work(s, {});
  at_work.run();
  const morph::tally& found = at_work.report().tallies[0][0];
  EXPECT_EQ(found.passed, 2U);  // the seed 3 and the mutant 3
  EXPECT_EQ(found.failed, 1U);  // the mutant 4
  EXPECT_EQ(found.not_applicable, 3U);
}

}  // namespace
