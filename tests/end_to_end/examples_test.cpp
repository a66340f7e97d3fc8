// What the README shows, as it stands there: the example and the CI recipe.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

void copy_example(const project& to) {
  std::filesystem::copy(MORPH_SOURCE_DIR "/examples/geometry", to.root(), std::filesystem::copy_options::recursive);
  std::filesystem::copy(MORPH_SOURCE_DIR "/templates/ci.sh", to.root() / "ci.sh");
}

class examples : public testing::Test {
 protected:
  examples() : p(measured().here()) {
    p.set_variable("PATH", std::string(MORPH_PREFIX "/bin:") + std::getenv("PATH"));
    p.set_variable("CMAKE_PREFIX_PATH", MORPH_PREFIX);
  }
  ~examples() override { measured().restore(); }
  static workspace& measured() {
    static workspace shared(copy_example, {"-DMORPH_EVIDENCE=probes"});
    return shared;
  }
  project& p;
};

TEST_F(examples, a_change_of_the_geometry_example_selects_what_its_comment_says) {
  p.replace("geo.cpp", "return width * height;", "return height * width;");
  p.build();
  EXPECT_EQ(p.plan().selected(), (names{"Area.OfASquare", "Area.OfAStrip"}));
}

TEST_F(examples, the_ci_recipe_runs_the_plan_and_keeps_what_failed) {
  p.replace("geo.cpp", "return width * height;", "return width + height;");
  p.commit("a fault");
  const finished red = p.run({"./ci.sh"});
  EXPECT_NE(red.exit, 0) << red.both();
  EXPECT_EQ(sorted(started(red.out)), (names{"Area.OfASquare", "Area.OfAStrip", "geometry.plan"}));

  p.replace("geo.cpp", "return width + height;", "return width * height;");
  p.commit("the fault is gone");
  EXPECT_EQ(p.plan().reasons("Area.OfASquare").front(), "failed-recently");  // and the program still has the fault
  const finished green = p.run({"./ci.sh"});
  EXPECT_EQ(green.exit, 0) << green.both();
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(examples, the_ci_recipe_records_the_main_branch) {
  p.replace("geo.cpp", "return width * height;", "return height * width;");
  p.commit("another way");
  const finished recorded = p.run({"./ci.sh", "main"});
  EXPECT_EQ(recorded.exit, 0) << recorded.both();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(examples, the_presets_learn_and_run_what_a_change_affects) {
  p.remove("build");
  fs::remove(p.store());
  p.must_run({"cmake", "--preset", "default", "-DCMAKE_CXX_COMPILER=" MORPH_CXX_COMPILER});
  p.must_run({"cmake", "--workflow", "--preset", "affected"});
  p.replace("geo.cpp", "return width * height;", "return height * width;");
  const finished affected = p.run({"cmake", "--workflow", "--preset", "affected"});
  EXPECT_EQ(affected.exit, 0) << affected.both();
  EXPECT_EQ(sorted(started(affected.out)), (names{"Area.OfASquare", "Area.OfAStrip", "geometry.plan"}));
  const names all = started(p.run({"ctest", "--preset", "all"}).out);
  EXPECT_GT(all.size(), 3U);
}

}  // namespace
}  // namespace morph::end_to_end
