// Runs and unsteady tests out of stored verdicts.
#include "plugin/workspace/store_history.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tests/unit/temporary_folder.hpp"

namespace morph::workspace {
namespace {

store::test_outcome ran(const char* name, bool failed, std::int64_t at, const char* content) {
  return {name, failed, at, 0.5, "ctest", content, "c"};
}

TEST(StoreHistory, RunsAreVerdictsOfOneTimeAndSource) {
  const test_support::temporary_folder folder;
  const std::string path = folder / "evidence.db";
  EXPECT_TRUE(history_of(path).value().runs.empty());
  auto opened = store::evidence_store::open_for_writing(path);
  ASSERT_TRUE(opened);
  const std::vector<store::test_outcome> outcomes{ran("a", false, 1, "x"), ran("b", false, 1, "x"),
                                                  ran("a", true, 2, "x"), ran("b", true, 2, "y")};
  ASSERT_TRUE(opened->add_outcomes(outcomes));
  store::audit audit;
  audit.commit = "0123456789abcdef";
  audit.tests = 2;
  audit.missed = {"b"};
  ASSERT_TRUE(opened->add_audit(audit));

  const auto history = history_of(path);
  ASSERT_TRUE(history) << history.error();
  const auto all = nlohmann::json::parse(as_json(*history));
  EXPECT_EQ(all["schema"], "morph.history/1");
  ASSERT_EQ(all["runs"].size(), 2U);
  EXPECT_EQ(all["runs"][1]["failed"], 2);
  EXPECT_EQ(all["runs"][1]["seconds"], 1.0);
  EXPECT_EQ(all["tests"][0], nlohmann::json::parse(R"({"name":"a","flaky":true,"verdicts":[[0,0,0.5],[1,1,0.5]]})"));
  EXPECT_FALSE(all["tests"][1]["flaky"].get<bool>()) << "its content differed";
  EXPECT_EQ(all["audits"][0]["missed"], nlohmann::json::array({"b"}));
  EXPECT_EQ(as_text(*history),
            "1970-01-01T00:00:01Z ctest: 2 tests, 0 failed, 1.000 s\n"
            "1970-01-01T00:00:02Z ctest: 2 tests, 2 failed, 1.000 s\n"
            "flaky: a\n"
            "1970-01-01T00:00:00Z audit 0123456789: 0 of 2 tests selected, 0 failed, 1 missed\n");
}

TEST(StoreHistory, AStoreWithoutVerdictsSaysWhatMakesThem) {
  const test_support::temporary_folder folder;
  EXPECT_EQ(as_text(history_of(folder / "none.db").value()),
            (folder / "none.db").string() + ": no verdict yet; `morph record` stores those of ctest\n");
}

}  // namespace
}  // namespace morph::workspace
