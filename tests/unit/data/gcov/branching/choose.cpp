#include "choose.hpp"
#include <csetjmp>
#include <cstdlib>
#include <vector>

static int chosen(int kind, bool twice) {
  int result = 0;
  switch (kind) {
    case 0: result = 1; break;
    case 1: result = 2; [[fallthrough]];
    case 2: result += 3; break;
    case 3: case 4: case 5: if (twice) result *= 2; else result = -1; break;
    case 1000: return 7;
    default: result = kind > 6 && twice ? 9 : kind < 0 || !twice ? 8 : 10;
  }
  switch (kind) { case 0: return result; case 1: return -result; default: return 0; }
}

static int logic(int a, int b, int c) {
  if ((a && b) || (!c && a != b) || c > 3) return 1;
  while (a < 10 && (b > 0 || c-- > 0)) { a += b; if (a == 7) break; if (a == 5) continue; ++a; }
  do { ++b; } while (b < 3 || (b < 8 && c > 0));
  bool both = a && b, either = a || c;
  return (both ? 1 : 0) + (either ? both ? 2 : 3
                                  : 4);
}

static int careful(int n) {
  int seen = 0;
  try {
    holder one(n), two(n / 2);
    try {
      if (n == 1) fail(n);
      if (n == 2) fail(n * 3);
      seen += static_cast<int>(one.text.size() + two.text.size());
    } catch (const std::string& what) { seen += what == "1" ? 10 : 20; }
  } catch (const std::invalid_argument&) {
    if (n > 3) seen = -1; else seen = -2;
  } catch (int code) {
    seen = code > 5 ? code : 0;
  } catch (...) {
    throw;
  }
  return seen;
}

static int late(int n) noexcept {
  static const std::vector<int> table = [](int size) { if (size == 0) return std::vector<int>(); return std::vector<int>(3, size); }(n);
  static const int first = n ? n : 5; return table.empty() ? first : table[0];
}

static std::jmp_buf place;
static void jump(int n) { if (n > 1) std::longjmp(place, n); }
static int returns_twice(int n) {
  volatile int turns = 0;
  const int came = setjmp(place);
  if (came != 0 && turns > 1) return came;
  turns = turns + 1; if (turns < 3) jump(n);
  return turns > 2 ? 100 : turns;
}

static int computed(int n) {
  static void* const targets[] = {&&zero, &&one, &&two};
  goto *targets[n % 3];
zero: return 0;
one: if (n > 3) return 4;
two: return 2;
}

int main(int argc, char**) {
  int sum = 0;
  for (int kind : {-1, 0, 1, 2, 3, 4, 7, 8}) sum += chosen(kind, kind % 2 == 0);
  for (int i = 0; i < 4; ++i) for (int j = -1; j < 3; ++j) sum += logic(i, j, i - j);
  for (int n = 0; n < 5; ++n) try { sum += careful(n); } catch (...) { return 9; }
  const std::vector<int> numbers{1, 2, 3, 0, 500};
  const int least = 2;
  sum += count_if(numbers, odd) + count_if(numbers, big) + count_if(numbers, [&](int n) { return n > least ? n != 3 : n == 1; });
  sum += count_if(std::vector<long>{1, 0}, [](long n) { return n >= 0; }) + clamp(sum, 1, 50) + clamp(2.5, 3.5, 4.5) > 3 ? 1 : 0;
  sum += late(0) + late(2) + returns_twice(1) + returns_twice(2) + computed(1) + computed(2) + computed(4);
  if (argc > 20) std::abort();
  if (argc > 30 && sum == 3) fail(argc);
  return odd(argc) || argc == 0 ? 0 : 1;
}
