// gcov's counters in the memory of this process: where they are, what they belong to, how their pages are shared.
//
// Counters are known by ids, which ascend with their addresses. The pages that hold them may hold other variables too.
#ifndef MORPH_RUNTIME_COUNTERS_H
#define MORPH_RUNTIME_COUNTERS_H

#include <stddef.h>
#include <stdint.h>

#include <vector>

#include "morph_bytes.h"
#include "morph_link_unit.h"
#include "morph_pages.h"

namespace morph_runtime {

// Neighbouring pages, and where they are in a copy of all of them, one behind the other.
struct page_range {
  char* begin;
  size_t bytes;
  size_t offset;
  bool has_variables;  // beside the counters
};

// The counters of a function: of its arcs, or of its conditions.
struct counter_span {
  size_t offset;  // in a copy of the pages
  uint32_t count;
  uint32_t first_id;
  uint32_t is_masks;  // the counters of two processes are joined bit by bit, and not added
  uint32_t unused;
};

inline void join(const counter_span& span, const counter* from, counter* to) {
  for (uint32_t i = 0; i < span.count; ++i) to[i] = span.is_masks != 0 ? to[i] | from[i] : to[i] + from[i];
}

struct counter_layout {
  std::vector<page_range> pages{};
  table<counter_span> spans{};  // ids ascend, from 0
  size_t bytes = 0;             // of all pages
  uint32_t counters = 0;
  // For each object file the payload of a module record, behind its length (u32).
  byte_buffer modules{};

  counter_layout() = default;
  counter_layout(const counter_layout&) = delete;
  counter_layout& operator=(const counter_layout&) = delete;
};

const size_t reason_room = 512;

enum class search { found, no_counters, unsupported };

// The counters of everything that is loaded, or of one executable or shared object. `reason`, of reason_room bytes: why
// they are not supported.
search find_counters(counter_layout* layout, char* reason);
search find_counters_of(const link_unit* unit, counter_layout* layout, char* reason);

// Whether somebody else than the runtime sees to it that what this program counted is found in a file.
bool writes_files();

// What the program has loaded: Clang's counters have no list of their own.
void add_unit(link_unit* unit);
void remove_unit(link_unit* unit);

// Empties libgcov's lists, so that its dumps write nothing and its resets (each fork() in instrumented code is
// __gcov_fork, which resets in the child and forgets that it had dumped) clear nothing.
void silence_libgcov();
void silence_libgcov_of(const link_unit* unit);

// Whether something with counters was loaded since silence_libgcov().
bool has_new_counters();

// `copy` has room for layout.bytes.
void copy_pages(const counter_layout& layout, char* copy);
void copy_variables(const counter_layout& layout, char* copy);  // the pages that hold some
void clear_counters(const counter_layout& layout, char* copy);
void clear_counters(const counter_layout& layout);  // the originals

// Maps a copy, which is in shared memory, over the pages themselves. False, with errno, if that fails.
bool share_pages(const counter_layout& layout, char* copy);

// Before this object is unloaded: its pages will be somebody else's.
void forget_pages_of(const link_unit* unit, counter_layout* layout);

// Gives this process pages of its own, with the values that they have.
bool make_pages_private(const counter_layout& layout);

}  // namespace morph_runtime

#endif
