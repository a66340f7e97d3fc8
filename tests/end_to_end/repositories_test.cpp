// Git as people use it: submodules, worktrees, rewritten histories, other owners, hostile file names.
#include <unistd.h>

#include <algorithm>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

// ---- production code in a submodule

void write_library(const project& to) {
  write_shapes(to);
  to.write("CMakeLists.txt",
           "add_library(shapes src/area.cpp src/scale.cpp)\ntarget_include_directories(shapes PUBLIC src)\n");
  fs::remove_all(to.root() / "tests");
  fs::remove_all(to.root() / "data");
}

void write_user(const project& to) {
  write_shapes(to);
  to.replace("CMakeLists.txt", "add_library(shapes src/area.cpp src/scale.cpp)\n", "add_subdirectory(library)\n");
  to.replace("CMakeLists.txt", "target_include_directories(shapes PUBLIC src)\n", "");
  fs::remove_all(to.root() / "src");
}

workspace& measured_with_submodule() {
  static workspace& shared = []() -> workspace& {
    static workspace w;
    const project library(w.folder() / "library", w.folder() / "home");
    write_library(library);
    library.start_repository();
    project& p = w.here();
    write_user(p);
    p.git({"init", "--quiet", "--initial-branch=main"});
    p.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.root().string()});
    p.start_repository();
    p.configure();
    p.build();
    p.measure();
    w.save();
    return w;
  }();
  return shared;
}

class submodule : public testing::Test {
 protected:
  submodule() : p(measured_with_submodule().here()) { measured_with_submodule().restore(); }

  void change_area() const { p.replace("library/src/area.cpp", "width * height", "height * width"); }
  void commit_in_library() const {
    p.git({"-C", "library", "add", "--all"});
    p.git({"-C", "library", "commit", "--quiet", "--message", "a change"});
  }
  void area_tests_are_selected() const {
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.state(), "affected");
    EXPECT_EQ(plan.selected(), area_tests);
    EXPECT_EQ(plan.reasons("Area.OfStrip"), names{"changed-code:library/src/area.cpp:5"});
  }
  void everything_is_selected(const std::string& reason) const {
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.selected(), all_shapes);
    EXPECT_EQ(plan.reasons("Scale.ByTwo"), names{reason});
  }

  project& p;
};

TEST_F(submodule, without_a_change_selects_nothing) {
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().selected(), names());
  EXPECT_FALSE(p.plan().json["head"]["dirty"]);
}

TEST_F(submodule, a_change_in_its_work_tree_selects_the_tests_that_ran_it) {
  change_area();
  area_tests_are_selected();
  EXPECT_TRUE(p.plan().json["head"]["dirty"]);
}

TEST_F(submodule, a_commit_in_it_selects_them_before_and_after_the_pointer_is_committed) {
  change_area();
  commit_in_library();
  area_tests_are_selected();
  p.commit("another version of the library");
  area_tests_are_selected();
  EXPECT_EQ(p.plan().json["base"]["distance"], 1);
}

TEST_F(submodule, that_git_was_told_to_overlook_counts) {
  p.git({"config", "submodule.library.ignore", "all"});
  p.git({"config", "diff.ignoreSubmodules", "all"});
  change_area();
  area_tests_are_selected();
  commit_in_library();
  area_tests_are_selected();
}

TEST_F(submodule, its_build_description_selects_everything) {
  p.write("library/CMakeLists.txt", p.read("library/CMakeLists.txt") + "# Nothing.\n");
  everything_is_selected("changed-build:library/CMakeLists.txt");
}

TEST_F(submodule, a_new_header_in_it_selects_everything) {
  p.write("library/src/gtest/gtest.h", "#pragma once\n");
  everything_is_selected("changed-code:library/src/gtest/gtest.h");
}

TEST_F(submodule, that_is_no_longer_checked_out_selects_everything) {
  p.git({"submodule", "--quiet", "deinit", "--force", "library"});
  everything_is_selected("changed-code:library");
}

