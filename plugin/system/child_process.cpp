// fork, exec, and why that failed.
#include "plugin/system/child_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string_view>

extern char** environ;

namespace morph::system {
namespace {

std::vector<std::string> merged_environment(const environment_changes& changes) {
  std::vector<std::string> result;
  const auto is_changed = [&](std::string_view entry) {
    const std::string_view name = entry.substr(0, entry.find('='));
    return std::any_of(changes.begin(), changes.end(), [&](const auto& change) { return change.first == name; });
  };
  for (char** entry = environ; *entry != nullptr; ++entry)
    if (!is_changed(*entry)) result.emplace_back(*entry);
  for (auto at = changes.begin(); at != changes.end(); ++at) {
    const bool is_last =
        std::none_of(std::next(at), changes.end(), [&](const auto& later) { return later.first == at->first; });
    if (at->second && is_last) result.push_back(at->first + '=' + *at->second);
  }
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

/// Runs in the child between fork and exec: only async-signal-safe calls.
[[noreturn]] void become(const child_setup& how, char* const* arguments, char* const* environment, int report,
                         pid_t parent) {
  if (how.leads_group) ::setpgid(0, 0);
  if (how.signal_at_our_end != 0) {
    ::prctl(PR_SET_PDEATHSIG, how.signal_at_our_end);
    if (::getppid() != parent) ::_exit(127);
  }
  if (how.has_default_signals) {
    sigset_t none;
    sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) ::signal(signal, SIG_DFL);
  }
  const int in = how.has_no_input ? ::open("/dev/null", O_RDONLY) : how.in;
  bool good = !how.has_no_input || in >= 0;
  if (in >= 0) good = good && ::dup2(in, 0) >= 0;
  if (how.out >= 0) good = good && ::dup2(how.out, 1) >= 0;
  if (how.err >= 0) good = good && ::dup2(how.err, 2) >= 0;
  if (how.kept >= 0) good = good && ::fcntl(how.kept, F_SETFD, 0) == 0;
  if (good && !how.directory.empty()) good = ::chdir(how.directory.c_str()) == 0;
  if (good && how.before_exec) how.before_exec();
  if (good) ::execvpe(how.program.empty() ? arguments[0] : how.program.c_str(), arguments, environment);
  const int why = errno;
  [[maybe_unused]] const auto written = ::write(report, &why, sizeof why);
  ::_exit(127);
}

}  // namespace

std::optional<child_process> start_child(const child_setup& how) {
  std::vector<std::string> arguments = how.arguments, environment = merged_environment(how.environment);
  const std::vector<char*> argument_pointers = pointers(arguments), environment_pointers = pointers(environment);
  auto report = make_pipe();
  if (!report) return std::nullopt;
  const pid_t us = ::getpid();
  const pid_t process = ::fork();
  if (process < 0) return std::nullopt;
  if (process == 0) become(how, argument_pointers.data(), environment_pointers.data(), report->write.get(), us);
  if (how.leads_group) ::setpgid(process, process);
  return child_process(process, std::move(report->read));
}

int child_process::await_program() {
  int why = 0;
  ssize_t got = 0;
  while ((got = ::read(report_.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got != sizeof why) return 0;
  wait_for_end(process_);
  return why;
}

int wait_for_end(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace morph::system
