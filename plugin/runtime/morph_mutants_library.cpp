// What rewritten sources refer to, for shared libraries: a program of the mutation twin has its own, which takes the
// place of this one wherever the library is loaded. In other programs (an interpreter) the mutant that MORPH_MUTANT
// names is on.
#include <stdio.h>
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
  unsigned node = 0, alternative = 0, function = 0;
  if (mutant == nullptr || sscanf(mutant, "%u:%u:%u", &node, &alternative, &function) != 3) return;
  if (node >= MORPH_NODES || function >= MORPH_NODES) return;
  morph_alternative = alternative;
  morph_node[node] = morph_node[function] = 1;
}

}  // namespace
