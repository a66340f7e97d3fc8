// A small program whose notes, counters and stream are the seeds of the fuzzers: it has branches, loops, a template,
// exceptions, a static object and a function that nobody calls. No header, so that the seeds stay small.
namespace {

struct counted {
  static int alive;
  counted() { ++alive; }
  ~counted() { --alive; }
};
int counted::alive = 0;
const counted at_start;

template <typename Number>
Number sum(const Number* values, int size) {
  Number total = 0;
  for (int i = 0; i < size; ++i) {
    if (values[i] < 0) continue;
    total += values[i];
  }
  return total;
}

int risky(int x) {
  const counted guard;
  if (x > 2) throw x;
  return x;
}

int nobody_calls_this(int n) {
  while (n % 7 != 0) n = n > 100 ? n / 2 : n + 3;
  return n;
}

}  // namespace

int main(int argc, char**) {
  const int whole[]{1, -2, 3};
  const double broken[]{1.5, 2.5};
  int result = sum(whole, 3) + static_cast<int>(sum(broken, 2));
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < i; ++j) result += i * j;
    try {
      result += risky(i);
    } catch (int) {
      --result;
    }
  }
  if (argc > 99) result += nobody_calls_this(argc);
  switch (result % 3) {
    case 0:
      return result == 0 ? 1 : 0;
    default:
      return 0;
  }
}
