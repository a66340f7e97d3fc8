// The supervisor: asks for a process a test, collects what these and all that they made have counted, writes the
// stream.
//
// The templates used here take types of the runtime only: linkers keep one copy of an inline function, and the copy
// from an instrumented object would count the supervisor's own work.
#include "morph_capture.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
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

#include "morph_bind.h"
#include "morph_bytes.h"
#include "morph_counters.h"
#include "morph_environment.h"
#include "morph_fork.h"
#include "morph_shared.h"
#include "morph_snapshot.h"
#include "morph_wait.h"

namespace {

using morph_runtime::byte_buffer;
using morph_runtime::counter;
using morph_runtime::counter_layout;
using morph_runtime::counter_span;
using morph_runtime::exit_incomplete_stream;
using morph_runtime::exit_unsupported;
using morph_runtime::table;
using morph_runtime::verdict_from;

struct c_string {
  char* text;
};

struct range {
  counter* values;  // in the view that the supervisor reads, or the program's own
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

// Looking everything up takes about as long as what these tests look up themselves.
const size_t binding_pays = 32;

const size_t cluster_bytes = 1024;
const char zeros[cluster_bytes] = {};

// Another program of the build that a test executed, or a shared object that it loaded: the ids of its counters follow
// those that were known before.
struct late_layout {
  char* description;
  size_t bytes;
  uint32_t first_id;
  const counter_span* spans;  // in the description
  size_t span_count;
  counter* counts;  // of this row
  uint32_t counters;
  bool has_counts;
};

// What a test process tells the supervisor, in memory that outlives it.
struct report {
  uint32_t has_verdict;
  uint32_t verdict;
  uint32_t left_by_exit;
};

struct child_pid {
  pid_t value;
};

// A process that is restored after each test to the snapshot that it took before its first one. Where it has to end
// after few tests the snapshot has cost more than it saved: the next tests have processes of their own, twice as many
// each time.
struct restorable_process {
  bool is_possible;
  pid_t process;  // zero: there is none
  uint32_t tests;
  uint32_t others;  // tests that do without
  uint32_t last_others;
};
const uint32_t tests_that_pay = 4;
const uint32_t most_others = 64;

struct capture {
  int stream = -1;
  double timeout_seconds = 0;
  char* program_test = nullptr;
  bool of_tests = false;
  bool of_process = false;
  bool in_process = false;
  bool counts_between_tests = false;
  std::vector<c_string> wanted{};
  bool has_list = false;
  uint64_t order = 0;

