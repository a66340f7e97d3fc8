struct cursor {
  cursor& operator++();
};
int of(int n, int* p, cursor c) {
  ++n;  //: --n
  p++;  //: p--
  ++c;
  for (int i = 9; i > 0; --i) n += i;  //: ++i
  return n;
}
