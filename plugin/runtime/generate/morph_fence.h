// Generated calls change nothing outside of their process: system calls that would are refused by the kernel.
#ifndef MORPH_FENCE_H
#define MORPH_FENCE_H

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

namespace {

// How many calls of this process were refused.
volatile uint32_t* morph_refused_calls = nullptr;

#if defined(__x86_64__) || defined(__aarch64__)
#define MORPH_REFUSAL SECCOMP_RET_TRAP
void morph_refuse_call(int, siginfo_t*, void* context) {
  mcontext_t& machine = static_cast<ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
  machine.gregs[REG_RAX] = -EACCES;
#else
  machine.regs[0] = static_cast<unsigned long long>(-EACCES);
#endif
  *morph_refused_calls = *morph_refused_calls + 1;
}
inline void morph_catch_refusals() {
  struct sigaction action = {};
  action.sa_sigaction = morph_refuse_call;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSYS, &action, nullptr);
}
#else
#define MORPH_REFUSAL (SECCOMP_RET_ERRNO | EACCES)
inline void morph_catch_refusals() {}
#endif

// Files can be read, not written, made or removed; no sockets, no other processes or their signals. Where the kernel
// has no filters, nothing is refused.
inline bool morph_fence_in(volatile uint32_t* refused_calls) {
  morph_refused_calls = refused_calls;
  morph_catch_refusals();
#define MORPH_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, field))
#define MORPH_REFUSE BPF_STMT(BPF_RET | BPF_K, MORPH_REFUSAL)
#define MORPH_ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define MORPH_REFUSE_CALL(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), MORPH_REFUSE
// The call is refused if the argument has one of these bits; the number is in the accumulator again if it is another
// one.
#define MORPH_REFUSE_BITS(number, argument, bits)                                \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), MORPH_LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1), MORPH_REFUSE, MORPH_ALLOW
// The argument is a descriptor: not stdin, stdout or stderr.
#define MORPH_REFUSE_STANDARD(number, argument)                                  \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), MORPH_LOAD(args[argument]), \
      BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 2, 1, 0), MORPH_REFUSE, MORPH_ALLOW
#define MORPH_ALLOW_OWN(number, own)                                      \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4), MORPH_LOAD(args[0]), \
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, own, 1, 0), MORPH_REFUSE, MORPH_ALLOW
  const unsigned own = static_cast<unsigned>(getpid());
  const unsigned writes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND;
  sock_filter program[] = {
      MORPH_LOAD(nr),
#ifdef SYS_open
      MORPH_REFUSE_BITS(SYS_open, 1, writes),
      MORPH_REFUSE_CALL(SYS_creat),
      MORPH_REFUSE_CALL(SYS_unlink),
      MORPH_REFUSE_CALL(SYS_rename),
      MORPH_REFUSE_CALL(SYS_mkdir),
      MORPH_REFUSE_CALL(SYS_rmdir),
      MORPH_REFUSE_CALL(SYS_link),
      MORPH_REFUSE_CALL(SYS_symlink),
      MORPH_REFUSE_CALL(SYS_chmod),
      MORPH_REFUSE_CALL(SYS_chown),
      MORPH_REFUSE_CALL(SYS_lchown),
      MORPH_REFUSE_CALL(SYS_mknod),
      MORPH_REFUSE_CALL(SYS_utime),
      MORPH_REFUSE_CALL(SYS_utimes),
      MORPH_REFUSE_CALL(SYS_fork),
      MORPH_REFUSE_CALL(SYS_vfork),
#endif
      MORPH_REFUSE_BITS(SYS_openat, 2, writes),
      MORPH_REFUSE_CALL(SYS_unlinkat),
      MORPH_REFUSE_CALL(SYS_renameat),
      MORPH_REFUSE_CALL(SYS_renameat2),
      MORPH_REFUSE_CALL(SYS_mkdirat),
      MORPH_REFUSE_CALL(SYS_linkat),
      MORPH_REFUSE_CALL(SYS_symlinkat),
      MORPH_REFUSE_CALL(SYS_fchmodat),
      MORPH_REFUSE_CALL(SYS_fchownat),
      MORPH_REFUSE_CALL(SYS_mknodat),
      MORPH_REFUSE_CALL(SYS_utimensat),
      MORPH_REFUSE_CALL(SYS_truncate),
      MORPH_REFUSE_CALL(SYS_socket),
      MORPH_REFUSE_CALL(SYS_socketpair),
      MORPH_REFUSE_CALL(SYS_execve),
      MORPH_REFUSE_CALL(SYS_execveat),
      MORPH_REFUSE_CALL(SYS_ptrace),
      MORPH_REFUSE_CALL(SYS_mount),
      MORPH_REFUSE_CALL(SYS_umount2),
      MORPH_REFUSE_CALL(SYS_reboot),
      MORPH_REFUSE_CALL(SYS_setsid),
      MORPH_REFUSE_CALL(SYS_fchmod),
      MORPH_REFUSE_CALL(SYS_fchown),
      MORPH_REFUSE_CALL(SYS_ftruncate),
      MORPH_REFUSE_CALL(SYS_setxattr),
      MORPH_REFUSE_CALL(SYS_lsetxattr),
      MORPH_REFUSE_CALL(SYS_fsetxattr),
      MORPH_REFUSE_CALL(SYS_removexattr),
      MORPH_REFUSE_CALL(SYS_lremovexattr),
      MORPH_REFUSE_CALL(SYS_fremovexattr),
      MORPH_REFUSE_CALL(SYS_mq_open),
      MORPH_REFUSE_CALL(SYS_mq_unlink),
      MORPH_REFUSE_CALL(SYS_shmget),
      MORPH_REFUSE_CALL(SYS_msgget),
      MORPH_REFUSE_CALL(SYS_semget),
      MORPH_REFUSE_CALL(SYS_rt_sigqueueinfo),
      MORPH_REFUSE_CALL(SYS_rt_tgsigqueueinfo),
      MORPH_REFUSE_CALL(SYS_unshare),
      MORPH_REFUSE_CALL(SYS_chroot),
      MORPH_REFUSE_CALL(SYS_kexec_load),
#ifdef SYS_pidfd_send_signal
      MORPH_REFUSE_CALL(SYS_pidfd_send_signal),
#endif
#ifdef SYS_io_uring_setup
      MORPH_REFUSE_CALL(SYS_io_uring_setup),
#endif
      MORPH_REFUSE_CALL(SYS_tkill),
      MORPH_REFUSE_STANDARD(SYS_close, 0),
      MORPH_REFUSE_STANDARD(SYS_dup3, 1),
#ifdef SYS_dup2
      MORPH_REFUSE_STANDARD(SYS_dup2, 1),
#endif
      MORPH_ALLOW_OWN(SYS_kill, own),
      MORPH_ALLOW_OWN(SYS_tgkill, own),
#ifdef SYS_openat2
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#endif
#ifdef SYS_clone3  // whose flags a filter cannot see
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
#endif
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 4),
      MORPH_LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
      MORPH_REFUSE,
      MORPH_ALLOW,
      MORPH_ALLOW,
  };
  const sock_fprog whole = {static_cast<unsigned short>(sizeof program / sizeof *program), program};
#undef MORPH_LOAD
#undef MORPH_REFUSE
#undef MORPH_ALLOW
#undef MORPH_REFUSE_CALL
#undef MORPH_REFUSE_BITS
#undef MORPH_REFUSE_STANDARD
#undef MORPH_ALLOW_OWN
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &whole, 0, 0) == 0;
}

}  // namespace

#endif
