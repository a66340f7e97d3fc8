// Specs whose morphisms end the process, or do not come back.
#include <unistd.h>

#include <cstdlib>
#include <morph/morph.hpp>
#include <numeric>
#include <stdexcept>
#include <vector>

MORPH_SPEC(typed, int, int, s) {
  s.execute([](int in) { return in == 7 ? (std::abort(), 0) : in; });
  s.seeds("typed in", morph::standard_input{});
}

MORPH_SPEC(fatal, int, int, s) {
  s.execute([](int in) { return in; });
  s.seeds("literal", {1});
  s.datamorph("endless", [](int x) {
    while (std::getenv("HOSTILE_LOOPS") != nullptr) pause();
    return x == 1 ? (std::abort(), 0) : x;
  });
}

MORPH_SPEC(throwing, int, int, s) {
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, 2, 3});
  const auto half = s.datamorph("half", [](int x) -> std::optional<int> {
    if (x == 1) throw std::runtime_error("no half");
    return x == 3 ? std::nullopt : std::optional<int>(x / 2);
  });
  s.relation("fails", half, [](auto&, auto&) -> bool { throw std::runtime_error("not known"); });
}

MORPH_SPEC(combined, int, int, s) {
  s.combinatorial();
  s.execute([](int in) { return in; });
  s.seeds("literal", {1, 2});
  s.datamorph("twice", [](int x) { return 2 * x; });
}

MORPH_SPEC(many, int, int, s) {
  s.execute([](int in) { return in; });
  std::vector<int> inputs(1000);
  std::iota(inputs.begin(), inputs.end(), 0);
  s.seeds("numbers", inputs);
  s.relation("is kept", morph::all_cases, [](auto& each) { return each.output == each.input; });
}
