// What other programs execute.
#include <stdlib.h>

extern "C" __attribute__((noinline)) int helper_called() {
  return 42;
}

int main() {
  getenv("ASKED_BY_HELPER");
  return helper_called();
}
