// Finding gcov's counters in memory, sharing their pages with the test processes, and writing the stream.
//
// Layout of libgcov's structures: GCC 11 and 12 on LP64. The templates used here take types of this file only: linkers
// keep one copy of an inline function, and the copy from an instrumented object would count the supervisor's own work.
#include "morph_capture.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace {

using morph_runtime::exit_incomplete_stream;
using morph_runtime::exit_unsupported;
using morph_runtime::verdict_from;

typedef int64_t counter;

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
  gcov_counters arcs;  // more kinds of counters may follow
};

const int counter_kinds = 8;

struct gcov_object {
  uint32_t version;
  gcov_object* next;
  uint32_t stamp;
  uint32_t checksum;  // since GCC 12; before, padding
  const char* gcda_path;
  void (*merge[counter_kinds])(counter*, unsigned);  // the first is null if the object has no arc counters
  uint32_t function_count;
  const gcov_function* const* functions;
};

struct gcov_root {
  gcov_object* list;
  unsigned dumped : 1;
  unsigned run_counted : 1;
  gcov_root* next;
  gcov_root* previous;
};

struct gcov_master {
  uint32_t version;
  gcov_root* root;
};

}  // namespace

// The only symbol that libgcov exports. Weak: a program may have all its instrumented code in shared libraries, or
// none.
extern "C" gcov_master __gcov_master __attribute__((weak));

namespace {

struct c_string {
  char* text;
};

struct instrumented_function {
  const gcov_object* object;
  const gcov_function* function;
  uint32_t first_id;
};

struct range {
  counter* values;  // in the view that the supervisor reads
  uint32_t count;
  uint32_t first_id;
};

// Neighbouring ranges, tested for zero by one memcmp: most of a program is not touched by a test.
struct cluster {
  const char* begin;
  size_t bytes;
  uint32_t first_range;
  uint32_t end_range;
};

const size_t cluster_bytes = 1024;
const char zeros[cluster_bytes] = {};

// Pages of the program that hold counters, and the shared memory that replaces them in test processes. Other variables
// live on these pages too, so a test process starts with a copy of them and gives its own children a private copy.
struct extent {
  char* begin;
  size_t bytes;
  char* view;
};

// What a test process tells the supervisor, in memory that outlives it.
struct report {
  uint32_t has_verdict;
  uint32_t verdict;
  uint32_t left_by_exit;
  uint32_t incomplete;
};

struct child_pid {
  pid_t value;
};

class byte_buffer {
 public:
  byte_buffer() = default;
  byte_buffer(const byte_buffer&) = delete;
  byte_buffer& operator=(const byte_buffer&) = delete;

  const char* data() const { return bytes_; }
  size_t size() const { return size_; }
  void clear() { size_ = 0; }

  void bytes(const void* data, size_t size) {
    memcpy(room(size), data, size);
    size_ += size;
  }
  void u8(uint8_t value) { bytes(&value, sizeof value); }
  void u32(uint32_t value) { bytes(&value, sizeof value); }
  void i32(int32_t value) { bytes(&value, sizeof value); }
  void u64(uint64_t value) { bytes(&value, sizeof value); }
  void string(const char* text) {
    const size_t length = strlen(text);
    u32(static_cast<uint32_t>(length));
    bytes(text, length);
  }
  void varint(uint64_t value) {
    char* out = room(10);
    while (value >= 0x80) {
      *out++ = static_cast<char>(static_cast<unsigned char>(value | 0x80));
      value >>= 7;
    }
    *out++ = static_cast<char>(static_cast<unsigned char>(value));
    size_ = static_cast<size_t>(out - bytes_);
  }
  void set_u32(size_t offset, uint32_t value) { memcpy(bytes_ + offset, &value, sizeof value); }

 private:
  char* room(size_t more) {
    if (size_ + more > capacity_) {
      capacity_ = 2 * (size_ + more) + 4096;
      bytes_ = static_cast<char*>(realloc(bytes_, capacity_));
      if (bytes_ == nullptr) abort();
    }
    return bytes_ + size_;
  }

  char* bytes_ = nullptr;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

struct capture {
  int stream = -1;
  double timeout_seconds = 0;
  char* program_test = nullptr;
  std::vector<c_string> wanted{};
  bool has_list = false;

