// What observed code of a shared library refers to where no program of the mutation twin loads it: nothing is observed.
#include "morph_observe.h"

extern "C" {
unsigned char morph_observes = 0;
unsigned morph_instruction = 0;
}

unsigned long long morph_observe_enter(unsigned) {
  return 0;
}
unsigned long long morph_observe_call(unsigned) {
  return 0;
}
bool morph_observe_begin(unsigned, unsigned long long, bool) {
  return false;
}
void morph_observe_end() {}
size_t morph_observe_push(const char*, int) {
  return 0;
}
void morph_observe_pop(size_t) {}
void morph_observe_bits(int, const void*, size_t) {}
void morph_observe_word(const char*) {}
void morph_observe_text(const char*, size_t) {}
void morph_observe_c_text(const char*) {}
void morph_observe_list(int) {}
void morph_observe_list_end() {}
void morph_observe_not_read(const char*) {}
bool morph_observe_copy(void*, const void*, size_t) {
  return false;
}
void morph_observe_exception(const char*) {}
