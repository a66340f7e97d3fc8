// The activity `explore`: pools, files, and what it says of wrong options.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "morph/morph.hpp"
#include "plugin/spec/program/activities.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::engine {
namespace {
using nlohmann::json;

struct spot {
  double x, y;
};

MORPH_SPEC(explored_places, spot, std::string, s) {
  s.execute([](const spot& at) -> std::string { return at.y > 0.6 ? "top" : at.x < 0.5 ? "left" : "right"; });
  s.seeds("drawn", morph::draw(30, morph::made_of<spot>(morph::floats(0, 1), morph::floats(0, 1))));
  s.datamorph("mid", [](const spot& a, const spot& b) { return spot{(a.x + b.x) / 2, (a.y + b.y) / 2}; });
  s.datamorph("right", [](spot p) { return spot{p.x + 0.1, p.y}; });
  s.datamorph("down", [](spot p) { return spot{p.x, p.y - 0.1}; });
}
MORPH_SPEC(explored_crashes, int, int, s) {
  s.execute([](int x) {
    if (x == 50) std::abort();
    return x > 70 ? 1 : 0;
  });
  s.seeds("both", {0, 100});
  s.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
}
MORPH_SPEC(explored_hangs, int, int, s) {
  s.execute([](int x) {
    for (volatile int forever = 1; x == 50 && forever == 1;) {
    }
    return x > 70 ? 1 : 0;
  });
  s.timeout(0.5);
  s.seeds("both", {0, 100});
  s.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
}

MORPH_SPEC(explored_without_midpoint, int, int, s) {
  s.execute([](int x) { return x; });
  s.seeds("both", {0, 100});
  s.datamorph("next", [](int x) { return x + 1; });
}
MORPH_SPEC(explored_without_distance, int, int, s) {
  s.execute([](int x) { return x > 70 ? 1 : 0; });
  s.seeds("both", {0, 100});
  s.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
  s.distance_by([](int a, int b) { return a == b ? 0 : std::nan(""); });
}
MORPH_SPEC(explored_of_one_class, int, std::string, s) {
  s.execute([](int) { return std::string("always"); });
  s.seeds("both", {0, 100});
  s.datamorph("mid", [](int a, int b) { return (a + b) / 2; });
}
MORPH_SPEC(explored_by_what_throws, int, int, s) {
  s.execute([](int x) { return x > 70 ? 1 : 0; });
  s.seeds("both", {0, 100});
  s.datamorph("mid", [](int, int) -> int { throw std::runtime_error("no middle"); });
}

/// In the process that works: who waits for it is told to end.
MORPH_SPEC(explored_until_interrupted, spot, std::string, s) {
  s.execute([](const spot& at) -> std::string {
    static int runs = 0;
    if (++runs == 300) {
      ::kill(::getppid(), SIGTERM);
      ::usleep(200'000);  // until it is passed on
    }
    return at.x < 0.5 ? "left" : "right";
  });
  s.seeds("drawn", morph::draw(30, morph::made_of<spot>(morph::floats(0, 1), morph::floats(0, 1))));
  s.datamorph("mid", [](const spot& a, const spot& b) { return spot{(a.x + b.x) / 2, (a.y + b.y) / 2}; });
  s.datamorph("right", [](spot p) { return spot{p.x + 0.001, p.y}; });
}

class spec_explore_activity : public ::testing::Test {
 protected:
  int run(std::vector<std::string> arguments, const std::string& spec = "explored_places") {
    arguments.insert(arguments.begin(), "explore");
    arguments.insert(arguments.end(), {"--spec", spec});
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = run_activity(arguments, "program");
    out = ::testing::internal::GetCapturedStdout();
    err = ::testing::internal::GetCapturedStderr();
    return status;
  }
  std::string file(const std::string& name) const { return (folder.path() / name).string(); }
  std::string read(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
  morph::test_support::temporary_folder folder;
  std::string out, err;
};

TEST_F(spec_explore_activity, keeps_the_borders_in_the_pool_with_what_they_were_made_of) {
  ASSERT_EQ(run({"--pool", file("pool.jsonl"), "--json", "--pairs", "10"}), 0) << err;
  const json report = json::parse(out);
  EXPECT_GE(report["borders"].size(), 9u);
  std::set<std::string> ids;
  std::istringstream lines(read("pool.jsonl"));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    const json each = json::parse(line);
    ids.insert(each["id"]);
    if (each.contains("from"))
      for (const json& origin : each["from"]) EXPECT_EQ(ids.count(origin), 1u);
    else
      EXPECT_EQ(each["by"], "drawn");
  }
  for (const json& border : report["borders"])
    for (const char* const end : {"a", "b"}) EXPECT_EQ(ids.count(border[end]["id"]), 1u);
  // And the pool can be worked on: a second exploration from its seeds alone finds the same and adds nothing.
  const std::string before = read("pool.jsonl");
  ASSERT_EQ(run({"--pool", file("pool.jsonl"), "--json", "--pairs", "10", "--by", "seeds"}), 0) << err;
  EXPECT_EQ(json::parse(out)["borders"], report["borders"]);
  EXPECT_EQ(read("pool.jsonl"), before);
}

TEST_F(spec_explore_activity, writes_no_pool_that_was_not_asked_for) {
  ASSERT_EQ(run({}), 0) << err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_NE(out.find("explored_places: random-target, 100 pairs of 30 cases, halved by 'mid', seed 1"),
            std::string::npos)
      << out;
}

TEST_F(spec_explore_activity, writes_the_log_and_the_picture_and_the_same_again) {
  ASSERT_EQ(run({"--strategy", "random-walk", "--log", file("a.jsonl"), "--plot", file("a.svg")}), 0) << err;
  const std::string first = out;
  ASSERT_EQ(run({"--strategy", "random-walk", "--log", file("b.jsonl"), "--plot", file("b.svg")}), 0) << err;
  EXPECT_EQ(out, first);
  EXPECT_EQ(read("a.jsonl"), read("b.jsonl"));
  EXPECT_EQ(read("a.svg"), read("b.svg"));
  EXPECT_NE(read("a.svg").find("<svg"), std::string::npos);
  EXPECT_NE(read("a.jsonl").find("\"event\":\"step\""), std::string::npos);
  ASSERT_EQ(run({"--strategy", "random-walk", "--isolate", "--log", file("c.jsonl")}), 0) << err;
  EXPECT_EQ(read("a.jsonl"), read("c.jsonl"));
}

TEST_F(spec_explore_activity, writes_a_page_with_what_it_prints_and_a_map) {
  ASSERT_EQ(run({"--plot", file("a.html"), "--json"}), 0) << err;
  const std::string page = read("a.html"), mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["screens"], json({"exploration"}));
  json shown = json::parse(data["documents"][0]["output"].get<std::string>());
  const json printed = json::parse(out);
  EXPECT_EQ(shown["map"]["cases"].size(), printed["cases"]);
  EXPECT_EQ(shown["map"]["cases"][0].size(), 3U);
  EXPECT_EQ(shown["map"]["borders"].size(), printed["borders"].size());
  shown.erase("map");
  EXPECT_EQ(shown, printed);
  ASSERT_EQ(run({"--plot", file("a.html")}, "explored_crashes"), 1) << err;
  EXPECT_EQ(read("a.html").find("\\\"map\\\":"), std::string::npos);
}

TEST_F(spec_explore_activity, of_a_program_that_crashes_or_hangs_names_the_input_and_keeps_it) {
  for (const char* const spec : {"explored_crashes", "explored_hangs"}) {
    EXPECT_EQ(run({"--pool", file(std::string(spec) + ".jsonl")}, spec), 1);
    EXPECT_NE(err.find("1 run gave no output, such as that of 50, "), std::string::npos) << err;
    EXPECT_NE(read(std::string(spec) + ".jsonl").find("\"by\":\"mid\""), std::string::npos);
    EXPECT_NE(out.find("1 pair given up where a run gave no output"), std::string::npos) << out;
  }
}

TEST_F(spec_explore_activity, says_what_is_wrong_with_the_spec) {
  EXPECT_EQ(run({}, "explored_without_midpoint"), 2);
  EXPECT_NE(err.find("bisection needs a datamorphism of two inputs"), std::string::npos) << err;
  EXPECT_EQ(run({"--pool", file("pool.jsonl")}, "explored_without_distance"), 2);
  EXPECT_NE(err.find("the distance of 0 and 100 is not a number"), std::string::npos) << err;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_EQ(run({}, "explored_of_one_class"), 0);
  EXPECT_NE(
      out.find("no border: all outputs are of one class, \"always\"; other seeds may give another one, or a walk"),
      std::string::npos)
      << out;
  EXPECT_EQ(run({}, "explored_by_what_throws"), 1);
  EXPECT_NE(out.find("warning: 1 pair given up: 'mid' threw"), std::string::npos) << out;
  EXPECT_NE(err.find("the datamorphism 'mid' threw for 0 and 100: no middle"), std::string::npos) << err;
}

TEST_F(spec_explore_activity, that_is_interrupted_tells_and_keeps_what_it_found) {
  const std::string spec = "explored_until_interrupted";
  ASSERT_EQ(run({"--pool", file("pool.jsonl"), "--log", file("log.jsonl"), "--pairs", "200", "--json"}, spec), 3);
  EXPECT_NE(err.find("interrupted; what was found until then is told, and in '" + file("pool.jsonl") + "'"),
            std::string::npos)
      << err;
  const json report = json::parse(out);
  EXPECT_EQ(report["left_out"]["by"], "an interruption");
  EXPECT_GT(report["ends"]["left out"], 0);
  EXPECT_NE(read("log.jsonl").find("\"how\":\"left out\""), std::string::npos);
  EXPECT_NE(read("pool.jsonl").find("\"spec\":\"" + spec), std::string::npos);
  for (const json& border : report["borders"])
    EXPECT_NE(read("pool.jsonl").find(border["a"]["id"].get<std::string>()), std::string::npos);
  EXPECT_EQ(run({"--strategy", "random-walk"}, spec), 3);
  EXPECT_NE(out.find("\n  interrupted: "), std::string::npos) << out;
}

TEST_F(spec_explore_activity, says_errors_as_json_where_a_report_would_be) {
  const std::vector<std::pair<std::string, std::string>> all{
      {"explored_without_midpoint", "bisection needs a datamorphism of two inputs"},
      {"explored_without_distance", "the distance of 0 and 100 is not a number"},
  };
  for (const auto& [spec, message] : all) {
    EXPECT_EQ(run({"--json"}, spec), 2);
    const json told = json::parse(out, nullptr, false);
    ASSERT_TRUE(told.is_object()) << out;
    EXPECT_EQ(told["schema"], "morph.error/1");
    EXPECT_EQ(told["exit"], 2);
    EXPECT_NE(told["errors"][0].get<std::string>().find(message), std::string::npos) << out;
    EXPECT_EQ(run({}, spec), 2);
    EXPECT_EQ(out, "");
  }
  EXPECT_EQ(run({"--mid", "none", "--json"}), 2);
  EXPECT_EQ(json::parse(out, nullptr, false)["schema"], "morph.error/1") << out;
}

TEST_F(spec_explore_activity, says_what_is_wrong_with_its_options) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> all{
      {{"--strategy", "spiral"}, "'spiral' is unknown; there are: random-target, random-walk, directed-walk"},
      {{"--tolerance", "nan"}, "'nan' is not a number from 0 on"},
      {{"--tolerance", "-1"}, "'-1' is not a number from 0 on"},
      {{"--tolerance", "1e-3", "--absolute-tolerance", "1"}, "are two ways to say one thing"},
      {{"--walks", "5"}, "--walks is for walks; random-target has --pairs N"},
      {{"--strategy", "random-walk", "--pairs", "5"}, "--pairs is for random-target; a walk has --walks N"},
      {{"--step", "right"}, "--step is for walks"},
      {{"--mid", "right"}, "the datamorphism 'right' takes 1 input"},
      {{"--executer", "none"}, "the spec has no executer 'none'"},
      {{"--seeds", "none"}, "the spec has no list of seeds 'none'"},
      {{"--seed", "-1"}, "'-1' is not a whole number"},
      {{"--seed", "18446744073709551616"}, "'18446744073709551616' is too large"},
      {{"--by", "none"}, "the spec has no filter 'none'"},
      {{"--by", "mutants"}, "no case is left to begin with; see --by"},
      {{"extra"}, "'extra' is no option"},
  };
  for (const auto& [arguments, message] : all) {
    EXPECT_EQ(run(arguments), 2) << message;
    EXPECT_NE(err.find(message), std::string::npos) << err;
  }
  EXPECT_EQ(run({"--plot", file("x.svg")}, "explored_crashes"), 2);
  EXPECT_NE(err.find("--plot: a picture needs inputs that are two numbers"), std::string::npos) << err;
  EXPECT_EQ(run({"--log", file("none/log.jsonl")}), 3);
  EXPECT_NE(err.find("cannot be written"), std::string::npos);
  EXPECT_EQ(run({"--plot", file("none/x.svg")}), 3);
  EXPECT_NE(err.find("cannot be written"), std::string::npos);
}

}  // namespace
}  // namespace morph::engine
