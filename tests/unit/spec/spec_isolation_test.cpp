// Programs that crash, end, hang or throw: what becomes of their cases, and who is named.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include "morph/spec.hpp"
#include "plugin/spec/engine/isolate.hpp"
#include "plugin/spec/report/report.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using morph::ended;
using morph::input_index;
using morph::engine::accident;
using morph::engine::activity;
using morph::engine::isolation;
using morph::engine::options;
using morph::engine::run_here;
using morph::engine::run_isolated;
using morph::engine::session;
using morph::engine::supervised;
using number_spec = morph::spec<int, int>;

/// Ends in all the ways there are.
int hostile(int in) {
  switch (in) {
    case 1:
      raise(SIGSEGV);
      break;
    case 2:
      abort();
    case 3:
      exit(0);
    case 4:
      _exit(7);
    case 5:
      for (;;) pause();
    case 6:
      throw std::runtime_error("six");
    case 7:
      throw 7;
    default:
      break;
  }
  return 10 * in;
}

void declare_hostile(number_spec& s) {
  s.execute(hostile);
  s.timeout(0.5);
  s.seeds("literal", {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
}

std::string how_it_ended(morph::spec_base& of, input_index in) {
  switch (of.how(0, 0, in)) {
    case ended::output:
      return of.text_of_output(0, 0, in);
    case ended::exception:
      return "exception: " + of.error(0, 0, in);
    case ended::crash:
      return "crash: " + of.error(0, 0, in);
    case ended::timeout:
      return "timeout: " + of.error(0, 0, in);
    case ended::not_run:
      break;
  }
  return "not run";
}

TEST(SpecIsolation, EachWayToEndIsAnOutcomeOfItsCase) {
  number_spec s("s");
  declare_hostile(s);
  options how;
  how.shrink = false;
  session at_work(s, how, nullptr, run_isolated);
  at_work.run();
  std::vector<std::string> ends;
  for (input_index in = 0; in < 10; ++in) ends.push_back(how_it_ended(at_work.spec(), in));
  EXPECT_EQ(ends, (std::vector<std::string>{"0", "crash: signal 11 (Segmentation fault)", "crash: signal 6 (Aborted)",
                                            "crash: it ended the process with exit status 0",
                                            "crash: it ended the process with exit status 7",
                                            "timeout: it did not end within 0.5 s", "exception: six",
                                            "exception: an exception that is no std::exception", "80", "90"}));
  EXPECT_EQ(at_work.report().tallies.back()[0].failed, 7U);
  EXPECT_EQ(at_work.report().tallies.back()[0].passed, 3U);
}

TEST(SpecIsolation, ManyRunsInBatches) {
  number_spec s("s");
  s.execute([](int in) { return in % 500 == 499 ? (abort(), 0) : in * in; });
  std::vector<int> seeds;
  for (int i = 0; i < 1000; ++i) seeds.push_back(i);
  s.seeds("numbers", seeds);
  s.relation("square", morph::seeds, [](auto& c) { return c.output == c.input * c.input; });
  options how;
  how.shrink = false;
  session at_work(s, how, nullptr, run_isolated);
  at_work.run();
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 998U);
  EXPECT_EQ(at_work.report().tallies[0][0].not_applicable, 2U);
}

TEST(SpecIsolation, OutputsOfAnySizeAndTextCross) {
  morph::spec<int, std::string> s("s");
  s.execute([](int in) { return std::string(static_cast<std::size_t>(in), '\n') + '\0' + "\xff\""; });
  s.seeds("literal", {0, 300'000});
  session at_work(s, options{}, nullptr, run_isolated);
  at_work.run();
  ASSERT_EQ(at_work.spec().how(0, 0, 1), ended::output);
  EXPECT_EQ(*morph::from_text<std::string>(at_work.spec().text_of_output(0, 0, 1)).value,
            std::string(300'000, '\n') + '\0' + "\xff\"");
}

class without_text {
 public:
  explicit without_text(std::string held) : held_(std::move(held)) {}
  bool operator==(const without_text&) const = default;

 private:
  std::string held_;
};

TEST(SpecIsolation, AnOutputWithoutTextCannotCross) {
  morph::spec<int, without_text> s("s");
  s.execute([](int) { return without_text("x"); });
  s.seeds("literal", {0});
  session inside(s, options{});
  inside.run();
  EXPECT_FALSE(inside.spec().outputs_have_text());
  EXPECT_EQ(inside.spec().how(0, 0, 0), ended::output);
  EXPECT_EQ(inside.spec().show_output(0, 0, 0), "(an output without text)");
  inside.spec().forget_run(0, 0, 0);
  session apart(s, options{}, nullptr, run_isolated);
  apart.run();
  EXPECT_EQ(how_it_ended(apart.spec(), 0),
            "exception: its output cannot be read from its text: the output type has no text or no default");
}

TEST(SpecIsolation, ShrinkingGoesOnThroughCrashes) {
  number_spec s("s");
  s.execute([](int in) { return in >= 40 ? (abort(), 0) : in; });
  s.seeds("literal", {1000});
  session at_work(s, options{}, nullptr, run_isolated);
  at_work.run();
  ASSERT_EQ(at_work.report().violations.size(), 1U);
  EXPECT_EQ(morph::engine::derivation_text(at_work, at_work.report().violations[0].how), R"({"in":40})");
}

// ---- supervised()

/// What a process says before it ends.
class page {
 public:
  void write(const std::string& text) const { folder_.write("page", text); }
  std::string text() const {
    std::ifstream file(folder_ / "page");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

 private:
  morph::test_support::temporary_folder folder_;
};

/// What became of a spec: the report, or who is named.
std::string supervised_run(morph::spec_base& spec, isolation how = isolation::automatic, options with = {}) {
  const page report;
  const int status = supervised(
      how, spec.timeout(), spec.outputs_have_text(),
      [&](activity* shown, bool isolated) {
        session at_work(spec, with, shown, isolated ? run_isolated : run_here);
        at_work.run();
        morph::engine::report_style style;
        style.quiet = true;
        report.write(morph::engine::report_text(at_work, with, style));
        return at_work.report().failed() ? 1 : 0;
      },
      [&](const accident& what) {
        const char* const kinds[] = {"starting", "seeding", "mutating", "running", "checking", "shrinking", "done"};
        report.write(std::string(kinds[what.what.what]) + " " + std::to_string(what.what.which) + ": " + what.how);
        return 9;
      },
      0.8);
  return std::to_string(status) + " " + report.text();
}

TEST(SpecIsolation, WhatHoldsIsFine) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, 2});
  EXPECT_EQ(supervised_run(s), "0 ");
  EXPECT_EQ(supervised_run(s, isolation::none), "0 ");
  EXPECT_EQ(supervised_run(s, isolation::batches), "0 ");
}

TEST(SpecIsolation, ACrashIsFoundOutWithoutBeingAskedFor) {
  number_spec s("s");
  s.execute([](int in) { return in == 3 ? (raise(SIGSEGV), 0) : in; });
  s.seeds("literal", {1, 2, 3, 4});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input && c.input != 4; });
  EXPECT_EQ(supervised_run(s),
            "1 \ns: \"same\" is violated\n"
            "  declared at " __FILE__ ":" +
                std::to_string(s.relations()[0].line) +
                "\n"
                "  source  4 -> 4   (seed \"literal\")\n"
                "  1 of 3 applicable checks fails\n"
                "\n"
                "s: \"every run ends\" is violated\n"
                "  source  3 -> crashed: signal 11 (Segmentation fault)   (seed \"literal\")\n"
                "  1 of 4 applicable checks fails\n");
}

TEST(SpecIsolation, ARunWithoutEndIsFoundOut) {
  number_spec s("s");
  s.execute([](int in) {
    while (in == 3) pause();
    return in;
  });
  s.timeout(0.5);
  s.seeds("literal", {1, 3});
  s.valid([](int x) { return x == 3; });
  EXPECT_EQ(supervised_run(s),
            "1 \ns: \"every run ends\" is violated\n"
            "  source  3 -> hung: it did not end within 0.5 s   (seed \"literal\")\n"
            "  1 of 2 applicable checks fails\n");
}

TEST(SpecIsolation, WithoutATextOfOutputsTheExecuterIsNamed) {
  morph::spec<int, without_text> s("s");
  s.execute("first", [](int) { return without_text("x"); });
  s.execute("second", [](int in) { return in == 3 ? (abort(), without_text("")) : without_text("x"); });
  s.seeds("literal", {1, 3});
  EXPECT_EQ(supervised_run(s), "9 running 1: signal 6 (Aborted)");
}

TEST(SpecIsolation, ADatamorphismWithoutEndIsNamed) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.timeout(0.5);
  s.seeds("literal", {1, 3});
  s.datamorph("fine", [](int x) { return x; });
  s.datamorph("endless", [](int x) {
    while (x == 3) pause();
    return x;
  });
  EXPECT_EQ(supervised_run(s), "9 mutating 1: it did not end within 0.8 s");
}

