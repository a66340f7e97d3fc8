// `run --adaptive`: what it finds, how it is gone on from, and what is said of wrong arguments and specs.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "spec_example_runs.hpp"

namespace {

using namespace spec_examples;

const std::string program = MORPH_EXAMPLE_ADAPTIVE;

program_end adaptive(const std::string& options) {
  return run(".", "'" + program + "' " + options);
}
spec_report report_of(const std::string& spec, const std::string& options) {
  return run_spec(".", "'" + program + "'", spec, options);
}
std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
void write(const std::string& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
std::vector<json> rows_of(const std::string& text) {
  std::vector<json> rows;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    rows.push_back(json::parse(text.substr(begin, end - begin)));
  return rows;
}

TEST(AdaptiveRuns, AFaultInACornerIsFoundAndShownSmall) {
  const program_end ended = adaptive("--spec parcels --adaptive --steps 3000");
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.text.find("; sources mdrt, relations pbmr, seed 1"), ended.text.npos) << ended.text;
  EXPECT_NE(ended.text.find("mutant  {\"grams\":18001,\"kilometres\":801,\"express\":false}"), ended.text.npos)
      << ended.text;
  EXPECT_NE(ended.text.find("weight=heavy, way=far"), ended.text.npos) << ended.text;
  EXPECT_NE(ended.text.find("more costs no less [heavier]"), ended.text.npos) << ended.text;
}

TEST(AdaptiveRuns, EachWayOfChoosingFindsIt) {
  for (const std::string how : {"random", "art", "uniform", "drt", "mdrt", "mapt", "rapt"})
    for (const std::string relations : {"uniform", "m-amt", "pbmr"}) {
      const spec_report report =
          report_of("parcels", "--adaptive=" + how + " --relations " + relations + " --first-violation --no-shrink");
      EXPECT_EQ(report.status, 1) << how;
      const json& told = report.all["adaptive"];
      EXPECT_EQ(told["sources"], how);
      EXPECT_EQ(told["relations"], relations);
      EXPECT_EQ(told["steps"], told["f_measure"]);
      EXPECT_EQ(told["t_measure"], told["f_measure"]);
      EXPECT_EQ(told["f2_measure"], nullptr);
      EXPECT_EQ(told["violations"], 1);
      EXPECT_EQ(told["stopped_by"], "the first violation");
      EXPECT_GT(told["selection_us_per_step"], 0);
    }
}

TEST(AdaptiveRuns, AProfileThatLearnsGoesWhereViolationsAre) {
  const auto share = [](const std::string& how) {
    const json told = report_of("parcels", "--adaptive=" + how + " --steps 5000 --no-shrink").all["adaptive"];
    std::uint64_t heavy_and_far = 0;
    for (const json& each : told["partitions"])
      if (each["name"] == "weight=heavy, way=far") heavy_and_far = each["tests"];
    return heavy_and_far;
  };
  EXPECT_NEAR(static_cast<double>(share("uniform")), 1250, 120);
  EXPECT_GT(share("mdrt"), 1800u);
  EXPECT_GT(share("rapt"), 1800u);
}

TEST(AdaptiveRuns, TheLogHasARowAStep) {
  const temporary_file log;
  EXPECT_EQ(adaptive("--spec parcels --adaptive --steps 200 --no-shrink --log " + log.path()).status, 1);
  const std::vector<json> rows = rows_of(content(log.path()));
  ASSERT_EQ(rows.size(), 201u);
  EXPECT_EQ(rows[0]["seed"], 1);
  EXPECT_EQ(rows[0]["delta"], 0.0025);
  EXPECT_EQ(rows[0]["partitions"].size(), 4u);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["step"], i);
    double sum = 0;
    for (const json& each : rows[i]["profile"]) sum += each.get<double>();
    EXPECT_NEAR(sum, 1, 1e-7);
    EXPECT_EQ(rows[i]["relation"], "more costs no less");
    EXPECT_TRUE(rows[i]["verdict"] == "pass" || rows[i]["verdict"] == "fail") << rows[i];
  }
}

