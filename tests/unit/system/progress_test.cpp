// Progress as lines of JSON.
#include "plugin/system/progress.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "plugin/system/descriptor.hpp"

namespace morph::system {
namespace {

/// What a child process, whose progress goes to the pipe, writes there; how it ended.
std::string written_by(void (*work)(), int& status) {
  auto pipe = make_pipe();
  const pid_t child = ::fork();
  if (child == 0) {
    pipe->read.close();
    if (!write_progress_to(pipe->write.get())) ::_exit(9);
    work();
    ::_exit(0);
  }
  pipe->write.close();
  std::string text(4096, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(got))
    got = ::read(pipe->read.get(), text.data() + size, text.size() - size);
  text.resize(size);
  ::waitpid(child, &status, 0);
  return text;
}

TEST(Progress, IsWrittenAsLinesOfJson) {
  int status = 0;
  EXPECT_EQ(written_by(
                [] {
                  progress bar(90, "tests", false);
                  bar.step("measuring \"geometry\"");
                },
                status),
            "{\"doing\":\"measuring \\\"geometry\\\"\",\"done\":1,\"total\":90,\"unit\":\"tests\"}\n");
  EXPECT_EQ(status, 0);
}

TEST(Progress, EndsWithTheLastStep) {
  int status = 0;
  const std::string text = written_by(
      [] {
        progress bar(1000, "tests", false);
        for (int i = 0; i < 1000; ++i) bar.step("x");
      },
      status);
  EXPECT_TRUE(text.starts_with("{\"doing\":\"x\",\"done\":1,")) << text;
  EXPECT_TRUE(text.ends_with("{\"doing\":\"x\",\"done\":1000,\"total\":1000,\"unit\":\"tests\"}\n")) << text;
  EXPECT_LT(text.size(), 2000U) << "ten a second at most";
}

TEST(Progress, GoesOnWithoutAReader) {
  const pid_t child = ::fork();
  if (child == 0) {
    auto pipe = make_pipe();
    write_progress_to(pipe->write.get());
    pipe->read.close();
    { progress(1, "tests", false).step("x"); }
    // SIGPIPE is neither pending nor blocked.
    sigset_t set;
    sigpending(&set);
    const bool is_pending = sigismember(&set, SIGPIPE) == 1;
    ::sigprocmask(SIG_SETMASK, nullptr, &set);
    ::_exit(is_pending || sigismember(&set, SIGPIPE) == 1 ? 1 : progress_descriptor() == -1 ? 0 : 2);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}

TEST(Progress, GoesOnWithAReaderThatDoesNotRead) {
  int status = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    auto pipe = make_pipe();
    write_progress_to(pipe->write.get());
    const std::string long_text(2000, 'x');
    for (int i = 0; i < 200; ++i) progress(1, "tests", false).step(long_text);
    ::_exit(0);
  }
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Progress, IsNotInheritedByPrograms) {
  auto pipe = make_pipe();
  ::fcntl(pipe->write.get(), F_SETFD, 0);
  const pid_t child = ::fork();
  if (child == 0) {
    write_progress_to(pipe->write.get());
    ::_exit(::fcntl(pipe->write.get(), F_GETFD) == FD_CLOEXEC ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Progress, NeedsAnOpenDescriptor) {
  EXPECT_FALSE(write_progress_to(987));
  EXPECT_EQ(progress_descriptor(), -1);
}

}  // namespace
}  // namespace morph::system
