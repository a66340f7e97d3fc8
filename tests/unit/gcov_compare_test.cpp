// Our reading of GCC's notes and counters against gcov's own, on programs built here by each supported compiler.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "coverage/gcov/data.hpp"
#include "coverage/gcov/files.hpp"
#include "coverage/gcov/gcov_lines.hpp"
#include "coverage/gcov/note.hpp"
#include "coverage/gcov/program_model.hpp"
#include "tests/gcov_answers.hpp"
#include "tests/unit/gcov_support.hpp"

namespace {

using namespace morph::gcov;
using gcov_answers::module_of;
using gcov_answers::outcome;
using gcov_answers::place;
using gcov_support::run;
using gcov_support::temporary_folder;

struct source {
  const char* name;
  const char* text;
};
struct program {
  const char* name;
  std::vector<source> sources;
};

const program control_flow{"control_flow", {{"main.cpp", R"(#include <cstdlib>
#include <stdexcept>
#include <vector>

static int classify(int a, int b, int c) {
  if (a == b && b == c) return 3;
  if (a == b || b == c || a == c) return 2;
  return a > b ? b > c ? 1 : 0
               : -1;
}

static int sum(const std::vector<int>& values) {
  int total = 0;
  for (int value : values) { if (value < 0) continue; total += value; }
  for (int i = 0; i < 3; ++i) for (int j = 0; j < i; ++j) total += i * j;
  for (int i = 0; i < 8; ++i) { if (i % 2) total += 1; else total -= 1; if (i % 3) total += 2; else total *= 2; }
  int n = 5; while (n --> 0) { do { ++total; } while (total % 3); }
  return total;
}

static const char* name(int kind) {
  switch (kind) {
    case 0: return "none";
    case 1:
    case 2: {
      static int calls = 0;
      ++calls;
      return calls > 1 ? "again" : "once";
    }
    default: break;
  }
  return "other";
}

struct guard {
  int& depth;
  explicit guard(int& d) : depth(d) { ++depth; }
  ~guard() { --depth; }
};

static int risky(int x, int& depth) {
  guard g(depth);
  if (x > 2)
    throw std::runtime_error("too large");
  if (x < 0) throw 17;
  return x;
}

static int tries() {
  int depth = 0, caught = 0;
  for (int x : {-1, 0, 1, 5}) {
    try {
      risky(x, depth);
    } catch (const std::exception&) {
      caught += 1;
    } catch (int code) {
      caught += code;
    }
  }
  return caught + depth;
}

static int jumps(int n) {
again:
  if (n > 100) goto done;
  n *= 3;
  goto again;
done:
  return n;
}

static int never(int n) {
  if (n) return jumps(n);
  return tries();
}

#define BOTH(a, b) ((a) ? (b) : (a))
static int macros(int a, int b) {
  return BOTH(a,
              BOTH(b,
                   a + b));
}

int main(int argc, char**) {
  int result = classify(1, 1, 1) + classify(3, 4, 5) + classify(2, 2, 3) + sum({1, -2, 3});
  auto twice = [](int v) { return v * 2; }; auto thrice = [&](int v) {
    if (v > 1000) return never(v);
    return v * 3 + result;
  };
  result += twice(result) + thrice(4) + (name(1) == name(2)) + tries() + jumps(2) + macros(1, 2) + macros(0, 1);
  if (argc > 10) { result = never(result); } else if (argc > 5) return 3;
  if (result == 0) std::abort();
  std::exit(0);
}
)"}}};

const program several_units{"several_units",
                            {{"shape.hpp", R"(#pragma once
#include <string>
#include <vector>
struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};
struct square : shape {
  double side = 1; std::string label; std::vector<int> marks{1, 2, 3};
  explicit square(double s) : side(s) {}
  double area() const override { return side * side; }
};
template <class T>
T larger(T a, T b) {
  if (a < b)
    return b;
  return a;
}
template <class T, int N> struct ring {
  T items[N] = {};
  int at = 0;
  void push(T item) { items[at++ % N] = item; if (at > 2 * N) { at = N; } }
  T back() const {
    return at == 0 ? T{}
                   : items[(at - 1) % N];
  }
};
inline int shared_helper(int n) {
  int total = 0;
  for (int i = 0; i < n; ++i) total += i;
  return total;
}
constexpr int folded(int n) { return n < 2 ? 1 : n * folded(n - 1); }
static inline int local_in_header(int n) { return n > 0 ? n : -n; }
double total_area(const std::vector<shape*>& shapes);
int other();
)"},
                             {"other.cpp", R"(#include "shape.hpp"
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
)"},
                             {"unused.cpp", R"(#include "shape.hpp"
int unused(int n) {
  if (folded(3) > n) return larger<long>(n, 3);
  return shared_helper(n) + local_in_header(n);
}
thread_local std::string per_thread = "x";
std::string* where() { return &per_thread; }
)"},
                             {"main.cpp", R"(#include "shape.hpp"
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
)"}}};

const program branching{"branching",
                        {{"choose.hpp", R"(#pragma once
#include <stdexcept>
#include <string>
template <class T> __attribute__((always_inline)) inline T clamp(T v, T low, T high) { return v < low ? low : v > high ? high : v; }
template <class T, class F> int count_if(const T& all, F f) {
  int n = 0;
  for (const auto& one : all) if (f(one) && one) ++n;
  return n;
}
inline bool odd(int n) { return n % 2 ? true : false; } inline bool big(int n) { return n > 100 || n < -100; }
struct holder {
  std::string text;
  explicit holder(int n) : text(n > 2 ? throw std::invalid_argument("n") : std::string(static_cast<unsigned>(n), 'x')) {}
  ~holder() { if (text.size() > 1) text.clear(); }
};
[[noreturn]] inline void fail(int code) { if (code > 3) throw code; throw std::to_string(code); }
)"},
                         {"choose.cpp", R"(#include "choose.hpp"
#include <csetjmp>
#include <cstdlib>
#include <vector>

static int chosen(int kind, bool twice) {
  int result = 0;
  switch (kind) {
    case 0: result = 1; break;
    case 1: result = 2; [[fallthrough]];
    case 2: result += 3; break;
    case 3: case 4: case 5: if (twice) result *= 2; else result = -1; break;
    case 1000: return 7;
    default: result = kind > 6 && twice ? 9 : kind < 0 || !twice ? 8 : 10;
  }
  switch (kind) { case 0: return result; case 1: return -result; default: return 0; }
}

static int logic(int a, int b, int c) {
  if ((a && b) || (!c && a != b) || c > 3) return 1;
  while (a < 10 && (b > 0 || c-- > 0)) { a += b; if (a == 7) break; if (a == 5) continue; ++a; }
  do { ++b; } while (b < 3 || (b < 8 && c > 0));
  bool both = a && b, either = a || c;
  return (both ? 1 : 0) + (either ? both ? 2 : 3
                                  : 4);
}

static int careful(int n) {
  int seen = 0;
  try {
    holder one(n), two(n / 2);
    try {
      if (n == 1) fail(n);
      if (n == 2) fail(n * 3);
      seen += static_cast<int>(one.text.size() + two.text.size());
    } catch (const std::string& what) { seen += what == "1" ? 10 : 20; }
  } catch (const std::invalid_argument&) {
    if (n > 3) seen = -1; else seen = -2;
  } catch (int code) {
    seen = code > 5 ? code : 0;
  } catch (...) {
    throw;
  }
  return seen;
}

static int late(int n) noexcept {
  static const std::vector<int> table = [](int size) { if (size == 0) return std::vector<int>(); return std::vector<int>(3, size); }(n);
  static const int first = n ? n : 5; return table.empty() ? first : table[0];
}

static std::jmp_buf place;
static void jump(int n) { if (n > 1) std::longjmp(place, n); }
static int returns_twice(int n) {
  volatile int turns = 0;
  const int came = setjmp(place);
  if (came != 0 && turns > 1) return came;
  turns = turns + 1; if (turns < 3) jump(n);
  return turns > 2 ? 100 : turns;
}

static int computed(int n) {
  static void* const targets[] = {&&zero, &&one, &&two};
  goto *targets[n % 3];
zero: return 0;
one: if (n > 3) return 4;
two: return 2;
}

int main(int argc, char**) {
  int sum = 0;
  for (int kind : {-1, 0, 1, 2, 3, 4, 7, 8}) sum += chosen(kind, kind % 2 == 0);
  for (int i = 0; i < 4; ++i) for (int j = -1; j < 3; ++j) sum += logic(i, j, i - j);
  for (int n = 0; n < 5; ++n) try { sum += careful(n); } catch (...) { return 9; }
  const std::vector<int> numbers{1, 2, 3, 0, 500};
  const int least = 2;
  sum += count_if(numbers, odd) + count_if(numbers, big) + count_if(numbers, [&](int n) { return n > least ? n != 3 : n == 1; });
  sum += count_if(std::vector<long>{1, 0}, [](long n) { return n >= 0; }) + clamp(sum, 1, 50) + clamp(2.5, 3.5, 4.5) > 3 ? 1 : 0;
  sum += late(0) + late(2) + returns_twice(1) + returns_twice(2) + computed(1) + computed(2) + computed(4);
  if (argc > 20) std::abort();
  if (argc > 30 && sum == 3) fail(argc);
  return odd(argc) || argc == 0 ? 0 : 1;
}
)"}}};

struct setting {
  const char* version;
  const char* options;
  const program* built;
};

void PrintTo(const setting& s, std::ostream* out) {
  *out << "g++-" << s.version << " " << s.options << " " << s.built->name;
}

gcov_answers::unit read_with_gcov(const std::string& gcov, const std::filesystem::path& gcda) {
  const auto shown = run("cd " + gcda.parent_path().string() + " && " + gcov + " -b --json-format --stdout " +
                         gcda.filename().string() + " 2>/dev/null");
  EXPECT_EQ(shown.status, 0) << gcda;
  const auto json = nlohmann::json::parse(shown.output, nullptr, false);
  if (json.is_discarded()) {
    ADD_FAILURE() << "no JSON from " << gcov << " for " << gcda;
    return {};
  }
  return gcov_answers::of_gcov(json);
}

gcov_answers::unit read_with_morph(const note& notes, const data& counters) {
  const auto counts = gcov_counts(notes, counters);
  if (!counts) {
    ADD_FAILURE() << counts.error();
    return {};
  }
  return gcov_answers::of_morph(notes, *counts);
}

template <class Set>
std::string difference(const Set& a, const Set& b) {
  Set only;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(only, only.end()));
  return testing::PrintToString(only);
}

class gcov_compare : public testing::TestWithParam<setting> {
 protected:
  void SetUp() override {
    const std::string compiler = "g++-" + std::string(GetParam().version);
    if (run("command -v " + compiler + " gcov-" + GetParam().version + " >/dev/null").status != 0) {
      GTEST_SKIP() << "not run: " << compiler << " or its gcov is not installed";
    }
    std::string units;
    for (const auto& [name, text] : GetParam().built->sources) {
      folder_.write(std::string("src/") + name, text);
      if (!std::string_view(name).ends_with(".cpp")) continue;
      const auto object = std::string(name).substr(0, std::string(name).size() - 4) + ".o";
      const auto compile = "cd " + folder_.path().string() + " && " + compiler + " -std=c++17 --coverage " +
                           GetParam().options + " -c src/" + name + " -o " + object + " 2>&1";
      const auto compiled = run(compile);
      ASSERT_EQ(compiled.status, 0) << compile << "\n" << compiled.output;
      units += " " + object;
    }
    const auto linked = run("cd " + folder_.path().string() + " && " + compiler + " --coverage" + units +
                            " -o program 2>&1 && ./program 2>&1");
    ASSERT_EQ(linked.status, 0) << linked.output;
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      if (entry.path().extension() == ".gcda") gcdas_.push_back(entry.path());
    }
    std::sort(gcdas_.begin(), gcdas_.end());
    ASSERT_FALSE(gcdas_.empty());
  }

  struct unit {
    note notes;
    data counters;
    std::uint32_t version;
  };
  unit read(const std::filesystem::path& gcda) const {
    const auto note_path = std::filesystem::path(gcda).replace_extension(".gcno").string();
    const auto note_bytes = read_file(note_path);
    const auto data_bytes = read_file(gcda.string());
    auto notes = parse_note(note_bytes.value(), note_path);
    auto counters = parse_data(data_bytes.value(), gcda.string());
    if (!notes) throw std::runtime_error(notes.error());
    if (!counters) throw std::runtime_error(counters.error());
    std::uint32_t version = 0;
    std::memcpy(&version, data_bytes->data() + 4, sizeof version);
    return {std::move(*notes), std::move(*counters), version};
  }
  std::string gcov() const { return "gcov-" + std::string(GetParam().version); }

  temporary_folder folder_;
  std::vector<std::filesystem::path> gcdas_;
};

TEST_P(gcov_compare, lines_counts_branches_and_functions_are_those_of_gcov) {
  for (const auto& gcda : gcdas_) {
    SCOPED_TRACE(gcda.filename().string());
    const auto [notes, counters, version] = read(gcda);
    const auto theirs = read_with_gcov(gcov(), gcda);
    const auto ours = read_with_morph(notes, counters);
    ASSERT_FALSE(theirs.executable.empty());
    EXPECT_EQ(difference(ours.executable, theirs.executable), "{}") << "executable for us only";
    EXPECT_EQ(difference(theirs.executable, ours.executable), "{}") << "executable for gcov only";
    EXPECT_EQ(difference(ours.executed, theirs.executed), "{}") << "executed for us only";
    EXPECT_EQ(difference(theirs.executed, ours.executed), "{}") << "executed for gcov only";
    EXPECT_EQ(difference(ours.counts, theirs.counts), "{}") << "counts of ours";
    EXPECT_EQ(difference(theirs.counts, ours.counts), "{}") << "counts of gcov";
    ASSERT_FALSE(theirs.branches.empty());
    EXPECT_EQ(difference(ours.branches, theirs.branches), "{}") << "branches of ours";
    EXPECT_EQ(difference(theirs.branches, ours.branches), "{}") << "branches of gcov";
    EXPECT_EQ(difference(ours.functions, theirs.functions), "{}") << "functions of ours";
    EXPECT_EQ(difference(theirs.functions, ours.functions), "{}") << "functions of gcov";
  }
}

TEST_P(gcov_compare, the_model_executes_all_that_gcov_does_and_the_same_functions_and_branches) {
  program_model model;
  std::uint32_t next_id = 0;
  std::vector<counter> row;
  gcov_answers::unit all;
  std::set<std::string> executed_functions;
  std::set<place> taken, certainly_taken;  // where nothing throws, whatever gcov calls a branch is one
  for (const auto& gcda : gcdas_) {
    const auto [notes, counters, version] = read(gcda);
    const auto added = model.add(module_of(gcda.string(), version, counters, next_id, row));
    ASSERT_TRUE(added) << added.error();
    const auto theirs = read_with_gcov(gcov(), gcda);
    all.executable.insert(theirs.executable.begin(), theirs.executable.end());
    all.executed.insert(theirs.executed.begin(), theirs.executed.end());
    for (const auto& [name, line, count] : theirs.functions) {
      if (count != 0) executed_functions.insert(name);
    }
    for (const auto& [path, line, branches] : theirs.branches) {
      const auto throws = [](const outcome& b) { return std::get<2>(b); };
      const bool calls = std::any_of(branches.begin(), branches.end(), throws);
      for (const auto& b : branches) {
        if (std::get<0>(b) == 0 || throws(b)) continue;
        taken.emplace(path, line);
        if (!calls) certainly_taken.emplace(path, line);
      }
    }
  }
  const auto place_of = [&](std::uint32_t line) {
    return place{model.files()[model.lines()[line].file], model.lines()[line].line};
  };
  const auto result = model.convert(row);
  std::set<place> executable, executed_lines;
  for (std::uint32_t i = 0; i < model.lines().size(); ++i) executable.insert(place_of(i));
  for (const auto line : result.lines) executed_lines.insert(place_of(line));
  EXPECT_EQ(executable.size(), model.lines().size()) << "a line occurs twice";
  EXPECT_EQ(difference(all.executable, executable), "{}");
  EXPECT_EQ(difference(all.executed, executed_lines), "{}");
  std::set<std::string> ours;
  for (const auto function : result.functions) {
    if (!model.functions()[function].artificial) ours.insert(model.functions()[function].symbol);
  }
  EXPECT_EQ(ours, executed_functions);
  EXPECT_EQ(model.units().size(), gcdas_.size());
  std::set<place> ours_taken;
  for (const auto i : result.branches)
    ours_taken.emplace(model.files()[model.branches()[i].file], model.branches()[i].line);
  EXPECT_EQ(difference(certainly_taken, ours_taken), "{}");
  EXPECT_EQ(difference(ours_taken, taken), "{}");
  EXPECT_LT(ours_taken.size(), taken.size()) << "no call that returns was left out";
}

std::vector<setting> settings() {
  std::vector<setting> all;
  for (const auto* version : {"12", "11"}) {
    for (const auto* options : {"-O0", "-O2", "-O0 -fprofile-update=atomic"}) {
      for (const auto* built : {&control_flow, &several_units, &branching}) all.push_back({version, options, built});
    }
  }
  return all;
}

std::string test_name(const testing::TestParamInfo<setting>& info) {
  std::string name = "gcc" + std::string(info.param.version) + "_" + info.param.options + "_" + info.param.built->name;
  for (auto& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(compilers, gcov_compare, testing::ValuesIn(settings()), test_name);

}  // namespace
