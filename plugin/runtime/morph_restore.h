// What snapshots of measured programs and of programs with probes have in common: a process traps its system calls
// until it puts its own memory back. Linux 5.11 on x86-64 with glibc. Neither restoring nor a trap calls a function of
// the C library: the process may be in the middle of one.
#ifndef MORPH_RUNTIME_RESTORE_H
#define MORPH_RUNTIME_RESTORE_H

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <time.h>
#include <ucontext.h>

#include "morph_memory.h"

namespace {

__attribute__((unused)) uint64_t cpu_us() {
  timespec used = {0, 0};
  call(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, as_number(&used));
  return static_cast<uint64_t>(used.tv_sec) * 1000000 + static_cast<uint64_t>(used.tv_nsec) / 1000;
}

// ---- system calls

bool is_of_test(long descriptor) {
  return descriptor >= 0 && static_cast<size_t>(descriptor) < most_descriptors &&
         (control->descriptors[descriptor / 64] >> (descriptor % 64) & 1) != 0;
}

void set_of_test(long descriptor, bool is) {
  const uint64_t bit = uint64_t{1} << (descriptor % 64);
  uint64_t& word = control->descriptors[descriptor / 64];
  word = is ? word | bit : word & ~bit;
}

size_t whole_pages(long bytes) {
  return (static_cast<size_t>(bytes) + page - 1) / page * page;
}

mapping* find_mapping(long begin, long bytes) {
  for (size_t i = 0; i < control->mapping_count; ++i)
    if (as_number(control->mappings[i].begin) == begin && control->mappings[i].bytes == whole_pages(bytes))
      return &control->mappings[i];
  return nullptr;
}

// Whether all effects of the call can be undone. It has not been made.
bool has_no_lasting_effect(long number, const greg_t* registers, unsigned long blocked) {
  const long first = registers[REG_RDI], second = registers[REG_RSI], third = registers[REG_RDX],
             fourth = registers[REG_R10], fifth = registers[REG_R8];
  const auto only_reads = [](long flags) {
    return (flags & ~(O_CLOEXEC | O_NOCTTY | O_DIRECTORY | O_NOFOLLOW)) == O_RDONLY;
  };
  switch (number) {
    // Of a file that was open before, the next test would not read what this one has read.
    case SYS_read:
    case SYS_readv:
    case SYS_lseek:
    case SYS_getdents64:
      return is_of_test(first);
    case SYS_write:
    case SYS_writev:
      return first == STDOUT_FILENO || first == STDERR_FILENO;
    case SYS_pread64:
    case SYS_fstat:
    case SYS_newfstatat:
    case SYS_stat:
    case SYS_lstat:
    case SYS_statx:
    case SYS_access:
    case SYS_faccessat:
    case SYS_readlink:
    case SYS_readlinkat:
    case SYS_getcwd:
    case SYS_uname:
    case SYS_sysinfo:
    case SYS_getpid:
    case SYS_gettid:
    case SYS_getppid:
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_getrandom:
    case SYS_getrlimit:
    case SYS_getrusage:
    case SYS_times:
    case SYS_time:
    case SYS_gettimeofday:
    case SYS_clock_gettime:
    case SYS_clock_getres:
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
    case SYS_poll:
    case SYS_sched_yield:
    case SYS_sched_getaffinity:
    case SYS_brk:
      return true;
    case SYS_ioctl:
      return second == TCGETS;
    case SYS_fcntl:
      return second == F_GETFD || second == F_GETFL || (second == F_SETFD && is_of_test(first));
    case SYS_prlimit64:
      return third == 0;
    case SYS_rt_sigprocmask:
      return second == 0 || (first == SIG_UNBLOCK && (*reinterpret_cast<const unsigned long*>(second) & blocked) == 0);
    case SYS_futex:
      return (second & ~FUTEX_PRIVATE_FLAG) == FUTEX_WAKE;
    case SYS_open:
      return only_reads(second);
    case SYS_openat:
      return only_reads(third);
    case SYS_close:
      return is_of_test(first);
    case SYS_mmap:
      return fourth == (MAP_PRIVATE | MAP_ANONYMOUS) && static_cast<int>(fifth) == -1 && (third & PROT_EXEC) == 0 &&
             control->mapping_count < most_mappings;
    case SYS_munmap:
      return find_mapping(first, second) != nullptr;
    default:
      return false;
  }
}

const unsigned long bit_of_sigsys = 1UL << (SIGSYS - 1);

// After the call. False if it has become too much.
bool note_call(long number, const greg_t* registers, long result) {
  if (number == SYS_open || number == SYS_openat) {
    if (result >= static_cast<long>(most_descriptors)) return false;
    if (result >= 0) set_of_test(result, true);
  } else if (number == SYS_rt_sigprocmask && result == 0 && registers[REG_RDX] != 0) {
    // While a call is trapped, the kernel blocks this one.
    *reinterpret_cast<unsigned long*>(registers[REG_RDX]) &= ~bit_of_sigsys;
  } else if (number == SYS_brk) {
    control->break_has_moved = 1;
  } else if (number == SYS_close) {
    set_of_test(registers[REG_RDI], false);
  } else if (number == SYS_mmap && result > 0) {
    control->mappings[control->mapping_count++] =
        mapping{reinterpret_cast<char*>(result), whole_pages(registers[REG_RSI])};
  } else if (number == SYS_munmap && result == 0) {
    mapping* const gone = find_mapping(registers[REG_RDI], registers[REG_RSI]);
    *gone = control->mappings[--control->mapping_count];
  }
  return ++control->calls < most_calls;
}

// As the kernel has it.
struct signal_action {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  unsigned long mask;
};
const unsigned long has_restorer = 0x04000000;  // SA_RESTORER

long set_action(const signal_action* action, signal_action* before) {
  return call(SYS_rt_sigaction, SIGSYS, as_number(action), as_number(before), sizeof action->mask);
}

const uint32_t any_lasting_effect = 1, an_end_by_abort = 2;

void stop_trapping(uint32_t why) {
  control->lasting_effect = why;
  control->selector = calls_are_let_through;
  const signal_action none = {nullptr, has_restorer, morph_snapshot_return, 0};
  set_action(&none, nullptr);
  call(SYS_prctl, set_syscall_user_dispatch, 0);
}

void trap_call(int, siginfo_t* info, void* context) {
  ucontext_t* const interrupted = static_cast<ucontext_t*>(context);
  greg_t* const registers = interrupted->uc_mcontext.gregs;
  unsigned long blocked;
  __builtin_memcpy(&blocked, &interrupted->uc_sigmask, sizeof blocked);
  const long number = info->si_syscall;
  const int of_dispatch = 2;  // SYS_USER_DISPATCH
  if (info->si_code != of_dispatch || info->si_arch != AUDIT_ARCH_X86_64 ||
      !has_no_lasting_effect(number, registers, blocked)) {
    stop_trapping(number == SYS_tgkill && registers[REG_RDX] == SIGABRT ? an_end_by_abort : any_lasting_effect);
    const long size_of_instruction = 2;
    registers[REG_RIP] -= size_of_instruction;  // the call again, not trapped any more
    return;
  }
  const long result = call(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                           registers[REG_R8], registers[REG_R9]);
  if (!note_call(number, registers, result)) stop_trapping(any_lasting_effect);
  registers[REG_RAX] = result;
}

void undo_effects() {
  for (size_t word = 0; word < most_descriptors / 64; ++word)
    for (uint64_t left = control->descriptors[word]; left != 0; left &= left - 1)
      call(SYS_close, static_cast<long>(64 * word) + __builtin_ctzll(left));
  restore_memory();
}

void set_blocked(unsigned long signals) {
  call(SYS_rt_sigprocmask, SIG_SETMASK, as_number(&signals), 0, sizeof signals);
}

// System calls from that code are not trapped.
bool trap_calls(const char* untrapped, size_t untrapped_bytes) {
  call(SYS_rt_sigprocmask, SIG_BLOCK, 0, as_number(&control->blocked), sizeof control->blocked);
  signal_action before;
  const signal_action action = {trap_call, SA_SIGINFO | has_restorer, morph_snapshot_return, 0};
  if ((control->blocked & bit_of_sigsys) != 0 || set_action(nullptr, &before) != 0 || before.handler != nullptr)
    return false;
  return set_action(&action, nullptr) == 0 &&
         call(SYS_prctl, set_syscall_user_dispatch, 1, as_number(untrapped), static_cast<long>(untrapped_bytes),
              as_number(&control->selector)) == 0;
}

}  // namespace

#endif
