// What tests do that a probe must survive: `hazards NAME` does one thing, by functions that are called NAME_...; what
// no run enters is called never_....
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// GCC 14 knows what a function returns that it does not inline, and leaves out the call.
#ifdef __clang__
#define FUNCTION extern "C" __attribute__((noinline))
#else
#define FUNCTION extern "C" __attribute__((noipa))
#endif

extern char** environ;

namespace {

volatile int sink = 0;
const char* const helper = HELPER;
const char* const static_helper = STATIC_HELPER;
const char* const plugin = PLUGIN;

int wait_for(pid_t process) {
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// ---- threads

template <int N>
__attribute__((noinline)) void threads_racer() {
  sink = N;
}

template <int... Ns>
void run_all(std::integer_sequence<int, Ns...>) {
  (threads_racer<Ns>(), ...);
}

std::atomic<int> waiting{0};

void* racing(void*) {
  ++waiting;
  while (waiting.load() < 8) {
  }
  run_all(std::make_integer_sequence<int, 200>());
  return nullptr;
}

int threads() {
  std::vector<pthread_t> all(8);
  for (pthread_t& each : all) pthread_create(&each, nullptr, racing, nullptr);
  for (pthread_t& each : all) pthread_join(each, nullptr);
  return 0;
}

// ---- children

FUNCTION int children_of_fork() {
  return 7;
}
FUNCTION int children_of_vfork() {
  return 8;
}

int children() {
  pid_t child = fork();
  if (child == 0) _exit(children_of_fork());
  int all = wait_for(child);
  child = vfork();
  if (child == 0) _exit(children_of_vfork());
  all += wait_for(child);
  return all;
}

int execute_by(int way) {
  char name[] = "helper";
  char* const arguments[] = {name, nullptr};
  char* const nothing[] = {nullptr};
  pid_t child = -1;
  switch (way) {
    case 0:
      if (posix_spawn(&child, helper, nullptr, nullptr, arguments, nothing) != 0) return 1;
      return wait_for(child);
    case 1:
      clearenv();
      return WEXITSTATUS(system(helper));
    case 2: {
      clearenv();
      FILE* const out = popen(helper, "r");
      return WEXITSTATUS(pclose(out));
    }
    default:
      break;
  }
  child = way == 9 ? vfork() : fork();
  if (child == 0) {
    if (way == 3) execve(helper, arguments, nothing);
    if (way == 4) execv(helper, arguments);
    if (way == 5) clearenv(), execl(helper, name, static_cast<char*>(nullptr));
    if (way == 6) execle(helper, name, static_cast<char*>(nullptr), nothing);
    if (way == 7) syscall(SYS_execve, helper, arguments, nothing);
    if (way == 8) fexecve(open(helper, O_RDONLY | O_CLOEXEC), arguments, nothing);
    if (way == 9) execve(helper, arguments, environ);
    if (way == 10) execv(static_helper, arguments);
    _exit(99);
  }
  return wait_for(child);
}

// ---- libraries that are loaded

int load(bool apart) {
  void* const library = apart ? dlmopen(LM_ID_NEWLM, plugin, RTLD_NOW) : dlopen(plugin, RTLD_NOW);
  if (library == nullptr) return 1;
  const auto called = reinterpret_cast<int (*)()>(dlsym(library, "plugin_called"));
  const int result = called();
  dlclose(library);
  return result;
}

int load_twice() {
  const int first = load(false);
  void* const library = dlopen(plugin, RTLD_NOW);
  const auto called = reinterpret_cast<int (*)()>(dlsym(library, "plugin_called_later"));
  return first + called();
}

// ---- signals

FUNCTION void handler_of_trap(int) {
  sink = 3;
}
FUNCTION void trap_before() {
  sink = 1;
}
FUNCTION void trap_behind() {
  sink = 2;
}

int trap() {
  trap_before();
  struct sigaction action = {}, old = {};
  action.sa_handler = handler_of_trap;
  sigfillset(&action.sa_mask);
  sigaction(SIGTRAP, &action, nullptr);
  raise(SIGTRAP);
  if (sink != 3) return 1;
  sink = 0;
#if defined(__x86_64__)
  __asm__ volatile("int3");
  if (sink != 3) return 2;
#endif
  sigaction(SIGTRAP, nullptr, &old);
  if (old.sa_handler != handler_of_trap) return 3;
  signal(SIGTRAP, SIG_IGN);
  raise(SIGTRAP);
  trap_behind();
  return 0;
}

FUNCTION void masks_blocked() {
  sink = 4;
}
FUNCTION void masks_handler(int) {
  sink = 5;
}
FUNCTION void masks_context() {
  sink = 6;
}
sem_t timer_came;
FUNCTION void masks_timer(sigval) {
  sem_post(&timer_came);
}
FUNCTION void masks_by_syscall() {
  sink = 8;
}
FUNCTION void* masks_thread(void*) {
  sink = 9;
  return nullptr;
}

int masks() {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  masks_blocked();
  pthread_t thread;
  pthread_create(&thread, nullptr, masks_thread, nullptr);
  pthread_join(thread, nullptr);
  uint64_t every = ~0ull;
  syscall(SYS_rt_sigprocmask, SIG_SETMASK, &every, nullptr, 8);
  masks_by_syscall();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  struct sigaction action = {};
  action.sa_handler = masks_handler;
  action.sa_mask = all;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  static char stack[65536];
  ucontext_t here, there;
  getcontext(&there);
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = sizeof stack;
  there.uc_link = &here;
  sigfillset(&there.uc_sigmask);
  makecontext(&there, masks_context, 0);
  swapcontext(&here, &there);
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = masks_timer;
  timer_t timer;
  timer_create(CLOCK_MONOTONIC, &event, &timer);
  itimerspec soon = {};
  soon.it_value.tv_nsec = 1000000;
  sem_init(&timer_came, 0, 0);
  timer_settime(timer, 0, &soon, nullptr);
  while (sem_wait(&timer_came) != 0) {
  }
  return 0;
}

// ---- ways out of functions

FUNCTION void ways_throw() {
  throw std::runtime_error("out");
}
FUNCTION void ways_between() {
  ways_throw();
}
jmp_buf back;
FUNCTION void ways_jump() {
  longjmp(back, 1);
}
FUNCTION double ways_numbers(double a, float b, int c, long d, double e, double f) {
  return a + b + c + d + e + f;
}
FUNCTION int ways_many(int a, int b, int c, int d, int e, int f, int g, int h) {
  return a + b + c + d + e + f + g + h;
}

int ways() {
  try {
    ways_between();
  } catch (const std::runtime_error&) {
    sink = 1;
  }
  if (setjmp(back) == 0) ways_jump();
  if (ways_numbers(1, 2, 3, 4, 5, 6) != 21 || ways_many(1, 2, 3, 4, 5, 6, 7, 8) != 36) return 1;
  return 0;
}

// ---- ends

FUNCTION void ends_soon() {
  sink = 1;
}

int end_by(const std::string& way) {
  ends_soon();
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (way == "segv") *reinterpret_cast<volatile int*>(sink - 1) = 1;
  if (way == "abort") abort();
  if (way == "kill") kill(getpid(), SIGKILL);
  if (way == "_exit") _exit(5);
  if (way == "quick") quick_exit(6);
  return 1;
}

// ---- what no probe survives

FUNCTION void given_up() {
  sink = 1;
}

int give_up(const std::string& way) {
  if (way == "seccomp") prctl(PR_SET_SECCOMP, 1, 0, 0, 0);
  if (way == "ptrace") ptrace(PTRACE_TRACEME, 0, nullptr, nullptr);
  given_up();
  syscall(SYS_exit, 0);
  return 0;
}

// ---- a program that guards its own code, as after it has written to it

FUNCTION int protects_first(int value) {
  return value + sink;
}
FUNCTION int protects_second(int value) {
  return value * 2 + sink;
}

int guard_text(dl_phdr_info* object, size_t, void* protection) {
  if (object->dlpi_name[0] != '\0') return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = (object->dlpi_addr + segment.p_vaddr) & -4096;
    const size_t size = object->dlpi_addr + segment.p_vaddr + segment.p_memsz - begin;
    if (mprotect(reinterpret_cast<void*>(begin), size, *static_cast<int*>(protection)) != 0) return 2;
  }
  return 1;
}

FUNCTION int protects_copied(int value) {
  return value + sink;
}

// As programs do that want their code in pages of another kind: copied aside, and put back in the place of the old.
int copy_code(bool moves) {
  constexpr size_t page = 4096;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(&protects_copied) & -page;
  void* const aside = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  void* const code = reinterpret_cast<void*>(begin);
  memcpy(aside, code, page);
  if (moves) {
    if (mprotect(aside, page, PROT_READ | PROT_EXEC) != 0) return 3;
    if (mremap(aside, page, page, MREMAP_MAYMOVE | MREMAP_FIXED, code) != code) return 4;
  } else {
    const int file = memfd_create("code", 0);
    if (write(file, aside, page) != static_cast<ssize_t>(page)) return 5;
    if (mmap(code, page, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED, file, 0) != code) return 6;
  }
  return protects_copied(7);
}

int protect(const std::string& way) {
  if (!way.empty()) return copy_code(way == "move");
  int executes = PROT_READ | PROT_EXEC, writes = PROT_READ | PROT_WRITE | PROT_EXEC;
  if (dl_iterate_phdr(guard_text, &executes) != 1) return 3;
  const int one = protects_first(1);
  if (dl_iterate_phdr(guard_text, &writes) != 1 || dl_iterate_phdr(guard_text, &executes) != 1) return 4;
  return one + protects_second(2);
}

int unmap_text(dl_phdr_info* object, size_t, void*) {
  if (strcmp(object->dlpi_name, plugin) != 0) return 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
    const uintptr_t begin = (object->dlpi_addr + segment.p_vaddr) & -4096;
    if (munmap(reinterpret_cast<void*>(begin), object->dlpi_addr + segment.p_vaddr + segment.p_memsz - begin) == 0)
      return 1;
  }
  return 0;
}

