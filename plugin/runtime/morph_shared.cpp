// The shared memory, and the places of this process's counters in it.
#include "morph_shared.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "stream_format.h"

namespace {

using morph_runtime::counter_layout;
using morph_runtime::describes;
using morph_runtime::link_unit;
using morph_runtime::main_layout;
using morph_runtime::search;
using morph_runtime::shared_block;

const char memory_name[] = "morph-coverage";
const char memory_magic[] = "MORPHSHR3";
const size_t most_blocks = 65536;
const size_t smallest_memory = size_t{64} << 20;
const size_t largest_memory = size_t{4} << 30;
const size_t most_name_bytes = 65536;

// At the beginning of the memory.
struct head {
  char magic[16];
  uint64_t size;
  uint64_t used;
  uint32_t blocks;
  uint32_t incomplete;
  int32_t test_process;        // as own_process() has it
  uint32_t test_left_by_exit;  // 1: the program that replaced the test's own by exec came to its handlers of exit()
  uint64_t name_bytes;
  char names[most_name_bytes];  // of variables that were read, each with a zero; a killed process may leave zeros alone
  shared_block block[most_blocks];
};

// Counters that this process has in a block.
struct sharing {
  const link_unit* unit;  // that was loaded; null: the program
  const counter_layout* layout;
  uint32_t number;  // of the block that describes the layout, or main_layout
};

struct shared_state {
  head* memory;
  bool active;          // false in the supervisor
  bool proc_is_of_own;  // /proc calls the supervisor as it calls itself
  std::vector<sharing> shared;

  shared_state() : memory(nullptr), active(false), proc_is_of_own(false), shared() {}
  shared_state(const shared_state&) = delete;
  shared_state& operator=(const shared_state&) = delete;
};

shared_state* state = nullptr;  // never freed: destructors of the program may still come by

size_t round_up(size_t bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

void set_incomplete(uint32_t bits) {
  __atomic_fetch_or(&state->memory->incomplete, bits, __ATOMIC_RELAXED);
}

// As the supervisor's /proc has it: getpid() is that of this process's own namespace.
int32_t own_process() {
  char text[32];
  const ssize_t size = readlink("/proc/self", text, sizeof text - 1);
  if (size <= 0) return getpid();
  text[size] = '\0';
  return static_cast<int32_t>(strtol(text, nullptr, 10));
}

char* at(uint64_t offset) {
  return reinterpret_cast<char*>(state->memory) + offset;
}

// Null if the memory is used up. The block is not ready yet.
shared_block* make_block(size_t bytes, uint32_t layout) {
  head& memory = *state->memory;
  const uint64_t room = round_up(bytes);
  const uint64_t offset = __atomic_fetch_add(&memory.used, room, __ATOMIC_RELAXED);
  if (offset + room > memory.size) return nullptr;
  const uint32_t number = __atomic_fetch_add(&memory.blocks, 1, __ATOMIC_RELAXED);
  if (number >= most_blocks) return nullptr;
  shared_block& block = memory.block[number];
  block.process = own_process();
  block.layout = layout;
  block.offset = offset;
  block.bytes = bytes;
  return &block;
}

void set_ready(shared_block* block) {
  __atomic_store_n(&block->ready, 1U, __ATOMIC_RELEASE);
}

// While a thread forks: the blocks of its child, in the order of shared_state::shared.
const size_t most_shared = 64;
thread_local shared_block* of_child[most_shared];

// A block with the pages as they are now; null if there is no room.
shared_block* copy_into_block(const counter_layout& layout, uint32_t number) {
  shared_block* const block = make_block(layout.bytes, number);
  if (block != nullptr) morph_runtime::copy_pages(layout, at(block->offset));
  return block;
}

// Before fork() in a process of the test: the pages are its own as well, and it goes on writing to them while the child
// begins. What was counted so far is not the child's.
void copy_for_child() {
  if (state == nullptr || !state->active) return;
  for (size_t i = 0; i < state->shared.size() && i < most_shared; ++i) {
    const sharing& s = state->shared[i];
    of_child[i] = copy_into_block(*s.layout, s.number);
    if (of_child[i] == nullptr) continue;
    morph_runtime::clear_counters(*s.layout, at(of_child[i]->offset));
    set_ready(of_child[i]);
  }
}

// First of all in the child.
void share_as_child() {
  if (state == nullptr || !state->active) return;
  for (size_t i = 0; i < state->shared.size(); ++i) {
    const sharing& s = state->shared[i];
    shared_block* const block = i < most_shared ? of_child[i] : nullptr;
    if (block != nullptr) {
      block->process = own_process();
      if (morph_runtime::share_pages(*s.layout, at(block->offset))) continue;
    }
    set_incomplete(morph_stream::made_process);
    if (!morph_runtime::make_pages_private(*s.layout)) _exit(86);
  }
}

// Describes the layout for the supervisor, which has another one, and shares its counters.
bool share(const link_unit* unit, const counter_layout* layout) {
  const uint64_t modules = layout->modules.size(), spans = layout->spans.size();
  const size_t spans_bytes = spans * sizeof(morph_runtime::counter_span);
  shared_block* const block = make_block(2 * sizeof(uint64_t) + modules + spans_bytes, describes);
  if (block == nullptr) return false;
  char* out = at(block->offset);
  memcpy(out, &modules, sizeof modules);
  memcpy(out + sizeof modules, &spans, sizeof spans);
  memcpy(out + 2 * sizeof(uint64_t), layout->spans.data(), spans_bytes);
  memcpy(out + 2 * sizeof(uint64_t) + spans_bytes, layout->modules.data(), modules);
  set_ready(block);
  const uint32_t number = static_cast<uint32_t>(block - state->memory->block);
  shared_block* const counts = copy_into_block(*layout, number);
  if (counts == nullptr) return false;
  set_ready(counts);
  if (!morph_runtime::share_pages(*layout, at(counts->offset))) return false;
  state->shared.push_back(sharing{unit, layout, number});
  return true;
}

void add_name(const char* name) {
  head& memory = *state->memory;
  const size_t size = strlen(name) + 1;
  const uint64_t at = __atomic_fetch_add(&memory.name_bytes, size, __ATOMIC_RELAXED);
  if (at + size <= most_name_bytes)
    memcpy(memory.names + at, name, size);
  else
    set_incomplete(morph_stream::made_process);
}

// ---- the supervisor above this process

pid_t parent_of(pid_t process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/stat", static_cast<int>(process));
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512];
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  if (size <= 0) return 0;
  text[size] = '\0';
  const char* behind_name = strrchr(text, ')');
  int parent = 0;
  if (behind_name == nullptr || sscanf(behind_name + 1, " %*c %d", &parent) != 1) return 0;
  return parent;
}

// A descriptor of the memory that a process holds open, or -1.
int open_memory_of(pid_t process) {
  char folder[64];
  snprintf(folder, sizeof folder, "/proc/%d/fd", static_cast<int>(process));
  DIR* descriptors = opendir(folder);
  if (descriptors == nullptr) return -1;
  int found = -1;
  const char prefix[] = "/memfd:morph-coverage";
  while (const dirent* entry = readdir(descriptors)) {
    char target[sizeof prefix];
    const ssize_t size = readlinkat(dirfd(descriptors), entry->d_name, target, sizeof target);
    if (size < static_cast<ssize_t>(sizeof prefix - 1) || memcmp(target, prefix, sizeof prefix - 1) != 0) continue;
    found = openat(dirfd(descriptors), entry->d_name, O_RDWR | O_CLOEXEC);
    break;
  }
  closedir(descriptors);
  return found;
}

head* map_memory(int descriptor, size_t size) {
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, descriptor, 0);
  return memory == MAP_FAILED ? nullptr : static_cast<head*>(memory);
}

