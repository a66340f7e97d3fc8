// Saved pools: written and read back, edited, cut off, foreign; and the activities on them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "morph/morph.hpp"
#include "plugin/spec/engine/pool_file.hpp"
#include "plugin/spec/program/activities.hpp"
#include "plugin/spec/report/analysers.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::engine {
namespace {
using nlohmann::json;

struct side {
  int length = 0;
  bool operator==(const side&) const = default;
};

/// Squares of sides; the second executer is wrong beyond 3.
void declare(morph::spec<side, int>& s) {
  s.execute("right", [](const side& in) { return in.length * in.length; });
  s.execute("wrong", [](const side& in) {
    if (in.length == 5) throw std::runtime_error("no five");
    return in.length > 3 ? 0 : in.length * in.length;
  });
  s.seeds("labelled", {{side{2}, 4}, {side{3}, 9}});
  auto twice = s.datamorph("twice", [](side in) { return side{2 * in.length}; });
  s.relation("four times the area", twice, [](auto& m, auto& o) { return m.output == 4 * o.output; });
  auto sum = s.datamorph("sum", [](const side& a, const side& b) { return side{a.length + b.length}; });
  s.relation(
      "more", sum, [](auto&, auto& a, auto&) { return a.input.length > 2; },
      [](auto& m, auto& a, auto& b) { return m.output > a.output + b.output; });
  s.case_metric("length", [](auto& c) { return c.input.length; });
  s.case_filter("long", [](auto& c) { return c.input.length > 4; });
  s.set_metric("cases", [](auto& pool) { return static_cast<double>(pool.size()); });
  s.set_filter("first two", [](auto&) { return std::vector<morph::case_index>{0, 1}; });
  s.analyser("size", [](auto& pool) { return "there are " + std::to_string(pool.size()); });
}

MORPH_SPEC(sides, side, int, s) {
  declare(s);
}

MORPH_SPEC(odd_sides, side, int, s) {
  declare(s);
  s.case_metric("odd", [](auto& c) { return c.input.length == 3 ? std::nan("") : 1.0 * c.input.length; });
  s.case_metric("endless", [](auto& c) { return c.input.length == 3 ? INFINITY : 1.0 * c.input.length; });
}
MORPH_SPEC(sides_without_mean, side, int, s) {
  declare(s);
  s.set_metric("mean of none", [](auto&) { return std::nan(""); });
}
MORPH_SPEC(sides_without_distance, side, int, s) {
  declare(s);
  s.distance_by([](const side& a, const side& b) { return a == b ? 0 : std::nan(""); });
}

class spec_pool_files : public ::testing::Test {
 protected:
  std::string file(const std::string& name = "pool.jsonl") const { return (folder.path() / name).string(); }
  std::string read(const std::string& name = "pool.jsonl") const {
    std::ostringstream text;
    text << std::ifstream(file(name)).rdbuf();
    return text.str();
  }
  void write(const std::string& text, const std::string& name = "pool.jsonl") const {
    std::ofstream(file(name)) << text;
  }

  int run(std::vector<std::string> arguments, const std::string& spec = "sides") {
    if (arguments.size() == 1) arguments.insert(arguments.end(), {"--pool", file()});
    arguments.insert(arguments.end(), {"--spec", spec});
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    const int status = run_activity(arguments, "sides");
    out = ::testing::internal::GetCapturedStdout();
    err = ::testing::internal::GetCapturedStderr();
    return status;
  }
  void make_pool() {
    ASSERT_EQ(run({"seed"}), 0) << err;
    ASSERT_EQ(run({"mutate"}), 0) << err;
    ASSERT_EQ(run({"check"}), 1) << err;  // the second executer is wrong
  }
  json line(std::size_t number) const {
    std::istringstream text(read());
    std::string each;
    for (std::size_t i = 0; i <= number; ++i) std::getline(text, each);
    return json::parse(each);
  }

