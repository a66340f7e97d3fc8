// The two machines: system calls without libc, breakpoints, what a signal's context says, and the way on from a probe.
#ifndef MORPH_RUNTIME_PROBE_MACHINE_H
#define MORPH_RUNTIME_PROBE_MACHINE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <ucontext.h>

namespace morph_probe {

#if defined(__x86_64__)

typedef uint8_t code_unit;
constexpr code_unit breakpoint = 0xcc;  // int3
constexpr code_unit call_opcode = 0xe8;
constexpr bool has_calls = true;

inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

inline uintptr_t trapped_at(const ucontext_t& context) {
  return static_cast<uintptr_t>(context.uc_mcontext.gregs[REG_RIP]) - sizeof(code_unit);
}
inline void continue_at(ucontext_t& context, uintptr_t address) {
  context.uc_mcontext.gregs[REG_RIP] = static_cast<greg_t>(address);
}
// As if the function that was entered had returned.
inline void continue_behind_call(ucontext_t& context) {
  greg_t& stack = context.uc_mcontext.gregs[REG_RSP];
  context.uc_mcontext.gregs[REG_RIP] = *reinterpret_cast<const greg_t*>(stack);
  stack += static_cast<greg_t>(sizeof(void*));
}
inline void have_fetched(uintptr_t, size_t) {}

// What rt_sigaction takes.
struct kernel_action {
  uintptr_t handler;
  unsigned long flags;
  uintptr_t restorer;
  uint64_t mask;
};
constexpr unsigned long with_restorer = 0x04000000;

// Whether the processor checks return addresses, which a call at a function's entry would not pass.
inline bool has_shadow_stack() {
  uint64_t pointer = 0;
  __asm__ volatile("rdsspq %0" : "+r"(pointer));  // without shadow stacks it does nothing
  return pointer != 0;
}

#elif defined(__aarch64__)

typedef uint32_t code_unit;
constexpr code_unit breakpoint = 0xd4200000u | (0x4d << 5);  // brk #0x4d
constexpr bool has_calls = false;

inline long system_call(long number, long a, long b, long c, long d, long e, long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}

inline uintptr_t trapped_at(const ucontext_t& context) {
  return context.uc_mcontext.pc;
}
inline void continue_at(ucontext_t& context, uintptr_t address) {
  context.uc_mcontext.pc = address;
}
inline void continue_behind_call(ucontext_t& context) {
  context.uc_mcontext.pc = context.uc_mcontext.regs[30];
}
inline void have_fetched(uintptr_t address, size_t size) {
  __builtin___clear_cache(reinterpret_cast<char*>(address), reinterpret_cast<char*>(address + size));
}

struct kernel_action {
  uintptr_t handler;
  unsigned long flags;
  uint64_t mask;
  uintptr_t restorer;
};
constexpr unsigned long with_restorer = 0;
inline bool has_shadow_stack() {
  return false;
}

#else
#error "probes know x86-64 and AArch64"
#endif

template <typename T>
long word(T value) {
  return (long)value;  // NOLINT: pointers and numbers alike
}

template <typename... Arguments>
long call_kernel(long number, Arguments... arguments) {
  const long words[7] = {word(arguments)..., 0};
  constexpr size_t n = sizeof...(arguments);
  return system_call(number, n > 0 ? words[0] : 0, n > 1 ? words[1] : 0, n > 2 ? words[2] : 0, n > 3 ? words[3] : 0,
                     n > 4 ? words[4] : 0, n > 5 ? words[5] : 0);
}

}  // namespace morph_probe

#endif
