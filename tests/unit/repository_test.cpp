// What git tells: contents, differences, ancestors.
#include "plugin/project/repository.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "plugin/project/process.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using namespace morph::project;
using morph::testing::temporary_folder;

class Repository : public ::testing::Test {
 protected:
  void SetUp() override {
    git("init -q");
    folder.write("a.txt", "1\n2\n3\n");
    folder.write("b.txt", "b\n");
    git("add -A");
    git("commit -q -m one");
  }
  void git(const std::string& arguments) {
    command c;
    c.arguments = {"sh", "-c",
                   "git -c user.name=t -c user.email=t@example.invalid -c commit.gpgsign=false " + arguments};
    c.directory = folder.path().string();
    c.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
    const process_end end = run(c);
    ASSERT_TRUE(end.succeeded()) << end.err;
  }
  repository open() { return repository::open(folder.path()).value(); }
  static bool any(const std::string&) { return true; }
  temporary_folder folder;
};

TEST_F(Repository, SeesAWorkTreeThatIsClean) {
  const auto head = open().head();
  ASSERT_TRUE(head);
  EXPECT_FALSE(head->dirty);
  EXPECT_FALSE(head->run_all);
  EXPECT_TRUE(open().changes_since(head->tree, {}, any)->empty());
}

TEST_F(Repository, ComparesATreeWithTheWorkTree) {
  const auto tree = open().head()->tree;
  folder.write("a.txt", "1\n2x\n3\n");
  git("rm -q b.txt");
  folder.write("new.cpp", "n\n");
  folder.write("other.bin", "n\n");
  const auto changes = open().changes_since(tree, {}, [](const std::string& p) { return p == "new.cpp"; });
  ASSERT_EQ(changes->size(), 3U);
  EXPECT_EQ((*changes)[0].path, "a.txt");
  EXPECT_EQ((*changes)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ((*changes)[0].old_lines, 3U);
  EXPECT_EQ((*changes)[1].how, file_change::kind::deleted);
  EXPECT_EQ((*changes)[2].how, file_change::kind::added);
  EXPECT_FALSE((*changes)[2].tracked);
  EXPECT_TRUE(open().head()->dirty);
}

TEST_F(Repository, PutsMeasuredContentInPlaceOfTheTree) {
  const auto tree = open().head()->tree;
  folder.write("a.txt", "1\nmeasured\n3\n");
  EXPECT_TRUE(open().changes_since(tree, {{"a.txt", "1\nmeasured\n3\n"}}, any)->empty());
  git("checkout -q a.txt");
  const auto back = open().changes_since(tree, {{"a.txt", "1\nmeasured\n3\n"}, {"gone.cpp", "x\n"}}, any);
  ASSERT_EQ(back->size(), 2U);
  EXPECT_EQ((*back)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ((*back)[1].how, file_change::kind::deleted);
}

TEST_F(Repository, ListsTheContentOfEverythingThatDiffersFromHead) {
  folder.write("a.txt", "other\n");
  std::filesystem::permissions(folder / "a.txt", std::filesystem::perms::owner_all);
  git("rm -q b.txt");
  folder.write("new.cpp", "n\n");
  folder.write("scratch", "n\n");
  const auto dirty = open().dirty_files([](const std::string& p) { return p == "new.cpp"; });
  ASSERT_TRUE(dirty);
  ASSERT_EQ(dirty->size(), 3U);
  EXPECT_EQ((*dirty)[0].content, "other\n");
  EXPECT_EQ((*dirty)[1].content, std::nullopt);
  EXPECT_EQ((*dirty)[2].path, "new.cpp");
}

TEST_F(Repository, FindsTheNearestMeasuredAncestorOverBothParents) {
  const auto first = open().head()->tree;
  git("checkout -q -b side");
  folder.write("s.txt", "s\n");
  git("add -A");
  git("commit -q -m side");
  const auto side = open().head()->tree;
  git("checkout -q -");
  folder.write("m.txt", "m\n");
  git("add -A");
  git("commit -q -m main");
  git("merge -q --no-ff -m merge side");
  const auto found = open().nearest("", [&](const std::string& t) { return t == first || t == side; });
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->tree, side);
  EXPECT_EQ((*found)->distance, 1U);
  EXPECT_FALSE(*open().nearest("", [](const std::string&) { return false; }));
  EXPECT_FALSE(open().nearest("no-such-revision", any));
}

TEST_F(Repository, TellsWhichFilesChangedLately) {
  const auto commit_at = [&](const char* date) {
    git(
        fmt::format("commit -q -m more && GIT_COMMITTER_DATE={}T00:00:00Z git -c user.name=t -c "
                    "user.email=t@example.invalid commit -q --amend --no-edit",
                    date));
  };
  const auto commit = [&](const std::string& name, const std::string& text, const char* date) {
    folder.write(name, text);
    git("add -A");
    commit_at(date);
  };
  commit("a.txt", "2\n", "2040-01-01");
  commit("a.txt", "3\n", "2040-06-29");  // 180 days later
  commit("b.txt", "3\n", "2040-06-29");
  git("branch other");
  git("checkout -q -b side HEAD~1");
  commit("c.txt", "3\n", "2040-06-29");
  git("merge -q --no-ff --no-commit other");
  commit_at("2040-06-29");
  const auto churn = open().churn(4);
  ASSERT_EQ(churn.size(), 3U);
  EXPECT_NEAR(churn.at("a.txt"), 1 + std::exp(-1), 1e-9);
  EXPECT_NEAR(churn.at("b.txt"), 1, 1e-9);
  EXPECT_NEAR(churn.at("c.txt"), 1, 1e-9) << "once, not with the merge, too";
  EXPECT_EQ(open().churn(0).size(), 0U);
  EXPECT_NEAR(open().churn(100).at("b.txt"), 1, 1e-3) << "not the first commit";
  commit("a.txt", "4\n", "2040-06-29");
  git("clone -q --depth 2 file://$PWD shallow");
  const auto in_shallow = repository::open(folder / "shallow")->churn(100);
  ASSERT_EQ(in_shallow.size(), 1U) << "what came before is not there to compare with";
  EXPECT_NEAR(in_shallow.at("a.txt"), 1, 1e-9);
}

TEST_F(Repository, EndsTheSearchWhereAShallowCloneEnds) {
  const auto first = open().head()->tree;
  folder.write("a.txt", "later\n");
  git("commit -q -a -m two");
  git("clone -q --depth 1 file://$PWD shallow");
  const auto found =
      repository::open(folder / "shallow")->nearest("", [&](const std::string& t) { return t == first; });
  ASSERT_TRUE(found) << found.error();
  EXPECT_FALSE(*found);
}

TEST_F(Repository, ReadsTheTrailerThatAsksForEverything) {
  git("commit -q --allow-empty -m subject -m 'Morph: all'");
  EXPECT_TRUE(open().head()->run_all);
}

TEST_F(Repository, TreatsAChangeOfModeAsAChange) {
  const auto tree = open().head()->tree;
  std::filesystem::permissions(folder / "a.txt", std::filesystem::perms::owner_all);
  const auto changes = open().changes_since(tree, {}, any);
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_TRUE((*changes)[0].binary);
}

TEST_F(Repository, KnowsWhatGitTracks) {
  folder.write("new.cpp", "n\n");
  EXPECT_TRUE(open().tracks("a.txt"));
  EXPECT_FALSE(open().tracks("new.cpp"));
}

TEST_F(Repository, NamesFilesAsGitDoesAlsoThroughSymbolicLinks) {
  const repository r = open();
  EXPECT_EQ(r.relative(folder / "sub/../x/y.cpp"), "x/y.cpp");
  EXPECT_EQ(r.relative("/elsewhere/y.cpp"), "");
  EXPECT_EQ(r.relative(folder.path() / ".." / "beside.cpp"), "");
  const temporary_folder other;
  std::filesystem::create_directory_symlink(folder.path(), other / "link");
  EXPECT_EQ(r.relative(other / "link/x/y.cpp"), "x/y.cpp");
}

TEST(RepositoryErrors, SayWhatToDo) {
  const temporary_folder folder;
  const auto none = repository::open(folder.path());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("is not in a git repository; run `git init`"), std::string::npos) << none.error();
  command c;
  c.arguments = {"git", "init", "-q", folder.path().string()};
  ASSERT_TRUE(run(c).succeeded());
  EXPECT_NE(repository::open(folder.path())->head().error().find("no commit yet"), std::string::npos);
}

}  // namespace
