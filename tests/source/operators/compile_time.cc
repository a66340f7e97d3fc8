// What compilers alone evaluate: mutants of the lines with a note can never be on. What runs has none.
#include <cstddef>
constexpr int four = 2 + 2;  // compile time
static const int five = four + 1;  // compile time
enum class level { low = 1 + 2, high = low * 4 };  // compile time
static_assert(four + 1 == five, "constant");  // compile time
template <int N>
struct sized {
  int values[N + 1];  // compile time
};
sized<3 + 4> some;  // compile time
using wide = decltype(1 + 2L);
extern const std::size_t bytes = sizeof(1 + 2);
consteval int twice(int n) { return n * 2; }  // compile time
constexpr int thrice(int n) { return n * 3; }  // runs
constexpr int nine = thrice(3) + 1;  // compile time
template <int N>
int part(int n) {
  if constexpr (N > 3)  // compile time
    return n - 1;  // runs
  switch (n) {
    case N + 7:  // compile time
      return twice(N);
  }
  const int copy = n + 1;  // runs
  return copy;
}
int of(int n) {
  const int bound = 3 + 5;  // compile time
  int all[n + 2];  // length at run time: no constant
  constexpr auto lambda = [](int a) { return a + 1; };  // may run
  return part<2 + 3>(n) + part<1>(lambda(n)) + all[0] + bound;  // compile time  // runs
}
