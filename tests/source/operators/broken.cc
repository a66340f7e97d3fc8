int before(int n) {
  return n + 1;
}

int broken(int n) {
  int m = n + 2;
  m = unknown(n) + 3;
  return m * 4;
}

int after(int n) {
  return n + 5;
}
