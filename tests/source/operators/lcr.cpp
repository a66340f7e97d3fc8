bool of(bool a, bool b, int* p) {
  if (p && *p > 3) return a;  //: p || *p > 3 ;; static_cast<bool>(p) ;; static_cast<bool>(*p > 3)
  return a || b;  //: a && b ;; static_cast<bool>(a) ;; static_cast<bool>(b)
}
