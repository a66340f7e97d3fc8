// Outcomes of conditions by the evidence, against what conditions themselves report: each source of `decisions` is
// compiled with counters by every compiler that is there, and once with conditions that say how they end.
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/program_model.hpp"
#include "coverage/source/branches/branches.hpp"
#include "coverage/source/clang/parse.hpp"
#include "plugin/coupled/mapping.hpp"
#include "plugin/generate/goals.hpp"
#include "tests/gcov_answers.hpp"
#include "tests/unit/gcov/gcov_support.hpp"

namespace {

namespace fs = std::filesystem;
using namespace morph;
using gcov_support::run;
using nlohmann::json;
using std::string;

constexpr unsigned inputs = 16;

/// What `generate::rewritten` calls: each goal that is reached is a line of the standard output.
constexpr const char* reporting_conditions = R"(
#include <cstdio>
#include <string>
#include <type_traits>
namespace morph_goals {
inline constexpr void enter(unsigned goal) { if (!std::is_constant_evaluated()) std::printf("%u\n", goal); }
template <class T> constexpr bool is_true(unsigned goal, const T& value) { enter(goal + (value ? 1 : 0)); return value; }
#define MORPH_COMPARED(name, op) \
  template <class A, class B> constexpr bool name(unsigned goal, const A& a, const B& b) { return is_true(goal, a op b); }
MORPH_COMPARED(less, <)
MORPH_COMPARED(less_equal, <=)
MORPH_COMPARED(greater, >)
MORPH_COMPARED(greater_equal, >=)
MORPH_COMPARED(equal, ==)
MORPH_COMPARED(not_equal, !=)
MORPH_COMPARED(text_equal, ==)
MORPH_COMPARED(text_not_equal, !=)
template <auto... Labels, class T> constexpr T choice(unsigned goal, T value) {
  unsigned at = 0;
  (void)((static_cast<T>(Labels) == value || (++at, false)) || ...);
  enter(goal + at);
  return value;
}
}
)";