TEST(AdaptiveRuns, AResumedRunIsToldAsAWholeOne) {
  for (const std::string spec : {"parcels", "checked"})
    for (const std::string how : {"mdrt", "rapt", "art"}) {
      const temporary_file whole, part;
      const std::string options = "--spec " + spec + " --adaptive=" + how + " --seed 5 --no-shrink --json";
      const program_end at_once = adaptive(options + " --steps 400 --log " + whole.path());
      adaptive(options + " --steps 150 --log " + part.path());
      // Killed while it wrote a row.
      write(part.path(), content(part.path()) + content(whole.path()).substr(content(part.path()).size(), 70));
      const program_end resumed = adaptive(options + " --steps 400 --resume --log " + part.path());
      EXPECT_EQ(resumed.status, at_once.status);
      EXPECT_TRUE(content(part.path()) == content(whole.path())) << how;
      json a = json::parse(at_once.text)["specs"][0], b = json::parse(resumed.text)["specs"][0];
      EXPECT_EQ(b["adaptive"]["resumed"], 150);
      EXPECT_EQ(a["strategy"], "adaptive, sources " + how + ", relations pbmr");
      EXPECT_GT(a["runs"], 200);
      EXPECT_EQ(a["mutants"], 400);
      EXPECT_FALSE(a["violations"].empty());
      for (const char* const own : {"resumed", "selection_us_per_step", "making_us_per_step", "running_us_per_step"}) {
        a["adaptive"].erase(own);
        b["adaptive"].erase(own);
      }
      a.erase("seconds");
      b.erase("seconds");
      EXPECT_EQ(a, b) << json::diff(a, b);
    }
}

TEST(AdaptiveRuns, WhatALogDoesNotKnowIsFoundAgain) {
  const temporary_file whole, part;
  const std::string options = "--spec checked --adaptive --no-shrink --json";
  const json at_once = json::parse(adaptive(options + " --steps 60 --log " + whole.path()).text);
  std::string text = content(whole.path());
  for (std::size_t at = 0; (at = text.find(",\"others\":\"")) != text.npos;)
    text.erase(at, text.find('"', at + 12) + 1 - at);
  write(part.path(), text);
  const json resumed = json::parse(adaptive(options + " --steps 60 --resume --log " + part.path()).text);
  EXPECT_EQ(resumed["specs"][0]["adaptive"]["resumed"], 60);
  EXPECT_EQ(resumed["specs"][0]["relations"], at_once["specs"][0]["relations"]);
}

TEST(AdaptiveRuns, OnlyWhatWasLoggedIsGoneOnFrom) {
  const temporary_file log;
  const std::string options = "--spec parcels --adaptive --no-shrink --log " + log.path();
  EXPECT_EQ(adaptive(options + " --resume").text, "error: parcels: '" + log.path() + "' cannot be read\n");
  adaptive(options + " --steps 50");
  const program_end other = adaptive(options + " --resume --epsilon 0.1");
  EXPECT_EQ(other.status, 3);
  EXPECT_EQ(other.text,
            "error: parcels: " + log.path() +
                ": the log was written with epsilon 0.05, and now it is 0.1; --resume goes on with what the "
                "log says\n");
  write(log.path(), "{\"morph\":\"pool\"}\n");
  EXPECT_EQ(adaptive(options + " --resume").text,
            "error: parcels: " + log.path() + ":1: this is no log of adaptive execution\n");
}

TEST(AdaptiveRuns, AProfileIsGivenOrLearntFromALog) {
  const spec_report given =
      report_of("parcels", "--adaptive=uniform --profile 0,0,0.5,0.5 --floor 0 --steps 1000 --no-shrink");
  EXPECT_LE(given.all["adaptive"]["partitions"][0]["tests"], 1);
  EXPECT_NEAR(given.all["adaptive"]["partitions"][2]["tests"], 500, 60);

  const temporary_file log;
  const spec_report before = report_of("parcels", "--adaptive --steps 2000 --no-shrink --log " + log.path());
  const std::uint64_t all = before.all["adaptive"]["violations"];
  const spec_report after =
      report_of("parcels", "--adaptive=uniform --profile " + log.path() + " --steps 10 --no-shrink");
  for (std::size_t p = 0; p < 4; ++p) {
    const std::uint64_t here = before.all["adaptive"]["partitions"][p]["violations"];
    EXPECT_NEAR(after.all["adaptive"]["partitions"][p]["probability"],
                static_cast<double>(here + 1) / static_cast<double>(all + 4), 1e-12);
  }
}

TEST(AdaptiveRuns, AsPublishedThePunishmentIsTheRewardAndThereIsNoFloor) {
  const json told = report_of("parcels", "--adaptive --paper --epsilon 0.08 --steps 5").all["adaptive"];
  EXPECT_EQ(told["delta"], 0.08);
  EXPECT_EQ(told["floor"], 0);
  const json usual = report_of("parcels", "--adaptive --epsilon 0.08 --steps 5").all["adaptive"];
  EXPECT_EQ(usual["delta"], 0.004);
  EXPECT_EQ(usual["floor"], 0.2);
}

