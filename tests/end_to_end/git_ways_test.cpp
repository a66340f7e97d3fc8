// What git does on the way between its objects and the work tree: ends of lines, filters, partial clones, indexes.
#include <filesystem>

#include "shapes.hpp"
#include "shop.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

// ---- ends of lines

/// The measured project as Git for Windows checks it out.
workspace& measured_with_carriage_returns() {
  static workspace& shared = []() -> workspace& {
    static workspace w;
    const project& p = w.here();
    write_shapes(p);
    p.start_repository();
    p.git({"config", "core.autocrlf", "true"});
    for (const char* file : {"src/area.cpp", "src/scale.cpp", "src/shapes.hpp", "tests/shapes_test.cpp"})
      p.remove(file);
    p.git({"checkout", "--", "."});
    p.configure();
    p.build();
    p.measure();
    w.save();
    return w;
  }();
  return shared;
}

class line_ends : public testing::Test {
 protected:
  line_ends() : p(measured_with_carriage_returns().here()) { measured_with_carriage_returns().restore(); }
  project& p;
};

TEST_F(line_ends, that_git_converts_change_no_line) {
  ASSERT_NE(p.read("src/area.cpp").find("\r\n"), std::string::npos);
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan({"--before-build"}).selected(), area_tests);
  const finished report = p.morph({"report", "coverage", "--diff", "HEAD"});
  EXPECT_NE(report.out.find("1 changed after the measurement"), std::string::npos) << report.out;
  const found_mutants mutants = mutate(p, {"--diff", "--since", "HEAD"});
  EXPECT_FALSE(mutants.json.at("mutants").empty());
  for (const auto& mutant : mutants.json.at("mutants")) EXPECT_LT(mutant.at("line"), 8) << mutant;
}

TEST_F(line_ends, that_git_converts_make_no_other_content) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.build();
  p.measure();
  p.commit();
  p.git({"config", "core.autocrlf", "false"});
  p.remove("src/area.cpp");
  p.git({"checkout", "--", "src/area.cpp"});
  ASSERT_EQ(p.read("src/area.cpp").find("\r\n"), std::string::npos);
  EXPECT_EQ(p.plan().selected(), names()) << p.plan().json;
}

TEST_F(line_ends, of_a_file_that_is_measured_before_its_commit_are_stored_as_git_stores_them) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.build();
  p.measure();
  EXPECT_EQ(p.plan().selected(), names());
  p.commit();
  EXPECT_EQ(p.plan().selected(), names());
}

// ---- partial clones

class partial_clone : public shapes_test {
 protected:
  partial_clone() {
    p.git({"config", "uploadpack.allowFilter", "true"});
    p.replace("src/area.cpp", "width * height", "height * width");
    p.commit();
    fs::remove_all(p.root().parent_path() / "clone");
  }
  ~partial_clone() override { fs::remove_all(p.root().parent_path() / "clone"); }
  project make(const std::string& filter) const {
    p.git({"clone", "--quiet", filter, "file://" + p.root().string(), "../clone"});
    project copy(p.root().parent_path() / "clone", p.root().parent_path() / "home");
    fs::create_directories(copy.store().parent_path());
    fs::copy_file(p.store(), copy.store());
    copy.configure();
    copy.build();
    return copy;
  }
};

TEST_F(partial_clone, has_its_missing_contents_fetched) {
  const project copy = make("--filter=blob:none");
  EXPECT_EQ(copy.plan().selected(), area_tests);
  copy.measure();
  const finished report = copy.morph({"report", "coverage", "--diff", "HEAD~1"});
  EXPECT_NE(report.out.find("1 of 1 changed lines"), std::string::npos) << report.both();
}

TEST_F(partial_clone, has_its_missing_trees_fetched) {
  EXPECT_EQ(make("--filter=tree:0").plan().selected(), area_tests);
}

TEST_F(partial_clone, out_of_reach_of_its_remote_says_what_to_do) {
  const project copy = make("--filter=blob:none");
  fs::rename(p.root(), p.root().parent_path() / "away");
  const plan_view plan = copy.plan();
  const finished report = copy.morph({"report", "coverage", "--diff", "HEAD~1"});
  const finished doctor = copy.morph({"doctor"});
  fs::rename(p.root().parent_path() / "away", p.root());
  EXPECT_EQ(plan.selected(), all_shapes);
  const std::string remedy = "`git -C " + copy.root().string() + " fetch --refetch --no-filter origin`";
  EXPECT_NE(plan.notes().front().find(remedy), std::string::npos) << plan.notes().front();
  EXPECT_NE(report.err.find(remedy), std::string::npos) << report.both();
  EXPECT_NE(doctor.out.find(remedy), std::string::npos) << doctor.both();
}

// ---- indexes

class git_index : public shapes_test {};

TEST_F(git_index, that_is_split_is_read) {
  p.git({"update-index", "--split-index"});
  p.replace("src/area.cpp", "width * height", "height * width");
  p.git({"add", "--all"});
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.try_measure().exit, 0);
}

TEST_F(git_index, that_is_sparse_is_read) {
  p.write("manual/page.txt", "A page.\n");
  p.commit();
  p.git({"sparse-checkout", "set", "--cone", "--sparse-index", "src", "tests", "data"});
  ASSERT_FALSE(fs::exists(p.root() / "manual"));
  EXPECT_EQ(p.try_measure().exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
}

TEST_F(git_index, that_is_damaged_has_everything_run_and_a_way_out_named) {
  p.write(".git/index", "no index");
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), all_shapes);
  for (const std::string& said : {plan.notes().front(), p.try_measure().err, p.morph({"doctor"}).out})
    EXPECT_NE(said.find("`git reset` make a new one"), std::string::npos) << said;
}

}  // namespace
}  // namespace morph::end_to_end
