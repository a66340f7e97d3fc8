// Executers that are other programs: commands, and processes that answer line by line.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <string>
#include <thread>
#include <vector>

#include "morph/processes.hpp"
#include "morph/spec.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using morph::ended;
using morph::line_process;
using morph::program_answer;
using morph::run_command;

constexpr double long_enough = 20;  // seconds

/// "output: x", "exception: why", "crash: why", "timeout: why".
std::string told(const program_answer& answer) {
  const char* const names[] = {"not run", "output", "exception", "crash", "timeout"};
  return names[static_cast<int>(answer.how)] + (": " + answer.text);
}
std::string run(const std::string& command, const std::string& input, double seconds = long_enough) {
  return told(run_command(command, input, seconds));
}

// ---- commands

TEST(SpecProcesses, TheInputIsAnArgumentOrStandardInput) {
  EXPECT_EQ(run("printf '<%s>' {} -{}-", "x y"), "output: <x y><-x y->");
  EXPECT_EQ(run("cat", "x y"), "output: x y");
  EXPECT_EQ(run("cat", ""), "output: ");
}

TEST(SpecProcesses, WordsAreTakenApartAsAShellDoes) {
  EXPECT_EQ(run(R"(printf '<%s>' a "b c" 'd "e"' f\ g "h\"i" '' j'k'"l")", ""),
            R"(output: <a><b c><d "e"><f g><h"i><><jkl>)");
  EXPECT_EQ(run("", ""), "exception: the command is empty");
}

TEST(SpecProcesses, HostileInputsStayOneArgument) {
  for (const std::string input : {"'", "\"", "a\nb", "$(reboot)", "; false", "{}", "\\", "*", "-n", "\xff\x01"})
    EXPECT_EQ(run("printf %s -{}", input), "output: -" + input);
  EXPECT_EQ(run("printf %s {}", std::string("a\0b", 3)),
            "exception: the input has a zero byte, which no argument of a command can; leave out {}, then it is the "
            "standard input");
  EXPECT_EQ(run("cat", std::string("a\0b", 3)), "output: " + std::string("a\0b", 3));
}

TEST(SpecProcesses, AMegabyteGoesThrough) {
  std::string many;
  for (int i = 0; i < 1 << 17; ++i) many += "12345\n\"\xff";
  EXPECT_EQ(run_command("cat", many, long_enough).text, many);
  EXPECT_EQ(run("true", many), "output: ") << "which does not read it";
  EXPECT_EQ(run("printf %s {}", many), "exception: 'printf' cannot be run: Argument list too long");
}

TEST(SpecProcesses, AnotherExitStatusIsAnException) {
  EXPECT_EQ(run("sh -c 'echo out; echo why >&2; echo more >&2; exit 3'", ""), "exception: exit status 3: why\nmore");
  EXPECT_EQ(run("false", ""), "exception: exit status 1");
  EXPECT_EQ(run("sh -c 'echo warning >&2; echo fine'", ""), "output: fine\n");
}

TEST(SpecProcesses, ASignalIsACrash) {
  EXPECT_EQ(run("sh -c 'kill -SEGV $$'", ""), "crash: signal 11 (Segmentation fault)");
}

TEST(SpecProcesses, WhatIsNotThereIsAnException) {
  EXPECT_EQ(run("no-such-program-of-ours {}", ""),
            "exception: 'no-such-program-of-ours' cannot be run: No such file or directory");
}

TEST(SpecProcesses, WhatDoesNotEndIsEnded) {
  EXPECT_EQ(run("sleep 1000", "", 0.1), "timeout: it did not end within 0.1 s");
  EXPECT_EQ(run("sh -c 'exec >&- 2>&-; sleep 1000'", "", 0.1), "timeout: it did not end within 0.1 s")
      << "and closes its output";
}

