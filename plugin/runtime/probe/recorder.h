// A test that ctest runs asks the recorder for a row.
#ifndef MORPH_RUNTIME_PROBE_RECORDER_H
#define MORPH_RUNTIME_PROBE_RECORDER_H

namespace morph_probe {

// `asked`: the value of MORPH_PROBES_LEARN, `series`: the file of a series, or "", `library`: the path of this one.
// Starts the recorder if there is none. The folder of the row, or null: then this test is not recorded. From then on
// the kernel tells the recorder of files.
const char* ask_for_row(const char* asked, const char* series, const char* library);

// Makes the file if there is none. The kernel tells nobody of one that is there.
long open_of_row(const char* path, int flags);

// Whether the recorder gave that row to a test, and not who measures.
bool is_of_recorder(const char* row);

// In each process that records to a row.
void begin_row(const char* row);

// Whoever stands behind us in the way of _exit(): a sanitizer may report what it has found there.
void find_next_exit();

// The process that the row is of, whatever it executes, says how it ended.
void tell_end_of(const char* row);

}  // namespace morph_probe

#endif