  byte_buffer out{};
  std::vector<range> ranges{};
  std::vector<cluster> clusters{};
  std::vector<extent> extents{};
  report* shared = nullptr;
  std::vector<child_pid> older_children{};
  uint32_t incomplete_rows = 0;
  unsigned long long objects_loaded = 0;
  struct sigaction program_sigpipe {};
  struct sigaction program_sigchld {};
  pid_t supervisor = 0;
  pid_t test_process = 0;  // zero in the supervisor, negative in processes that a test forked

  capture() = default;
  capture(const capture&) = delete;
  capture& operator=(const capture&) = delete;
};

capture* state = nullptr;  // never freed: destructors of the program may still come by

__attribute__((noreturn, format(printf, 2, 3))) void fail(int status, const char* format, ...) {
  fflush(stdout);
  char reason[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reason, sizeof reason, format, arguments);
  va_end(arguments);
  fprintf(stderr, "morph: cannot measure %s: %s\n", program_invocation_short_name, reason);
  _exit(status);
}

// ---- the request

void read_list(const char* path) {
  FILE* file = fopen(path, "re");
  if (file == nullptr) fail(exit_unsupported, "list of tests '%s': %s", path, strerror(errno));
  char* name = nullptr;
  size_t capacity = 0;
  while (getdelim(&name, &capacity, '\0', file) > 0)
    if (name[0] != '\0') state->wanted.push_back(c_string{strdup(name)});
  free(name);
  fclose(file);
  std::sort(state->wanted.begin(), state->wanted.end(),
            [](const c_string& a, const c_string& b) { return strcmp(a.text, b.text) < 0; });
  state->has_list = true;
}

// Before any constructor of the program, so that nothing that it starts inherits the request.
__attribute__((constructor(101))) void read_request() {
  const char* stream = getenv("MORPH_COVERAGE_FD");
  if (stream == nullptr) return;
  state = new capture;
  char* rest = nullptr;
  state->stream = static_cast<int>(strtol(stream, &rest, 10));
  if (rest == stream || *rest != '\0' || fcntl(state->stream, F_SETFD, FD_CLOEXEC) != 0)
    fail(exit_unsupported, "MORPH_COVERAGE_FD '%s' is not an open file descriptor", stream);
  const char* timeout = getenv("MORPH_COVERAGE_TIMEOUT");
  if (timeout != nullptr) state->timeout_seconds = strtod(timeout, nullptr);
  const char* test = getenv("MORPH_COVERAGE_TEST");
  state->program_test = strdup(test != nullptr ? test : "");
  const char* list = getenv("MORPH_COVERAGE_TESTS");
  if (list != nullptr) read_list(list);
  unsetenv("MORPH_COVERAGE_FD");
  unsetenv("MORPH_COVERAGE_TIMEOUT");
  unsetenv("MORPH_COVERAGE_TEST");
  unsetenv("MORPH_COVERAGE_TESTS");
}

// ---- libgcov's lists

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

// Empties libgcov's lists, so that its dumps write nothing and its resets (each fork() in instrumented code is
// __gcov_fork, which resets in the child and forgets that it had dumped) clear nothing.
void silence_libgcov() {
  for (gcov_master* master : find_masters())
    for (gcov_root* root = master->root; root != nullptr; root = root->next) {
      root->list = nullptr;
      root->dumped = 1;
    }
}

// "B22*" is 12.2: tens of the major version as a letter, its units, the minor version, the release phase.
uint32_t gcc_major(uint32_t version) {
  return ((version >> 24) - 'A') * 10 + ((version >> 16 & 0xff) - '0');
}

std::vector<const gcov_object*> find_objects() {
  if (sizeof(void*) != 8) fail(exit_unsupported, "only 64-bit programs are supported");
  std::vector<const gcov_object*> objects;
  for (const gcov_master* master : find_masters())
    for (const gcov_root* root = master->root; root != nullptr; root = root->next) {
      if (gcc_major(master->version) != 11 && gcc_major(master->version) != 12)
        fail(exit_unsupported, "its libgcov is of GCC %u; supported are 11 and 12", gcc_major(master->version));
      for (const gcov_object* object = root->list; object != nullptr; object = object->next) {
        if (gcc_major(object->version) != gcc_major(master->version))
          fail(exit_unsupported, "%s is for GCC %u, libgcov is of GCC %u", object->gcda_path,
               gcc_major(object->version), gcc_major(master->version));
        if (object->merge[0] != nullptr) objects.push_back(object);
      }
    }
  if (objects.empty()) fail(exit_unsupported, "no code in it was compiled by GCC with --coverage");
  return objects;
}

std::vector<instrumented_function> find_functions(const std::vector<const gcov_object*>& objects) {
  std::vector<instrumented_function> functions;
  for (const gcov_object* object : objects)
    for (uint32_t i = 0; i < object->function_count; ++i) {
      const gcov_function* function = object->functions[i];
      if (function != nullptr && function->key == object && function->arcs.count != 0)
        functions.push_back(instrumented_function{object, function, 0});
    }
  std::sort(functions.begin(), functions.end(), [](const instrumented_function& a, const instrumented_function& b) {
    return a.function->arcs.values < b.function->arcs.values;
  });
  uint32_t next_id = 0;
  for (instrumented_function& function : functions) {
    function.first_id = next_id;
    next_id += function.function->arcs.count;
  }
  return functions;
}

// ---- counters in memory

char* page_floor(const void* address) {
  const uintptr_t page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  return reinterpret_cast<char*>(reinterpret_cast<uintptr_t>(address) / page * page);
}

void plan_extents(const std::vector<instrumented_function>& functions) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  std::vector<extent>& extents = state->extents;
  size_t total = 0;
  for (const instrumented_function& f : functions) {
    char* const begin = page_floor(f.function->arcs.values);
    char* const end = page_floor(f.function->arcs.values + f.function->arcs.count - 1) + page;
    if (!extents.empty() && begin <= extents.back().begin + extents.back().bytes)
      extents.back().bytes = static_cast<size_t>(end - extents.back().begin);
    else
      extents.push_back(extent{begin, static_cast<size_t>(end - begin), nullptr});
  }
  for (const extent& e : extents) total += e.bytes;
  void* view = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (view == MAP_FAILED) fail(exit_unsupported, "no shared memory for its counters: %s", strerror(errno));
  char* next = static_cast<char*>(view);
  for (extent& e : extents) {
    e.view = next;
    next += e.bytes;
  }
}

void plan_ranges(const std::vector<instrumented_function>& functions) {
  std::vector<range>& ranges = state->ranges;
  size_t at = 0;
  for (const instrumented_function& f : functions) {
    char* const values = reinterpret_cast<char*>(f.function->arcs.values);
    while (values >= state->extents[at].begin + state->extents[at].bytes) ++at;
    counter* const viewed = reinterpret_cast<counter*>(state->extents[at].view + (values - state->extents[at].begin));
    const uint32_t piece = cluster_bytes / sizeof(counter);
    for (uint32_t done = 0; done < f.function->arcs.count; done += piece)
      ranges.push_back(range{viewed + done, std::min(piece, f.function->arcs.count - done), f.first_id + done});
  }
  for (uint32_t i = 0; i < ranges.size(); ++i) {
    const char* const begin = reinterpret_cast<const char*>(ranges[i].values);
    const char* const end = reinterpret_cast<const char*>(ranges[i].values + ranges[i].count);
    if (!state->clusters.empty() && end <= state->clusters.back().begin + cluster_bytes) {
      state->clusters.back().bytes = static_cast<size_t>(end - state->clusters.back().begin);
      state->clusters.back().end_range = i + 1;
    } else {
      state->clusters.push_back(cluster{begin, static_cast<size_t>(end - begin), i, i + 1});
    }
  }
}

// Writes the view's counters that are not zero; returns how many there were.
uint32_t write_counts() {
  byte_buffer& out = state->out;
  const size_t head = out.size();
  out.u32(0);
  uint32_t pairs = 0;
  uint32_t previous = 0;
  for (const cluster& c : state->clusters) {
    if (memcmp(c.begin, zeros, c.bytes) == 0) continue;
    for (uint32_t r = c.first_range; r < c.end_range; ++r) {
      const range& here = state->ranges[r];
      for (uint32_t i = 0; i < here.count; ++i) {
        if (here.values[i] == 0) continue;
        out.varint(here.first_id + i - previous);
        out.varint(static_cast<uint64_t>(here.values[i]));
        previous = here.first_id + i;
        ++pairs;
      }
    }
  }
  out.set_u32(head, pairs);
  return pairs;
}

// Not memcpy(): AddressSanitizer's one stops at the red zones between the counters. The barrier keeps GCC from making
// it one again.
void copy_pages(char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t) * 8) {
    for (size_t k = i; k < i + sizeof(uint64_t) * 8; k += sizeof(uint64_t))
      *reinterpret_cast<uint64_t*>(to + k) = *reinterpret_cast<const uint64_t*>(from + k);
    __asm__ volatile("" ::: "memory");
  }
}

