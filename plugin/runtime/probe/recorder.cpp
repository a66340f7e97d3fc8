// The conversation that begins a row, and the mark that ends it.
#include "recorder.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"
#include "next.h"
#include "plugin/spool/recording.h"
#include "series.h"
#include "text.h"

namespace morph_probe {
namespace {

constexpr long permission_denied = -13, invalid = -22, refused = -111, none_there = -2;
constexpr unsigned long wait_killable = 1ul << 5;  // SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, of Linux 5.19

void add_number(text& to, long number) {
  char digits[24];
  int n = 0;
  for (long rest = number; n == 0 || rest > 0; rest /= 10) digits[n++] = static_cast<char>('0' + rest % 10);
  while (n > 0) to.add(digits[--n]);
}

void pause(long milliseconds) {
  const timespec time = {0, milliseconds * 1000000};
  call_kernel(SYS_nanosleep, &time, nullptr);
}

// By a short path, whatever that of the folder is.
long connect_to(const text& folder) {
  const long place = call_kernel(SYS_openat, AT_FDCWD, folder.bytes, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (place < 0) return place;
  text path;
  path << "/proc/self/fd/";
  add_number(path, place);
  path << "/" << recorder_socket;
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  for (size_t i = 0; i < path.size; ++i) address.sun_path[i] = path.bytes[i];
  const long socket = call_kernel(SYS_socket, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  long error = socket < 0 ? socket : call_kernel(SYS_connect, socket, &address, sizeof address);
  call_kernel(SYS_close, place);
  if (error < 0 && socket >= 0) call_kernel(SYS_close, socket);
  return error < 0 ? error : socket;
}

// A child of which no signal tells when it ends.
long fork_kernel() {
  return call_kernel(SYS_clone, 0, 0, 0, 0, 0);
}

// It goes into the background by itself when it can be asked.
enum class start { done, not_needed, failed };
start start_recorder(const text& folder, const char* library) {
  text program;
  program << library;
  while (program.size > 0 && program.bytes[program.size - 1] != '/') program.cut(program.size - 1);
  program << recorder_program;
  const long child = fork_kernel();
  if (child == 0) {
    const char* const arguments[] = {program.bytes, folder.bytes, nullptr};
    const char* const variables[] = {nullptr};
    call_kernel(SYS_execve, program.bytes, arguments, variables);
    call_kernel(SYS_exit_group, 127);
  }
  constexpr int all_children = 0x40000000;  // __WALL
  int status = -1;
  if (child > 0) call_kernel(SYS_wait4, child, &status, all_children, nullptr);
  if (status == recorder_is_there << 8) return start::not_needed;
  return status == 0 ? start::done : start::failed;
}

// The process of the recorder; 0: it is another user's.
long recorder_of(long socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  const bool is_ours = call_kernel(SYS_getsockopt, socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
                       static_cast<long>(peer.uid) == call_kernel(SYS_geteuid);
  return is_ours ? peer.pid : 0;
}

long connect_or_start(const text& folder, const char* library) {
  constexpr int tries = 200;
  long socket = none_there;
  for (int i = 0; i < tries; ++i) {
    socket = connect_to(folder);
    if (socket != refused && socket != none_there) break;
    const start done = start_recorder(folder, library);
    if (done == start::failed) break;
    if (done == start::not_needed || i > 0) pause(10);  // that one is about to be asked, or about to end
  }
  return socket;
}

long install(const sock_fprog& program) {
  constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_SPEC_ALLOW;
  long listener = permission_denied;
  for (int with_no_new_privileges = 0; with_no_new_privileges < 2 && listener == permission_denied;
       ++with_no_new_privileges) {
    if (with_no_new_privileges != 0) call_kernel(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    listener = call_kernel(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags | wait_killable, &program);
    if (listener == invalid) listener = call_kernel(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program);
  }
  return listener;
}

// An errno, and with 0 a descriptor.
bool send_listener(long socket, long listener) {
  int error = listener < 0 ? static_cast<int>(-listener) : 0;
  iovec data = {&error, sizeof error};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message = {};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (error == 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const sent = CMSG_FIRSTHDR(&message);
    sent->cmsg_level = SOL_SOCKET;
    sent->cmsg_type = SCM_RIGHTS;
    sent->cmsg_len = CMSG_LEN(sizeof(int));
    *reinterpret_cast<int*>(CMSG_DATA(sent)) = static_cast<int>(listener);
  }
  return call_kernel(SYS_sendmsg, socket, &message, MSG_NOSIGNAL) >= 0;
}

alignas(8) char answer[longest_message];

// Of the row: the file that says how its process ended, and that process.
char end_file[1100];
long end_of = 0;
void (*next_exit)(int) = nullptr;

// On whatever stack the process ends.
void note_end(int status) {
  end_worker(status);
  if (end_of == 0 || call_kernel(SYS_getpid) != end_of) return;
  char digits[4];
  size_t n = sizeof digits;
  for (int rest = status & 0xff; n == sizeof digits || rest > 0; rest /= 10)
    digits[--n] = static_cast<char>('0' + rest % 10);
  const long file = open_of_row(end_file, O_WRONLY | O_TRUNC);
  if (file < 0) return;
  call_kernel(SYS_write, file, digits + n, sizeof digits - n);
  call_kernel(SYS_close, file);
}

void at_exit(int status, void*) {
  note_end(status);
  go_on_in_worker(status);
}

long number_at(const char* at) {
  long number = 0;
  while (*at >= '0' && *at <= '9') number = number * 10 + (*at++ - '0');
  return number;
}

// FOLDER/live/PID.NUMBER.RECORDER: behind the last slash, and behind the last dot. Rows of others have no dots.
const char* last_part(const char* path, char behind) {
  const char* last = nullptr;
  for (const char* at = path; *at != '\0'; ++at)
    if (*at == behind) last = at + 1;
  return last;
}

long recorder_process = 0;

// Where only parents may look into processes (Yama), the recorder may, too.
void let_recorder_read() {
  constexpr long set_ptracer = 0x59616d61;  // PR_SET_PTRACER
  if (recorder_process != 0) call_kernel(SYS_prctl, set_ptracer, recorder_process, 0, 0, 0);
}

}  // namespace

long open_of_row(const char* path, int flags) {
  const long file = call_kernel(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, mode_of_own_opens);
  return file == none_there ? call_kernel(SYS_openat, AT_FDCWD, path, flags | O_CREAT | O_CLOEXEC, 0666) : file;
}

const char* ask_for_row(const char* asked, const char* series, const char* library) {
  text folder;
  folder << asked;
  if (!folder.fits) return nullptr;
  for (int parts = 0; parts < 2; ++parts) {
    while (folder.size > 0 && folder.bytes[folder.size - 1] != '/') folder.cut(folder.size - 1);
    if (folder.size > 0) folder.cut(folder.size - 1);
  }
  const long socket = connect_or_start(folder, library);
  if (socket < 0) return nullptr;
  recorder_process = recorder_of(socket);
  let_recorder_read();
  text message;
  message << asked;
  if (*series != '\0') message.add('\0') << series;
  long size = -1;
  if (recorder_process != 0 && message.fits &&
      call_kernel(SYS_sendto, socket, message.bytes, message.size, MSG_NOSIGNAL, nullptr, 0) > 0)
    size = call_kernel(SYS_recvfrom, socket, answer, sizeof answer, 0, nullptr, nullptr);
  const grant& given = *reinterpret_cast<const grant*>(answer);
  const bool is_granted = size >= static_cast<long>(sizeof given) &&
                          static_cast<unsigned long>(size) == sizeof given + given.filters * sizeof(sock_filter);
  if (is_granted) {
    long listener = -38;  // ENOSYS
    if (given.filters != 0) {
      const sock_fprog program = {static_cast<unsigned short>(given.filters),
                                  reinterpret_cast<sock_filter*>(answer + sizeof given)};
      listener = install(program);
    }
    // Nobody would answer the next open().
    if (!send_listener(socket, listener) && listener >= 0) call_kernel(SYS_exit_group, 127);
    if (listener >= 0) call_kernel(SYS_close, listener);
  }
  call_kernel(SYS_close, socket);
  return is_granted ? given.row : nullptr;
}

bool is_of_recorder(const char* row) {
  const char* const name = last_part(row, '/');
  return name != nullptr && last_part(name, '.') != nullptr;
}

void begin_row(const char* row) {
  if (!is_of_recorder(row)) return;
  recorder_process = number_at(last_part(row, '.'));
  let_recorder_read();
}

void find_next_exit() {
  next_exit = reinterpret_cast<void (*)(int)>(dlsym(RTLD_NEXT, "_exit"));
}

void tell_end_of(const char* row) {
  if (is_in_series()) on_exit(at_exit, nullptr);
  if (!is_of_recorder(row)) return;
  pthread_atfork(nullptr, nullptr, let_recorder_read);
  text path;
  path << row << end_of_row;
  if (!path.fits || path.size >= sizeof end_file) return;
  for (size_t i = 0; i <= path.size; ++i) end_file[i] = path.bytes[i];
  end_of = number_at(last_part(row, '/'));
  if (is_in_series()) return;
  // Not by the program's own: Clang's ThreadSanitizer has one there that cannot be called yet (19).
  MORPH_NEXT(on_exit);
  next_on_exit(at_exit, nullptr);
}

}  // namespace morph_probe

namespace {

[[noreturn]] void leave(int status) {
  morph_probe::note_end(status);
  if (morph_probe::next_exit != nullptr) morph_probe::next_exit(status);
  for (;;) morph_probe::call_kernel(SYS_exit_group, status);
}

}  // namespace

MORPH_INTERPOSED void _exit(int status) {
  leave(status);
}

MORPH_INTERPOSED void _Exit(int status) noexcept {
  leave(status);
}

MORPH_INTERPOSED void quick_exit(int status) noexcept {
  MORPH_NEXT(quick_exit);
  morph_probe::note_end(status);
  next_quick_exit(status);
  __builtin_unreachable();
}
