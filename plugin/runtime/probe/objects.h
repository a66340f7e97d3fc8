// Programs and shared libraries of this process, and the probes in their functions.
#ifndef MORPH_RUNTIME_PROBE_OBJECTS_H
#define MORPH_RUNTIME_PROBE_OBJECTS_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "coverage/probe/format.h"
#include "machine.h"

namespace morph_probe {

constexpr size_t most_key = 96;
constexpr uint32_t most_objects = 2048;
constexpr uint32_t no_function = ~0u;

// Its functions have probes if it has a table.
struct probed_object {
  uintptr_t begin, end;  // of its text, if it has probes
  uintptr_t bias;
  const link_map* map;  // none: this place is free
  table_view table;
  volatile uint8_t* entered;
  uint8_t* kept;  // in a series: those that belong to every test
  char key[most_key];
  bool is_loaded;  // as of the last look at the loader's list
};

extern probed_object objects[most_objects];
extern volatile uint32_t object_count;

// null: no object with probes.
const probed_object* object_at(uintptr_t address);
uint32_t function_at(const probed_object& o, uintptr_t address);

// As the loader tells of them now. Where it tells, this thread has its locks.
void look_at_objects();

template <typename Do>
void each_namespace(Do each) {
  const r_debug_extended* space = reinterpret_cast<const r_debug_extended*>(&_r_debug);
  while (space != nullptr) {
    each(*space);
    space = space->base.r_version >= 2 ? space->r_next : nullptr;
  }
}

// ---- probes

// While other threads may be there.
void put(uintptr_t address, code_unit code);
void take_away(const probed_object& o, uint32_t function);

// The same bytes as in the table, while no other thread is there.
void put_back(const probed_object& o, uint32_t function);

// Where to go on; 0: no probe of ours is there.
uintptr_t note_entry(uintptr_t address);

// ---- traps

void catch_traps();

// There the loader tells debuggers of objects that come and go.
void watch_loader(uintptr_t address);

// A call at a function's entry comes here by way of its object's slot.
extern "C" void morph_probe_entry() __attribute__((visibility("hidden")));

// ---- what this process was started with; null: nothing

const char* folder_of_tables();
const char* folder_of_row();
const char* const* environment_at_start();

}  // namespace morph_probe

#endif
