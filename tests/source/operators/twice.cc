// Functions whose bodies can stand twice in themselves have a note.
#define BODY \
  { return 1; }

namespace std {
template <typename T, typename...>
struct coroutine_traits {
  using promise_type = typename T::promise_type;
};
template <typename = void>
struct coroutine_handle {
  static coroutine_handle from_address(void*) { return {}; }  // twice
  operator coroutine_handle<>() const { return {}; }  // twice
};
}  // namespace std

struct ready {
  bool await_ready() noexcept { return true; }  // twice
  void await_suspend(std::coroutine_handle<>) noexcept {}  // twice
  void await_resume() noexcept {}  // twice
};
struct task {
  struct promise_type {
    task get_return_object() { return {}; }  // twice
    ready initial_suspend() noexcept { return {}; }  // twice
    ready final_suspend() noexcept { return {}; }  // twice
    void return_void() {}  // twice
    void unhandled_exception() {}  // twice
  };
};

int plain(int a) { return a + 1; }  // twice

int with_a_lambda(int a) {  // twice
  auto more = [&] { return a + 1; };
  struct inner {
    int get() { return 2; }  // twice
  };
  return more() + inner().get();
}

int counts() {
  static int calls = 0;
  return ++calls;
}

int counts_within(int a) {
  return [a] {
    static int calls = 0;
    return calls += a;
  }();
}

int jumps(int a) {
again:
  if (--a > 0) goto again;
  return a;
}

int in_assembler(int a) {
  asm("nop" : "+r"(a));
  return a;
}

constexpr int constant(int a) { return a + 1; }

auto deduced(int a) { return [a] { return a; }; }

int from_a_macro() BODY

task waits() { co_return; }

int of_two_kinds(int a) {
#ifdef OTHER
  return a;
#else
  return a + 1;
#endif
}

int tries(int a) try {
  return a;
} catch (...) {
  return 0;
}

template <typename T>
T of_a_template(T a) {  // twice
  return a + a;
}
int use_it() { return of_a_template(1); }  // twice

struct with_members {
  int a;
  with_members() : a(1) { ++a; }  // twice
  explicit with_members(int b) : a(b) {  // twice
    ++a;
  }
  int get() const { return a; }  // twice
};

#line 1000
int counted_otherwise(int a) { return a; }
