int* find(int);
struct maybe {
  explicit operator bool() const;
  maybe operator+(int) const;
  bool is_set() const;
};
int of(int n, int* p) {
  if (n > 3) return 1;  //: !(n > 3)
  if (p) return 2;  //: !(p)
  if (int* q = find(n)) return *q;
  while (n < 9) ++n;  //: !(n < 9)
  do {
    --n;
  } while (n != 4);  //: !(n != 4)
  for (int i = 0; i < n; ++i) p[i] = 0;  //: !(i < n)
  for (;;) break;
  if constexpr (sizeof(int) == 4) return n;
  return n > 2 ? n : 7;  //: !(n > 2)
}
int of(const maybe& m) {
  if (m) return 1;  //: !(m)
  if (m + 1) return 2;  //: !(m + 1)
  return m.is_set() ? 3 : 4;  //: !(m.is_set())
}
