// Put before the C library of a compiler: what GCC takes for itself comes in large pages. Without that half of the time
// of a small compilation can be page faults, 37,000 of them.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>

extern "C" void* mmap(void* at, std::size_t size, int protection, int flags, int file, off_t offset) noexcept {
  constexpr std::size_t large_page = std::size_t{2} << 20;
  void* const memory = reinterpret_cast<void*>(::syscall(SYS_mmap, at, size, protection, flags, file, offset));
  if (memory != MAP_FAILED && (flags & MAP_ANONYMOUS) != 0 && size >= large_page)
    ::madvise(memory, size, MADV_HUGEPAGE);
  return memory;
}
