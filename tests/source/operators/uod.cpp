int of(int n, bool b, int* p) {
  if (!b) return -n;  //: static_cast<bool>(b) ;; +n
  if (!p) return ~n;  //: static_cast<bool>(p) ;; +n
  return *p;
}
