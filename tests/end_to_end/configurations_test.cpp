// Ninja Multi-Config: one build tree, measured and selected in two of its configurations.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

// `perimeter` has other code with assertions than without.
void write_configured_shapes(const project& to) {
  write_shapes(to);
  to.replace("src/area.cpp", "  return twice(width + height);", R"(#ifdef NDEBUG
  return 2 * (width + height);
#else
  return twice(width + height);
#endif)");
}

void build_configuration(const project& p, const std::string& config) {
  p.must_run({"cmake", "--build", p.build_dir().string(), "--config", config, "--parallel", "2"});
}

workspace& measured_configurations() {
  static workspace& shared = []() -> workspace& {
    static workspace w;
    project& p = w.here();
    write_configured_shapes(p);
    p.start_repository();
    p.configure({"-G", "Ninja Multi-Config"});
    for (const char* config : {"Release", "Debug"}) {
      build_configuration(p, config);
      p.must_run({"cmake", "--build", p.build_dir().string(), "--config", config, "--target", "morph-measure"});
    }
    w.save();
    return w;
  }();
  return shared;
}

const names area_and_perimeter{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"};

class configurations : public testing::Test {
 protected:
  configurations() : p(measured_configurations().here()) { measured_configurations().restore(); }

  names selected_in(const std::string& config) const { return p.plan({"--config", config}).selected(); }

  project& p;
};

TEST_F(configurations, each_has_its_twin_and_its_measurement) {
  EXPECT_TRUE(fs::exists(p.build_dir() / "morph-twin" / "coverage-Debug" / "shapes_tests"));
  EXPECT_TRUE(fs::exists(p.build_dir() / "morph-twin" / "coverage-Release" / "shapes_tests"));
  const auto info = nlohmann::json::parse(p.morph({"store", "info", "--json"}).out);
  std::set<std::string> configs;
  for (const auto& m : info["measurements"]) configs.insert(m["configuration"]["cache"]["CMAKE_BUILD_TYPE"]);
  EXPECT_EQ(configs, (std::set<std::string>{"Debug", "Release"}));
  for (const char* config : {"Debug", "Release"}) {
    EXPECT_EQ(p.plan({"--config", config}).state(), "unchanged-proven") << config;
    EXPECT_EQ(selected_in(config), names()) << config;
  }
}

TEST_F(configurations, a_change_selects_the_tests_that_ran_it_in_that_configuration) {
  p.replace("src/area.cpp", "return 2 * (width + height);", "return (width + height) * 2;");
  EXPECT_EQ(selected_in("Release"), names{"Perimeter.OfSquare"});
  EXPECT_EQ(selected_in("Debug"), area_and_perimeter);  // as a comment would: it is no line of that program
}

TEST_F(configurations, ctest_runs_the_plan_of_the_configuration_that_it_is_told) {
  p.replace("src/area.cpp", "return 2 * (width + height);", "return (width + height) * 2;");
  const finished debug = p.ctest({"-C", "debug", "-L", "morph"});
  EXPECT_EQ(debug.exit, 0) << debug.both();
  EXPECT_EQ(sorted(started(debug.out)),
            (names{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare", "geometry.plan"}));
  const finished release = p.ctest({"-C", "Release", "-L", "morph"});
  EXPECT_EQ(release.exit, 0) << release.both();
  EXPECT_EQ(sorted(started(release.out)), (names{"Perimeter.OfSquare", "geometry.plan"}));
  EXPECT_EQ(listed(p.ctest({"-C", "RelWithDebInfo", "-N"}).out), (names{"geometry.plan", "geometry_NOT_BUILT"}));
}

TEST_F(configurations, one_that_was_not_measured_says_so_and_runs_everything) {
  build_configuration(p, "RelWithDebInfo");
  const plan_view plan = p.plan({"--config", "RelWithDebInfo"});
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_NE(plan.notes()[0].find("this configuration was not measured (CMAKE_BUILD_TYPE: '"), std::string::npos)
      << plan.notes()[0];
  EXPECT_NE(plan.notes()[0].find("--config RelWithDebInfo --target morph-measure"), std::string::npos)
      << plan.notes()[0];
}

TEST_F(configurations, a_failure_in_one_is_not_forgotten_because_the_test_passes_in_another) {
  p.replace("src/area.cpp", "return twice(width + height);", "return twice(width + height) + 1;");
  build_configuration(p, "Debug");
  ASSERT_EQ(failed(p.ctest({"-C", "Debug"}).out), names{"Perimeter.OfSquare"});
  EXPECT_EQ(p.ctest({"-C", "Release"}).exit, 0);
  p.git({"checkout", "--", "src/area.cpp"});
  EXPECT_EQ(p.plan({"--config", "Debug"}).reasons("Perimeter.OfSquare"), names{"failed-recently"});
  EXPECT_EQ(selected_in("Release"), names());
}

TEST_F(configurations, a_verdict_recorded_in_one_says_nothing_of_another) {
  const auto record = [&](const std::string& config, const std::string& failure, int seconds) {
    const std::string path = "build/" + config + ".xml";
    p.write(path, "<testsuite><testcase name=\"Perimeter.OfSquare\">" + failure + "</testcase></testsuite>");
    fs::last_write_time(p.root() / path, fs::file_time_type::clock::now() + std::chrono::seconds(seconds));
    return p.morph({"record", path, "--config", config}).out;
  };
  EXPECT_EQ(record("Release", "<failure/>", 0), "recorded 1 verdict, 1 of them failures\n");
  EXPECT_EQ(record("Debug", "", 1), "recorded 1 verdict, 0 of them failures\n");
  EXPECT_EQ(p.plan({"--config", "Release"}).reasons("Perimeter.OfSquare"), names{"failed-recently"});
  EXPECT_EQ(p.plan({"--config", "Release"}).marks("Perimeter.OfSquare"), names());
  EXPECT_EQ(selected_in("Debug"), names());
}

TEST_F(configurations, without_a_name_it_is_the_one_that_was_built_last) {
  const finished newest = p.morph({"plan"});
  EXPECT_EQ(newest.exit, 0);
  EXPECT_NE(newest.err.find("configuration Debug, which was built last; --config names another of Debug, "
                            "RelWithDebInfo, Release"),
            std::string::npos)
      << newest.err;
  const finished unknown = p.morph({"plan", "--config", "Fastest"});
  EXPECT_EQ(unknown.exit, 3);
  EXPECT_NE(unknown.err.find("has no configuration 'Fastest'; it has: Debug, RelWithDebInfo, Release"),
            std::string::npos)
      << unknown.err;
  p.remove("build/Debug");
  p.remove("build/Release");
  const finished unbuilt = p.morph({"plan"});
  EXPECT_EQ(unbuilt.exit, 3);
  EXPECT_NE(unbuilt.err.find("has several configurations and none is built; build one, or name it with --config: "
                             "Debug, RelWithDebInfo, Release"),
            std::string::npos)
      << unbuilt.err;
}

TEST_F(configurations, a_tree_of_one_configuration_uses_the_measurement) {
  p.must_run({"cmake", "-S", p.root().string(), "-B", (p.root() / "build-ci").string(), "-G", "Ninja",
              "-DCMAKE_PREFIX_PATH=" MORPH_PREFIX, "-DCMAKE_CXX_COMPILER=" MORPH_CXX_COMPILER,
              "-DCMAKE_BUILD_TYPE=Release", "-DMORPH_EVIDENCE=twin"});
  p.must_run({"cmake", "--build", (p.root() / "build-ci").string()});
  const finished end = p.run({MORPH_PREFIX "/bin/morph", "plan", "--json", "--build", "build-ci"});
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(plan_view(nlohmann::json::parse(end.out)).state(), "unchanged-proven") << end.out;
}

TEST_F(configurations, mutants_are_those_of_the_configuration_that_is_told) {
  const auto mutated = [&](const std::string& config, const std::string& original) {
    const finished run = p.morph({"mutate", "--config", config, "--json", "--operators", "aor", "--only", "area.cpp"});
    EXPECT_EQ(run.exit, 0) << run.both();
    const auto found = nlohmann::json::parse(run.out, nullptr, false);
    return std::ranges::any_of(
        found.at("mutants"), [&](const auto& m) { return m.at("original") == original && m.at("state") == "killed"; });
  };
  EXPECT_TRUE(mutated("Release", "2 * (width + height)"));
  EXPECT_FALSE(mutated("Debug", "2 * (width + height)"));
  EXPECT_TRUE(fs::exists(p.build_dir() / "morph-twin" / "mutation-Release"));
  EXPECT_TRUE(fs::exists(p.build_dir() / "morph-twin" / "mutation-Debug"));
  EXPECT_EQ(p.morph({"report", "mutation", "--config", "Debug"}).exit, 0);
}

}  // namespace
}  // namespace morph::end_to_end
