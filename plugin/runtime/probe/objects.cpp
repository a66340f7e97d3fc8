// Tables of what the loader has loaded: each object's text is replaced by that of its table, with probes.
#include "objects.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/spool/recording.h"
#include "probe.h"
#include "recorder.h"
#include "series.h"
#include "text.h"

namespace morph_probe {

probed_object objects[most_objects];
volatile uint32_t object_count = 0;

namespace {

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
    for (const char* const* at = environment_at_start();; ++at)
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
  path << folder_of_row() << "/" << key << ".entered";
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
  const uint64_t before_hooks =
      static_cast<uint64_t>(reinterpret_cast<const char*>(table.hooks) - reinterpret_cast<const char*>(table.header));
  return header.text_offset <= size && header.text_size == size - header.text_offset &&
         header.text_offset % page_size == 0 && before_hooks + sizeof(hook) * header.hooks <= header.text_offset &&
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

void attach(const link_map& map, probed_object& o) {
  const char* const path = map.l_name[0] != '\0' ? map.l_name : "/proc/self/exe";
  text key, file;
  add_key(map, path, key);
  file << folder_of_tables() << "/" << key.bytes << ".probes";
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

}  // namespace

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

unused_memory unused_objects() {
  return {reinterpret_cast<char*>(rounded_up(reinterpret_cast<uintptr_t>(objects + object_count), page_size)),
          (most_objects - object_count) * sizeof(probed_object) / page_size * page_size - page_size};
}

}  // namespace morph_probe
