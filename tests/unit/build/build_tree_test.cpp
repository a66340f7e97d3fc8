// Which build tree is meant in a folder: those of its own repository, and none that lies beside it by chance.
#include "plugin/build/build_tree.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "plugin/contract/formats.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::build {
namespace {

namespace fs = std::filesystem;

class FindBuildTree : public ::testing::Test {
 protected:
  /// A build tree in the folder `name` whose sources are in `sources`.
  fs::path described(const std::string& name, const std::string& sources) {
    nlohmann::json j = {{"schema", contract::build_schema},          {"binary_dir", (folder / name).string()},
                        {"source_dir", (folder / sources).string()}, {"suites", nlohmann::json::array()},
                        {"ignore", nlohmann::json::array()},         {"targets", nlohmann::json::array()},
                        {"configuration", nlohmann::json::object()}};
    for (const char* key : {"instrument", "generator", "generator_platform", "generator_toolset", "make_program",
                            "cmake", "ctest", "twin_cache", "store"})
      j[key] = "";
    folder.write(name + "/.morph/build.json", j.dump());
    return folder / name;
  }
  fs::path repository(const std::string& name) {
    fs::create_directories(folder / name / ".git");
    return folder / name;
  }

  test_support::temporary_folder folder;
};

TEST_F(FindBuildTree, LiesInTheSourceTreeOrBesideIt) {
  const fs::path sources = repository("project");
  fs::create_directories(sources / "code" / "deep");
  const fs::path beside = described("project-build", "project");
  EXPECT_EQ(find_build_tree(sources / "code" / "deep"), beside);
  const fs::path within = described("project/build", "project");
  EXPECT_EQ(find_build_tree(sources / "code" / "deep"), within);
  EXPECT_EQ(find_build_tree(within), within);
}

TEST_F(FindBuildTree, OfAnotherProjectBesideTheRepositoryIsNotTaken) {
  const fs::path mine = repository("mine");
  described("others-build", "other");
  const auto found = find_build_tree(mine);
  ASSERT_FALSE(found) << *found;
  EXPECT_EQ(found.error(), "no build tree with Morph in '" + mine.string() +
                               "' or above it; configure one (cmake -B build) or name it with --build DIR");
}

TEST_F(FindBuildTree, OfAFolderBesideTheSourcesOfARepositoryIsTaken) {
  const fs::path repo = repository("repo");
  fs::create_directories(repo / "documents");
  const fs::path build = described("repo/build", "repo/code");
  EXPECT_EQ(find_build_tree(repo / "documents"), build);
}

TEST_F(FindBuildTree, OfTheWholeIsTakenInASubmodule) {
  const fs::path whole = repository("whole");
  const fs::path part = repository("whole/part");
  const fs::path build = described("whole-build", "whole");
  EXPECT_EQ(find_build_tree(part), build);
}

}  // namespace
}  // namespace morph::build
