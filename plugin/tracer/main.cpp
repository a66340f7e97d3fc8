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

#include "plugin/runtime/probe/machine.h"
#include "plugin/tracer/tracer.hpp"

namespace {

using morph_probe::call_kernel;

void (*sigchld_at_first)(int) = nullptr;

/// The library in this process looks at what libc executes: it would say that the program records nothing.
[[noreturn]] void execute(char** command) {
  ::signal(SIGCHLD, sigchld_at_first);
  call_kernel(SYS_execve, command[0], command, environ);
  std::fprintf(stderr, "morph-tracer: '%s' cannot be executed\n", command[0]);
  ::raise(SIGKILL);  // an exit status could be what the test expects
  ::_exit(127);
}

volatile pid_t program = 0;

/// What is sent to this process is the program's. What a terminal sends it has, too.
void hand_on(int signal, siginfo_t* why, void*) {
  if (program > 0 && why->si_code <= 0) ::kill(program, signal);
}

void hand_on_signals() {
  struct sigaction action {};
  action.sa_sigaction = hand_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGCONT})
    ::sigaction(signal, &action, nullptr);
}

template <typename T>
bool read_one(int from, T& to) {
  ssize_t size = 0;
  while ((size = ::read(from, &to, sizeof to)) < 0 && errno == EINTR) {
  }
  return size == static_cast<ssize_t>(sizeof to);
}

struct end_of_program {
  int status = 0;  // of wait()
  bool live_others = false;
};

/// As the program has ended.
[[noreturn]] void end_as(int status) {
  if (WIFSIGNALED(status)) {
    ::prctl(PR_SET_DUMPABLE, 0);  // the program has left a core of its own
    ::signal(WTERMSIG(status), SIG_DFL);
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    ::raise(WTERMSIG(status));
  }
  std::exit(WIFEXITED(status) ? WEXITSTATUS(status) : 127);
}

/// Follows the program until the last process that came of it has ended, which may be longer than the test lasts.
[[noreturn]] void follow(const morph::tracer::recorded_places& to, char** command, int told, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(127);
  const auto begin = [&] { execute(command); };
  const auto has_begun = [&](pid_t process) { (void)!::write(told, &process, sizeof process); };
  const auto has_ended = [&](int status, bool live_others) {
    if (live_others) ::prctl(PR_SET_PDEATHSIG, 0);
    const end_of_program end{status, live_others};
    (void)!::write(told, &end, sizeof end);
    ::close(told);
  };
  morph::tracer::trace(to, begin, has_begun, has_ended);
  ::_exit(0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fprintf(stderr, "usage: morph-tracer PROGRAM ARGUMENT...\n");
    return 2;
  }
  sigchld_at_first = ::signal(SIGCHLD, SIG_DFL);
  char** const command = arguments + 1;
  const auto places = morph::tracer::places_in(environ);
  int told[2];
  if (!places || ::pipe2(told, O_CLOEXEC) != 0) execute(command);
  const pid_t parent = ::getpid(), tracer = ::fork();
  if (tracer < 0) execute(command);
  if (tracer == 0) {
    ::close(told[0]);
    follow(*places, command, told[1], parent);
  }
  ::close(told[1]);
  hand_on_signals();
  pid_t begun = 0;
  end_of_program end{};
  if (read_one(told[0], begun)) program = begun;
  if (!read_one(told[0], end)) ::raise(SIGKILL);  // the tracer was killed, and the program with it
  program = 0;
  if (!end.live_others) ::waitpid(tracer, nullptr, 0);
  end_as(end.status);
}
