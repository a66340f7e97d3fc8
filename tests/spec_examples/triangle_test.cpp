// The triangle example: how many cases and relations it has, which of Myers' questions its cases answer, and that the
// wrong classifiers are found.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string folder = MORPH_EXAMPLES "/triangle";
const std::string program = MORPH_EXAMPLE_TRIANGLE;
const std::array<const char*, 4> classifiers{"sorting", "sorting_wrong", "counting", "counting_wrong"};

spec_report first_order(const std::string& classifier, const std::string& options = "--seeds typical") {
  return run_spec(folder, program, classifier, options);
}

std::vector<json> saved_cases(const std::string& options) {
  const temporary_file pool;
  run(folder, program + " --spec sorting --quiet --save-pool " + pool.path() + " " + options);
  return cases_of(pool.path());
}

struct sides {
  int x, y, z;
  int least() const { return std::min({x, y, z}); }
  int longest() const { return std::max({x, y, z}); }
  int others() const { return x + y + z - longest(); }
  int equal_pairs() const { return (x == y) + (y == z) + (x == z); }
  bool is_triangle() const { return least() > 0 && others() > longest(); }
  char place_of_longest() const { return x == longest() ? 'x' : y == longest() ? 'y' : 'z'; }
  char place_of_odd_one() const { return y == z ? 'x' : x == z ? 'y' : 'z'; }
};

std::vector<sides> inputs(const std::vector<json>& cases) {
  std::vector<sides> made;
  for (const json& each : cases) made.push_back({each["in"][0], each["in"][1], each["in"][2]});
  return made;
}

/// The questions of Myers' self-assessment that sides alone can answer, by his numbers. 12 and 13 (numbers that are not
/// whole, another number of sides) are none of the inputs that the type can say; 14 asks for expected outputs.
std::set<int> answered(const std::vector<sides>& all) {
  std::set<int> made;
  std::set<char> isosceles, flat, too_long;
  for (const sides& t : all) {
    if (t.is_triangle() && t.equal_pairs() == 0) made.insert(1);
    if (t.is_triangle() && t.equal_pairs() == 3) made.insert(2);
    if (t.is_triangle() && t.equal_pairs() == 1) {
      made.insert(3);
      isosceles.insert(t.place_of_odd_one());
    }
    if (t.least() == 0) made.insert(5);
    if (t.least() < 0) made.insert(6);
    if (t.least() > 0 && t.others() == t.longest()) {
      made.insert(7);
      flat.insert(t.place_of_longest());
    }
    if (t.least() > 0 && t.others() < t.longest()) {
      made.insert(9);
      too_long.insert(t.place_of_longest());
    }
    if (t.least() == 0 && t.longest() == 0) made.insert(11);
  }
  if (isosceles.size() == 3) made.insert(4);
  if (flat.size() == 3) made.insert(8);
  if (too_long.size() == 3) made.insert(10);
  return made;
}

TEST(TriangleExample, FirstOrderGivesEightyMutantsAndSixtyThreeNewInputs) {
  for (const char* const classifier : classifiers) {
    const spec_report report = first_order(classifier);
    EXPECT_EQ(report.all["seeds"], 4) << classifier;
    EXPECT_EQ(report.all["mutants"], 80) << classifier;
    EXPECT_EQ(report.all["distinct_new_inputs"], 63) << classifier;
    EXPECT_EQ(report.all["runs"], 67) << classifier;
  }
}

TEST(TriangleExample, ItsDatamorphismsAreThoseOfThePaper) {
  std::set<std::string> names;
  const spec_report report = first_order("sorting");
  for (const json& each : report.all["types"]) names.insert(each["name"]);
  for (const char* const maker : {"typical", "labelled", "typed in", "file"})
    EXPECT_EQ(names.erase(maker), 1u) << maker;
  EXPECT_EQ(names, (std::set<std::string>{"increaseX", "increaseY", "increaseZ", "decreaseX", "decreaseY",
                                          "decreaseZ", "swapXY",    "swapXZ",    "swapYZ",    "rotateL",
                                          "rotateR",   "copyXToY",  "copyXToZ",  "copyYToZ",  "negateX",
                                          "negateY",   "negateZ",   "zeroX",     "zeroY",     "zeroZ"}));
}

TEST(TriangleExample, HasTwentyEightMetamorphismsAndOneOrMoreIsCheckedOnEachCase) {
  const std::vector<json> cases = saved_cases("--seeds typical");
  ASSERT_EQ(cases.size(), 84u);
  std::set<std::string> of_seeds;
  std::set<std::pair<std::string, std::string>> of_mutants;
  for (const json& each : cases) {
    bool checked = false;
    for (const auto& [relation, verdict] : each["runs"][0]["verdicts"].items()) {
      if (each.contains("from"))
        of_mutants.emplace(relation, each["by"]);
      else
        of_seeds.insert(relation);
      checked = checked || verdict == "pass";
    }
    EXPECT_TRUE(checked) << each;
  }
  // What is about all cases is one metamorphism, whatever made them.
  const auto of_datamorphisms = std::count_if(of_mutants.begin(), of_mutants.end(),
                                              [&](const auto& each) { return of_seeds.count(each.first) == 0; });
  EXPECT_EQ(of_seeds.size(), 2u);
  EXPECT_EQ(of_datamorphisms, 26);
}

