struct log {
  void flush();
  int size();
};
void note(int);
int of(log& l) {
  l.flush();  //: deleted
  note(3);  //: deleted
  l.size();
  if (l.size() > 3) note(4);  //: deleted
  return 0;
}
