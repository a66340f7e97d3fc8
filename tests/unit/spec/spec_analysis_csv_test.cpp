// Analyses as CSV: rows that say whose they are, added to what is there, and never to another file.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "plugin/spec/report/analysis_csv.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::engine {
namespace {

const std::vector<morph::analysis> analyses{{"by \"relation\"", {"relation", "pass", "fail"}, {{"a, b", "1", "0"}}, ""},
                                            {"size", {}, {}, "two\nlines"}};

std::string read(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(spec_analysis_csv, a_row_holds_one_number_or_text) {
  EXPECT_EQ(as_csv("first", "triangle", "by sorting", analyses),
            "first,triangle,by sorting,\"by \"\"relation\"\"\",\"a, b\",pass,1\n"
            "first,triangle,by sorting,\"by \"\"relation\"\"\",\"a, b\",fail,0\n"
            "first,triangle,by sorting,size,,text,\"two\nlines\"\n");
}

TEST(spec_analysis_csv, rows_of_several_share_one_head) {
  const morph::test_support::temporary_folder folder;
  const std::string file = (folder / "all.csv").string();
  EXPECT_EQ(append_csv(file, "a\n"), "");
  EXPECT_EQ(append_csv(file, "b\n"), "");
  EXPECT_EQ(read(file), std::string(analysis_csv_head) + "a\nb\n");
}

TEST(spec_analysis_csv, another_file_stays_as_it_is) {
  const morph::test_support::temporary_folder folder;
  folder.write("all.csv", "x,y\n1,2\n");
  EXPECT_EQ(append_csv((folder / "all.csv").string(), "a\n"),
            "'" + (folder / "all.csv").string() +
                "' holds something else; rows are added to files that begin with "
                "label,spec,executer,analysis,row,column,value");
  EXPECT_EQ(read(folder / "all.csv"), "x,y\n1,2\n");
  EXPECT_EQ(append_csv((folder / "gone" / "all.csv").string(), "a\n"),
            "'" + (folder / "gone" / "all.csv").string() + "' cannot be written: No such file or directory");
}

}  // namespace
}  // namespace morph::engine