TEST_F(submodule, without_the_measured_commit_selects_everything) {
  p.remove("library/.git");
  p.git({"-C", "library", "init", "--quiet"});
  commit_in_library();
  everything_is_selected("changed-code:library");
  const finished why = p.morph({"plan", "--why", "Scale.ByTwo"});
  EXPECT_NE(why.out.find("'library' changed and is a submodule that cannot be compared"), std::string::npos) << why.out;
}

TEST_F(submodule, is_measured_with_its_uncommitted_changes) {
  change_area();
  p.build();
  fs::remove(p.store());
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.git({"-C", "library", "checkout", "--", "src/area.cpp"});
  area_tests_are_selected();
  change_area();
  p.replace("library/src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(submodule, that_was_not_checked_out_when_measured_is_no_change) {
  const project extra(p.root().parent_path() / "extra", p.root().parent_path() / "home");
  extra.write("extra.txt", "Extra.\n");
  extra.start_repository();
  p.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", extra.root().string()});
  p.commit("a submodule that nobody needs");
  p.git({"submodule", "--quiet", "deinit", "extra"});
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "extra"});
  everything_is_selected("changed-code:extra");
}

TEST_F(submodule, in_a_submodule_counts_too) {
  const project deep(p.root().parent_path() / "deep", p.root().parent_path() / "home");
  deep.write("corners.hpp", "#pragma once\ninline int corners() {\n  return 4;\n}\n");
  deep.start_repository();
  p.git({"-C", "library", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", deep.root().string()});
  p.replace("library/src/area.cpp", "#include \"shapes.hpp\"\n",
            "#include \"shapes.hpp\"\n#include \"../deep/corners.hpp\"\n");
  p.replace("library/src/area.cpp", "twice(width + height)", "width * 2 + height * 2 + corners() - 4");
  commit_in_library();
  p.commit("a submodule in the submodule");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("library/deep/corners.hpp", "return 4;", "return 2 + 2;");
  EXPECT_EQ(p.plan().selected(), names{"Perimeter.OfSquare"});
  p.git({"-C", "library/deep", "commit", "--quiet", "--all", "--message", "a change"});
  EXPECT_EQ(p.plan().selected(), names{"Perimeter.OfSquare"});
}

// ---- histories

class history : public shapes_test {};

TEST_F(history, a_detached_head_is_a_commit_like_another) {
  p.git({"checkout", "--quiet", "--detach"});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  EXPECT_EQ(p.plan().selected(), area_tests);
}

TEST_F(history, a_rebased_branch_keeps_the_measured_content_as_its_baseline) {
  // Measured on a branch; then the branch is written anew on top of another commit.
  p.git({"checkout", "--quiet", "-b", "side"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string measured = p.commit("measured");
  p.build();
  fs::remove(p.store());
  p.measure();
  p.git({"checkout", "--quiet", "main"});
  p.write("notes.md", "Other notes.\n");
  p.commit("elsewhere");
  p.git({"rebase", "--quiet", "main", "side"});
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit("more");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "affected");
  EXPECT_EQ(plan.selected(), area_tests);
  EXPECT_EQ(plan.json["base"]["commit"], measured);
  EXPECT_EQ(plan.json["base"]["distance"], nullptr);
  EXPECT_NE(p.morph({"plan"}).out.find("baseline " + measured.substr(0, 10) + ", of another branch"),
            std::string::npos);
}

TEST_F(history, a_squashed_branch_has_the_content_that_was_measured) {
  p.git({"checkout", "--quiet", "-b", "side"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit("one");
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit("two");
  p.build();
  p.measure();
  p.git({"checkout", "--quiet", "main"});
  p.git({"merge", "--quiet", "--squash", "side"});
  p.commit("both");
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.plan().json["base"]["distance"], 0);
}

TEST_F(history, content_that_git_no_longer_has_is_no_baseline) {
  p.git({"checkout", "--quiet", "--orphan", "elsewhere"});
  p.write("src/area.cpp", "// Other areas.\n" + p.read("src/area.cpp"));
  p.commit();
  EXPECT_EQ(p.plan().selected(), (names{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"}));
  p.git({"branch", "--quiet", "-D", "main"});
  p.git({"reflog", "expire", "--expire=now", "--all"});
  p.git({"gc", "--quiet", "--prune=now"});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_NE(plan.notes().front().find("no ancestor of this commit was measured"), std::string::npos);
}

TEST_F(history, with_a_base_that_has_no_measured_ancestor_everything_runs) {
  p.git({"checkout", "--quiet", "--orphan", "elsewhere"});
  p.write("src/area.cpp", "// Other areas.\n" + p.read("src/area.cpp"));
  p.commit();
  EXPECT_EQ(p.plan({"--base", "elsewhere"}).state(), "unmeasured-ran-all");
}

TEST_F(history, of_two_measured_parents_the_nearer_one_counts) {
  p.git({"checkout", "--quiet", "-b", "side"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string side = p.commit("side");
  p.measure();
  p.git({"checkout", "--quiet", "main"});
  p.write("notes.md", "One.\n");
  p.commit("one");
  p.write("notes.md", "Two.\n");
  p.commit("two");
  p.git({"merge", "--quiet", "--no-edit", "side"});
  p.build();
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.json["base"]["commit"], side);
  EXPECT_EQ(plan.json["base"]["distance"], 1);
  EXPECT_EQ(plan.selected(), names());
}

TEST_F(history, the_age_of_a_baseline_is_shown_in_commits_and_days) {
  p.set_variable("GIT_COMMITTER_DATE", "2037-01-10T12:00:00Z");
  p.write("notes.md", "Later.\n");
  p.commit();
  p.set_variable("GIT_COMMITTER_DATE", "2037-01-12T13:00:00Z");
  p.measure();
  const std::string base = p.git({"rev-parse", "HEAD"});
  p.write("notes.md", "Later still.\n");
  p.commit();
  EXPECT_EQ(p.plan().json["base"], (nlohmann::json{{"commit", base}, {"distance", 1}, {"days", 2}}));
  EXPECT_NE(p.morph({"plan"}).out.find("baseline " + base.substr(0, 10) + ", 1 commit back, 2 days older"),
            std::string::npos);
}

class clone : public history {
 protected:
  /// A clone as CI services make it, configured and built, with the store of the original.
  project make(const std::vector<std::string>& options) const {
    const fs::path root = p.root().parent_path() / "clone";
    fs::remove_all(root);
    std::vector<std::string> command{"git", "clone", "--quiet"};
    command.insert(command.end(), options.begin(), options.end());
    command.insert(command.end(), {"file://" + p.root().string(), root.string()});
    p.must_run(command);
    project copy(root, p.root().parent_path() / "home");
    fs::create_directories(copy.store().parent_path());
    fs::copy_file(p.store(), copy.store());
    copy.configure();
    copy.build();
    return copy;
  }
};

TEST_F(clone, a_shallow_one_finds_the_baseline_before_its_border) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  const project copy = make({"--depth", "2"});
  EXPECT_EQ(copy.plan().selected(), area_tests);
  EXPECT_EQ(copy.plan().json["base"]["distance"], 1);
}

TEST_F(clone, a_shallow_one_says_so_when_the_baseline_lies_behind_its_border) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  const project copy = make({"--depth", "1"});
  const plan_view plan = copy.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_NE(plan.notes().front().find("as far as this shallow clone has them"), std::string::npos)
      << plan.notes().front();
  copy.git({"fetch", "--quiet", "--unshallow"});
  EXPECT_EQ(copy.plan().selected(), area_tests);
  EXPECT_EQ(copy.morph({"store", "gc", "--dry-run"}).exit, 0);
}

TEST_F(clone, a_fork_starts_from_what_its_origin_measured) {
  const project fork = make({});
  fork.git({"checkout", "--quiet", "-b", "topic"});
  fork.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  fork.commit();
  p.write("notes.md", "Meanwhile.\n");
  p.commit();
  fork.git({"fetch", "--quiet"});
  fork.git({"merge", "--quiet", "--no-edit", "origin/main"});
  EXPECT_EQ(fork.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(fork.plan().json["base"]["distance"], 2);
}

TEST_F(history, configurations_stand_side_by_side_in_one_store) {
  const std::vector<std::string> other{"-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-DOTHER=1"};
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string second = p.commit();
  p.configure(other);
  p.build();
  EXPECT_EQ(p.plan().state(), "unmeasured-ran-all");
  p.measure();
  EXPECT_EQ(p.plan().json["base"]["commit"], second);
  EXPECT_EQ(p.plan().selected(), names());
  p.configure({"-DCMAKE_BUILD_TYPE=", "-DCMAKE_CXX_FLAGS="});
  p.build();
  EXPECT_EQ(p.plan().json["base"]["distance"], 1);
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

// ---- working copies

class working_copy : public shapes_test {
 protected:
  project worktree() const {
    p.git({"worktree", "add", "--quiet", "-b", "linked", "../linked"});
    return {p.root().parent_path() / "linked", p.root().parent_path() / "home"};
  }
};

TEST_F(working_copy, a_linked_one_has_a_store_of_its_own) {
  const project linked = worktree();
  linked.configure();
  linked.build();
  const plan_view before = linked.plan();
  EXPECT_EQ(before.state(), "unmeasured-ran-all");
  EXPECT_NE(before.notes().front().find("-DMORPH_STORE=" + p.store().string()), std::string::npos)
      << before.notes().front();
  const std::string others = read_bytes(p.store());
  linked.measure();
  EXPECT_TRUE(fs::exists(linked.store()));
  EXPECT_TRUE(read_bytes(p.store()) == others);
  linked.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(linked.plan().selected(), area_tests);
  fs::remove_all(linked.root());
}

TEST_F(working_copy, a_linked_one_can_use_the_store_of_the_main_one) {
  const project linked = worktree();
  linked.configure({"-DMORPH_STORE=" + p.store().string()});
  linked.build();
  EXPECT_EQ(linked.plan().state(), "unchanged-proven");
  linked.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(linked.plan().selected(), area_tests);
  fs::remove_all(linked.root());
}

TEST_F(working_copy, of_another_user_names_the_setting_that_allows_it) {
  if (::geteuid() != 0) GTEST_SKIP() << "not run: only the superuser can give a folder away";
  p.must_run({"chown", "-R", "65534", p.root().string()});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
  const std::string setting = "git config --global --add safe.directory " + p.root().string();
  EXPECT_NE(plan.notes().front().find(setting), std::string::npos) << plan.notes().front();
  EXPECT_NE(p.try_measure().err.find(setting), std::string::npos);
  p.must_run({"git", "config", "--global", "--add", "safe.directory", p.root().string()});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.must_run({"git", "config", "--global", "--unset-all", "safe.directory"});
}

// ---- names

TEST_F(working_copy, hostile_file_names_are_changes_like_others) {
  // By their extension a linker may read them.
  const names hostile{"-rf.ld", "data/new\nline.ld",
                      "gr\xc3\xb6\xc3\x9f"
                      "e.ld",
                      "quote\"s'.ld", "bad\xff.ld"};
  for (const std::string& name : hostile) p.write(name, "1\n");
  p.commit();
  p.measure();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  for (const std::string& name : hostile) {
    p.write(name, "2\n");
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.selected(), all_shapes) << name;
    EXPECT_EQ(p.morph({"plan"}).exit, 0) << name;
    EXPECT_EQ(p.morph({"plan", "--why", "Scale.ByTwo"}).exit, 0) << name;
    const finished end = p.ctest({"-N", "-L", "morph"});
    EXPECT_EQ(listed(end.out).size(), 6U) << name << end.both();
    EXPECT_EQ(end.err, "") << name;
    p.write(name, "1\n");
  }
}

}  // namespace
}  // namespace morph::end_to_end
