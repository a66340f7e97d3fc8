// The memory of this process, copied and put back byte for byte, by code that calls no function of the C library: the
// process may be in the middle of one. Linux 5.11 on x86-64 with glibc.
#ifndef MORPH_RUNTIME_MEMORY_H
#define MORPH_RUNTIME_MEMORY_H

#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
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

}  // namespace

#endif
