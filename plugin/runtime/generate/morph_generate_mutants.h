// Which mutant of a program of calls is on, and which nodes a sequence evaluates (see morph_mutants.h).
#ifndef MORPH_GENERATE_MUTANTS_H
#define MORPH_GENERATE_MUTANTS_H

#include <stdint.h>

#include "morph_generate_format.h"

namespace morph_calls {

// `alternative` 0: the original runs, and its nodes are recorded.
struct mutant_switch {
  uint32_t node, function, alternative, most_evaluations;
};

struct node_seen {
  uint32_t node, differing, evaluations;
};

void switch_on(const mutant_switch& mutant);

// Those recorded since the last switch_on().
uint32_t nodes_seen();
node_seen seen_at(uint32_t place);

}  // namespace morph_calls

#endif