// The supervisor does this before each fork because its page tables know the view; a new process would fault on each
// page.
void refresh_view() {
  for (const extent& e : state->extents) copy_pages(e.view, e.begin, e.bytes);
}

// mremap() with an old size of zero maps the same shared pages a second time.
void share_counters() {
  for (const extent& e : state->extents)
    if (mremap(e.view, 0, e.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, e.begin) == MAP_FAILED)
      fail(exit_unsupported, "its counters cannot be shared: %s", strerror(errno));
}

// Runs after fork() in a child of the test process.
void keep_counters_private() {
  if (state->test_process <= 0) return;
  __atomic_fetch_or(&state->shared->incomplete, morph_stream::made_process, __ATOMIC_RELAXED);
  state->test_process = -1;
  for (const extent& e : state->extents) {
    void* copy = mmap(nullptr, e.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED) _exit(exit_unsupported);
    copy_pages(static_cast<char*>(copy), e.begin, e.bytes);
    if (mremap(copy, e.bytes, e.bytes, MREMAP_MAYMOVE | MREMAP_FIXED, e.begin) == MAP_FAILED) _exit(exit_unsupported);
  }
}

// ---- the stream

void flush_stream() {
  const char* from = state->out.data();
  size_t left = state->out.size();
  while (left != 0) {
    const ssize_t written = write(state->stream, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(exit_incomplete_stream, "its stream: %s", strerror(errno));
    from += written;
    left -= static_cast<size_t>(written);
  }
  state->out.clear();
}

size_t open_record(morph_stream::kind kind) {
  state->out.u8(kind);
  state->out.u32(0);
  return state->out.size();
}

void close_record(size_t payload) {
  state->out.set_u32(payload - sizeof(uint32_t), static_cast<uint32_t>(state->out.size() - payload));
}

void write_modules(const std::vector<const gcov_object*>& objects,
                   const std::vector<instrumented_function>& functions) {
  // Functions are in the order of addresses; an object's are scattered if it has inline ones.
  std::vector<instrumented_function> by_object = functions;
  std::stable_sort(by_object.begin(), by_object.end(),
                   [](const instrumented_function& a, const instrumented_function& b) { return a.object < b.object; });
  std::vector<const gcov_object*> sorted = objects;
  std::sort(sorted.begin(), sorted.end());
  size_t at = 0;
  for (const gcov_object* object : sorted) {
    size_t end = at;
    while (end != by_object.size() && by_object[end].object == object) ++end;
    byte_buffer& out = state->out;
    const size_t record = open_record(morph_stream::module);
    out.string(object->gcda_path);
    out.u32(object->version);
    out.u32(object->stamp);
    out.u32(gcc_major(object->version) >= 12 ? object->checksum : 0);
    out.u32(static_cast<uint32_t>(end - at));
    for (; at != end; ++at) {
      const gcov_function& function = *by_object[at].function;
      out.u32(function.ident);
      out.u32(function.lineno_checksum);
      out.u32(function.cfg_checksum);
      out.u32(function.arcs.count);
      out.u32(by_object[at].first_id);
    }
    close_record(record);
  }
}

// ---- processes

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

bool has_threads() {
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return false;
  int count = 0;
  while (const dirent* entry = readdir(tasks))
    if (entry->d_name[0] != '.') ++count;
  closedir(tasks);
  return count > 1;
}

bool has_children() {
  siginfo_t info;
  return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

bool has_waited_for_children() {
  struct rusage usage;
  getrusage(RUSAGE_CHILDREN, &usage);
  return usage.ru_maxrss != 0 || usage.ru_minflt != 0 || usage.ru_nvcsw != 0;
}

std::vector<child_pid> list_children() {
  std::vector<child_pid> children;
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
  FILE* file = fopen(path, "re");
  if (file == nullptr) return children;
  for (int pid; fscanf(file, "%d", &pid) == 1;) children.push_back(child_pid{pid});
  fclose(file);
  return children;
}

bool is_older(child_pid child) {
  for (const child_pid& older : state->older_children)
    if (older.value == child.value) return true;
  return false;
}

// Kills what a dead test left behind: as a subreaper the supervisor becomes the parent of its orphans, and of theirs.
bool reap_orphans() {
  bool found = false;
  for (bool again = true; again && has_children();) {
    again = false;
    for (const child_pid& child : list_children()) {
      if (is_older(child)) continue;
      found = again = true;
      kill(child.value, SIGKILL);
      waitpid(child.value, nullptr, __WALL);
    }
  }
  return found;
}

double seconds_now() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

bool has_ended(pid_t process) {
  siginfo_t info;
  info.si_pid = 0;
  return waitid(P_PID, static_cast<id_t>(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid != 0;
}

// Whether the process ended within the time limit. Kernels before 5.3 have no pidfd_open: look every few milliseconds.
bool ends_in_time(pid_t process, double deadline) {
#ifdef SYS_pidfd_open
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
#else
  const int handle = -1;
#endif
  bool ended = false;
  for (double left; !ended && (left = deadline - seconds_now()) > 0; ended = has_ended(process)) {
    const double seconds = handle < 0 && left > 0.005 ? 0.005 : left < 1e6 ? left : 1e6;
    pollfd exit = {handle, POLLIN, 0};
    poll(&exit, 1, static_cast<int>(seconds * 1e3) + 1);
  }
  if (handle >= 0) close(handle);
  return ended;
}

// In the test process, when it is about to end in an orderly way.
void observe_self() {
  uint32_t incomplete = 0;
  if (objects_loaded() != state->objects_loaded) incomplete |= morph_stream::loaded_object;
  struct sigaction on_child;
  sigaction(SIGCHLD, nullptr, &on_child);
  // Where SIGCHLD is ignored, children leave no trace.
  const bool untraceable = on_child.sa_handler == SIG_IGN || (on_child.sa_flags & SA_NOCLDWAIT) != 0;
  if (untraceable || has_children() || has_waited_for_children()) incomplete |= morph_stream::made_process;
  __atomic_fetch_or(&state->shared->incomplete, incomplete, __ATOMIC_RELAXED);
}

bool is_test_process() {
  return state->test_process == getpid();
}

void at_exit_of_test() {
  if (objects_loaded() != state->objects_loaded) silence_libgcov();
  if (!is_test_process()) return;
  state->shared->left_by_exit = 1;
  observe_self();
}

void enter_test_process() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != state->supervisor) _exit(exit_incomplete_stream);
  setpgid(0, 0);
  close(state->stream);
  sigaction(SIGPIPE, &state->program_sigpipe, nullptr);
  sigaction(SIGCHLD, &state->program_sigchld, nullptr);
  share_counters();
  state->test_process = getpid();
  atexit(at_exit_of_test);
}

struct ending {
  morph_stream::outcome outcome;
  int32_t detail;
  bool early;
};

ending read_ending(int status, bool timed_out, verdict_from source) {
  const report& said = *state->shared;
  if (timed_out) return ending{morph_stream::timed_out, 0, true};
  if (WIFSIGNALED(status)) return ending{morph_stream::crashed, WTERMSIG(status), true};
  const int code = WEXITSTATUS(status);
  if (source == verdict_from::exit_status)
    return ending{code == 0 ? morph_stream::passed : morph_stream::failed, code, said.left_by_exit == 0};
  if (said.has_verdict == 0) return ending{morph_stream::exited, code, true};
  if (code != 0) return ending{morph_stream::failed, 0, false};
  return ending{static_cast<morph_stream::outcome>(said.verdict), 0, false};
}

// 0 in the new process, which goes on as the program with its counters shared.
pid_t fork_test_process() {
  flush_stream();
  refresh_view();
  memset(state->shared, 0, sizeof *state->shared);
  const pid_t process = fork();
  if (process == 0)
    enter_test_process();
  else if (process < 0)
    fail(morph_runtime::exit_incomplete_stream, "fork: %s", strerror(errno));
  else
    setpgid(process, process);
  return process;
}

struct finished_process {
  int status;
  bool timed_out;
  uint32_t incomplete;
  struct rusage usage;
};

// Returns when the process and all that it left behind are dead.
finished_process wait_for_end(pid_t process, double started) {
  finished_process finished;
  finished.timed_out = state->timeout_seconds > 0 && !ends_in_time(process, started + state->timeout_seconds);
  if (finished.timed_out) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
  }
  while (wait4(process, &finished.status, 0, &finished.usage) < 0 && errno == EINTR) continue;
  finished.incomplete = state->incomplete_rows | state->shared->incomplete;
  if (reap_orphans()) finished.incomplete |= morph_stream::made_process;
  return finished;
}

uint64_t microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1000000 + static_cast<uint64_t>(time.tv_usec);
}

}  // namespace

