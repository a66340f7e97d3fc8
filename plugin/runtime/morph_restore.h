// A process puts its own memory back, byte for byte, and traps its system calls until then: what snapshots of measured
// programs and of programs with probes have in common. Linux 5.11 on x86-64 with glibc. Neither restoring nor a trap
// calls a function of the C library: the process may be in the middle of one.
#ifndef MORPH_RUNTIME_RESTORE_H
#define MORPH_RUNTIME_RESTORE_H

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>

// Of glibc 2.35: where the kernel tells on which processor the thread runs.
extern "C" const ptrdiff_t __rseq_offset __attribute__((weak));
extern "C" const unsigned __rseq_size __attribute__((weak));

extern "C" {
// System calls from between these two are not trapped.
extern char morph_untrapped_calls[] __attribute__((visibility("hidden")));
extern char morph_untrapped_calls_end[] __attribute__((visibility("hidden")));
void morph_snapshot_return() __attribute__((visibility("hidden")));  // of a signal's handler
long morph_untrapped_call(long number, long a, long b, long c, long d, long e, long f)
    __attribute__((visibility("hidden")));
// As setjmp() and longjmp(), without what glibc adds.
int morph_snapshot_take(uint64_t* registers) __attribute__((visibility("hidden"), returns_twice));
void morph_snapshot_jump(const uint64_t* registers) __attribute__((visibility("hidden"), noreturn));
void morph_snapshot_on_stack(char* top, void (*function)()) __attribute__((visibility("hidden"), noreturn));
}

asm(R"(
  .pushsection .text
  .hidden morph_untrapped_calls, morph_untrapped_calls_end, morph_snapshot_return, morph_untrapped_call
  .hidden morph_snapshot_take, morph_snapshot_jump, morph_snapshot_on_stack
  .globl morph_untrapped_calls, morph_untrapped_calls_end, morph_snapshot_return, morph_untrapped_call
  .globl morph_snapshot_take, morph_snapshot_jump, morph_snapshot_on_stack
  .balign 16
morph_untrapped_calls:
morph_snapshot_return:
  movl $15, %eax
  syscall
morph_untrapped_call:
  movq %rdi, %rax
  movq %rsi, %rdi
  movq %rdx, %rsi
  movq %rcx, %rdx
  movq %r8, %r10
  movq %r9, %r8
  movq 8(%rsp), %r9
  syscall
  ret
morph_untrapped_calls_end:
morph_snapshot_take:
  movq %rbx, (%rdi)
  movq %rbp, 8(%rdi)
  movq %r12, 16(%rdi)
  movq %r13, 24(%rdi)
  movq %r14, 32(%rdi)
  movq %r15, 40(%rdi)
  leaq 8(%rsp), %rax
  movq %rax, 48(%rdi)
  movq (%rsp), %rax
  movq %rax, 56(%rdi)
  stmxcsr 64(%rdi)
  fnstcw 68(%rdi)
  xorl %eax, %eax
  ret
morph_snapshot_jump:
  movq (%rdi), %rbx
  movq 8(%rdi), %rbp
  movq 16(%rdi), %r12
  movq 24(%rdi), %r13
  movq 32(%rdi), %r14
  movq 40(%rdi), %r15
  movq 48(%rdi), %rsp
  ldmxcsr 64(%rdi)
  fninit
  fldcw 68(%rdi)
  cld
  movl $1, %eax
  jmpq *56(%rdi)
morph_snapshot_on_stack:
  movq %rdi, %rsp
  xorl %ebp, %ebp
  callq *%rsi
  ud2
  .popsection
)");

