// A process enters a function for the first time: a byte of the test's row says so from then on, and the probe at the
// function's entry goes. Handlers use no libc, since a test may be anywhere in it and may replace any function of it.
#include "probe.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "coverage/probe/format.h"
#include "machine.h"
#include "plugin/spool/recording.h"
#include "plugin/spool/series.h"
#include "recorder.h"
#include "series.h"
#include "text.h"
#include "variables.h"

extern "C" void* __libc_stack_end;

namespace morph_probe {
namespace {

constexpr long no_such_file = -2;
constexpr uint32_t no_function = ~0u;
constexpr int populate_for_writing = 23;  // MADV_POPULATE_WRITE, of Linux 5.14
constexpr int barrier_of_code = 1 << 5;   // MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE
constexpr int register_barrier_of_code = 1 << 6;

constexpr size_t most_key = 96;

// A program or shared library. Its functions have probes if it has a table.
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

constexpr uint32_t most_objects = 2048;
probed_object objects[most_objects];
volatile uint32_t object_count = 0;

const char* const* environment = nullptr;
const char *tables = nullptr, *row = nullptr, *build = nullptr;
bool is_started = false;
uintptr_t loader_tells_at = 0;  // where the loader tells debuggers of objects that come and go
struct sigaction of_program;
bool barrier_works = false;

const char* variable(const char* name) {
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    const char *at = *entry, *wanted = name;
    while (*wanted != '\0' && *at == *wanted) ++at, ++wanted;
    if (*wanted == '\0' && *at == '=') return at + 1;
  }
  return nullptr;
}

void put(uintptr_t address, code_unit code) {
  *reinterpret_cast<volatile code_unit*>(address) = code;
  have_fetched(address, sizeof code);
}

#if defined(__x86_64__)

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

uint32_t function_at(const probed_object& o, uintptr_t address) {
  const uint32_t wanted = static_cast<uint32_t>(address - o.bias);
  uint32_t low = 0, high = o.table.header->functions;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (o.table.addresses[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low < o.table.header->functions && o.table.addresses[low] == wanted ? low : no_function;
}

const probed_object* object_at(uintptr_t address) {
  const uint32_t count = __atomic_load_n(&object_count, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < count; ++i)
    if (address < __atomic_load_n(&objects[i].end, __ATOMIC_ACQUIRE) && address >= objects[i].begin) return &objects[i];
  return nullptr;
}

// Where to go on; 0: no probe of ours is there.
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

// The same bytes as in the table, while no other thread is there.
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

// ---- objects

struct mapped_file {
  void* at;
  size_t size;
};

mapped_file map_file(const char* path, long& error) {
  const long file = call_kernel(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, mode_of_own_opens);
  error = file;
  if (file < 0) return {nullptr, 0};
  struct stat status;
  error = call_kernel(SYS_fstat, file, &status);
  long at = error;
  if (error == 0) error = at = call_kernel(SYS_mmap, nullptr, status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  call_kernel(SYS_close, file);
  if (at < 0) return {nullptr, 0};
  return {reinterpret_cast<void*>(at), static_cast<size_t>(status.st_size)};
}

// Adds the build id that the loaded notes have, or else the file's number, size and time.
void add_key(const link_map& map, const char* path, text& to) {
  const uintptr_t page = map.l_addr & ~static_cast<uintptr_t>(page_size - 1);
  uint8_t is_resident;
  const ElfW(Phdr)* segments = nullptr;
  size_t count = 0;
  uintptr_t bias = map.l_addr;
  if (map.l_name[0] == '\0') {
    for (const char* const* at = environment;; ++at)
      if (*at == nullptr) {
        for (const ElfW(auxv_t)* a = reinterpret_cast<const ElfW(auxv_t)*>(at + 1); a->a_type != AT_NULL; ++a) {
          if (a->a_type == AT_PHDR) segments = reinterpret_cast<const ElfW(Phdr)*>(a->a_un.a_val);
          if (a->a_type == AT_PHNUM) count = a->a_un.a_val;
        }
        break;
      }
  } else if (bias != 0 && call_kernel(SYS_mincore, page, page_size, &is_resident) == 0) {
    const ElfW(Ehdr)& file = *reinterpret_cast<const ElfW(Ehdr)*>(bias);
    if (file.e_ident[EI_MAG0] == ELFMAG0 && file.e_ident[1] == 'E' && file.e_ident[2] == 'L' &&
        file.e_ident[3] == 'F') {
      segments = reinterpret_cast<const ElfW(Phdr)*>(bias + file.e_phoff);
      count = file.e_phnum;
    }
  }
  for (size_t i = 0; i < count; ++i) {
    if (segments[i].p_type != PT_NOTE) continue;
    uintptr_t at = bias + segments[i].p_vaddr;
    for (const uintptr_t end = at + segments[i].p_memsz; at + sizeof(ElfW(Nhdr)) < end;) {
      const ElfW(Nhdr)& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const uint8_t* const name = reinterpret_cast<const uint8_t*>(&note + 1);
      const uint8_t* const id = name + rounded_up(note.n_namesz, 4);
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && name[0] == 'G' && name[1] == 'N' && name[2] == 'U') {
        to.add_hex(id, note.n_descsz);
        return;
      }
      at = reinterpret_cast<uintptr_t>(id) + rounded_up(note.n_descsz, segments[i].p_align == 8 ? 8 : 4);
    }
  }
  struct stat status;
  if (call_kernel(SYS_newfstatat, AT_FDCWD, path, &status, 0) != 0) return;
  to.add_hex(static_cast<uint64_t>(status.st_ino)).add('-').add_hex(static_cast<uint64_t>(status.st_size)).add('-');
  to.add_hex(static_cast<uint64_t>(status.st_mtim.tv_sec))
      .add('.')
      .add_hex(static_cast<uint64_t>(status.st_mtim.tv_nsec));
}

// Room on the disk comes first: to a full one nothing could be written later, and the kernel would end the test.
volatile uint8_t* map_row(const char* key, uint32_t functions) {
  text path;
  path << row << "/" << key << ".entered";
  const long file = path.fits ? open_of_row(path.bytes, O_RDWR) : -1;
  if (file < 0) return nullptr;
  long at = call_kernel(SYS_fallocate, file, 0, 0, functions);
  if (at == -95) at = call_kernel(SYS_ftruncate, file, functions);  // EOPNOTSUPP: a file system that has no promises
  if (at == 0)
    at = call_kernel(SYS_mmap, nullptr, functions, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
  call_kernel(SYS_close, file);
  return at < 0 ? nullptr : reinterpret_cast<volatile uint8_t*>(at);
}

bool is_whole(const table_view& table, uint64_t size) {
  const table_header& header = *table.header;
  for (size_t i = 0; i < sizeof header.magic; ++i)
    if (size < sizeof header || header.magic[i] != table_magic[i]) return false;
  const uint64_t before_hot =
      static_cast<uint64_t>(reinterpret_cast<const char*>(table.hot) - reinterpret_cast<const char*>(table.header));
  return header.text_offset <= size && header.text_size == size - header.text_offset &&
         header.text_offset % page_size == 0 &&
         before_hot + 8ull * header.hot_runs + sizeof(hook) * header.hooks <= header.text_offset &&
         header.slot + jump_size <= header.text_size;
}

// A file that was replaced has another text than its table. A few functions tell.
bool is_table_of(const table_view& table, uintptr_t bias) {
  const uint32_t n = table.header->functions, step = n / 16 + 1;
  for (uint32_t i = 0; i < n; i += step) {
    const volatile code_unit* const there = reinterpret_cast<const volatile code_unit*>(bias + table.addresses[i]);
    if (*there != static_cast<code_unit>(table.first_bytes[i])) return false;
  }
  return true;
}

bool put_probes(const char* path, const table_view& table, uintptr_t begin) {
  const table_header& header = *table.header;
  const long file = call_kernel(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, mode_of_own_opens);
  if (file < 0) return false;
  const long at = call_kernel(SYS_mmap, begin, header.text_size, PROT_READ | PROT_WRITE | PROT_EXEC,
                              MAP_PRIVATE | MAP_FIXED, file, header.text_offset);
  call_kernel(SYS_close, file);
  return at >= 0;
}

extern "C" void morph_probe_entry() __attribute__((visibility("hidden")));

void attach(const link_map& map, probed_object& o) {
  const char* const path = map.l_name[0] != '\0' ? map.l_name : "/proc/self/exe";
  text key, file;
  add_key(map, path, key);
  file << tables << "/" << key.bytes << ".probes";
  long error;
  const mapped_file mapped = map_file(file.bytes, error);
  if (mapped.at == nullptr) {
    char program[4096];
    const long size =
        map.l_name[0] != '\0' ? 0 : call_kernel(SYS_readlinkat, AT_FDCWD, path, program, sizeof program - 1);
    program[size > 0 ? size : 0] = '\0';
    const char* const name = size > 0 ? program : path;
    if (is_of_build(name)) note_incomplete("no table of probes: ", name);
    return;
  }
  const table_view table = view_table(mapped.at);
  const table_header& header = *table.header;
  if (!is_whole(table, mapped.size)) return note_incomplete("a damaged table of probes: ", path);
  if ((header.flags & has_text_relocations) != 0) return note_incomplete("its text is written to: ", path);
  if (!is_table_of(table, map.l_addr)) return note_incomplete("it was replaced while it ran: ", path);
  if (has_calls && header.slot != 0 && has_shadow_stack()) return note_incomplete("a shadow stack");

  o.begin = o.bias + header.text_address;
  o.table = table;
  o.entered = map_row(key.bytes, header.functions);
  if (o.entered == nullptr) return note_incomplete("no room for what is entered of ", path);
  o.key[0] = '\0';
  if (is_in_series() && key.size < most_key) {
    for (size_t i = 0; i <= key.size; ++i) o.key[i] = key.bytes[i];
    o.kept = static_cast<uint8_t*>(shared_memory(header.functions));
  }
  __atomic_store_n(&o.end, o.begin + header.text_size, __ATOMIC_RELEASE);
  if (!put_probes(file.bytes, table, o.begin)) {
    __atomic_store_n(&o.end, 0, __ATOMIC_RELEASE);
    return note_incomplete("its text cannot be replaced: ", path);
  }
  for (uint32_t i = 0; i < header.hot_runs; ++i)
    call_kernel(SYS_madvise, o.begin + table.hot[2 * i] * static_cast<uintptr_t>(page_size),
                table.hot[2 * i + 1] * static_cast<uintptr_t>(page_size), populate_for_writing);
  if (header.slot != 0)
    *reinterpret_cast<volatile uintptr_t*>(o.begin + header.slot + 6) = reinterpret_cast<uintptr_t>(&morph_probe_entry);
}

void detach(probed_object& o) {
  if (o.end != 0) {
    __atomic_store_n(&o.end, 0, __ATOMIC_RELEASE);
    call_kernel(SYS_munmap, o.entered, o.table.header->functions);
    if (o.kept != nullptr) call_kernel(SYS_munmap, o.kept, o.table.header->functions);
    o.kept = nullptr;
  }
  o.map = nullptr;
}

void add(const link_map& map) {
  uint32_t place = 0;
  while (place < object_count && objects[place].map != nullptr) ++place;
  if (place == most_objects) return note_incomplete("too many shared libraries");
  probed_object& o = objects[place];
  o.map = &map;
  o.bias = map.l_addr;
  o.is_loaded = true;
  if (place == object_count) __atomic_store_n(&object_count, place + 1, __ATOMIC_RELEASE);
  attach(map, o);
}

template <typename Do>
void each_namespace(Do each) {
  const r_debug_extended* space = reinterpret_cast<const r_debug_extended*>(&_r_debug);
  while (space != nullptr) {
    each(*space);
    space = space->base.r_version >= 2 ? space->r_next : nullptr;
  }
}

// Where the loader tells, this thread has its locks.
void look_at_objects() {
  for (uint32_t i = 0; i < object_count; ++i) objects[i].is_loaded = false;
  each_namespace([](const r_debug_extended& space) {
    for (const link_map* map = space.base.r_map; map != nullptr; map = map->l_next) {
      bool is_known = false;
      for (uint32_t i = 0; i < object_count; ++i)
        if (objects[i].map == map && objects[i].bias == map->l_addr) objects[i].is_loaded = is_known = true;
      if (!is_known) add(*map);
    }
  });
  for (uint32_t i = 0; i < object_count; ++i)
    if (objects[i].map != nullptr && !objects[i].is_loaded) detach(objects[i]);
}

// ---- traps

void restore_default_action() {
  kernel_action none = {};
  call_kernel(SYS_rt_sigaction, SIGTRAP, &none, nullptr, sizeof none.mask);
}

// What the program would have got: its handler runs with its own mask, but its functions have probes, too.
void pass_on(int number, siginfo_t* info, void* context, bool by_instruction) {
  uint64_t mask = *reinterpret_cast<const uint64_t*>(&static_cast<ucontext_t*>(context)->uc_sigmask) |
                  *reinterpret_cast<const uint64_t*>(&of_program.sa_mask);
  mask &= ~(1ull << (SIGTRAP - 1));
  call_kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, nullptr, sizeof mask);
  if ((of_program.sa_flags & SA_SIGINFO) != 0 && of_program.sa_sigaction != nullptr) {
    of_program.sa_sigaction(number, info, context);
  } else if (of_program.sa_handler == SIG_DFL || (of_program.sa_handler == SIG_IGN && by_instruction)) {
    restore_default_action();
    call_kernel(SYS_tgkill, call_kernel(SYS_getpid), call_kernel(SYS_gettid), SIGTRAP);
  } else if (of_program.sa_handler != SIG_IGN) {
    of_program.sa_handler(number);
  }
}

void on_trap(int number, siginfo_t* info, void* context) {
  ucontext_t& user = *static_cast<ucontext_t*>(context);
  const uintptr_t address = trapped_at(user);
  const bool by_instruction = info->si_code > 0;
  const uintptr_t goes_on = by_instruction ? note_entry(address) : 0;
  if (goes_on != 0) return continue_at(user, goes_on);
  if (by_instruction && address == loader_tells_at) {
    bool is_consistent = true;
    each_namespace([&](const r_debug_extended& space) {
      is_consistent = is_consistent && space.base.r_state == r_debug::RT_CONSISTENT;
    });
    if (is_consistent) look_at_objects();
    return continue_behind_call(user);
  }
  pass_on(number, info, context, by_instruction);
}

#if defined(__x86_64__)

// Back from the handler.
extern "C" void morph_probe_return() __attribute__((visibility("hidden")));
__asm__(
    ".text\n"
    ".type morph_probe_return,@function\n"
    "morph_probe_return:\n"
    "  mov $15,%eax\n"
    "  syscall\n"
    ".size morph_probe_return,.-morph_probe_return\n");

// A call at a function's entry comes here by way of its object's slot. On it goes with the function, as if nothing had
// been: all registers that may hold arguments are as they were, and what is called uses no others.
__asm__(
    ".text\n"
    ".type morph_probe_entry,@function\n"
    "morph_probe_entry:\n"
    "  push %rax\n  push %rcx\n  push %rdx\n  push %rsi\n  push %rdi\n"
    "  push %r8\n  push %r9\n  push %r10\n  push %r11\n"
    "  mov 72(%rsp),%rdi\n"
    "  sub $5,%rdi\n"
    "  cld\n"
    "  call morph_probe_note_entry\n"
    "  mov %rax,72(%rsp)\n"
    "  pop %r11\n  pop %r10\n  pop %r9\n  pop %r8\n"
    "  pop %rdi\n  pop %rsi\n  pop %rdx\n  pop %rcx\n  pop %rax\n"
    "  ret\n"
    ".size morph_probe_entry,.-morph_probe_entry\n");

extern "C" __attribute__((visibility("hidden"), used)) uintptr_t morph_probe_note_entry(uintptr_t address) {
  const uintptr_t goes_on = note_entry(address);
  return goes_on != 0 ? goes_on : address;
}

uintptr_t restorer() {
  return reinterpret_cast<uintptr_t>(&morph_probe_return);
}

#else

extern "C" void morph_probe_entry() {}
uintptr_t restorer() {
  return 0;
}

#endif

void catch_traps() {
  kernel_action action = {};
  action.handler = reinterpret_cast<uintptr_t>(&on_trap);
  action.flags = SA_SIGINFO | SA_ONSTACK | with_restorer;
  action.restorer = restorer();
  action.mask = ~0ull;
  call_kernel(SYS_rt_sigaction, SIGTRAP, &action, nullptr, sizeof action.mask);
  unblock_traps();
}

bool is_traced() {
  const long file = call_kernel(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, mode_of_own_opens);
  if (file < 0) return false;
  char lines[1024];
  const long size = call_kernel(SYS_read, file, lines, sizeof lines - 1);
  call_kernel(SYS_close, file);
  lines[size > 0 ? size : 0] = '\0';
  for (const char* at = lines; *at != '\0'; ++at)
    if (begins_with(at, "TracerPid:\t")) return at[11] != '0';
  return false;
}

const char* own_path() {
  const uintptr_t here = reinterpret_cast<uintptr_t>(&is_traced);
  const link_map* found = nullptr;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next)
    if (map->l_addr <= here && (found == nullptr || map->l_addr > found->l_addr)) found = map;
  return found != nullptr ? found->l_name : "";
}

char of_row[1100];  // MORPH_PROBES_ROW=ROW. No object: its constructor would come after start() and empty it.

// Whoever is executed with the environment that the kernel gave us belongs to the row, and asks for none of its own.
void give_to_children(char* asked, const char* granted) {
  if (granted == nullptr) {
    *asked = '\0';
    return;
  }
  text given;
  given << "MORPH_PROBES_ROW=" << granted;
  if (given.fits && given.size < sizeof of_row)
    for (size_t i = 0; i <= given.size; ++i) of_row[i] = given.bytes[i];
  char* const entry = asked - sizeof "MORPH_PROBES_LEARN=" + 1;
  size_t room = 0;
  while (entry[room] != '\0') ++room;
  const bool fits = of_row[0] != '\0' && given.size <= room;
  for (size_t i = 0; fits && i <= given.size; ++i) entry[i] = given.bytes[i];
  if (!fits) *asked = '\0';
}

// The loader has told it about all objects that the process starts with.
void start() {
  if (is_started) return;
  is_started = true;
  const long arguments = *static_cast<const long*>(__libc_stack_end);
  environment = static_cast<const char* const*>(__libc_stack_end) + 1 + arguments + 1;
  tables = variable("MORPH_PROBES"), row = variable("MORPH_PROBES_ROW"), build = variable("MORPH_PROBES_BUILD");
  const char* const asked = variable("MORPH_PROBES_LEARN");
  const bool asks = row == nullptr && asked != nullptr && *asked != '\0';
  if (tables == nullptr || (row == nullptr && !asks)) return;
  const char* const series = variable("MORPH_PROBES_SERIES");
  const bool is_series = series != nullptr && *series != '\0' && begin_series(series);
  if (row != nullptr && !is_of_recorder(row)) call_kernel(SYS_mkdirat, AT_FDCWD, row, 0777);
  if (is_traced()) {
    note_incomplete("a debugger");
    row = nullptr;
    if (is_series) refuse_series(series_refusal::no_row);
    return;
  }
  if (asks) row = ask_for_row(asked, is_series ? series : "", own_path());
  if (asks) give_to_children(const_cast<char*>(asked), row);
  if (is_series) {  // not of what is executed
    *const_cast<char*>(series) = '\0';
    if (char* const bind_now = const_cast<char*>(variable("LD_BIND_NOW"))) *bind_now = '\0';
  }
  if (row == nullptr && is_series) refuse_series(series_refusal::no_row);
  if (row == nullptr) return;
  begin_row(row);
  catch_traps();
  look_at_objects();
  if (is_series && !has_hook(first_hook())) refuse_series(series_refusal::no_framework);
  if (is_series) series_has_row(row);
  loader_tells_at = _r_debug.r_brk;
  const uintptr_t page = loader_tells_at & ~static_cast<uintptr_t>(page_size - 1);
  if (loader_tells_at == 0 || call_kernel(SYS_mprotect, page, 2 * page_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return note_incomplete("libraries that are loaded later are not seen");
  put(loader_tells_at, breakpoint);
}

// The program's own resolvers and .preinit_array come after those of the libraries that it starts with: this one is the
// earliest code here.
extern "C" void morph_probe_started() __attribute__((visibility("hidden"), ifunc("morph_probe_start")));
extern "C" void morph_probe_nothing() {}
extern "C" __attribute__((used)) void (*morph_probe_start())() {
  start();
  return morph_probe_nothing;
}

// Refers to it, and comes before every other constructor.
__attribute__((constructor)) void start_at_last() {
  morph_probe_started();
  start();
  find_next_exit();
  if (row == nullptr) return;
  record_variables(row);
  tell_end_of(row);
}

}  // namespace

bool is_active() {
  return row != nullptr;
}

void note_incomplete(const char* reason, const char* of) {
  if (row == nullptr) return;
  text path, line;
  path << row << "/incomplete";
  line << reason << of << "\n";
  const long file = open_of_row(path.bytes, O_WRONLY | O_APPEND);
  if (file < 0) return;
  constexpr long enough = 65536;  // a test may start a great many processes
  struct stat status;
  if (call_kernel(SYS_fstat, file, &status) == 0 && status.st_size < enough)
    call_kernel(SYS_write, file, line.bytes, line.size);
  row_has_grown();
  call_kernel(SYS_close, file);
}

void note_incomplete(const char* reason) {
  note_incomplete(reason, "");
}

void give_up(const char* reason) {
  for (uint32_t i = 0; i < object_count; ++i)
    if (objects[i].end != 0)
      for (uint32_t f = 0; f < objects[i].table.header->functions; ++f) take_away(objects[i], f);
  note_incomplete(reason);
}

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

unused_memory unused_objects() {
  return {reinterpret_cast<char*>(rounded_up(reinterpret_cast<uintptr_t>(objects + object_count), page_size)),
          (most_objects - object_count) * sizeof(probed_object) / page_size * page_size - page_size};
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

bool has_probes(const void* begin, size_t size) {
  if (!is_active()) return false;
  const uintptr_t from = reinterpret_cast<uintptr_t>(begin);
  for (uint32_t i = 0; i < object_count; ++i)
    if (objects[i].end != 0 && from < objects[i].end && objects[i].begin < from + size) return true;
  return false;
}

bool is_of_build(const char* path) {
  return build != nullptr && begins_with(path, build);
}

const char* const* injected_variables() {
  static const char* found[5];
  static const char* const names[] = {"LD_PRELOAD", "MORPH_PROBES", "MORPH_PROBES_ROW", "MORPH_PROBES_BUILD"};
  size_t count = 0;
  for (const char* const name : names) {
    const char* const value = is_active() ? variable(name) : nullptr;
    const bool is_granted = name == names[2] && of_row[0] != '\0' && is_active();
    if (is_granted) found[count++] = of_row;
    if (is_granted) continue;
    size_t length = 0;
    while (name[length] != '\0') ++length;
    if (value != nullptr) found[count++] = value - length - 1;
  }
  found[count] = nullptr;
  return found;
}

struct sigaction& action_of_program() {
  return of_program;
}

void unblock_traps() {
  const uint64_t mask = 1ull << (SIGTRAP - 1);
  call_kernel(SYS_rt_sigprocmask, SIG_UNBLOCK, &mask, nullptr, sizeof mask);
}

}  // namespace morph_probe
