// Walking libgcov's lists. Layout of its structures: GCC 11 to 16 on LP64. What Clang's object files tell is brought
// into the same form.
//
// The templates used here take types of the runtime only: linkers keep one copy of an inline function, and the copy
// from an instrumented object would count the supervisor's own work.
#include "morph_counters.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include "compilers.h"

namespace {

using morph_runtime::byte_buffer;
using morph_runtime::counter;
using morph_runtime::counter_layout;
using morph_runtime::counter_pages;
using morph_runtime::counter_span;
using morph_runtime::link_unit;
using morph_runtime::llvm_visitor;
using morph_runtime::page_range;
using morph_runtime::reason_room;
using morph_runtime::search;
using morph_runtime::table;

struct gcov_object;

struct gcov_counters {
  uint32_t count;
  counter* values;
};

struct gcov_function {
  const gcov_object* key;  // another object's if the linker kept that object's copy of an inline function
  uint32_t ident;
  uint32_t lineno_checksum;
  uint32_t cfg_checksum;
  gcov_counters counters[1];  // one of each kind that the object has
};

// All that differs between the versions: into how many kinds of counters their libgcov divides them. Kind 0 are those
// of arcs. Each version was compared with its own gcov.
struct known_version {
  uint32_t gcc;
  uint32_t counter_kinds;
};
const known_version known_versions[] = {{11, 8}, {12, 8}, {13, 8}, {14, 9}, {15, 10}, {16, 10}};
static_assert(sizeof known_versions / sizeof *known_versions == MORPH_NEWEST_GCC - MORPH_OLDEST_GCC + 1,
              "each GCC that is read itself has a row");
const uint32_t kind_of_conditions = 8;

typedef void (*merge_function)(counter*, unsigned);

struct gcov_object {
  uint32_t version;
  gcov_object* next;
  uint32_t stamp;
  uint32_t checksum;  // since GCC 12; before, padding
  const char* gcda_path;
  merge_function merge[1];  // of each kind; null if the object has no counters of it
  // behind them: gcov_functions
};

struct gcov_functions {
  uint32_t count;
  const gcov_function* const* functions;
};

}  // namespace

struct gcov_root {
  gcov_object* list;
  unsigned dumped : 1;
  unsigned run_counted : 1;
  gcov_root* next;
  gcov_root* previous;
};

namespace {

struct gcov_master {
  uint32_t version;
  gcov_root* root;
};

}  // namespace

// The only symbol that libgcov exports. Weak: a program may have all its instrumented code in shared libraries, or
// none.
extern "C" gcov_master __gcov_master __attribute__((weak));

// Null if Clang compiled nothing of the program.
extern "C" void morph_llvm_list(const llvm_visitor* visitor) __attribute__((weak));

namespace {

struct c_string {
  char* text;
};

struct instrumented_function {
  const gcov_object* object;
  const gcov_function* function;
  gcov_counters counters;
  uint32_t is_masks;  // of conditions
  uint32_t first_id;
};

int collect_name(dl_phdr_info* info, size_t, void* names) {
  if (info->dlpi_name != nullptr && info->dlpi_name[0] != '\0')
    static_cast<std::vector<c_string>*>(names)->push_back(c_string{strdup(info->dlpi_name)});
  return 0;
}

// A shared object has a master of its own unless the executable exports one.
std::vector<gcov_master*> find_masters() {
  std::vector<gcov_master*> masters;
  if (&__gcov_master != nullptr) masters.push_back(&__gcov_master);
  std::vector<c_string> names;
  dl_iterate_phdr(collect_name, &names);
  for (const c_string& name : names) {
    void* object = dlopen(name.text, RTLD_LAZY | RTLD_NOLOAD);
    free(name.text);
    if (object == nullptr) continue;
    gcov_master* master = static_cast<gcov_master*>(dlsym(object, "__gcov_master"));
    if (master != nullptr && std::find(masters.begin(), masters.end(), master) == masters.end())
      masters.push_back(master);
    dlclose(object);
  }
  return masters;
}

int first_objects_loaded(dl_phdr_info* info, size_t size, void* adds) {
  if (size >= offsetof(dl_phdr_info, dlpi_adds) + sizeof info->dlpi_adds)
    *static_cast<unsigned long long*>(adds) = info->dlpi_adds;
  return 1;
}

// How often anything was loaded, ever: it stays up after dlclose().
unsigned long long objects_loaded() {
  unsigned long long adds = 0;
  dl_iterate_phdr(first_objects_loaded, &adds);
  return adds;
}

unsigned long long loaded_when_silenced = 0;

// The pages of what is loaded around an address.
struct loaded_object {
  const char* address;
  const char* begin;
  const char* end;
};

int find_object(dl_phdr_info* info, size_t, void* found) {
  loaded_object* const object = static_cast<loaded_object*>(found);
  const char* begin = nullptr;
  const char* end = nullptr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD) continue;
    const char* const from = reinterpret_cast<const char*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    const char* const to = from + info->dlpi_phdr[i].p_memsz;
    if (begin == nullptr || from < begin) begin = from;
    if (to > end) end = to;
  }
  if (object->address < begin || object->address >= end) return 0;
  object->begin = begin;
  object->end = end;
  return 1;
}

