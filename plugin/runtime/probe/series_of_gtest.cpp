// GoogleTest's functions in a series: the first process forks at the entry of each test, and skips the test itself. The
// worker runs it, skips all others, and goes to the program's ordinary end.
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

#include "machine.h"
#include "plugin/spool/recording.h"
#include "probe.h"
#include "series.h"
#include "series_cases.h"
#include "text.h"

namespace morph_probe {
namespace {

void* own_test = nullptr;
bool has_reported = false;  // a part of the test that did not pass
bool comes_again = false;   // in the suite's list, though it has run
void* suite = nullptr;      // that runs
uintptr_t entered_at = 0;   // a function with a hook
void** tests = nullptr;     // by number of the case, shared

// ---- which test it is

// As libstdc++ lays a std::string out. Whatever else lies there is not followed.
struct string_of_test {
  const char* at;
  size_t size;
  char rest[16];
};

// What it looks like is known as soon as one name was found.
bool is_known = false;

bool read_memory(const void* from, void* to, size_t size) {
  if (is_known) {
    for (size_t i = 0; i < size; ++i) static_cast<char*>(to)[i] = static_cast<const char*>(from)[i];
    return true;
  }
  const iovec here = {to, size}, there = {const_cast<void*>(from), size};
  return call_kernel(SYS_process_vm_readv, call_kernel(SYS_getpid), &here, 1, &there, 1, 0) == static_cast<long>(size);
}

bool add_string(const string_of_test& s, text& to) {
  char bytes[sizeof to.bytes];
  if (s.size >= sizeof bytes - to.size || !read_memory(s.at, bytes, s.size)) return false;
  for (size_t i = 0; i < s.size; ++i) to.add(bytes[i]);
  return true;
}

// They come in the order of the list, mostly.
uint32_t find_case(const void* test) {
  static uint32_t next = 0;
  string_of_test names[2];  // of the suite, and its own: the first members of testing::TestInfo since 1.8
  text name;
  if (!read_memory(test, names, sizeof names) || !add_string(names[0], name)) return no_case;
  name.add('.');
  if (!add_string(names[1], name)) return no_case;
  for (uint32_t i = 0; i < number_of_cases(); ++i) {
    const uint32_t number = (next + i) % number_of_cases();
    const char *one = name_of_case(number), *other = name.bytes;
    while (*one != '\0' && *one == *other) ++one, ++other;
    if (*one != '\0' || *other != '\0') continue;
    next = number + 1;
    is_known = true;
    return number;
  }
  return no_case;
}

// ---- what stands in the place of functions

constexpr hook_role all_roles[] = {hook_role::run_test, hook_role::run_suite, hook_role::destroy_suite,
                                   hook_role::print, hook_role::report};

void call(uintptr_t function, void* object) {
  disarm(function);
  reinterpret_cast<void (*)(void*)>(function)(object);
  arm(function);
}

// Of the same suite, in the worker's first round.
void keep_for_later(void* test) {
  if (is_restored()) return;
  const uint32_t number = find_case(test);
  if (number == no_case || is_taken(number)) return;
  tests[number] = test;
  let_wait(number);
}

void run_test(void* test) {
  const uintptr_t function = entered_at;
  if (is_worker()) {
    if (test != own_test) return keep_for_later(test);
    // main() may have asked for several rounds. A restored process ran it in the place of another one.
    const bool is_to_come = comes_again;
    comes_again = false;
    if (!is_to_come) call(function, test);
    return;
  }
  const uint32_t number = find_case(test);
  if (number == no_case || is_taken(number) || !can_fork()) return;
  if (tests == nullptr) tests = static_cast<void**>(shared_memory(number_of_cases() * sizeof(void*)));
  if (tests == nullptr) return;
  tests[number] = test;
  const uint32_t own = case_in_worker(number);
  if (own == no_case) return;
  own_test = tests[own];
  comes_again = is_restored();
  has_reported = false;
  for (const hook_role role : all_roles) arm_hooks(role);
  call(function, own_test);
  if (tells_common()) tell_common_end();
}

void run_suite(void* of) {
  const uintptr_t function = entered_at;
  if (is_worker() && of != suite) return;
  void* const before = suite;
  suite = of;
  call(function, of);
  suite = before;
}

void destroy_suite(void* of) {
  if (tells_common() || of == suite) return call(entered_at, of);
}

void print(void* printer, const void* of, long number) {
  const uintptr_t function = entered_at;
  if (!tells_common() && !has_reported) return;
  fflush(stdout);
  const long output = call_kernel(SYS_dup, STDOUT_FILENO);
  const long nowhere = call_kernel(SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY | O_CLOEXEC, mode_of_own_opens);
  if (output >= 0 && nowhere >= 0) {
    call_kernel(SYS_dup3, nowhere, STDOUT_FILENO, 0);
    disarm(function);
    reinterpret_cast<void (*)(void*, const void*, long)>(function)(printer, of, number);
    fflush(stdout);
    call_kernel(SYS_dup3, output, STDOUT_FILENO, 0);
  }
  if (nowhere >= 0) call_kernel(SYS_close, nowhere);
  if (output >= 0) call_kernel(SYS_close, output);
}

template <typename Function>
uintptr_t address_of(Function f) {
  return reinterpret_cast<uintptr_t>(f);
}

}  // namespace

uintptr_t enter_hook_of_gtest(hook_role role, uintptr_t address) {
  entered_at = address;
  switch (role) {
    case hook_role::run_test:
      return address_of(&run_test);
    case hook_role::run_suite:
      return address_of(&run_suite);
    case hook_role::destroy_suite:
      return is_worker() ? address_of(&destroy_suite) : 0;
    case hook_role::print:
      return is_worker() ? address_of(&print) : 0;
    case hook_role::report:
      has_reported = true;
      return 0;
    case hook_role::run_main:
    case hook_role::get_variable:
      return 0;
  }
  return 0;
}

}  // namespace morph_probe
