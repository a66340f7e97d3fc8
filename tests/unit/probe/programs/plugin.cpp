// A library that programs load while they run.
extern "C" __attribute__((noinline)) int plugin_constructed() {
  return 20;
}
static const int constructed = plugin_constructed();

extern "C" int plugin_called() {
  return constructed + 1;
}
extern "C" int plugin_called_later() {
  return constructed + 2;
}
extern "C" int never_called_of_plugin() {
  return 0;
}