// "B22*" is 12.2: tens of the major version as a letter, its units, the minor version, the release phase.
uint32_t gcc_major(uint32_t version) {
  return ((version >> 24) - 'A') * 10 + ((version >> 16 & 0xff) - '0');
}

uint32_t counter_kinds(uint32_t major) {
  for (const known_version& known : known_versions)
    if (known.gcc == major) return known.counter_kinds;
  return 0;
}

// What the twin asks Clang for: "A93L" or "A93M".
bool is_clang(uint32_t version) {
  const uint32_t of_twin = 'A' << 24 | '9' << 16 | '3' << 8;
  return version == (of_twin | 'L') || version == (of_twin | 'M');
}

const gcov_functions& functions_of(const gcov_object& object) {
  const merge_function* const merge = object.merge;
  const uint32_t kinds = is_clang(object.version) ? 1 : counter_kinds(gcc_major(object.version));
  return *reinterpret_cast<const gcov_functions*>(merge + kinds);
}

// Null if the object has none.
const gcov_counters* conditions_of(const gcov_object& object, const gcov_function& function) {
  const merge_function* const merge = object.merge;
  if (counter_kinds(gcc_major(object.version)) <= kind_of_conditions || merge[kind_of_conditions] == nullptr)
    return nullptr;
  const gcov_counters* counters = function.counters;
  for (uint32_t kind = 0; kind < kind_of_conditions; ++kind)
    if (merge[kind] != nullptr) ++counters;
  return counters;
}

bool add_objects(const gcov_root* root, std::vector<const gcov_object*>* objects, char* reason) {
  for (const gcov_object* object = root->list; object != nullptr; object = object->next) {
    const uint32_t major = gcc_major(object->version);
    if (counter_kinds(major) == 0) {
      snprintf(reason, reason_room,
               "%s is for GCC %u; supported are " MORPH_TEXT(MORPH_OLDEST_GCC) " to " MORPH_TEXT(MORPH_NEWEST_GCC),
               object->gcda_path, major);
      return false;
    }
    if (object->merge[0] != nullptr) objects->push_back(object);
  }
  return true;
}

void no_merge(counter*, unsigned) {}

struct llvm_object {
  gcov_object object;  // with counters of arcs alone
  gcov_functions functions;
};

// Objects and functions of a unit that Clang compiled, in libgcov's form; they are kept for as long as the process
// lives.
struct llvm_list {
  std::vector<const gcov_object*>* objects;
  llvm_object* current;
  std::vector<const gcov_function*> functions;  // of the current object
  const char* foreign;                          // object with functions that was not compiled for a twin

  explicit llvm_list(std::vector<const gcov_object*>* all)
      : objects(all), current(nullptr), functions(), foreign(nullptr) {}
  llvm_list(const llvm_list&) = delete;
  llvm_list& operator=(const llvm_list&) = delete;

  void finish_object() {
    if (current == nullptr || functions.empty()) return;
    const size_t bytes = functions.size() * sizeof(gcov_function*);
    const gcov_function** const table = static_cast<const gcov_function**>(malloc(bytes));
    if (table == nullptr) abort();
    memcpy(table, functions.data(), bytes);
    current->functions.functions = table;
    current->functions.count = static_cast<uint32_t>(functions.size());
    objects->push_back(&current->object);
    functions.clear();
  }

