int fixed();
int shared();
int objects();

int main() {
  return fixed() + shared() + objects() == 7 ? 0 : 1;
}
