int next();
void note(int);
int of(int n) {
  n = next();  //: deleted
  next();  //: deleted
  int kept = 4;
  note(n);
  while (n > 0) {
    --n;  //: deleted
    if (n == 3) continue;  //: deleted
    if (n == 2) break;
    if (n == 1) throw kept;
  }
  switch (n) {
    case 1:
      n = 2;  //: deleted
      break;
    default:
      return 7;
  }
  return n;
}