  byte_buffer out{};
  table<range> ranges{};
  table<cluster> clusters{};
  counter_layout layout{};  // of the program
  char* view = nullptr;     // the copy of its pages that test processes share
  std::vector<late_layout> late{};
  uint32_t next_id = 0;
  size_t collected_blocks = 0;
  char* gcda_prefix = nullptr;
  report* shared = nullptr;
  double test_started = 0;
  uint64_t test_cpu = 0;
  size_t names_told = 0;
  std::vector<child_pid> older_children{};
  uint32_t incomplete_rows = 0;
  struct sigaction program_sigpipe {};
  struct sigaction program_sigchld {};
  restorable_process restorable{};
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

// Of a program that a test runs: those that were read before it knew where to tell it, too.
void share_variables() {
  size_t bytes;
  const char* const names = morph_runtime::variables_read(&bytes);
  for (size_t at = 0; at < bytes; at += strnlen(names + at, bytes - at) + 1)
    if (names[at] != '\0') morph_runtime::share_name(names + at);
  morph_runtime::tell_variables(morph_runtime::share_name);
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
  morph_runtime::watch_forks();
  if (stream == nullptr) {
    if (morph_runtime::join_if_descendant()) share_variables();
    return;
  }
  state = new capture;
  char* rest = nullptr;
  state->stream = static_cast<int>(strtol(stream, &rest, 10));
  if (rest == stream || *rest != '\0' || fcntl(state->stream, F_SETFD, FD_CLOEXEC) != 0)
    fail(exit_unsupported, "MORPH_COVERAGE_FD '%s' is not an open file descriptor", stream);
  const char* timeout = getenv("MORPH_COVERAGE_TIMEOUT");
  if (timeout != nullptr) state->timeout_seconds = strtod(timeout, nullptr);
  const char* prefix = getenv("GCOV_PREFIX");
  if (prefix != nullptr) state->gcda_prefix = strdup(prefix);
  const char* test = getenv("MORPH_COVERAGE_TEST");
  state->program_test = strdup(test != nullptr ? test : program_invocation_short_name);
  state->of_tests = test == nullptr || test[0] == '\0';
  state->of_process = test == nullptr || test[0] != '\0';
  const char* isolation = getenv("MORPH_COVERAGE_ISOLATION");
  state->in_process = isolation != nullptr && strcmp(isolation, "none") == 0;
  const char* list = getenv("MORPH_COVERAGE_TESTS");
  if (list != nullptr) read_list(list);
  const char* order = getenv("MORPH_COVERAGE_ORDER");
  if (order != nullptr) state->order = strtoull(order, nullptr, 10);
  unsetenv("MORPH_COVERAGE_FD");
  unsetenv("MORPH_COVERAGE_TIMEOUT");
  unsetenv("MORPH_COVERAGE_TEST");
  unsetenv("MORPH_COVERAGE_TESTS");
  unsetenv("MORPH_COVERAGE_ISOLATION");
  unsetenv("MORPH_COVERAGE_ORDER");
}

// ---- counters

void plan_ranges() {
  const uint32_t piece = cluster_bytes / sizeof(counter);
  size_t page = 0;
  for (const counter_span& span : state->layout.spans) {
    const std::vector<morph_runtime::page_range>& pages = state->layout.pages;
    while (span.offset >= pages[page].offset + pages[page].bytes) ++page;
    char* const own = pages[page].begin + (span.offset - pages[page].offset);
    counter* const viewed = reinterpret_cast<counter*>(state->in_process ? own : state->view + span.offset);
    for (uint32_t done = 0; done < span.count; done += piece)
      state->ranges.push_back(range{viewed + done, std::min(piece, span.count - done), span.first_id + done});
  }
  for (uint32_t i = 0; i < state->ranges.size(); ++i) {
    const char* const begin = reinterpret_cast<const char*>(state->ranges[i].values);
    const char* const end = reinterpret_cast<const char*>(state->ranges[i].values + state->ranges[i].count);
    if (!state->clusters.empty() && end <= state->clusters.back().begin + cluster_bytes) {
      state->clusters.back().bytes = static_cast<size_t>(end - state->clusters.back().begin);
      state->clusters.back().end_range = i + 1;
    } else {
      state->clusters.push_back(cluster{begin, static_cast<size_t>(end - begin), i, i + 1});
    }
  }
}

class pair_writer {
 public:
  explicit pair_writer(byte_buffer* out) : out_(out), head_(out->size()) { out->u32(0); }
  void add(uint32_t id, counter count) {
    out_->varint(id - previous_);
    out_->varint(static_cast<uint64_t>(count));
    previous_ = id;
    ++pairs_;
  }
  uint32_t finish() {
    out_->set_u32(head_, pairs_);
    return pairs_;
  }

