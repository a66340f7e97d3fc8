// Progress of a program of specs, for the program that started it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "plugin/spec/engine/progress.hpp"

namespace morph::engine {
namespace {

/// What a process writes whose environment names the pipe.
std::string written(void (*work)()) {
  std::array<int, 2> ends{};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::setenv(progress_variable, std::to_string(ends[1]).c_str(), 1);
    work();
    ::_exit(::fcntl(ends[1], F_GETFD) == FD_CLOEXEC ? 0 : 1);
  }
  ::close(ends[1]);
  std::string text(4096, '\0');
  std::size_t size = 0;
  for (ssize_t got = 1; got > 0; size += static_cast<std::size_t>(got))
    got = ::read(ends[0], text.data() + size, text.size() - size);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  text.resize(size);
  return text;
}

TEST(SpecProgress, IsALineOfJson) {
  EXPECT_EQ(written([] { write_progress("cases", 5); }),
            "{\"doing\":\"running specs\",\"done\":5,\"total\":0,\"unit\":\"cases\"}\n");
}

TEST(SpecProgress, ComesTenTimesASecondAtMost) {
  const std::string text = written([] {
    for (int i = 0; i < 1000; ++i) write_progress("cases", 5);
  });
  EXPECT_LT(text.size(), 1000U);
}

}  // namespace
}  // namespace morph::engine
