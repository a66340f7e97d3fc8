struct text {
  int size;
};
int round_up(int size, long to, const text&);
text trimmed(text from, int n);
int of(int size, text t) {
  int rounded = round_up(size, 8L, t);  //: size
  text shorter = trimmed(t, rounded);  //: t
  round_up(size, 8L, t);
  return shorter.size;
}
