// What `morph generate` and a program of calls say to each other, on a socket: numbers of this machine, without
// padding.
//
// A message is its size in bytes (uint32_t, without itself), then its kind (uint32_t), then what the kind says. The
// program answers each `run` by one message of kind `ran`; nothing else is answered.
#ifndef MORPH_GENERATE_FORMAT_H
#define MORPH_GENERATE_FORMAT_H

#include <stdint.h>

enum morph_message : uint32_t {
  // Literals that arguments name by their numbers, behind those that were sent before. Each: a letter, then its value.
  // 'i': int64_t. 'd': double. 's': uint32_t bytes, then these. 'l': uint32_t count, then numbers of literals.
  morph_message_literals = 1,
  // uint32_t of morph_run_flags, uint32_t count of sequences. Each: uint32_t count of calls. Each: uint32_t number of
  // the callable, uint32_t count of arguments, then these: uint32_t number * 4 + morph_argument_kind.
  morph_message_run = 2,
  // Of each sequence in their order: uint8_t of morph_outcome, int32_t code (a signal, an exit status), uint32_t of the
  // call that it ended in; uint32_t count of calls that were left out, then their numbers; uint32_t count of goals that
  // were touched, each: uint32_t goal, float distance (0: reached);
  // uint32_t count of operands, each: a literal as above; uint32_t count of observations, each: uint32_t call,
  // uint32_t place (0: result; k + 1: parameter k), uint32_t bytes, then its text, a letter and the value (b: 0 or 1;
  // i, u,
  // e: a number, of an enumerator; d: a real; s: text; n, p: a pointer that is null, or not; k: it is the object that
  // this
  // call gave); uint32_t bytes of the exception's type, then its name; uint32_t count of nodes that were recorded,
  // each:
  // uint32_t node, uint32_t bits of its alternatives that had another value, uint32_t evaluations.
  morph_message_ran = 3,
  // As `run`, but before each sequence stands the mutant that is on: uint32_t node, uint32_t node of the function
  // around
  // it, uint32_t number of the alternative from 1 on, uint32_t how often it is evaluated at most. Alternative 0: the
  // original runs, and its nodes are recorded.
  morph_message_run_mutants = 4,
};

enum morph_run_flags : uint32_t {
  morph_run_observes = 1,  // results are written down
  morph_run_alone = 2,     // each sequence has a process of its own
  // A call that lacks a value is left out, and so is each one that needs what it would have given; else the sequence
  // ends there.
  morph_run_leaves_out = 4,
  morph_run_is_patient = 8,  // a sequence has ten times the time
};

const uint32_t morph_most_evaluations = 1u << 24;  // that are counted
const int morph_status_of_endless = 88;            // of a process whose mutant is evaluated too often

enum morph_argument_kind : uint32_t {
  morph_argument_value = 0,    // what an earlier call of the sequence gave
  morph_argument_literal = 1,  // by its number
  morph_argument_nothing = 2,  // a null pointer, or a variable that the callable writes to
};

enum morph_outcome : uint8_t {
  morph_outcome_passed = 0,
  morph_outcome_threw = 1,
  morph_outcome_no_value = 2,  // an argument was null, or cannot be made of this literal
  morph_outcome_crashed = 3,   // code: the signal
  morph_outcome_hung = 4,      // it took too much time
  morph_outcome_ended = 5,     // exit(); code: the status
  morph_outcome_refused = 6,   // it tried to change something outside of its process
};

#endif
