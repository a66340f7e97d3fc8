#include "shape.hpp"
namespace {
struct registrar {
  static int& count() { static int n = 0; return n; }
  registrar(const char* name, int weight) { count() += weight + (name != nullptr); }
};
registrar first("first", 1);
registrar second(
    "second",
    2);
const std::string text = std::string("text") + "s";
const std::vector<int> table = [] { std::vector<int> t; for (int i = 0; i < 4; ++i) t.push_back(i); return t; }();
}
double total_area(const std::vector<shape*>& shapes) {
  double total = 0;
  for (const auto* one : shapes)
    total += one->area();
  return total;
}
int other() {
  ring<double, 3> doubles;
  doubles.push(1.5);
  square copied = square(3);
  square again = copied;
  return shared_helper(3) + larger(1, 2) + static_cast<int>(larger(2.0, 1.0) + again.area() + doubles.back()) +
         registrar::count() + local_in_header(-3) + static_cast<int>(table.size() + text.size());
}
