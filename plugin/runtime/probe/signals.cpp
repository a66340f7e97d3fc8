// A blocked SIGTRAP ends a process that meets a probe. So no way of libc's blocks it here, and none replaces the
// handler.
#include <aio.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <time.h>
#include <ucontext.h>

#include "next.h"
#include "probe.h"

using morph_probe::action_of_program;
using morph_probe::is_active;

namespace {

// A copy of the set without SIGTRAP.
class open_set {
 public:
  explicit open_set(const sigset_t* from) : is_there_(from != nullptr) {
    if (!is_there_) return;
    set_ = *from;
    if (is_active()) sigdelset(&set_, SIGTRAP);
  }
  const sigset_t* get() const { return is_there_ ? &set_ : nullptr; }

 private:
  sigset_t set_;
  bool is_there_;
};

constexpr int trap_bit = 1 << (SIGTRAP - 1);

int without_trap(int mask) {
  return is_active() ? mask & ~trap_bit : mask;
}

bool is_ours(int number) {
  return is_active() && number == SIGTRAP;
}

sighandler_t take_handler(sighandler_t handler) {
  struct sigaction& action = action_of_program();
  const sighandler_t before = action.sa_handler;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  return before;
}

// glibc runs what it notifies by a thread with all signals blocked. A timer may do so again and again: it is not freed.
struct notice {
  void (*function)(sigval);
  sigval value;
};

void run_notice(sigval data) {
  const notice& n = *static_cast<const notice*>(data.sival_ptr);
  morph_probe::unblock_traps();
  n.function(n.value);
}

struct sigevent* with_open_traps(struct sigevent* event, struct sigevent& copy) {
  if (!is_active() || event == nullptr || event->sigev_notify != SIGEV_THREAD) return event;
  notice* const n = static_cast<notice*>(malloc(sizeof(notice)));
  if (n == nullptr) return event;
  n->function = event->sigev_notify_function;
  n->value = event->sigev_value;
  copy = *event;
  copy.sigev_notify_function = run_notice;
  copy.sigev_value.sival_ptr = n;
  return &copy;
}

}  // namespace

MORPH_INTERPOSED int sigaction(int number, const struct sigaction* action, struct sigaction* old) noexcept {
  MORPH_NEXT(sigaction);
  if (!is_active()) return next_sigaction(number, action, old);
  if (number == SIGTRAP) {
    struct sigaction& ours = action_of_program();
    const struct sigaction before = ours;
    if (action != nullptr) ours = *action;
    if (old != nullptr) *old = before;
    return 0;
  }
  if (action == nullptr) return next_sigaction(number, action, old);
  struct sigaction copy = *action;
  sigdelset(&copy.sa_mask, SIGTRAP);
  return next_sigaction(number, &copy, old);
}

MORPH_INTERPOSED sighandler_t signal(int number, sighandler_t handler) noexcept {
  MORPH_NEXT(signal);
  return is_ours(number) ? take_handler(handler) : next_signal(number, handler);
}

MORPH_INTERPOSED sighandler_t sysv_signal(int number, sighandler_t handler) noexcept {
  MORPH_NEXT(sysv_signal);
  return is_ours(number) ? take_handler(handler) : next_sysv_signal(number, handler);
}

MORPH_INTERPOSED sighandler_t sigset(int number, sighandler_t handler) noexcept {
  MORPH_NEXT(sigset);
  if (!is_ours(number)) return next_sigset(number, handler);
  return handler == SIG_HOLD ? SIG_DFL : take_handler(handler);
}

MORPH_INTERPOSED int sigignore(int number) noexcept {
  MORPH_NEXT(sigignore);
  if (!is_ours(number)) return next_sigignore(number);
  take_handler(SIG_IGN);
  return 0;
}

MORPH_INTERPOSED int sighold(int number) noexcept {
  MORPH_NEXT(sighold);
  return is_ours(number) ? 0 : next_sighold(number);
}

MORPH_INTERPOSED int sigblock(int mask) noexcept {
  MORPH_NEXT(sigblock);
  return next_sigblock(without_trap(mask));
}

MORPH_INTERPOSED int sigsetmask(int mask) noexcept {
  MORPH_NEXT(sigsetmask);
  return next_sigsetmask(without_trap(mask));
}

MORPH_INTERPOSED int sigprocmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  MORPH_NEXT(sigprocmask);
  return how == SIG_UNBLOCK ? next_sigprocmask(how, set, old) : next_sigprocmask(how, open_set(set).get(), old);
}

