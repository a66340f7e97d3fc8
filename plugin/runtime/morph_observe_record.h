// The record of what a test's process observed: begun and ended by the server of mutants (morph_mutants.cpp).
//
// Lines of text; coverage/observation/record.cpp reads them:
//   O POINT NUMBER INSTRUCTION PATH   a call or an evaluation begins; NUMBER from 1, PATH 0: none
//   p NAME DIGEST TEXT                a property of it
//   u NAME WHY                        that is not read
//   R POINT NAME DIGEST               of all those that have no lines of their own
//   C POINT COUNT                     how often it was begun
//   N NAME PRIVATE TEXT               what a property is called
//   P PATH ADDRESS...                 a call path, the innermost first
//   M ADDRESS FILE                    where a program or library lies in memory
//   T COUNT                           what other threads did
#ifndef MORPH_RUNTIME_OBSERVE_RECORD_H
#define MORPH_RUNTIME_OBSERVE_RECORD_H

namespace morph_runtime {

/// Of the calls of `point`, or of all. `fill`: what memory holds before the program writes to it.
void begin_observing(int file, unsigned point, unsigned char fill);
void observe_from_here();
bool is_observed();
/// What a spec gave, each by words for its input: properties of point 0, which no source has.
void observe_outputs(const char* const* words, const char* const* outputs, unsigned long count);
/// Writes the record, once; in no other process than the one that began it.
void end_observing();

}  // namespace morph_runtime

#endif
