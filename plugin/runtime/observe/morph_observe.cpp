// Keeps what observed code says of its values, in memory of its own, until the test ends. C++11, no exceptions.
#include "morph_observe.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <unwind.h>

#include <typeinfo>

#include "morph_observe_record.h"
#include "server_format.h"

extern "C" {
unsigned char morph_observes = 0;
unsigned morph_instruction = 0;
}

namespace {

const uint64_t kept = 100;  // calls of a point that have lines of their own
const unsigned most_points = 1u << 20;
const unsigned most_properties = 256;  // of a call
const size_t longest_text = 256;
const size_t longest_digest = size_t{1} << 20;  // bytes of a text that count, beside its size
const size_t longest_name = 512;
const unsigned deepest_path = 64;
const size_t most_bytes = size_t{1} << 28;  // of a record

// ---- memory that the program does not share

void* pages(size_t bytes) {
  void* const there = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return there == MAP_FAILED ? nullptr : there;
}

int file = -1;
pid_t owner = 0;
pthread_t thread;
unsigned wanted = morph_mutants::all_points;
bool is_reading = false;
uint64_t elsewhere = 0;
uint64_t* counts = nullptr;  // by point
unsigned highest = 0;        // that was counted
char* out = nullptr;
size_t out_size = 0;
size_t written = 0;

void flush() {
  for (size_t done = 0; done < out_size;) {
    const ssize_t some = write(file, out + done, out_size - done);
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) break;
    done += static_cast<size_t>(some);
  }
  written += out_size;
  out_size = 0;
}

const size_t out_room = size_t{1} << 20;

void put(const char* text, size_t size) {
  if (written + out_size + size > most_bytes) return;
  if (out_size + size > out_room) flush();
  memcpy(out + out_size, text, size);
  out_size += size;
}

template <typename... Values>
void line(const char* format, Values... values) {
  char text[256];
  const int size = snprintf(text, sizeof text, format, values...);
  if (size > 0) put(text, static_cast<size_t>(size) < sizeof text ? static_cast<size_t>(size) : sizeof text - 1);
}

// A text on one line.
void put_line_text(const char* text, size_t size) {
  for (size_t i = 0; i < size; ++i) put(text[i] == '\n' ? " " : text + i, 1);
  put("\n", 1);
}

const uint64_t hash_start = 14695981039346656037ull;

uint64_t hash(const void* from, size_t size, uint64_t seed) {
  const unsigned char* const bytes = static_cast<const unsigned char*>(from);
  for (size_t i = 0; i < size; ++i) seed = (seed ^ bytes[i]) * 1099511628211ull;
  return seed;
}

// ---- tables: of names, of paths, and of properties that have no lines of their own

struct entry {
  uint64_t key;  // zero: free
  uint64_t value;
};

struct table {
  entry* entries;
  size_t room;
  size_t size;
};

entry& find(table& in, uint64_t key) {
  if (key == 0) key = 1;
  if ((in.size + 1) * 2 > in.room) {
    const table old = in;
    in.room = old.room == 0 ? 4096 : old.room * 2;
    in.entries = static_cast<entry*>(pages(in.room * sizeof(entry)));
    if (in.entries == nullptr) _exit(86);
    in.size = 0;
    for (size_t i = 0; i < old.room; ++i)
      if (old.entries[i].key != 0) find(in, old.entries[i].key).value = old.entries[i].value;
    if (old.room != 0) munmap(old.entries, old.room * sizeof(entry));
  }
  for (size_t at = key % in.room;; at = (at + 1) % in.room) {
    entry& here = in.entries[at];
    if (here.key == key) return here;
    if (here.key != 0) continue;
    here.key = key;
    here.value = 0;
    ++in.size;
    return here;
  }
}

table names, paths, middles;

// ---- the call or evaluation that is read

struct {
  unsigned point;
  uint64_t number;
  bool has_lines;
  unsigned properties;
  unsigned left_out;
} now;

char name[longest_name];
size_t name_size = 0;
int private_parts = 0;

struct {
  bool is_open;
  bool is_ordered;
  uint64_t digest;
  char text[longest_text + 64];
  size_t size;
  size_t elements;
} list;

unsigned name_number() {
  entry& known = find(names, hash(name, name_size, hash_start + static_cast<uint64_t>(private_parts != 0)));
  if (known.value == 0) {
    known.value = names.size;
    line("N %u %d ", static_cast<unsigned>(known.value), private_parts != 0 ? 1 : 0);
    put_line_text(name, name_size);
  }
  return static_cast<unsigned>(known.value);
}

