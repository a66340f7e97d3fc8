// Programs that a test executes record to its row, too. And what no probe survives is noticed before it is done.
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "machine.h"
#include "next.h"
#include "probe.h"
#include "text.h"

using morph_probe::call_kernel;
using morph_probe::is_active;

namespace {

bool names_same(const char* entry, const char* other) {
  while (*entry != '=' && *entry != '\0' && *entry == *other) ++entry, ++other;
  return *entry == '=' && *other == '=';
}

size_t count(char* const* list) {
  size_t n = 0;
  while (list != nullptr && list[n] != nullptr) ++n;
  return n;
}

constexpr size_t most_injected = 4;
constexpr const char preload[] = "LD_PRELOAD=";

// Ours first, then what else the program wants to be loaded.
char* united_preload(const char* ours, const char* theirs, char* to) {
  char* at = stpcpy(to, ours);
  theirs += sizeof preload - 1;
  if (*theirs != '\0' && strstr(theirs, ours + sizeof preload - 1) == nullptr) {
    *at++ = ':';
    strcpy(at, theirs);
  }
  return to;
}

// The size of the texts that it needs beside the list.
size_t preload_room(char* const* variables) {
  size_t room = 1;
  for (char* const* v = variables; v != nullptr && *v != nullptr; ++v)
    if (strncmp(*v, preload, sizeof preload - 1) == 0) room += strlen(*v);
  for (const char* const* i = morph_probe::injected_variables(); *i != nullptr; ++i) room += strlen(*i) + 1;
  return room;
}

// A child of vfork() may do no more than write to the caller's stack.
char* const* with_ours(char* const* variables, char** list, char* texts) {
  const char* const* const ours = morph_probe::injected_variables();
  size_t n = 0;
  const char* theirs = preload;
  for (char* const* v = variables; v != nullptr && *v != nullptr; ++v) {
    bool is_replaced = false;
    for (const char* const* i = ours; *i != nullptr; ++i) is_replaced = is_replaced || names_same(*v, *i);
    if (strncmp(*v, preload, sizeof preload - 1) == 0) theirs = *v;
    if (!is_replaced) list[n++] = *v;
  }
  for (const char* const* i = ours; *i != nullptr; ++i) {
    const bool is_preload = strncmp(*i, preload, sizeof preload - 1) == 0;
    list[n++] = is_preload ? united_preload(*i, theirs, texts) : const_cast<char*>(*i);
  }
  list[n] = nullptr;
  return list;
}

#define WITH_OURS(variables)                                                                                      \
  (is_active()                                                                                                    \
       ? with_ours(variables,                                                                                     \
                   static_cast<char**>(__builtin_alloca((count(variables) + most_injected + 1) * sizeof(char*))), \
                   static_cast<char*>(__builtin_alloca(preload_room(variables))))                                 \
       : (variables))

// What is executed by name and not by libc's environment finds ours in that.
void put_into_environment() {
  if (!is_active()) return;
  for (const char* const* i = morph_probe::injected_variables(); *i != nullptr; ++i) {
    const char* const value = strchr(*i, '=') + 1;
    morph_probe::text name;
    for (const char* at = *i; *at != '='; ++at) name.add(*at);
    const char* const now = getenv(name.bytes);
    if (now == nullptr || (strncmp(*i, preload, sizeof preload - 1) != 0 && strcmp(now, value) != 0))
      setenv(name.bytes, value, 1);
  }
}

// A program of the build that the loader does not run, or not with what LD_PRELOAD names, records nothing.
void check_program(const char* path) {
  if (!is_active() || path == nullptr) return;
  char whole[4096];
  const long file = call_kernel(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  morph_probe::text link;
  link << "/proc/self/fd/";
  char digits[12];
  int n = 0;
  for (long rest = file; n == 0 || rest > 0; rest /= 10) digits[n++] = static_cast<char>('0' + rest % 10);
  while (n > 0) link.add(digits[--n]);
  const long size = call_kernel(SYS_readlinkat, AT_FDCWD, link.bytes, whole, sizeof whole - 1);
  whole[size > 0 ? size : 0] = '\0';
  ElfW(Ehdr) header;
  struct stat status;
  if (morph_probe::is_of_build(whole) && call_kernel(SYS_fstat, file, &status) == 0 &&
      call_kernel(SYS_pread64, file, &header, sizeof header, 0) == static_cast<long>(sizeof header) &&
      memcmp(header.e_ident, ELFMAG, SELFMAG) == 0) {
    bool has_loader = false;
    for (unsigned i = 0; i < header.e_phnum && !has_loader; ++i) {
      ElfW(Phdr) segment;
      call_kernel(SYS_pread64, file, &segment, sizeof segment, header.e_phoff + i * sizeof segment);
      has_loader = segment.p_type == PT_INTERP;
    }
    if (!has_loader) morph_probe::note_incomplete("a static program was executed: ", whole);
    if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
      morph_probe::note_incomplete("a program with rights of its own was executed: ", whole);
  }
  call_kernel(SYS_close, file);
}

// The arguments of execl() and its kin, up to the null.
#define LIST_OF(first, list)                                                               \
  va_list counted;                                                                         \
  va_start(counted, first);                                                                \
  size_t length = 1;                                                                       \
  while (va_arg(counted, char*) != nullptr) ++length;                                      \
  va_end(counted);                                                                         \
  char** const list = static_cast<char**>(__builtin_alloca((length + 1) * sizeof(char*))); \
  va_list taken;                                                                           \
  va_start(taken, first);                                                                  \
  list[0] = const_cast<char*>(first);                                                      \
  for (size_t i = 1; i <= length; ++i) list[i] = va_arg(taken, char*)

}  // namespace

MORPH_INTERPOSED int execve(const char* path, char* const* arguments, char* const* variables) noexcept {
  MORPH_NEXT(execve);
  check_program(path);
  return next_execve(path, arguments, WITH_OURS(variables));
}

MORPH_INTERPOSED int execvpe(const char* file, char* const* arguments, char* const* variables) noexcept {
  MORPH_NEXT(execvpe);
  check_program(file);
  return next_execvpe(file, arguments, WITH_OURS(variables));
}

MORPH_INTERPOSED int execv(const char* path, char* const* arguments) noexcept {
  MORPH_NEXT(execve);
  check_program(path);
  return next_execve(path, arguments, WITH_OURS(environ));
}

MORPH_INTERPOSED int execvp(const char* file, char* const* arguments) noexcept {
  MORPH_NEXT(execvpe);
  check_program(file);
  return next_execvpe(file, arguments, WITH_OURS(environ));
}

MORPH_INTERPOSED int fexecve(int file, char* const* arguments, char* const* variables) noexcept {
  MORPH_NEXT(fexecve);
  return next_fexecve(file, arguments, WITH_OURS(variables));
}

MORPH_INTERPOSED int execl(const char* path, const char* first, ...) noexcept {
  LIST_OF(first, list);
  va_end(taken);
  return execv(path, list);
}

MORPH_INTERPOSED int execlp(const char* file, const char* first, ...) noexcept {
  LIST_OF(first, list);
  va_end(taken);
  return execvp(file, list);
}

MORPH_INTERPOSED int execle(const char* path, const char* first, ...) noexcept {
  LIST_OF(first, list);
  char** const variables = va_arg(taken, char**);
  va_end(taken);
  return execve(path, list, variables);
}

MORPH_INTERPOSED int posix_spawn(pid_t* process, const char* path, const posix_spawn_file_actions_t* actions,
                                 const posix_spawnattr_t* attributes, char* const* arguments,
                                 char* const* variables) noexcept {
  MORPH_NEXT(posix_spawn);
  check_program(path);
  return next_posix_spawn(process, path, actions, attributes, arguments, WITH_OURS(variables));
}

MORPH_INTERPOSED int posix_spawnp(pid_t* process, const char* file, const posix_spawn_file_actions_t* actions,
                                  const posix_spawnattr_t* attributes, char* const* arguments,
                                  char* const* variables) noexcept {
  MORPH_NEXT(posix_spawnp);
  check_program(file);
  return next_posix_spawnp(process, file, actions, attributes, arguments, WITH_OURS(variables));
}

MORPH_INTERPOSED int system(const char* command) {
  MORPH_NEXT(system);
  put_into_environment();
  return next_system(command);
}

MORPH_INTERPOSED FILE* popen(const char* command, const char* kind) {
  MORPH_NEXT(popen);
  put_into_environment();
  return next_popen(command, kind);
}

MORPH_INTERPOSED int prctl(int option, ...) noexcept {
  va_list list;
  va_start(list, option);
  unsigned long a[4];
  for (unsigned long& each : a) each = va_arg(list, unsigned long);
  va_end(list);
  MORPH_NEXT(prctl);
  if (is_active() && option == PR_SET_SECCOMP) morph_probe::give_up("prctl(PR_SET_SECCOMP)");
  return next_prctl(option, a[0], a[1], a[2], a[3]);
}

MORPH_INTERPOSED long ptrace(enum __ptrace_request request, ...) noexcept {
  va_list list;
  va_start(list, request);
  unsigned long a[3];
  for (unsigned long& each : a) each = va_arg(list, unsigned long);
  va_end(list);
  MORPH_NEXT(ptrace);
  if (is_active()) morph_probe::give_up("ptrace()");
  return next_ptrace(request, a[0], a[1], a[2]);
}

// By number. What a test asks of the kernel by an instruction of its own is not seen.
MORPH_INTERPOSED long syscall(long number, ...) noexcept {
  va_list list;
  va_start(list, number);
  long a[6];
  for (long& each : a) each = va_arg(list, long);
  va_end(list);
  MORPH_NEXT(syscall);
  if (!is_active()) return next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  uint64_t mask;
  if (number == SYS_rt_sigprocmask && a[0] != SIG_UNBLOCK && a[1] != 0) {
    mask = *reinterpret_cast<const uint64_t*>(a[1]) & ~(1ull << (SIGTRAP - 1));
    a[1] = reinterpret_cast<long>(&mask);
  }
  if (number == SYS_rt_sigaction && a[0] == SIGTRAP && a[1] != 0)
    morph_probe::give_up("a handler of SIGTRAP by syscall()");
  if (number == SYS_execve) {
    check_program(reinterpret_cast<const char*>(a[0]));
    a[2] = reinterpret_cast<long>(WITH_OURS(reinterpret_cast<char* const*>(a[2])));
  }
  if (number == SYS_seccomp) morph_probe::give_up("seccomp");
  void* const begin = reinterpret_cast<void*>(a[0]);
  if (number == SYS_mprotect) return mprotect(begin, static_cast<size_t>(a[1]), static_cast<int>(a[2]));
  if (number == SYS_pkey_mprotect)
    return pkey_mprotect(begin, static_cast<size_t>(a[1]), static_cast<int>(a[2]), static_cast<int>(a[3]));
  morph_probe::look_at_memory(number, a);
  return next_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
