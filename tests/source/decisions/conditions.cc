// if, ?:, &&, ||, !: one at a time, together, over several lines.
#include <cassert>
#include <cstdlib>

namespace {

int last = 0, other = 0;
int note(int n) { return last = n; }
bool is_odd(int n) { return n % 2 != 0; }

struct point {
  int x = 0, y = 0;
  bool operator==(const point& other) const { return x == other.x && y == other.y; }
  bool valid() const { return x >= 0; }
  int bigger() const { return x > y ? x : y; }
};

int plain(int a, int b) {
  if (a > 1) note(b);
  if (a > 2)
    note(1);
  else
    note(2);
  if (b < 2) {
    note(3);
  } else if (b == 2) {
    note(4);
  } else {
    note(5);
  }
  return last;
}

int empty_then(int a, int b) {
  if (a > 1) {
  } else {
    note(1);
  }
  if (b > 1)
    ;
  else
    note(2);
  if (a == b) {
  }
  return last;
}

int negated(int a, int b) {
  const bool is_big = a > 2;
  if (!is_big) note(1);
  if (!(a < b)) note(2);
  if (!is_odd(a)) note(3);
  if (!(!(a == b))) {
    note(4);
  } else {
    note(5);
  }
  if (!a) note(6);
  if (!a && !is_odd(b)) note(7);
  if (!is_big || !(b > 1)) note(8);
  return last;
}

int negated_group(int a, int b) {
  if (!(a > 1 && b > 1)) note(1);
  if (!(a > 1 || b > 2)) note(2);
  const bool none = !(a > 2 || b > 2);
  return none ? note(3) : note(4);
}

int both(int a, int b) {
  if (a > 1 && b > 1) note(1);
  if (a > 1 || b > 2) note(2);
  if (a > 0 && b > 0 && a != b) note(3);
  if (a > 2 || b > 2 || a == b) note(4);
  if ((a > 1 && b > 1) || a == 0) note(5);
  if (a > 1 && (b > 1 || a == 3)) note(6);
  if ((a > 1 || b > 1) && (a < 3 || b < 3)) note(7);
  return last;
}

int lines(int a, int b) {
  if (a > 1 &&
      b > 1)
    note(1);
  if (a > 2
      || b > 2
      || (is_odd(a)
          && is_odd(b)))
    note(2);
  if (a
      < b && b
      < 3)
    note(3);
  if (is_odd(
          a)) {
    note(4);
  }
  return last;
}

int range_of_values(int a, int b) {
  const char c = static_cast<char>('0' + a * 4 + b);
  if (c >= '2' && c <= '9') note(1);
  if (c == '1' || c == '2' || c == '3') note(2);
  if (a == 1 || a == 2) note(3);
  return last;
}

bool value_of_both(int a, int b) { return a > 1 && b > 1; }
bool value_of_calls(int a, int b) {
  return is_odd(a) || is_odd(b);
}
bool value_of_three(int a, int b) {
  const bool all = a > 0 && b > 0 && a > b;
  bool some = false;
  some = a > 2 || (b > 2 && is_odd(a));
  return all == some;
}
int values(int a, int b) {
  const int both = a > 1 && b > 1;
  note(is_odd(a) && is_odd(b));
  return value_of_both(a, b) + value_of_calls(a, b) + value_of_three(a, b) + both;
}

int either(int a, int b) {
  int made = a > 1 ? note(1) : note(2);
  made += a > 2 ? 7 : note(3);
  made += b > 2 ? note(4) : 8;
  made += a > b ? 1 : 2;
  made += a > b ? 1 : 0;
  made += a > b ? a : b;
  made += a < b ? a : note(5);
  made += a < 2 ? -a : a;
  made += (a > 1 && b > 1) ? note(6) : note(7);
  made += (a > 1 || b > 1) ? 3 : note(8);
  const char* text = is_odd(a) ? "odd" : std::getenv("HOME");
  const char* other = is_odd(b) ? "odd" : "even";
  return made + (text != nullptr ? 1 : 0) + (other[0] == 'o');
}

int either_within(int a, int b) {
  if (a > 1 ? is_odd(b) : is_odd(a)) note(1);
  const int deep = a > 1 ? (b > 1 ? note(2) : note(3)) : note(4);
  const int chain = a == 0 ? note(5) : a == 1 ? note(6) : a == 2 ? 9 : note(7);
  return deep + chain;
}

int one_line(int a, int b) { if (a > 1) return note(1); else if (b > 1) return note(2); return a == b ? note(3) : note(4); }

int nested(int a, int b) {
  if (a > 1) if (b > 1) note(1);
  if (a > 2) { if (is_odd(b)) note(2); else note(3); }
  return last;
}

int early(int a, int b) {
  if (a == 0) return 1;
  if (b == 0) return 2;
  if (a == b) return 3;
  return 4;
}

int jumps(int a, int b) {
  if (a > 1) goto out;
  note(1);
out:
  if (b > 1) note(2);
  return last;
}

int checked(int a, int b) {
  assert(a >= 0);
  assert(a >= 0 && b >= 0);
  assert(&last);
  const int* const some = a > 2 ? &last : &other;
  assert(some);
  assert(a | 8);
  assert(is_odd(a) || true);
  assert(is_odd(2 * a + 1));
  assert((a & 8) == 0);
  const int one = a ? 7 : note(b);
  const int two = some == &last ? 1 : note(2);
  const int three = is_odd(a) ? 1 : note(3);
  const bool is_small = a < 2;
  const int four = is_small ? 1 : note(4);
  const int five = !is_odd(a) ? 1 : note(5);
  const int six = a * 0.5 < b ? 1 : note(6);
  return one + two + three + four + five + six;
}

int methods(int a, int b) {
  const point p{a, b}, q{b, a};
  if (p == q) note(1);
  if (p.valid() && !(p == q)) note(2);
  return p.bigger();
}

int pointers(int a, int b) {
  int* const p = a > 1 ? &last : nullptr;
  if (p) note(1);
  if (p && *p > b) note(2);
  if (!p || b > 2) note(3);
  if (int got = a - b) note(got);
  if (int got = a - 1; got > b) {
    note(4);
  }
  if (int got = b) {
    note(got);
  } else {
    note(5);
  }
  return last;
}

int known(int a, int b) {
  if (sizeof(int) > 2) note(1);
  if (sizeof(int) > 2 && a > 1) note(2);
  constexpr bool is_on = true;
  if (is_on) note(3);
  if (is_on || b > 1) note(4);
  while (true) {
    if (a > 1) break;
    ++a;
  }
  return last;
}

int with_others(int a, int b) {
  int* const made = a > 1 ? new int(b) : nullptr;
  const int got = made != nullptr && *made > 1 ? note(1) : note(2); delete made;
  static const int once = note(a); const int more = b > 1 ? note(3) : once;
  return got + more;
}

}  // namespace

int run(int a, int b) {
  int sum = 0;
  constexpr int (*all[])(int, int) = {plain, empty_then, negated, negated_group, both, lines, range_of_values, values, either, either_within, one_line, nested, early, jumps, checked, methods, pointers, known, with_others};
  for (auto* each : all) sum += each(a, b);
  return sum;
}
