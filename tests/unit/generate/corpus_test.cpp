// The corpus: texts of tests, and of the files that they name.
#include "plugin/generate/corpus.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

namespace morph::generate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using texts = std::vector<std::string>;

class Corpus : public testing::Test {
 protected:
  Corpus() : root_(fs::temp_directory_path() / ("morph-corpus-" + std::to_string(::getpid()))) {
    fs::create_directories(root_ / "tests" / "data");
  }
  ~Corpus() override { fs::remove_all(root_); }

  void write(const fs::path& name, const std::string& content) const { std::ofstream(root_ / name) << content; }
  corpus of(const texts& all, std::size_t most = 400) const {
    json named = json::array();
    for (const std::string& each : all) named.push_back({{"text", each}});
    return corpus_of({{{"source", (root_ / "tests" / "a_test.cpp").string()}, {"texts", named}}}, root_, most);
  }

  fs::path root_;
};

TEST_F(Corpus, HasEachTextOnce) {
  EXPECT_EQ(of({"a: 1", "b", "a: 1"}).texts, (texts{"a: 1", "b"}));
}

TEST_F(Corpus, HasTheContentOfFilesBesideTheSourceAndAbove) {
  write("tests/data/one.yaml", "x: [1]\n");
  write("two.yaml", "- y\n");
  const corpus made = of({"data/one.yaml", "two.yaml", "three.yaml"});
  EXPECT_EQ(made.texts, (texts{"x: [1]\n", "- y\n", "three.yaml"}));
  EXPECT_EQ(made.files, (texts{"tests/data/one.yaml", "two.yaml"}));
}

TEST_F(Corpus, HasNoFileOutsideOfTheProjectNorASource) {
  write("tests/a.cpp", "int a;\n");
  const corpus made = of({"/etc/passwd", "../../../../../../etc/passwd", "a.cpp", "data"});
  EXPECT_TRUE(made.files.empty());
}

TEST_F(Corpus, HasNoBytesThatNoTextHas) {
  write("tests/data/x.bin", std::string("a\0b", 3));
  EXPECT_TRUE(of({"data/x.bin"}).files.empty());
}

TEST_F(Corpus, HasSomeLinesOfLongFiles) {
  std::string content;
  for (int i = 0; i < 100; ++i) content += "line " + std::to_string(i) + "\n";
  write("tests/data/long.txt", content);
  const corpus made = of({"data/long.txt"}, 40);
  ASSERT_EQ(made.texts.size(), 4U);
  for (const std::string& each : made.texts) {
    EXPECT_LE(each.size(), 40U);
    EXPECT_TRUE(each.starts_with("line ") && each.ends_with('\n')) << each;
  }
}

}  // namespace
}  // namespace morph::generate
