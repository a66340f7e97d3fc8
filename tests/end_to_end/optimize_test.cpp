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
  EXPECT_NE(text.out.find("1 file in which tests are registered does not count"), std::string::npos) << text.out;
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

TEST_F(optimize, keeps_known_kills) {
  EXPECT_EQ(ask()["groups"].size(), 2U) << "no kills, no group of them";
  add_kills({{0, {"Area.OfSquare"}}, {1, {"Area.OfStrip"}}, {2, area_tests}});
  const json said = ask();
  EXPECT_EQ(kept(said).size(), 4U);
  EXPECT_EQ(named(said, "Area.OfStrip")["alone"], 1);
  EXPECT_EQ(named(said, "Area.OfStrip")["same_as"], nullptr);
  EXPECT_EQ(said["groups"].back()["name"], "kills");
  EXPECT_EQ(said["groups"].back()["covered"], 3);
  EXPECT_EQ(kept(ask({"--keep", "lines,branches"})).size(), 3U);
  EXPECT_EQ(kept(ask({"--keep", "kills"})), area_tests);
}

TEST_F(optimize, says_what_a_test_is_there_for) {
  add_kills({{0, {"Area.OfStrip"}}});
  const json kept = ask({"--why", "Perimeter.OfSquare"});
  EXPECT_EQ(kept["schema"], "morph.optimize-why/1");
  EXPECT_EQ(kept["kept"], true);
  EXPECT_EQ(kept["alone"], kept["alone_among_kept"]);
  EXPECT_EQ(kept["alone"]["lines"], (json{{"src/area.cpp", "8-9"}, {"src/shapes.hpp", "7-8"}}));
  const json area = ask({"--why", "Area.OfStrip"});
  EXPECT_EQ(area["alone"], (json{{"kills", {{"src/area.cpp", "0"}}}}));
  EXPECT_NE(area["alone_among_kept"], area["alone"]) << "the other one that covers its lines is left out";
  const json left = ask({"--why", "Area.OfSquare"});
  EXPECT_EQ(left["kept"], false);
  EXPECT_EQ(left["alone"], json::object());
  EXPECT_EQ(left["covered_by"][0]["name"], "Area.OfStrip");
  EXPECT_EQ(left["covered_by"][0]["covers"], left["covers"]);
  EXPECT_EQ(ask({"--why", "Area.OfSquare", "--keep", "lines"})["same_as"], nullptr);
  EXPECT_EQ(ask({"--why", "Area.OfStrip", "--keep", "lines"})["same_as"], "Area.OfSquare");

  const finished text = p.morph({"optimize", "--why", "Area.OfStrip"});
  EXPECT_NE(text.out.find("Area.OfStrip is kept\nno other test covers:\n  src/area.cpp: kills 0\nno other test that is "
                          "kept covers:\n"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(p.morph({"optimize", "--write-instance", "all.txt"}).exit, 0);
  EXPECT_EQ(ask({"--instance", "all.txt", "--why", "Area.OfStrip"})["alone"], (json{{"kills", 1}}));
  const finished unknown = p.morph({"optimize", "--why", "OfSquare"});
  EXPECT_EQ(unknown.exit, 2);
  EXPECT_NE(unknown.err.find("there is no test 'OfSquare'; there are: Area.OfSquare, Perimeter.OfSquare"),
            std::string::npos)
      << unknown.err;
}

TEST_F(optimize, what_it_does_anyway_is_no_option) {
  const finished end = p.morph({"optimize", "--minimal"});
  EXPECT_EQ(end.exit, 2);
  EXPECT_NE(end.err.find("--minimal"), std::string::npos) << end.err;
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

TEST_F(optimize, asks_pagmos_algorithms_for_comparison) {
  const json ours = ask();
  const json nsga2 = ask({"--algorithm", "nsga2", "--generations", "20"});
  EXPECT_EQ(nsga2["covered"], nsga2["weight"]);
  EXPECT_GE(nsga2["seconds"], ours["seconds"]);
  EXPECT_LE(nsga2["least_seconds"], ours["least_seconds"]);  // which is proven
  EXPECT_EQ(ask({"--algorithm", "memetic"})["seconds"], ours["seconds"]);
  EXPECT_EQ(ask({"--algorithm", "sga", "--budget", "0"})["covered"], 0);
  EXPECT_LE(ask({"--algorithm", "nspso", "--random-start"})["covered"], ours["covered"]);
  EXPECT_EQ(p.morph({"optimize", "--algorithm", "nsga3"}).exit, 2);
  EXPECT_EQ(p.morph({"optimize", "--random-start"}).exit, 2);
}

TEST_F(optimize, says_where_pagmos_algorithms_should_be) {
  const std::filesystem::path alone = p.root() / "alone" / "bin" / "morph";
  std::filesystem::create_directories(alone.parent_path());
  std::filesystem::copy_file(MORPH_PREFIX "/bin/morph", alone);
  const finished end =
      p.run({alone.string(), "optimize", "--algorithm", "nsga2", "--build", (p.root() / "build").string()});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("alone/lib/morph/morph_pagmo.so"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("build and install all of Morph"), std::string::npos) << end.err;
}

/// Four tests; the first two cover the same, one has a name that needs quotes.
constexpr const char* four_tests = R"json({"schema": "morph.instance/1",
  "groups": [{"name": "lines", "requirements": 9}, {"name": "kills", "requirements": 2, "weight": 10}],
  "tests": [{"name": "slow", "microseconds": 4000000, "covers": {"lines": [0, 1, 2]}},
            {"name": "fast", "microseconds": 20, "covers": {"lines": [0, 1, 2]}},
            {"name": "a, \"b\"\nof Größe", "microseconds": 30, "covers": {"lines": [2, 3, 8], "kills": [0, 1]}},
            {"name": "nothing", "microseconds": 1, "covers": {}}]})json";

TEST_F(optimize, tables_are_read_by_pythons_csv_and_arrays_by_numpy) {
  std::string python;
  for (const char* candidate : {"python3", "/usr/bin/python3"})
    if (python.empty() && p.run({candidate, "-c", "import numpy"}).exit == 0) python = candidate;
  if (python.empty()) GTEST_SKIP() << "not run: NumPy is not installed";

  p.write("four.json", four_tests);
  const finished exported = p.morph({"optimize", "--instance", "four.json", "--export", "tables/all"});
  EXPECT_EQ(exported.exit, 0) << exported.err;
  EXPECT_EQ(exported.out, p.morph({"optimize", "--instance", "four.json"}).out);
  p.write("tables/read.py", R"py(
import csv, json
import numpy as np
tests, classes = (list(csv.reader(open(f"all.{name}.csv", newline=""), strict=True)) for name in ("tests", "classes"))
arrays = {name: np.load(f"all.{name}.npy") for name in ("indptr", "indices", "costs", "weights")}
print(json.dumps({"tests": tests, "classes": classes, "types": {n: a.dtype.str for n, a in arrays.items()},
                  **{n: a.tolist() for n, a in arrays.items()}}))
)py");
  const finished read = end_to_end::run({python, "read.py"}, p.root() / "tables", p.environment());
  ASSERT_EQ(read.exit, 0) << read.err;
  const json said = json::parse(read.out);
  EXPECT_EQ(said["tests"], (json{{"name", "seconds", "covers", "alone", "kept", "same_as", "always"},
                                 {"slow", "4.000000", "3", "0", "false", "", "false"},
                                 {"fast", "0.000020", "3", "0", "true", "slow", "false"},
                                 {"a, \"b\"\nof Größe", "0.000030", "23", "22", "true", "", "false"},
                                 {"nothing", "0.000001", "0", "0", "false", "", "false"}}));
  EXPECT_EQ(said["types"], (json{{"indptr", "<u8"}, {"indices", "<u4"}, {"costs", "<i8"}, {"weights", "<i8"}}));
  EXPECT_EQ(said["costs"], (json{4000000, 20, 30, 1}));
  EXPECT_EQ(said["indptr"], (json{0, 2, 4, 6, 6}));
  // Of the classes the numbers are not promised.
  std::map<std::string, json> by_tests;
  for (std::size_t c = 0; c < 3; ++c) {
    std::string tests;
    for (std::size_t t = 0; t < 4; ++t)
      for (std::size_t i = said["indptr"][t]; i < said["indptr"][t + 1]; ++i)
        if (said["indices"][i] == c) tests += std::to_string(t);
    const json& row = said["classes"][c + 1];
    EXPECT_EQ(row[0], std::to_string(c));
    EXPECT_EQ(row[2], std::to_string(said["weights"][c].get<int>()));
    by_tests[tests] = {row[1], row[2], row[3], row[4]};
  }
  EXPECT_EQ(said["classes"][0], (json{"class", "tests", "weight", "weight.lines", "weight.kills"}));
  EXPECT_EQ(by_tests, (std::map<std::string, json>{
                          {"01", {"2", "2", "2", "0"}}, {"012", {"3", "1", "1", "0"}}, {"2", {"1", "22", "2", "20"}}}));

  const std::string page = read_bytes(MORPH_SOURCE_DIR "/docs/how-to/minimize.md");
  const std::size_t begin = page.find("```python\n") + 10;
  p.write("tables/page.py", page.substr(begin, page.find("```", begin) - begin));
  const finished of_page = end_to_end::run({python, "page.py"}, p.root() / "tables", p.environment());
  EXPECT_EQ(of_page.both(), "a, \"b\"\nof Größe\nfast\nslow\nnothing\n");
}

TEST_F(optimize, tables_have_the_tests_of_the_store_and_those_that_run_in_any_case) {
  p.replace("tests/shapes_test.cpp", "TEST(Scale, ByZero)",
            "TEST(Scale, BySkipping) {\n  GTEST_SKIP();\n}\n\nTEST(Scale, ByZero)");
  p.build();
  p.measure();
  const json said = ask({"--export", "all"});
  std::istringstream lines(p.read("all.tests.csv"));
  std::string line, last;
  std::getline(lines, line);
  for (const json& test : said["tests"]) {
    std::getline(lines, line);
    EXPECT_EQ(line.substr(0, line.find(',')), test["name"].get<std::string>());
  }
  std::getline(lines, last);
  EXPECT_EQ(last, "Scale.BySkipping,,,,true,,true");
}

TEST_F(optimize, a_table_that_cannot_be_written_is_an_error) {
  p.write("four.json", four_tests);
  p.write("taken.costs.npy/folder", "");
  const finished end = p.morph({"optimize", "--instance", "four.json", "--export", "taken"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(end.err, "morph: cannot write 'taken.costs.npy': Is a directory\n");
  for (const auto& entry : std::filesystem::directory_iterator(p.root()))
    EXPECT_NE(entry.path().extension(), ".tmp") << entry.path();
  EXPECT_EQ(p.morph({"optimize", "--export", "all", "--write-instance", "all.txt"}).exit, 2);
}

TEST_F(optimize, without_a_measurement_it_says_what_to_do) {
  std::filesystem::remove_all(p.root() / ".morph");
  const finished end = p.morph({"optimize"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("morph-measure"), std::string::npos) << end.err;
}

}  // namespace
}  // namespace morph::end_to_end