 private:
  byte_buffer* out_;
  size_t head_;
  uint32_t previous_ = 0;
  uint32_t pairs_ = 0;
};

// Not memcmp(): AddressSanitizer's one stops between the program's own counters.
bool is_zero(const char* begin, size_t bytes) {
  typedef uint64_t words __attribute__((vector_size(16), may_alias, aligned(8)));
  const size_t step = 4 * sizeof(words);
  size_t at = 0;
  words many = {0, 0};
  for (; at + step <= bytes; at += step) {
    const words* const of = reinterpret_cast<const words*>(begin + at);
    many |= (of[0] | of[1]) | (of[2] | of[3]);
  }
  uint64_t any = many[0] | many[1];
  for (; at != bytes; at += sizeof(counter))
    any |= static_cast<uint64_t>(*reinterpret_cast<const counter*>(begin + at));
  return any == 0;
}

// Writes the counters that are not zero; returns how many there were. They begin again.
uint32_t write_counts() {
  pair_writer pairs(&state->out);
  for (const cluster& c : state->clusters) {
    if (state->in_process ? is_zero(c.begin, c.bytes) : memcmp(c.begin, zeros, c.bytes) == 0) continue;
    for (uint32_t r = c.first_range; r < c.end_range; ++r) {
      const range& here = state->ranges[r];
      for (uint32_t i = 0; i < here.count; ++i) {
        if (here.values[i] == 0) continue;
        pairs.add(here.first_id + i, here.values[i]);
        here.values[i] = 0;
      }
    }
  }
  for (late_layout& late : state->late) {
    if (!late.has_counts) continue;
    for (uint32_t i = 0; i < late.counters; ++i)
      if (late.counts[i] != 0) pairs.add(late.first_id + i, late.counts[i]);
    memset(late.counts, 0, late.counters * sizeof(counter));
    late.has_counts = false;
  }
  return pairs.finish();
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

// `modules` as in counter_layout, its ids from zero.
void write_modules(const char* modules, size_t bytes, uint32_t first_id) {
  for (size_t at = 0; at < bytes;) {
    uint32_t length, path, functions;
    memcpy(&length, modules + at, sizeof length);
    const char* const payload = modules + at + sizeof length;
    at += sizeof length + length;
    memcpy(&path, payload, sizeof path);
    const size_t facts = sizeof path + path + 3 * sizeof(uint32_t);
    memcpy(&functions, payload + facts, sizeof functions);
    const size_t record = open_record(morph_stream::module);
    state->out.bytes(payload, facts + sizeof functions);
    const char* function = payload + facts + sizeof functions;
    for (uint32_t i = 0; i < functions; ++i) {
      uint32_t fields[5];
      memcpy(fields, function, sizeof fields);
      fields[4] += first_id;
      state->out.bytes(fields, sizeof fields);
      function += sizeof fields;
    }
    const char* const end = payload + length;
    if (function != end) {
      state->out.bytes(function, sizeof(uint32_t));
      function += sizeof(uint32_t);
    }
    for (; function != end; function += 3 * sizeof(uint32_t)) {
      uint32_t fields[3];
      memcpy(fields, function, sizeof fields);
      fields[2] += first_id;
      state->out.bytes(fields, sizeof fields);
    }
    close_record(record);
  }
}

void write_names(const char* names, size_t bytes) {
  if (bytes == 0) return;
  const size_t record = open_record(morph_stream::variables);
  state->out.bytes(names, bytes);
  close_record(record);
}

// ---- counts of other processes and objects

// The one that the block describes; its modules are written when they are new.
late_layout& find_late_layout(const morph_runtime::shared_block& block) {
  const char* const description = morph_runtime::contents_of(block);
  for (late_layout& late : state->late)
    if (late.bytes == block.bytes && memcmp(late.description, description, block.bytes) == 0) return late;
  late_layout late;
  late.bytes = block.bytes;
  late.description = static_cast<char*>(malloc(block.bytes));
  if (late.description == nullptr) abort();
  memcpy(late.description, description, block.bytes);
  uint64_t modules, spans;
  memcpy(&modules, late.description, sizeof modules);
  memcpy(&spans, late.description + sizeof modules, sizeof spans);
  late.spans = reinterpret_cast<const counter_span*>(late.description + 2 * sizeof(uint64_t));
  late.span_count = spans;
  late.counters = spans == 0 ? 0 : late.spans[spans - 1].first_id + late.spans[spans - 1].count;
  late.counts = static_cast<counter*>(calloc(late.counters + size_t{1}, sizeof(counter)));
  if (late.counts == nullptr) abort();
  late.has_counts = false;
  late.first_id = state->next_id;
  state->next_id += late.counters;
  write_modules(reinterpret_cast<const char*>(late.spans + spans), modules, late.first_id);
  state->late.push_back(late);
  return state->late.back();
}

void add_counts(const morph_runtime::shared_block& block) {
  if (block.layout == morph_runtime::describes) return;
  const char* const copy = morph_runtime::contents_of(block);
  if (block.layout == morph_runtime::main_layout) {
    for (const counter_span& span : state->layout.spans) {
      const counter* const counts = reinterpret_cast<const counter*>(copy + span.offset);
      morph_runtime::join(span, counts, reinterpret_cast<counter*>(state->view + span.offset));
    }
    return;
  }
  late_layout& late = find_late_layout(morph_runtime::block_at(block.layout));
  late.has_counts = true;
  for (size_t s = 0; s < late.span_count; ++s) {
    const counter_span& span = late.spans[s];
    const counter* const counts = reinterpret_cast<const counter*>(copy + span.offset);
    morph_runtime::join(span, counts, late.counts + span.first_id);
  }
}

// Adds what the processes of the test have left in shared memory to the counts of the row; returns bits of
// morph_stream::incomplete. Writes records of modules.
uint32_t collect_shared_counts() {
  uint32_t incomplete = morph_runtime::not_shared();
  const size_t blocks = morph_runtime::shared_blocks();
  bool in_use = false;  // by a child of main(), which lives on
  for (size_t i = 0; i < blocks; ++i) {
    const morph_runtime::shared_block& block = morph_runtime::block_at(i);
    in_use = in_use || morph_runtime::is_in_use(block);
    if (block.ready == 0)
      incomplete |= morph_stream::made_process;  // its process died before it had copied its counters
    else if (i >= state->collected_blocks)
      add_counts(block);
  }
  state->collected_blocks = in_use ? blocks : 0;
  if (in_use) return incomplete | morph_stream::made_process;
  if (blocks != 0 || incomplete != 0) morph_runtime::forget_blocks();
  return incomplete;
}

// Of no concern to the test.
int open_unwatched(const char* path, int flags) {
  return static_cast<int>(
      syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, morph_stream::mode_of_unwatched_opens));
}

// An instrumented process that did not find the shared memory has written its counters to a file.
bool take_away_gcda_files() {
  const int there = state->gcda_prefix == nullptr ? -1 : open_unwatched(state->gcda_prefix, O_PATH);
  if (there < 0) return false;
  close(there);
  static int number = 0;
  char aside[4096];
  snprintf(aside, sizeof aside, "%s.%d.%d", state->gcda_prefix, static_cast<int>(getpid()), number++);
  return rename(state->gcda_prefix, aside) == 0;
}

// ---- processes

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

bool is_test_process() {
  return state->test_process == morph_runtime::untrapped_getpid();
}

void at_exit_of_test() {
  morph_runtime::report_unshared();
  if (is_test_process()) state->shared->left_by_exit = 1;
}

// When memory runs out, the kernel ends a process of a test, which has grown, or this one, from which they have it, and
// not one that measures.
void go_first_without_memory() {
  const int score = open_unwatched("/proc/self/oom_score_adj", O_WRONLY);
  if (score < 0) return;
  const ssize_t written = write(score, "1000", 4);
  static_cast<void>(written);
  close(score);
}

void enter_test_process() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != state->supervisor) _exit(exit_incomplete_stream);
  setpgid(0, 0);
  close(state->stream);
  sigaction(SIGPIPE, &state->program_sigpipe, nullptr);
  sigaction(SIGCHLD, &state->program_sigchld, nullptr);
  if (!morph_runtime::share_pages(state->layout, state->view))
    fail(exit_unsupported, "its counters cannot be shared: %s", strerror(errno));
  morph_runtime::share_from_now_on();
  morph_runtime::tell_variables(morph_runtime::share_name);
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
    return ending{code == 0 ? morph_stream::passed : morph_stream::failed, code,
                  said.left_by_exit == 0 && !morph_runtime::test_left_by_exit()};
  if (said.has_verdict == 0) return ending{morph_stream::exited, code, true};
  if (code != 0) return ending{morph_stream::failed, 0, false};
  return ending{static_cast<morph_stream::outcome>(said.verdict), 0, false};
}

// 0 in the new process, which goes on as the program with its counters shared.
pid_t fork_test_process() {
  flush_stream();
  // Here and not in the new process, which would fault on each page of the view: these page tables know it.
  if (state->counts_between_tests)
    morph_runtime::copy_pages(state->layout, state->view);
  else
    morph_runtime::copy_variables(state->layout, state->view);
  memset(state->shared, 0, sizeof *state->shared);
  const pid_t process = fork_here();
  if (process == 0)
    enter_test_process();
  else if (process < 0)
    fail(morph_runtime::exit_incomplete_stream, "fork: %s", strerror(errno));
  else
    setpgid(process, process);
  return process;
}

uint64_t microseconds(const timeval& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1000000 + static_cast<uint64_t>(time.tv_usec);
}

struct finished_process {
  int status;
  bool timed_out;
  uint32_t incomplete;
  uint64_t cpu_us;
};

void write_names_read() {
  size_t bytes;
  const char* const names = morph_runtime::names_read(&bytes);
  write_names(names, bytes);
  morph_runtime::forget_names();
}

// Of one that has ended, or has to: returns when it and all that it left behind are dead.
finished_process bury(pid_t process, bool timed_out) {
  finished_process finished;
  finished.timed_out = timed_out;
  if (timed_out) {
    kill(-process, SIGKILL);
    kill(process, SIGKILL);
  }
  struct rusage usage;
  while (wait4(process, &finished.status, 0, &usage) < 0 && errno == EINTR) continue;
  finished.cpu_us = microseconds(usage.ru_utime) + microseconds(usage.ru_stime);
  finished.incomplete = state->incomplete_rows;
  if (reap_orphans() || take_away_gcda_files()) finished.incomplete |= morph_stream::made_process;
  finished.incomplete |= collect_shared_counts();
  write_names_read();
  return finished;
}

finished_process wait_for_end(pid_t process, double started) {
  return bury(process, state->timeout_seconds > 0 && !ends_in_time(process, started + state->timeout_seconds));
}

// ---- processes that are restored

bool may_restore() {
  restorable_process& r = state->restorable;
  if (!r.is_possible || r.process != 0) return r.is_possible;
  if (r.others == 0) return true;
  --r.others;
  return false;
}

void forget_restorable_process() {
  restorable_process& r = state->restorable;
  r.process = 0;
  r.last_others = r.tests >= tests_that_pay ? 0 : std::min(2 * r.last_others + 1, most_others);
  r.others = r.last_others;
}

void end_restorable_process() {
  if (state->restorable.process == 0) return;
  kill(state->restorable.process, SIGKILL);
  while (waitpid(state->restorable.process, nullptr, 0) < 0 && errno == EINTR) continue;
  state->restorable.process = 0;
  morph_runtime::forget_snapshot();
}

// The test is over, and its process dead or back at its beginning.
finished_process wait_for_restorable(double started) {
  const pid_t process = state->restorable.process;
  ++state->restorable.tests;
  const double deadline = state->timeout_seconds > 0 ? started + state->timeout_seconds : -1;
  const morph_runtime::restored_test test = morph_runtime::wait_for_restored_test(process, deadline);
  if (test.how == morph_runtime::test_end::restored) {
    const uint32_t incomplete = state->incomplete_rows | collect_shared_counts();
    write_names_read();
    return finished_process{W_EXITCODE(test.status & 0xff, 0), false, incomplete, test.cpu_us};
  }
  forget_restorable_process();
  return bury(process, test.how == morph_runtime::test_end::timed_out);
}

void write_new_names() {
  size_t bytes;
  const char* const names = morph_runtime::variables_read(&bytes);
  write_names(names + state->names_told, bytes - state->names_told);
  state->names_told = bytes;
}

void begin_stream() {
  state->out.bytes(morph_stream::magic, 8);
  state->out.u32(morph_stream::format_version);
  write_modules(state->layout.modules.data(), state->layout.modules.size(), 0);
  state->layout.modules.release();
  morph_runtime::silence_libgcov();
  write_new_names();
}

void write_startup() {
  const size_t record = open_record(morph_stream::startup);
  state->out.u32(0);
  write_counts();
  close_record(record);
}

void start_in_process() {
  state->supervisor = getpid();
  plan_ranges();
  begin_stream();
  write_startup();
}

uint64_t own_cpu() {
  timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<uint64_t>(used.tv_sec) * 1000000 + static_cast<uint64_t>(used.tv_nsec) / 1000;
}

double begin_test(const char* test) {
  write_new_names();  // of the framework's and its listeners, in this process: before the record of the test, so
                      // everyone's
  const size_t begin = open_record(morph_stream::begin);
  state->out.string(test);
  close_record(begin);
  return seconds_now();
}

// Writes its row.
void end_test(const char* test, double started, const finished_process& finished, verdict_from source) {
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
  out.u64(finished.cpu_us);
  if (write_counts() == 0) incomplete |= morph_stream::no_counters;
  out.set_u32(flags, incomplete);
  close_record(row);
}

}  // namespace

