// Comparisons that mean the same as another one by what compilers may assume, unless an option forbids it.
bool grows(int n) { return n <= n + 1; }

bool is_no_number(double x) { return x != x; }

bool is_none(int* to) {
  *to = 3;
  return to == nullptr;
}
