// Branches of a report beside those that gcovr itself counts, in what ordinary runs of the same programs leave.
#include <gtest/gtest.h>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

void write_ways(const project& to) {
  to.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Ways CXX)
enable_testing()
find_package(Morph REQUIRED)
add_library(ways ways.cpp again.cpp)
foreach(name few many)
  add_executable(${name} ${name}.cpp)
  target_link_libraries(${name} ways)
  morph_add_suite(s_${name} TARGET ${name} FRAMEWORK none)
endforeach()
)");
  to.write("ways.hpp", R"(#pragma once
#include <vector>
int both(bool a, bool b);
int which(int n);
char at(const char* text, int n);
int sum(const std::vector<int>& of);
int again(int n);
template <class T>
T larger(T a, T b) {
  return a < b ? b : a;
}
inline int sign(int n) {
  return n < 0 ? -1 : 1;
}
)");
  to.write("ways.cpp", R"(#include "ways.hpp"
#include <string>

static const std::string start = sign(1) > 0 ? "a" : "b";

int both(bool a, bool b) {
  if (a && b) return 1;
  return 0;
}

int which(int n) {
  switch (n) {
    case 1: return 10;
    case 2: return 20;
    default: return 0;
  }
}

char at(const char* of, int n) {
  const std::string text(of);
  return n < 0 ? start.at(0) : text.at(static_cast<unsigned>(n));
}

char never(int n) {
  const std::string text(1, 'x');
  return text.at(static_cast<unsigned>(n));
}

int sum(const std::vector<int>& of) {
  int all = 0;
  for (int n : of) all += n;
  const auto twice = [](int n) { return n > 3 ? 2 * n : n; };
  return twice(larger(all, 0)) + static_cast<int>(larger(0.5, 1.5));
}
)");
  to.write("again.cpp", "#include \"ways.hpp\"\nint again(int n) { return sign(n) + larger(n, 2); }\n");
  to.write("few.cpp",
           "#include \"ways.hpp\"\nint main() { return both(true, false) + which(2) - 20 + at(\"x\", 0) - 'x'; }\n");
  to.write(
      "many.cpp",
      "#include \"ways.hpp\"\nint main() { return both(true, true) + which(1) + sum({1, 2}) - 15 + again(-1); }\n");
}

class branch_report : public testing::Test {
 protected:
  branch_report() : p(measured().here()) { measured().restore(); }
  static workspace& measured() {
    static workspace made(write_ways);
    return made;
  }
  project& p;
};

/// "ways.cpp:7" -> taken, all.
using branch_counts = std::map<std::string, std::pair<std::size_t, std::size_t>>;

branch_counts read_gcovr(const fs::path& tracefile) {
  branch_counts counts;
  const json said = json::parse(read_bytes(tracefile));
  for (const auto& file : said.at("files"))
    for (const auto& line : file.at("lines"))
      for (const auto& branch : line.at("branches")) {
        auto& [taken, all] = counts[file.at("file").get<std::string>() + ":" + line.at("line_number").dump()];
        taken += branch.at("count") != 0 ? 1U : 0U;
        ++all;
      }
  return counts;
}

/// What ordinary runs of the programs leave in the twin.
fs::path run_programs(const project& p) {
  const fs::path twin = p.build_dir() / "morph-twin" / "coverage";
  for (const char* program : {"few", "many"}) p.run({(twin / program).string()});
  return twin;
}

branch_counts ours(const project& p) {
  const fs::path written = p.build_dir() / "ours.json";
  const finished report = p.morph({"report", "coverage", "--format", "gcovr", "-o", written.string(), "-q"});
  if (report.exit != 0) throw std::runtime_error(report.both());
  return read_gcovr(written);
}

// A call that an exception may leave has two ways on: neither is a branch here.
TEST_F(branch_report, has_the_branches_of_gcov_but_for_exceptions) {
  std::map<std::string, std::size_t> expected, found;
  for (const auto& entry : fs::recursive_directory_iterator(run_programs(p))) {
    if (entry.path().extension() != ".gcda") continue;
    const finished gcov = p.run({"gcov", "-b", "--json-format", "--stdout", entry.path().string()});
    ASSERT_EQ(gcov.exit, 0) << gcov.err;
    const json said = json::parse(gcov.out);
    for (const auto& file : said.at("files"))
      for (const auto& line : file.at("lines")) {
        const auto path = fs::path(file.at("file").get<std::string>()).lexically_relative(p.root()).string();
        std::size_t thrown = 0;
        for (const auto& branch : line.at("branches")) thrown += branch.at("throw") ? 1U : 0U;
        const std::size_t left = line.at("branches").size() - 2 * thrown;
        std::size_t& all = expected[path + ":" + line.at("line_number").dump()];
        all = std::max(all, left);
      }
  }
  std::erase_if(expected, [](const auto& line) { return line.second == 0 || line.first.starts_with(".."); });
  for (const auto& [place, counts] : ours(p)) found[place] = counts.second;
  EXPECT_EQ(found, expected);
}

TEST_F(branch_report, has_the_branches_that_gcovr_has_but_for_calls_that_only_return) {
  // Later ones ask gcov in another way.
  const bool is_there = p.run({"sh", "-c", "gcovr --version | grep '^gcovr 5'"}).exit == 0;
  if (!is_there) GTEST_SKIP() << "not run: there is no gcovr 5 here (Debian 12: apt install gcovr)";
  const fs::path theirs = p.build_dir() / "theirs.json";
  const finished gcovr = p.run({"gcovr", "--root", p.root().string(), "--exclude-throw-branches", "--json", "--output",
                                theirs.string(), run_programs(p).string()});
  ASSERT_EQ(gcovr.exit, 0) << gcovr.both();

  branch_counts expected = read_gcovr(theirs);
  // Without the way of the exception a call has one left, which gcovr goes on counting. In what never ran gcov does not
  // say which ways are those of exceptions.
  const branch_counts returns = {{"ways.cpp:20", {1, 1}},
                                 {"ways.cpp:21", {1, 3}},
                                 {"ways.cpp:25", {0, 2}},
                                 {"ways.cpp:26", {0, 2}},
                                 {"many.cpp:2", {3, 3}}};
  for (const auto& [place, counts] : returns) {
    expected[place].first -= counts.first;
    expected[place].second -= counts.second;
    if (expected[place].second == 0) expected.erase(place);
  }
  const branch_counts found = ours(p);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.at("ways.cpp:21"), (std::pair<std::size_t, std::size_t>{1, 2}));
  EXPECT_EQ(found.at("ways.hpp:10"), (std::pair<std::size_t, std::size_t>{2, 2}));  // instances and units together
}

}  // namespace
}  // namespace morph::end_to_end