TEST(SpecIsolation, ARelationThatCrashesIsNamed) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, 3});
  s.relation("fine", morph::seeds, [](auto&) { return true; });
  s.relation("fatal", morph::seeds, [](auto& c) { return c.input == 3 ? (abort(), true) : true; });
  EXPECT_EQ(supervised_run(s), "9 checking 1: signal 6 (Aborted)");
}

TEST(SpecIsolation, WhatStoppedIsNamedWithWhatToDo) {
  number_spec s("s");
  s.execute("old", [](int in) { return in; });
  s.seeds("literal", {1});
  s.datamorph("fine", [](int x) { return x; });
  const auto endless = s.datamorph("endless", [](int x) { return x; });
  s.relation("first", morph::seeds, [](auto&) { return true; });
  s.relation("second", endless, [](auto&, auto&) { return true; });
  const auto text = [&](activity::kind kind, std::uint32_t which) {
    accident what{activity{}, "it did not end within 10 s"};
    what.what.what = kind;
    what.what.which = which;
    return morph::engine::stopped_at(s, what);
  };
  EXPECT_EQ(text(activity::seeding, 0), "s: the seeds 'literal' could not be made: it did not end within 10 s");
  EXPECT_EQ(
      text(activity::mutating, 1),
      "s: the datamorphism 'endless' did not come back: it did not end within 10 s; a datamorphism has to end for "
      "every input, and gives std::nullopt where it does not apply");
  EXPECT_EQ(text(activity::checking, 1), "s: the relation 'second' did not come back: it did not end within 10 s");
  EXPECT_EQ(text(activity::running, 0),
            "s: the executer 'old' did not come back: it did not end within 10 s; its output type has no text or no "
            "default, so that its runs cannot be told apart by processes: write morph_save() and morph_load() for it, "
            "and the run that fails is named");
  EXPECT_EQ(text(activity::starting, 0), "s: the run ended early: it did not end within 10 s");
}

