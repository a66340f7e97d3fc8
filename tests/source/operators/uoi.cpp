struct thing {
  int size;
};
int of(int, bool, double);
int all(int n, bool b, thing t, double x) {
  int first = of(n, b, x);  //: -n ;; !b ;; -x
  int second = of(t.size, true, 1.0);  //: -t.size
  return first + second + n;
}
