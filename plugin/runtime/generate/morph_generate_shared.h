// What a child of a program of calls leaves behind however it ends: memory that its parent reads, too.
#ifndef MORPH_GENERATE_SHARED_H
#define MORPH_GENERATE_SHARED_H

#include <stddef.h>
#include <stdint.h>

namespace morph_calls {

const size_t most_operands = 32;
const size_t most_operand_bytes = 64;

struct operand {
  char kind;  // as of a literal
  uint32_t size;
  union {
    int64_t number;
    double real;
    char text[most_operand_bytes];
  };
};

struct shared {
  volatile uint32_t done;  // sequences
  volatile uint32_t call;
  volatile uint32_t touched;
  volatile uint32_t used;       // bytes of results
  volatile uint32_t refused;    // system calls of the sequence
  volatile uint32_t has_ended;  // the process, by itself
  uint32_t operand_count;
  uint32_t left_out_count;
  uint32_t left_out[64];  // calls
  operand operands[most_operands];
};

const float untouched = 2;  // a distance

extern shared* state;
extern float* distances;   // by goal
extern uint32_t* touched;  // goals

}  // namespace morph_calls

#endif