// ---- samples of statistical relations

/// The nth run of a process, and what it does: crashes at the 50th, which is one of the samples.
int sometimes(int in) {
  static int runs = 0;
  if (++runs == 50) abort();
  return in;
}

TEST(SpecIsolation, ACrashAmongSamplesIsAViolationBesideOthers) {
  number_spec s("s");
  s.execute(sometimes);
  s.seeds("literal", {1});
  const auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  s.statistical_relation("mean", twice, 30, [](auto&, auto&) { return true; });
  s.relation("less", twice, [](auto& m, auto& o) { return m.output < o.output; });
  options how;
  how.shrink = false;
  const std::string text = supervised_run(s, isolation::automatic, how);
  EXPECT_EQ(text.substr(0, 2), "1 ") << text;
  EXPECT_NE(text.find("s: \"mean\" is violated by twice\n"), text.npos) << text;
  EXPECT_NE(text.find("  run 20 of 30 on 1 crashed: signal 6 (Aborted)\n"), text.npos) << text;
  EXPECT_NE(text.find("s: \"less\" is violated by twice\n"), text.npos) << text;
}

TEST(SpecIsolation, ARunWithoutEndAmongSamplesIsAViolation) {
  number_spec s("s");
  s.execute([](int in) {
    static int runs = 0;
    while (++runs > 40) pause();
    return in;
  });
  s.timeout(0.3);
  s.seeds("literal", {1});
  const auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  s.statistical_relation("mean", twice, 30, [](auto&, auto&) { return true; });
  options how;
  how.shrink = false;
  const std::string text = supervised_run(s, isolation::automatic, how);
  EXPECT_NE(text.find("  run 11 of 30 on 1 hung: it did not end within 0.3 s\n"), text.npos) << text;
}

