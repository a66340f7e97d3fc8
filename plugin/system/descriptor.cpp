// Closing descriptors, making pairs of them.
#include "plugin/system/descriptor.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>

namespace morph::system {

void descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

std::optional<pipe_ends> make_pipe() {
  std::array<int, 2> fds{};
  if (::pipe2(fds.data(), O_CLOEXEC) != 0) return std::nullopt;
  return pipe_ends{descriptor(fds[0]), descriptor(fds[1])};
}

std::optional<pipe_ends> make_socket() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0) return std::nullopt;
  return pipe_ends{descriptor(fds[0]), descriptor(fds[1])};
}

}  // namespace morph::system
