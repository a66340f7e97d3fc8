// What `morph mutate` and a program full of mutants say to each other: shared with coverage/mutation/server.cpp.
//
// The program serves one request after the other on the socket MORPH_MUTANTS_FD. It greets first. Both run on one
// machine: numbers are as they lie in memory.
#ifndef MORPH_RUNTIME_MUTANTS_FORMAT_H
#define MORPH_RUNTIME_MUTANTS_FORMAT_H

#include <stdint.h>

namespace morph_mutants {

const uint32_t protocol_version = 7;

// Followed by names of tests with a zero after each (`name_bytes`), where each is defined as `file:line` with a zero,
// alone if the framework does not say (`place_bytes`), and what was reached before the first test: nodes,
// then for each of them the bits of those alternatives, of the first 31, that had another value than the original or
// were not compared, and then for each how often it was evaluated, at most `counted_hits`.
const uint32_t counted_hits = 1u << 17;

struct greeting {
  uint32_t version;
  uint32_t nodes;
  uint32_t tests;
  uint32_t name_bytes;
  uint32_t place_bytes;
  uint32_t reached;
  uint32_t has_threads;
};

// Followed by a test_turn for each test: they run in this order in one process, which ends at the first failure. If
// all failures are wanted, it goes on to the last test, or ends in one that fails very often.
struct request {
  uint32_t node;
  uint32_t alternative;  // zero: no mutant is active
  uint32_t records;      // which nodes are reached
  uint32_t tests;
  uint32_t wants_all;      // failures
  uint32_t function;       // the node that is set with `node`; it may be the same
  uint32_t observes;       // the answer has a record of what the test observed (plugin/runtime/observe)
  uint32_t point;          // whose calls are observed, beside what tests evaluate; all_points: of all
  uint32_t fill;           // observing, what fresh memory holds; 0: what it happens to hold
  uint64_t wall_limit_us;  // of all
};

const uint32_t all_points = UINT32_MAX;
const uint64_t most_observed = 1000000;  // of each point; what comes later is counted

// A mutant that is evaluated more often in the test does not end.
struct test_turn {
  uint32_t test;
  uint32_t hit_limit;
  uint64_t cpu_limit_us;
};

// How a program ends whose mutant is evaluated too often.
const int hit_limit_status = 88;

enum class ending : uint32_t { passed, failed, crashed, cpu_limit, wall_limit, hit_limit, exited, lost };

// Followed by what was reached, if that was recorded, as above; and by the tests that failed, places in the request's
// list, if all were wanted; and by the record, if one was wanted.
struct answer {
  ending how;
  uint32_t test;   // where it ended, a place in the request's list
  int32_t detail;  // signal or exit status
  uint32_t reached;
  uint32_t skipped;  // of one test: the framework calls it skipped
  uint32_t begun;    // a test began; else what runs before them came to an end
  uint32_t failures;
  uint64_t record_bytes;
  uint64_t cpu_us;
  uint64_t wall_us;
};

}  // namespace morph_mutants

#endif