TEST(SpecIsolation, SamplesOfOtherProcessesAreThoseOfThisOne) {
  number_spec s("s");
  s.execute([](int in) {
    static int runs = 0;
    return 1000 * in + ++runs % 3;
  });
  s.seeds("literal", {1});
  const auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  using samples = std::vector<int>;
  s.statistical_relation("all of them", twice, 3, [](const samples& mutant, const samples& origin) {
    std::vector<int> sorted = mutant;
    std::sort(sorted.begin(), sorted.end());
    return sorted == samples{2000, 2001, 2002} && origin.size() == 3 && origin[0] / 1000 == 1;
  });
  EXPECT_EQ(supervised_run(s), "0 ");
  EXPECT_EQ(supervised_run(s, isolation::batches), "0 ");
}

TEST(SpecIsolation, AStatisticalRelationThatCrashesIsNamed) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {1});
  const auto twice = s.datamorph("twice", [](int x) { return 2 * x; });
  s.statistical_relation("fatal", twice, 3, [](auto&, auto&) { return abort(), true; });
  EXPECT_EQ(supervised_run(s), "9 checking 0: signal 6 (Aborted)");
}

TEST(SpecIsolation, SeedsThatEndTheProcessAreNamed) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("fine", {1});
  s.seeds("fatal", []() -> std::vector<int> { exit(0); });
  EXPECT_EQ(supervised_run(s), "9 seeding 1: it ended the process with exit status 0");
}

TEST(SpecIsolation, ADatamorphismThatCrashesOnSmallerInputsLeavesTheViolationAsItWas) {
  number_spec s("s");
  s.execute([](int in) { return in; });
  s.seeds("literal", {50});
  auto part = s.datamorph("part", [](int x) { return x == 0 ? (raise(SIGFPE), 0) : 1000 / x; });
  s.relation("never", part, [](auto&, auto&) { return false; });
  const std::string text = supervised_run(s);
  EXPECT_NE(text.find("1 \ns: \"never\" is violated by part\n"), text.npos) << text;
  EXPECT_NE(text.find("  mutant  20 -> 20   (by part)\n"), text.npos) << text;
  EXPECT_NE(text.find("  not shrunk: smaller inputs ended the process, or did not come back\n"), text.npos) << text;
}

TEST(SpecIsolation, ARelationWithoutEndOnSmallerInputsDoesNotHangEither) {
  number_spec s("s");
  s.execute([](int in) { return in >= 40 ? (abort(), 0) : in; });
  s.timeout(0.5);
  s.seeds("literal", {3, 5});
  s.relation("never", morph::seeds, [](auto& c) {
    while (c.input == 0) pause();
    return false;
  });
  const std::string text = supervised_run(s, isolation::batches);
  EXPECT_NE(text.find("  source  3 -> 3   (seed \"literal\")\n"), text.npos) << text;
  EXPECT_NE(text.find("  not shrunk: "), text.npos) << text;
}

}  // namespace
