// What other programs execute.
extern "C" __attribute__((noinline)) int helper_called() {
  return 42;
}

int main() {
  return helper_called();
}
