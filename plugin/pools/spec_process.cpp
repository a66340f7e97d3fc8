// A socket to a program, lines on it.
#include "plugin/pools/spec_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "plugin/system/child_process.hpp"
#include "plugin/system/process.hpp"

namespace morph::pools {

result<std::unique_ptr<spec_process>> spec_process::start(const std::vector<std::string>& arguments) {
  // A socket, so that writing to a program that has ended is an error, and no signal.
  auto ends = system::make_socket();
  if (!ends) return tl::unexpected(fmt::format("no socket can be made: {}", std::strerror(errno)));
  system::child_setup how{.arguments = arguments};
  how.in = how.out = ends->write.get();
  how.signal_at_our_end = SIGKILL;
  auto started = system::start_child(how);
  const int why = started ? started->await_program() : errno;
  if (why != 0) return tl::unexpected(fmt::format("'{}' cannot be started: {}", arguments[0], std::strerror(why)));
  const int ours = ends->read.release();
  std::FILE* const to = ::fdopen(ours, "w");
  std::FILE* const from = ::fdopen(::fcntl(ours, F_DUPFD_CLOEXEC, 0), "r");
  return std::unique_ptr<spec_process>(new spec_process(started->process(), to, from));
}

spec_process::~spec_process() {
  if (process_ > 0) end();
}

std::string spec_process::end() {
  ::shutdown(::fileno(to_), SHUT_WR);
  std::fclose(to_);
  std::fclose(from_);
  const int status = system::wait_for_end(process_);
  process_ = -1;
  return system::describe(system::end_of(status), {});
}

result<std::string> spec_process::ask(const std::string& question) {
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
