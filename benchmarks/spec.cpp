// How fast specs are: mutants made, executed and checked a second, and what a pool that is kept costs.
// spec streamed POINTS: repeated for a second. spec kept POINTS: once.
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "morph/morph.hpp"
#include "plugin/spec/engine/engine.hpp"

namespace {

using clock_type = std::chrono::steady_clock;

double seconds_since(clock_type::time_point begin) {
  return std::chrono::duration<double>(clock_type::now() - begin).count();
}

struct point {
  double x, y;
};
enum class colour { red, blue, black };

/// Three subdomains of the unit square, as in section 4 of the paper on Morphy.
colour classify(const point& p) {
  const double away = (p.x - 0.5) * (p.x - 0.5) + (p.y - 0.5) * (p.y - 0.5);
  return away < 0.04 ? colour::red : p.x < p.y ? colour::blue : colour::black;
}

void declare(morph::spec<point, colour>& s, std::size_t count) {
  s.execute(classify);
  s.seeds("points", morph::draw(count, morph::made_of<point>(morph::floats(0, 1), morph::floats(0, 1))));
  const auto mid = s.datamorph("mid", [](const point& a, const point& b) {
    return point{(a.x + b.x) / 2, (a.y + b.y) / 2};
  });
  // The disc is convex. A guard and an assertion on every mutant: its output is used.
  s.relation(
      "between two red points is a red one", mid,
      [](auto&, auto& a, auto& b) { return a.output == colour::red && b.output == colour::red; },
      [](auto& m, auto&, auto&) { return m.output == colour::red; });
}

std::uint64_t resident_bytes() {
  std::FILE* const file = std::fopen("/proc/self/statm", "r");
  unsigned long long whole = 0, resident = 0;
  if (std::fscanf(file, "%llu %llu", &whole, &resident) != 2) std::abort();
  std::fclose(file);
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

int streamed(std::size_t count) {
  double first = 0, best = 0;
  std::uint64_t mutants = 0, checks = 0;
  const auto begin = clock_type::now();
  for (int i = 0; i < 2 || seconds_since(begin) < 3; ++i) {
    morph::spec<point, colour> s("points");
    declare(s, count);
    morph::engine::session at_work(s, {});
    const auto started = clock_type::now();
    at_work.run();
    const double seconds = seconds_since(started);
    mutants = at_work.report().mutants;
    checks = at_work.report().tallies[0][0].checked() + at_work.report().tallies[0][0].not_applicable;
    if (at_work.report().failed() || checks != mutants) return 1;
    if (i == 0) first = seconds;
    if (i == 0 || seconds < best) best = seconds;
  }
  std::printf("{\"points\":%zu,\"mutants\":%llu,\"first_per_s\":%.0f,\"best_per_s\":%.0f}\n", count,
              static_cast<unsigned long long>(mutants), static_cast<double>(mutants) / first,
              static_cast<double>(mutants) / best);
  return 0;
}

/// Nanoseconds for finding a case by its id, in any order.
double lookup(const morph::pool& cases) {
  morph::random_source random(7);
  std::vector<std::uint64_t> ids;
  for (int i = 0; i < 1000000; ++i) ids.push_back(cases.id(static_cast<morph::case_index>(random.below(cases.size()))));
  const auto begin = clock_type::now();
  std::uint64_t sum = 0;
  for (const std::uint64_t id : ids) sum += cases.find(id);
  const double seconds = seconds_since(begin);
  return sum == 0 ? 0 : seconds * 1e9 / static_cast<double>(ids.size());
}

int kept(std::size_t count) {
  morph::spec<point, colour> s("points");
  declare(s, count);
  morph::engine::options how;
  how.keep = true;
  const std::uint64_t before = resident_bytes();
  morph::engine::session at_work(s, how);
  const auto begin = clock_type::now();
  at_work.run();
  const double seconds = seconds_since(begin);
  const auto number = static_cast<double>(at_work.cases().size());
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  std::printf(
      "{\"cases\":%.0f,\"seconds\":%.3f,\"bytes_per_case\":%.1f,\"pool_bytes_per_case\":%.1f,\"peak_mib\":%ld,"
      "\"lookup_ns\":%.1f}\n",
      number, seconds, static_cast<double>(resident_bytes() - before) / number,
      static_cast<double>(at_work.cases().bytes()) / number, used.ru_maxrss / 1024, lookup(at_work.cases()));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const std::size_t points = std::strtoul(arguments[2], nullptr, 10);
  return std::strcmp(arguments[1], "streamed") == 0 ? streamed(points) : kept(points);
}
