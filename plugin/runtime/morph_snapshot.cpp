// The snapshot of a process's memory, and the traps of its system calls. Neither restoring nor a trap calls a function
// of the C library: the process may be in the middle of one.
#include "morph_snapshot.h"

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__)

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/eventfd.h>

#include "morph_pages.h"
#include "morph_restore.h"
#include "morph_wait.h"
#include "stream_format.h"

// What a sanitizer does at the end of a process, it would do once for many tests.
extern "C" void __lsan_do_leak_check() __attribute__((weak));

namespace {

static_assert(unwatched == morph_stream::mode_of_unwatched_opens, "what supervisors expect");

size_t untrapped_bytes() {
  return static_cast<size_t>(morph_untrapped_calls_end - morph_untrapped_calls);
}

// Variables that have pages in common with counters.
bool add_shared(const morph_runtime::counter_layout& layout) {
  control->first_shared = control->region_count;
  for (const morph_runtime::page_range& pages : layout.pages)
    if (pages.has_variables && !add_region(pages.begin, pages.bytes)) return false;
  return true;
}

// On a stack that is not among what is restored. No handler of the program runs on the way: exit() may have been called
// by one.
void restore_and_wait() {
  set_blocked(~0UL);
  const uint32_t started = __atomic_load_n(&control->started, __ATOMIC_ACQUIRE);
  const uint64_t one = 1;
  __atomic_store_n(&control->ended, started, __ATOMIC_RELEASE);
  call(SYS_write, control->told, as_number(&one), sizeof one);
  undo_effects();
  while (__atomic_load_n(&control->started, __ATOMIC_ACQUIRE) == started)
    call(SYS_futex, as_number(&control->started), FUTEX_WAIT, started);
  restore_regions(control->first_shared, control->region_count);
  set_blocked(control->blocked);
  morph_snapshot_jump(control->registers);
}

// The last of all that exit() calls.
void at_very_end(int status, void*) {
  if (control == nullptr || control->can_be_restored == 0 || control->lasting_effect != 0 ||
      call(SYS_getpid) != control->process)
    return;
  fflush(nullptr);  // as exit() does behind this
  if (control->lasting_effect != 0) return;
  control->selector = calls_are_let_through;
  control->status = status;
  control->cpu_us = cpu_us() - control->cpu_started;
  morph_snapshot_on_stack(control->stack + sizeof control->stack, restore_and_wait);
}

// What is registered first is called last: this is before the constructors of all libraries.
void register_end() {
  on_exit(at_very_end, nullptr);
}
__attribute__((section(".preinit_array"), used)) void (*register_before_all)() = register_end;

}  // namespace

namespace morph_runtime {

bool prepare_snapshot() {
  // The destructors of a static program run behind at_very_end().
  if (getauxval(AT_BASE) == 0 || &__lsan_do_leak_check != nullptr) return false;
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, getpid(), 0));
  if (handle < 0) return false;
  close(handle);
  if (prctl(set_syscall_user_dispatch, 1, morph_untrapped_calls, morph_untrapped_calls_end - morph_untrapped_calls,
            &calls_are_let_through) != 0)
    return false;
  prctl(set_syscall_user_dispatch, 0, 0, 0, 0);
  // Out of the way of numbers that tests may expect.
  const int low = eventfd(0, EFD_CLOEXEC), lowest_number = 900;
  const int told = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, lowest_number);
  if (low >= 0) close(low);
  if (told < 0) return false;
  control = static_cast<shared_control*>(new_pages(sizeof(shared_control)));
  control->told = told;
  return true;
}

void forget_snapshot() {
  __atomic_add_fetch(&control->started, 1, __ATOMIC_RELEASE);
  control->process = 0;
  control->can_be_restored = control->lasting_effect = 0;
}

restored_test wait_for_restored_test(pid_t process, double deadline) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));  // may fail: no descriptor is left
  restored_test test = {test_end::timed_out, 0, 0};
  while (true) {
    const double left = deadline < 0 ? 1e6 : deadline - seconds_now();
    if (left <= 0) break;
    const double seconds = handle < 0 && left > 0.005 ? 0.005 : left < 1e6 ? left : 1e6;
    pollfd ends[2] = {{control->told, POLLIN, 0}, {handle, POLLIN, 0}};
    poll(ends, 2, static_cast<int>(seconds * 1e3) + 1);
    if ((ends[0].revents & POLLIN) != 0) {
      uint64_t tests = 0;
      const ssize_t size = read(control->told, &tests, sizeof tests);
      // Another process may have told it, which was killed.
      if (size == static_cast<ssize_t>(sizeof tests) &&
          __atomic_load_n(&control->ended, __ATOMIC_ACQUIRE) == control->started) {
        test = restored_test{test_end::restored, control->status, control->cpu_us};
        break;
      }
    } else if (handle < 0 ? has_ended(process) : (ends[1].revents & POLLIN) != 0) {
      test.how = test_end::died;
      break;
    }
  }
  if (handle >= 0) close(handle);
  return test;
}

void run_next_test(size_t number) {
  control->number = number;
  __atomic_add_fetch(&control->started, 1, __ATOMIC_RELEASE);
  syscall(SYS_futex, &control->started, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

pid_t untrapped_getpid() {
  return static_cast<pid_t>(call(SYS_getpid));
}

bool has_lasting_effects() {
  return control->lasting_effect == any_lasting_effect || control->can_be_restored == 0;
}

size_t run_from_snapshot(size_t number, const counter_layout& layout) {
  if (morph_snapshot_take(control->registers) == 0) {
    control->number = number;
    control->selector = calls_are_let_through;
    control->process = getpid();
    control->lasting_effect = 0;
    control->can_be_restored = find_regions(false, mapping{nullptr, 0}) && add_shared(layout) &&
                                       trap_calls(morph_untrapped_calls, untrapped_bytes())
                                   ? 1
                                   : 0;
    if (control->can_be_restored == 0) return number;
    control->program_break = reinterpret_cast<char*>(call(SYS_brk, 0));
    copy_memory();
  }
  control->calls = control->break_has_moved = 0;
  control->mapping_count = 0;
  memset(control->descriptors, 0, sizeof control->descriptors);
  control->cpu_started = cpu_us();
  control->selector = calls_are_trapped;
  return control->number;
}

}  // namespace morph_runtime

#else

#include <unistd.h>

namespace morph_runtime {

bool prepare_snapshot() {
  return false;
}
void forget_snapshot() {}
restored_test wait_for_restored_test(pid_t, double) {
  return restored_test{test_end::died, 0, 0};
}
void run_next_test(size_t) {}
pid_t untrapped_getpid() {
  return getpid();
}
bool has_lasting_effects() {
  return true;
}
size_t run_from_snapshot(size_t number, const counter_layout&) {
  return number;
}

}  // namespace morph_runtime

#endif
