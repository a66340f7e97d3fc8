// Mutants that mean the same as the original have a note.
unsigned read();
inline unsigned small(unsigned a) { return a & 7; }

bool some(unsigned n) { return n > 0; }  // same: n != 0

bool some_signed(int n) { return n > 0; }

unsigned both(unsigned a) { return (a << 8) | (a & 255); }  // same: (a << 8) ^ (a & 255)

unsigned overlapping(unsigned a) { return (a << 4) | (a & 255); }

bool of_a_call() { return small(read()) <= 7; }  // same: static_cast<int>(7 + 1)

int overwritten(int a) {
  int n = 0;  // same: static_cast<int>(1)
  if (a > 3)
    n = 2;
  else
    n = 3;
  return n;
}

int for_ever(int a, int step) {
  for (int i = a; i > 3; i -= step) {
  }
  return a;
}

struct pair {
  int a, b;
  pair(int n) : a(n + 0), b(n + 1) {}  // same: n - 0
};
pair made(int n) { return pair(n); }

template <typename T>
bool is_some(T n) {
  return n > 0;
}
bool of_one_kind(unsigned a) { return is_some(a); }

bool at_least(unsigned n) { return n >= 2; }
