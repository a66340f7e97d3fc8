#include "shape.hpp"
#include <csetjmp>
#include <iostream>
static std::jmp_buf back_to;
static int depth(int n) { if (n == 0) std::longjmp(back_to, 1); return depth(n - 1) + 1; }
template <class... Ts> int add(Ts... values) { return (values + ... + 0); }
struct left { virtual ~left() = default; int l = 1; };
struct right { virtual ~right() = default; virtual int value() { return 2; } int r = 2; };
struct both : left, right { ~both() override { l = 0; } int value() override { return l + r; } };  // thunks
static int through_thunks() { right* r = new both; const int v = r->value(); delete r; return v; }
struct node { int value; node* next = nullptr; ~node() { delete next; } };
int unused(int n);
static int run(int n) {
  square one(2), two(3);
  ring<int, 4> numbers;
  for (int i = 0; i < n; ++i) numbers.push(larger(i, folded(2)));
  node head{1, new node{2}};
  volatile int jumped = 0;
  if (setjmp(back_to) == 0) depth(3); else jumped = 1;
  auto generic = [](auto a, auto b) { return a < b ? a : b; };
  return static_cast<int>(total_area({&one, &two})) + numbers.back() + add(1, 2, 3) + add(1.5, 2) + jumped +
         generic(1, 2) + static_cast<int>(generic(2.5, 1.5)) + (n > 1000 ? unused(n) : 0) + shared_helper(2) + through_thunks();
}
int main() {
  std::string line(3, 'x');
  if (run(20) + other() == 0) { std::cout << line; return 1; }
  return 0;
}
