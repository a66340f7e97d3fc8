// Conditions among destructors, temporaries, exceptions, lambdas, templates, macros and constructors.
#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

int last = 0;
int note(int n) { return last += n; }
bool is_odd(int n) { return n % 2 != 0; }
std::string text(int n) { return std::string(static_cast<std::size_t>(n), 'x'); }
int refuse(int n) { return n > 5 ? throw 1 : note(n); }
int length(const std::string& of) { return static_cast<int>(of.size()); }

struct guard {
  explicit guard(int n) : n_(n) {}
  guard(const guard&) = delete;
  ~guard() { if (n_ > 1) note(n_); }
  int n_;
};

struct base {
  explicit base(int n) : n_(n > 1 ? n : 0), is_big_(n > 2 && is_odd(n)) {
    if (n == 3) note(1);
  }
  base(int a, int b) : base(a) {
    if (b > 1) note(2);
  }
  virtual ~base() = default;
  virtual int value() const { return is_big_ ? n_ : note(1); }
  int n_;
  bool is_big_;
};
struct derived : base {
  using base::base;
  int value() const override {
    if (n_ == 0) return 0;
    return base::value();
  }
};

int destroyed(int a, int b) {
  const guard first(a);
  if (b > 1) return note(1);
  const guard second(b);
  if (a > 1) {
    const guard third(a);
    if (b == 1) return note(2);
    note(3);
  }
  for (int i = 0; i < a; ++i) {
    const guard each(i);
    if (i == b) continue;
    if (i == 2) break;
    note(i);
  }
  return last;
}

int temporaries(int a, int b) {
  if (text(a) == "xx") note(1);
  if (text(a).size() > 1 && text(b).size() > 1) note(2);
  if (text(a) == text(b) || length(text(b)) > 2) note(3);
  const std::string made = a > 1 ? text(a) : text(b);
  const std::string other = a > 1 ? std::string("abc") : made;
  const std::string& chosen = is_odd(a) ? made : other;
  const bool same = text(a) == "x" && text(b) == "x";
  if (made.empty() || other.empty()) return note(4);
  return length(a > b ? text(a) : made) + (same ? note(5) : note(6)) + length(chosen);
}

int thrown(int a, int b) {
  try {
    if (a > 2) throw std::runtime_error("x");
    note(1);
    if (b > 2) throw 7;
    const guard held(a);
    if (a == b) throw std::logic_error("y");
  } catch (const std::runtime_error& e) {
    if (b > 1) note(2);
  } catch (const std::logic_error&) {
    return is_odd(a) ? note(3) : note(4);
  } catch (...) {
    note(5);
    if (a > 1) return 1;
  }
  return b > 1 ? note(6) : refuse(a);
}

int lambdas(int a, int b) {
  const auto bigger = [a](int n) { return n > a; };
  const auto chosen = [&](int n) {
    if (n > b) return note(n);
    return a > 1 ? n : b;
  };
  std::vector<int> all{0, 1, 2, 3};
  const bool any = std::any_of(all.begin(), all.end(), [&](int n) { return n > a && n < b; });
  if (std::all_of(all.begin(), all.end(), [](int n) { return n >= 0; }) && any) note(1);
  if (bigger(b)) note(2);
  std::for_each(all.begin(), all.end(), [&](int n) {
    if (n == a) {
      note(n);
    }
  });
  return chosen(a);
}

template <typename Number>
int of_type(Number a, Number b) {
  if (a > b) note(1);
  if constexpr (sizeof(Number) > 4) {
    if (b > 1) note(2);
  }
  if (sizeof(Number) > 4 && a > 1) note(3);
  for (Number i = 0; i < a; ++i) {
    if (i == b) break;
  }
  return a == b ? note(4) : note(5);
}
template <typename Number>
int once(Number a, Number b) {
  if (a > b && b > 1) note(1);
  switch (static_cast<int>(a)) {
    case 0: return note(1);
    case 1: return note(2);
    default: return note(3);
  }
}
int templates(int a, int b) { return of_type(a, b) + of_type<long long>(b, a) + once(a, b); }

#define CHECK(condition) if (!(condition)) return note(9)
#define BIGGER(a, b) ((a) > (b) ? note(a) : note(b))
#define CHECK_BOTH(a, b) do { if ((a) > 1 && (b) > 1) note(1); if ((a) == (b)) note(2); } while (0)
int macros(int a, int b) {
  CHECK(a > 0);
  CHECK_BOTH(a, b);
  if (BIGGER(a, b) > 2) note(1);
  CHECK(is_odd(a) || b > 1);
  return last;
}

int constructed(int a, int b) {
  const base one(a), two(a, b);
  const derived three(b);
  const base& of = is_odd(a) ? one : static_cast<const base&>(three);
  return one.value() + two.value() + of.value();
}

int pointers(int a, int b) {
  const std::unique_ptr<base> made = a > 1 ? std::make_unique<derived>(a) : nullptr;
  if (made) note(1);
  if (made && made->value() > 1) note(2);
  if (const auto* down = dynamic_cast<const derived*>(made.get()); down != nullptr && b > 1) note(3);
  std::optional<int> maybe;
  if (b > 1) maybe = b;
  if (maybe && *maybe > 2) note(4);
  return maybe.value_or(a > 1 ? note(5) : 7);
}

}  // namespace

int run(int a, int b) {
  int sum = 0;
  constexpr int (*all[])(int, int) = {destroyed, temporaries, thrown, lambdas, templates, macros, constructed, pointers};
  for (auto* each : all) sum += each(a, b);
  return sum;
}
