// The filter, and the thread that answers it.
#include "plugin/system/file_watch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <utility>

namespace morph::system {
namespace {

#if defined(__x86_64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t architecture = 0;
#endif

/// SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, Linux 5.19: a signal does not interrupt an open() that we look at.
constexpr unsigned long wait_killable = 1UL << 5;
constexpr std::size_t most_waiting_bytes = std::size_t{64} << 20;

constexpr sock_filter statement(unsigned code, std::size_t k) {
  return {static_cast<std::uint16_t>(code), 0, 0, static_cast<std::uint32_t>(k)};
}
constexpr sock_filter jump(unsigned code, std::size_t k, unsigned then, unsigned otherwise) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(then), static_cast<std::uint8_t>(otherwise),
          static_cast<std::uint32_t>(k)};
}

constexpr int none = -1;

/// A system call that is stopped, and which of its arguments are what. One with two paths has two rows.
struct watched_call {
  std::uint32_t number;
  int folder;  // that a path counts from
  int path;    // none: what the call does cannot be seen
  int flags;   // none: it is no open()
  opened_file::use how = opened_file::use::looks;
  enum { leaves, changes, makes_new } what = leaves;  // makes_new: it fails if there is something
};

constexpr std::array watched_calls{
    watched_call{SYS_openat, 0, 1, 2, opened_file::use::reads},
    watched_call{SYS_openat2, 0, 1, 2, opened_file::use::reads},  // its flags are in memory
    watched_call{SYS_execve, none, 0, none, opened_file::use::reads},
    watched_call{SYS_execveat, 0, 1, none, opened_file::use::reads},
    watched_call{SYS_linkat, 0, 1, none, opened_file::use::reads},
    watched_call{SYS_linkat, 2, 3, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_symlinkat, 1, 2, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_mkdirat, 0, 1, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_mknodat, 0, 1, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_renameat2, 0, 1, none, opened_file::use::reads, watched_call::changes},
    watched_call{SYS_renameat2, 2, 3, none, opened_file::use::makes, watched_call::changes},
    watched_call{SYS_truncate, none, 0, none, opened_file::use::writes, watched_call::changes},
    watched_call{SYS_newfstatat, 0, 1, none},
    watched_call{SYS_statx, 0, 1, none},
    watched_call{SYS_faccessat, 0, 1, none},
    watched_call{SYS_faccessat2, 0, 1, none},
    watched_call{SYS_readlinkat, 0, 1, none},
    watched_call{SYS_chdir, none, 0, none},
    watched_call{SYS_io_uring_setup, none, none, none, opened_file::use::hides},
    watched_call{SYS_open_by_handle_at, none, none, none, opened_file::use::hides},
    // Paths may be those of other files then.
    watched_call{SYS_chroot, none, none, none, opened_file::use::hides},
    watched_call{SYS_mount, none, none, none, opened_file::use::hides},
    watched_call{SYS_setns, none, none, none, opened_file::use::hides},
#ifdef SYS_renameat
    watched_call{SYS_renameat, 0, 1, none, opened_file::use::reads, watched_call::changes},
    watched_call{SYS_renameat, 2, 3, none, opened_file::use::makes, watched_call::changes},
#endif
#ifdef SYS_open
    watched_call{SYS_open, none, 0, 1, opened_file::use::reads},
    watched_call{SYS_link, none, 0, none, opened_file::use::reads},
    watched_call{SYS_stat, none, 0, none},
    watched_call{SYS_lstat, none, 0, none},
    watched_call{SYS_access, none, 0, none},
    watched_call{SYS_readlink, none, 0, none},
    watched_call{SYS_creat, none, 0, none, opened_file::use::makes, watched_call::changes},
    watched_call{SYS_link, none, 1, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_symlink, none, 1, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_mkdir, none, 0, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_mknod, none, 0, none, opened_file::use::makes, watched_call::makes_new},
    watched_call{SYS_rename, none, 0, none, opened_file::use::reads, watched_call::changes},
    watched_call{SYS_rename, none, 1, none, opened_file::use::makes, watched_call::changes},
#endif
};

/// Calls of another architecture (32 bits, or x32 with this bit) have other numbers: none of them is understood.
constexpr std::uint32_t x32_bit = 0x40000000;