  static void object(void* to, const char* gcda_path, uint32_t version, uint32_t stamp) {
    llvm_list& list = *static_cast<llvm_list*>(to);
    list.finish_object();
    list.current = static_cast<llvm_object*>(calloc(1, sizeof(llvm_object)));
    if (list.current == nullptr) abort();
    gcov_object& made = list.current->object;
    made.version = version;
    made.stamp = stamp;
    made.gcda_path = gcda_path;
    made.merge[0] = no_merge;
  }

  static void function(void* to, uint32_t ident, uint32_t lineno_checksum, uint32_t cfg_checksum, uint32_t count,
                       counter* values) {
    llvm_list& list = *static_cast<llvm_list*>(to);
    if (!is_clang(list.current->object.version)) list.foreign = list.current->object.gcda_path;
    gcov_function* const made = static_cast<gcov_function*>(calloc(1, sizeof(gcov_function)));
    if (made == nullptr) abort();
    made->key = &list.current->object;
    made->ident = ident;
    made->lineno_checksum = lineno_checksum;
    made->cfg_checksum = cfg_checksum;
    made->counters[0] = gcov_counters{count, values};
    list.functions.push_back(made);
  }
};

bool add_llvm_objects(void (*list_all)(const llvm_visitor*), std::vector<const gcov_object*>* objects, char* reason) {
  if (list_all == nullptr) return true;
  llvm_list list(objects);
  const llvm_visitor visitor = {&list, llvm_list::object, llvm_list::function};
  list_all(&visitor);
  list.finish_object();
  if (list.foreign == nullptr) return true;
  snprintf(reason, reason_room, "%s was compiled with --coverage by the project's own options: leave them out",
           list.foreign);
  return false;
}

link_unit* units = nullptr;  // shared objects of the twin

typedef table<instrumented_function> functions_table;

functions_table find_functions(const std::vector<const gcov_object*>& objects) {
  functions_table functions;
  for (const gcov_object* object : objects)
    for (uint32_t i = 0; i < functions_of(*object).count; ++i) {
      const gcov_function* function = functions_of(*object).functions[i];
      if (function == nullptr || function->key != object || function->counters[0].count == 0) continue;
      functions.push_back(instrumented_function{object, function, function->counters[0], 0, 0});
      const gcov_counters* const masks = conditions_of(*object, *function);
      if (masks != nullptr && masks->count != 0)
        functions.push_back(instrumented_function{object, function, *masks, 1, 0});
    }
  std::sort(functions.begin(), functions.end(), [](const instrumented_function& a, const instrumented_function& b) {
    return a.counters.values < b.counters.values;
  });
  uint32_t next_id = 0;
  for (instrumented_function& function : functions) {
    function.first_id = next_id;
    next_id += function.counters.count;
  }
  return functions;
}

char* page_floor(const void* address) {
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(address) / page * page);
}

bool holds(const counter_pages& pages, const char* begin, const char* end) {
  return pages.begin == page_floor(pages.begin) && pages.begin <= begin && end <= pages.end;
}

bool has_variables(const char* begin, const char* end) {
  if (holds(counter_pages{morph_counters_begin, morph_counters_end}, begin, end)) return false;
  for (const link_unit* unit = units; unit != nullptr; unit = unit->next)
    if (holds(unit->pages, begin, end)) return false;
  return true;
}

void plan_pages(const functions_table& functions, counter_layout* layout) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<page_range>& pages = layout->pages;
  for (const instrumented_function& f : functions) {
    char* const begin = page_floor(f.counters.values);
    char* const end = page_floor(f.counters.values + f.counters.count - 1) + page;
    const bool mixed = has_variables(begin, end);
    if (!pages.empty() && begin <= pages.back().begin + pages.back().bytes && mixed == pages.back().has_variables)
      pages.back().bytes = static_cast<size_t>(end - pages.back().begin);
    else
      pages.push_back(page_range{begin, static_cast<size_t>(end - begin), 0, mixed});
  }
  for (page_range& range : pages) {
    range.offset = layout->bytes;
    layout->bytes += range.bytes;
  }
  size_t at = 0;
  for (const instrumented_function& f : functions) {
    const char* const values = reinterpret_cast<const char*>(f.counters.values);
    while (values >= pages[at].begin + pages[at].bytes) ++at;
    const size_t offset = pages[at].offset + static_cast<size_t>(values - pages[at].begin);
    layout->spans.push_back(counter_span{offset, f.counters.count, f.first_id, f.is_masks, 0});
    layout->counters += f.counters.count;
  }
}

