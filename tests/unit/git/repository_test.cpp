// What git tells: contents, differences, ancestors.
#include "plugin/git/repository.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "plugin/system/process.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::git {
namespace {
using namespace morph::system;
using morph::test_support::temporary_folder;

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

// ---- what git converts

/// Changes of a.txt since HEAD's tree; one is expected.
file_change change_of_a(const repository& r) {
  const auto changes = r.changes_since(r.head()->tree, {}, [](const std::string&) { return true; });
  if (!changes || changes->size() != 1 || (*changes)[0].path != "a.txt")
    throw std::runtime_error("not a change of a.txt");
  return (*changes)[0];
}

TEST_F(Repository, ComparesLinesWithoutTheEndsThatGitConverts) {
  git("config core.autocrlf true");
  folder.write("a.txt", "1\r\n2x\r\n3\r\n");
  const file_change change = change_of_a(open());
  EXPECT_EQ(change.hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ(change.new_text, "1\n2x\n3\n");
}

TEST_F(Repository, KeepsTheContentOfADirtyFileAsGitWouldStoreIt) {
  git("config core.autocrlf true");
  git("config core.safecrlf true");  // which refuses mixed ends, but not to show them
  folder.write("a.txt", "1\r\n2x\n3\r\n");
  const auto dirty = open().dirty_files(any);
  ASSERT_EQ(dirty->size(), 1U);
  EXPECT_EQ((*dirty)[0].content, "1\n2x\n3\n");
  EXPECT_TRUE(open().changes_since(open().head()->tree, {{"a.txt", "1\n2x\n3\n"}}, any)->empty());
  EXPECT_EQ(open().contents({"a.txt", "gone.txt"}).value(),
            (std::map<std::string, std::string>{{"a.txt", "1\n2x\n3\n"}}));
}

TEST_F(Repository, ConvertsUntrackedFilesToo) {
  folder.write(".gitattributes", "*.cpp text eol=crlf\n");
  folder.write("new.cpp", "n\r\n");
  const auto dirty = open().dirty_files([](const std::string& path) { return path == "new.cpp"; });
  ASSERT_EQ(dirty->size(), 1U);
  EXPECT_EQ((*dirty)[0].content, "n\n");
}

TEST_F(Repository, LeavesEndsThatAttributesKeep) {
  git("config core.autocrlf true");
  folder.write(".gitattributes", "a.txt -text\n");
  git("add -A");
  git("commit -q -m attributes");
  folder.write("a.txt", "1\r\n2\n3\n");
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{1, 1, 1, 1}}));
}

TEST_F(Repository, LeavesFilesThatWereStoredWithTheirEnds) {
  folder.write("a.txt", "1\r\n2\r\n3\r\n");
  git("commit -q -a -m ends");
  git("config core.autocrlf true");
  folder.write("a.txt", "1\r\n2x\r\n3\r\n");
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
}

TEST_F(Repository, ComparesTextInTheEncodingThatGitStores) {
  folder.write(".gitattributes", "a.txt working-tree-encoding=UTF-16LE\n");
  folder.write("a.txt", std::string("1\0\n\0002\0\n\0003\0\n\0", 12));
  git("add -A");
  git("commit -q -m encoding");
  folder.write("a.txt", std::string("1\0\n\0002\0\n\0003\0\n\0", 12));  // written anew
  EXPECT_FALSE(open().head()->dirty);
  EXPECT_TRUE(open().dirty_files(any)->empty());
  folder.write("a.txt", std::string("1\0\n\000x\0\n\0003\0\n\0", 12));
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
}

TEST_F(Repository, ComparesWhatTheFiltersOfTheUserMake) {
  git("config filter.words.clean 'sed s/secret/word/'");
  folder.write(".gitattributes", "a.txt filter=words\n");
  folder.write("a.txt", "1\nsecret\n3\n");
  git("add -A");
  git("commit -q -m filter");
  std::filesystem::last_write_time(folder / "a.txt", std::filesystem::file_time_type::clock::now());
  EXPECT_FALSE(open().head()->dirty);
  folder.write("a.txt", "1\nsecret\n3x\n");
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{3, 1, 3, 1}}));
  EXPECT_EQ((*open().dirty_files(any))[0].content, "1\nword\n3x\n");
}

TEST_F(Repository, TakesAFileAsAWholeIfAFilterKeepsItElsewhere) {
  git("config filter.kept.clean 'sha1sum | cut -c -40'");
  folder.write(".gitattributes", "a.txt filter=kept\n");
  git("add -A");
  git("add --renormalize a.txt");
  git("commit -q -m filter");
  folder.write("a.txt", "1\n2x\n3\n");
  const file_change change = change_of_a(open());
  EXPECT_TRUE(change.binary);
  EXPECT_TRUE(change.hunks.empty());
}

