// What `--fix` proposes, as JSON and in a line; and that nothing is written over a source that has changed.
#include "plugin/explain/changes.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

namespace morph::explain {
namespace {

using nlohmann::json;

proposed_changes some() {
  proposed_changes made;
  fix_candidate assertion{.test = "Shop.Sells", .file = "tests/shop_test.cpp", .line = 14};
  assertion.assertion = "EXPECT_EQ(k, 11);";
  assertion.mutants = {"m1", "m2"};
  made.assertions.fixes = {assertion};
  made.assertions.killed = {"m1"};
  made.assertions.refused = {"m4: no assertion"};
  made.tests.tests = {{"tests/shop_survivors_test.cpp", "Price", {"m2", "m3"}}};
  made.tests.refused = {"m5: no new test"};
  return made;
}

TEST(ProposedChanges, SayHowManySurvivorsTheyKill) {
  explained all;
  all.said.explanations.resize(5);
  EXPECT_EQ(summary_of(all, some()), "of 5 survivors, 1 new assertion and 1 new test kill 3");
  EXPECT_FALSE(some().empty());
  EXPECT_TRUE(proposed_changes().empty());
}

TEST(ProposedChanges, AreInTheJsonOfTheReport) {
  const json all = json::parse(as_json(explain_report{.left_out = 7}, some(), "diff --git a b\n"));
  EXPECT_EQ(all.at("left_out"), 7);
  const json& fixes = all.at("fixes");
  EXPECT_EQ(fixes.at("assertions").at(0).at("text"), "EXPECT_EQ(k, 11);");
  EXPECT_EQ(fixes.at("assertions").at(0).at("line"), 14);
  EXPECT_EQ(fixes.at("tests").at(0).at("mutants"), json::array({"m2", "m3"}));
  EXPECT_EQ(fixes.at("killed_by_assertions"), json::array({"m1"}));
  EXPECT_EQ(fixes.at("refused"), json::array({"m4: no assertion", "m5: no new test"}));
  EXPECT_EQ(fixes.at("patch"), "diff --git a b\n");
}

TEST(ProposedChanges, ATestThatChangedMeanwhileIsNotWrittenOver) {
  build::build_tree tree;
  tree.source_dir = std::filesystem::path(testing::TempDir()) / "changed_meanwhile";
  std::filesystem::create_directories(tree.source_dir / "tests");
  std::ofstream(tree.source_dir / "tests" / "shop_test.cpp") << "now\n";
  proposed_changes changes = some();
  changes.assertions.texts["tests/shop_test.cpp"] = "then\n";
  const auto files = files_with(tree, changes);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error(), "'tests/shop_test.cpp' has changed since it was read; nothing was changed, run it again");
  std::filesystem::remove_all(tree.source_dir);
}

}  // namespace
}  // namespace morph::explain
