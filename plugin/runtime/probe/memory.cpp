// What a program does to the memory that its own code lies in: it stays writable, and the row is incomplete if there is
// other code in its place.
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "machine.h"
#include "next.h"
#include "probe.h"

using morph_probe::has_probes;

namespace {

// A probe is taken away by a store.
int writable_protection(void* begin, size_t size, int protection) {
  return (protection & PROT_EXEC) != 0 && has_probes(begin, size) ? protection | PROT_WRITE : protection;
}

// PR_SET_MDWE, SELinux, a seccomp filter.
const char* const no_writable_code = "the kernel forbids code that can be written to";

void note_if_probed(void* begin, size_t size) {
  if (has_probes(begin, size)) morph_probe::note_incomplete("memory of its own code was mapped anew");
}

// What comes there may be a copy, with the probes that are left.
void make_writable_if_probed(void* begin, size_t size) {
  if (has_probes(begin, size)) morph_probe::call_kernel(SYS_mprotect, begin, size, PROT_READ | PROT_WRITE | PROT_EXEC);
}

}  // namespace

namespace morph_probe {

void look_at_memory(long number, long* arguments) {
  void* const begin = reinterpret_cast<void*>(arguments[0]);
  const size_t size = static_cast<size_t>(arguments[1]);
  switch (number) {
    case SYS_mmap:
      if ((arguments[3] & MAP_FIXED) == 0) return;
      note_if_probed(begin, size);
      arguments[2] = writable_protection(begin, size, static_cast<int>(arguments[2]));
      return;
    case SYS_munmap:
    case SYS_mremap:  // the place to move to is seen by mremap() alone
      return note_if_probed(begin, size);
    default:
      return;
  }
}

}  // namespace morph_probe

MORPH_INTERPOSED int mprotect(void* begin, size_t size, int protection) noexcept {
  MORPH_NEXT(mprotect);
  const int with_write = writable_protection(begin, size, protection);
  const int result = next_mprotect(begin, size, with_write);
  if (result == 0 || with_write == protection) return result;
  morph_probe::give_up(no_writable_code);
  return next_mprotect(begin, size, protection);
}

MORPH_INTERPOSED int pkey_mprotect(void* begin, size_t size, int protection, int key) noexcept {
  MORPH_NEXT(pkey_mprotect);
  const int with_write = writable_protection(begin, size, protection);
  const int result = next_pkey_mprotect(begin, size, with_write, key);
  if (result == 0 || with_write == protection) return result;
  morph_probe::give_up(no_writable_code);
  return next_pkey_mprotect(begin, size, protection, key);
}

MORPH_INTERPOSED void* mmap(void* begin, size_t size, int protection, int flags, int file, off_t offset) noexcept {
  MORPH_NEXT(mmap);
  if ((flags & MAP_FIXED) != 0) {
    note_if_probed(begin, size);
    protection = writable_protection(begin, size, protection);
  }
  return next_mmap(begin, size, protection, flags, file, offset);
}

// Another name of it where offsets have 64 bits.
MORPH_INTERPOSED void* mmap64(void* begin, size_t size, int protection, int flags, int file, off64_t offset) noexcept {
  return mmap(begin, size, protection, flags, file, offset);
}

MORPH_INTERPOSED int munmap(void* begin, size_t size) noexcept {
  MORPH_NEXT(munmap);
  note_if_probed(begin, size);
  return next_munmap(begin, size);
}

MORPH_INTERPOSED void* mremap(void* begin, size_t size, size_t new_size, int flags, ...) noexcept {
  va_list list;
  va_start(list, flags);
  void* const place = (flags & MREMAP_FIXED) != 0 ? va_arg(list, void*) : nullptr;
  va_end(list);
  MORPH_NEXT(mremap);
  note_if_probed(begin, size);
  if (place != nullptr) note_if_probed(place, new_size);
  void* const moved = next_mremap(begin, size, new_size, flags, place);
  if (moved != MAP_FAILED) make_writable_if_probed(moved, new_size);
  return moved;
}