MORPH_INTERPOSED int pthread_sigmask(int how, const sigset_t* set, sigset_t* old) noexcept {
  MORPH_NEXT(pthread_sigmask);
  return how == SIG_UNBLOCK ? next_pthread_sigmask(how, set, old) : next_pthread_sigmask(how, open_set(set).get(), old);
}

MORPH_INTERPOSED int pthread_attr_setsigmask_np(pthread_attr_t* attributes, const sigset_t* set) noexcept {
  MORPH_NEXT(pthread_attr_setsigmask_np);
  return next_pthread_attr_setsigmask_np(attributes, open_set(set).get());
}

MORPH_INTERPOSED int sigsuspend(const sigset_t* set) {
  MORPH_NEXT(sigsuspend);
  return next_sigsuspend(open_set(set).get());
}

MORPH_INTERPOSED int ppoll(struct pollfd* files, nfds_t count, const struct timespec* time, const sigset_t* set) {
  MORPH_NEXT(ppoll);
  return next_ppoll(files, count, time, open_set(set).get());
}

MORPH_INTERPOSED int pselect(int count, fd_set* read, fd_set* written, fd_set* failed, const struct timespec* time,
                             const sigset_t* set) {
  MORPH_NEXT(pselect);
  return next_pselect(count, read, written, failed, time, open_set(set).get());
}

MORPH_INTERPOSED int epoll_pwait(int file, struct epoll_event* events, int count, int time, const sigset_t* set) {
  MORPH_NEXT(epoll_pwait);
  return next_epoll_pwait(file, events, count, time, open_set(set).get());
}

MORPH_INTERPOSED int timer_create(clockid_t clock, struct sigevent* event, timer_t* timer) noexcept {
  MORPH_NEXT(timer_create);
  struct sigevent copy;
  return next_timer_create(clock, with_open_traps(event, copy), timer);
}

MORPH_INTERPOSED int mq_notify(mqd_t queue, const struct sigevent* event) noexcept {
  MORPH_NEXT(mq_notify);
  struct sigevent copy;
  return next_mq_notify(queue, with_open_traps(const_cast<struct sigevent*>(event), copy));
}

// Contexts carry a mask, which libc sets by a system call of its own.
#if defined(__x86_64__)
static_assert(__builtin_offsetof(ucontext_t, uc_sigmask) == 0x128, "as the code below has it");
#else
static_assert(__builtin_offsetof(ucontext_t, uc_sigmask) == 0x28, "as the code below has it");
#endif
static_assert(trap_bit == 16, "as the code below has it");
extern "C" __attribute__((visibility("hidden"))) void* morph_probe_setcontext;
extern "C" __attribute__((visibility("hidden"))) void* morph_probe_swapcontext;
void* morph_probe_setcontext = nullptr;
void* morph_probe_swapcontext = nullptr;
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl setcontext\n"
    ".type setcontext,@function\n"
    "setcontext:\n"
    "  andq $-17,0x128(%rdi)\n"
    "  jmp *morph_probe_setcontext(%rip)\n"
    ".size setcontext,.-setcontext\n"
    ".globl swapcontext\n"
    ".type swapcontext,@function\n"
    "swapcontext:\n"
    "  andq $-17,0x128(%rsi)\n"
    "  jmp *morph_probe_swapcontext(%rip)\n"
    ".size swapcontext,.-swapcontext\n");
#else
__asm__(
    ".text\n"
    ".globl setcontext\n"
    ".type setcontext,@function\n"
    "setcontext:\n"
    "  ldr x16, [x0, #0x28]\n"
    "  and x16, x16, #-17\n"
    "  str x16, [x0, #0x28]\n"
    "  adrp x16, morph_probe_setcontext\n"
    "  ldr x16, [x16, #:lo12:morph_probe_setcontext]\n"
    "  br x16\n"
    ".size setcontext,.-setcontext\n"
    ".globl swapcontext\n"
    ".type swapcontext,@function\n"
    "swapcontext:\n"
    "  ldr x16, [x1, #0x28]\n"
    "  and x16, x16, #-17\n"
    "  str x16, [x1, #0x28]\n"
    "  adrp x16, morph_probe_swapcontext\n"
    "  ldr x16, [x16, #:lo12:morph_probe_swapcontext]\n"
    "  br x16\n"
    ".size swapcontext,.-swapcontext\n");
#endif

__attribute__((constructor)) static void find_contexts() {
  morph_probe_setcontext = dlsym(RTLD_NEXT, "setcontext");
  morph_probe_swapcontext = dlsym(RTLD_NEXT, "swapcontext");
}
