// A spec with a fault beyond 50, inside a program of another framework: HOST_REQUIRE and HOST_CHECK are its assertions.
#pragma once

inline int square(int x) {
  return x > 50 ? 0 : x * x;
}

MORPH_SPEC(squares, int, int, s) {
  s.execute(square);
  s.seeds("drawn", morph::uniform(0, 100, 30));
  const auto negate = s.datamorph("negate", [](int x) { return -x; });
  s.relation("required", negate, [](auto& m, auto& o) { HOST_REQUIRE(m.output == o.output); });
  s.relation("told", negate, [](auto& m, auto& o) { return m.output == o.output; });
  s.relation("fine", negate, [](auto& m, auto& o) {
    HOST_CHECK(m.output >= 0);
    return o.input >= 0;
  });
  s.relation(
      "idle", negate, [](auto&, auto& o) { return o.input < 0; }, [](auto&, auto&) { return false; });
}