namespace {

const unsigned unwatched = 0x4d4f5250;     // as the mode of an openat() that the kernel need not tell of
const int set_syscall_user_dispatch = 59;  // PR_SET_SYSCALL_USER_DISPATCH
const char calls_are_let_through = 0;
const char calls_are_trapped = 1;

const size_t page = 4096;
const size_t most_bytes = size_t{8} << 20;  // of a process: to look through more takes longer than to fork
const size_t most_regions = 256;
const size_t most_mappings = 64;
const size_t most_descriptors = 1024;
const size_t most_stack = size_t{64} << 20;  // kernels leave more than that between a stack and what is below
const uint32_t most_calls = 4096;            // of a test: each trap is a signal

struct region {
  char* begin;
  size_t bytes;
  size_t offset;  // in the copy
};

struct mapping {
  char* begin;
  size_t bytes;
};

// Shared by the supervisor and the test's process: not among what is restored.
struct shared_control {
  volatile char selector;  // which the kernel reads at each system call
  uint32_t started;        // tests, by the supervisor; the process waits for the next one
  uint32_t ended;          // tests, by the process
  size_t number;
  long process;  // that can be restored
  uint32_t can_be_restored;
  uint32_t lasting_effect;  // zero; else why the process cannot be restored any more
  unsigned long blocked;    // signals
  uint32_t calls;           // of the test
  int status;
  uint64_t cpu_started;
  uint64_t cpu_us;
  int told;  // an eventfd: the process has ended a test
  uint64_t registers[9];
  char* program_break;
  uint32_t break_has_moved;
  char* lowest_of_stack;
  size_t room_of_stack;  // below, where it may grow
  region regions[most_regions];
  size_t region_count;
  size_t first_shared;              // of them: pages with counters, which the supervisor reads when a test has ended
  mapping mappings[most_mappings];  // since the test began
  size_t mapping_count;
  uint64_t descriptors[most_descriptors / 64];  // since the test began
  char text[65536];                             // /proc/self/maps
  char stack[65536] __attribute__((aligned(64)));
  char copy[most_bytes] __attribute__((aligned(page)));
};

shared_control* control = nullptr;

long call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
  return morph_untrapped_call(number, a, b, c, d, e, f);
}

long as_number(const volatile void* address) {
  return reinterpret_cast<long>(address);
}

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

// ---- memory

typedef uint64_t words __attribute__((vector_size(16), may_alias));

bool is_same_page(const char* one, const char* other) {
  const words* const a = reinterpret_cast<const words*>(one);
  const words* const b = reinterpret_cast<const words*>(other);
  words differ = {0, 0};
  for (size_t i = 0; i < page / sizeof(words); i += 4)
    differ |= (a[i] ^ b[i]) | (a[i + 1] ^ b[i + 1]) | (a[i + 2] ^ b[i + 2]) | (a[i + 3] ^ b[i + 3]);
  return (differ[0] | differ[1]) == 0;
}

void copy_page(char* to, const char* from) {
  words* const a = reinterpret_cast<words*>(to);
  const words* const b = reinterpret_cast<const words*>(from);
  for (size_t i = 0; i < page / sizeof(words); ++i) a[i] = b[i];
}

void make_same(char* to, const char* from, size_t bytes) {
  for (size_t at = 0; at < bytes; at += page)
    if (!is_same_page(to + at, from + at)) copy_page(to + at, from + at);
}

int open_unwatched(const char* path) {
  return static_cast<int>(call(SYS_openat, AT_FDCWD, as_number(path), O_RDONLY | O_CLOEXEC, unwatched));
}

uint64_t read_hexadecimal(const char*& text) {
  uint64_t value = 0;
  for (;; ++text) {
    const char c = *text;
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) return value;
    value = value * 16 + static_cast<uint64_t>(digit);
  }
}

bool add_region(char* begin, size_t bytes) {
  if (bytes == 0) return true;
  const region* const last = control->region_count == 0 ? nullptr : &control->regions[control->region_count - 1];
  const size_t offset = last == nullptr ? 0 : last->offset + last->bytes;
  if (control->region_count == most_regions || bytes > most_bytes - offset) return false;
  control->regions[control->region_count++] = region{begin, bytes, offset};
  return true;
}

