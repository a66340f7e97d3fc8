// A process enters a function for the first time: a byte of the test's row says so from then on, and the probe at the
// function's entry goes. Handlers use no libc, since a test may be anywhere in it and may replace any function of it.
#include "coverage/probe/format.h"
#include "objects.h"
#include "plugin/spool/series.h"
#include "probe.h"
#include "series.h"

namespace morph_probe {
namespace {

#if defined(__x86_64__)

constexpr int barrier_of_code = 1 << 5;  // MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
constexpr int register_barrier_of_code = 1 << 6;

bool barrier_works = false;

// glibc says whether there is one thread. Where it does not, there may be more.
extern "C" char __libc_single_threaded __attribute__((weak));

void let_others_fetch_again() {
  if (&__libc_single_threaded != nullptr && __libc_single_threaded != 0) return;
  if (!barrier_works) barrier_works = call_kernel(SYS_membarrier, register_barrier_of_code, 0, 0) == 0;
  if (barrier_works) call_kernel(SYS_membarrier, barrier_of_code, 0, 0);
}

// The first five bytes within eight aligned ones. Others may write to their other bytes at the same time.
void take_call_away(uintptr_t address, uint64_t first_bytes) {
  uint64_t* const at = reinterpret_cast<uint64_t*>(address & ~7ull);
  const unsigned shift = static_cast<unsigned>(address & 7) * 8;
  const uint64_t ours = 0xffffffffffull << shift;
  uint64_t now = __atomic_load_n(at, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(at, &now, (now & ~ours) | ((first_bytes << shift) & ours), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
}

// Across a border: who comes in between meets a breakpoint. All write the same, however many they are.
void take_long_call_away(uintptr_t address, uint64_t first_bytes) {
  uint8_t expected = call_opcode;
  __atomic_compare_exchange_n(reinterpret_cast<uint8_t*>(address), &expected, breakpoint, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_RELAXED);
  let_others_fetch_again();
  for (unsigned i = 1; i < 5; ++i)
    reinterpret_cast<volatile uint8_t*>(address)[i] = static_cast<uint8_t>(first_bytes >> (8 * i));
  let_others_fetch_again();
  put(address, static_cast<uint8_t>(first_bytes));
}

#endif

}  // namespace

void put(uintptr_t address, code_unit code) {
  *reinterpret_cast<volatile code_unit*>(address) = code;
  have_fetched(address, sizeof code);
}

void take_away(const probed_object& o, uint32_t function) {
  const uintptr_t address = o.bias + o.table.addresses[function];
  const uint64_t first_bytes = o.table.first_bytes[function];
  switch (o.table.kinds[function]) {
    case probe_kind::none:
      return;
    case probe_kind::trap:
      return put(address, static_cast<code_unit>(first_bytes));
#if defined(__x86_64__)
    case probe_kind::call:
      return take_call_away(address, first_bytes);
    case probe_kind::long_call:
      return take_long_call_away(address, first_bytes);
#else
    default:
      return;
#endif
  }
}

void put_back(const probed_object& o, uint32_t function) {
  const table_header& header = *o.table.header;
  const uint64_t at = o.table.addresses[function] - header.text_address;
  const char* const armed = reinterpret_cast<const char*>(&header) + header.text_offset + at;
  const size_t size = o.table.kinds[function] == probe_kind::none   ? 0
                      : o.table.kinds[function] == probe_kind::trap ? sizeof(code_unit)
                                                                    : 5;
  volatile char* const to = reinterpret_cast<volatile char*>(o.begin + at);
  for (size_t i = size; i-- > 0;) to[i] = armed[i];
  have_fetched(o.begin + at, size);
}

uintptr_t note_entry(uintptr_t address) {
  const probed_object* const o = object_at(address);
  const uint32_t function = o != nullptr ? function_at(*o, address) : no_function;
  if (function == no_function) return 0;
  o->entered[function] = 1;
  if (is_in_series())
    for (uint32_t i = 0; i < o->table.header->hooks; ++i)
      if (o->table.hooks[i].function == function)
        if (const uintptr_t instead = enter_hook(o->table.hooks[i].role, address)) return instead;
  take_away(*o, function);
  return address;
}

void give_up(const char* reason) {
  for (uint32_t i = 0; i < object_count; ++i)
    if (objects[i].end != 0)
      for (uint32_t f = 0; f < objects[i].table.header->functions; ++f) take_away(objects[i], f);
  note_incomplete(reason);
}

bool has_probes(const void* begin, size_t size) {
  if (!is_active()) return false;
  const uintptr_t from = reinterpret_cast<uintptr_t>(begin);
  for (uint32_t i = 0; i < object_count; ++i)
    if (objects[i].end != 0 && from < objects[i].end && objects[i].begin < from + size) return true;
  return false;
}

// ---- for a series of tests

bool has_hook(hook_role role) {
  for (uint32_t i = 0; i < object_count; ++i)
    for (uint32_t h = 0; objects[i].end != 0 && h < objects[i].table.header->hooks; ++h)
      if (objects[i].table.hooks[h].role == role) return true;
  return false;
}

void arm_hooks(hook_role role) {
  for (uint32_t i = 0; i < object_count; ++i)
    for (uint32_t h = 0; objects[i].end != 0 && h < objects[i].table.header->hooks; ++h)
      if (objects[i].table.hooks[h].role == role) put_back(objects[i], objects[i].table.hooks[h].function);
}

void arm(uintptr_t address) {
  if (const probed_object* const o = object_at(address)) put_back(*o, function_at(*o, address));
}

void disarm(uintptr_t address) {
  if (const probed_object* const o = object_at(address)) take_away(*o, function_at(*o, address));
}

size_t keep_entered() {
  size_t room = 0;
  for (uint32_t i = 0; i < object_count; ++i) {
    const probed_object& o = objects[i];
    if (o.end == 0 || o.kept == nullptr) continue;
    const uint32_t n = o.table.header->functions;
    for (uint32_t f = 0; f < n; ++f) o.kept[f] = o.entered[f];
    room += sizeof(series_table) + most_key + sizeof(uint32_t) * n;
  }
  return room;
}

size_t take_entered(char* to, uint32_t& tables, bool puts_back) {
  size_t size = 0;
  tables = 0;
  for (uint32_t i = 0; i < object_count; ++i) {
    const probed_object& o = objects[i];
    if (o.end == 0 || o.kept == nullptr) continue;
    series_table& table = *reinterpret_cast<series_table*>(to + size);
    table = {0, 0};
    size_t at = size + sizeof table;
    for (const char* c = o.key; *c != '\0'; ++c, ++table.key) to[at++] = *c;
    at = rounded_up(at, sizeof(uint32_t));
    const uint32_t n = o.table.header->functions;
    for (uint32_t f = 0; f < n; ++f) {
      // Most are as they were: eight at a time.
      while (f % 8 == 0 && f + 8 <= n &&
             *reinterpret_cast<const volatile uint64_t*>(o.entered + f) ==
                 *reinterpret_cast<const uint64_t*>(o.kept + f))
        f += 8;
      if (f >= n || o.entered[f] == o.kept[f]) continue;
      *reinterpret_cast<uint32_t*>(to + at) = f;
      at += sizeof(uint32_t);
      ++table.functions;
      o.entered[f] = 0;
      if (puts_back) put_back(o, f);
    }
    size = at;
    ++tables;
  }
  return size;
}

}  // namespace morph_probe
