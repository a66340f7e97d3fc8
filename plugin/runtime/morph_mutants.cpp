// Program mutants at run time: which one is active, which nodes are reached, and the server that forks a process for
// each request of `morph mutate`. C++11, no RTTI, no exceptions.
#include "morph_mutants.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "morph_fork.h"
#include "morph_nodes.h"  // made by `morph mutate`: MORPH_NODES
#include "morph_observe_record.h"
#include "morph_serve.h"
#include "morph_wait.h"
#include "server_format.h"

using morph_mutants::ending;

extern "C" {
unsigned char morph_node[MORPH_NODES + 1];
unsigned morph_alternative = 0;
unsigned char morph_records = 0;
}

namespace {

// In memory that all processes of a test share, those that it executes too.
struct shared_page {
  uint32_t reached;   // how many of `nodes`
  uint32_t position;  // of the running test in the request
  uint32_t has_failed;
  uint32_t has_passed;
  uint32_t was_skipped;
  uint32_t has_begun;
  uint32_t hits_left;
  uint32_t failures;  // how many of `failed`
  uint32_t nodes[MORPH_NODES + 1];
  uint32_t differ[MORPH_NODES + 1];  // by node: which alternatives had another value than the original
  uint32_t hits[MORPH_NODES + 1];    // by node, at most counted_hits
};

const uint32_t most_hits = 1u << 26;  // of an active mutant, before the first test
// Of one test, where all tests that fail are wanted: a framework takes longer to tell of so many than a process to
// begin.
const uint32_t most_failures = 32;

shared_page startup;  // before there is a server
shared_page* page = &startup;
int shared_file = -1;
int record_file = -1;  // of what a test observed
bool is_server = false;
int requests = -1;
pid_t server = 0;
pid_t test_process = 0;

const morph_mutants::test_turn* turns = nullptr;
uint32_t turn_count = 0;
uint32_t* failed = nullptr;  // shared: places in the request, if all failures are wanted
bool wants_all = false;
uint32_t* chosen = nullptr;
bool decides_by_status = false;

const char* served_names = nullptr;  // with a zero after each
size_t served_bytes = 0;
int offering = -1;  // where a process that runs no test tells their names

void record_nodes() {
  morph_records = 1;
  memset(morph_node, 1, sizeof morph_node);
}

void activate(uint32_t node, uint32_t alternative, uint32_t function) {
  morph_records = 0;
  memset(morph_node, 0, sizeof morph_node);
  morph_alternative = alternative;
  if (alternative != 0 && node < MORPH_NODES && function < MORPH_NODES) morph_node[node] = morph_node[function] = 1;
}

// `node:alternative:function`, or `record` with the file that is shared.
void read_environment() {
  const char* const mutant = getenv("MORPH_MUTANT");
  const char* const shared = getenv("MORPH_MUTANTS_SHARED");
  if (shared != nullptr) {
    const int file = open(shared, O_RDWR | O_CLOEXEC);
    void* const there =
        file < 0 ? MAP_FAILED : mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (there != MAP_FAILED) page = static_cast<shared_page*>(there);
    if (file >= 0) close(file);
  }
  if (mutant == nullptr) return;
  if (strcmp(mutant, "record") == 0) return record_nodes();
  unsigned node = 0, alternative = 0, function = 0;
  if (sscanf(mutant, "%u:%u:%u", &node, &alternative, &function) == 3) activate(node, alternative, function);
}

// Before any constructor of the program.
__attribute__((constructor(101))) void start_mutants() {
  page->hits_left = most_hits;
  read_environment();
  const char* const socket = getenv("MORPH_MUTANTS_FD");
  if (socket == nullptr) return;
  requests = static_cast<int>(strtol(socket, nullptr, 10));
  if (fcntl(requests, F_SETFD, FD_CLOEXEC) != 0) _exit(86);
  is_server = true;
  unsetenv("MORPH_MUTANTS_FD");
  if (morph_alternative == 0) record_nodes();
}

// ---- the socket

bool read_all(void* to, size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes != 0) {
    const ssize_t got = read(requests, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

void write_all(const void* from, size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes != 0) {
    const ssize_t done = write(requests, at, bytes);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) _exit(87);
    at += done;
    bytes -= static_cast<size_t>(done);
  }
}

void write_of_nodes(const uint32_t* by_node, const shared_page& from, uint32_t count) {
  uint32_t some[1024];
  for (uint32_t i = 0; i < count;) {
    uint32_t size = 0;
    while (size < 1024 && i < count) some[size++] = by_node[from.nodes[i++]];
    write_all(some, size * sizeof *some);
  }
}

void write_reached(const shared_page& from, uint32_t count) {
  write_all(from.nodes, count * sizeof(uint32_t));
  write_of_nodes(from.differ, from, count);
  write_of_nodes(from.hits, from, count);
}

void greet(const char* names, size_t name_bytes, const char* places, size_t place_bytes, uint32_t tests) {
  morph_mutants::greeting hello;
  memset(&hello, 0, sizeof hello);
  hello.version = morph_mutants::protocol_version;
  hello.nodes = MORPH_NODES;
  hello.tests = tests;
  hello.name_bytes = static_cast<uint32_t>(name_bytes);
  hello.place_bytes = static_cast<uint32_t>(place_bytes);
  hello.reached = startup.reached;
  hello.has_threads = has_threads() ? 1 : 0;
  write_all(&hello, sizeof hello);
  write_all(names, name_bytes);
  write_all(places, place_bytes);
  write_reached(startup, startup.reached);
}

// ---- processes

void limit(int resource, rlim_t most) {
  struct rlimit now;
  if (getrlimit(static_cast<__rlimit_resource>(resource), &now) != 0) return;
  if (now.rlim_cur == RLIM_INFINITY || now.rlim_cur > most) now.rlim_cur = most;
  setrlimit(static_cast<__rlimit_resource>(resource), &now);
}

// Address sanitizers take terabytes before the first test, and so do programs that a test executes.
bool has_room_for_a_limit(rlim_t most) {
  char text[32] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const ssize_t bytes = read(file, text, sizeof text - 1);
  close(file);
  return bytes > 0 && strtoull(text, nullptr, 10) < most / static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

void enter_test_process(const morph_mutants::request& asked) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != server) _exit(87);
  setpgid(0, 0);
  close(requests);
  is_server = false;
  test_process = getpid();
  wants_all = asked.wants_all != 0;
  // Lengths that differ would move what the program allocates afterwards.
  static char mutant[48] = "MORPH_MUTANT=", shared[64];
  if (asked.records != 0) {
    snprintf(mutant + 13, sizeof mutant - 13, "record");
    record_nodes();
  } else {
    snprintf(mutant + 13, sizeof mutant - 13, "%u:%u:%u", asked.node, asked.alternative, asked.function);
    activate(asked.node, asked.alternative, asked.function);
    const rlim_t addresses = rlim_t{4} << 30;
    if (has_room_for_a_limit(addresses)) limit(RLIMIT_AS, addresses);
    limit(RLIMIT_FSIZE, rlim_t{1} << 30);
  }
  limit(RLIMIT_CORE, 0);
  putenv(mutant);  // for programs of the build that a test executes
  snprintf(shared, sizeof shared, "MORPH_MUTANTS_SHARED=/proc/%d/fd/%d", static_cast<int>(server), shared_file);
  putenv(shared);
  if (asked.observes == 0) return;
  morph_runtime::begin_observing(record_file, asked.point, static_cast<unsigned char>(asked.fill));
  atexit(morph_runtime::end_observing);  // of a program that is one test
}

