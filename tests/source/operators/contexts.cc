// Nothing here may change: it has to be constant, or is not evaluated.
#include <cstddef>
constexpr int four = 2 + 2;
static const int five = four + 1;
enum class level { low = 1 + 2, high = low * 4 };
static_assert(four + 1 == five, "constant");
template <int N>
struct sized {
  int values[N + 1];
  unsigned few : 3 + 1;
};
sized<3 + 4> some;
int table[2 * 3];
int declared(int n = 3 + 4) noexcept(noexcept(1 + 2));
using wide = decltype(1 + 2L);
alignas(8 * 2) extern int aligned;
extern const std::size_t bytes = sizeof(1 + 2);
