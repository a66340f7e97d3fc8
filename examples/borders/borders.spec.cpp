// Where the zones of a town meet. `morph spec explore` needs what lies between two addresses; walks need steps, too.
#include <morph/morph.hpp>

#include "zones.hpp"

MORPH_SPEC(zones, Address, std::string, s) {
  s.execute(zone).thread_safe();
  s.seeds("drawn", morph::draw(40, morph::made_of<Address>(morph::floats(0, 1), morph::floats(0, 1))));

  const auto mid = s.datamorph("mid", [](const Address& a, const Address& b) {
    return Address{(a.x + b.x) / 2, (a.y + b.y) / 2};
  });
  mid.symmetric();
  s.datamorph("east", [](Address a) { return Address{a.x + 0.05, a.y}; });
  s.datamorph("west", [](Address a) { return Address{a.x - 0.05, a.y}; });
  s.datamorph("up", [](Address a) { return Address{a.x, a.y + 0.05}; });
  s.datamorph("down", [](Address a) { return Address{a.x, a.y - 0.05}; });

  s.relation(
      "between two addresses of the centre is the centre", mid,
      [](auto&, auto& a, auto& b) { return a.output == "centre" && b.output == "centre"; },
      [](auto& m, auto&, auto&) { return m.output == "centre"; });
}
