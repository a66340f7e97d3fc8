// Another spec of the name that the one in squares.hpp has.
#pragma once

MORPH_SPEC(squares, int, int, s) {
  s.execute([](int x) { return x * x; });
  s.seeds("some", {1, 2});
  s.relation("never negative", morph::seeds, [](auto& c) { return c.output >= 0; });
}
