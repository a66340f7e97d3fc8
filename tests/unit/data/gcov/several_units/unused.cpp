#include "shape.hpp"
int unused(int n) {
  if (folded(3) > n) return larger<long>(n, 3);
  return shared_helper(n) + local_in_header(n);
}
thread_local std::string per_thread = "x";
std::string* where() { return &per_thread; }
