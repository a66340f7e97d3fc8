// Catch2 adapter where the compiler's own gcov reads the counters: all that it does is to tell of the end.
#include "morph_catch2_end.h"
