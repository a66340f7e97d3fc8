// Another time of day. A program of calls sets it itself; before a program of tests this is loaded as a library.
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

extern "C" {
extern long long morph_other_time;
long long morph_other_time = 0;  // seconds from now
}

namespace {

__attribute__((constructor)) void read_environment() {
  const char* const text = getenv("MORPH_OTHER_TIME");
  if (text != nullptr) morph_other_time = atoll(text);
}

}  // namespace

extern "C" {

int clock_gettime(clockid_t clock, timespec* to) noexcept {
  typedef int (*function)(clockid_t, timespec*);
  static const function original = reinterpret_cast<function>(dlsym(RTLD_NEXT, "clock_gettime"));
  // In a static program there is no next one.
  const int made = original != nullptr ? original(clock, to) : static_cast<int>(syscall(SYS_clock_gettime, clock, to));
  const bool tells_the_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  if (made == 0 && tells_the_day) to->tv_sec += static_cast<time_t>(morph_other_time);
  return made;
}

int timespec_get(timespec* to, int base) noexcept {
  return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, to) == 0 ? base : 0;
}

time_t time(time_t* to) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (to != nullptr) *to = now.tv_sec;
  return now.tv_sec;
}

int gettimeofday(timeval* __restrict to, void* __restrict) noexcept {
  timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

}  // extern "C"
