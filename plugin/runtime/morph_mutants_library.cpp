// What rewritten sources refer to, for shared libraries: a program of the mutation twin has its own, which takes the
// place of this one wherever the library is loaded. In other programs (an interpreter) the mutant that MORPH_MUTANT
// names is on.
#include <stdlib.h>

#include "morph_mutants.h"
#include "morph_nodes.h"  // made by `morph mutate`: MORPH_NODES

extern "C" {
unsigned char morph_node[MORPH_NODES + 1];
unsigned morph_alternative = 0;
unsigned char morph_records = 0;
}

bool morph_at_node(unsigned) {
  return true;
}

void morph_saw(unsigned, unsigned, unsigned) {}

namespace {

__attribute__((constructor(101))) void activate_mutant() {
  const char* const mutant = getenv("MORPH_MUTANT");
  char* rest = nullptr;
  const unsigned long node = mutant == nullptr ? MORPH_NODES : strtoul(mutant, &rest, 10);
  if (node >= MORPH_NODES || rest == mutant || *rest != ':') return;
  morph_alternative = static_cast<unsigned>(strtoul(rest + 1, nullptr, 10));
  morph_node[node] = 1;
}

}  // namespace
