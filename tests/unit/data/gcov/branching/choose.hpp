#pragma once
#include <stdexcept>
#include <string>
template <class T> __attribute__((always_inline)) inline T clamp(T v, T low, T high) { return v < low ? low : v > high ? high : v; }
template <class T, class F> int count_if(const T& all, F f) {
  int n = 0;
  for (const auto& one : all) if (f(one) && one) ++n;
  return n;
}
inline bool odd(int n) { return n % 2 ? true : false; } inline bool big(int n) { return n > 100 || n < -100; }
struct holder {
  std::string text;
  explicit holder(int n) : text(n > 2 ? throw std::invalid_argument("n") : std::string(static_cast<unsigned>(n), 'x')) {}
  ~holder() { if (text.size() > 1) text.clear(); }
};
[[noreturn]] inline void fail(int code) { if (code > 3) throw code; throw std::to_string(code); }
