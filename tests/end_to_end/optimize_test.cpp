// morph optimize: the fewest seconds of tests that cover everything.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

class optimize : public shapes_test {
 protected:
  json ask(std::vector<std::string> arguments = {}) const {
    arguments.insert(arguments.begin(), "optimize");
    arguments.emplace_back("--json");
    const finished end = p.morph(arguments);
    EXPECT_EQ(end.exit, 0) << end.both();
    return json::parse(end.out);
  }
  static names kept(const json& said) {
    names result;
    for (const json& test : said["tests"])
      if (test["kept"]) result.push_back(test["name"]);
    return result;
  }
  static json named(const json& said, const std::string& name) {
    for (const json& test : said["tests"])
      if (test["name"] == name) return test;
    return {};
  }
};

TEST_F(optimize, keeps_one_of_the_tests_that_cover_the_same) {
  const json said = ask();
  EXPECT_EQ(said["commit"], p.git({"rev-parse", "HEAD"}));
  EXPECT_EQ(said["covered"], said["weight"]);
  EXPECT_EQ(said["tests"].size(), 5U);
  const names left = kept(said);
  ASSERT_EQ(left.size(), 3U);
  EXPECT_EQ(left[0].substr(0, 5), "Area.");
  EXPECT_EQ(left[1], "Perimeter.OfSquare");
  EXPECT_EQ(left[2].substr(0, 6), "Scale.");
  EXPECT_EQ(named(said, "Area.OfStrip")["same_as"], "Area.OfSquare");
  EXPECT_EQ(named(said, "Area.OfStrip")["alone"], 0);
  EXPECT_GT(named(said, "Perimeter.OfSquare")["alone"], 0);
  EXPECT_LE(said["least_seconds"], said["seconds"]);

  const finished text = p.morph({"optimize"});
  EXPECT_NE(text.out.find("3 of 5 tests cover everything that all of them cover"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("1 files in which tests are registered do not count"), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("2 tests are left out"), std::string::npos) << text.out;
}

TEST_F(optimize, counts_what_it_is_told) {
  EXPECT_EQ(kept(ask({"--with-tests"})).size(), 5U);
  EXPECT_EQ(kept(ask({"--only", "src/area.cpp", "--keep", "functions"})).size(), 2U);
  EXPECT_EQ(kept(ask({"--without", "src/area.cpp"})).size(), 2U);
  const finished nothing = p.morph({"optimize", "--only", "data/*"});
  EXPECT_EQ(nothing.exit, 2);
  EXPECT_NE(nothing.err.find("there is nothing to keep"), std::string::npos) << nothing.err;
  const finished unknown = p.morph({"optimize", "--keep", "lines,smells"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("--keep smells is unknown; there are: lines, branches"), std::string::npos) << unknown.err;
}

TEST_F(optimize, stays_within_a_budget) {
  EXPECT_EQ(kept(ask({"--budget", "0"})), names());
  const json all = ask({"--budget", "1000"});
  EXPECT_EQ(all["covered"], all["weight"]);
  const json said = ask({"--budget", "0.0000001"});
  EXPECT_EQ(kept(said), names());
  EXPECT_EQ(said["most_covered"], said["covered"]);
  EXPECT_EQ(p.morph({"optimize", "--budget", "soon"}).exit, 2);
}

TEST_F(optimize, names_come_one_a_line) {
  std::istringstream lines(p.morph({"optimize", "--names"}).out);
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count)
    EXPECT_TRUE(std::find(all_shapes.begin(), all_shapes.end(), line) != all_shapes.end()) << line;
  EXPECT_EQ(count, 3);
}

TEST_F(optimize, tests_of_incomplete_evidence_run_in_any_case) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)",
            "TEST(Scale, BySkipping) {\n  GTEST_SKIP();\n}\n\nTEST(Scale, ByZero)");
  p.build();
  p.measure();
  const json said = ask();
  EXPECT_EQ(said["always"], json::array({"Scale.BySkipping"}));
  EXPECT_EQ(said["tests"].size(), 5U);
  EXPECT_NE(p.morph({"optimize", "--names"}).out.find("Scale.BySkipping\n"), std::string::npos);
}

TEST_F(optimize, a_file_is_as_good_as_the_store) {
  const json from_store = ask();
  for (const char* file : {"all.txt", "all.json"}) {
    EXPECT_EQ(p.morph({"optimize", "--write-instance", file}).exit, 0);
    const json from_file = ask({"--instance", file});
    EXPECT_EQ(kept(from_file), kept(from_store));
    EXPECT_EQ(from_file["weight"], from_store["weight"]);
    EXPECT_EQ(from_file["commit"], nullptr);
  }
  EXPECT_EQ(json::parse(p.read("all.json"))["schema"], "morph.instance/1");
  EXPECT_EQ(p.read("all.txt").substr(0, 17), "morph-instance 1\n");
}

TEST_F(optimize, a_file_that_cannot_be_read_or_written_is_an_error) {
  p.write("wrong.txt", "morph-instance 1\ngroup lines many\n");
  const finished wrong = p.morph({"optimize", "--instance", "wrong.txt"});
  EXPECT_EQ(wrong.exit, 3);
  EXPECT_NE(wrong.err.find("'wrong.txt', line 2: the number of requirements 'many' is no whole number"),
            std::string::npos)
      << wrong.err;
  EXPECT_EQ(p.morph({"optimize", "--instance", "missing.txt"}).exit, 3);
  p.write("instance", R"( {"schema": "morph.instance/1", "groups": [{"name": "lines", "requirements": 6}],
    "tests": [{"name": "two\nlines", "microseconds": 1, "covers": {"lines": [6]}}]})");
  EXPECT_EQ(p.morph({"optimize", "--instance", "instance"}).err,
            "morph: 'instance', tests[0] 'two\nlines': 'lines' has 6 requirements, from 0 on; 6 is none of them\n");
  p.replace("instance", "[6]", "[5]");
  EXPECT_EQ(p.morph({"optimize", "--instance", "instance", "--names"}).out, "two\nlines\n");
  p.write("old.txt", "as it was");
  const finished misfit = p.morph({"optimize", "--instance", "instance", "--write-instance", "old.txt"});
  EXPECT_EQ(misfit.exit, 3);
  EXPECT_NE(misfit.err.find("cannot write 'old.txt': a test named 'two\nlines' cannot be written as a text"),
            std::string::npos)
      << misfit.err;
  EXPECT_EQ(p.read("old.txt"), "as it was");
}

TEST_F(optimize, without_a_measurement_it_says_what_to_do) {
  std::filesystem::remove_all(p.root() / ".morph");
  const finished end = p.morph({"optimize"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("morph-measure"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace morph::end_to_end
