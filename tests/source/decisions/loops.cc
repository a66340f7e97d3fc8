// Loops, alone and with others on their lines, and what ends them early.
#include <map>
#include <string>
#include <vector>

namespace {

int last = 0;
int note(int n) { return last += n; }
bool is_odd(int n) { return n % 2 != 0; }
std::vector<int> numbers(int n) {
  std::vector<int> made;
  for (int i = 0; i < n; ++i) made.push_back(i);
  return made;
}

int counted(int a, int b) {
  for (int i = 0; i < a; ++i) note(i);
  for (int i = 0; i < a; ++i) {
    if (i == b) break;
    if (is_odd(i)) continue;
    note(i);
  }
  for (int i = 0; i < a && i < b; ++i)
    note(1);
  for (int i = 0, j = b; i < a || j > 0; ++i, --j)
    note(2);
  for (;;) {
    if (a > 2) break;
    ++a;
  }
  for (int i = 0; i < 2; ++i) for (int j = 0; j < b; ++j) note(j);
  for (int i = 0; i < a; ++i) if (is_odd(i)) note(i);
  for (int i = 0; i < a; i += is_odd(i) ? 1 : 2) note(i);
  return last;
}

int whiles(int a, int b) {
  int n = a;
  while (n > 1) --n;
  while (n < b) {
    ++n;
    if (n == 2) break;
  }
  n = a;
  while (n > 0 && b > 1) --n;
  while (n < 3 || b > 5) { ++n; if (n == 4) break; }
  n = a;
  while (n) n--;
  while (!(n > 1)) ++n;
  while (int left = b) {
    b = left - 1;
  }
  return n;
}

int dos(int a, int b) {
  int n = 0;
  do {
    ++n;
  } while (n < a);
  do ++n; while (n < b);
  do {
    ++n;
  } while (n < a + 2 && n < b + 2);
  do { if (is_odd(n)) note(n); --n; } while (n > 0);
  return n;
}

int ranges(int a, int b) {
  int sum = 0;
  const auto all = numbers(a);
  for (const int each : all) sum += each;
  for (const int each : all) {
    if (each == b) break;
    sum += each;
  }
  for (const int each : numbers(b)) {
    sum += each;
  }
  const int fixed[] = {1, 2, 3};
  for (const int each : fixed) {
    if (each > a) {
      sum += each;
    }
  }
  std::map<int, std::string> named;
  for (const int each : all) {
    named[each] = "x";
  }
  for (const auto& [number, name] : named) {
    if (number > b) {
      sum += static_cast<int>(name.size());
    }
  }
  return sum;
}

int with_objects(int a, int b) {
  int n = 0;
  for (std::string s = "x"; static_cast<int>(s.size()) < a; s += 'x') {
    ++n;
  }
  while (const auto all = numbers(b).size()) {
    b -= static_cast<int>(all);
  }
  for (std::vector<int> all = numbers(a); !all.empty() && b >= 0; all.pop_back()) {
    if (all.size() == 2) return n;
    n += all.back();
  }
  return n;
}

int nested(int a, int b) {
  int n = 0;
  for (int i = 0; i < a; ++i) {
    for (int j = 0; j < b; ++j) {
      if (i == j) {
        continue;
      }
      ++n;
      while (n > 5) {
        n -= 2;
        if (n == 4) goto out;
      }
    }
  }
out:
  return n;
}

}  // namespace

int run(int a, int b) {
  int sum = 0;
  constexpr int (*all[])(int, int) = {counted, whiles, dos, ranges, with_objects, nested};
  for (auto* each : all) sum += each(a, b);
  return sum;
}