// All that is the process's own and may be written, except for what is left out: code that has probes, memory that
// nobody uses.
bool find_regions(bool without_code, mapping left_out) {
  const int file = open_unwatched("/proc/self/maps");
  if (file < 0) return false;
  size_t size = 0;
  long got = 0;
  while (size < sizeof control->text - 1 && (got = call(SYS_read, file, as_number(control->text + size),
                                                        static_cast<long>(sizeof control->text - 1 - size))) > 0)
    size += static_cast<size_t>(got);
  call(SYS_close, file);
  if (got != 0) return false;
  control->text[size] = '\0';
  rlimit stack = {0, 0};
  call(SYS_getrlimit, RLIMIT_STACK, as_number(&stack));
  if (stack.rlim_cur > most_stack) return false;
  control->region_count = 0;
  control->lowest_of_stack = nullptr;
  const char* below = nullptr;
  for (const char* at = control->text; *at != '\0';) {
    char* const begin = reinterpret_cast<char*>(read_hexadecimal(at));
    ++at;
    char* const end = reinterpret_cast<char*>(read_hexadecimal(at));
    ++at;
    const bool is_read = at[0] == 'r', is_written = at[1] == 'w', is_code = at[2] == 'x', is_own = at[3] == 'p';
    const char* const line_end = strchr(at, '\n');
    if (line_end == nullptr) return false;
    const bool is_stack = memcmp(line_end - 7, "[stack]", 7) == 0;
    at = line_end + 1;
    if (is_stack) {
      control->lowest_of_stack = begin;
      control->room_of_stack = std::min(static_cast<size_t>(begin - below), most_stack);
    }
    below = end;
    if (!is_written || !is_own || (is_code && without_code)) continue;
    char* const gap = std::min(std::max(left_out.begin, begin), end);
    char* const gap_end = std::max(gap, std::min(left_out.begin + left_out.bytes, end));
    if (!is_read || !add_region(begin, static_cast<size_t>(gap - begin)) ||
        !add_region(gap_end, static_cast<size_t>(end - gap_end)))
      return false;
  }
  return control->lowest_of_stack != nullptr;
}

void copy_memory() {
  for (size_t i = 0; i < control->region_count; ++i) {
    const region& r = control->regions[i];
    make_same(control->copy + r.offset, r.begin, r.bytes);
  }
}

// Where the kernel writes by itself; null if it does not.
volatile uint64_t* place_of_processor() {
  const bool is_there = &__rseq_offset != nullptr && &__rseq_size != nullptr && __rseq_size != 0;
  char* const thread = static_cast<char*>(__builtin_thread_pointer());
  return is_there ? reinterpret_cast<volatile uint64_t*>(thread + __rseq_offset) : nullptr;
}
const size_t words_of_processor = 4;

void restore_regions(size_t first, size_t end) {
  for (size_t i = first; i < end; ++i) {
    const region& r = control->regions[i];
    make_same(r.begin, control->copy + r.offset, r.bytes);
  }
}

void restore_memory() {
  if (control->break_has_moved != 0) call(SYS_brk, as_number(control->program_break));
  for (size_t i = 0; i < control->mapping_count; ++i)
    call(SYS_munmap, as_number(control->mappings[i].begin), static_cast<long>(control->mappings[i].bytes));
  uint64_t kept[words_of_processor];
  volatile uint64_t* const of_processor = place_of_processor();
  for (size_t i = 0; of_processor != nullptr && i < words_of_processor; ++i) kept[i] = of_processor[i];
  restore_regions(0, control->first_shared);
  for (size_t i = 0; of_processor != nullptr && i < words_of_processor; ++i) of_processor[i] = kept[i];
  // Pages that the stack has got since then.
  call(SYS_madvise, as_number(control->lowest_of_stack - control->room_of_stack),
       static_cast<long>(control->room_of_stack), MADV_DONTNEED);
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