namespace morph_runtime {

bool requested() {
  return state != nullptr && state->program_test[0] == '\0';
}

bool requested_as_one_test() {
  return state != nullptr && state->program_test[0] != '\0';
}

bool wanted(const char* test) {
  return !state->has_list ||
         std::binary_search(state->wanted.begin(), state->wanted.end(), c_string{const_cast<char*>(test)},
                            [](const c_string& a, const c_string& b) { return strcmp(a.text, b.text) < 0; });
}

const char* program_test() {
  return state->program_test;
}

void start() {
  const std::vector<const gcov_object*> objects = find_objects();
  const std::vector<instrumented_function> functions = find_functions(objects);
  plan_extents(functions);
  plan_ranges(functions);
  void* shared = mmap(nullptr, sizeof(report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) fail(exit_unsupported, "no shared memory: %s", strerror(errno));
  state->shared = static_cast<report*>(shared);

  state->supervisor = getpid();
  state->older_children = list_children();
  state->objects_loaded = objects_loaded();
  if (has_threads()) state->incomplete_rows = morph_stream::threads_at_start;
  uint32_t incomplete_startup = state->incomplete_rows;
  if (has_children() || has_waited_for_children()) incomplete_startup |= morph_stream::made_process;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  pthread_atfork(nullptr, nullptr, keep_counters_private);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &state->program_sigpipe);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &state->program_sigchld);
  fflush(nullptr);