string contents(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& path, const string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// A goal of `generate::goals_of` is an outcome of a site, or the entry of a function.
using outcome_of_site = std::tuple<std::size_t, std::size_t, std::size_t>;  // function, site, outcome
std::map<std::size_t, outcome_of_site> outcomes_by_goal(const json& functions) {
  std::map<std::size_t, outcome_of_site> made;
  std::size_t goal = 0;
  for (std::size_t f = 0; f < functions.size(); ++f) {
    const json& function = functions[f];
    if (function.at("body") > 0 && !function.at("constexpr").get<bool>()) ++goal;
    for (std::size_t s = 0; s < function.at("sites").size(); ++s) {
      const json& site = function.at("sites")[s];
      const string kind = site.at("kind");
      const auto add = [&](std::size_t outcome) { made[goal++] = {f, s, outcome}; };
      if (kind == "switch")
        for (std::size_t i = 0; i <= site.at("cases").size(); ++i) add(i);
      else if (kind == "loop")
        add(1);
      else if (kind == "declared") {
        add(1);
        if (site.at("else") > 0) add(0);
      } else if (kind != "unseen") {
        add(0);
        add(1);
      }
    }
  }
  return made;
}

class decisions : public testing::TestWithParam<std::tuple<string, string>> {
 protected:
  fs::path source() const {
    return fs::path(MORPH_SOURCE_DIR) / "tests/source/decisions" / (std::get<1>(GetParam()) + ".cc");
  }
  string compiler() const { return std::get<0>(GetParam()); }
  bool is_clang() const { return compiler().starts_with("clang"); }
  fs::path at(const string& name) const { return folder_.path() / name; }

  void expect_success(const string& command) {
    const auto done = run(command + " 2>&1");
    ASSERT_EQ(done.status, 0) << command << '\n' << done.output;
  }

  /// In the temporary folder, where coordinates are those of the source.
  json functions() {
    json made = json::array();
    const string path = at("program.cpp").string();
    const auto read = source::parse(
        {folder_.path().string(), path, {"c++", "-std=c++20", path}}, {"/nowhere", {"/nowhere"}}, {},
        [&](clang::ASTContext& context, const auto& errors) {
          for (json& file : source::to_json(source::read_branches(context, {folder_.path().string(), {}}, errors)))
            made = std::move(file.at("functions"));
        });
    for (const auto& error : read.errors) ADD_FAILURE() << error.line << ": " << error.text;
    return made;
  }

  /// By input.
  std::vector<std::set<outcome_of_site>> truth(const json& functions) {
    const generate::goal_set goals = generate::goals_of({{"program.cpp", functions.get<std::vector<json>>()}});
    const auto by_goal = outcomes_by_goal(functions);
    write(at("goals.hpp"), reporting_conditions);
    write(at("reporting.cpp"), generate::rewritten(contents(at("program.cpp")), "program.cpp", goals));
    expect_success("g++ -std=c++20 -w -O0 -include " + at("goals.hpp").string() + " " + at("reporting.cpp").string() +
                   " -o " + at("reporting").string());
    std::vector<std::set<outcome_of_site>> made(inputs);
    for (unsigned input = 0; input < inputs; ++input) {
      std::istringstream lines(run(at("reporting").string() + " " + std::to_string(input)).output);
      for (std::size_t goal = 0; lines >> goal;)
        if (const auto known = by_goal.find(goal); known != by_goal.end()) made[input].insert(known->second);
    }
    return made;
  }

  string options() const {
    if (!is_clang()) return "-fprofile-arcs -ftest-coverage";
    const bool mixes_files = std::stoi(compiler().substr(8)) < 19;
    return "-fprofile-arcs -ftest-coverage -fdebug-compilation-dir=/ -include " MORPH_SOURCE_DIR
           "/plugin/runtime/morph_clang_arcs.h -Xclang -coverage-version=" +
           string(mixes_files ? "A93M -gline-tables-only -gdwarf-4 -gz=none" : "A93L");
  }

  struct measured {
    std::vector<store::packed_way> ways;
    std::vector<std::set<std::pair<std::uint32_t, std::uint32_t>>> taken;  // by input: line, number
  };
  measured measure() {
    const string object = at("program.o").string();
    expect_success(compiler() + " -std=c++20 -w -O0 " + options() + " -c " + at("program.cpp").string() + " -o " +
                   object);
    expect_success(compiler() + " --coverage " + object + " -o " + at("program").string());
    measured made;
    for (unsigned input = 0; input < inputs; ++input) {
      fs::remove(at("program.gcda"));
      expect_success(at("program").string() + " " + std::to_string(input));
      const string bytes = contents(at("program.gcda"));
      const auto counters = gcov::parse_data(bytes, at("program.gcda").string());
      std::uint32_t version = 0, next_id = 0;
      std::memcpy(&version, bytes.data() + 4, sizeof version);
      std::vector<gcov::counter> row;
      gcov::program_model model;
      const auto added =
          model.add(gcov_answers::module_of(at("program.gcda").string(), version, counters.value(), next_id, row));
      EXPECT_TRUE(added) << added.error();
      const auto is_own = [&](std::uint32_t file) { return model.files()[file].ends_with("/program.cpp"); };
      made.taken.emplace_back();
      for (const std::uint32_t branch : model.convert(row).branches)
        if (const auto& one = model.branches()[branch]; is_own(one.file))
          made.taken.back().emplace(one.line, one.number);
      if (input > 0) continue;
      for (const gcov::decision_way& each : model.decisions())
        if (is_own(each.file))
          made.ways.push_back(store::pack({each.function_line, each.line, each.decision, each.rank, each.is_counted,
                                           each.number, each.is_last, each.by_clang})
                                  .value());
    }
    std::ranges::sort(made.ways);
    return made;
  }

  gcov_support::temporary_folder folder_;
};

TEST_P(decisions, are_the_outcomes_of_conditions_or_are_not_mapped) {
  if (run("command -v " + compiler() + " >/dev/null").status != 0) GTEST_SKIP() << compiler() << " is not installed";
  write(at("program.cpp"), contents(source()) + contents(source().parent_path() / "main.txt"));
  const json all = functions();
  const auto expected = truth(all);
  const measured found = measure();
  const coupled::file_decisions compiled(found.ways);
  std::size_t mapped = 0, sites = 0, checked = 0, decisive = 0;
  std::vector<std::vector<coupled::site_numbers>> numbers;
  for (const json& each : all) numbers.push_back(coupled::map_sites(each, compiled));
  std::set<std::pair<std::size_t, std::size_t>> unmapped;
  for (std::size_t f = 0; f < all.size(); ++f)
    for (std::size_t s = 0; s < all[f].at("sites").size(); ++s) {
      ++sites;
      const auto& outcomes = numbers[f][s].of_outcome;
      if (std::ranges::all_of(outcomes, [](const auto& each) { return each.has_value(); }))
        ++mapped;
      else
        unmapped.emplace(f, s);
    }
  for (const auto& [goal, place] : outcomes_by_goal(all)) {
    const auto& [f, s, outcome] = place;
    const auto number = numbers[f][s].of_outcome.at(outcome);
    if (!number) continue;
    std::set<bool> seen;
    for (unsigned input = 0; input < inputs; ++input) {
      const bool is_taken = found.taken[input].contains({numbers[f][s].line, *number});
      seen.insert(expected[input].contains(place));
      ++checked;
      EXPECT_EQ(is_taken, expected[input].contains(place))
          << numbers[f][s].line << ": " << all[f].at("sites")[s].at("text") << ", outcome " << outcome << ", input "
          << input;
    }
    decisive += seen.size() - 1;
  }
  std::cout << compiler() << ": " << mapped << " of " << sites << " sites, " << checked << " answers, " << decisive
            << " outcomes differ\n";
  if (std::getenv("MORPH_SHOW_UNMAPPED") != nullptr)
    for (const auto& [f, s] : unmapped)
      std::cout << "  " << all[f].at("sites")[s].at("line") << ": " << all[f].at("sites")[s].at("text") << " "
                << all[f].at("sites")[s].value("code", json()).dump() << '\n';
  EXPECT_GT(decisive, 0U);
}

INSTANTIATE_TEST_SUITE_P(compilers, decisions,
                         testing::Combine(testing::Values("g++-11", "g++-12", "g++-13", "g++-14", "clang++-14",
                                                          "clang++-16", "clang++-19"),
                                          testing::Values("conditions", "loops", "switches", "objects")),
                         [](const auto& of) {
                           string name = std::get<0>(of.param) + "_" + std::get<1>(of.param);
                           std::ranges::replace(name, '+', 'x');
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