TEST(TriangleExample, TheRightClassifiersPass) {
  for (const char* const classifier : {"sorting", "counting"}) {
    const spec_report report = first_order(classifier);
    EXPECT_EQ(report.status, 0) << classifier;
    EXPECT_TRUE(report.failing().empty()) << report.all;
    EXPECT_TRUE(first_order(classifier, "--seeds typical --seeds file --order 2").failing().empty()) << classifier;
  }
}

TEST(TriangleExample, AVerdictThatIsOverwrittenIsFound) {
  const spec_report report = first_order("sorting_wrong");
  EXPECT_EQ(report.status, 1);
  EXPECT_EQ(report.failing(), (std::map<std::string, std::uint64_t>{{"no side is below 1", 8}, {"flat is none", 4}}));
}

TEST(TriangleExample, ASideThatIsAsLongAsTheOthersTogetherIsFound) {
  const spec_report report = first_order("counting_wrong");
  EXPECT_EQ(report.status, 1);
  EXPECT_EQ(report.failing(), (std::map<std::string, std::uint64_t>{{"flat is none", 3}}));
  // Which side it is does not matter; the relation that says so needs a mutant of a mutant.
  const auto of_second_order = first_order("counting_wrong", "--seeds typical --order 2").failing();
  EXPECT_EQ(of_second_order.count("the order of the sides is irrelevant"), 1u);
}

TEST(TriangleExample, MyersQuestionsThatTheCasesAnswer) {
  const std::set<int> by_first_order = answered(inputs(saved_cases("--seeds typical")));
  EXPECT_EQ(by_first_order, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 9, 10}));
  // Not among the 84 cases: the permutations of a flat triangle with sides above 0 (8), and no side at all (11). One
  // and two datamorphisms more make them, and so do the seeds of the file.
  std::set<int> with_flat_ones = by_first_order;
  with_flat_ones.insert(8);
  EXPECT_EQ(answered(inputs(saved_cases("--seeds typical --order 2"))), with_flat_ones);
  const std::string zeros = "--datamorphism zeroX --datamorphism zeroY --datamorphism zeroZ";
  EXPECT_EQ(answered(inputs(saved_cases("--seeds typical --order 2 " + zeros))).count(11), 0u);
  EXPECT_EQ(answered(inputs(saved_cases("--seeds typical --order 3 " + zeros))).count(11), 1u);
  std::set<int> with_the_file = with_flat_ones;
  with_the_file.insert(11);
  EXPECT_EQ(answered(inputs(saved_cases("--seeds typical --seeds file"))), with_the_file);
}

TEST(TriangleExample, MyersQuestionsThatNoInputCanAskAreRefused) {
  const auto typed_in = [](const std::string& line) {
    return run(folder, program + " --spec sorting --seeds 'typed in'", line + "\\n");
  };
  const program_end not_whole = typed_in("[2.5, 3, 4]");  // question 12
  EXPECT_EQ(not_whole.status, 3);
  EXPECT_NE(not_whole.text.find("2.5"), std::string::npos) << not_whole.text;
  EXPECT_EQ(typed_in("[3, 4]").status, 3);  // question 13
  EXPECT_EQ(typed_in("[3, 4, 5, 6]").status, 3);
  EXPECT_EQ(typed_in("[3, 4, 5]").status, 0);
}

TEST(TriangleExample, ExpectedOutputsAreCompared) {  // question 14
  EXPECT_EQ(first_order("counting", "--seeds labelled").number("expected output", "pass"), 4u);
  const std::string wrong_label = R"({"in":[3,4,5],"out":0})";
  const program_end ended = run(folder, program + " --json --spec counting --seeds 'typed in'", wrong_label + "\\n");
  EXPECT_EQ(ended.status, 1);
  const spec_report report{ended.status, json::parse(ended.text)["specs"][0]};
  EXPECT_EQ(report.number("expected output", "fail"), 1u);
}

TEST(TriangleExample, SeedsComeFromTheFile) {
  const spec_report report = first_order("sorting", "--seeds file --strategy seeds");
  EXPECT_EQ(report.all["seeds"], 6);
  EXPECT_EQ(report.status, 0);
  EXPECT_EQ(answered(inputs(saved_cases("--seeds file --strategy seeds"))), (std::set<int>{1, 2, 5, 7, 8, 11}));
}

TEST(TriangleExample, ItsAnalysersTellOfThePool) {
  const temporary_file pool;
  run(folder, program + " --spec counting --quiet --seeds typical --save-pool " + pool.path());
  const program_end ended = run(
      folder,
      program +
          " analyse --spec counting --format json --by 'cases by kind' --by 'distance to the nearest case' --pool " +
          pool.path());
  const json analyses = json::parse(ended.text, nullptr, false)["analyses"];
  ASSERT_EQ(analyses.size(), 2u) << ended.text;
  EXPECT_EQ(analyses[0]["text"], "[[equilateral,11],[isosceles,20],[scalene,16],[none,37]]");
  EXPECT_EQ(analyses[1]["text"].get<std::string>().substr(0, 4), "1.40");
}

TEST(TriangleExample, TakesSixtyLines) {
  EXPECT_LE(lines_of_spec(folder + "/triangle.spec.cpp", "void triangle_rules"), 60u);
  EXPECT_GE(lines_of_spec(folder + "/triangle.spec.cpp", "void triangle_rules"), 30u);
}

}  // namespace
