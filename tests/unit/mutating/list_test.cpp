// The mutants of a run: files that are chosen, functions that changed, a sample, a shard.
#include "plugin/mutating/list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace morph::mutating {
namespace {

/// Two files of two functions each, whose operands are mutated.
class Listed : public testing::Test {
 protected:
  Listed() {
    add_file("a.cpp");
    add_file("b.cpp");
    asked_.operators = {"op"};
    request_.mirror = "/m";
  }

  void add_file(const std::string& path) {
    mutation::mutated_file file{path, "int f(int n) {\n  return n + 1;\n}\nint g(int n) {\n  return n - 2;\n}\n", {}};
    file.places.functions = {{0, 33, 1, 3, "f(int)", ""}, {34, 67, 4, 6, "g(int)", ""}};
    for (const char* operand : {"1;", "2;"}) {
      const auto begin = static_cast<std::uint32_t>(file.source.find(operand));
      file.places.places.push_back(
          {begin, begin + 1, mutation::place_kind::expression, "", {{"op", "0"}, {"op", "9"}}});
    }
    report_.sources.files.push_back(file);
  }

  listed_mutants list() { return list_mutants(setting_of(tree_, asked_, nobody_), request_, changed_, report_); }
  std::set<std::string> files() const {
    std::set<std::string> found;
    for (const reported_mutant& m : report_.mutants) found.insert(report_.sources.files[m.file].path);
    return found;
  }

  build::build_tree tree_;
  request asked_;
  system::observer nobody_;
  source_reader::source_request request_;
  std::optional<changed_lines> changed_;
  mutation_report report_;
};

TEST_F(Listed, AreAllWithNamesOfTheirOwn) {
  const listed_mutants listed = list();
  EXPECT_EQ(report_.mutants.size(), 8U);
  EXPECT_EQ(listed.names.size(), 8U);
  EXPECT_EQ(std::set<std::string>(listed.names.begin(), listed.names.begin() + 4).size(), 4U);
  EXPECT_TRUE(listed.remembered_as[5].starts_with(listed.names[5] + ' '));
  EXPECT_EQ(std::ranges::count(listed.wanted, true), 8);
  EXPECT_TRUE(report_.sources.left_out.empty());
}

TEST_F(Listed, AgainAreTheSame) {
  asked_.without = {"a.cpp"};
  report_.sources.in_files_left_out = 3;
  const listed_mutants first = list();
  report_.tests.push_back({});
  report_.mutants[0].verdict.state = mutation::mutant_state::killed;
  const listed_mutants second = list();
  EXPECT_EQ(second.names, first.names);
  EXPECT_EQ(report_.mutants.size(), 4U);
  EXPECT_EQ(report_.mutants[0].verdict.state, mutation::mutant_state::not_covered);
  EXPECT_TRUE(report_.tests.empty());
  EXPECT_EQ(report_.sources.left_out, (std::map<std::string, std::uint32_t>{{"in a file that is left out", 7}}));
}

TEST_F(Listed, AreOfChosenFilesAlone) {
  asked_.only = {"b.*"};
  report_.sources.compile_time_only = {{"a.cpp", 5}, {"b.cpp", 6}};
  list();
  EXPECT_EQ(files(), std::set<std::string>{"b.cpp"});
  EXPECT_EQ(report_.compile_time_only, (std::map<std::string, std::uint32_t>{{"b.cpp", 6}}));
}

TEST_F(Listed, AreWithoutThoseThatDoNotCompile) {
  report_.sources.files[0].dropped = {{0, 1}};
  list();
  EXPECT_EQ(report_.mutants.size(), 7U);
}

TEST_F(Listed, OfAChangeAreWanted) {
  changed_ = changed_lines{{"b.cpp", {{5, 5}}}};
  listed_mutants listed = list();
  EXPECT_EQ(listed.wanted, (std::vector<bool>{false, false, false, false, false, false, true, true}));
  asked_.only_changed = true;
  listed = list();
  EXPECT_EQ(listed.wanted, (std::vector<bool>{true, true}));
  EXPECT_EQ(report_.mutants[0].place, 1U);
  EXPECT_EQ(files(), std::set<std::string>{"b.cpp"});
}

TEST_F(Listed, InASampleKeepTheirNames) {
  const listed_mutants all = list();
  const auto all_mutants = report_.mutants;
  asked_.sample = 3;
  const listed_mutants drawn = list();
  ASSERT_EQ(drawn.names.size(), 3U);
  EXPECT_EQ(report_.mutants.size(), 3U);
  EXPECT_EQ(drawn.wanted.size(), 3U);
  EXPECT_EQ(report_.sample_of, 8U);
  for (std::size_t i = 0; i < 3; ++i) {
    bool is_same = false;
    for (std::size_t k = 0; k < all.names.size(); ++k)
      is_same = is_same ||
                (all.names[k] == drawn.names[i] && all.remembered_as[k] == drawn.remembered_as[i] &&
                 all_mutants[k].file == report_.mutants[i].file && all_mutants[k].place == report_.mutants[i].place &&
                 all_mutants[k].alternative == report_.mutants[i].alternative);
    EXPECT_TRUE(is_same) << i;
  }
}

TEST_F(Listed, AreWantedByOneShardEach) {
  std::vector<bool> seen(8, false);
  for (std::uint32_t part = 1; part <= 3; ++part) {
    asked_.part = shard{part, 3};
    const listed_mutants listed = list();
    ASSERT_EQ(listed.wanted.size(), 8U);
    for (std::size_t i = 0; i < 8; ++i) {
      EXPECT_FALSE(seen[i] && listed.wanted[i]) << i;
      seen[i] = seen[i] || listed.wanted[i];
    }
  }
  EXPECT_EQ(std::ranges::count(seen, true), 8);
}

TEST_F(Listed, AreCountedWhileNobodyHasJudgedThem) {
  changed_ = changed_lines{{"b.cpp", {{5, 5}}}};
  const listed_mutants listed = list();
  for (reported_mutant& m : report_.mutants) m.verdict.state = mutation::mutant_state::not_judged;
  report_.mutants[7].verdict.state = mutation::mutant_state::survived;
  const unjudged_mutants left = count_unjudged(report_, listed);
  EXPECT_EQ(left.all, 7U);
  EXPECT_EQ(left.wanted, 1U);
}

}  // namespace
}  // namespace morph::mutating