bool has_room() {
  if (++now.properties <= most_properties) return true;
  ++now.left_out;
  return false;
}

void property(uint64_t digest, const char* text, size_t size) {
  if (list.is_open) {
    const uint64_t mixed = (digest ^ (digest >> 29)) * 0xbf58476d1ce4e5b9ull;
    list.digest = list.is_ordered ? list.digest * 1099511628211ull + mixed : list.digest + mixed;
    if (list.size + size + 8 < sizeof list.text) {
      if (list.elements != 0) list.text[list.size++] = ',', list.text[list.size++] = ' ';
      memcpy(list.text + list.size, text, size);
      list.size += size;
    }
    ++list.elements;
    return;
  }
  if (!has_room()) return;
  const unsigned number = name_number();
  if (!now.has_lines) {
    const uint64_t which = (static_cast<uint64_t>(now.point) << 32) | number;
    entry& middle = find(middles, which);
    middle.value = middle.value * 1099511628211ull + digest + 1;
    return;
  }
  line("p %u %llx ", number, static_cast<unsigned long long>(digest));
  put_line_text(text, size);
}

/// A literal of C++; returns its size.
size_t quoted(char* to, size_t room, const char* text, size_t size) {
  size_t at = 0;
  to[at++] = '"';
  for (size_t i = 0; i < size && at + 8 < room; ++i) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '"' || c == '\\') {
      to[at++] = '\\';
      to[at++] = static_cast<char>(c);
    } else if (c == '\n') {
      to[at++] = '\\';
      to[at++] = 'n';
    } else if (c == '\t') {
      to[at++] = '\\';
      to[at++] = 't';
    } else if (c < 32 || c == 127) {
      at += static_cast<size_t>(snprintf(to + at, room - at, "\\%03o", c));
    } else {
      to[at++] = static_cast<char>(c);
    }
  }
  to[at++] = '"';
  return at;
}

size_t shortest(char* to, size_t room, long double value, bool is_float) {
  for (int digits = 1; digits <= 17; ++digits) {
    snprintf(to, room, "%.*Lg", digits, value);
    if (is_float ? strtof(to, nullptr) == static_cast<float>(value) : strtod(to, nullptr) == static_cast<double>(value))
      break;
  }
  if (strpbrk(to, ".en") == nullptr) strcat(to, ".0");
  return strlen(to);
}

struct walk {
  uintptr_t at[deepest_path];
  unsigned size;
};

_Unwind_Reason_Code note_frame(struct _Unwind_Context* context, void* to) {
  walk& frames = *static_cast<walk*>(to);
  if (frames.size == deepest_path) return _URC_END_OF_STACK;
  frames.at[frames.size++] = static_cast<uintptr_t>(_Unwind_GetIP(context));
  return _URC_NO_REASON;
}

uint64_t path_here() {
  walk frames;
  frames.size = 0;
  _Unwind_Backtrace(note_frame, &frames);
  const unsigned own = frames.size < 2 ? frames.size : 2;
  const uint64_t digest = hash(frames.at + own, (frames.size - own) * sizeof frames.at[0], hash_start);
  entry& known = find(paths, digest);
  if (known.value == 0) {
    known.value = paths.size;
    line("P %llu", static_cast<unsigned long long>(known.value));
    for (unsigned i = own; i < frames.size; ++i) line(" %llx", static_cast<unsigned long long>(frames.at[i]));
    put("\n", 1);
  }
  return known.value;
}

int note_module(struct dl_phdr_info* info, size_t, void*) {
  line("M %llx ", static_cast<unsigned long long>(info->dlpi_addr));
  put_line_text(info->dlpi_name, strlen(info->dlpi_name));
  return 0;
}

void forget_in_child() {
  morph_observes = 0;
}

// What automatic variables hold before they are written.
__attribute__((noinline)) void fill_stack(unsigned char fill) {
  volatile unsigned char below[1 << 17];
  for (size_t i = 0; i < sizeof below; ++i) below[i] = fill;
}

}  // namespace

