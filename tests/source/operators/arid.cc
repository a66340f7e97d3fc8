// Only what is marked may change.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <iostream>
#define Q_ASSERT(x) ((x) ? void() : std::abort())
#define LOG(level) std::clog
#define SPDLOG_DEBUG(x) std::printf("%d", x)
#define TWICE(x) (2 * (x))
#define LOGIN(x) TWICE(x)
namespace spdlog {
void info(const char* text, int value);
}
void log_value(int value);
void LogValue(int value);
void Logout(int value);
int logged(int value);
void tell(int value);
int of(int a, int b) {  // kept
  assert(a + b > 0);
  Q_ASSERT(a + b > 0);
  LOG(INFO) << a + b << '\n';
  std::cerr << a - b << '\n';
  std::fprintf(stderr, "%d", a * b);
  std::fprintf(stdout, "%d", a * b);  // kept
  std::cout << a + b;                 // kept
  SPDLOG_DEBUG(a + b);
  spdlog::info("{}", a + b);
  log_value(a + b);
  LogValue(a + b);
  Logout(a + b);  // kept
  logged(a + b);  // kept
  tell(a + b);    // kept
  tell(a + b);    // morph: off
  if (a > b) std::cerr << a + b;
  int c = TWICE(a + b);    // kept
  int d = LOGIN(a + c);    // kept
  double e = std::log(a + d);  // kept
  // morph: off
  c = a + b;
  // morph: on
  return c + d + static_cast<int>(e);  // kept
}
// "morph: off" is not said here
const char* text = "// morph: off";
int kept(int a) {  // kept
  return a + 1;    // kept
}
/* morph: off */
int not_kept(int a) {
  return a + 1;
}
