// States of a project: saved, removed, put back, or not where something else is there.
#include "plugin/scripting/state.hpp"

#include <gtest/gtest.h>

#include "plugin/scripting/recording.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/message_of.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::scripting {
namespace {

using test_support::message_of;

class State : public ::testing::Test {
 protected:
  test_support::temporary_folder folder_;
  build::build_tree tree_;
  const std::string pool_ = "{\"morph\":\"pool\",\"version\":1,\"spec\":\"s\"}\n";
  const std::string file_ = (folder_ / "kept.state").string();

  State() {
    ::unsetenv("MORPH_SEED");
    tree_.source_dir = folder_.path();
    tree_.binary_dir = folder_ / "build";
    folder_.write(".morph/pools/a.jsonl", pool_);
    folder_.write(".morph/pools/notes.txt", "no pool");
    folder_.write(".morph/scripts/b.morph", "morph plan\n");
    folder_.write(".morph/scripts/b.log", "b.morph:1: exit 0: morph plan\n");
    folder_.write(".morph/seed", "7\n");
  }
};

TEST_F(State, WhatIsRemovedIsPutBack) {
  const auto saved = save_state(tree_, file_, {});
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(as_text(*saved), "1 pool, 1 script, 1 file of messages, seed 7");
  ASSERT_TRUE(clear_state(tree_, true));
  EXPECT_FALSE(std::filesystem::exists(folder_ / ".morph/pools/a.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(folder_ / ".morph/pools/notes.txt"));
  EXPECT_EQ(kept_seed(tree_), std::nullopt);
  const auto loaded = load_state(tree_, file_, false);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->files, saved->files);
  EXPECT_EQ(system::read_file(folder_ / ".morph/pools/a.jsonl"), pool_);
  EXPECT_EQ(kept_seed(tree_), 7U);
}

TEST_F(State, NothingIsReplacedOrRemovedWithoutForce) {
  ASSERT_TRUE(save_state(tree_, file_, {}));
  folder_.write(".morph/scripts/b.morph", "morph measure\n");
  folder_.write(".morph/seed", "8\n");
  const auto loaded = load_state(tree_, file_, false);
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, contract::usage);
  EXPECT_EQ(loaded.error().message,
            "these are there already and differ; nothing was loaded. --force replaces them:\n  "
            ".morph/scripts/b.morph\n  the seed, which is 8");
  EXPECT_EQ(kept_seed(tree_), 8U);
  const auto cleared = clear_state(tree_, false);
  ASSERT_FALSE(cleared);
  EXPECT_EQ(cleared.error().message,
            "--force removes these; nothing was removed now:\n  .morph/pools/a.jsonl\n  .morph/scripts/b.morph\n  "
            ".morph/scripts/b.log\n  the seed, which is 8");
  ASSERT_TRUE(load_state(tree_, file_, true));
  EXPECT_EQ(kept_seed(tree_), 7U);
}

TEST_F(State, PoolsOfSuitesAndNamedOnesAreSavedOnceIfTheyLieInTheProject) {
  folder_.write("pools/suite.jsonl", pool_);
  folder_.write("named.jsonl", pool_);
  tree_.suites.emplace_back().pool = folder_ / "pools/suite.jsonl";
  const std::string named = (folder_ / "named.jsonl").string();
  const auto saved = save_state(tree_, file_, {named, named, (folder_ / "pools/suite.jsonl").string()});
  ASSERT_TRUE(saved) << saved.error().message;
  EXPECT_EQ(as_text(*saved), "3 pools, 1 script, 1 file of messages, seed 7");
  const test_support::temporary_folder elsewhere;
  elsewhere.write("p.jsonl", pool_);
  const auto outside = save_state(tree_, file_, {(elsewhere / "p.jsonl").string()});
  ASSERT_FALSE(outside);
  EXPECT_EQ(outside.error().code, contract::usage);
}

TEST_F(State, WhatIsBeingRecordedIsNotRemoved) {
  ASSERT_TRUE(start_recording(tree_.binary_dir, folder_ / ".morph/scripts/c.morph"));
  EXPECT_NE(message_of(clear_state(tree_, true)).find("is being recorded; end that first"), std::string::npos);
  EXPECT_TRUE(std::filesystem::exists(folder_ / ".morph/scripts/b.morph"));
}

}  // namespace
}  // namespace morph::scripting