  state->out.bytes(morph_stream::magic, 8);
  state->out.u32(morph_stream::format_version);
  write_modules(objects, functions);
  silence_libgcov();
  const size_t record = open_record(morph_stream::startup);
  state->out.u32(incomplete_startup);
  refresh_view();
  write_counts();
  close_record(record);
  for (const instrumented_function& f : functions)
    memset(f.function->arcs.values, 0, f.function->arcs.count * sizeof(counter));
}

turn run_test(const char* test, verdict_from source) {
  const size_t begin = open_record(morph_stream::begin);
  state->out.string(test);
  close_record(begin);
  const double started = seconds_now();
  const pid_t process = fork_test_process();
  if (process == 0) return turn{true, 0};

  const finished_process finished = wait_for_end(process, started);
  const ending how = read_ending(finished.status, finished.timed_out, source);
  uint32_t incomplete = finished.incomplete | (how.early ? morph_stream::ended_early : 0U);

  byte_buffer& out = state->out;
  const size_t row = open_record(morph_stream::row);
  out.string(test);
  out.u8(how.outcome);
  out.i32(how.detail);
  const size_t flags = out.size();
  out.u32(0);
  out.u64(static_cast<uint64_t>((seconds_now() - started) * 1e6));
  out.u64(microseconds(finished.usage.ru_utime) + microseconds(finished.usage.ru_stime));
  if (write_counts() == 0) incomplete |= morph_stream::no_counters;
  out.set_u32(flags, incomplete);
  close_record(row);
  return turn{false, finished.status};
}

bool run_rest_of_main() {
  const pid_t process = fork_test_process();
  if (process == 0) return true;

  const finished_process finished = wait_for_end(process, seconds_now());
  const bool cut_off = finished.timed_out || WIFSIGNALED(finished.status);
  const size_t record = open_record(morph_stream::startup);
  state->out.u32(finished.incomplete | (cut_off ? morph_stream::ended_early : 0U));
  write_counts();
  close_record(record);
  return false;
}

void set_verdict(morph_stream::outcome outcome) {
  if (!is_test_process()) return;
  state->shared->verdict = outcome;
  state->shared->has_verdict = 1;
  observe_self();
}

void end_stream() {
  close_record(open_record(morph_stream::end));
  flush_stream();
}

}  // namespace morph_runtime