void describe_modules(const std::vector<const gcov_object*>& objects, const functions_table& functions,
                      byte_buffer* out) {
  // Functions are in the order of addresses; an object's are scattered if it has inline ones.
  functions_table by_object = functions;
  std::sort(by_object.begin(), by_object.end(), [](const instrumented_function& a, const instrumented_function& b) {
    if (a.object != b.object) return a.object < b.object;
    return a.is_masks != b.is_masks ? a.is_masks < b.is_masks : a.function < b.function;
  });
  std::vector<const gcov_object*> sorted = objects;
  std::sort(sorted.begin(), sorted.end());
  size_t at = 0;
  for (const gcov_object* object : sorted) {
    size_t masks = at;
    while (masks != by_object.size() && by_object[masks].object == object && by_object[masks].is_masks == 0) ++masks;
    size_t end = masks;
    while (end != by_object.size() && by_object[end].object == object) ++end;
    const size_t head = out->size();
    out->u32(0);
    out->string(object->gcda_path);
    out->u32(object->version);
    out->u32(object->stamp);
    out->u32(gcc_major(object->version) >= 12 ? object->checksum : 0);
    out->u32(static_cast<uint32_t>(masks - at));
    for (size_t i = at; i != masks; ++i) {
      const gcov_function& function = *by_object[i].function;
      out->u32(function.ident);
      out->u32(function.lineno_checksum);
      out->u32(function.cfg_checksum);
      out->u32(by_object[i].counters.count);
      out->u32(by_object[i].first_id);
    }
    if (masks != end) out->u32(static_cast<uint32_t>(end - masks));
    for (size_t i = masks, of = at; i != end; ++i) {
      while (by_object[of].function != by_object[i].function) ++of;
      out->u32(static_cast<uint32_t>(of - at));
      out->u32(by_object[i].counters.count);
      out->u32(by_object[i].first_id);
    }
    at = end;
    out->set_u32(head, static_cast<uint32_t>(out->size() - head - sizeof(uint32_t)));
  }
}

search describe(const std::vector<const gcov_object*>& objects, counter_layout* layout) {
  if (objects.empty()) return search::no_counters;
  const functions_table functions = find_functions(objects);
  plan_pages(functions, layout);
  describe_modules(objects, functions, &layout->modules);
  return search::found;
}

// Not memcpy(): AddressSanitizer's one stops at the red zones between the counters. What is equal is only read: most of
// it is, and to write it is what costs.
void copy_bytes(char* to, const char* from, size_t bytes) {
  typedef uint64_t words __attribute__((vector_size(16), may_alias));
  const size_t step = 4 * sizeof(words);
  for (size_t i = 0; i < bytes; i += step) {
    const words* const source = reinterpret_cast<const words*>(from + i);
    words* const target = reinterpret_cast<words*>(to + i);
    const words differences =
        (source[0] ^ target[0]) | (source[1] ^ target[1]) | (source[2] ^ target[2]) | (source[3] ^ target[3]);
    if ((differences[0] | differences[1]) == 0) continue;
    for (int k = 0; k < 4; ++k) target[k] = source[k];
  }
}

}  // namespace

