#include <string>
bool of(int a, int b, const int* p, const int* q, bool x, bool y, const std::string& s, const std::string& t) {
  if (a < b) return x;  //: a <= b ;; a != b ;; false
  if (a >= b) return y;  //: a > b ;; a == b ;; true
  if (a == b) return x;  //: a <= b ;; a >= b ;; false
  if (a != b) return y;  //: a < b ;; a > b ;; true
  if (p == nullptr) return x;  //: p != nullptr ;; false
  if (p != q) return y;  //: p < q ;; p > q ;; true
  if (x == y) return x;  //: x != y ;; false
  if (s == t) return y;  //: s != t
  return s < t;  //: s <= t ;; s != t
}
