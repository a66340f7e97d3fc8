// The first include of everything that Clang compiles for a twin: makes it count every arc of a flow graph.
//
// Clang leaves out the arcs whose counts follow from those of others, but not in a file that calls fork(). They would
// follow only if every call came back: of a function that a callee left by an exception or by exit(), nothing at all
// may be counted.
#ifndef MORPH_RUNTIME_CLANG_ARCS_H
#define MORPH_RUNTIME_CLANG_ARCS_H

#ifdef __clang__
#pragma clang system_header

#ifdef __cplusplus
extern "C" {
#endif

// Under a name of its own: <unistd.h> may declare it otherwise.
int morph_fork_of_libc(void) __asm__("fork");

__attribute__((used, no_profile_instrument_function)) static int morph_count_every_arc(void) {
  return morph_fork_of_libc();
}

#ifdef __cplusplus
}
#endif
#endif

#endif