constexpr auto make_filter() {
  constexpr std::size_t head = 8, tail = 2;
  std::array<sock_filter, head + watched_calls.size() + tail> filter{};
  const auto to_stop = [&](std::size_t from) { return static_cast<unsigned>(filter.size() - 2 - from); };
  const auto to_allow = [&](std::size_t from) { return static_cast<unsigned>(filter.size() - 3 - from); };
  constexpr std::size_t lower_half_of_mode = offsetof(seccomp_data, args) + 3 * sizeof(std::uint64_t);
  filter[0] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch));
  filter[1] = jump(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, to_stop(1));
  filter[2] = statement(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr));
  filter[3] = jump(BPF_JMP | BPF_JGE | BPF_K, x32_bit, to_stop(3), 0);
  filter[4] = jump(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3);
  filter[5] = statement(BPF_LD | BPF_W | BPF_ABS, lower_half_of_mode);
  filter[6] = jump(BPF_JMP | BPF_JEQ | BPF_K, mode_of_unwatched_opens, to_allow(6), 0);
  filter[7] = filter[2];
  for (std::size_t i = 0; i < watched_calls.size(); ++i)
    filter[head + i] = jump(BPF_JMP | BPF_JEQ | BPF_K, watched_calls[i].number, to_stop(head + i), 0);
  filter[filter.size() - 2] = statement(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  filter[filter.size() - 1] = statement(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
  return filter;
}
constexpr auto filter = make_filter();

int install_filter() {
  const sock_fprog program{static_cast<unsigned short>(filter.size()), const_cast<sock_filter*>(filter.data())};
  const auto install = [&] {
    constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
    const auto with = [&](unsigned long more) {
      return static_cast<int>(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | more, &program));
    };
    const int listener = with(wait_killable);
    return listener < 0 && errno == EINVAL ? with(0) : listener;
  };
  const int listener = install();
  if (listener >= 0 || errno != EACCES) return listener;
  // Who is not privileged may only watch programs that cannot become so (setuid programs run as the user).
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  return install();
}

/// A message of one errno, and the descriptor when that is 0.
struct message {
  int error = 0;
  iovec data{&error, sizeof error};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr header{};

  message() {
    header.msg_iov = &data;
    header.msg_iovlen = 1;
    header.msg_control = control.data();
    header.msg_controllen = control.size();
  }
};

int receive_listener(int socket, int& error) {
  message m;
  m.error = ECHILD;
  ssize_t size = 0;
  do size = ::recvmsg(socket, &m.header, MSG_CMSG_CLOEXEC);
  while (size < 0 && errno == EINTR);
  error = m.error;
  const cmsghdr* sent = size > 0 ? CMSG_FIRSTHDR(&m.header) : nullptr;
  if (error != 0 || sent == nullptr) return -1;
  int listener = -1;
  std::memcpy(&listener, CMSG_DATA(sent), sizeof listener);
  return listener;
}

/// Up to a zero; nothing if the memory cannot be read. Never reads over the end of a page, behind which there may be
/// nothing.
std::optional<std::string> read_text(pid_t process, std::uint64_t address) {
  constexpr std::size_t page = 4096;
  std::string text;
  std::array<char, page> buffer;
  while (text.size() < PATH_MAX) {
    const std::size_t size = page - address % page;
    const iovec here{buffer.data(), size}, there{reinterpret_cast<void*>(address), size};
    const ssize_t read = ::process_vm_readv(process, &here, 1, &there, 1, 0);
    if (read <= 0) return std::nullopt;
    const auto* end = static_cast<const char*>(std::memchr(buffer.data(), 0, static_cast<std::size_t>(read)));
    text.append(buffer.data(), end != nullptr ? static_cast<std::size_t>(end - buffer.data()) : std::size_t(read));
    if (end != nullptr) return text;
    address += static_cast<std::uint64_t>(read);
  }
  return std::nullopt;
}

std::string link_target(const std::string& link) {
  std::array<char, PATH_MAX> target;
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  return size > 0 ? std::string(target.data(), static_cast<std::size_t>(size)) : std::string();
}

std::string absolute_path(pid_t process, int folder, const std::string& path) {
  if (path.empty()) return {};
  for (const std::string_view self : {"/proc/self/", "/proc/thread-self/"})
    if (path.starts_with(self)) return fmt::format("/proc/{}/{}", process, path.substr(self.size()));
  if (path.front() == '/') return path;
  const std::string base = link_target(folder == AT_FDCWD ? fmt::format("/proc/{}/cwd", process)
                                                          : fmt::format("/proc/{}/fd/{}", process, folder));
  return base.empty() ? base : base + "/" + path;
}

