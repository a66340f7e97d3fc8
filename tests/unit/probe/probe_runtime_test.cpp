// What a process enters is recorded, whatever it does, and does no harm to it.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <fstream>
#include <map>

#include "coverage/probe/table.hpp"
#include "tests/unit/probe/probed_run.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::probe::tests {
namespace {

namespace fs = std::filesystem;
using names = std::set<std::string>;

const fs::path programs = PROGRAMS;

/// The program of hazards, compiled in one way.
class Probes : public ::testing::TestWithParam<std::string> {
 protected:
  Probes() : probed_(folder_.path()), program_(programs / ("probe_hazards_" + GetParam())) {
    probed_.add_table(program_);
    probed_.add_table(programs / "probe_helper");
    probed_.add_table(programs / "libprobe_plugin.so");
  }

  /// As it ends without probes, and no function that it cannot have entered.
  probed_run run(const std::string& arguments) {
    const std::string command = program_.string() + " " + arguments + " 2>/dev/null";
    probed_run found = probed_.run(command);
    EXPECT_EQ(found.exit, plain_exit(command)) << arguments;
    EXPECT_FALSE(found.entered.contains("never_called")) << arguments;
    EXPECT_FALSE(found.entered.contains("never_called_of_plugin")) << arguments;
    return found;
  }

  void expect(const std::string& arguments, const names& entered) {
    const probed_run found = run(arguments);
    EXPECT_EQ(found.incomplete, "") << arguments;
    for (const std::string& name : entered) EXPECT_TRUE(found.entered.contains(name)) << arguments << ": " << name;
  }

  morph::test_support::temporary_folder folder_;
  probed_programs probed_;
  fs::path program_;
};

TEST_P(Probes, OfThreadsThatRace) {
  for (int i = 0; i < 10; ++i) {
    const probed_run found = run("threads");
    EXPECT_EQ(std::ranges::count_if(found.entered,
                                    [](const auto& name) { return name.find("threads_racer") != std::string::npos; }),
              200);
    EXPECT_EQ(found.incomplete, "");
  }
}

TEST_P(Probes, OfChildren) {
  expect("children", {"children_of_fork", "children_of_vfork"});
}

TEST_P(Probes, OfProgramsThatAreExecutedWhateverTheirEnvironment) {
  for (int way = 0; way < 10; ++way) expect("execute " + std::to_string(way), {"helper_called"});
}

TEST_P(Probes, OfAStaticProgramAreMissing) {
  EXPECT_EQ(run("execute 10").incomplete,
            "a static program was executed: " + (programs / "probe_helper_static").string() + "\n");
}

TEST_P(Probes, OfLibrariesThatAreLoadedLater) {
  expect("load", {"plugin_constructed", "plugin_called"});
  expect("load_apart", {"plugin_constructed", "plugin_called"});
  expect("load_twice", {"plugin_constructed", "plugin_called", "plugin_called_later"});
}

TEST_P(Probes, BesideAHandlerOfTheSameSignal) {
  expect("trap", {"handler_of_trap"});
}

TEST_P(Probes, WhereAllSignalsAreBlocked) {
  expect("masks", {"masks_handler", "masks_timer", "masks_thread"});
}

TEST_P(Probes, KeepArgumentsAndWaysOut) {
  expect("ways", {"ways_throw", "ways_between", "ways_jump", "ways_numbers", "ways_many"});
}

TEST_P(Probes, OfAProcessThatEndsUnexpectedly) {
  for (const char* const way : {"segv", "abort", "kill", "_exit", "quick"})
    EXPECT_EQ(run(std::string("end ") + way).incomplete, "") << way;
}

TEST_P(Probes, OfAProgramThatProtectsItsOwnCode) {
  expect("protect", {"protects_first", "protects_second"});
  for (const char* const way : {"map", "move"}) {
    const probed_run found = run(std::string("protect ") + way);
    EXPECT_EQ(found.incomplete, "memory of its own code was mapped anew\n") << way;
    EXPECT_TRUE(found.entered.contains("protects_copied")) << way;
  }
}

TEST_P(Probes, OfAProgramThatUnmapsALibrary) {
  const probed_run found = run("unmap");
  EXPECT_EQ(found.exit, 6);
  EXPECT_EQ(found.incomplete, "memory of its own code was mapped anew\n");
  EXPECT_TRUE(found.entered.contains("protects_first"));
}

TEST_P(Probes, WhereCodeMayNotBeWrittenToAreGivenUp) {
  constexpr int get_mdwe = 66;
  if (::prctl(get_mdwe, 0, 0, 0, 0) < 0) GTEST_SKIP() << "not run: this kernel has no PR_SET_MDWE";
  const probed_run found = run("forbid");
  EXPECT_EQ(found.incomplete, "the kernel forbids code that can be written to\n");
  EXPECT_TRUE(found.entered.contains("protects_first"));
  const std::string executed = run("forbid execute").incomplete;
  EXPECT_NE(executed.find("its text cannot be replaced: "), std::string::npos) << executed;
}

TEST_P(Probes, AreGivenUpWhereNoneSurvives) {
  EXPECT_EQ(run("give_up seccomp").incomplete, "prctl(PR_SET_SECCOMP)\n");
  EXPECT_EQ(run("give_up ptrace").incomplete, "ptrace()\n");
}

TEST_P(Probes, OfCodeThatRunsBeforeConstructors) {
  expect("early", {"early_of_resolver", "early_preinit", "early_target"});
}

INSTANTIATE_TEST_SUITE_P(All, Probes, ::testing::Values("O0_fixed", "O2_pie", "Os_pie", "O2_lto"),
                         [](const auto& tested) { return tested.param; });

class ProbesOfAProgram : public ::testing::Test {
 protected:
  ProbesOfAProgram() : probed_(folder_.path()) {}