namespace morph_runtime {

void begin_observing(int to, unsigned point, unsigned char fill) {
  file = to;
  wanted = point;
  owner = getpid();
  thread = pthread_self();
  counts = static_cast<uint64_t*>(pages(most_points * sizeof *counts));
  out = static_cast<char*>(pages(out_room));
  if (counts == nullptr || out == nullptr) _exit(86);
  pthread_atfork(nullptr, nullptr, forget_in_child);
  if (fill == 0) return;
  mallopt(M_PERTURB, fill);
  // What hangs on addresses shall not be the same twice either.
  static_cast<void>(!malloc(static_cast<size_t>(fill) * 16));
  fill_stack(fill);
}

void observe_from_here() {
  if (file >= 0 && getpid() == owner) morph_observes = 1;
}

bool is_observed() {
  return morph_observes != 0;
}

void observe_outputs(const char* const* words, const char* const* outputs, unsigned long count) {
  if (!morph_observe_begin(0, morph_observe_enter(0), false)) return;
  for (unsigned long i = 0; i < count; ++i) {
    const morph_observe::part here(words[i]);
    morph_observe_word(outputs[i]);
  }
  morph_observe_end();
}

void end_observing() {
  if (file < 0 || getpid() != owner) return;
  morph_observes = 0;
  for (size_t i = 0; i < middles.room; ++i)
    if (middles.entries[i].key != 0)
      line("R %u %u %llx\n", static_cast<unsigned>(middles.entries[i].key >> 32),
           static_cast<unsigned>(middles.entries[i].key), static_cast<unsigned long long>(middles.entries[i].value));
  for (unsigned point = 0; point <= highest; ++point)
    if (counts[point] != 0) line("C %u %llu\n", point, static_cast<unsigned long long>(counts[point]));
  if (elsewhere != 0) line("T %llu\n", static_cast<unsigned long long>(elsewhere));
  dl_iterate_phdr(note_module, nullptr);
  flush();
  file = -1;
}

}  // namespace morph_runtime

// ---- what observed code calls

unsigned long long morph_observe_enter(unsigned point) {
  if (morph_observes == 0 || point >= most_points) return 0;
  if (!pthread_equal(pthread_self(), thread)) {
    __atomic_add_fetch(&elsewhere, 1, __ATOMIC_RELAXED);
    return 0;
  }
  if (is_reading) return 0;
  if (point > highest) highest = point;
  return ++counts[point] <= morph_mutants::most_observed ? counts[point] : 0;
}

unsigned long long morph_observe_call(unsigned point) {
  return wanted == morph_mutants::all_points || wanted == point ? morph_observe_enter(point) : 0;
}

bool morph_observe_begin(unsigned point, unsigned long long number, bool is_call) {
  if (number == 0 || is_reading || morph_observes == 0) return false;
  is_reading = true;
  now.point = point;
  now.number = number;
  now.has_lines = number <= kept;
  now.properties = now.left_out = 0;
  name_size = 0;
  private_parts = 0;
  if (!now.has_lines) return true;
  const unsigned long long path = is_call ? path_here() : 0;
  line("O %u %llu %u %llu\n", point, number, morph_instruction, path);
  return true;
}

void morph_observe_end() {
  if (now.left_out != 0) {
    name_size = 0;
    name[name_size++] = '*';
    private_parts = 0;
    now.properties = 0;
    char why[64];
    const int size = snprintf(why, sizeof why, "%u more properties", now.left_out);
    if (now.has_lines) {
      line("u %u ", name_number());
      put_line_text(why, static_cast<size_t>(size));
    }
  }
  is_reading = false;
}

size_t morph_observe_push(const char* part, int is_private) {
  const size_t before = name_size;
  if (list.is_open) return before << 1;
  const size_t size = strlen(part);
  if (name_size + size < sizeof name) {
    memcpy(name + name_size, part, size);
    name_size += size;
  }
  private_parts += is_private;
  return before << 1 | static_cast<size_t>(is_private != 0);
}

void morph_observe_pop(size_t size) {
  if (list.is_open) return;
  name_size = size >> 1;
  private_parts -= static_cast<int>(size & 1);
}

