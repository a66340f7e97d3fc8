// morph-tracer PROGRAM ARGUMENT...: runs a static program, into which nothing can be loaded, and records what it
// enters: breakpoints that a tracer sees. Itself it is recorded as any other program of a test, so that it has the
// test's row.
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "plugin/runtime/probe/machine.h"
#include "plugin/tracer/tracer.hpp"

namespace {

using morph_probe::call_kernel;

/// The library in this process looks at what libc executes: it would say that the program records nothing.
[[noreturn]] void execute(char** command) {
  call_kernel(SYS_execve, command[0], command, environ);
  std::fprintf(stderr, "morph-tracer: '%s' cannot be executed\n", command[0]);
  ::_exit(127);
}

struct end_of_program {
  int status = 0;  // of wait()
  bool live_others = false;
};

/// As the program has ended.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    ::signal(WTERMSIG(status), SIG_DFL);
    ::raise(WTERMSIG(status));
  }
  std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: morph-tracer PROGRAM ARGUMENT...\n");
    return 2;
  }
  const auto places = morph::tracer::places_in(environ);
  if (!places) execute(arguments + 1);
  int told[2];
  if (::pipe2(told, O_CLOEXEC) != 0) execute(arguments + 1);
  const pid_t parent = ::getpid(), tracer = ::fork();
  if (tracer < 0) execute(arguments + 1);
  if (tracer == 0) {
    // What the test leaves behind is traced until it ends, longer than the test lasts.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(127);
    ::close(told[0]);
    const auto has_ended = [&](int status, bool live_others) {
      if (live_others) ::prctl(PR_SET_PDEATHSIG, 0);
      const end_of_program end{status, live_others};
      (void)!::write(told[1], &end, sizeof end);
      ::close(told[1]);
    };
    morph::tracer::trace(
        *places, [&] { execute(arguments + 1); }, has_ended);
    ::_exit(0);
  }
  ::close(told[1]);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);  // the program has them, too
  end_of_program end{};
  ssize_t size = 0;
  while ((size = ::read(told[0], &end, sizeof end)) < 0 && errno == EINTR) {
  }
  if (size != sizeof end) ::raise(SIGKILL);  // the tracer was killed, and the program with it
  if (!end.live_others) ::waitpid(tracer, nullptr, 0);
  end_as(end.status);
}
