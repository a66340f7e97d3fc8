// Adapter for programs of Morph's own specs where the compiler's own gcov reads the counters: all that it does is to
// tell of the end.
#include "morph_end.h"

// What a program of specs calls if it is there (plugin/spec/measured.h).
extern "C" void morph_spec_ended(void);

void morph_spec_ended(void) {
  morph_runtime::tell_end();
}
