// How often a classifier runs for each border pair, by strategy; and how many of the reported pairs are none.
// explore SEEDS: so many seeds of the random numbers each.
#include "plugin/spec/explore/explore.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "morph/morph.hpp"

namespace {

using namespace morph::engine;

struct point {
  double x, y;
};

/// A classifier of the unit square whose outputs are fresh strings; what it calls classes is known here as well.
struct classifier {
  const char* name;
  std::function<std::string(const point&)> run;
};
std::string disc(const point& p) {
  const double x = p.x - 0.5, y = p.y - 0.5;
  return x * x + y * y <= 0.04 ? "centre" : y > x ? "north of the diagonal" : "south of the diagonal";
}
std::string waves(const point& p) {
  return p.y > 0.5 + 0.2 * std::sin(12 * p.x) ? "above the wave" : "below the wave";
}
std::string board(const point& p) {
  return (static_cast<int>(std::floor(p.x * 4)) + static_cast<int>(std::floor(p.y * 4))) % 2 == 0 ? "a black square"
                                                                                                  : "a white square";
}
std::string nothing(const point&) {
  return "the same class everywhere";
}

struct sum {
  std::size_t borders = 0, false_ones = 0, widest_beyond = 0;
  std::uint64_t searches = 0, steps = 0, midpoints = 0, confirming = 0;
};

void add(sum& to, const classifier& program, exploration strategy, std::uint64_t seed, double step) {
  morph::spec<point, std::string> spec(program.name);
  spec.execute(program.run);
  spec.seeds("drawn", morph::draw(100, morph::made_of<point>(morph::floats(0, 1), morph::floats(0, 1))));
  spec.datamorph("mid", [](const point& a, const point& b) { return point{(a.x + b.x) / 2, (a.y + b.y) / 2}; });
  spec.datamorph("east", [=](point p) { return point{p.x + step, p.y}; });
  spec.datamorph("west", [=](point p) { return point{p.x - step, p.y}; });
  spec.datamorph("north", [=](point p) { return point{p.x, p.y + step}; });
  spec.datamorph("south", [=](point p) { return point{p.x, p.y - step}; });
  options seeds;
  seeds.seed = seed;
  session cases(spec, seeds);
  cases.make_seeds();
  explore_options how;
  how.method = strategy;
  how.seed = seed;
  how.mid = 0;
  how.steps = {1, 2, 3, 4};
  for (morph::case_index c = 0; c < cases.cases().size(); ++c) how.starts.push_back(c);
  const explored found = explore(cases, how);
  if (!found.error.empty()) {
    std::fprintf(stderr, "%s\n", found.error.c_str());
    std::exit(1);
  }
  const morph::spec_base& base = spec;
  for (const border_pair& each : found.borders) {
    const auto in = [&](morph::case_index c) {
      return morph::from_text<point>(base.text_of_input(cases.cases().input(c))).value.value();
    };
    const point a = in(each.a), b = in(each.b);
    to.false_ones += program.run(a) == program.run(b) ? 1 : 0;
    to.widest_beyond += std::abs(a.x - b.x) + std::abs(a.y - b.y) > 1e-6 * found.box ? 1 : 0;
  }
  to.borders += found.borders.size();
  to.searches += found.searches;
  to.steps += found.step_runs;
  to.midpoints += found.midpoint_runs;
  to.confirming += found.confirming_runs;
}

}  // namespace

int main(int count, char** arguments) {
  const int seeds = count > 1 ? std::atoi(arguments[1]) : 30;
  const std::vector<classifier> all{{"disc", disc}, {"waves", waves}, {"board", board}, {"nothing", nothing}};
  for (const exploration strategy : {exploration::random_target, exploration::random_walk, exploration::directed_walk})
    for (const double step : {0.05, 0.01}) {
      if (strategy == exploration::random_target && step < 0.05) continue;  // it takes no steps
      for (const classifier& each : all) {
        sum of;
        for (int seed = 1; seed <= seeds; ++seed) add(of, each, strategy, static_cast<std::uint64_t>(seed), step);
        std::printf(
            "{\"strategy\":\"%s\",\"step\":%g,\"classifier\":\"%s\",\"searches\":%llu,\"borders\":%zu,\"false\":%zu,"
            "\"wider\":%zu,\"steps\":%llu,\"midpoints\":%llu,\"confirming\":%llu}\n",
            exploration_name(strategy), step, each.name, static_cast<unsigned long long>(of.searches), of.borders,
            of.false_ones, of.widest_beyond, static_cast<unsigned long long>(of.steps),
            static_cast<unsigned long long>(of.midpoints), static_cast<unsigned long long>(of.confirming));
      }
    }
}
