// How this process takes memory from the system.
#include "plugin/system/memory.hpp"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace morph::system {

void use_large_pages() {
  constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;
  constexpr int room = 128 << 20;         // addresses alone, until they are written
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // more is not taken
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
  const auto begin = reinterpret_cast<std::uintptr_t>(::sbrk(0));
  ::mallopt(M_TOP_PAD, room);
  void* volatile grows_the_heap = std::malloc(large_page);
  std::free(grows_the_heap);
  ::mallopt(M_TOP_PAD, 16 << 20);
  const std::uintptr_t from = (begin + large_page - 1) / large_page * large_page;
  const std::uintptr_t to = reinterpret_cast<std::uintptr_t>(::sbrk(0)) / large_page * large_page;
  if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
}

}  // namespace morph::system