TEST_F(Repository, SaysSoWhenARequiredFilterFails) {
  folder.write(".gitattributes", "a.txt filter=broken\n");
  git("add -A");
  git("commit -q -m filter");
  git("config filter.broken.clean false");
  git("config filter.broken.required true");
  folder.write("a.txt", "1\n2x\n3\n");
  ASSERT_FALSE(open().dirty_files(any));
  EXPECT_NE(open().dirty_files(any).error().find("git cannot convert 'a.txt'"), std::string::npos)
      << open().dirty_files(any).error();
}

TEST_F(Repository, GoesByTheAttributesOfASubmoduleInIt) {
  const temporary_folder inner;
  git("init -q " + inner.path().string());
  git("-C " + inner.path().string() + " config core.autocrlf false");
  inner.write("i.txt", "1\n2\n");
  inner.write(".gitattributes", "*.txt text eol=crlf\n");
  git("-C " + inner.path().string() + " add -A");
  git("-C " + inner.path().string() + " commit -q -m inner");
  git("-c protocol.file.allow=always submodule --quiet add " + inner.path().string() + " sub");
  git("commit -q -m sub");
  folder.write("sub/i.txt", "1\r\n2x\r\n");
  const auto changes = open().changes_since(open().head()->tree, {}, any);
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ((*changes)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ(open().contents({"sub/i.txt"})->at("sub/i.txt"), "1\n2x\n");
}

// ---- partial clones

class PartialClone : public Repository {
 protected:
  void SetUp() override {
    Repository::SetUp();
    folder.write("src/c.txt", "1\n2\n3\n");
    git("add -A");
    git("commit -q -m two");
    for (const char* name : {"a.txt", "b.txt", "src/c.txt"}) folder.write(name, "1\n2x\n3\n");
    git("commit -q -a -m three");
    git("config uploadpack.allowFilter true");
  }
  void clone(const std::string& options) { git("clone -q " + options + " file://$PWD clone"); }
  repository open() { return repository::open(folder / "clone").value(); }
  std::string tree_of(const std::string& revision) {
    std::string tree;
    (void)open().walk(revision, [&](const repository::ancestor& at) { return tree = at.tree, true; });
    return tree;
  }
  void expect_all_changes() {
    const auto changes = open().changes_since(tree_of("HEAD~1"), {}, any);
    ASSERT_TRUE(changes) << changes.error();
    ASSERT_EQ(changes->size(), 3U);
    EXPECT_EQ((*changes)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
    EXPECT_EQ((*changes)[2].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  }
};

TEST_F(PartialClone, FetchesTheContentsThatItLacks) {
  clone("--filter=blob:none");
  expect_all_changes();
  std::filesystem::rename(folder / ".git", folder / "gone");  // now they are there
  expect_all_changes();
}

TEST_F(PartialClone, FetchesTheTreesThatItLacks) {
  clone("--filter=tree:0");
  expect_all_changes();
}

TEST_F(PartialClone, OfWhichTheRemoteIsOutOfReachSaysWhatIsMissing) {
  for (const char* filter : {"--filter=blob:none", "--filter=tree:0"}) {
    clone(filter);
    std::filesystem::rename(folder / ".git", folder / "gone");
    const auto changes = open().changes_since(tree_of("HEAD~1"), {}, any);
    ASSERT_FALSE(changes);
    EXPECT_NE(changes.error().find("this clone is partial, and git could not fetch from 'origin' (fatal: "),
              std::string::npos)
        << changes.error();
    EXPECT_NE(changes.error().find("/clone fetch --refetch --no-filter origin`"), std::string::npos) << changes.error();
    std::filesystem::rename(folder / "gone", folder / ".git");
    std::filesystem::remove_all(folder / "clone");
  }
}

TEST_F(PartialClone, ReadsTheExtensionsOfSparseOnes) {
  clone("--filter=blob:none --sparse");
  git("-C clone config core.repositoryFormatVersion 1");
  git("-C clone config extensions.partialClone origin");
  git("-C clone config extensions.worktreeConfig true");
  const auto opened = repository::open(folder / "clone");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_FALSE(opened->head()->dirty);
}

TEST_F(Repository, WithoutAnObjectSaysThatItIsDamaged) {
  const auto tree = open().head()->tree;
  folder.write("a.txt", "1\n2x\n3\n");
  git("commit -q -a -m two");
  const std::string id = blob_hash("1\n2\n3\n");
  std::filesystem::remove(folder / (".git/objects/" + id.substr(0, 2) + "/" + id.substr(2)));
  const auto changes = open().changes_since(tree, {}, any);
  ASSERT_FALSE(changes);
  EXPECT_NE(changes.error().find("git object " + id.substr(0, 10) + " cannot be read: the repository"),
            std::string::npos)
      << changes.error();
}

// ---- indexes and repositories that libgit2 does not read

class Sparse : public Repository {
 protected:
  void SetUp() override {
    Repository::SetUp();
    folder.write("in/c.txt", "c\n");
    folder.write("out/deep/d.txt", "1\n2\n3\n");
    git("add -A");
    git("commit -q -m two");
    tree = open().head()->tree;
    folder.write("out/deep/d.txt", "1\n2x\n3\n");
    git("commit -q -a -m three");
  }
  void expect_what_git_says() {
    EXPECT_FALSE(std::filesystem::exists(folder / "out"));
    const auto opened = repository::open(folder.path());
    ASSERT_TRUE(opened) << opened.error();
    EXPECT_FALSE(opened->head()->dirty);
    EXPECT_TRUE(opened->dirty_files(any)->empty());
    EXPECT_TRUE(opened->tracks("out/deep/d.txt"));
    const auto changes = opened->changes_since(tree, {}, any);
    ASSERT_TRUE(changes) << changes.error();
    ASSERT_EQ(changes->size(), 1U);
    EXPECT_EQ((*changes)[0].path, "out/deep/d.txt");
    EXPECT_EQ((*changes)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
    folder.write("in/c.txt", "other\n");
    EXPECT_EQ(opened->dirty_files(any)->size(), 1U);
    EXPECT_EQ(repository::open(folder.path())->dirty_files(any)->size(), 1U);
  }
  std::string tree;
};

TEST_F(Sparse, CheckoutHasTheFilesThatItLeavesOut) {
  git("sparse-checkout set --cone in");
  expect_what_git_says();
}

TEST_F(Sparse, IndexIsReadThroughGit) {
  git("sparse-checkout set --cone --sparse-index in");
  expect_what_git_says();
}

TEST_F(Repository, ReadsASplitIndexThroughGit) {
  git("update-index --split-index");
  folder.write("a.txt", "1\n2x\n3\n");
  git("add -A");
  const auto opened = repository::open(folder.path());
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_TRUE(opened->tracks("b.txt"));
  EXPECT_EQ(change_of_a(*opened).hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
}

TEST_F(Repository, ReadsWhatSpeedsGitUp) {
  git("update-index --index-version 4");
  git("update-index --untracked-cache");
  git("config core.fsmonitor true");
  git("status");
  folder.write("a.txt", "1\n2x\n3\n");
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  git("fsmonitor--daemon stop || :");
}

TEST_F(Repository, OfWhichTheIndexIsDamagedSaysHowToMakeANewOne) {
  folder.write(".git/index", "no index");
  const auto opened = repository::open(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().find("index` and `git reset` make a new one"), std::string::npos) << opened.error();
}

TEST_F(Repository, GoesByTheConfigurationOfTheWorkTree) {
  git("config extensions.worktreeConfig true");
  git("config --worktree core.autocrlf true");
  folder.write("a.txt", "1\r\n2x\r\n3\r\n");
  EXPECT_EQ(change_of_a(open()).hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
}

TEST_F(Repository, FindsALinkedWorkTreeByARelativePath) {
  git("worktree add -q linked");
  git("config core.repositoryFormatVersion 1");
  git("config extensions.relativeWorktrees true");
  folder.write(".git/worktrees/linked/gitdir", "../../../linked/.git\n");
  folder.write("linked/.git", "gitdir: ../.git/worktrees/linked\n");
  const auto opened = repository::open(folder / "linked");
  ASSERT_TRUE(opened) << opened.error();
  EXPECT_EQ(opened->root(), folder / "linked");
}

TEST(RepositoryErrors, NameWhatCannotBeRead) {
  const temporary_folder folder;
  command c;
  c.arguments = {"git", "init", "-q", "--object-format=sha256", folder.path().string()};
  ASSERT_TRUE(run(c).succeeded());
  EXPECT_NE(repository::open(folder.path()).error().find("names its objects by sha256 (extensions.objectFormat)"),
            std::string::npos)
      << repository::open(folder.path()).error();
  folder.write(".git/config", "[core]\nrepositoryformatversion = 1\n[extensions]\nrefStorage = reftable\n");
  EXPECT_NE(repository::open(folder.path()).error().find("`git refs migrate --ref-format=files`"), std::string::npos)
      << repository::open(folder.path()).error();
  folder.write(".git/config", "[core]\nrepositoryformatversion = 1\n[extensions]\nfuture = true\n");
  EXPECT_NE(repository::open(folder.path()).error().find("extensions.future"), std::string::npos)
      << repository::open(folder.path()).error();
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
}  // namespace morph::git
