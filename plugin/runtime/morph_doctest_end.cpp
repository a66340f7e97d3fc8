// doctest adapter where the compiler's own gcov reads the counters: all that it does is to tell of the end.
#include "morph_doctest_end.h"
