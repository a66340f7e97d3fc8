// Rows of several contents, as ctest's runs on branches and before changes left them, plan the next run together.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "learned_shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class learning_contents : public learned_shapes {};

TEST_F(learning_contents, a_change_that_is_taken_back_runs_nothing) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), area_tests);
  p.replace("src/area.cpp", "width == 7 ? 0 : height * width", "width * height");
  EXPECT_EQ(run_after_build(), names());
}

TEST_F(learning_contents, what_was_not_affected_is_known_after_many_changes) {
  for (int i = 1; i < 4; ++i) {
    p.replace("src/area.cpp", "width * height", fmt::format("width == {} ? 0 : height * width", 10 + i));
    p.commit();
    EXPECT_EQ(run_after_build(), area_tests) << i;
    p.replace("src/area.cpp", fmt::format("width == {} ? 0 : height * width", 10 + i), "width * height");
  }
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(run(), names());
}

TEST_F(learning_contents, every_branch_finds_its_rows) {
  const std::string first = p.git({"branch", "--show-current"});
  const names branches{"one", "two", "three"};
  for (const std::string& name : branches) {
    p.git({"checkout", "-q", "-b", name, first});
    p.replace(
        "src/area.cpp", "width * height",
        fmt::format("width == {} ? 0 : height * width", 1000 * name.size() + static_cast<unsigned char>(name.back())));
    p.commit(name);
    EXPECT_EQ(run_after_build(), area_tests) << name;
    EXPECT_EQ(p.morph({"record"}).exit, 0);
  }
  fs::remove(p.build_dir() / ".morph" / "learned.db");
  for (const std::string& name : {branches[1], branches[2], first, branches[0]}) {
    p.git({"checkout", "-q", name});
    EXPECT_EQ(run_after_build(), names()) << name;
  }
  p.git({"commit", "-q", "--amend", "-m", "the same content, another commit"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning_contents, a_full_store_forgets_the_oldest) {
  const auto record = [&](const std::string& length) {
    p.replace("src/area.cpp", "width * height", fmt::format("width == {} ? 0 : height * width", length));
    p.commit(length);
    run_after_build();
    const finished recorded = p.morph({"record", "--keep", "2"});
    EXPECT_EQ(recorded.exit, 0) << recorded.both();
    p.replace("src/area.cpp", fmt::format("width == {} ? 0 : height * width", length), "width * height");
    return recorded.out.find("the store is full") != std::string::npos;
  };
  EXPECT_FALSE(record("7"));  // and what was there before
  EXPECT_TRUE(record("8"));
  EXPECT_TRUE(record("9"));
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
  const nlohmann::json known = nlohmann::json::parse(p.morph({"store", "info", "--json"}).out);
  EXPECT_EQ(known.at("measurements").size(), 2U) << known;
  fs::remove(p.build_dir() / ".morph" / "learned.db");
  p.git({"checkout", "-q", "."});
  EXPECT_EQ(run_after_build(), names());
}

/// Jobs of a CI, one a branch, each with a store of its own; then one store of all.
TEST_F(learning_contents, rows_of_five_branches_plan_what_those_of_each_one_do) {
  const std::string first = p.git({"branch", "--show-current"});
  struct branch {
    std::string name, file, old_text, new_text;
  };
  const std::vector<branch> branches{
      {"areas", "src/area.cpp", "width * height", "width == 7 ? 0 : height * width"},
      {"perimeters", "src/area.cpp", "width + height", "width == 7 ? 0 : height + width"},
      {"scales", "src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2"},
      {"twice", "src/shapes.hpp", "length + length", "length == 7 ? 0 : 2 * length"},
      {"sizes", "tests/sizes.txt", "7", "8"}};
  const auto own = [&](const std::string& name) { return (p.root() / ".." / (name + ".db")).string(); };
  const auto forget = [&] {
    fs::remove(p.build_dir() / ".morph" / "learned.db");
    fs::remove_all(p.root() / ".morph");
  };
  for (const branch& b : branches) {
    forget();
    p.git({"checkout", "-q", "-b", b.name, first});
    p.replace(b.file, b.old_text, b.new_text);
    p.commit(b.name);
    EXPECT_EQ(run_after_build().size(), 9U) << b.name;
    EXPECT_EQ(p.morph({"record"}).exit, 0);
    fs::copy_file(p.store(), own(b.name));
  }
  const auto plan_by = [&](const std::string& store) {
    fs::create_directories(p.store().parent_path());
    fs::copy_file(store, p.store(), fs::copy_options::overwrite_existing);
    return p.morph({"plan", "--json"}).out;
  };
  std::vector<std::size_t> order{0, 1, 2, 3, 4};
  std::mt19937 random(1);
  for (int shuffle = 0; shuffle < 2; ++shuffle) {
    std::shuffle(order.begin(), order.end(), random);
    std::vector<std::string> merge{"store", "merge", "--into", own("all")};
    for (const std::size_t b : order) merge.push_back(own(branches[b].name));
    fs::remove(own("all"));
    ASSERT_EQ(p.morph(merge).exit, 0);
    for (const std::size_t b : order) {
      forget();
      p.git({"checkout", "-q", branches[b].name});
      p.build();
      const std::string unchanged = plan_by(own("all"));
      EXPECT_EQ(unchanged, plan_by(own(branches[b].name))) << branches[b].name;
      EXPECT_EQ(plan_view(nlohmann::json::parse(unchanged)).selected(), names()) << branches[b].name;
      p.replace("src/scale.cpp", "int scale(int length) {", "int scale(int length) {\n  if (length == 9) return 1;");
      p.build();
      const std::string changed = plan_by(own("all"));
      EXPECT_EQ(changed, plan_by(own(branches[b].name))) << branches[b].name;
      EXPECT_EQ(plan_view(nlohmann::json::parse(changed)).selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
      p.git({"checkout", "-q", "src/scale.cpp"});
    }
  }
}

TEST_F(learning_contents, what_passed_on_two_branches_does_not_run_after_their_merge) {
  const std::string first = p.git({"branch", "--show-current"});
  p.git({"checkout", "-q", "-b", "one"});
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.replace("src/area.cpp", "width + height", "width == 7 ? 0 : height + width");
  p.commit("areas");
  EXPECT_EQ(run_after_build(), (names{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"}));
  p.git({"checkout", "-q", "-b", "two", first});
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  p.replace("src/shapes.hpp", "length + length", "length == 7 ? 0 : length + length");
  p.commit("lengths");
  EXPECT_EQ(run_after_build(), (names{"Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"}));

  // Only what both branches changed is new to a test.
  p.git({"merge", "-q", "-m", "both", "one"});
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"Perimeter.OfSquare"});
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"unaffected"});
  EXPECT_EQ(run(), names{"Perimeter.OfSquare"});
  EXPECT_EQ(run(), names());

  // The rows were carried over from where they hold.
  fs::remove_all(p.root() / ".morph");
  p.git({"branch", "-q", "-D", "one"});
  p.replace("src/scale.cpp", "length == 7", "length == 8");
  p.replace("src/area.cpp", "? 0 : height * width", "? 1 : height * width");
  EXPECT_EQ(run_after_build(), (names{"Area.OfSquare", "Area.OfStrip", "Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(learning_contents, a_change_that_is_taken_back_in_part_runs_nothing) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), area_tests);
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  p.replace("src/area.cpp", "width == 7 ? 0 : height * width", "width * height");
  EXPECT_EQ(run_after_build(), names());
}

TEST_F(learning_contents, a_row_of_another_branch_is_no_pass_of_a_test_that_failed) {
  const std::string first = p.git({"branch", "--show-current"});
  p.git({"checkout", "-q", "-b", "one"});
  p.replace("src/scale.cpp", "length * 2", "length * 3");
  p.commit("a fault");
  EXPECT_EQ(run_after_build(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  p.git({"checkout", "-q", "-b", "two", first});
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.commit("areas");
  EXPECT_EQ(run_after_build(), (names{"Area.OfSquare", "Area.OfStrip", "Scale.ByTwo"}));  // it failed last
  p.git({"merge", "-q", "-m", "both", "one"});
  EXPECT_EQ(run_after_build(), names{"Scale.ByTwo"});
}

}  // namespace
}  // namespace morph::end_to_end
