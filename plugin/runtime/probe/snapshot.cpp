// The snapshot is taken, and restored, by the process itself: who forked it only waits for its end. Code is not
// restored, since probes lie there: who takes what was entered puts them back.
#include "snapshot.h"

#if defined(__x86_64__)

#include "plugin/runtime/morph_restore.h"

// What a sanitizer does at the end of a process, it would do once for many tests.
extern "C" void __lsan_do_leak_check() __attribute__((weak));

// Of this library: its handlers and notes make calls of their own.
extern "C" char __ehdr_start __attribute__((visibility("hidden")));
extern "C" char _etext __attribute__((visibility("hidden")));

namespace morph_probe {
namespace {

// On a stack that is not among what is restored.
void restore_and_go_on() {
  set_blocked(~0UL);
  undo_effects();
  set_blocked(control->blocked);
  morph_snapshot_jump(control->registers);
}

}  // namespace

bool prepare_snapshot() {
  if (control != nullptr) return true;
  if (&__lsan_do_leak_check != nullptr) return false;
  if (call(SYS_prctl, set_syscall_user_dispatch, 1, as_number(&__ehdr_start), &_etext - &__ehdr_start,
           as_number(&calls_are_let_through)) != 0)
    return false;
  call(SYS_prctl, set_syscall_user_dispatch, 0, 0, 0, 0);
  const long at = call(SYS_mmap, 0, sizeof(shared_control), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (at > 0) control = reinterpret_cast<shared_control*>(at);
  return at > 0;
}

void take_snapshot(char* unused, size_t unused_bytes) {
  if (morph_snapshot_take(control->registers) == 0) {
    control->selector = calls_are_let_through;
    control->lasting_effect = 0;
    control->can_be_restored = 0;
    const bool is_found = find_regions(true, mapping{unused, unused_bytes});
    control->first_shared = control->region_count;
    control->can_be_restored =
        is_found && trap_calls(&__ehdr_start, static_cast<size_t>(&_etext - &__ehdr_start)) ? 1 : 0;
    if (control->can_be_restored == 0) return;
    control->program_break = reinterpret_cast<char*>(call(SYS_brk, 0));
    copy_memory();
  }
  control->calls = control->break_has_moved = 0;
  control->mapping_count = 0;
  for (uint64_t& word : control->descriptors) word = 0;
  control->selector = calls_are_trapped;
}

bool can_restore() {
  return control != nullptr && control->can_be_restored != 0 && control->lasting_effect == 0;
}

void stop_traps() {
  control->selector = calls_are_let_through;
}

void restore() {
  morph_snapshot_on_stack(control->stack + sizeof control->stack, restore_and_go_on);
}

}  // namespace morph_probe

#else

namespace morph_probe {

bool prepare_snapshot() {
  return false;
}
void take_snapshot(char*, size_t) {}
bool can_restore() {
  return false;
}
void stop_traps() {}
void restore() {
  for (;;) __builtin_trap();
}

}  // namespace morph_probe

#endif
