#include "rules.hpp"
#include <stdexcept>
#include <string>
#include <vector>

static int decide(int a, int b, int c, int d) {
  if (a && (b || c) && !d) return 1;
  if ((a || b) && (c || d)) return 2; else if (!a && !b) return 3;
  while (a < 3 && (b > 0 || c > 0)) { ++a; --b; if (a == 2 && b == 1) continue; --c; }
  do { ++d; } while (d < 4 && !(d == 2 || d == 3));
  for (int i = 0; i < 3 && a != i; ++i) if (i == 1 || (b && i > 1)) d += i;
  bool both = a && b, either = a || b, mixed = (a && b) || (c && d);
  return both ? either ? 4 : 5 : mixed || (a ? b > c : c > d) ? 6 : 7;
}

static bool returns(const std::string& text, std::size_t n) {
  return !text.empty() && text.size() > n && text[0] != 'x';
}
static bool throws(int n) { if (n > 3) throw std::runtime_error("n"); return n > 1; }
static int careful(int n) {
  try { if (n != 0 && throws(n) && n != 3) return 1; } catch (const std::exception&) { if (n > 4 || n < 0) return 2; }
  return 3;
}
static int wide(const std::vector<int>& v) {
  int n = 0;
#define T(i) v[i] &&
#define EIGHT(i) T(i) T(i + 1) T(i + 2) T(i + 3) T(i + 4) T(i + 5) T(i + 6) T(i + 7)
  if (EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(24) EIGHT(32) EIGHT(40) EIGHT(48) v[56]) n += 1;
  if (EIGHT(0) EIGHT(8) EIGHT(16) EIGHT(24) EIGHT(32) EIGHT(40) EIGHT(48) EIGHT(56) EIGHT(64) v[72]) n += 2;
  return n;
}
static int chosen(int kind, int n) {
  switch (kind) { case 0: if (n > 1 || n < -1) return 1; break; case 1: return n && kind ? 2 : 3; default: break; }
  if (kind > 1 && n) if (n > 5 || kind > 5) return 4;
  return BETWEEN(n, 0, 3) || BETWEEN(n, 7,
                                     9) ? 5 : 6;
}
int unused(int a, int b) { return a && b ? 1 : 2; }

int main(int argc, char**) {
  int sum = 0;
  for (int i = 0; i < 12; ++i) sum += decide(i & 1, i & 2, (i >> 2) & 1, i > 9);
  sum += returns("abc", 2) + returns("xbc", 1) + returns("", 0) + careful(0) + careful(2) + careful(4) + careful(5);
  std::vector<int> ones(80, 1); sum += wide(ones); ones[40] = 0; sum += wide(ones); ones[0] = 0; sum += wide(ones);
  sum += chosen(0, 1) + chosen(0, 3) + chosen(1, 0) + chosen(2, 1) + chosen(2, 8) + chosen(7, 2);
  auto odd = [&](int n) { return n % 2 == 1 && (n > sum || n < 5); }; sum += odd(1) + odd(7) + odd(2);
  auto generic = [](auto a, auto b) { return a < b || (a == b && a > 0); }; sum += generic(1, 2) + generic(2.5, 2.5) + generic(3.0, 1.0);
  limits of; sum += of.holds(3) + of.holds(100) + of.holds(0) + of.never(3);
  sum += between(3, 1, 5) + between(9, 1, 5) + between(2.5, 1.0, 2.0) + any(0, 1, 0) + any(0, 0, 0);
  return argc > 5 && sum == 3 ? unused(argc, sum) : 0;
}
