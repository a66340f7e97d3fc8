// Processes: what they write, how they end, how they are ended.
#include "plugin/studio/runs.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "plugin/studio/descendants.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::studio {
namespace {

using nlohmann::json;

class Runs : public testing::Test {
 protected:
  ~Runs() override {
    all.kill_all();
    for (const run& each : all.all())
      if (!each.has_ended) await_end(each.id);
  }

  /// `{}` in the script: where its progress goes.
  const run& start(const std::string& script) {
    const auto started =
        all.start({"/bin/sh", "morph plan", {"plan"}, [&](int progress) {
                     return std::vector<std::string>{"sh", "-c", script, "sh", std::to_string(progress)};
                   }});
    if (!started) throw std::runtime_error(started.error());
    return **started;
  }
  void await_end(std::uint64_t id) {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(all.find(id)->process), &info, WEXITED | WNOWAIT);
    all.note_ends();
  }
  const run& run_to_end(const std::string& script) {
    const std::uint64_t id = start(script).id;
    await_end(id);
    return *all.find(id);
  }
  /// Until the process has written to its stderr.
  void await_message(const run& of) {
    pollfd waiting{of.errors.get(), POLLIN, 0};
    ::poll(&waiting, 1, -1);
  }
  /// SIGKILL takes a moment.
  static bool is_over(pid_t process) {
    const system::descriptor handle(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    pollfd waiting{handle.get(), POLLIN, 0};
    return handle.get() < 0 || ::poll(&waiting, 1, 30'000) == 1;
  }
  std::vector<json> events(const std::string& type) const {
    std::uint64_t after = 0;
    std::istringstream text(log.stream(after, 1 << 30));
    std::vector<json> found;
    for (std::string line; std::getline(text, line);)
      if (line.starts_with("data: ")) {
        json event = json::parse(line.substr(6));
        if (event["type"] == type) found.push_back(event);
      }
    return found;
  }
  std::vector<std::string> messages() const {
    std::vector<std::string> texts;
    for (const json& each : events("message")) texts.push_back(each["text"]);
    return texts;
  }
  static std::string output(const run& of) {
    return system::read_file("/proc/self/fd/" + std::to_string(of.output.get())).value();
  }

  test_support::temporary_folder folder;
  event_log log{1000};
  runs all{log, folder.path(), {.most_running = 2, .most_runs = 3, .most_output = 1000, .most_kept_output = 1500}};
};

TEST_F(Runs, KeepTheBytesThatTheyPrint) {
  EXPECT_EQ(output(run_to_end("printf 'a\\000b\\377\\n'; echo more")), std::string("a\0b\xff\nmore\n", 10));
  EXPECT_EQ(output(run_to_end("echo a; echo b >>/dev/stdout; echo c")), "a\nb\nc\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(Runs, BecomeEvents) {
  const run& done = run_to_end("echo one >&2; printf 'two' >&2; exit 3");
  EXPECT_EQ(messages(), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(events("run-started").at(0)["run"]["state"], "running");
  EXPECT_EQ(events("run-started").at(0)["run"]["exit"], json());
  const json ended = events("run-ended").at(0)["run"];
  EXPECT_EQ(ended, as_json(done));
  EXPECT_EQ(ended["id"], 1);
  EXPECT_EQ(ended["line"], "morph plan");
  EXPECT_EQ(ended["arguments"], json({"plan"}));
  EXPECT_EQ(ended["state"], "ended");
  EXPECT_EQ(ended["exit"], 3);
  EXPECT_EQ(ended["signal"], json());
  EXPECT_EQ(done.started.size(), std::string("2026-12-01T09:00:00Z").size());
}

TEST_F(Runs, ReportProgress) {
  run_to_end(R"(printf '{"doing":"x","done":5,"total":90,"unit":"tests","more":1}\n{"done":-1}\nno\n[]\n' >&"$1")");
  EXPECT_EQ(events("progress"),
            std::vector<json>(
                {{{"type", "progress"}, {"id", 1}, {"doing", "x"}, {"done", 5}, {"total", 90}, {"unit", "tests"}}}));
}

TEST_F(Runs, OfCtestSayHowFarTheyAre) {
  const std::string script =
      "echo '      Start  7: a b'; echo ' 1/12 Test  #7: a b ....   Passed    0.01 sec'; printf end";
  const auto started = all.start({.program = "/bin/sh",
                                  .line = "ctest",
                                  .arguments = {"ctest"},
                                  .words =
                                      [&](int) {
                                        return std::vector<std::string>{"ctest", "-c", script};
                                      },
                                  .is_ctest = true});
  ASSERT_TRUE(started);
  await_end(1);
  EXPECT_EQ(messages(),
            (std::vector<std::string>{"      Start  7: a b", " 1/12 Test  #7: a b ....   Passed    0.01 sec", "end"}));
  EXPECT_EQ(events("progress"), std::vector<json>({{{"type", "progress"},
                                                    {"id", 1},
                                                    {"doing", "running tests"},
                                                    {"done", 1},
                                                    {"total", 12},
                                                    {"unit", "tests"}}}));
  EXPECT_EQ(output(*all.find(1)), "      Start  7: a b\n 1/12 Test  #7: a b ....   Passed    0.01 sec\nend");
}

TEST_F(Runs, HaveNoInputAndNoOtherFiles) {
  const system::descriptor before(::dup(0));
  ::dup2(system::make_pipe()->read.get(), 0);
  const std::string files = output(run_to_end("cat; ls -l /proc/self/fd"));
  ::dup2(before.get(), 0);
  EXPECT_NE(files.find("0 -> /dev/null"), std::string::npos) << files;
  EXPECT_EQ(files.find("socket:"), std::string::npos) << files;
}

TEST_F(Runs, ThatCannotStartSayWhy) {
  const auto started =
      all.start({"/nowhere/morph", "morph", {}, [](int) { return std::vector<std::string>{"morph"}; }});
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error(), "cannot run '/nowhere/morph': No such file or directory");
  EXPECT_TRUE(all.all().empty());
}

TEST_F(Runs, AreLimitedInNumber) {
  start("sleep 1000");
  start("sleep 1000");
  EXPECT_THROW(start("echo"), std::runtime_error);
  all.stop(1);
  all.stop(1);
  await_end(1);
  EXPECT_EQ(start("echo").id, 3U);
}

TEST_F(Runs, EndByASignal) {
  const run& done = run_to_end("kill -SEGV $$");
  EXPECT_EQ(done.signal, SIGSEGV);
  EXPECT_EQ(done.exit, std::nullopt);
}

TEST_F(Runs, AreInterruptedWithAllThatTheyStarted) {
  const run& made = start("sleep 1000 & echo here >&2; wait");
  await_message(made);
  const auto below = descendants_of(made.process);
  ASSERT_EQ(below.size(), 1U);
  EXPECT_TRUE(all.stop(made.id));
  await_end(made.id);
  EXPECT_EQ(all.find(made.id)->signal, SIGINT);
  EXPECT_TRUE(is_over(below.front()));  // sh has its background processes ignore SIGINT
  EXPECT_FALSE(all.stop(made.id));
  EXPECT_FALSE(all.stop(99));
}

TEST_F(Runs, ThatIgnoreTheFirstStopDieOfTheSecond) {
  const run& made = start("trap '' INT; echo here >&2; while :; do sleep 1000; done");
  await_message(made);
  EXPECT_TRUE(all.stop(made.id));
  EXPECT_TRUE(all.stop(made.id));
  await_end(made.id);
  EXPECT_EQ(all.find(made.id)->signal, SIGKILL);
}

TEST_F(Runs, AreKilledWithProcessesOfOtherGroups) {
  const run& made = start("setsid sh -c 'echo here >&2; exec sleep 1000' & wait");
  await_message(made);
  const auto below = descendants_of(made.process);
  ASSERT_EQ(below.size(), 1U);
  ASSERT_NE(::getpgid(below.front()), made.process);
  all.kill_all();
  await_end(made.id);
  EXPECT_TRUE(is_over(below.front()));
}

TEST_F(Runs, EndThoughOthersHoldTheirPipes) {
  const run& done = run_to_end("(trap '' INT TERM HUP; exec setsid sleep 20) & echo bye >&2");
  EXPECT_TRUE(done.has_ended);
  EXPECT_EQ(messages(), std::vector<std::string>{"bye"});
}

TEST_F(Runs, ThatWriteTooMuchAreEnded) {
  const run& made = start("head -c 2000 /dev/zero; echo here >&2; sleep 1000");
  await_message(made);
  all.check_outputs();
  await_end(made.id);
  EXPECT_EQ(all.find(made.id)->signal, SIGKILL);
  EXPECT_EQ(messages().front(), "stopped: its output is longer than 0 MiB");
}

TEST_F(Runs, AreForgottenOneDay) {
  for (int i = 0; i < 5; ++i) run_to_end("echo x");
  EXPECT_EQ(all.find(2), nullptr);
  EXPECT_NE(all.find(3), nullptr);
  EXPECT_EQ(all.all().size(), 3U);
}

TEST_F(Runs, AreForgottenByTheirSize) {
  for (int i = 0; i < 3; ++i) run_to_end("head -c 700 /dev/zero");
  EXPECT_EQ(all.find(1), nullptr);
  EXPECT_EQ(all.all().size(), 2U);
  run_to_end("head -c 2000 /dev/zero");
  EXPECT_EQ(all.all().size(), 1U);
}

}  // namespace
}  // namespace morph::studio
