int square(int);

int main() {
  return square(2) == 4 ? 0 : 1;
}
