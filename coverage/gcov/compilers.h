// The compilers whose counters Morph reads itself, by their major versions. Each was compared with its own gcov. This
// is the one place of these numbers: MorphTwin.cmake reads them out of this text, the runtime's C++11 includes it.
#ifndef MORPH_COMPILERS_H
#define MORPH_COMPILERS_H

#define MORPH_OLDEST_GCC 11
#define MORPH_NEWEST_GCC 16
#define MORPH_OLDEST_CLANG 14
#define MORPH_NEWEST_CLANG 19
// Those from here on are measured through their own gcov or llvm-cov.
#define MORPH_OLDEST_GCC_WITH_FILES 9
#define MORPH_OLDEST_CLANG_WITH_FILES 11

#define MORPH_TEXT_OF(number) #number
#define MORPH_TEXT(number) MORPH_TEXT_OF(number)

#endif