  morph::test_support::temporary_folder folder_;
  probed_programs probed_;
  const fs::path helper_ = programs / "probe_helper";
};

TEST_F(ProbesOfAProgram, WithoutATableAreMissing) {
  EXPECT_EQ(probed_.run(helper_).incomplete, "no table of probes: " + helper_.string() + "\n");
  EXPECT_EQ(probed_.run("true").incomplete, "");
}

TEST_F(ProbesOfAProgram, WithADamagedTableAreMissing) {
  probed_.add_table(helper_);
  fs::resize_file(probed_.table_of(helper_), fs::file_size(probed_.table_of(helper_)) - 1);
  const probed_run found = probed_.run(helper_);
  EXPECT_EQ(found.exit, 42);
  EXPECT_TRUE(found.incomplete.starts_with("a damaged table of probes: ")) << found.incomplete;
}

// What else may be damaged is found by who makes tables: a check sum of all of it.
TEST_F(ProbesOfAProgram, WithATableOfOtherSizesAreMissing) {
  probed_.add_table(helper_);
  const std::string whole = contents(probed_.table_of(helper_));
  using morph_probe::table_header;
  for (std::size_t at = 0; at < offsetof(table_header, slot); ++at) {
    if (at >= offsetof(table_header, flags) && at < offsetof(table_header, text_size)) continue;
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    std::ofstream(probed_.table_of(helper_), std::ios::binary) << damaged;
    const probed_run found = probed_.run(helper_);
    EXPECT_EQ(found.exit, 42) << at;
    EXPECT_NE(found.incomplete, "") << at;
  }
}

TEST_F(ProbesOfAProgram, OfAGreatManyProcessesHaveARowOfTheSameSize) {
  probed_.add_table(helper_);
  const auto size_of_row = [&](int processes) {
    const std::string command = "sh -c 'for i in $(seq " + std::to_string(processes) + "); do " + helper_.string() +
                                "; " + (programs / "probe_helper_static").string() + "; done; true'";
    EXPECT_EQ(probed_.run(command).exit, 0);
    return fs::file_size(folder_.path() / "row" / "variables");
  };
  EXPECT_EQ(size_of_row(20), size_of_row(1));
}

TEST_F(ProbesOfAProgram, WithTheTableOfAnotherAreMissing) {
  probed_.add_table(helper_);
  const auto other = make_table(contents(programs / "probe_hazards_O2_pie"), "other");
  std::ofstream(probed_.table_of(helper_), std::ios::binary) << other->bytes;
  const probed_run found = probed_.run(helper_);
  EXPECT_EQ(found.exit, 42);
  EXPECT_TRUE(found.incomplete.starts_with("it was replaced while it ran: ")) << found.incomplete;
}

TEST_F(ProbesOfAProgram, WhoseRowHasNoPlaceAreMissing) {
  probed_.add_table(helper_);
  const probed_run found = probed_.run(helper_, "MORPH_PROBES_ROW=/nowhere/row");
  EXPECT_EQ(found.exit, 42);
  EXPECT_TRUE(found.entered.empty());
}

TEST_F(ProbesOfAProgram, ThatADebuggerHasAreMissing) {
  if (std::system("gdb --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "gdb is not installed";
  probed_.add_table(helper_);
  const probed_run found = probed_.run(
      "gdb -q -batch -ex 'set environment LD_PRELOAD " RUNTIME "' -ex run " + helper_.string() + " >/dev/null 2>&1",
      "LD_PRELOAD=");
  EXPECT_NE(found.incomplete.find("a debugger\n"), std::string::npos) << found.incomplete;
}

}  // namespace
}  // namespace morph::probe::tests
