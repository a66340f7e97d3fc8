// The nodes of a program of calls: what its rewritten sources ask. Without MORPH_NODES it has no mutants.
#include "morph_generate_mutants.h"

#include <string.h>
#include <unistd.h>

#include "morph_mutants.h"

#ifndef MORPH_NODES
#define MORPH_NODES 0
#endif

extern "C" {
unsigned char morph_node[MORPH_NODES + 1];
unsigned morph_alternative = 0;
unsigned char morph_records = 0;
}

namespace {

// Of a process, which runs one sequence after the other.
uint32_t order[MORPH_NODES + 1], differing[MORPH_NODES + 1], evaluations[MORPH_NODES + 1];
uint32_t seen = 0;
uint32_t evaluations_left = 0;

void note(unsigned node, unsigned differ) {
  if (node >= MORPH_NODES) return;
  if (evaluations[node] == 0) order[seen++] = node;
  if (evaluations[node] < morph_most_evaluations) ++evaluations[node];
  differing[node] |= differ;
}

}  // namespace

bool morph_at_node(unsigned node) {
  if (morph_records != 0) {
    note(node, ~0u);
    return false;
  }
  if (evaluations_left == 0) _exit(morph_status_of_endless);
  --evaluations_left;
  return true;
}

void morph_saw(unsigned node, unsigned compared, unsigned differ) {
  note(node, differ | ~compared);
}

namespace morph_calls {

void switch_on(const mutant_switch& mutant) {
  memset(morph_node, 0, sizeof morph_node);
  morph_alternative = 0;
  morph_records = 0;
  if (mutant.alternative == 0) {
    seen = 0;
    memset(differing, 0, sizeof differing);
    memset(evaluations, 0, sizeof evaluations);
    memset(morph_node, 1, sizeof morph_node);
    morph_records = 1;
  } else if (mutant.node < MORPH_NODES && mutant.function < MORPH_NODES) {
    evaluations_left = mutant.most_evaluations;
    morph_alternative = mutant.alternative;
    morph_node[mutant.node] = morph_node[mutant.function] = 1;
  }
}

uint32_t nodes_seen() {
  return seen;
}

node_seen seen_at(uint32_t place) {
  const uint32_t node = order[place];
  const node_seen made = {node, differing[node], evaluations[node]};
  return made;
}

}  // namespace morph_calls
