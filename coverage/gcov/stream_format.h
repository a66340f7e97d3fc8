// The stream that an instrumented test program writes while it is measured.
//
// Written by plugin/runtime (C++11, inside the user's test program), read by coverage/gcov. Both ends run on one
// machine: integers are in native byte order, without padding.
//
//   stream := "MORPHCOV" u32:format_version record*
//   record := u8:kind u32:payload_length payload
//   string := u32:length bytes
//   counts := u32:pairs (varint:id_minus_previous_id varint:count)*       ids ascending, counts non-zero
//
//   module  'M' := string:gcda_path u32:gcc_version u32:stamp u32:checksum
//                  u32:functions (u32:ident u32:lineno_checksum u32:cfg_checksum u32:counters u32:first_id)*
//                  [u32:with_conditions (u32:index u32:masks u32:first_id)*]
//                  before the first startup record those of the program; later those of what a test loads or executes
//   startup 'S' := u32:incomplete counts                                  what ran outside tests: before the first one,
//                                                                         and in a second record after the last one
//   begin   'B' := string:test                                            a test starts; written before it may crash
//   row     'R' := string:test u8:outcome i32:detail u32:incomplete u64:wall_us u64:cpu_us counts
//   variables 'V' := (name 0 | 0)*                                        environment variables that were read: of the
//                                                                         startup or row record that comes next
//   end     'E' := (nothing)                                              every requested test has its row
//
// A function's arc counters have the ids first_id .. first_id + counters - 1. Those of its conditions (GCC 14), two bit
// masks each, have ids of their own; the list says which functions, by their index in the record, have any; without one
// it is left out. Varints are LEB128, seven bits a byte,
// low bits first. `detail` is the signal of a crash, the exit status of a plain program or of an early exit, else 0.
#ifndef MORPH_COVERAGE_GCOV_STREAM_FORMAT_H
#define MORPH_COVERAGE_GCOV_STREAM_FORMAT_H

#include <stdint.h>

namespace morph_stream {

const char magic[] = "MORPHCOV";  // eight bytes, without the terminator
const uint32_t format_version = 2;

// The fourth argument of openat() by which the runtime says that a file is its own. Without O_CREAT nobody else reads
// it.
const uint32_t mode_of_unwatched_opens = 0x4d4f5250;

enum kind : uint8_t { module = 'M', startup = 'S', begin = 'B', row = 'R', variables = 'V', end = 'E' };

enum outcome : uint8_t { passed = 0, failed = 1, skipped = 2, crashed = 3, timed_out = 4, exited = 5 };

// Why a row may lack something that the test executed. Any bit set: the test is always selected.
enum incomplete : uint32_t {
  complete = 0,
  made_process = 1u << 0,       // left a process running, or made one that could not share its counters
  loaded_object = 1u << 1,      // dlopen()ed something instrumented whose counters could not be shared
  ended_early = 1u << 2,        // crashed, timed out or left by exit() / _exit() / exec
  no_counters = 1u << 3,        // nothing instrumented was executed
  threads_at_start = 1u << 4,   // the program had threads before the first test; only one of them lives on after fork()
  unknown_unit = 1u << 5,       // set by the reader: an object whose sources or notes are not known
  not_as_in_ctest = 1u << 6,    // set by the reader: ctest runs the test with properties that measuring does not apply
  uncounted_fixture = 1u << 7,  // set by the reader: a test that is not Morph's sets up its fixtures
  fixture_failed = 1u << 8,     // set by the reader: such a test failed, so that the test did not run
  changing_file = 1u << 9,      // set by the reader: it read a file that another one changed meanwhile
  unseen_files = 1u << 10,      // set by the reader: it may use files that are not recorded
  no_probes = 1u << 11          // set by the reader: something that it ran had no probes, or lost them
};

}  // namespace morph_stream

#endif
