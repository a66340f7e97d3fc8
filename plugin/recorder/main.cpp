// morph-recorder FOLDER: gives each test that asks a row below the folder, until nobody has asked for a while.
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "plugin/recorder/row.hpp"
#include "plugin/spool/recording.h"
#include "plugin/system/descriptor.hpp"

namespace {

namespace fs = std::filesystem;
using morph::system::descriptor;

constexpr int idle_ms = 5000, look_ms = 250;

/// Whoever started us waits for the end of what we have of him.
void let_go_of_everything() {
  if (::syscall(SYS_close_range, 0, ~0U, 0) != 0) {
    std::error_code none;
    std::vector<int> open;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd", none))
      open.push_back(std::atoi(entry.path().filename().c_str()));
    for (const int each : open) ::close(each);
  }
  for (int i = 0; i < 3; ++i) ::open("/dev/null", O_RDWR);
  for (const int signal : {SIGHUP, SIGINT, SIGPIPE, SIGTTOU}) ::signal(signal, SIG_IGN);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// What a test was limited to is not for us.
void raise_limits() {
  for (const auto what : {RLIMIT_NOFILE, RLIMIT_CPU, RLIMIT_AS}) {
    rlimit limit{};
    if (::getrlimit(what, &limit) != 0) continue;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(what, &limit);
  }
}

/// Whoever waits for us knows then that tests may ask.
void go_into_background() {
  const pid_t child = ::fork();
  if (child != 0) ::_exit(child > 0 ? 0 : 3);
  ::setsid();
}

/// Rows for which there are descriptors, with some to spare.
int most_rows() {
  constexpr int descriptors_of_row = 8, others = 64;
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto all = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
  return std::max((all - others) / descriptors_of_row, 0);
}

/// By a short path, whatever that of the folder is. The lock is that there is no other.
descriptor listen_in(const fs::path& folder, descriptor& lock) {
  lock = descriptor(::open((folder / "recorder.lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (lock.get() < 0 || ::chdir(folder.c_str()) != 0) return {};
  if (::flock(lock.get(), LOCK_EX | LOCK_NB) != 0) ::_exit(morph_probe::recorder_is_there);
  descriptor listening(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::string(morph_probe::recorder_socket).copy(address.sun_path, sizeof address.sun_path - 1);
  ::unlink(morph_probe::recorder_socket);
  if (::bind(listening.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(listening.get(), SOMAXCONN) != 0)
    return {};
  return listening;
}

/// Whether tests find us still: somebody may have emptied the folder.
bool is_found(ino_t socket) {
  struct stat facts {};
  return ::stat(morph_probe::recorder_socket, &facts) == 0 && facts.st_ino == socket;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  let_go_of_everything();
  ::mallopt(M_ARENA_MAX, 1);
  const fs::path folder = arguments[1];
  descriptor lock;
  descriptor listening = listen_in(folder, lock);
  if (listening.get() < 0) return 3;
  go_into_background();
  raise_limits();
  const int most = most_rows();
  std::atomic<int> open_rows{0};
  const auto take = [&](int flags) {
    descriptor conversation(::accept4(listening.get(), nullptr, nullptr, SOCK_CLOEXEC | flags));
    if (conversation.get() < 0) return false;
    if (open_rows >= most) return true;  // the test runs unrecorded
    ++open_rows;
    try {
      std::thread([]() {}).join();  // a row needs two
      std::thread([&, talk = std::move(conversation)]() mutable {
        morph::recorder::record_test(folder, std::move(talk));
        --open_rows;
      }).detach();
    } catch (const std::system_error&) {
      --open_rows;
    }
    return true;
  };
  struct stat facts {};
  ::stat(morph_probe::recorder_socket, &facts);
  bool is_there = true;
  for (int idle = 0; idle < idle_ms && is_there;) {
    pollfd waiting{listening.get(), POLLIN, 0};
    const int ready = ::poll(&waiting, 1, look_ms);
    if (ready > 0) take(0);
    idle = ready != 0 || open_rows != 0 ? 0 : idle + look_ms;
    is_there = is_found(facts.st_ino);
  }
  if (is_there) ::unlink(morph_probe::recorder_socket);
  while (take(0)) {  // who came at the last moment
  }
  listening.close();
  lock.close();  // who comes now starts another
  while (open_rows != 0) ::usleep(look_ms * 1000);
}
