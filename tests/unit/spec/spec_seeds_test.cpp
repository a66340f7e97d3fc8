// Seeds of files: CSV, lines of JSON, folders, and what is said of bad ones.
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "morph/seeds.hpp"
#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace tried_as_seeds {

struct triangle {
  int a = 0, b = 0, c = 0;
  bool operator==(const triangle&) const = default;
};
struct person {
  std::string name;
  double height = 0;
  bool known = false;
};

}  // namespace tried_as_seeds

namespace {

using tried_as_seeds::person;
using tried_as_seeds::triangle;
namespace fs = std::filesystem;

/// `input` or `input = expected`, each; else the error, with the folder left out.
template <typename In, typename Out, typename From>
std::vector<std::string> seeds_of(const morph::test_support::temporary_folder& folder, const From& from) {
  std::vector<morph::seed<In, Out>> made;
  std::string error = morph::seeds_of_texts<In, Out>(morph::read_seeds(from), made);
  if (!error.empty()) {
    const std::string place = folder.path().string() + "/";
    for (std::size_t at = error.find(place); at != error.npos; at = error.find(place)) error.erase(at, place.size());
    return {error};
  }
  std::vector<std::string> texts;
  for (const auto& each : made)
    texts.push_back(morph::to_text(each.input) + (each.expected ? " = " + morph::to_text(*each.expected) : ""));
  return texts;
}

template <typename In, typename Out = int>
std::vector<std::string> of_csv(const std::string& content) {
  const morph::test_support::temporary_folder folder;
  folder.write("seeds.csv", content);
  return seeds_of<In, Out>(folder, morph::csv{(folder / "seeds.csv").string()});
}

template <typename In, typename Out = int>
std::vector<std::string> of_lines(const std::string& content) {
  const morph::test_support::temporary_folder folder;
  folder.write("seeds.jsonl", content);
  return seeds_of<In, Out>(folder, morph::json_lines{(folder / "seeds.jsonl").string()});
}

using texts = std::vector<std::string>;

// ---- CSV

TEST(SpecSeeds, FieldsOfARow) {
  EXPECT_EQ(morph::csv_fields("a,b"), (texts{"a", "b"}));
  EXPECT_EQ(morph::csv_fields(""), (texts{""}));
  EXPECT_EQ(morph::csv_fields(",,"), (texts{"", "", ""}));
  EXPECT_EQ(morph::csv_fields("\"a,b\",\"say \"\"hi\"\"\",\"\""), (texts{"a,b", "say \"hi\"", ""}));
  EXPECT_EQ(morph::csv_fields("\"two\nlines\",x"), (texts{"two\nlines", "x"}));
}

TEST(SpecSeeds, RowsAreValuesAndLabels) {
  EXPECT_EQ((of_csv<triangle>("3,4,5\n5,5,5\n")), (texts{"[3,4,5]", "[5,5,5]"}));
  EXPECT_EQ((of_csv<triangle>("3,4,5,1\n5,5,5\n")), (texts{"[3,4,5] = 1", "[5,5,5]"}));
  EXPECT_EQ((of_csv<int>("7\n-8")), (texts{"7", "-8"})) << "without a newline at its end";
  EXPECT_EQ((of_csv<triangle, triangle>("1,2,3,4,5,6\n")), (texts{"[1,2,3] = [4,5,6]"}));
}

TEST(SpecSeeds, AFirstRowOfNamesIsSkipped) {
  EXPECT_EQ((of_csv<triangle>("a,b,c\n3,4,5\n")), (texts{"[3,4,5]"}));
  EXPECT_EQ((of_csv<triangle>("\"side a\",b,c,kind\n3,4,5,1\n")), (texts{"[3,4,5] = 1"}));
}

TEST(SpecSeeds, AFirstRowWithAMistakeIsNotSkipped) {
  EXPECT_EQ((of_csv<triangle>("3,4,five\n3,4,5\n")), (texts{"seeds.csv:1: at 0: a number is wanted, not '\"'"}));
  EXPECT_EQ((of_csv<triangle>("3,4\n3,4,5\n")), (texts{"seeds.csv:1: there are fewer columns than members"}));
}

TEST(SpecSeeds, LineEndsBlankLinesAndMarks) {
  EXPECT_EQ((of_csv<triangle>("\xef\xbb\xbf"
                              "3,4,5\r\n\r\n5,5,5\r\n")),
            (texts{"[3,4,5]", "[5,5,5]"}));
}

TEST(SpecSeeds, TextsNumbersAndTruth) {
  EXPECT_EQ((of_csv<person>("name,height,known\n\"Doe, Jane\",1.75,true\n,inf,false\n")),
            (texts{R"(["Doe, Jane",1.75,true])", R"(["","inf",false])"}));
  EXPECT_EQ((of_csv<std::string>("\"two\nlines\"\none\n")), (texts{R"("two\nlines")", R"("one")"}));
  EXPECT_EQ((of_csv<std::string, std::string>("in,out\n")), (texts{R"("in" = "out")"})) << "texts may be anything";
}

TEST(SpecSeeds, BadRowsNameTheirLine) {
  EXPECT_EQ((of_csv<triangle>("3,4,5\n\n3,4\n")), (texts{"seeds.csv:3: there are fewer columns than members"}));
  EXPECT_EQ((of_csv<triangle>("3,4,5\n3,4,5,6,7\n")), (texts{"seeds.csv:2: there are more columns than members"}));
  EXPECT_EQ((of_csv<triangle>("3,4,5\n3,x,5\n")), (texts{"seeds.csv:2: at 0: a number is wanted, not '\"'"}));
  EXPECT_EQ((of_csv<std::string>("\"two\nlines\"\nx,1,2\n")),
            (texts{"seeds.csv:3: there are more columns than members"}));
}

TEST(SpecSeeds, AQuoteThatIsNotClosedIsAnError) {
  std::string many = "1\n\"2\n";
  for (int i = 0; i < 200'000; ++i) many += "3\n";
  EXPECT_EQ((of_csv<int>(many)), (texts{"seeds.csv:2: a quote is not closed"}));
}

// ---- lines of JSON

TEST(SpecSeeds, LinesAreValues) {
  EXPECT_EQ((of_lines<triangle>("# made by hand\n[3,4,5]\n\n  // another\n [5,5,5] \r\n")),
            (texts{"[3,4,5]", "[5,5,5]"}));
  EXPECT_EQ((of_lines<std::string>("\"#1\"\n")), (texts{"\"#1\""}));
}

TEST(SpecSeeds, ObjectsHaveInputsAndLabels) {
  EXPECT_EQ((of_lines<triangle>(R"({"in":[3,4,5],"out":1})"
                                "\n"
                                R"({"expected":2,"in":[5,5,5]})"
                                "\n"
                                R"({"id":"0f","in":[1,1,1]})")),
            (texts{"[3,4,5] = 1", "[5,5,5] = 2", "[1,1,1]"}));
  EXPECT_EQ((of_lines<int>(R"({"in":1,"out":2,"expected":3})")), (texts{"1 = 3"}));
}

TEST(SpecSeeds, OtherObjectsAreNamedMembers) {
  EXPECT_EQ((of_lines<triangle>(R"({"a":3,"b":4,"c":5})")), (texts{"[3,4,5]"}));
  EXPECT_EQ((of_lines<triangle>(R"({"in":{"a":3,"b":4,"c":5},"out":9})")), (texts{"[3,4,5] = 9"}));
}

TEST(SpecSeeds, BadLinesNameTheirPlace) {
  EXPECT_EQ((of_lines<triangle>("[3,4,5]\n[3,4]\n")), (texts{"seeds.jsonl:2: at 4: ',' is wanted, not ']'"}));
  EXPECT_EQ((of_lines<triangle>("\n[3,4,5] 6\n")),
            (texts{"seeds.jsonl:2: at 8: the value has ended, but more text comes"}));
  EXPECT_EQ((of_lines<triangle>("{\"in\":[3,4,5],\"out\":\"x\"}\n")),
            (texts{"seeds.jsonl:1: at 0: a number is wanted, not '\"'"}));
  EXPECT_EQ((of_lines<triangle>("{\"in\":[3,4,5]\n")),
            (texts{"seeds.jsonl:1: at 13: '}' is wanted, but the text ends"}));
}

// ---- folders, and what is not there

TEST(SpecSeeds, AFolderHasFilesInTheirOrder) {
  const morph::test_support::temporary_folder folder;
  folder.write("corpus/b", "second\n");
  folder.write("corpus/a", std::string("first\0\xff", 7));
  folder.write("corpus/deep/c", "");
  fs::create_symlink("nowhere", folder / "corpus/broken");
  EXPECT_EQ((seeds_of<std::string, int>(folder, morph::folder{(folder / "corpus").string()})),
            (texts{R"({"base64":"Zmlyc3QA/w=="})", R"("second\n")", R"("")"}));
  EXPECT_EQ((seeds_of<std::vector<unsigned char>, int>(folder, morph::folder{(folder / "corpus/deep").string()})),
            (texts{"[]"}));
}

TEST(SpecSeeds, AFolderOfPaths) {
  const morph::test_support::temporary_folder folder;
  folder.write("image.pgm", "P5");
  morph::spec<fs::path, std::string> s("images");
  s.execute("here", [](const fs::path& path) { return path.filename().string(); });
  s.execute_command("there", "basename -z {}");
  s.seeds("corpus", morph::folder{folder.path().string()});
  s.datamorph("another", [](const fs::path& path) { return path.string() + " copy"; });
  morph::engine::options how;
  how.keep = true;
  morph::engine::session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.spec().text_of_input(0), "\"" + (folder / "image.pgm").string() + "\"");
  EXPECT_EQ(at_work.spec().text_of_output(0, 0, 1), "\"image.pgm copy\"");
  EXPECT_EQ(at_work.spec().text_of_output(1, 0, 1), "\"image.pgm copy\\u0000\"");
}

TEST(SpecSeeds, WhatIsNotThereIsAnError) {
  const morph::test_support::temporary_folder folder;
  const std::string error = "'missing' cannot be read; paths start at the working directory of the test";
  const std::string path = (folder / "missing").string();
  EXPECT_EQ((seeds_of<int, int>(folder, morph::csv{path})), (texts{error}));
  EXPECT_EQ((seeds_of<int, int>(folder, morph::json_lines{path})), (texts{error}));
  EXPECT_EQ((seeds_of<std::string, int>(folder, morph::folder{path})), (texts{error}));
}

// ---- as seeds of a spec

TEST(SpecSeeds, OfASpecTellWhichListIsBad) {
  const morph::test_support::temporary_folder folder;
  folder.write("seeds.csv", "1\nx\n");
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("rows", morph::csv{(folder / "seeds.csv").string()});
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.report().error, "the seeds 'rows' cannot be made: " + (folder / "seeds.csv").string() +
                                        ":2: at 0: a number is wanted, not '\"'");
}

