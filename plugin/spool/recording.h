// What the runtime of probes and the recorder say to each other when a test begins, over a socket of whole messages
// (SOCK_SEQPACKET) in the folder of rows.
//
// MORPH_PROBES_LEARN=FOLDER/RUN/TEST: the folder of rows, the run of ctest and the test. The runtime sends that value,
// of a series (series.h) with a zero and the path of its file behind it; TEST is "series" then.
// The recorder answers with a grant, behind it the filter that lets the kernel tell which files the test opens. The
// runtime installs it and sends the kernel's answer: an errno, and with 0 the listener.
//
// C++11 without a library, as coverage/probe/format.h, which describes what is in a row.
#ifndef MORPH_SPOOL_RECORDING_H
#define MORPH_SPOOL_RECORDING_H

#include <stdint.h>

namespace morph_probe {

constexpr char recorder_socket[] = "recorder";         // in the folder of rows
constexpr char recorder_program[] = "morph-recorder";  // beside the library
constexpr int recorder_is_there = 4;                   // its exit status where another one has the folder

constexpr char test_of_series[] = "series";

constexpr uint32_t longest_message = 4096;

struct grant {
  char row[1024];    // ROW of this test: FOLDER/live/PID.NUMBER.PID_OF_RECORDER
  uint32_t filters;  // sock_filter, behind this; 0: files are not watched
};

// ROW/end: the status of the process whose number the row has, as a decimal number. It is there when that process has
// come to its end by itself.
constexpr char end_of_row[] = "/end";

// The fourth argument of an openat() of the runtime's own, which the kernel need not tell of.
constexpr uint32_t mode_of_own_opens = 0x4d4f5250;

}  // namespace morph_probe

#endif