void write_record(uint64_t size) {
  char some[65536];
  lseek(record_file, 0, SEEK_SET);
  while (size != 0) {
    const ssize_t got = read(record_file, some, size < sizeof some ? static_cast<size_t>(size) : sizeof some);
    if (got <= 0) _exit(87);
    write_all(some, static_cast<size_t>(got));
    size -= static_cast<uint64_t>(got);
  }
}

// What a test left behind, and theirs: as a subreaper the server becomes the parent of its orphans.
void end_orphans() {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%d/children", static_cast<int>(getpid()));
  for (bool again = true; again;) {
    again = false;
    siginfo_t info;
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT | __WALL) != 0 && errno == ECHILD) return;
    FILE* const file = fopen(path, "re");
    if (file == nullptr) return;
    for (int child; fscanf(file, "%d", &child) == 1;) {
      again = true;
      kill(child, SIGKILL);
      waitpid(child, nullptr, __WALL);
    }
    fclose(file);
  }
}

void answer(const morph_mutants::request& asked, int status, bool in_time, const struct rusage& used,
            uint64_t wall_us) {
  morph_mutants::answer said;
  memset(&said, 0, sizeof said);
  said.test = page->position;
  // A program that ends well without a test has skipped it.
  said.begun = page->has_begun;
  said.skipped = page->was_skipped != 0 || (page->has_begun == 0 && page->has_passed != 0) ? 1 : 0;
  said.cpu_us = static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000000 +
                static_cast<uint64_t>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  said.wall_us = wall_us;
  if (page->has_failed != 0) {
    said.how = ending::failed;
  } else if (!in_time) {
    said.how = ending::wall_limit;
  } else if (WIFSIGNALED(status)) {
    said.detail = WTERMSIG(status);
    said.how = said.detail == SIGPROF ? ending::cpu_limit : ending::crashed;
  } else {
    said.detail = WEXITSTATUS(status);
    said.how = page->hits_left == 0    ? ending::hit_limit
               : page->has_passed != 0 ? (said.detail == 0 ? ending::passed : ending::failed)
               : decides_by_status     ? ending::exited
                                       : ending::lost;
  }
  said.reached = asked.records != 0 ? page->reached : 0;
  said.failures = page->failures;
  if (asked.observes != 0) {
    const off_t size = lseek(record_file, 0, SEEK_END);
    said.record_bytes = size > 0 ? static_cast<uint64_t>(size) : 0;
  }
  write_all(&said, sizeof said);
  write_reached(*page, said.reached);
  write_all(failed, said.failures * sizeof *failed);
  write_record(said.record_bytes);
}