TEST(SpecProcesses, WhatItStartedIsEndedAsWell) {
  const morph::test_support::temporary_folder folder;
  const std::string fifo = (folder / "fifo").string();
  ASSERT_EQ(run("mkfifo " + fifo, ""), "output: ");
  const int keeper = open(fifo.c_str(), O_RDWR | O_CLOEXEC), reader = open(fifo.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(run("sh -c 'sleep 1000 > " + fifo + " & cat " + fifo + " > /dev/null; wait'", "", 0.2),
            "timeout: it did not end within 0.2 s");
  // Once the others that hold the pipe's end for writing are gone, the pipe is at its end.
  close(keeper);
  pollfd end{reader, POLLIN, 0};
  EXPECT_EQ(poll(&end, 1, static_cast<int>(1000 * long_enough)), 1);
  EXPECT_EQ(end.revents, POLLHUP);
  close(reader);
}

TEST(SpecProcesses, BrokenPipesEndProgramsAsElsewhere) {
  const morph::test_support::temporary_folder folder;
  const std::string errors = (folder / "errors").string();
  EXPECT_EQ(run("sh -c 'yes 2> " + errors + " | head -n 1; cat " + errors + "'", ""), "output: y\n")
      << "without a word of yes about it";
}

// ---- answers line by line

/// Answers each line by sh.
std::string shell_loop(const std::string& body) {
  return "sh -c 'while IFS= read -r line; do " + body + "; done'";
}

TEST(SpecProcesses, LinesAreAnsweredByOneProcess) {
  line_process process(shell_loop("n=$((n + 1)); echo \"$line is $n\""));
  EXPECT_EQ(told(process.ask("one", long_enough)), "output: one is 1");
  EXPECT_EQ(told(process.ask("two", long_enough)), "output: two is 2");
}

TEST(SpecProcesses, AnswersOfErrors) {
  line_process process(shell_loop(R"(echo "{\"error\": \"no $line\"}")"));
  EXPECT_EQ(told(process.ask("one", long_enough)), "exception: no one");
}

TEST(SpecProcesses, OneThatDiesIsStartedAgain) {
  line_process process(
      shell_loop("if [ \"$line\" = die ]; then exit 3; fi; if [ \"$line\" = crash ]; then kill -ABRT $$; fi; "
                 "n=$((n + 1)); echo \"$line is $n\""));
  EXPECT_EQ(told(process.ask("one", long_enough)), "output: one is 1");
  EXPECT_EQ(told(process.ask("die", long_enough)), "crash: exit status 3 before it answered");
  EXPECT_EQ(told(process.ask("two", long_enough)), "output: two is 1");
  EXPECT_EQ(told(process.ask("crash", long_enough)), "crash: signal 6 (Aborted) before it answered");
  EXPECT_EQ(told(process.ask("three", long_enough)), "output: three is 1");
}

TEST(SpecProcesses, OneThatHangsIsStartedAgain) {
  line_process process(shell_loop("if [ \"$line\" = hang ]; then sleep 1000; fi; echo \"$line\""));
  EXPECT_EQ(told(process.ask("hang", 0.1)), "timeout: it did not answer within 0.1 s");
  EXPECT_EQ(told(process.ask("two", long_enough)), "output: two");
}

TEST(SpecProcesses, OneThatClosesItsOutputAndStaysIsEnded) {
  line_process process("sh -c 'exec >&-; sleep 1000'");
  EXPECT_EQ(told(process.ask("one", 0.1)), "timeout: it did not answer within 0.1 s");
}

TEST(SpecProcesses, LongLines) {
  line_process process("cat");
  const std::string many(3'000'000, 'x');
  EXPECT_EQ(process.ask(many, long_enough).text, many);
  EXPECT_EQ(told(process.ask("short", long_enough)), "output: short");
}

TEST(SpecProcesses, MoreLinesThanOneAreAnError) {
  line_process process(shell_loop("printf \"%s\\nmore\\n\" \"$line\""));
  EXPECT_EQ(told(process.ask("one", long_enough)), "output: one");
  EXPECT_EQ(told(process.ask("two", long_enough)),
            "exception: it had answered the input before with more than one line");
}

TEST(SpecProcesses, WhatIsNotThereDoesNotAnswer) {
  line_process process("no-such-program-of-ours");
  EXPECT_EQ(told(process.ask("one", long_enough)),
            "exception: 'no-such-program-of-ours' cannot be run: No such file or directory");
}

TEST(SpecProcesses, ThreadsWaitForEachOther) {
  line_process process("cat");
  std::vector<std::thread> threads;
  int wrong[4] = {};
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&process, &wrong, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string question = std::to_string(t) + " " + std::to_string(i);
        wrong[t] += process.ask(question, long_enough).text == question ? 0 : 1;
      }
    });
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong[0] + wrong[1] + wrong[2] + wrong[3], 0);
}

// ---- as executers of a spec

TEST(SpecProcesses, ASpecOfCommands) {
  morph::spec<std::string, std::string> s("s");
  s.execute_command("argument", "printf %s {}");
  s.execute_command("input", "cat");
  s.executers_agree();
  s.seeds("literal", {"", "x y", "\"quoted\"", "two\nlines"});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input; });
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_FALSE(at_work.report().failed());
  EXPECT_EQ(at_work.report().tallies[0][1].passed, 4U);
}

TEST(SpecProcesses, ACommandAnswersInJson) {
  morph::spec<int, std::vector<int>> s("s");
  s.execute_command("twice", "printf '[%s,%s]\n' {} {}");
  s.execute_command("words", "printf 'a %s' {}");
  s.seeds("literal", {5});
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.spec().text_of_output(0, 0, 0), "[5,5]");
  EXPECT_EQ(at_work.spec().error(1, 0, 0), "the answer is no output: at 0: '[' is wanted, not 'a'");
}

TEST(SpecProcesses, ASpecOfAProcess) {
  morph::spec<std::string, std::string> s("s");
  s.execute_stdio("echo", "cat");
  s.seeds("literal", {"", "x y", "\"quoted\"", "two\nlines", "\xff"});
  s.relation("same", morph::seeds, [](auto& c) { return c.output == c.input; });
  morph::engine::session at_work(s, {});
  at_work.run();
  EXPECT_EQ(at_work.report().tallies[0][0].passed, 5U) << "inputs and outputs are JSON";
}

TEST(SpecProcesses, ErrorsAndTimeOutsAreOutcomes) {
  morph::spec<int, int> s("s");
  s.execute_stdio("fails", shell_loop(R"(if [ $line = 2 ]; then echo "{\"error\":\"two\"}"; else echo $line; fi)"));
  s.execute_command("hangs", "sh -c 'if [ $0 = 3 ]; then sleep 1000; fi; echo $0' {}");
  s.timeout(1);
  s.seeds("literal", {1, 2, 3});
  morph::engine::options how;
  how.shrink = false;
  morph::engine::session at_work(s, how);
  at_work.run();
  EXPECT_EQ(at_work.spec().how(0, 0, 1), ended::exception);
  EXPECT_EQ(at_work.spec().error(0, 0, 1), "two");
  EXPECT_EQ(at_work.spec().how(1, 0, 1), ended::output);
  EXPECT_EQ(at_work.spec().how(1, 0, 2), ended::timeout);
  EXPECT_EQ(at_work.spec().error(1, 0, 2), "it did not end within 1 s");
}

}  // namespace