/// O_RDONLY and its like of an open(); none if the memory cannot be read, or if the path counts from another root.
std::optional<std::uint64_t> flags_of(const seccomp_notif& asked, const watched_call& call) {
  const std::uint64_t value = asked.data.args[call.flags];
  if (call.number != SYS_openat2) return value;
  open_how how{};
  const iovec here{&how, sizeof how}, there{reinterpret_cast<void*>(value), sizeof how};
  const bool is_read = ::process_vm_readv(static_cast<pid_t>(asked.pid), &here, 1, &there, 1, 0) == ssize_t{sizeof how};
  return is_read && (how.resolve & RESOLVE_IN_ROOT) == 0 ? std::optional<std::uint64_t>(how.flags) : std::nullopt;
}

void add_flags(opened_file& used, std::uint64_t flags) {
  const bool is_read_only = (flags & O_ACCMODE) == O_RDONLY, is_made = (flags & O_CREAT) != 0;
  if ((flags & O_PATH) != 0 || (flags & O_TMPFILE) == O_TMPFILE) {
    used.how = opened_file::use::looks;
    return;
  }
  const bool is_emptied = (flags & O_TRUNC) != 0 || (is_made && (flags & O_EXCL) != 0);
  if (is_made && (is_emptied || (flags & O_ACCMODE) == O_WRONLY))
    used.how = opened_file::use::makes;
  else if (is_emptied || (flags & O_ACCMODE) == O_WRONLY)
    used.how = opened_file::use::writes;
  used.changes = !is_read_only || is_made || is_emptied;
}

/// Nothing for a call that names no file: fstat() in the form of newfstatat(), fexecve().
std::optional<opened_file> read_request(const seccomp_notif& asked, const watched_call& call, bool by_program) {
  const opened_file hidden{by_program, {}, opened_file::use::hides};
  if (call.path == none) return hidden;
  const std::uint64_t address = asked.data.args[call.path];
  if (address == 0) return std::nullopt;
  const auto process = static_cast<pid_t>(asked.pid);
  const auto text = read_text(process, address);
  if (!text) return hidden;
  if (text->empty()) return std::nullopt;
  const int folder = call.folder == none ? AT_FDCWD : static_cast<int>(asked.data.args[call.folder]);
  opened_file used{by_program, absolute_path(process, folder, *text), call.how, call.what != watched_call::leaves};
  if (used.path.empty()) return errno == ENOENT ? std::nullopt : std::optional(hidden);  // no such descriptor
  struct stat facts {};
  if (call.what == watched_call::makes_new && ::lstat(used.path.c_str(), &facts) == 0) {
    used.how = opened_file::use::looks;
    used.changes = false;
  }
  if (call.flags == none) return used;
  const auto flags = flags_of(asked, call);
  if (!flags) return hidden;
  add_flags(used, *flags);
  return used;
}

std::vector<opened_file> read_requests(const seccomp_notif& asked, bool by_program) {
  const auto number = static_cast<std::uint32_t>(asked.data.nr);
  std::vector<opened_file> all;
  bool is_known = false;
  if (asked.data.arch == architecture)
    for (const watched_call& call : watched_calls) {
      if (call.number != number) continue;
      is_known = true;
      if (auto used = read_request(asked, call, by_program)) all.push_back(std::move(*used));
    }
  if (!is_known) all.push_back({by_program, {}, opened_file::use::hides});
  return all;
}

}  // namespace

std::string_view watching_filter() {
  if (architecture == 0) return {};
  return {reinterpret_cast<const char*>(filter.data()), sizeof filter};
}

void watch_this_process(int socket) {
  message m;
  const int listener = architecture == 0 ? -1 : install_filter();
  if (listener < 0) {
    m.error = architecture == 0 ? ENOSYS : errno;
    m.header.msg_control = nullptr;
    m.header.msg_controllen = 0;
  } else {
    cmsghdr* const sent = CMSG_FIRSTHDR(&m.header);
    sent->cmsg_level = SOL_SOCKET;
    sent->cmsg_type = SCM_RIGHTS;
    sent->cmsg_len = CMSG_LEN(sizeof listener);
    std::memcpy(CMSG_DATA(sent), &listener, sizeof listener);
  }
  // Without a listener that is read, the next open() would wait for ever.
  if (::sendmsg(socket, &m.header, MSG_NOSIGNAL) < 0) ::_exit(127);
  if (listener >= 0) ::close(listener);
}

