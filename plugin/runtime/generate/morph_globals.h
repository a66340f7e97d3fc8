// Global variables between sequences: whether a sequence has changed those of the project, and the memory of the
// process as it was before the first one.
//
// Only variables are looked at each time. Memory is put back as a whole, since they point into it. What is made at its
// first use (the static variables of functions) is not made anew by each sequence.
#ifndef MORPH_GLOBALS_H
#define MORPH_GLOBALS_H

#include <link.h>
#include <string.h>
#include <sys/stat.h>

#if defined(__x86_64__) && defined(__linux__) && defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
#include "morph_memory.h"
#define MORPH_CAN_RESTORE 1
#endif

namespace morph_calls {
namespace {

#ifdef MORPH_CAN_RESTORE

class globals {
 public:
  // In the process that forks the others: makes room for the copies, which they share.
  static void prepare() {
    void* const at = mmap(nullptr, sizeof(shared_control), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    control = at == MAP_FAILED ? nullptr : static_cast<shared_control*>(at);
  }

  // False where memory cannot be put back: it is too much, say.
  bool take() {
    char here = 0;
    count_ = 0;
    is_taken_ = false;
    // The stack is not put back: who restores runs on it.
    char* const below = &here - most_stack;
    if (control == nullptr || !find_regions(false, mapping{below, ~size_t{0} - reinterpret_cast<size_t>(below)}))
      return false;
    control->first_shared = control->region_count;
    control->mapping_count = 0;
    control->break_has_moved = 1;
    control->program_break = reinterpret_cast<char*>(call(SYS_brk, 0));
    copy_memory();
    dl_iterate_phdr(add_variables, this);
    return is_taken_ = count_ < most_ranges;
  }

  // Variables that were zero and are not any more have been used for the first time: they stay as they are.
  bool are_changed() {
    if (!is_taken_) return true;
    bool are_used = false;
    for (size_t i = 0; i < count_; ++i)
      for (size_t at = 0; at < ranges_[i].bytes; at += page) {
        const char* const before = control->copy + ranges_[i].offset + at;
        if (is_same_page(ranges_[i].begin + at, before)) continue;
        if (!is_first_use(ranges_[i].begin + at, before)) return true;
        are_used = true;
      }
    if (are_used) take();  // with the memory that they have got
    return false;
  }

  // False if a thread runs, which would go on with other memory, or memory that was there has gone.
  bool restore() const {
    struct stat tasks;
    const nlink_t of_one = 3;
    if (!is_taken_ || stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink != of_one) return false;
    for (size_t i = 0; i < control->region_count; ++i)
      if (call(SYS_msync, as_number(control->regions[i].begin), static_cast<long>(control->regions[i].bytes),
               MS_ASYNC) != 0)
        return false;
    restore_memory();
    asm volatile("" ::: "memory");
    return true;
  }

 private:
  static const size_t most_ranges = 64;

  static bool is_of_system(const char* path) {
    return strncmp(path, "/lib", 4) == 0 || strncmp(path, "/usr/lib", 8) == 0 || strncmp(path, "linux-", 6) == 0;
  }

  static bool is_first_use(const char* now, const char* before) {
    const uint64_t* const words_now = reinterpret_cast<const uint64_t*>(now);
    const uint64_t* const words_before = reinterpret_cast<const uint64_t*>(before);
    for (size_t i = 0; i < page / sizeof(uint64_t); ++i)
      if (words_now[i] != words_before[i] && words_before[i] != 0) return false;
    return true;
  }

  static int add_variables(dl_phdr_info* object, size_t, void* to) {
    globals& all = *static_cast<globals*>(to);
    if (is_of_system(object->dlpi_name)) return 0;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const ElfW(Phdr)& part = object->dlpi_phdr[i];
      if (part.p_type == PT_LOAD && (part.p_flags & PF_W) != 0)
        all.add(reinterpret_cast<char*>(object->dlpi_addr + part.p_vaddr), part.p_memsz);
    }
    return 0;
  }

  // What of it lies in the copy: pages that are never written to do not.
  void add(char* begin, size_t bytes) {
    for (size_t i = 0; i < control->region_count; ++i) {
      const region& each = control->regions[i];
      char* const from = std::max(begin - reinterpret_cast<size_t>(begin) % page, each.begin);
      char* const to = std::min(begin + bytes, each.begin + each.bytes);
      if (from >= to || count_ == most_ranges) continue;
      const size_t whole = (static_cast<size_t>(to - from) + page - 1) / page * page;
      ranges_[count_++] = region{from, whole, each.offset + static_cast<size_t>(from - each.begin)};
    }
  }

  region ranges_[most_ranges];
  size_t count_ = 0;
  bool is_taken_ = false;
};

#else

class globals {
 public:
  static void prepare() {}
  bool take() { return false; }
  bool are_changed() { return false; }
  bool restore() const { return true; }
};

#endif

}  // namespace
}  // namespace morph_calls

#endif
