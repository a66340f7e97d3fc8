// Tells of the end of a program of Morph's own specs, see morph_end.h.
#ifndef MORPH_RUNTIME_SPEC_END_H
#define MORPH_RUNTIME_SPEC_END_H

#include "morph_end.h"

// What a program of specs calls if it is there (plugin/spec/measured.h).
extern "C" void morph_spec_ended(void);

void morph_spec_ended(void) {
  morph_runtime::tell_end();
}

#endif
