// Specs for adaptive execution: one with a fault in a corner, and some whose partitions, relations or runs are wrong.
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <morph/morph.hpp>
#include <optional>
#include <stdexcept>

struct parcel {
  int grams, kilometres;
  bool express;
};

static int cents(parcel p) {
  int cost = 300 + 2 * p.kilometres;
  if (p.grams > 2000) cost += (p.grams - 2000) / 10;
  if (p.express) cost += cost / 2;
  if (p.grams > 18000 && p.kilometres > 800) cost -= 4000;  // a rebate that nobody meant
  return cost;
}

MORPH_SPEC(parcels, parcel, int, s) {
  s.execute(cents);
  s.seeds("random", morph::draw(100, morph::made_of<parcel>(morph::integers(1, 20000), morph::integers(1, 1000),
                                                            morph::booleans())));
  s.category("weight", &parcel::grams,
             {{"light", [](int g) { return g <= 15000; }}, {"heavy", [](int g) { return g > 15000; }}});
  s.category("way", &parcel::kilometres,
             {{"near", [](int k) { return k <= 700; }}, {"far", [](int k) { return k > 700; }}});
  const auto heavier = s.datamorph("heavier", [](parcel p) {
    p.grams += 1500;
    return p;
  });
  const auto further = s.datamorph("further", [](parcel p) {
    p.kilometres += 50;
    return p;
  });
  s.relation("more costs no less", {heavier, further}, [](auto& m, auto& o) { return m.output >= o.output; });
}

static int same(int n) {
  return n;
}
static void declare(morph::spec<int, int>& s) {
  s.execute(same);
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.relation("any", s.datamorph("next", [](int n) { return n + 1; }), [](auto&, auto&) { return true; });
}

MORPH_SPEC(no_partitions, int, int, s) {
  declare(s);
}

MORPH_SPEC(overlap, int, int, s) {
  declare(s);
  s.partitions({{"even", [](int n) { return n % 2 == 0; }}, {"any", [](int) { return true; }}});
}

MORPH_SPEC(gap, int, int, s) {
  declare(s);
  s.partitions({{"even", [](int n) { return n % 2 == 0; }}});
}

MORPH_SPEC(no_relation, int, int, s) {
  s.execute(same);
  s.seeds("literal", {1, 2});
  s.partitions({{"even", [](int n) { return n % 2 == 0; }}, {"odd", [](int n) { return n % 2 != 0; }}});
  s.relation("of even ones",
             s.datamorph("half", [](int n) { return n % 2 == 0 ? std::optional<int>(n / 2) : std::nullopt; }),
             [](auto&, auto&) { return true; });
}

/// Crashes and hangs are outcomes of runs.
MORPH_SPEC(crashing, int, int, s) {
  declare(s);
  s.execute("crashing", [](int n) { return n % 10 == 7 ? (std::abort(), 0) : n; });
  s.partitions({{"below 50", [](int n) { return n < 50; }}, {"others", [](int n) { return n >= 50; }}});
}

MORPH_SPEC(endless, int, int, s) {
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.relation("any", s.datamorph("next", [](int n) { return n + 1; }), [](auto&, auto&) { return true; });
  s.execute([](int n) {
    while (n == 7) {
      static volatile int turns;
      turns = turns + 1;
    }
    return n;
  });
  s.partitions({{"below 10", [](int n) { return n < 10; }}, {"others", [](int n) { return n >= 10; }}});
  s.timeout(0.2);
}

/// Checked by more than relations on what datamorphisms make.
MORPH_SPEC(checked, int, int, s) {
  s.execute([](int n) { return n == 71 ? 0 : n; });
  s.seeds("labelled", {{1, 1}, {2, 3}, {60, 60}});
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.partitions({{"below 50", [](int n) { return n < 50; }}, {"others", [](int n) { return n >= 50; }}});
  s.relation(
      "sum", s.datamorph("add", [](int a, int b) { return a + b; }), [](auto& m, auto&, auto&) { return m.input < 90; },
      [](auto& m, auto& a, auto& b) { return m.output == a.output + b.output; });
  s.relation("next", s.datamorph("next", [](int n) { return n % 3 == 0 ? std::optional<int>(n + 1) : std::nullopt; }),
             [](auto& m, auto& o) { return m.output > o.output; });
  s.relation("not negative", morph::all_cases, [](auto& c) { return c.output >= 0; });
  s.relation(
      "small", morph::seeds, [](auto& c) { return c.input < 20; }, [](auto& c) { return c.output < 20; });
}

/// Somebody ends it: this process, or who watches it.
MORPH_SPEC(interrupted, int, int, s) {
  s.seeds("random", morph::draw(20, morph::integers(0, 99)));
  s.relation("any", s.datamorph("next", [](int n) { return n + 1; }), [](auto&, auto&) { return true; });
  s.execute([](int n) {
    static int runs = 0;
    const char* const whom = std::getenv("MORPH_TEST_INTERRUPTS");
    if (++runs == 50 && whom != nullptr) ::kill(std::strcmp(whom, "parent") == 0 ? ::getppid() : ::getpid(), SIGTERM);
    return n;
  });
  s.partitions({{"below 50", [](int n) { return n < 50; }}, {"others", [](int n) { return n >= 50; }}});
}

MORPH_SPEC(far_apart, int, int, s) {
  declare(s);
  s.distance_by([](int, int) -> double { throw std::runtime_error("no way between them"); });
}
