// morph init and morph doctor on a project that does not use Morph yet: what is offered works.
#include <gtest/gtest.h>

#include <cstdlib>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class init : public testing::Test {
 protected:
  init() : p(folder_.path() / "project", folder_.path() / "home") {
    p.write("CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.14)\nproject(shapes CXX)\noption(TESTS \"with tests\" ON)\n"
            "add_library(shapes shapes.cpp)\nif(TESTS)\n  enable_testing()\n  add_subdirectory(tests)\nendif()\n");
    p.write("shapes.cpp", "int area(int a) {\n  return a * a;\n}\nint side(int a) {\n  return a;\n}\n");
    p.write("tests/CMakeLists.txt",
            "find_package(GTest REQUIRED)\ninclude(GoogleTest)\n\n# One program of cases.\nfunction(add_unit name)\n"
            "  add_executable(${name} ${name}.cpp)\n  target_link_libraries(${name} shapes GTest::gtest_main)\n"
            "  gtest_discover_tests(${name}\n    TEST_PREFIX unit.\n    DISCOVERY_TIMEOUT 20)\nendfunction()\n"
            "add_unit(shapes_test)\n");
    p.write("tests/shapes_test.cpp",
            "#include <gtest/gtest.h>\nint area(int);\nint side(int);\n"
            "TEST(Area, OfTwo) { EXPECT_EQ(area(2), 4); }\nTEST(Side, OfTwo) { EXPECT_EQ(side(2), 2); }\n");
    p.write(".gitignore", "build/\n");
    p.git({"init", "--quiet", "--initial-branch=main"});
    p.commit("the beginning");
    p.set_variable("PATH", std::string(MORPH_PREFIX "/bin:") + std::getenv("PATH"));
  }
  finished morph(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), MORPH_PREFIX "/bin/morph");
    return p.run(arguments);
  }
  nlohmann::json doctor() const { return nlohmann::json::parse(morph({"doctor", "--json"}).out); }
  /// The verdict of a check; empty if there is no such row.
  std::string verdict(const std::string& check) const {
    const nlohmann::json all = doctor();
    for (const auto& row : all.at("checks"))
      if (row.at("check") == check) return row.at("verdict");
    return {};
  }

  scratch_folder folder_;
  project p;
};

TEST_F(init, what_is_offered_is_a_patch_that_git_applies) {
  const finished offered = morph({"init"});
  EXPECT_EQ(offered.exit, 0) << offered.err;
  EXPECT_NE(offered.out.find("tests/CMakeLists.txt:8: gtest_discover_tests(${name}) becomes a suite"),
            std::string::npos)
      << offered.out;
  EXPECT_EQ(p.git({"status", "--porcelain"}), "") << "nothing is touched";
  p.write("offer.txt", offered.out);
  p.git({"apply", "offer.txt"});
  p.remove("offer.txt");
  const std::string by_git = p.read("tests/CMakeLists.txt");
  EXPECT_EQ(p.read(".gitignore"), "build/\n.morph/\n");
  EXPECT_NE(by_git.find("find_package(Morph REQUIRED)\n# One program of cases.\nfunction(add_unit name)\n"),
            std::string::npos);

  p.git({"checkout", "--quiet", "."});
  EXPECT_EQ(morph({"init", "--write"}).exit, 0);
  EXPECT_EQ(p.read("tests/CMakeLists.txt"), by_git);
}

TEST_F(init, the_way_of_a_new_user_from_the_offer_to_a_plan) {
  EXPECT_EQ(verdict("build tree"), "problem");
  EXPECT_EQ(verdict("git"), "fine");
  p.configure();
  p.build();
  const names before = listed(p.ctest({"-N"}).out);
  EXPECT_EQ(morph({"init", "--write"}).exit, 0);
  p.commit("Select tests with Morph");
  p.configure();
  EXPECT_EQ(verdict("evidence"), "problem");
  EXPECT_EQ(verdict("disk"), "fine");
  p.build();
  names after = listed(p.ctest({"-N"}).out);
  std::erase(after, "shapes_test.plan");
  EXPECT_EQ(after, before) << "the tests keep their names";
  p.measure();
  const nlohmann::json measured = doctor();
  for (const auto& row : measured.at("checks")) EXPECT_EQ(row.at("verdict"), "fine") << row;
  p.replace("shapes.cpp", "return a * a;", "return a + a;");
  EXPECT_EQ(p.plan().selected(), names{"unit.Area.OfTwo"});

  const finished again = morph({"init", "--write"});
  EXPECT_NE(again.out.find("nothing is left to add"), std::string::npos) << again.out;
  EXPECT_EQ(p.git({"status", "--porcelain"}), " M shapes.cpp");
  p.write("tests/CMakeLists.txt", p.read("tests/CMakeLists.txt") + "# later\n");
  EXPECT_EQ(verdict("build tree"), "problem") << "configured before the last change";
}

