int of(int a, int b, double x, const int* p) {
  int sum = a + b;  //: a - b ;; a * b ;; a / b ;; a % b
  double product = x * a;  //: x + a ;; x - a ;; x / a
  const int* next = p + a;  //: p - a
  bool same = a == b;
  return sum + next[0] + static_cast<int>(product) + same;  //: sum - next[0] ;; sum * next[0] ;; sum / next[0] ;; sum % next[0] ;; sum + next[0] - static_cast<int>(product) ;; sum + next[0] * static_cast<int>(product) ;; sum + next[0] / static_cast<int>(product) ;; sum + next[0] % static_cast<int>(product) ;; sum + next[0] + static_cast<int>(product) - same ;; sum + next[0] + static_cast<int>(product) * same ;; sum + next[0] + static_cast<int>(product) / same ;; sum + next[0] + static_cast<int>(product) % same
}
struct length {
  int metres;
};
length operator-(length a, length b) { return {a.metres - b.metres}; }  //: a.metres + b.metres ;; a.metres * b.metres ;; a.metres / b.metres ;; a.metres % b.metres
length apart(length a, length b) { return a - b; }  //: a + b
template <typename T>
T twice(T value) {
  return value + value;  //: value - value ;; value * value ;; value / value ;; value % value
}
int use() { return twice(3); }