void offer(const char* text) {
  const size_t bytes = strlen(text) + 1;
  for (size_t done = 0; done < bytes;) {
    const ssize_t written = write(offering, text + done, bytes - done);
    if (written < 0 && errno != EINTR) _exit(87);
    if (written > 0) done += static_cast<size_t>(written);
  }
}

// Bits that are not compared count as differing, so that none is zero for good. A node tells no more when it has been
// counted often enough: what its values are later is not known, so all count as differing then.
void note_reached(unsigned node, unsigned differ) {
  const uint32_t known = __atomic_fetch_or(&page->differ[node], differ | 1u << 31, __ATOMIC_RELAXED);
  if (known == 0) {
    const uint32_t at = __atomic_fetch_add(&page->reached, 1, __ATOMIC_RELAXED);
    if (at < MORPH_NODES) page->nodes[at] = node;
  }
  if (__atomic_add_fetch(&page->hits[node], 1, __ATOMIC_RELAXED) < morph_mutants::counted_hits) return;
  __atomic_fetch_or(&page->differ[node], ~0u, __ATOMIC_RELAXED);
  __atomic_store_n(&morph_node[node], 0, __ATOMIC_RELAXED);
}

}  // namespace

bool morph_at_node(unsigned node) {
  if (morph_records == 0) {
    const uint32_t left = __atomic_load_n(&page->hits_left, __ATOMIC_RELAXED);
    if (left <= 1) {
      __atomic_store_n(&page->hits_left, 0, __ATOMIC_RELAXED);
      _exit(morph_mutants::hit_limit_status);
    }
    __atomic_store_n(&page->hits_left, left - 1, __ATOMIC_RELAXED);
    return true;
  }
  note_reached(node, ~0u);
  return false;
}