TEST_F(init, a_file_with_uncommitted_changes_is_not_written) {
  p.write("tests/CMakeLists.txt", p.read("tests/CMakeLists.txt") + "# mine\n");
  const std::string mine = p.read("tests/CMakeLists.txt");
  const finished end = morph({"init", "--write"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("'tests/CMakeLists.txt' has changes that are not committed; commit or stash them first"),
            std::string::npos)
      << end.err;
  EXPECT_EQ(p.read("tests/CMakeLists.txt"), mine);
}

TEST_F(init, a_recipe_is_written_once) {
  const finished first = morph({"init", "--ci", "github"});
  EXPECT_EQ(first.exit, 0) << first.err;
  EXPECT_EQ(p.read(".github/workflows/morph.yml"), read_bytes(MORPH_SOURCE_DIR "/templates/github.yml"));
  p.write(".gitlab-ci.yml", "mine: {}\n");
  const finished second = morph({"init", "--ci", "gitlab"});
  EXPECT_EQ(p.read(".gitlab-ci.yml"), "mine: {}\n");
  EXPECT_NE(second.out.find(".gitlab-ci.yml is there already and stays as it is; the recipe:\n\n# Morph in GitLab CI."),
            std::string::npos)
      << second.out;
  EXPECT_EQ(morph({"init", "--ci", "travis"}).exit, 2);
}

TEST_F(init, tasks_of_an_editor_are_written_once) {
  EXPECT_EQ(morph({"init", "--editor", "vscode"}).exit, 0);
  EXPECT_EQ(p.read(".vscode/tasks.json"), read_bytes(MORPH_SOURCE_DIR "/templates/vscode/tasks.json"));
  p.write(".vscode/tasks.json", "{}\n");
  const auto second = nlohmann::json::parse(morph({"init", "--editor", "vscode", "--json"}).out);
  EXPECT_EQ(second.at("editor").at("written"), false);
  EXPECT_EQ(p.read(".vscode/tasks.json"), "{}\n");
}

TEST_F(init, json_has_the_offer) {
  const auto offer = nlohmann::json::parse(morph({"init", "--json"}).out);
  EXPECT_EQ(offer.at("schema"), "morph.init/1");
  EXPECT_EQ(offer.at("files"), (names{"CMakeLists.txt", "tests/CMakeLists.txt"}));
  EXPECT_EQ(offer.at("changes").size(), 3U);
  EXPECT_EQ(offer.at("changes")[1].at("line"), 8);
  EXPECT_TRUE(offer.at("diff").get<std::string>().starts_with("diff --git a/tests/CMakeLists.txt"));
}

TEST_F(init, what_is_not_there_is_named) {
  EXPECT_EQ(morph({"init", "nowhere"}).err, "morph: 'nowhere' is not a folder\n");
  EXPECT_EQ(morph({"init", "nowhere"}).exit, 3);
  const finished no_tree = morph({"init", "--build", "tests"});
  EXPECT_EQ(no_tree.exit, 3);
  EXPECT_NE(no_tree.err.find("tests' is not a build tree: it has no CMakeCache.txt"), std::string::npos) << no_tree.err;
  const finished inside = morph({"init", "tests", "--write"});
  EXPECT_EQ(inside.exit, 0) << "a folder with a CMakeLists.txt of its own may be named";
  p.remove("CMakeLists.txt");
  const finished empty = morph({"init"});
  EXPECT_NE(empty.out.find("there is no 'CMakeLists.txt' here; name the project's top folder"), std::string::npos);
}

TEST_F(init, a_program_that_links_googletest_but_does_not_run_it_is_not_lost) {
  p.write("tests/shapes_test.cpp", "#include <gtest/gtest.h>\nint side(int);\nint main() { return side(0); }\n");
  EXPECT_EQ(morph({"init", "--write"}).exit, 0);
  p.commit();
  p.configure();
  p.build();
  const finished run = p.ctest({"-L", "^morph$"});
  EXPECT_EQ(started(run.out), (names{"shapes_test.plan", "shapes_test.all"})) << run.both();
  EXPECT_NE(run.err.find("is not answered by GoogleTest; if the program is one test, say FRAMEWORK none"),
            std::string::npos)
      << run.err;
  EXPECT_EQ(verdict("suite shapes_test"), "problem");
}

}  // namespace
}  // namespace morph::end_to_end
