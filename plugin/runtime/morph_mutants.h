// What rewritten sources say at each place where they can be mutated; every source of a mutation twin includes this
// first.
//
// A node is a place, an alternative a program mutant of it. At most one is active. A node's byte is set while its
// mutant is active, or while it is to tell that it was reached, once: all else costs a test of a byte.
#ifndef MORPH_RUNTIME_MUTANTS_H
#define MORPH_RUNTIME_MUTANTS_H
#ifdef __cplusplus

extern "C" {
extern __attribute__((visibility("default"))) unsigned char morph_node[];
extern __attribute__((visibility("default"))) unsigned morph_alternative;
__attribute__((visibility("default"), cold, nothrow)) bool morph_at_node(unsigned node);
}

// Constant expressions have their original values.
#define MORPH_ON(node) \
  (!__builtin_is_constant_evaluated() && __builtin_expect(morph_node[node], 0) && morph_at_node(node))
#define MORPH_V(alternative) (morph_alternative == (alternative))

#endif
#endif
