// Owned file descriptors, pipes and sockets between processes.
#pragma once

#include <optional>
#include <utility>

namespace morph::system {

/// Closes its file descriptor when it goes.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~descriptor() { close(); }
  void close();
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

struct pipe_ends {
  descriptor read;
  descriptor write;
};

/// Nothing, with errno, if the kernel gives none. Programs that we start do not inherit them.
std::optional<pipe_ends> make_pipe();
/// As make_pipe(); both ends are read from and written to.
std::optional<pipe_ends> make_socket();

}  // namespace morph::system