TEST(AdaptiveRuns, MarkovChainsTakeTheirFactors) {
  const json told =
      report_of("parcels", "--adaptive=mapt --gamma 0.4 --tau 0.3 --steps 300 --no-shrink").all["adaptive"];
  EXPECT_EQ(told["gamma"], 0.4);
  EXPECT_EQ(told["tau"], 0.3);
  const json usual = report_of("parcels", "--adaptive=mapt --steps 300 --no-shrink").all["adaptive"];
  EXPECT_EQ(usual["gamma"], 0.1);
  EXPECT_EQ(usual["tau"], 0.1);
  EXPECT_NE(usual["profile_over_time"], told["profile_over_time"]);
}

TEST(AdaptiveRuns, JsonHasTheProfileOverTimeAndTheStepsOfViolations) {
  const temporary_file log;
  const json told = report_of("parcels", "--adaptive --steps 2000 --no-shrink --log " + log.path()).all["adaptive"];
  const std::vector<json> rows = rows_of(content(log.path()));
  json violated = json::array();
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (rows[i]["verdict"] == "fail") violated.push_back(rows[i]["step"]);
  EXPECT_EQ(told["violated_at"], violated);
  const json& over_time = told["profile_over_time"];
  EXPECT_LE(over_time.size(), 513u);
  EXPECT_GT(over_time.size(), 250u);
  EXPECT_EQ(over_time.front()["step"], 0);
  EXPECT_EQ(over_time.back()["step"], 2000);
  for (const json& each : over_time) {
    if (each["step"] == 0) continue;
    EXPECT_EQ(each["profile"], rows[each["step"].get<std::size_t>()]["profile"]);
  }
}

TEST(AdaptiveRuns, AnInterruptIsALimit) {
  for (const std::string whom : {"self", "parent"}) {
    const temporary_file log, plot;
    const program_end ended = run(".", "MORPH_TEST_INTERRUPTS=" + whom + " '" + program +
                                           "' --spec interrupted --adaptive --steps 0 --max-time 10 --log " +
                                           log.path() + " --plot " + plot.path());
    EXPECT_EQ(ended.status, 3) << ended.text;
    EXPECT_NE(ended.text.find("  stopped by an interrupt\n"), ended.text.npos) << ended.text;
    EXPECT_NE(ended.text.find(", 0 violations; "), ended.text.npos) << ended.text;
    const std::size_t rows = rows_of(content(log.path())).size();
    EXPECT_GT(rows, 10u);
    EXPECT_NE(ended.text.find("error: interrupted: interrupted after " + std::to_string(rows - 1) +
                              " steps; --resume --log '" + log.path() + "' goes on\n"),
              ended.text.npos)
        << ended.text;
    EXPECT_NE(content(plot.path()).find("</svg>"), std::string::npos);
    const program_end resumed = adaptive("--spec interrupted --adaptive --steps " + std::to_string(rows + 20) +
                                         " --resume --log " + log.path());
    EXPECT_EQ(resumed.status, 0) << resumed.text;
  }
}

TEST(AdaptiveRuns, FoldersAreNoFiles) {
  const std::string start = "--spec parcels --adaptive --steps 5 ";
  const auto told = [&](const std::string& options, int status) {
    const program_end ended = adaptive(start + options);
    EXPECT_EQ(ended.status, status) << ended.text;
    return ended.text;
  };
  EXPECT_EQ(told("--profile /tmp", 2),
            "error: parcels: --profile: '/tmp' is a folder; a file of numbers or a log is wanted\n");
  EXPECT_EQ(told("--log /tmp", 3), "error: parcels: --log: '/tmp' is a folder; a file is wanted\n");
  EXPECT_EQ(told("--log /tmp --resume", 3), "error: parcels: --log: '/tmp' is a folder; a file is wanted\n");
  EXPECT_EQ(told("--plot /tmp", 3), "error: parcels: --plot: '/tmp' is a folder; a file is wanted\n");
}

TEST(AdaptiveRuns, ThePlotIsWritten) {
  const temporary_file plot;
  EXPECT_EQ(adaptive("--spec parcels --adaptive --steps 500 --no-shrink --plot " + plot.path()).status, 1);
  EXPECT_NE(content(plot.path()).find("<title>weight=heavy, way=far</title>"), std::string::npos);
}

