// Callables that work, and some that do what no test may do.
#include "calls.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <stdexcept>
#include <thread>
#include <vector>

#include "morph_frame.h"
#include "morph_goals.h"
#include "morph_mutants.h"

namespace {

struct base {
  int padding = 1;
};
struct other {
  virtual ~other() {}
};
struct box : other, base {  // as a base it has another address
  explicit box(int what) : content(what) {}
  int content;
};
struct too_small : std::runtime_error {
  too_small() : std::runtime_error("too small") {}
};

volatile int sink = 0;
std::vector<int>* const counted = new std::vector<int>();
int deeper(int level) {
  volatile char room[4096];
  room[0] = static_cast<char>(level);
  return level < 0 ? 0 : deeper(level + 1) + room[0];
}

}  // namespace

namespace morph_calls {
namespace {

void call_make(frame& f, const argument* a) {
  f.keep(0, new box(f.number<int>(a[0])));
}
void call_put(frame& f, const argument* a) {
  box& to = f.object<box>(a[0], 0);
  const int what = f.number<int>(a[1]);
  if (what < 0) throw too_small();
  to.content = what;
}
void call_get(frame& f, const argument* a) {
  f.see(0, f.object<box>(a[0], 0).content);
}
void call_name(frame& f, const argument* a) {
  int& size = f.cell<int>();
  size = static_cast<int>(f.text(a[0]).size());
  f.see(0, f.text(a[0]) + "!");
  f.see(2, size);
}
void call_self(frame& f, const argument* a) {
  f.refer(1, static_cast<base*>(&f.object<box>(a[0], 0)));
}
void call_is_there(frame& f, const argument* a) {
  f.see(0, f.pointer<box>(a[0], 0) != nullptr);
}
void call_work(frame& f, const argument* a) {
  const std::clock_t end = std::clock() + f.number<int>(a[0]) * (CLOCKS_PER_SEC / 1000);
  while (std::clock() < end) {
  }
}
void call_wait(frame& f, const argument* a) {
  std::this_thread::sleep_for(std::chrono::milliseconds(f.number<int>(a[0])));
}
void call_need(frame& f, const argument* a) {
  sink = f.pointer<box>(a[0], 0)->content;
}
void call_dereference(frame&, const argument*) {
  int* volatile none = nullptr;
  sink = *none;
}
void call_abort(frame&, const argument*) {
  std::abort();
}
void call_exit(frame& f, const argument* a) {
  std::exit(f.number<int>(a[0]));
}
void call_loop(frame&, const argument*) {
  for (;;) sink = sink + 1;
}
void call_write(frame& f, const argument* a) {
  const int file = ::open(f.c_text(a[0]), O_WRONLY | O_CREAT, 0600);
  f.see(0, file >= 0);
}
void call_socket(frame& f, const argument*) {
  f.see(0, ::socket(AF_INET, SOCK_STREAM, 0) >= 0);
}
void call_fork(frame& f, const argument*) {
  const pid_t child = ::fork();
  if (child == 0) _exit(0);
  f.see(0, child > 0);
}
void call_start(frame& f, const argument*) {
  ::execl("/bin/true", "true", static_cast<char*>(nullptr));
  f.see(0, false);
}
void call_kill(frame& f, const argument*) {
  f.see(0, ::kill(::getppid(), SIGKILL) == 0);
}
void call_compare(frame& f, const argument* a) {
  f.see(0, morph_goals::equal(0, f.number<int>(a[0]), 4711));
}
void call_compare_text(frame& f, const argument* a) {
  f.see(0, morph_goals::text_equal(2, f.text(a[0]), "secret"));
}
void call_sum(frame& f, const argument* a) {
  int made = 0;
  for (const int each : f.filled<std::vector<int>>(a[0])) made += each;
  f.see(0, made);
}
void call_null(frame& f, const argument*) {
  f.refer(0, static_cast<box*>(nullptr));
}
void call_overflow(frame&, const argument*) {
  sink = deeper(0);
}

// No limit that the process sets itself ends this.
void call_deaf(frame&, const argument*) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, nullptr);
  for (;;) pause();
}
void call_babble(frame& f, const argument*) {
  int written = 0;
  for (int each = 3; each < 64; ++each) written += ::write(each, "babble babble", 13) > 0 ? 1 : 0;
  f.see(0, written);
}
void call_close(frame& f, const argument*) {
  f.see(0, ::close(1) == 0);
}
void call_count(frame& f, const argument*) {
  static int count = 1;
  counted->push_back(count);
  count = 1 + static_cast<int>(counted->size());
  f.see(0, count);
  morph_goals::equal(0, count, 3);
}
// Many small blocks of the heap, at the first use; afterwards each call needs some of it.
void call_grow(frame&, const argument*) {
  static std::vector<std::vector<int>>* all = nullptr;
  if (all == nullptr) all = new std::vector<std::vector<int>>(20000, std::vector<int>(10));
  for (std::vector<int>& each : *all) each.resize(20);
}
void call_use(frame&, const argument*) {
  static int used = 0;
  morph_goals::equal(0, used, 0);
  used = 7;
}
void call_fill(frame& f, const argument*) {
  f.see(0, f.buffer()[255] == 0);
}

// As morph-source rewrites `number > 10`: node 1 is that, with `>=` and `<`; node 2 crashes, node 3 does not end.
bool is_larger(int number) {
  if (!MORPH_IN(0)) return number > 10;
  if (MORPH_ON(2) && MORPH_V(1)) std::abort();
  do {
  } while (MORPH_ON(3));
  return MORPH_SEE(1, 3u, (number > 10), (number >= 10), (number < 10)) ? (MORPH_V(1) ? (number >= 10) : (number < 10))
                                                                        : (number > 10);
}
void call_larger(frame& f, const argument* a) {
  f.see(0, is_larger(f.number<int>(a[0])));
}
void call_today(frame& f, const argument*) {
  f.see(0, static_cast<long>(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()) / 86400));
  const std::time_t now = std::time(nullptr);
  f.see(1, static_cast<long>(now / 86400));
}

}  // namespace

const callable callables[] = {
    call_make,   call_put,   call_get,      call_name, call_self,   call_dereference, call_abort,    call_exit,
    call_loop,   call_write, call_socket,   call_fork, call_start,  call_kill,        call_compare,  call_compare_text,
    call_sum,    call_null,  call_overflow, call_deaf, call_babble, call_close,       call_count,    call_fill,
    call_larger, call_today, call_use,      call_grow, call_work,   call_wait,        call_is_there, call_need};
const unsigned callable_count = box_callables;
const unsigned goal_count = box_goals;
const conversion conversions[] = {{0, 1, [](void* o) -> void* { return static_cast<base*>(static_cast<box*>(o)); }}};
const unsigned conversion_count = 1;

}  // namespace morph_calls

static float before_main[box_goals + 1];
extern "C" float* morph_goal_distances;
float* morph_goal_distances = before_main;
