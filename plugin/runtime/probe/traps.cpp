// What comes to a probe: breakpoints by SIGTRAP, calls by a few instructions of our own. Other traps are the program's.
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "objects.h"
#include "probe.h"

namespace morph_probe {
namespace {

uintptr_t loader_tells_at = 0;
struct sigaction of_program;

void restore_default_action() {
  kernel_action none = {};
  call_kernel(SYS_rt_sigaction, SIGTRAP, &none, nullptr, sizeof none.mask);
}

// What the program would have got: its handler runs with its own mask, but its functions have probes, too.
void pass_on(int number, siginfo_t* info, void* context, bool by_instruction) {
  uint64_t mask = *reinterpret_cast<const uint64_t*>(&static_cast<ucontext_t*>(context)->uc_sigmask) |
                  *reinterpret_cast<const uint64_t*>(&of_program.sa_mask);
  mask &= ~(1ull << (SIGTRAP - 1));
  call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, sizeof mask);
  if ((of_program.sa_flags & SA_SIGINFO) != 0 && of_program.sa_sigaction != nullptr) {
    of_program.sa_sigaction(number, info, context);
  } else if (of_program.sa_handler == SIG_DFL || (of_program.sa_handler == SIG_IGN && by_instruction)) {
    restore_default_action();
    call_kernel(SYS_tgkill, call_kernel(SYS_getpid), call_kernel(SYS_gettid), SIGTRAP);
  } else if (of_program.sa_handler != SIG_IGN) {
    of_program.sa_handler(number);
  }
}

void on_trap(int number, siginfo_t* info, void* context) {
  ucontext_t& user = *static_cast<ucontext_t*>(context);
  const uintptr_t address = trapped_at(user);
  const bool by_instruction = info->si_code > 0;
  const uintptr_t goes_on = by_instruction ? note_entry(address) : 0;
  if (goes_on != 0) return continue_at(user, goes_on);
  if (by_instruction && address == loader_tells_at) {
    bool is_consistent = true;
    each_namespace([&](const r_debug_extended& space) {
      is_consistent = is_consistent && space.base.r_state == r_debug::RT_CONSISTENT;
    });
    if (is_consistent) look_at_objects();
    return continue_behind_call(user);
  }
  pass_on(number, info, context, by_instruction);
}

#if defined(__x86_64__)

// Back from the handler.
extern "C" void morph_probe_return() __attribute__((visibility("hidden")));
__asm__(
    ".text\n"
    ".type morph_probe_return,@function\n"
    "morph_probe_return:\n"
    "  mov $15,%eax\n"
    "  syscall\n"
    ".size morph_probe_return,.-morph_probe_return\n");

// A call at a function's entry comes here by way of its object's slot. On it goes with the function, as if nothing had
// been: all registers that may hold arguments are as they were, and what is called uses no others.
__asm__(
    ".text\n"
    ".globl morph_probe_entry\n"
    ".hidden morph_probe_entry\n"
    ".type morph_probe_entry,@function\n"
    "morph_probe_entry:\n"
    "  push %rax\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n"
    "  push %r8\n  push %r9\n  push %r10\n  push %r11\n"
    "  mov 72(%rsp),%rdi\n"
    "  sub $5,%rdi\n"
    "  cld\n"
    "  call morph_probe_note_entry\n"
    "  mov %rax,72(%rsp)\n"
    "  pop %r11\n  pop %r10\n  pop %r9\n  pop %r8\n"
    "  pop %rdi\n  pop %rsi\n  pop %rdx\n  pop %rcx\n  pop %rax\n"
    "  ret\n"
    ".size morph_probe_entry,.-morph_probe_entry\n");

extern "C" __attribute__((visibility("hidden"), used)) uintptr_t morph_probe_note_entry(uintptr_t address) {
  const uintptr_t goes_on = note_entry(address);
  return goes_on != 0 ? goes_on : address;
}

uintptr_t restorer() {
  return reinterpret_cast<uintptr_t>(&morph_probe_return);
}

#else

uintptr_t restorer() {
  return 0;
}

#endif

}  // namespace

#if !defined(__x86_64__)
void morph_probe_entry() {}
#endif

void catch_traps() {
  kernel_action action = {};
  action.handler = reinterpret_cast<uintptr_t>(&on_trap);
  action.flags = SA_SIGINFO | SA_ONSTACK | with_restorer;
  action.restorer = restorer();
  action.mask = ~0ull;
  call_kernel(SYS_rt_sigaction, SIGTRAP, &action, nullptr, sizeof action.mask);
  unblock_traps();
}

void watch_loader(uintptr_t address) {
  loader_tells_at = address;
  put(address, breakpoint);
}

struct sigaction& action_of_program() {
  return of_program;
}

void unblock_traps() {
  const uint64_t mask = 1ull << (SIGTRAP - 1);
  call_kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, nullptr, sizeof mask);
}

}  // namespace morph_probe
