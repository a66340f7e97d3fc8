struct point {
  point(int x, int y);
};
int apart(int from, int to);
int of(int a, int b, long c);
int all(int a, int b) {
  int x = apart(a, b);  //: apart(b, a)
  int y = apart(a, a);
  int z = of(a + 1, b, 3L);  //: of(b, a + 1, 3L)
  return x + y + z;
}
