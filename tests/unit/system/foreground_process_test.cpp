// Programs that run as a shell's do.
#include "plugin/system/foreground_process.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace morph::system {
namespace {

TEST(ForegroundProcess, GivesItsOutputAndItsStatus) {
  std::string output;
  foreground_command what{.arguments = {"/bin/sh", "-c", "echo $SAID; echo error >&2; exit 3"}};
  what.environment = {{"SAID", "this"}};
  what.on_output = [&](std::string_view bytes) { output += bytes; };
  const process_end end = run_in_foreground(what);
  EXPECT_EQ(end.how, process_end::kind::exited);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(output, "this\nerror\n");
}

TEST(ForegroundProcess, SaysWhyAProgramCannotBeRun) {
  const process_end end = run_in_foreground({.arguments = {"/nowhere/at-all"}});
  EXPECT_EQ(end.how, process_end::kind::not_started);
  EXPECT_EQ(end.err, "'/nowhere/at-all' cannot be run: No such file or directory");
}

TEST(ForegroundProcess, PassesASignalOnAndOutlivesIt) {
  foreground_command what{.arguments = {"/bin/sh", "-c",
                                        "trap 'echo heard; exit 0' TERM; kill -TERM $PPID; "
                                        "while :; do sleep 0.01; done"}};
  std::string output;
  what.on_output = [&](std::string_view bytes) { output += bytes; };
  const process_end end = run_in_foreground(what);
  EXPECT_EQ(end.how, process_end::kind::interrupted);
  EXPECT_EQ(end.code, SIGTERM);
  EXPECT_EQ(output, "heard\n");
}

}  // namespace
}  // namespace morph::system
