// main() in a series: it runs in the worker alone, with the arguments of the case, whatever the test framework is.
#include <sys/mman.h>
#include <unistd.h>

#include "machine.h"
#include "probe.h"
#include "series_cases.h"

namespace morph_probe {
namespace {

using main_function = int (*)(int, char**, char**);

uintptr_t own_main = 0;

// As many as a case may need, before any worker is there: it may write to them.
char** room_for_arguments() {
  size_t most = 0;
  for (uint32_t i = 0; i < number_of_cases(); ++i) {
    uint32_t count = 0;
    const char *const begin = arguments_of_case(i, count), *end = begin;
    for (uint32_t left = count; left > 0; ++end) left -= *end == '\0';
    const size_t size = (count + 2) * sizeof(char*) + static_cast<size_t>(end - begin);
    if (size > most) most = size;
  }
  const long at = call_kernel(SYS_mmap, nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at < 0 ? nullptr : reinterpret_cast<char**>(at);
}

int take_arguments(uint32_t number, char* program, char** to) {
  uint32_t count = 0;
  const char* from = arguments_of_case(number, count);
  char* at = reinterpret_cast<char*>(to + count + 2);
  to[0] = program;
  for (uint32_t i = 1; i <= count; ++i) {
    to[i] = at;
    while ((*at++ = *from++) != '\0') {
    }
  }
  to[count + 1] = nullptr;
  return static_cast<int>(count) + 1;
}

int run_main(int, char** arguments, char** variables) {
  char** const own_arguments = room_for_arguments();
  uint32_t own = no_case;
  if (own_arguments != nullptr && tell_common_begin())
    for (uint32_t i = 0; own == no_case && i < number_of_cases() && can_fork(); ++i)
      if (!is_taken(i)) own = case_in_worker(i);
  // What the program does at its end has been done, and noted, in each worker.
  if (own == no_case) _exit(0);
  for (uint32_t i = own + 1; !is_restored() && i < number_of_cases(); ++i)
    if (!is_taken(i)) let_wait(i);
  const int count = take_arguments(own, arguments[0], own_arguments);
  disarm(own_main);
  return reinterpret_cast<main_function>(own_main)(count, own_arguments, variables);
}

}  // namespace

uintptr_t enter_main(uintptr_t address) {
  own_main = address;
  return reinterpret_cast<uintptr_t>(&run_main);
}

}  // namespace morph_probe