TEST(AdaptiveRuns, CrashesAndRunsWithoutEndAreViolations) {
  const spec_report crashing = report_of("crashing", "--adaptive --steps 60 --no-shrink");
  EXPECT_EQ(crashing.status, 1) << crashing.all;
  const program_end hung = adaptive("--spec endless --adaptive --first-violation --no-shrink");
  EXPECT_EQ(hung.status, 1);
  EXPECT_NE(hung.text.find("\"every run ends\" is violated"), hung.text.npos) << hung.text;
  EXPECT_NE(hung.text.find("hung: it did not end within 0.2 s"), hung.text.npos) << hung.text;
}

TEST(AdaptiveRuns, WrongSpecsAreToldWithAnExample) {
  const auto error = [](const std::string& spec) {
    const program_end ended = adaptive("--adaptive --spec " + spec);
    EXPECT_EQ(ended.status, 2) << ended.text;
    return ended.text;
  };
  EXPECT_EQ(error("no_partitions"),
            "error: no_partitions: it has no partitions, by which --adaptive=mdrt chooses sources; declare some: "
            "s.partitions({{\"name\", predicate}, ...}) or s.category(...), or say --adaptive=random or art\n");
  EXPECT_NE(error("overlap").find(" lies in two partitions: 'even' and 'any'; let one leave out what is of the other"),
            std::string::npos);
  EXPECT_NE(error("gap").find(" lies in no partition; add one for what is left"), std::string::npos);
  EXPECT_NE(error("no_relation")
                .find("no relation applies to the partition 'odd': of 100 sources, none of the 1 "
                      "datamorphisms with relations made a follow-up, for example of 1; "),
            std::string::npos);
  const program_end far = adaptive("--adaptive=art --spec far_apart --quiet");
  EXPECT_EQ(far.status, 2);
  EXPECT_EQ(far.text.rfind("error: far_apart: the distance of ", 0), 0u) << far.text;
  EXPECT_NE(far.text.find(" threw: no way between them\n"), std::string::npos) << far.text;
  const spec_report as_json = report_of("gap", "--adaptive");
  EXPECT_NE(as_json.all.dump().find("lies in no partition"), std::string::npos) << as_json.all;
}

TEST(AdaptiveRuns, WrongArgumentsAreToldWithTheRule) {
  const auto error = [](const std::string& options) {
    const program_end ended = adaptive("--spec parcels " + options);
    EXPECT_EQ(ended.status, 2) << ended.text;
    return ended.text;
  };
  EXPECT_EQ(error("--adaptive --profile 0.5,0.2,0.1,0.1"),
            "error: parcels: --profile: the profile sums to 0.9; its numbers have to sum to 1\n");
  EXPECT_EQ(error("--adaptive --profile 0.5,0.5"),
            "error: parcels: --profile: the profile has 2 numbers, and there are 4 partitions: weight=light, way=near, "
            "weight=light, way=far, weight=heavy, way=near, weight=heavy, way=far\n");
  EXPECT_EQ(error("--adaptive --profile nowhere.txt"),
            "error: parcels: --profile: 'nowhere.txt' is no list of numbers, and no file that can be read\n");
  EXPECT_EQ(error("--steps 5"), "error: '--steps' is about adaptive execution; add --adaptive\n");
  EXPECT_EQ(error("--adaptive --test parcels.x"), "error: '--adaptive' chooses its cases itself; leave out --test\n");
  EXPECT_EQ(error("--adaptive --resume"), "error: '--resume' goes on from a log: --log FILE\n");
  EXPECT_EQ(error("--adaptive=mapt --gamma 1"), "error: gamma is 1; it has to be above 0 and below 1\n");
  EXPECT_EQ(error("--adaptive=mapt --tau 0"), "error: tau is 0; it has to be above 0 and below 1\n");
  EXPECT_EQ(error("--adaptive --epsilon 2"), "error: epsilon is 2; it has to be above 0 and below 1\n");
  EXPECT_EQ(error("--adaptive --first-violation --stop-at-violations 2"),
            "error: '--first-violation' is --stop-at-violations 1; leave one out\n");
  EXPECT_EQ(error("--adaptive=fast"),
            "error: '--adaptive': 'fast' is unknown; there are: random, art, uniform, drt, mdrt, mapt, rapt (--help "
            "tells the options)\n");
  EXPECT_NE(error("--adaptive --relations best").find("there are: uniform, m-amt, pbmr"), std::string::npos);
  EXPECT_NE(error("--adaptive --stop-at-violations 0").find("it has to be at least 1"), std::string::npos);
}

}  // namespace