namespace morph_runtime {

bool requested() {
  return state != nullptr && state->of_tests;
}

bool requested_as_one_test() {
  return state != nullptr && state->of_process;
}

bool wanted(const char* test) {
  return !state->has_list ||
         std::binary_search(state->wanted.begin(), state->wanted.end(), c_string{const_cast<char*>(test)},
                            [](const c_string& a, const c_string& b) { return strcmp(a.text, b.text) < 0; });
}

size_t next_of(size_t left) {
  if (state->order == 0) return 0;
  state->order = state->order * 6364136223846793005u + 1442695040888963407u;  // Knuth, MMIX
  return static_cast<size_t>((state->order >> 33) % left);
}

bool requested_in_process() {
  return requested() && state->in_process;
}

const char* program_test() {
  return state->program_test;
}

void start() {
  char reason[reason_room];
  const search found = find_counters(&state->layout, reason);
  if (found == search::unsupported) fail(exit_unsupported, "%s", reason);
  if (found == search::no_counters) fail(exit_unsupported, "no code in it was compiled with --coverage");
  if (requested_in_process()) {
    start_in_process();
    return;
  }
  void* view = mmap(nullptr, state->layout.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  void* shared = mmap(nullptr, sizeof(report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (view == MAP_FAILED || shared == MAP_FAILED)
    fail(exit_unsupported, "no shared memory for its counters: %s", strerror(errno));
  state->view = static_cast<char*>(view);
  state->shared = static_cast<report*>(shared);
  state->next_id = state->layout.counters;
  plan_ranges();

  state->supervisor = getpid();
  state->older_children = list_children();
  if (has_threads() && state->of_tests && !state->of_process)
    fail(exit_threads, "it has threads before its first test");
  if (has_threads()) state->incomplete_rows = morph_stream::threads_at_start;
  uint32_t incomplete_startup = state->incomplete_rows;
  if (has_children() || has_waited_for_children()) incomplete_startup |= morph_stream::made_process;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  go_first_without_memory();
  if (!create_shared_memory(&state->layout))
    fail(exit_unsupported, "no memory that its processes could share: %s", strerror(errno));
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, &state->program_sigpipe);
  action.sa_handler = SIG_DFL;
  sigaction(SIGCHLD, &action, &state->program_sigchld);
  fflush(nullptr);

  begin_stream();
  const size_t record = open_record(morph_stream::startup);
  state->out.u32(incomplete_startup);
  copy_pages(state->layout, state->view);
  write_counts();
  close_record(record);
  clear_counters(state->layout);
  if (state->wanted.size() >= binding_pays) bind_runtime_libraries();
  state->restorable.is_possible = state->of_tests && prepare_snapshot();
}

void count_between_tests() {
  state->counts_between_tests = true;
}

void between_tests_here() {
  if (getpid() != state->supervisor) return;
  write_new_names();
  write_startup();
}

void begin_here(const char* test) {
  if (getpid() != state->supervisor) return;
  const size_t begin = open_record(morph_stream::begin);
  state->out.string(test);
  close_record(begin);
  flush_stream();
  state->test_started = seconds_now();
  state->test_cpu = own_cpu();
}

void end_here(const char* test, morph_stream::outcome outcome) {
  if (getpid() != state->supervisor) return;
  write_new_names();
  byte_buffer& out = state->out;
  const size_t row = open_record(morph_stream::row);
  out.string(test);
  out.u8(outcome);
  out.i32(0);
  const size_t flags = out.size();
  out.u32(0);
  out.u64(static_cast<uint64_t>((seconds_now() - state->test_started) * 1e6));
  out.u64(own_cpu() - state->test_cpu);
  if (write_counts() == 0) out.set_u32(flags, morph_stream::no_counters);
  close_record(row);
}

turn run_test(const char* test, verdict_from source) {
  const double started = begin_test(test);
  const pid_t process = fork_test_process();
  if (process == 0) return turn{true, 0, 0};
  const finished_process finished = wait_for_end(process, started);
  end_test(test, started, finished, source);
  return turn{false, finished.status, 0};
}

turn run_numbered_test(const char* test, size_t number) {
  const double started = begin_test(test);
  const bool is_restored = may_restore();
  if (is_restored && state->restorable.process != 0) {
    flush_stream();
    memset(state->shared, 0, sizeof *state->shared);
    run_next_test(number);
  } else {
    if (is_restored) forget_snapshot();
    const pid_t process = fork_test_process();
    if (process == 0) return turn{true, 0, is_restored ? run_from_snapshot(number, state->layout) : number};
    if (is_restored) {
      state->restorable.process = process;
      state->restorable.tests = 0;
    }
    if (!is_restored) {
      end_test(test, started, wait_for_end(process, started), verdict_from::framework);
      return turn{false, 0, 0};
    }
  }
  finished_process finished = wait_for_restorable(started);
  // A crash counts only if it happens in a process that was never restored, too.
  if (WIFSIGNALED(finished.status) && !finished.timed_out && !has_lasting_effects()) {
    clear_counters(state->layout, state->view);
    const pid_t process = fork_test_process();
    if (process == 0) return turn{true, 0, number};
    finished = wait_for_end(process, seconds_now());
  }
  end_test(test, started, finished, verdict_from::framework);
  return turn{false, 0, 0};
}

bool run_rest_of_main() {
  end_restorable_process();
  write_new_names();
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
}

void end_stream() {
  close_record(open_record(morph_stream::end));
  flush_stream();
}

}  // namespace morph_runtime
