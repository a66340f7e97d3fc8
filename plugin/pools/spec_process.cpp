#include "plugin/pools/spec_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "plugin/system/process.hpp"

namespace morph::pools {

result<std::unique_ptr<conversation>> conversation::start(const std::vector<std::string>& arguments) {
  int ends[2];
  // A socket, so that writing to a program that has ended is an error, and no signal.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(fmt::format("no socket can be made: {}", std::strerror(errno)));
  std::vector<char*> words;
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  const pid_t process = ::fork();
  if (process == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::dup2(ends[1], STDIN_FILENO);
    ::dup2(ends[1], STDOUT_FILENO);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    return tl::unexpected(fmt::format("'{}' cannot be started: {}", arguments[0], std::strerror(errno)));
  }
  std::FILE* const to = ::fdopen(ends[0], "w");
  std::FILE* const from = ::fdopen(::fcntl(ends[0], F_DUPFD_CLOEXEC, 0), "r");
  return std::unique_ptr<conversation>(new conversation(process, to, from));
}

conversation::~conversation() {
  if (process_ > 0) end();
}

std::string conversation::end() {
  ::shutdown(::fileno(to_), SHUT_WR);
  std::fclose(to_);
  std::fclose(from_);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  system::process_end how;
  how.how = WIFSIGNALED(status) ? system::process_end::kind::signaled : system::process_end::kind::exited;
  how.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return system::describe(how, {});
}

result<std::string> conversation::ask(const std::string& question) {
  if (process_ <= 0) return tl::unexpected(std::string("the program has ended"));
  const std::string line = question + '\n';
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t sent = ::send(::fileno(to_), line.data() + at, line.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) break;  // why is known when there is no answer
    at += static_cast<std::size_t>(sent);
  }
  std::string answer;
  char* text = nullptr;
  std::size_t room = 0;
  const ssize_t length = ::getline(&text, &room, from_);
  if (length > 0 && text[length - 1] == '\n') answer.assign(text, static_cast<std::size_t>(length) - 1);
  const bool is_answer = length > 0 && text[length - 1] == '\n';
  std::free(text);
  if (is_answer) return answer;
  return tl::unexpected(end());
}

}  // namespace morph::pools
