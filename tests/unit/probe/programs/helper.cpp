// What other programs execute.
#include <stdlib.h>

#ifdef __clang__
extern "C" __attribute__((noinline)) int helper_called() {
#else
extern "C" __attribute__((noipa)) int helper_called() {  // else GCC 14 leaves out the call
#endif
  return 42;
}

int main() {
  getenv("ASKED_BY_HELPER");
  return helper_called();
}