void morph_saw(unsigned node, unsigned compared, unsigned differ) {
  note_reached(node, differ | ~compared);
}

namespace morph_runtime {

bool serves_mutants() {
  return is_server;
}

void serve_mutants(const char* names, size_t name_bytes, const char* places, size_t place_bytes, uint32_t tests,
                   test_chooser choose) {
  memset(morph_node, 0, sizeof morph_node);
  morph_records = 0;
  server = getpid();
  served_names = names;
  served_bytes = name_bytes;
  greet(names, name_bytes, places, place_bytes, tests);
  shared_file = memfd_create("morph mutants", MFD_CLOEXEC);
  void* there = MAP_FAILED;
  if (shared_file >= 0 && ftruncate(shared_file, sizeof(shared_page)) == 0)
    there = mmap(nullptr, sizeof(shared_page), PROT_READ | PROT_WRITE, MAP_SHARED, shared_file, 0);
  record_file = memfd_create("morph record", MFD_CLOEXEC);
  if (there == MAP_FAILED || record_file < 0) _exit(86);
  page = static_cast<shared_page*>(there);
  there = mmap(nullptr, (tests + 1) * sizeof *failed, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (there == MAP_FAILED) _exit(86);
  failed = static_cast<uint32_t*>(there);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  fflush(nullptr);

  // Once and for all: what the heap looks like must not depend on earlier requests.
  morph_mutants::test_turn* const wanted =
      static_cast<morph_mutants::test_turn*>(malloc((tests + 1) * sizeof(morph_mutants::test_turn)));
  chosen = static_cast<uint32_t*>(malloc((tests + 1) * sizeof *chosen));
  if (wanted == nullptr || chosen == nullptr) _exit(86);
  for (morph_mutants::request asked; read_all(&asked, sizeof asked);) {
    if (asked.tests > tests || !read_all(wanted, asked.tests * sizeof *wanted)) break;
    for (uint32_t i = 0; i < asked.tests; ++i) chosen[i] = wanted[i].test;
    turns = wanted;
    turn_count = asked.tests;
    if (choose != nullptr) choose(chosen, asked.tests);
    for (uint32_t i = 0; i < page->reached; ++i) page->differ[page->nodes[i]] = page->hits[page->nodes[i]] = 0;
    page->reached = page->position = page->has_failed = page->has_passed = page->was_skipped = page->failures = 0;
    page->has_begun = 0;
    // What runs before the first test, a global environment, is evaluated under its limit.
    page->hits_left = asked.tests == 0 ? most_hits : wanted[0].hit_limit;
    for (uint32_t i = 1; i < asked.tests; ++i)
      if (wanted[i].hit_limit > page->hits_left) page->hits_left = wanted[i].hit_limit;

    if (asked.observes != 0 && (ftruncate(record_file, 0) != 0 || lseek(record_file, 0, SEEK_SET) != 0)) _exit(86);
    const double started = seconds_now();
    const pid_t process = fork_here();
    if (process < 0) _exit(87);
    if (process == 0) return enter_test_process(asked);
    setpgid(process, process);
    const bool in_time = ends_in_time(process, started + static_cast<double>(asked.wall_limit_us) * 1e-6);
    kill(-process, SIGKILL);
    if (!in_time) kill(process, SIGKILL);
    int status = 0;
    struct rusage used;
    while (wait4(process, &status, 0, &used) < 0 && errno == EINTR) continue;
    end_orphans();
    answer(asked, status, in_time, used, static_cast<uint64_t>((seconds_now() - started) * 1e6));
  }
  _exit(0);
}

void serve_mutants_of_offered_tests() {
  memset(morph_node, 0, sizeof morph_node);
  int ends[2];
  if (pipe(ends) != 0) _exit(86);
  fflush(nullptr);
  const pid_t process = fork();
  if (process < 0) _exit(87);
  if (process == 0) {
    close(ends[0]);
    offering = ends[1];
    return;
  }
  close(ends[1]);
  char* said = nullptr;
  size_t bytes = 0, room = 0;
  for (ssize_t got = 1; got != 0;) {
    if (bytes == room) said = static_cast<char*>(realloc(said, room = room * 2 + 65536));
    if (said == nullptr) _exit(86);
    got = read(ends[0], said + bytes, room - bytes);
    if (got > 0) bytes += static_cast<size_t>(got);
    if (got < 0 && errno != EINTR) _exit(86);
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  // A name, a place, and so on.
  char* const names = static_cast<char*>(malloc(bytes + 1));
  char* const places = static_cast<char*>(malloc(bytes + 1));
  if (names == nullptr || places == nullptr) _exit(86);
  size_t name_bytes = 0, place_bytes = 0;
  uint32_t strings = 0;
  for (size_t at = 0; at < bytes; ++strings) {
    const size_t size = strnlen(said + at, bytes - at) + 1;
    const bool is_name = strings % 2 == 0;
    memcpy((is_name ? names + name_bytes : places + place_bytes), said + at, size);
    (is_name ? name_bytes : place_bytes) += size;
    at += size;
  }
  free(said);
  serve_mutants(names, name_bytes, places, place_bytes, strings / 2);
}

bool was_offered(const char* test, const char* file, unsigned line) {
  if (offering >= 0) {
    offer(test);
    char place[4096];
    snprintf(place, sizeof place, "%s:%u", file, line);
    offer(*file == '\0' ? "" : place);
    return false;
  }
  uint32_t number = 0;
  for (size_t at = 0; at < served_bytes; at += strlen(served_names + at) + 1, ++number) {
    if (strcmp(served_names + at, test) != 0) continue;
    for (uint32_t i = 0; i < turn_count; ++i) {
      if (chosen[i] != number) continue;
      test_begins(number);
      return true;
    }
  }
  return false;
}

const uint32_t* chosen_tests(size_t* count) {
  *count = turn_count;
  return chosen;
}

void test_begins(uint32_t test) {
  if (getpid() != test_process) return;
  for (uint32_t tried = 0; tried < turn_count; ++tried) {
    const uint32_t i = (page->position + tried) % turn_count;  // most run in their order
    if (chosen[i] != test) continue;
    page->position = i;
    page->has_begun = 1;
    page->hits_left = turns[i].hit_limit;
    itimerval timer;
    memset(&timer, 0, sizeof timer);
    timer.it_value.tv_sec = static_cast<time_t>(turns[i].cpu_limit_us / 1000000);
    timer.it_value.tv_usec = static_cast<suseconds_t>(turns[i].cpu_limit_us % 1000000);
    setitimer(ITIMER_PROF, &timer, nullptr);
    observe_from_here();
    return;
  }
}

void test_failed() {
  if (getpid() != test_process) return;
  if (wants_all) {
    static uint32_t failures = 0;  // of the last test
    const bool is_first = page->failures == 0 || failed[page->failures - 1] != page->position;
    if (is_first && page->failures < turn_count) failed[page->failures++] = page->position;
    failures = is_first ? 1 : failures + 1;
    if (failures < most_failures) return;
  }
  page->has_failed = 1;
  end_observing();
  _exit(1);
}

bool a_test_has_failed() {
  return wants_all && page->failures != 0;
}

void test_was_skipped() {
  if (getpid() == test_process) page->was_skipped = 1;
}

void tests_passed() {
  if (getpid() == test_process) page->has_passed = 1;
  end_observing();
  _exit(0);
}

void ends_with_status() {
  decides_by_status = true;
}

}  // namespace morph_runtime
