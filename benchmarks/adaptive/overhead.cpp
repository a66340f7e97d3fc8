// What choosing costs: a draw from the profile and its update, nanoseconds a step, by rule and number of partitions.
#include <chrono>
#include <cstdio>
#include <vector>

#include "plugin/spec/adaptive/profile.hpp"

int main() {
  using namespace morph::engine;
  struct {
    const char* name;
    profile_rule rule;
  } const rules[] = {{"uniform", profile_rule::fixed},
                     {"drt", profile_rule::drt},
                     {"mdrt", profile_rule::mdrt},
                     {"mapt", profile_rule::mapt},
                     {"rapt", profile_rule::rapt}};
  bool first = true;
  std::printf("[");
  for (const auto& each : rules)
    for (const std::size_t m : {10u, 100u, 1000u}) {
      // The best of several: others share the processor.
      double best = 1e30;
      std::size_t sum = 0;
      for (int round = 0; round < 15; ++round) {
        profile p(each.rule, {}, probabilities(m, 1 / static_cast<double>(m)));
        morph::random_source random(1);
        const int steps = 20000;
        timespec begin{}, end{};
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
        for (int i = 0; i < steps; ++i) {
          const std::size_t source = p.draw(random);
          sum += source;
          // One in eight violates; half of the follow-ups lie elsewhere.
          const std::uint64_t chance = random();
          p.update({source, (chance & 1) != 0 ? source : (source + 1) % m, (chance & 14) == 0});
        }
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        const double ns =
            static_cast<double>(end.tv_sec - begin.tv_sec) * 1e9 + static_cast<double>(end.tv_nsec - begin.tv_nsec);
        best = std::min(best, ns / steps);
      }
      std::printf("%s{\"rule\":\"%s\",\"m\":%zu,\"ns_per_step\":%.0f,\"drawn\":%zu}", first ? "" : ",", each.name, m,
                  best, sum);
      first = false;
    }
  std::printf("]\n");
}