TEST(SpecSeeds, OfASpecFromManySources) {
  const morph::test_support::temporary_folder folder;
  folder.write("seeds.csv", "5,5\n7\n");
  morph::spec<int, int> s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, {2, 2}});
  s.seeds("range", std::vector<int>{3});
  s.seeds("array", std::array<short, 1>{4});
  s.seeds("rows", morph::csv{(folder / "seeds.csv").string()});
  s.seeds("made", [] { return std::vector<int>{8}; });
  s.seeds("labelled", [] { return std::vector<morph::seed<int, int>>{{9, 9}}; });
  s.seeds("random",
          [](morph::random_source& random) { return std::vector<int>{static_cast<int>(random.below(1)) + 10}; });
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.report().seeds, 9U);
  const auto& labels = at_work.report().tallies[0][0];
  EXPECT_EQ(at_work.checks()[0].name, "expected output");
  EXPECT_EQ(labels.passed, 3U);
  EXPECT_EQ(labels.failed, 0U);
}

TEST(SpecSeeds, LiteralsOfAllKinds) {
  const auto count = [](auto& of) {
    of.execute([](const auto&) { return 0; });
    morph::engine::session at_work(of, {});
    at_work.make_seeds();
    return at_work.cases().size();
  };
  morph::spec<std::string, int> of_texts("texts");
  of_texts.seeds("literal", {"a", {"b", 1}, std::string("c")});
  EXPECT_EQ(count(of_texts), 3U);
  morph::spec<std::vector<int>, int> of_vectors("vectors");
  of_vectors.seeds("literal", {{}, {1}, {1, 2}, {{1, 2, 3}, 0}});
  EXPECT_EQ(count(of_vectors), 4U);
  morph::spec<triangle, int> of_aggregates("aggregates");
  of_aggregates.seeds("literal", {{3, 4, 5}, {{5, 5, 5}, 1}, triangle{1, 1, 1}});
  EXPECT_EQ(count(of_aggregates), 3U);
  morph::spec<double, int> of_numbers("numbers");
  of_numbers.seeds("literal", {1, 0.5, {2.5, 1}});
  EXPECT_EQ(count(of_numbers), 3U);
}

}  // namespace
