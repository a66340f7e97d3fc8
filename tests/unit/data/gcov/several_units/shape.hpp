#pragma once
#include <string>
#include <vector>
struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};
struct square : shape {
  double side = 1; std::string label; std::vector<int> marks{1, 2, 3};
  explicit square(double s) : side(s) {}
  double area() const override { return side * side; }
};
template <class T>
T larger(T a, T b) {
  if (a < b)
    return b;
  return a;
}
template <class T, int N> struct ring {
  T items[N] = {};
  int at = 0;
  void push(T item) { items[at++ % N] = item; if (at > 2 * N) { at = N; } }
  T back() const {
    return at == 0 ? T{}
                   : items[(at - 1) % N];
  }
};
inline int shared_helper(int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += i;
  return total;
}
constexpr int folded(int n) { return n < 2 ? 1 : n * folded(n - 1); }
static inline int local_in_header(int n) { return n > 0 ? n : -n; }
double total_area(const std::vector<shape*>& shapes);
int other();
