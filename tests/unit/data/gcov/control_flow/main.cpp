#include <cstdlib>
#include <stdexcept>
#include <vector>

static int classify(int a, int b, int c) {
  if (a == b && b == c) return 3;
  if (a == b || b == c || a == c) return 2;
  return a > b ? b > c ? 1 : 0
               : -1;
}

static int sum(const std::vector<int>& values) {
  int total = 0;
  for (int value : values) { if (value < 0) continue; total += value; }
  for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j) total += i * j;
  for (int i = 0; i < 8; ++i) { if (i % 2) total += 1; else total -= 1; if (i % 3) total += 2; else total *= 2; }
  int n = 5; while (n --> 0) { do { ++total; } while (total % 3); }
  return total;
}

static const char* name(int kind) {
  switch (kind) {
    case 0: return "none";
    case 1:
    case 2: {
      static int calls = 0;
      ++calls;
      return calls > 1 ? "again" : "once";
    }
    default: break;
  }
  return "other";
}

struct guard {
  int& depth;
  explicit guard(int& d) : depth(d) { ++depth; }
  ~guard() { --depth; }
};

static int risky(int x, int& depth) {
  guard g(depth);
  if (x > 2)
    throw std::runtime_error("too large");
  if (x < 0) throw 17;
  return x;
}

static int tries() {
  int depth = 0, caught = 0;
  for (int x : {-1, 0, 1, 5}) {
    try {
      risky(x, depth);
    } catch (const std::exception&) {
      caught += 1;
    } catch (int code) {
      caught += code;
    }
  }
  return caught + depth;
}

static int jumps(int n) {
again:
  if (n > 100) goto done;
  n *= 3;
  goto again;
done:
  return n;
}

static int never(int n) {
  if (n) return jumps(n);
  return tries();
}

#define BOTH(a, b) ((a) ? (b) : (a))
static int macros(int a, int b) {
  return BOTH(a,
              BOTH(b,
                   a + b));
}

int main(int argc, char**) {
  int result = classify(1, 1, 1) + classify(3, 4, 5) + classify(2, 2, 3) + sum({1, -2, 3});
  auto twice = [](int v) { return v * 2; }; auto thrice = [&](int v) {
    if (v > 1000) return never(v);
    return v * 3 + result;
  };
  result += twice(result) + thrice(4) + (name(1) == name(2)) + tries() + jumps(2) + macros(1, 2) + macros(0, 1);
  if (argc > 10) { result = never(result); } else if (argc > 5) return 3;
  if (result == 0) std::abort();
  std::exit(0);
}