namespace morph_runtime {

search find_counters(counter_layout* layout, char* reason) {
  if (sizeof(void*) != 8) {
    snprintf(reason, reason_room, "only 64-bit programs are supported");
    return search::unsupported;
  }
  std::vector<const gcov_object*> objects;
  for (const gcov_master* master : find_masters())
    for (const gcov_root* root = master->root; root != nullptr; root = root->next) {
      const uint32_t major = gcc_major(master->version);
      if (counter_kinds(major) == 0) {
        snprintf(
            reason, reason_room,
            "its libgcov is of GCC %u; supported are " MORPH_TEXT(MORPH_OLDEST_GCC) " to " MORPH_TEXT(MORPH_NEWEST_GCC),
            major);
        return search::unsupported;
      }
      if (!add_objects(root, &objects, reason)) return search::unsupported;
    }
  if (!add_llvm_objects(&morph_llvm_list, &objects, reason)) return search::unsupported;
  for (const link_unit* unit = units; unit != nullptr; unit = unit->next)
    if (!add_llvm_objects(unit->list_llvm, &objects, reason)) return search::unsupported;
  return describe(objects, layout);
}

search find_counters_of(const link_unit* unit, counter_layout* layout, char* reason) {
  std::vector<const gcov_object*> objects;
  if (unit->gcov != nullptr && !add_objects(unit->gcov, &objects, reason)) return search::unsupported;
  if (!add_llvm_objects(unit->list_llvm, &objects, reason)) return search::unsupported;
  return describe(objects, layout);
}

bool writes_files() {
  return &morph_llvm_list == nullptr;
}

void add_unit(link_unit* unit) {
  unit->next = units;
  units = unit;
}

void remove_unit(link_unit* unit) {
  for (link_unit** at = &units; *at != nullptr; at = &(*at)->next)
    if (*at == unit) {
      *at = unit->next;
      return;
    }
}

void silence_libgcov_of(const link_unit* unit) {
  if (unit->gcov == nullptr) return;
  unit->gcov->list = nullptr;
  unit->gcov->dumped = 1;
}

void silence_libgcov() {
  for (gcov_master* master : find_masters())
    for (gcov_root* root = master->root; root != nullptr; root = root->next) {
      const link_unit unit = {root, nullptr, {nullptr, nullptr}, nullptr};
      silence_libgcov_of(&unit);
    }
  loaded_when_silenced = objects_loaded();
}

bool has_new_counters() {
  if (objects_loaded() == loaded_when_silenced) return false;
  for (gcov_master* master : find_masters())
    for (const gcov_root* root = master->root; root != nullptr; root = root->next)
      if (root->list != nullptr) return true;
  return false;
}

void copy_pages(const counter_layout& layout, char* copy) {
  for (const page_range& range : layout.pages) copy_bytes(copy + range.offset, range.begin, range.bytes);
}

void copy_variables(const counter_layout& layout, char* copy) {
  for (const page_range& range : layout.pages)
    if (range.has_variables) copy_bytes(copy + range.offset, range.begin, range.bytes);
}

void clear_counters(const counter_layout& layout, char* copy) {
  for (const counter_span& span : layout.spans) memset(copy + span.offset, 0, span.count * sizeof(counter));
}

// New pages are zero, and fork() has nothing to copy of those that nobody has touched.
bool make_new(const page_range& range) {
  return !range.has_variables && madvise(range.begin, range.bytes, MADV_DONTNEED) == 0;
}

void clear_counters(const counter_layout& layout) {
  std::vector<char> is_new;
  for (const page_range& range : layout.pages) is_new.push_back(make_new(range));
  size_t at = 0;
  for (const counter_span& span : layout.spans) {
    while (span.offset >= layout.pages[at].offset + layout.pages[at].bytes) ++at;
    if (is_new[at]) continue;
    memset(layout.pages[at].begin + (span.offset - layout.pages[at].offset), 0, span.count * sizeof(counter));
  }
}

// mremap() with an old size of zero maps the same shared pages a second time.
bool share_pages(const counter_layout& layout, char* copy) {
  for (const page_range& range : layout.pages)
    if (mremap(copy + range.offset, 0, range.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, range.begin) == MAP_FAILED)
      return false;
  return true;
}

void forget_pages_of(const link_unit* unit, counter_layout* layout) {
  loaded_object object = {reinterpret_cast<const char*>(unit), nullptr, nullptr};
  if (dl_iterate_phdr(find_object, &object) == 0) return;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  object.begin = page_floor(object.begin);
  object.end = page_floor(object.end - 1) + page;
  std::vector<page_range> left;
  for (const page_range& range : layout->pages) {
    char* const end = range.begin + range.bytes;
    if (object.end <= range.begin || object.begin >= end) {
      left.push_back(range);
      continue;
    }
    if (object.begin > range.begin)
      left.push_back(
          page_range{range.begin, static_cast<size_t>(object.begin - range.begin), range.offset, range.has_variables});
    if (object.end < end) {
      const size_t skipped = static_cast<size_t>(object.end - range.begin);
      left.push_back(
          page_range{range.begin + skipped, range.bytes - skipped, range.offset + skipped, range.has_variables});
    }
  }
  layout->pages.swap(left);
}

bool make_pages_private(const counter_layout& layout) {
  for (const page_range& range : layout.pages) {
    void* copy = mmap(nullptr, range.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) return false;
    copy_bytes(static_cast<char*>(copy), range.begin, range.bytes);
    if (mremap(copy, range.bytes, range.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, range.begin) == MAP_FAILED) return false;
  }
  return true;
}

}  // namespace morph_runtime
