// A program whose functions an unknown Clang's own llvm-cov has to call executed, but for one: measuring/gcov_output
// asks.
#include <stdlib.h>

extern "C" {

volatile int morph_probe_number = 1;

void morph_probe_idle() {
  morph_probe_number = 2;
}

void morph_probe_leave() {
  exit(0);
}

#ifdef __cpp_exceptions
int morph_probe_throws(int number) {
  if (number > 0) throw number;
  return number;
}

int morph_probe_thrown_through(int number) {
  if (number > 2) number -= 1;
  if (morph_probe_throws(number) == 1) return 2;
  return 3;
}
#endif

int morph_probe_branches(int number) {
  for (int i = 0; i < 3; ++i)
    if (i == number) return i;
  return number;
}

// What it calls does not come back.
int morph_probe_left(int number) {
  if (number > 2) number += 1;
  morph_probe_leave();
  return number > 4 ? 3 : number;
}
}

int main() {
  if (morph_probe_branches(morph_probe_number) == 5) morph_probe_idle();
#ifdef __cpp_exceptions
  try {
    morph_probe_thrown_through(morph_probe_number);
  } catch (int) {
  }
#endif
  return morph_probe_left(morph_probe_number);
}
