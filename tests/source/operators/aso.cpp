#include <string>
void of(int a, unsigned bits, int* p, std::string text, bool& flag) {
  a += 2;  //: a -= 2 ;; a = 2
  a %= 3;  //: a *= 3 ;; a = 3
  bits <<= 1;  //: bits >>= 1 ;; bits = 1
  bits ^= 7u;  //: bits &= 7u ;; bits = 7u
  p += a;  //: p -= a
  text += "x";  //: text = "x"
  flag = a == 3;
}