head* find_memory() {
  int descriptor = -1;
  const int most_generations = 64;
  pid_t process = getppid();
  for (int i = 0; descriptor < 0 && process > 1 && i < most_generations; ++i, process = parent_of(process))
    descriptor = open_memory_of(process);
  if (descriptor < 0) return nullptr;
  struct stat facts;
  head* memory = nullptr;
  if (fstat(descriptor, &facts) == 0 && static_cast<size_t>(facts.st_size) > sizeof(head))
    memory = map_memory(descriptor, static_cast<size_t>(facts.st_size));
  close(descriptor);
  if (memory != nullptr && memcmp(memory->magic, memory_magic, sizeof memory_magic) != 0) return nullptr;
  return memory;
}

void at_exit_of_descendant() {
  morph_runtime::report_unshared();
  if (state->memory->test_process == own_process()) state->memory->test_left_by_exit = 1;
}

// A process that cannot share its counters and has no libgcov to write them to files leaves an empty folder in their
// place.
void leave_trace() {
  const char* const prefix = morph_runtime::writes_files() ? nullptr : getenv("GCOV_PREFIX");
  if (prefix != nullptr) mkdir(prefix, 0777);
}

}  // namespace

namespace morph_runtime {

bool create_shared_memory(const counter_layout* layout) {
  struct rlimit addresses;
  const bool is_limited = getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
  const int descriptor = memfd_create(memory_name, MFD_CLOEXEC);
  if (descriptor < 0) return false;
  const size_t machine = static_cast<size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<size_t>(sysconf(_SC_PAGESIZE));
  const size_t wanted = std::max(smallest_memory, std::min(largest_memory, machine / 4));
  const size_t size = is_limited
                          ? std::min(wanted, std::max(smallest_memory / 8, static_cast<size_t>(addresses.rlim_cur / 8)))
                          : wanted;
  head* const memory = ftruncate(descriptor, static_cast<off_t>(size)) == 0 ? map_memory(descriptor, size) : nullptr;
  if (memory == nullptr) return false;
  memory->size = size;
  memory->used = round_up(sizeof(head));
  memcpy(memory->magic, memory_magic, sizeof memory_magic);
  state = new shared_state;
  state->memory = memory;
  state->proc_is_of_own = own_process() == getpid();
  state->shared.push_back(sharing{nullptr, layout, main_layout});
  return true;  // the descriptor stays open: descendants find it
}

size_t shared_blocks() {
  return std::min(size_t{__atomic_load_n(&state->memory->blocks, __ATOMIC_ACQUIRE)}, most_blocks);
}

const shared_block& block_at(size_t number) {
  return state->memory->block[number];
}

const char* contents_of(const shared_block& block) {
  return at(block.offset);
}

uint32_t not_shared() {
  return __atomic_load_n(&state->memory->incomplete, __ATOMIC_RELAXED);
}

bool is_in_use(const shared_block& block) {
  return block.process == 0 || kill(block.process, 0) == 0 || errno != ESRCH;
}

const char* names_read(size_t* bytes) {
  const head& memory = *state->memory;
  *bytes = static_cast<size_t>(std::min(memory.name_bytes, uint64_t{most_name_bytes}));
  return memory.names;
}

void forget_names() {
  head& memory = *state->memory;
  memset(memory.names, 0, static_cast<size_t>(std::min(memory.name_bytes, uint64_t{most_name_bytes})));
  memory.name_bytes = 0;
}

void forget_blocks() {
  head& memory = *state->memory;
  const uint64_t first = round_up(sizeof(head));
  const uint64_t end = std::min(memory.used, memory.size);
  if (end > first) madvise(at(first), end - first, MADV_REMOVE);
  memset(memory.block, 0, shared_blocks() * sizeof(shared_block));
  memory.used = first;
  memory.blocks = 0;
  memory.incomplete = 0;
}

void watch_forks() {
  pthread_atfork(copy_for_child, nullptr, share_as_child);
}

void share_from_now_on() {
  state->active = true;
  // A child of the supervisor has a number of the same namespace. Asking /proc would wake up who watches files.
  state->memory->test_process = state->proc_is_of_own ? getpid() : own_process();
  state->memory->test_left_by_exit = 0;
}

bool test_left_by_exit() {
  return __atomic_load_n(&state->memory->test_left_by_exit, __ATOMIC_RELAXED) != 0;
}

void share_name(const char* name) {
  if (state != nullptr) add_name(name);
}

bool join_if_descendant() {
  counter_layout* const layout = new counter_layout;
  char reason[reason_room];
  const search found = find_counters(layout, reason);
  head* const memory = find_memory();
  if (memory == nullptr) {
    if (found != search::no_counters) leave_trace();
    delete layout;
    return false;
  }
  state = new shared_state;
  state->memory = memory;
  if (found == search::no_counters) delete layout;  // what it loads may have some
  if (found == search::unsupported || (found == search::found && !share(nullptr, layout))) {
    set_incomplete(morph_stream::made_process);
    return true;
  }
  silence_libgcov();
  state->active = true;
  atexit(at_exit_of_descendant);
  return true;
}

void report_unshared() {
  if (state == nullptr || !state->active || !has_new_counters()) return;
  set_incomplete(morph_stream::loaded_object);
  silence_libgcov();
}

}  // namespace morph_runtime

void morph_runtime_loaded(link_unit* unit) {
  morph_runtime::add_unit(unit);
  if (state == nullptr || !state->active) return;
  counter_layout* const layout = new counter_layout;
  char reason[morph_runtime::reason_room];
  const search found = morph_runtime::find_counters_of(unit, layout, reason);
  if (found == search::found && share(unit, layout)) {
    morph_runtime::silence_libgcov_of(unit);
    return;
  }
  delete layout;
  if (found != search::no_counters) set_incomplete(morph_stream::loaded_object);
}

void morph_runtime_unloaded(link_unit* unit) {
  morph_runtime::remove_unit(unit);
  if (state == nullptr) return;
  for (size_t i = 0; i < state->shared.size(); ++i)
    if (state->shared[i].unit == unit) {
      delete state->shared[i].layout;
      state->shared.erase(state->shared.begin() + static_cast<std::ptrdiff_t>(i));
      return;
    }
  // It was there before the first test: of the pages of the program, its own go.
  for (const sharing& s : state->shared)
    if (s.unit == nullptr) morph_runtime::forget_pages_of(unit, const_cast<counter_layout*>(s.layout));
}
