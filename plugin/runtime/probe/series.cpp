// The processes of a series: the first one, and workers that it forks, one at a time, or restores.
#include "series.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"
#include "plugin/spool/recording.h"
#include "probe.h"
#include "recorder.h"
#include "series_cases.h"
#include "snapshot.h"
#include "text.h"

#if defined(__x86_64__)
extern "C" char __libc_single_threaded __attribute__((weak));
#endif

namespace morph_probe {
namespace {

constexpr int all_children = 0x40000000;  // __WALL
constexpr int time_to_go_ms = 500;        // how long the kernel may take to clear away what has ended

// Of the first process and all that it forks.
struct shared_state {
  uint32_t has_common;  // the entry that belongs to all cases
  uint32_t has_ended;   // the worker, by itself
  int32_t status;       // then
  uint64_t started;     // nanoseconds
  uint64_t output;
  uint32_t variables, incomplete;  // bytes
  uint32_t has_grown;              // one of them, by a process of the test's own program
  uint32_t restored;               // how often the worker was
  uint32_t waiting;                // tests that it can run behind its first one: those of the same suite
  uint32_t turn;                   // of them
};

series_header* header = nullptr;
series_case* cases;
uint32_t* waiting;  // as many as there are cases, shared
const char* texts;
shared_state* shared;
const char* row = nullptr;
char* entry = nullptr;
size_t room = 0;
bool is_ready = false;

long worker = 0;  // this process, if it is one
uint32_t own_number = no_case;
bool is_restorable = false;  // nothing that it has executed can have written
bool tells_its_end = false;  // it belongs to all cases

uint64_t nanoseconds() {
  timespec now = {0, 0};
  call_kernel(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1000000000 + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t size_of_output() {
  struct stat facts;
  return call_kernel(SYS_fstat, STDOUT_FILENO, &facts) == 0 && S_ISREG(facts.st_mode)
             ? static_cast<uint64_t>(facts.st_size)
             : 0;
}

uint32_t size_of(const char* name) {
  text path;
  path << row << name;
  const long file = call_kernel(SYS_openat, AT_FDCWD, path.bytes, O_RDONLY | O_CLOEXEC, mode_of_own_opens);
  struct stat facts;
  const bool is_there = file >= 0 && call_kernel(SYS_fstat, file, &facts) == 0;
  if (file >= 0) call_kernel(SYS_close, file);
  return is_there ? static_cast<uint32_t>(facts.st_size) : 0;
}

// ---- entries

void append(const char* bytes, size_t size) {
  text path;
  path << row << series_entries;
  const long file = open_of_row(path.bytes, O_WRONLY | O_APPEND);
  if (file < 0) return;
  call_kernel(SYS_write, file, bytes, size);
  call_kernel(SYS_close, file);
}

void look_at_sizes() {
  shared->has_grown = 0;
  shared->variables = size_of("/variables");
  shared->incomplete = size_of("/incomplete");
}

void write_entry(uint32_t number, uint32_t flags, int status, bool put_back) {
  series_entry& made = *reinterpret_cast<series_entry*>(entry);
  made = series_entry();
  made.number = number;
  made.flags = shared->restored != 0 ? flags | of_restored : flags;
  made.status = status;
  timespec now = {0, 0};
  call_kernel(SYS_clock_gettime, CLOCK_REALTIME, &now);
  made.at = now.tv_sec;
  made.wall_us = (nanoseconds() - shared->started) / 1000;
  made.output[0] = shared->output;
  made.variables[0] = shared->variables;
  made.incomplete[0] = shared->incomplete;
  made.output[1] = size_of_output();
  if (!is_restorable || shared->has_grown != 0) look_at_sizes();
  made.variables[1] = shared->variables;
  made.incomplete[1] = shared->incomplete;
  const size_t size = rounded_up(sizeof made + take_entered(entry + sizeof made, made.tables, put_back), 8);
  made.size = static_cast<uint32_t>(size);
  append(entry, size);
}

// Room for it, too.
bool keep_state() {
  const size_t needed = sizeof(series_entry) + keep_entered() + 8;
  if (needed > room) {
    if (entry != nullptr) call_kernel(SYS_munmap, entry, room);
    entry = static_cast<char*>(shared_memory(needed));
    room = entry != nullptr ? needed : 0;
  }
  return entry != nullptr;
}

void begin_case(uint32_t number) {
  shared->has_ended = 0;
  shared->started = nanoseconds();
  shared->output = size_of_output();
  cases[number].state = begun;
  header->process = static_cast<int32_t>(call_kernel(SYS_getpid));
  header->running = number + 1;
}

void end_case(uint32_t number, uint32_t flags, int status, bool put_back) {
  write_entry(number, flags | is_end, status, put_back);
  cases[number].status = status;
  cases[number].state = over;
  header->running = 0;
}

// ---- processes

bool has_threads() {
#if defined(__x86_64__)
  if (&__libc_single_threaded != nullptr && __libc_single_threaded != 0) return false;
#endif
  char lines[room_for_status];
  const char* const number = own_status("Threads:\t", lines);
  return number == nullptr || number[0] != '1' || number[1] != '\n';
}

bool has_children() {
  siginfo_t info;
  return call_kernel(SYS_waitid, P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | all_children, nullptr) != -ECHILD;
}

series_refusal why_not() {
  kernel_action of_children = {};
  call_kernel(SYS_rt_sigaction, SIGCHLD, nullptr, &of_children, sizeof of_children.mask);
  if (of_children.handler != 0) return series_refusal::handler;
  if (has_threads()) return series_refusal::threads;
  if (has_children()) return series_refusal::children;
  return keep_state() ? series_refusal::none : series_refusal::no_room;
}

// Both would write what is in them.
void flush() {
  fflush(nullptr);
  void (*const flush_stream)(void*) = reinterpret_cast<void (*)(void*)>(dlsym(RTLD_DEFAULT, "_ZNSo5flushEv"));
  static const char* const names[] = {"_ZSt4cout", "_ZSt4clog"};
  for (const char* const name : names)
    if (void* const stream = flush_stream != nullptr ? dlsym(RTLD_DEFAULT, name) : nullptr) flush_stream(stream);
}

// Whether something lives on that the worker has started.
bool has_left_processes() {
  for (int waited_ms = 0;; waited_ms += 10) {
    long ended;
    do ended = call_kernel(SYS_wait4, -1, nullptr, WNOHANG | all_children, nullptr);
    while (ended > 0);
    if (ended != 0 || waited_ms >= time_to_go_ms) return ended == 0;
    const timespec pause = {0, 10 * 1000000};
    call_kernel(SYS_nanosleep, &pause, nullptr);
  }
}

// Nothing of the test that has ended is left. False: the process ends with it.
bool run_next(int status) {
  if (!can_restore()) return false;
  fflush(nullptr);  // as exit() does behind this
  if (!can_restore()) return false;
  stop_traps();
  is_restorable = true;
  end_case(own_number, ended_by_itself, (status & 0xff) << 8, true);
  while (shared->turn < shared->waiting && cases[waiting[shared->turn]].state != untaken) ++shared->turn;
  if (shared->turn == shared->waiting) call_kernel(SYS_exit_group, 0);
  ++shared->restored;
  restore();
}

// Whether a restored process had another state than a new one is not known: there the test runs once more.
void forget_case(uint32_t number) {
  uint32_t tables;
  take_entered(entry, tables, false);
  cases[number].state = untaken;
  header->running = 0;
}

void await_worker(pid_t child) {
  int status = 0;
  while (call_kernel(SYS_wait4, child, &status, all_children, nullptr) == -EINTR) {
  }
  uint32_t flags = 0;
  if (has_left_processes()) flags |= left_processes;
  if (shared->has_ended != 0 && WIFEXITED(status) && WEXITSTATUS(status) == shared->status) flags |= ended_by_itself;
  if (header->running == 0) return;
  if (WIFSIGNALED(status) && shared->restored != 0) return forget_case(header->running - 1);
  end_case(header->running - 1, flags, status, false);
}

}  // namespace

void row_has_grown() {
  if (shared != nullptr) shared->has_grown = 1;
}

void* shared_memory(size_t size) {
  const long at =
      call_kernel(SYS_mmap, nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  return at < 0 ? nullptr : reinterpret_cast<void*>(at);
}

bool begin_series(const char* path) {
  const long file = call_kernel(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, mode_of_own_opens);
  if (file < 0) return false;
  struct stat facts;
  long at = call_kernel(SYS_fstat, file, &facts);
  if (at == 0) at = call_kernel(SYS_mmap, nullptr, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  call_kernel(SYS_close, file);
  if (at < 0) return false;
  texts = reinterpret_cast<const char*>(at);
  for (size_t i = 0; i < sizeof series_magic; ++i)
    if (texts[i] != series_magic[i]) return false;
  header = reinterpret_cast<series_header*>(at);
  cases = reinterpret_cast<series_case*>(header + 1);
  shared = static_cast<shared_state*>(shared_memory(sizeof *shared));
  waiting = static_cast<uint32_t*>(shared_memory(header->cases * sizeof *waiting + 1));
  if (shared == nullptr || waiting == nullptr) refuse_series(series_refusal::no_room);
  return true;
}

void refuse_series(series_refusal why) {
  header->refusal = why;
  for (;;) call_kernel(SYS_exit_group, series_refused_status);
}

void series_has_row(const char* of) {
  row = of;
  is_ready = true;
}

bool is_in_series() {
  return header != nullptr;
}

uint32_t number_of_cases() {
  return header->cases;
}
bool is_taken(uint32_t number) {
  return cases[number].state != untaken;
}
const char* name_of_case(uint32_t number) {
  return texts + cases[number].name;
}
const char* arguments_of_case(uint32_t number, uint32_t& count) {
  count = cases[number].argument_count;
  return texts + cases[number].arguments;
}

bool is_worker() {
  return worker != 0;
}
bool is_restored() {
  return shared->restored != 0;
}
void let_wait(uint32_t number) {
  if (shared->waiting < header->cases) waiting[shared->waiting++] = number;
}

bool can_fork() {
  if (header->refusal == series_refusal::none) header->refusal = why_not();
  return header->refusal == series_refusal::none;
}

bool tells_common() {
  return tells_its_end;
}
void tell_common_end() {
  write_entry(own_number, 0, 0, true);  // what the end enters is noted once more
}
bool tell_common_begin() {
  if (!can_fork()) return false;
  look_at_sizes();
  write_entry(of_every_case, 0, 0, false);
  shared->has_common = 1;
  return true;
}

uint32_t case_in_worker(uint32_t number) {
  const bool has_snapshot = shared->has_common != 0 && prepare_snapshot();
  look_at_sizes();
  shared->restored = shared->waiting = shared->turn = 0;
  flush();
  call_kernel(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const pid_t child = fork();
  if (child < 0) header->refusal = series_refusal::no_room;
  if (child > 0) await_worker(child);
  if (child != 0) return no_case;
  worker = call_kernel(SYS_getpid);
  tells_its_end = shared->has_common == 0;
  own_number = number;
  if (has_snapshot) {
    const unused_memory unused = unused_objects();
    take_snapshot(unused.begin, unused.size);
    if (is_restored()) own_number = waiting[shared->turn++];
  }
  begin_case(own_number);
  return own_number;
}

uintptr_t enter_hook(hook_role role, uintptr_t address) {
  if (!is_ready) return 0;
  if (header->runs_main == 0) return enter_hook_of_gtest(role, address);
  return role == hook_role::run_main && worker == 0 ? enter_main(address) : 0;
}

hook_role first_hook() {
  return header->runs_main != 0 ? hook_role::run_main : hook_role::run_test;
}

void go_on_in_worker(int status) {
  if (worker != 0 && call_kernel(SYS_getpid) == worker) run_next(status);
}

void end_worker(int status) {
  if (worker == 0 || call_kernel(SYS_getpid) != worker) return;
  if (tells_its_end && shared->has_common == 0) {
    write_entry(of_every_case, 0, 0, false);
    shared->has_common = 1;
  }
  shared->status = status & 0xff;
  shared->has_ended = 1;
}

}  // namespace morph_probe
