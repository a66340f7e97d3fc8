// Memory for tables that only the supervisor works on: fork() has nothing to copy of it, nor has a test's process
// to give it back.
#ifndef MORPH_RUNTIME_PAGES_H
#define MORPH_RUNTIME_PAGES_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <vector>

namespace morph_runtime {

// Shared with processes that are forked: they see the tables, and must not change them.
inline void* new_pages(size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) abort();
  return pages;
}

template <typename T>
struct page_allocator {
  typedef T value_type;
  page_allocator() = default;
  template <typename Other>
  page_allocator(const page_allocator<Other>&) {}
  T* allocate(size_t count) { return static_cast<T*>(new_pages(count * sizeof(T))); }
  void deallocate(T* values, size_t count) { munmap(values, count * sizeof(T)); }
};

template <typename T, typename Other>
bool operator==(const page_allocator<T>&, const page_allocator<Other>&) {
  return true;
}
template <typename T, typename Other>
bool operator!=(const page_allocator<T>&, const page_allocator<Other>&) {
  return false;
}

template <typename T>
using table = std::vector<T, page_allocator<T>>;

}  // namespace morph_runtime

#endif
