enum class mask : unsigned { a = 1 };
unsigned of(unsigned a, unsigned b, bool c, bool d) {
  return (a & b) + static_cast<unsigned>(c ^ d);  //: a | b ;; a ^ b ;; c & d ;; c | d
}
