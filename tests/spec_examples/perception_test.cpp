// The perception example: four recognisers, two experiments on the same stored images, and what they find.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;
namespace fs = std::filesystem;

/// Both experiments, once for all tests.
class PerceptionExample : public testing::Test {
 public:
  static void SetUpTestSuite() {
    folder_ = new temporary_file();
    fs::create_directories(folder_->path());
    make("same", "same object");
    images_ = new auto(images());
    make("different", "different objects");
  }
  static void TearDownTestSuite() {
    std::error_code ignored;
    fs::remove_all(folder_->path(), ignored);
    delete folder_;
    delete images_;
  }

 protected:
  /// When each image was written, and where it lies on the disk.
  using stamps = std::map<std::string, std::pair<std::int64_t, std::uint64_t>>;

  static program_end perform(const std::string& words) {
    return run(folder_->path(), MORPH_EXAMPLE_PERCEPTION " " + words);
  }
  static void make(const std::string& pool, const std::string& seeds) {
    EXPECT_EQ(perform("seed --seeds '" + seeds + "' --pool " + pool).status, 0);
    EXPECT_EQ(perform("mutate --pool " + pool).status, 0);
    EXPECT_EQ(perform("check --pool " + pool).status, 1);
  }
  static stamps images() {
    stamps all;
    for (const auto& entry : fs::recursive_directory_iterator(folder_->path() + "/images")) {
      struct stat facts {};
      if (entry.is_regular_file() && ::stat(entry.path().c_str(), &facts) == 0)
        all[entry.path().string()] = {facts.st_mtim.tv_sec * 1'000'000'000 + facts.st_mtim.tv_nsec, facts.st_ino};
    }
    return all;
  }

  static json rows_of(const std::string& pool, const std::string& recogniser) {
    const json found =
        json::parse(perform("analyse --json --by similarity --executer " + recogniser + " --pool " + pool).text);
    return found.at("analyses").at(0).at("rows");
  }
  /// How many of the 20 pairs it takes for the same object, by what changed the subject.
  static std::map<std::string, int> taken_for_the_same(const std::string& pool, const std::string& recogniser) {
    std::map<std::string, int> made;
    for (const json& row : rows_of(pool, recogniser)) {
      EXPECT_EQ(row.at(1), 20);
      made[row.at(0)] = row.at(5).get<int>();
    }
    return made;
  }
  static int right_of(const std::string& recogniser) {
    int right = 0;
    for (const auto& [change, number] : taken_for_the_same("same", recogniser)) right += number;
    for (const auto& [change, number] : taken_for_the_same("different", recogniser)) right += 20 - number;
    return right;
  }

  static temporary_file* folder_;
  static stamps* images_;
  const std::vector<std::string> tones_{"brighter", "darker", "gamma-up", "gamma-down", "more-contrast", "four-greys"};
  const std::vector<std::string> places_{"mirror", "rotate-15", "rotate-90", "shift"};
};
temporary_file* PerceptionExample::folder_ = nullptr;
PerceptionExample::stamps* PerceptionExample::images_ = nullptr;

TEST_F(PerceptionExample, IsSmall) {
  const std::string spec = MORPH_EXAMPLES "/perception/perception.spec.cpp";
  EXPECT_LE(lines_of_spec(spec, "//"), 90u);
  const json listed = json::parse(perform("list --json").text)["specs"][0];
  EXPECT_GE(listed["datamorphisms"].size(), 13u);
  EXPECT_EQ(listed["executers"].size(), 4u);
  EXPECT_EQ(listed["seeds"].size(), 2u);
  EXPECT_EQ(listed["analysers"].size(), 2u);
}

TEST_F(PerceptionExample, BothExperimentsUseTheSameStoredImages) {
  EXPECT_EQ(images_->size(), 20u * 18);  // the objects and 17 changes of each
  EXPECT_EQ(images(), *images_);
}

TEST_F(PerceptionExample, ItsFilesAndIdsAreTheSameEverywhere) {
  const json first = cases_of(folder_->path() + "/same")[0];
  EXPECT_EQ(first["in"], json::parse(R"(["images/objects/00.pgm","images/objects/00.pgm"])"));
  std::vector<std::string> of_zero;
  for (const auto& [path, stamp] : *images_)
    if (path.find("/blur/00-") != std::string::npos) of_zero.push_back(fs::path(path).filename());
  EXPECT_EQ(of_zero, std::vector<std::string>{"00-fda75f4f4ccc4c19.pgm"});
  EXPECT_EQ(first["id"], "726a67e87ec6c670");
}

TEST_F(PerceptionExample, PixelsKnowNearlyEverythingAgainAndTellLittleApart) {
  const auto same = taken_for_the_same("same", "pixels"), different = taken_for_the_same("different", "pixels");
  for (const auto& [change, number] : same)
    if (change == "invert")
      EXPECT_EQ(number, 0);
    else
      EXPECT_GE(number, 14) << change;
  EXPECT_GE(different.at("(none)"), 10);
}

TEST_F(PerceptionExample, HistogramsDoNotSeeWherePixelsAreAndFailWhereTonesChange) {
  const auto same = taken_for_the_same("same", "histogram"), different = taken_for_the_same("different", "histogram");
  for (const std::string& change : places_) EXPECT_EQ(same.at(change), 20) << change;
  for (const std::string& change : tones_) EXPECT_EQ(same.at(change), 0) << change;
  EXPECT_GE(different.at("(none)"), 15);
}

TEST_F(PerceptionExample, MomentsDoNotSeeWhereAnObjectIsAndFailWhereItIsHidden) {
  const auto same = taken_for_the_same("same", "moments"), different = taken_for_the_same("different", "moments");
  for (const std::string& change : places_) EXPECT_EQ(same.at(change), 20) << change;
  for (const char* const change : {"noise", "less-contrast"}) EXPECT_EQ(same.at(change), 0) << change;
  EXPECT_LE(same.at("occlude"), 5);
  EXPECT_LE(different.at("(none)"), 1);
}

TEST_F(PerceptionExample, SearchFailsForSizesAndNegativesAlone) {
  const auto same = taken_for_the_same("same", "search"), different = taken_for_the_same("different", "search");
  for (const std::string& change : tones_) EXPECT_EQ(same.at(change), 20) << change;
  for (const char* const change : {"rotate-15", "rotate-90", "shift", "blur"}) EXPECT_EQ(same.at(change), 20) << change;
  EXPECT_GE(same.at("noise"), 18);
  EXPECT_EQ(same.at("invert"), 0);
  for (const char* const change : {"shrink", "zoom"}) EXPECT_LE(same.at(change), 7) << change;
  EXPECT_LE(different.at("(none)"), 2);
}

TEST_F(PerceptionExample, TheSearchIsRightMostOften) {
  const int search = right_of("search"), moments = right_of("moments");
  EXPECT_GT(search, moments);
  EXPECT_GT(moments, right_of("pixels"));
  EXPECT_GT(moments, right_of("histogram"));
}

/// The tables of docs/specs/perception.md, first (a), then (b).
TEST_F(PerceptionExample, TheDocumentSaysWhatIsFound) {
  std::ifstream document(MORPH_EXAMPLES "/../docs/specs/perception.md");
  std::vector<std::map<std::string, std::string>> tables;
  for (std::string line; std::getline(document, line);) {
    if (line.rfind("| changed by |", 0) == 0) tables.emplace_back();
    if (line.rfind("| ", 0) == 0 && !tables.empty()) tables.back()[line.substr(2, line.find(" |", 2) - 2)] = line;
  }
  ASSERT_EQ(tables.size(), 2u);
  for (const std::size_t which : {0u, 1u}) {
    std::map<std::string, std::string> found;
    for (const char* const recogniser : {"pixels", "histogram", "moments", "search"})
      for (const json& row : rows_of(which == 0 ? "different" : "same", recogniser)) {
        char cell[64];
        std::snprintf(cell, sizeof cell, "%.2f (%d) |", row.at(2).get<double>(), row.at(5).get<int>());
        std::string& line = found[row.at(0)];
        line += (line.empty() ? "| " + row.at(0).get<std::string>() + " | " : " ") + cell;
      }
    found["changed by"] = "| changed by | pixels | histogram | moments | search |";
    found["---"] = "| --- | --- | --- | --- | --- |";
    EXPECT_EQ(tables[which], found);
  }
}

TEST_F(PerceptionExample, AnImageThatIsCutOffIsAnExceptionOfEachRecogniser) {
  const std::string image = folder_->path() + "/images/objects/cut.pgm";
  std::ofstream(image) << "P5\n64 64\n255\nabc";
  std::ofstream(folder_->path() + "/cut.jsonl") << R"({"in":["images/objects/cut.pgm","images/objects/cut.pgm"]})"
                                                << "\n"
                                                << R"({"in":["images/objects/none.pgm","images/objects/00.pgm"]})"
                                                << "\n";
  EXPECT_EQ(perform("execute --pool cut.jsonl").status, 0);
  const auto cases = cases_of(folder_->path() + "/cut.jsonl");
  ASSERT_EQ(cases.size(), 2u);
  for (const json& run : cases[0]["runs"]) {
    EXPECT_EQ(run["how"], "exception");
    EXPECT_NE(
        run["error"].get<std::string>().find("'images/objects/cut.pgm' is no binary PGM of 8 bits, or is cut off"),
        std::string::npos)
        << run;
  }
  for (const json& run : cases[1]["runs"])
    EXPECT_NE(run["error"].get<std::string>().find("'images/objects/none.pgm' cannot be read"), std::string::npos)
        << run;
}

}  // namespace