void morph_observe_bits(int kind, const void* bits, size_t size) {
  char text[64];
  size_t length = 0;
  unsigned long long number = 0;
  long double real = 0;
  if (kind == morph_observe::floating) {
    real = size == sizeof(float)    ? *static_cast<const float*>(bits)
           : size == sizeof(double) ? *static_cast<const double*>(bits)
                                    : *static_cast<const long double*>(bits);
    const double plain = static_cast<double>(real);
    uint64_t digest = isnan(real) ? 1 : hash(&plain, sizeof plain, hash_start);
    if (size > sizeof(double) && !isnan(real)) digest = hash(&real, 10, digest);
    if (now.has_lines)
      length = isnan(real) ? snprintf(text, sizeof text, "NAN") : shortest(text, sizeof text, real, size == 4);
    return property(digest, text, length);
  }
  memcpy(&number, bits, size < sizeof number ? size : sizeof number);
  const unsigned unused = size < 8 ? static_cast<unsigned>(64 - 8 * size) : 0;
  const long long extended = static_cast<long long>(number << unused) >> unused;
  if (now.has_lines) {
    if (kind == morph_observe::boolean)
      length = static_cast<size_t>(snprintf(text, sizeof text, "%s", number != 0 ? "true" : "false"));
    else if (kind == morph_observe::character && number >= 32 && number < 127)
      length = static_cast<size_t>(
          snprintf(text, sizeof text, number == '\'' || number == '\\' ? "'\\%c'" : "'%c'", static_cast<int>(number)));
    else if (kind == morph_observe::unsigned_integer)
      length = static_cast<size_t>(snprintf(text, sizeof text, "%llu", number));
    else
      length = static_cast<size_t>(snprintf(text, sizeof text, "%lld", extended));
  }
  property(hash(&number, sizeof number, hash_start), text, length);
}

void morph_observe_word(const char* word) {
  property(hash(word, strlen(word), hash_start), word, strlen(word));
}

void morph_observe_text(const char* text, size_t size) {
  char literal[longest_text + 64];
  const size_t shown = size < longest_text ? size : longest_text;
  size_t length = now.has_lines ? quoted(literal, sizeof literal, text, shown) : 0;
  if (now.has_lines && size > shown) length += static_cast<size_t>(snprintf(literal + length, 8, "..."));
  const uint64_t digest = hash(text, size < longest_digest ? size : longest_digest, hash_start);
  property(hash(&size, sizeof size, digest), literal, length);
}

void morph_observe_c_text(const char* text) {
  if (text == nullptr) return morph_observe_word("nullptr");
  char copy[longest_text];
  size_t size = 0;
  // A page at a time, read by the kernel: it need not be there.
  while (size < sizeof copy) {
    const size_t left_in_page = 4096 - (reinterpret_cast<uintptr_t>(text) + size) % 4096;
    const size_t some = left_in_page < sizeof copy - size ? left_in_page : sizeof copy - size;
    struct iovec to = {copy + size, some}, from = {const_cast<char*>(text) + size, some};
    if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != static_cast<ssize_t>(some))
      return morph_observe_word("not nullptr");
    const void* const end = memchr(copy + size, 0, some);
    if (end != nullptr) return morph_observe_text(copy, static_cast<size_t>(static_cast<const char*>(end) - copy));
    size += some;
  }
  morph_observe_text(copy, size);
}

bool morph_observe_copy(void* to, const void* from, size_t size) {
  struct iovec there = {to, size}, here = {const_cast<void*>(from), size};
  return process_vm_readv(getpid(), &there, 1, &here, 1, 0) == static_cast<ssize_t>(size);
}

void morph_observe_list(int is_ordered) {
  list.is_open = true;
  list.is_ordered = is_ordered != 0;
  list.digest = hash_start;
  list.size = list.elements = 0;
  list.text[list.size++] = '{';
}

void morph_observe_list_end() {
  list.is_open = false;
  list.text[list.size++] = '}';
  property(list.digest, list.text, list.size);
}

void morph_observe_not_read(const char* why) {
  if (list.is_open || !now.has_lines || !has_room()) return;
  line("u %u ", name_number());
  put_line_text(why, strlen(why));
}

void morph_observe_exception(const char* what) {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  char text[longest_text + 128];
  size_t size = 0;
  if (type != nullptr) {
    int status = 0;
    char* const plain = now.has_lines ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
    size = static_cast<size_t>(snprintf(text, 120, "%s", plain != nullptr ? plain : type->name()));
    if (size > 119) size = 119;
    free(plain);
  }
  uint64_t digest = type == nullptr ? hash_start : hash(type->name(), strlen(type->name()), hash_start);
  if (what != nullptr) {
    const size_t length = strlen(what);
    digest = hash(what, length, digest);
    text[size++] = '(';
    size += quoted(text + size, longest_text, what, length < 160 ? length : 160);
    text[size++] = ')';
  }
  property(digest, text, size);
}
