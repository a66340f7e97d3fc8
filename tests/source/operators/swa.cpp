struct point {
  point(int x, int y);
};
int apart(int from, int to);
int maybe(int* where, int n);
int of(int a, int b, long c);
int all(int a, int b) {
  int x = apart(a, b);  //: apart(b, a)
  int y = apart(a, a);
  int z = of(a + 1, b, 3L);  //: of(b, a + 1, 3L)
  maybe(0, 3);
  return x + y + z;
}