watched_events::watched_events(pid_t child, int socket, int stream, moment_reader now)
    : child_(child), now_(std::move(now)), stream_(stream) {
  listener_ = receive_listener(socket, refusal_);
  if (stream_ >= 0) {
    buffer_ = std::make_unique_for_overwrite<char[]>(buffer_size);  // zeros: 256 page faults
    ::fcntl(stream_, F_SETFL, ::fcntl(stream_, F_GETFL) | O_NONBLOCK);
    ::fcntl(stream_, F_SETPIPE_SZ, static_cast<int>(buffer_size));  // who writes waits for nobody
  }
  ready_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  stop_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  // Signals are for the thread that runs the program: it answers them.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { answer_until_stopped(); });
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

watched_events::~watched_events() {
  stop();
  for (const int fd : {listener_, stream_, ready_, stop_})
    if (fd >= 0) ::close(fd);
}

void watched_events::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard hold(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
  ::eventfd_write(stop_, 1);
  thread_.join();
}

bool watched_events::ended() {
  const std::lock_guard hold(mutex_);
  return ended_ && events_.empty();
}

bool watched_events::take_all(const std::function<bool(event&)>& take) {
  eventfd_t ignored = 0;
  ::eventfd_read(ready_, &ignored);
  while (true) {
    std::deque<event> now;
    {
      const std::lock_guard hold(mutex_);
      now.swap(events_);
      bytes_ = 0;
    }
    room_.notify_all();
    if (now.empty()) return true;
    for (event& e : now)
      if (!take(e)) return false;
  }
}

void watched_events::push(event e) {
  {
    std::unique_lock hold(mutex_);
    room_.wait(hold, [&] { return bytes_ < most_waiting_bytes || stopping_; });
    if (const auto* bytes = std::get_if<std::string>(&e)) bytes_ += bytes->size();
    events_.push_back(std::move(e));
  }
  ::eventfd_write(ready_, 1);
}

/// False if there is nothing to read at present.
bool watched_events::read_stream() {
  if (stream_ < 0) return false;
  const ssize_t size = ::read(stream_, buffer_.get(), buffer_size);
  if (size < 0) return errno == EINTR;
  if (size == 0) {
    ::close(std::exchange(stream_, -1));
    {
      const std::lock_guard hold(mutex_);
      ended_ = true;
    }
    ::eventfd_write(ready_, 1);
    return false;
  }
  push(std::string(buffer_.get(), static_cast<std::size_t>(size)));
  return true;
}

void watched_events::lose_all() {
  ::close(std::exchange(listener_, -1));
  watches_nobody_ = true;
  ::eventfd_write(ready_, 1);
}

void watched_events::answer() {
  seccomp_notif asked{};
  if (::ioctl(listener_, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) {
    if (errno != ENOENT && errno != EINTR) ::close(std::exchange(listener_, -1));  // ENOENT: it was killed meanwhile
    return;
  }
  while (read_stream()) {
  }
  const moment now = now_ ? now_() : moment{};
  const auto process = static_cast<pid_t>(asked.pid);
  auto all = read_requests(asked, process == child_ || (now.test != 0 && process == now.process));
  for (opened_file& used : all) used.during = now.test;
  seccomp_notif_resp answer{};
  answer.id = asked.id;
  answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  // The pid may be somebody else's by now if the process was killed: what was read is only good if it still waits.
  const bool is_good = ::ioctl(listener_, SECCOMP_IOCTL_NOTIF_ID_VALID, &asked.id) == 0;
  if (is_good)
    for (opened_file& used : all) push(std::move(used));
  ::ioctl(listener_, SECCOMP_IOCTL_NOTIF_SEND, &answer);
}

/// The stream is read when somebody opens a file, and else from time to time: to be woken up for each record costs as
/// much as what is done with it.
void watched_events::answer_until_stopped() {
  constexpr int pause_ms = 10;
  while (true) {
    // The end of the stream is heard of at once.
    std::array<pollfd, 3> waiting{pollfd{stop_, POLLIN, 0}, pollfd{listener_, POLLIN, 0}, pollfd{stream_, 0, 0}};
    if (::poll(waiting.data(), waiting.size(), stream_ < 0 ? -1 : pause_ms) < 0 && errno != EINTR) return;
    if (waiting[0].revents != 0) break;
    if ((waiting[1].revents & POLLIN) != 0)
      answer();
    else if (waiting[1].revents != 0)
      lose_all();
    while (read_stream()) {
    }
  }
  while (read_stream()) {
  }
}

}  // namespace morph::system