  morph::test_support::temporary_folder folder;
  std::string out, err;
};

TEST_F(spec_pool_files, hold_a_case_a_line) {
  make_pool();
  EXPECT_EQ(line(0), json::parse(R"({"morph":"pool","version":1,"spec":"sides"})"));
  EXPECT_EQ(line(1)["by"], "labelled");
  EXPECT_EQ(line(1)["in"], json::parse("[2]"));
  EXPECT_EQ(line(1)["expected"], 4);
  // twice(2), twice(3), sum(2, 3), sum(3, 2)
  EXPECT_EQ(line(4)["by"], "twice");
  EXPECT_EQ(line(4)["from"], json({line(2)["id"]}));
  EXPECT_EQ(line(4)["runs"][0],
            json::parse(R"({"executer":"right","out":36,"verdicts":{"four times the area":"pass"}})"));
  EXPECT_EQ(line(4)["runs"][1],
            json::parse(R"({"executer":"wrong","out":0,"verdicts":{"four times the area":"fail"}})"));
  EXPECT_EQ(line(5)["runs"][1]["how"], "exception");
  EXPECT_EQ(line(5)["runs"][1]["error"], "no five");
  EXPECT_EQ(line(5)["runs"][0]["verdicts"], json::parse(R"({"more":"n/a"})"));
}

TEST_F(spec_pool_files, of_which_a_metric_is_no_number_say_so) {
  ASSERT_EQ(run({"seed"}, "sides_without_mean"), 0) << err;
  const std::string wrong = "the metric 'mean of none' of the pool of 2 cases is not a number";
  EXPECT_EQ(run({"measure"}, "sides_without_mean"), 2);
  EXPECT_NE(err.find(wrong), std::string::npos) << err;
  EXPECT_EQ(out, "");
  EXPECT_EQ(run({"measure", "--pool", file(), "--json"}, "sides_without_mean"), 2);
  const json told = json::parse(out, nullptr, false);
  EXPECT_EQ(told["schema"], "morph.error/1") << out;
  EXPECT_NE(told["errors"][0].get<std::string>().find(wrong), std::string::npos) << out;

  ASSERT_EQ(run({"seed", "--pool", file("b"), "--new"}, "sides_without_distance"), 0) << err;
  EXPECT_EQ(run({"measure", "--pool", file("b")}, "sides_without_distance"), 2);
  EXPECT_NE(err.find("the metric 'diversity' of the pool of 2 cases is not a number: the distance of the cases "),
            std::string::npos)
      << err;
  EXPECT_NE(err.find(" is not a number; mend distance_by()"), std::string::npos) << err;

  ASSERT_EQ(run({"seed", "--pool", file("c"), "--new"}, "odd_sides"), 0) << err;
  EXPECT_EQ(run({"show", "--pool", file("c"), "--sort", "odd"}, "odd_sides"), 2);
  EXPECT_NE(err.find("--sort: the metric 'odd' of the case "), std::string::npos) << err;
  EXPECT_NE(err.find(" is not a number, so that it has no place in an order"), std::string::npos) << err;
  EXPECT_EQ(run({"show", "--pool", file("c"), "--sort", "endless"}, "odd_sides"), 0);
  EXPECT_EQ(run({"show", "--pool", file("c"), "--sort", "length"}, "odd_sides"), 0);
}

TEST_F(spec_pool_files, are_written_as_they_were_read) {
  make_pool();
  const std::string before = read();
  morph::spec<side, int> spec("sides");
  declare(spec);
  session cases(spec, {});
  verdict_table verdicts;
  const loaded_pool found = load_pool(cases, verdicts, file());
  EXPECT_EQ(found.error, "");
  EXPECT_TRUE(found.warnings.empty());
  EXPECT_EQ(cases.cases().size(), 6U);
  EXPECT_EQ(save_pool(cases, verdicts, file("again.jsonl")), "");
  EXPECT_EQ(read("again.jsonl"), before);
}

TEST_F(spec_pool_files, of_another_version_are_refused) {
  write("{\"morph\":\"pool\",\"version\":2,\"spec\":\"sides\"}\n");
  EXPECT_EQ(run({"show"}), 3);
  EXPECT_NE(err.find("pool.jsonl:1: the pool has version 2; this Morph reads version 1"), std::string::npos) << err;
}

TEST_F(spec_pool_files, of_another_spec_are_refused) {
  write("{\"morph\":\"pool\",\"version\":1,\"spec\":\"circles\"}\n");
  EXPECT_EQ(run({"show"}), 3);
  EXPECT_NE(err.find("the pool is of the spec 'circles', not of 'sides'"), std::string::npos) << err;
}

TEST_F(spec_pool_files, with_unknown_fields_are_refused) {
  write("{\"in\":[1],\"weight\":3}\n");
  EXPECT_EQ(run({"show"}), 3);
  EXPECT_NE(err.find("pool.jsonl:1: the field 'weight' is unknown; this version knows id, by, from, in"),
            std::string::npos)
      << err;
  write("{\"in\":[1],\"runs\":[{\"executer\":\"right\",\"speed\":3}]}\n");
  EXPECT_EQ(run({"show"}), 3);
  EXPECT_NE(err.find("a run has no field 'speed'"), std::string::npos) << err;
}

TEST_F(spec_pool_files, with_a_line_cut_in_half_say_which_and_stay_as_they_are) {
  make_pool();
  const std::string cut = read().substr(0, read().size() - 20);
  write(cut);
  EXPECT_EQ(run({"mutate"}), 3);
  EXPECT_NE(err.find("pool.jsonl:7: the line is cut off"), std::string::npos) << err;
  EXPECT_NE(err.find("Remove the line to go on with the 5 cases before it"), std::string::npos) << err;
  EXPECT_EQ(read(), cut);
}

TEST_F(spec_pool_files, say_what_is_wrong_with_a_case) {
  const auto said = [&](const std::string& text) {
    write(text + "\n");
    EXPECT_EQ(run({"show"}), 3) << text;
    return err;
  };
  EXPECT_NE(said(R"({"by":"labelled"})").find("'in', the input, is missing"), std::string::npos) << err;
  EXPECT_NE(said(R"({"in":["x"]})").find("'in' is no input of this spec"), std::string::npos) << err;
  EXPECT_NE(said(R"({"in":[1],"by":"twice","from":["00"]})").find("the origin '00' is not in the pool"),
            std::string::npos)
      << err;
  EXPECT_NE(said("{\"id\":\"a\",\"in\":[1]}\n{\"in\":[2],\"by\":\"thrice\",\"from\":[\"a\"]}")
                .find(":2: the spec has no datamorphism 'thrice'"),
            std::string::npos)
      << err;
  EXPECT_NE(said("{\"id\":\"a\",\"in\":[1]}\n{\"in\":[2],\"by\":\"sum\",\"from\":[\"a\"]}")
                .find("the datamorphism 'sum' takes 2 origins, not 1"),
            std::string::npos)
      << err;
  EXPECT_NE(said(R"({"in":[1],"expected":"x"})").find("'expected' is no output of this spec"), std::string::npos)
      << err;
}

TEST_F(spec_pool_files, whose_cases_were_edited_drop_their_runs) {
  make_pool();
  std::string text = read();
  const std::size_t at = text.find("\"in\":[2]");
  text.replace(at, 8, "\"in\":[7]");
  write(text);
  EXPECT_EQ(run({"show"}), 0) << err;
  // Itself, and what was made of it, whose origin it was.
  EXPECT_NE(err.find("4 cases were edited; their runs and verdicts are dropped"), std::string::npos) << err;
}

TEST_F(spec_pool_files, tell_which_runs_and_verdicts_the_spec_no_longer_has) {
  write(R"({"in":[2],"runs":[{"executer":"old","out":4},{"executer":"right","out":4,"verdicts":{"gone":"pass"}}]})"
        "\n");
  EXPECT_EQ(run({"show"}), 0);
  EXPECT_NE(err.find("runs of the executer 'old', which the spec does not have, are dropped"), std::string::npos)
      << err;
  EXPECT_NE(err.find("verdicts of the relation 'gone', which the spec does not have, are dropped"), std::string::npos);
}

TEST_F(spec_pool_files, grow_by_seeds_and_mutants_and_lose_equal_ones) {
  EXPECT_EQ(run({"seed"}), 0);
  EXPECT_EQ(out, "2 seeds added, 2 cases in the pool\n");
  EXPECT_EQ(run({"seed"}), 0);
  EXPECT_EQ(out, "0 seeds added, 2 cases in the pool\n");
  EXPECT_EQ(run({"mutate", "--pool", file(), "--datamorphism", "twice"}), 0);
  EXPECT_EQ(out, "2 mutants added, 4 cases in the pool\n");
  EXPECT_EQ(run({"mutate", "--pool", file(), "--datamorphism", "twice"}), 0);
  EXPECT_EQ(out, "2 mutants added, 6 cases in the pool\n");
  EXPECT_EQ(run({"execute"}), 0);
  EXPECT_EQ(out, "12 runs\n");  // 2, 3, 4, 6, 8 and 12, by two executers
}

TEST_F(spec_pool_files, are_checked) {
  make_pool();
  EXPECT_NE(out.find("\"four times the area\" is violated by twice, executer wrong"), std::string::npos) << out;
  EXPECT_EQ(run({"check", "--pool", file(), "--relation", "four time the area"}), 2);
  EXPECT_NE(err.find("did you mean 'four times the area'?"), std::string::npos) << err;
}

TEST_F(spec_pool_files, are_measured) {
  make_pool();
  EXPECT_EQ(run({"measure", "--pool", file(), "--json"}), 0) << err;
  const json found = json::parse(out);
  EXPECT_EQ(found["cases"], 6);
  EXPECT_EQ(found["relation coverage"], 1.0);
  // 2, 3, 4, 6, 5, 5: 1 + 1 + 1 + 1 + 0 + 0
  EXPECT_DOUBLE_EQ(found["diversity"].get<double>(), 4.0 / 6);
}

TEST_F(spec_pool_files, of_many_cases_have_a_diversity_too) {
  std::string text = R"({"morph":"pool","version":1,"spec":"sides"})"
                     "\n";
  for (int i = 0; i < 10'000; ++i) text += R"({"in":[)" + std::to_string(3 * i) + "]}\n";
  write(text);
  EXPECT_EQ(run({"measure", "--pool", file(), "--json"}), 0) << err;
  EXPECT_DOUBLE_EQ(json::parse(out)["diversity"].get<double>(), 3);
}

TEST_F(spec_pool_files, are_merged_by_putting_one_behind_the_other) {
  write("{\"morph\":\"pool\",\"version\":1,\"spec\":\"sides\"}\n{\"in\":[7]}\n{\"in\":[8]}\n");
  const std::string one = read();
  write(one + "{\"morph\":\"pool\",\"version\":1,\"spec\":\"sides\"}\n{\"in\":[8]}\n{\"in\":[9]}\n");
  EXPECT_EQ(run({"measure", "--pool", file(), "--json"}), 0) << err;
  EXPECT_EQ(json::parse(out)["cases"], 3);
}

TEST_F(spec_pool_files, are_filtered_with_what_others_were_made_of) {
  make_pool();
  EXPECT_EQ(run({"filter", "--pool", file(), "--by", "long", "--out", file("long.jsonl")}), 0) << err;
  EXPECT_EQ(out, "5 cases of 6 stay; 2 of them because others were made of them\n");
  EXPECT_EQ(run({"filter", "--pool", file(), "--by", "first two", "--out", file("two.jsonl")}), 0) << err;
  EXPECT_EQ(out, "2 cases of 6 stay\n");
  EXPECT_EQ(run({"filter", "--pool", file(), "--by", "failed", "--executer", "right", "--out", file("none.jsonl")}), 0);
  EXPECT_EQ(out, "0 cases of 6 stay\n");
  // A case takes along what was made of it.
  EXPECT_EQ(run({"filter", "--pool", file(), "--id", line(1)["id"], "--remove"}), 0) << err;
  EXPECT_EQ(out, "2 cases of 6 stay\n");
  EXPECT_EQ(run({"filter", "--pool", file(), "--by", "short"}), 2);
  EXPECT_NE(err.find("the spec has no filter 'short'"), std::string::npos);
}

TEST_F(spec_pool_files, are_shown_as_a_table_by_a_metric) {
  make_pool();
  EXPECT_EQ(run({"show", "--pool", file(), "--sort", "length", "--descending", "--json"}), 0) << err;
  std::vector<int> lengths;
  std::istringstream lines(out);
  for (std::string each; std::getline(lines, each);) lengths.push_back(json::parse(each)["metrics"]["length"]);
  EXPECT_EQ(lengths, (std::vector<int>{6, 5, 5, 4, 3, 2}));
  EXPECT_EQ(run({"show", "--pool", file(), "--rows", "2"}), 0);
  EXPECT_NE(out.find("... and 4 more (--rows N)"), std::string::npos) << out;
  EXPECT_EQ(run({"show", "--pool", file(), "--tree", line(5)["id"]}), 0) << err;
  EXPECT_EQ(out, "sum  {\"length\":5} -> 25  [" + std::string(line(5)["id"]) +
                     "]\n|- labelled  {\"length\":2} -> 4  [" + std::string(line(1)["id"]) +
                     "]\n`- labelled  {\"length\":3} -> 9  [" + std::string(line(2)["id"]) + "]\n");
}

TEST_F(spec_pool_files, are_edited_and_kept_only_if_they_can_be_read) {
  make_pool();
  const std::string before = read();
  ::setenv("EDITOR", "sed -i 's/\"in\":\\[2\\]/\"in\":[x]/'", 1);
  EXPECT_EQ(run({"edit"}), 2);
  EXPECT_EQ(read(), before);
  EXPECT_NE(err.find("what was edited is still in"), std::string::npos) << err;
  ::setenv("EDITOR", "sed -i '$a {\"in\":[9]}'", 1);
  EXPECT_EQ(run({"edit"}), 0) << err;
  EXPECT_EQ(out, "7 cases in the pool\n");
  ::setenv("EDITOR", "false", 1);
  EXPECT_EQ(run({"edit"}), 3);
  ::unsetenv("EDITOR");
  EXPECT_EQ(run({"edit"}), 3);
  EXPECT_NE(err.find("set EDITOR"), std::string::npos);
}

TEST_F(spec_pool_files, are_analysed) {
  make_pool();
  EXPECT_EQ(run({"analyse", "--pool", file(), "--json", "--executer", "wrong"}), 0) << err;
  const json found = json::parse(out)["analyses"];
  ASSERT_EQ(found.size(), 4U);
  EXPECT_EQ(found[0]["rows"][1], json({"twice", 2, 0, 2, 0}));
  EXPECT_EQ(found[2]["columns"], json({"made by", "cases", "mean"}));
  EXPECT_EQ(found[2]["rows"][0], json({"labelled", 2, 6.5}));  // of 4 and 9
  EXPECT_EQ(found[3]["text"], "there are 6");
  EXPECT_EQ(run({"analyse", "--pool", file(), "--executer", "wrong", "--format", "html", "--out", file("page.html")}),
            0);
  const std::string page = read("page.html"), mark = "<script type=\"application/json\" id=\"data\">";
  const std::size_t begin = page.find(mark) + mark.size();
  const json data = json::parse(page.substr(begin, page.find("</script>", begin) - begin));
  EXPECT_EQ(data["screens"], json({"analysis"}));
  const json shown = json::parse(data["documents"][0]["output"].get<std::string>());
  EXPECT_EQ(shown["analyses"], found);
}

TEST(Analyses, AreJsonWhateverCasesAreCalled) {
  const std::vector<std::string> cells{"007", "inf", "nan", ".5", "5.", "-", "", "0", "-0.25", "1e-7", "10", "-.5"};
  const json row = json::parse(as_json({{"t", {"name"}, {cells}, ""}}))["analyses"][0]["rows"][0];
  EXPECT_EQ(row, json({"007", "inf", "nan", ".5", "5.", "-", "", 0, -0.25, 1e-7, 10, "-.5"}));
}

TEST_F(spec_pool_files, need_a_file_that_is_there) {
  EXPECT_EQ(run({"show", "--pool", file("other.jsonl")}), 3);
  EXPECT_NE(err.find("cannot be read: No such file"), std::string::npos) << err;
  EXPECT_EQ(run({"show", "--rows", "3"}), 2);
  EXPECT_NE(err.find("show needs --pool FILE"), std::string::npos) << err;
  EXPECT_EQ(run({"seed", "--pool", file(), "--seeds", "labeled"}), 2);
  EXPECT_NE(err.find("did you mean 'labelled'?"), std::string::npos) << err;
}

TEST(SpecAnalyses, AsText) {
  EXPECT_EQ(as_text({{"title", {"name", "n"}, {{"a", "10"}, {"bc", "2"}}, ""}}),
            "title\n  name   n\n  a     10\n  bc     2\n");
}

}  // namespace
}  // namespace morph::engine
