// The forms that other tools read, read back.
#include "plugin/report/tracefiles.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/unit/report/coverage_examples.hpp"

namespace morph::report_tests {
namespace {
using nlohmann::json;

std::string written(const std::function<void(const text_sink&)>& write) {
  std::string all;
  write([&](std::string_view part) { all += part; });
  return all;
}

struct section {
  std::string test, file;
  std::map<std::string, int> functions, function_lines, lines;
  std::map<std::string, std::string> branches;  // by line, block and branch
  std::map<std::string, int> sums;              // LF, LH, BRF, BRH, FNF, FNH
};

/// The records of geninfo(1).
std::vector<section> read_lcov(const std::string& tracefile) {
  std::vector<section> sections;
  section now;
  std::istringstream in(tracefile);
  for (std::string record; std::getline(in, record);) {
    const std::string key = record.substr(0, record.find(':'));
    const std::string value = record.substr(std::min(record.size(), key.size() + 1));
    const auto comma = value.find(',');
    if (key == "TN") {
      now = {};
      now.test = value;
    } else if (key == "SF") {
      now.file = value;
    } else if (key == "FN") {
      now.function_lines[value.substr(comma + 1)] = std::stoi(value);
    } else if (key == "FNDA") {
      now.functions[value.substr(comma + 1)] = std::stoi(value);
    } else if (key == "DA") {
      now.lines[value.substr(0, comma)] = std::stoi(value.substr(comma + 1));
    } else if (key == "BRDA") {
      now.branches[value.substr(0, value.rfind(','))] = value.substr(value.rfind(',') + 1);
    } else if (key == "end_of_record") {
      sections.push_back(now);
    } else {
      now.sums[key] = std::stoi(value);
    }
  }
  return sections;
}

TEST(Lcov, HasASectionForEachTestAndFile) {
  const auto sections =
      read_lcov(written([](const text_sink& out) { write_lcov(make_coverage(example()), "/top", out); }));
  names heads;
  for (const auto& s : sections) heads.push_back(s.test + " " + s.file);
  EXPECT_EQ(heads, (names{"pre_S_A /top/src/lib.cpp", "pre_S_A /top/src/lib.hpp", "pre_S_B /top/src/lib.cpp",
                          "pre_S_B /top/src/lib.hpp", "pre_S_A_2 /top/src/lib.hpp", "pre_S_A_2 /top/src/text.inc",
                          " /top/src/idle.cpp"}));
  const section& first = sections.front();
  EXPECT_EQ(first.lines, (std::map<std::string, int>{{"2", 1}, {"3", 1}, {"4", 0}, {"6", 0}, {"7", 0}}));
  EXPECT_EQ(first.functions, (std::map<std::string, int>{{"_Z1fi", 1}, {"_Z1gv", 0}}));
  EXPECT_EQ(first.function_lines, (std::map<std::string, int>{{"_Z1fi", 2}, {"_Z1gv", 6}}));
  EXPECT_EQ(first.branches,
            (std::map<std::string, std::string>{{"3,0,0", "0"}, {"3,0,40", "1"}, {"7,0,0", "-"}, {"7,0,1", "-"}}));
  EXPECT_EQ(sections[2].branches.at("3,0,40"), "-");  // another test, which does not run the line
  EXPECT_EQ(first.sums,
            (std::map<std::string, int>{{"LF", 5}, {"LH", 2}, {"BRF", 4}, {"BRH", 1}, {"FNF", 2}, {"FNH", 1}}));
  EXPECT_EQ(sections.back().sums, (std::map<std::string, int>{{"LF", 1}, {"LH", 0}, {"FNF", 1}, {"FNH", 0}}));
}

TEST(Lcov, HasNoRecordsOfConditionsWhichItsReadersBefore23Refuse) {
  const auto tracefile = [](const evidence& e) {
    return written([&](const text_sink& out) { write_lcov(make_coverage(e), "/top", out); });
  };
  EXPECT_EQ(tracefile(with_conditions()), tracefile(example()));
}

TEST(Lcov, AddsUpToTheNumberOfTests) {
  const coverage cov = make_coverage(example());
  std::map<std::string, std::map<std::uint32_t, std::size_t>> sums;
  for (const auto& s : read_lcov(written([&](const text_sink& out) { write_lcov(cov, "", out); })))
    for (const auto& [number, count] : s.lines)
      sums[s.file.substr(1)][static_cast<std::uint32_t>(std::stoul(number))] += static_cast<std::size_t>(count);
  for (const auto& file : cov.files)
    for (const auto& l : file.lines) EXPECT_EQ(sums[file.path].at(l.number), cov.count(l.tests));
}

TEST(Gcovr, CountsTests) {
  const json said = json::parse(written([](const text_sink& out) { write_gcovr(make_coverage(example()), out); }));
  EXPECT_EQ(said["gcovr/format_version"], "0.3");
  names files;
  for (const auto& file : said["files"]) files.push_back(file["file"]);
  EXPECT_EQ(files, (names{"src/idle.cpp", "src/lib.cpp", "src/lib.hpp", "src/text.inc"}));
  const json& in_lib = said["files"][1];
  EXPECT_EQ(in_lib["lines"][0], (json{{"line_number", 2},
                                      {"count", 2},
                                      {"branches", json::array()},
                                      {"gcovr/noncode", false},
                                      {"gcovr/excluded", false}}));
  EXPECT_EQ(in_lib["lines"][1]["branches"], (json{{{"count", 0}, {"fallthrough", false}, {"throw", false}},
                                                  {{"count", 1}, {"fallthrough", false}, {"throw", false}}}));
  EXPECT_EQ(in_lib["functions"][1], (json{{"name", "g()"}, {"lineno", 6}, {"execution_count", 1}}));
}

TEST(Gcovr, TellsFunctionsOfOneNameApart) {
  evidence e = example();
  e.functions.push_back({"_Z1fi", lib, 6, 7, false});
  const json said = json::parse(written([&](const text_sink& out) { write_gcovr(make_coverage(e), out); }));
  EXPECT_EQ(said["files"][1]["functions"][1]["name"], "f(int) (line 6)");
}

TEST(Tracefiles, OfNothingAreWhole) {
  EXPECT_EQ(written([](const text_sink& out) { write_lcov(make_coverage({}), "/top", out); }), "");
  EXPECT_EQ(json::parse(written([](const text_sink& out) { write_gcovr(make_coverage({}), out); }))["files"],
            json::array());
}

}  // namespace
}  // namespace morph::report_tests