int unmap_library() {
  if (load(false) != 21) return 1;
  if (dlopen(plugin, RTLD_NOW) == nullptr || dl_iterate_phdr(unmap_text, nullptr) != 1) return 2;
  protects_first(1);
  _exit(6);
}

// From here on the kernel refuses code that can be written to, in programs that are executed, too.
int forbid_writable_code(const std::string& way) {
  constexpr int set_mdwe = 65;  // PR_SET_MDWE, of Linux 6.3
  if (prctl(set_mdwe, 1, 0, 0, 0) != 0) return 3;
  char name[] = "helper";
  char* const arguments[] = {name, nullptr};
  if (way == "execute") execv(helper, arguments);
  int executes = PROT_READ | PROT_EXEC;
  const int one = protects_first(1);
  if (dl_iterate_phdr(guard_text, &executes) != 1) return 4;
  return one + protects_second(2);
}

// ---- before main()

int of_resolver = 0;

}  // namespace

FUNCTION int never_called() {
  return 0;
}
FUNCTION int early_of_resolver() {
  return ++of_resolver;
}
FUNCTION int early_target() {
  return 3;
}
extern "C" {
typedef int target_type();
target_type* early_resolver() {
  early_of_resolver();
  return early_target;
}
int early_indirect() __attribute__((ifunc("early_resolver")));
}
FUNCTION void early_preinit() {
  of_resolver += 0;
}
__attribute__((section(".preinit_array"), used)) static void (*const preinit)() = early_preinit;
FUNCTION int early_constructor() {
  return 1;
}
static const int constructed = early_constructor();

int main(int count, char** arguments) {
  const std::string name = count > 1 ? arguments[1] : "", more = count > 2 ? arguments[2] : "";
  if (name == "threads") return threads();
  if (name == "children") return children();
  if (name == "execute") return execute_by(atoi(more.c_str()));
  if (name == "load") return load(false);
  if (name == "load_apart") return load(true);
  if (name == "load_twice") return load_twice();
  if (name == "trap") return trap();
  if (name == "masks") return masks();
  if (name == "ways") return ways();
  if (name == "end") return end_by(more);
  if (name == "protect") return protect(more);
  if (name == "unmap") return unmap_library();
  if (name == "forbid") return forbid_writable_code(more);
  if (name == "give_up") return give_up(more);
  if (name == "early") return early_indirect() + constructed;
  if (name == "never") return never_called();
  return 2;
}
