// What is asked, and what follows from answers.
#include "plugin/offline/collect.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/unit/temporary_folder.hpp"

namespace morph::offline {
namespace {

class Collect : public testing::Test {
 protected:
  Collect() {
    at.write("repo/a.cpp", "int a;\n");
    at.write("repo/b.cpp", "int b = 1;\n");
    at.write("secret.cpp", "secret");
    of.repository = at / "repo";
    of.build = at / "build";
  }
  collected made(const bounds& at_most = {}) {
    const asking ask = [this](const words& asked) {
      const auto known = std::ranges::find(answers, asked, &document::arguments);
      return known == answers.end() ? document{asked, 3, {}, R"({"schema":"morph.error/1"})"} : *known;
    };
    system::observer told;
    return collect(of, ask, at_most, told);
  }
  static const document& document_of(const collected& all, const words& asked) {
    return *std::ranges::find(all.documents, asked, &document::arguments);
  }
  static std::vector<std::string> paths(const collected& all) {
    std::vector<std::string> found;
    for (const source& each : all.sources) found.push_back(each.path);
    return found;
  }

  test_support::temporary_folder at;
  studio::settings of;
  std::vector<document> answers;
};

TEST_F(Collect, WithoutEvidenceSaysWhatCommandsSay) {
  const collected all = made();
  EXPECT_EQ(document_of(all, {"report", "mutation"}).exit, 3);
  EXPECT_EQ(document_of(all, {"plan"}).output, R"({"schema":"morph.error/1"})");
  EXPECT_TRUE(all.sources.empty());
}

TEST_F(Collect, NamesTheBuildTreeOnce) {
  const std::string build = of.build.string();
  EXPECT_EQ(arguments_of({"report", "coverage"}, of), (words{"report", "--build", build, "--json", "coverage"}));
  of.typed = {"--build", "b", "--config", "Debug"};
  EXPECT_EQ(arguments_of({"plan", "--why"}, of),
            (words{"plan", "--build", "b", "--config", "Debug", "--json", "--why"}));
}

TEST_F(Collect, AsksForEachSpecAndScript) {
  answers.push_back({{"spec", "list"}, 0, {}, R"({"specs":[{"name":"a"},{"name":"b"},{"odd":1}]})"});
  answers.push_back({{"script", "list"}, 0, {}, R"({"scripts":[{"name":"night"}]})"});
  const collected all = made();
  const std::string pool = (at / "build/.morph/b.cases.jsonl").string();
  EXPECT_EQ(document_of(all, {"spec", "show", "--spec", "b", "--pool", pool}).exit, 3);
  EXPECT_EQ(document_of(all, {"script", "show", "night"}).exit, 3);
  EXPECT_EQ(document_of(all, {"script", "play", "--dry-run", "night"}).exit, 3);
}

TEST_F(Collect, TakesTheSourcesThatTheCoverageNames) {
  answers.push_back({{"report", "coverage"}, 0, {}, R"({"files":[{"path":"a.cpp"},{"path":"gone.cpp"},{"path":"b.cpp"},
                                                                 {"path":"../secret.cpp"}]})"});
  EXPECT_EQ(paths(made()), (std::vector<std::string>{"a.cpp", "b.cpp"}));
  EXPECT_EQ(made().sources[0].text, "int a;\n");
  EXPECT_TRUE(made().left_out.empty());
}

TEST_F(Collect, LeavesOutSourcesAboveTheBounds) {
  answers.push_back({{"report", "coverage"}, 0, {}, R"({"files":[{"path":"a.cpp"},{"path":"b.cpp"}]})"});
  EXPECT_EQ(paths(made({.source = 8})), std::vector<std::string>{"a.cpp"});
  EXPECT_EQ(made({.source = 8}).left_out, std::vector<std::string>{"b.cpp"});
  EXPECT_EQ(made({.sources = 12}).left_out, std::vector<std::string>{"b.cpp"});
}

TEST_F(Collect, KeepsOfTheStoreItsVerdictsAlone) {
  answers.push_back(
      {{"store", "export"}, 0, {}, "{\"schema\":1}\n{\"test\":\"t\",\"verdict\":\"failed\"}\n{\"row\":2}"});
  EXPECT_EQ(document_of(made(), {"store", "export"}).output, "{\"test\":\"t\",\"verdict\":\"failed\"}\n");
}

}  // namespace
}  // namespace morph::offline
