#pragma once
template <class T> bool between(T v, T low, T high) { return v >= low && v <= high; }
inline bool any(int a, int b, int c) {
  return a ||
         b ||
         c;
}
struct limits {
  int low = 1, high = 9;
  bool holds(int n) const { return (n > low && n < high) || n == 100; } bool never(int n) const { return n > 1000 && low > high; }
};
#define BETWEEN(v, a, b) ((v) > (a) && (v) < (b))
