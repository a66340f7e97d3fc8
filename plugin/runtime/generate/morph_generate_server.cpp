// The program that executes sequences of calls for `morph generate`: a child executes many, its parent goes on where
// one crashed, hung or ended it.
#include <cxxabi.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <exception>
#include <typeinfo>
#include <vector>

#include "morph_fence.h"
#include "morph_frame.h"
#include "morph_generate_mutants.h"
#include "morph_generate_shared.h"
#include "morph_globals.h"
#include "morph_goals.h"

extern "C" {
extern long long morph_other_time;
}

namespace morph_calls {

shared* state = nullptr;
float* distances = nullptr;
uint32_t* touched = nullptr;

namespace {

const uint32_t most_sequences = 64;  // of one process: what they leave in globals goes with it
const size_t room_of_results = size_t{64} << 20;
const long long seconds_between_runs = 34567890;  // that are observed: another day of another year
const int cpu_ms = 200;                           // of a sequence
const int wall_ms = 2000, least_work_ms = 20;     // one that does not work so much in this time waits

char* results = nullptr;
std::vector<literal> literals;

void fail(const char* why) {
  dprintf(STDERR_FILENO, "%s: %s\n", why, strerror(errno));
  _exit(3);
}

char* share(size_t bytes) {
  void* const at = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) fail("memory to share");
  return static_cast<char*>(at);
}

// ---- messages

bool read_all(int from, void* to, size_t bytes) {
  char* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = read(from, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

void write_all(int to, const void* from, size_t bytes) {
  const char* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = send(to, at, bytes, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) _exit(0);  // who asks has gone
    at += put;
    bytes -= static_cast<size_t>(put);
  }
}

class reader {
 public:
  explicit reader(const std::string& of) : at_(of.data()), end_(of.data() + of.size()) {}
  bool is_empty() const { return at_ == end_; }
  template <class Type>
  Type next() {
    Type made;
    copy(&made, sizeof made);
    return made;
  }
  std::string bytes(size_t count) {
    std::string made(count, 0);
    copy(&made[0], count);
    return made;
  }

 private:
  void copy(void* to, size_t bytes) {
    if (static_cast<size_t>(end_ - at_) < bytes) {
      dprintf(STDERR_FILENO, "a message ends too early\n");
      _exit(4);
    }
    memcpy(to, at_, bytes);
    at_ += bytes;
  }

  const char* at_;
  const char* end_;
};

void read_literals(reader from) {
  while (!from.is_empty()) {
    literal made = {from.next<char>(), 0, 0, std::string(), nullptr, 0};
    if (made.kind == 'i') made.number = from.next<int64_t>(), made.real = static_cast<double>(made.number);
    if (made.kind == 'd') made.real = from.next<double>();
    if (made.kind == 's') made.text = from.bytes(from.next<uint32_t>());
    if (made.kind == 'l') {
      made.count = from.next<uint32_t>();
      uint32_t* const elements = new uint32_t[made.count];
      for (uint32_t i = 0; i < made.count; ++i) elements[i] = from.next<uint32_t>();
      made.elements = elements;
    }
    literals.push_back(std::move(made));
  }
}

struct call {
  uint32_t callable;
  std::vector<argument> arguments;
};
struct sequence {
  bool has_mutants;  // `on` counts
  mutant_switch on;
  std::vector<call> calls;
};

sequence read_sequence(reader& from, bool has_mutants) {
  sequence made = {has_mutants, {0, 0, 0, 0}, {}};
  if (has_mutants) {
    made.on.node = from.next<uint32_t>();
    made.on.function = from.next<uint32_t>();
    made.on.alternative = from.next<uint32_t>();
    made.on.most_evaluations = from.next<uint32_t>();
  }
  made.calls.resize(from.next<uint32_t>());
  for (call& each : made.calls) {
    each.callable = from.next<uint32_t>();
    each.arguments.resize(from.next<uint32_t>());
    for (argument& a : each.arguments) {
      const uint32_t word = from.next<uint32_t>();
      a.kind = static_cast<morph_argument_kind>(word % 4);
      a.number = word / 4;
    }
  }
  return made;
}

// ---- results

// Goes on behind the results that are whole.
class result_writer {
 public:
  result_writer() : at_(state->used) {}
  ~result_writer() { state->used = static_cast<uint32_t>(at_); }
  void put(const void* from, size_t bytes) {
    if (at_ + bytes > room_of_results) _exit(4);
    memcpy(results + at_, from, bytes);
    at_ += bytes;
  }
  template <class Type>
  void put(Type value) {
    put(&value, sizeof value);
  }
  void put_text(const std::string& text) {
    put(static_cast<uint32_t>(text.size()));
    put(text.data(), text.size());
  }

 private:
  size_t at_;
};

void put_nodes(result_writer& to, uint32_t count) {
  to.put(count);
  for (uint32_t i = 0; i < count; ++i) to.put(seen_at(i));
}

void put_result(morph_outcome outcome, int32_t code, const std::string& observed, const std::string& exception,
                uint32_t nodes) {
  result_writer to;
  to.put(static_cast<uint8_t>(outcome));
  to.put(code);
  to.put(static_cast<uint32_t>(state->call));
  // A child that crashed may have written anywhere.
  const uint32_t left_out =
      std::min<uint32_t>(state->left_out_count, sizeof state->left_out / sizeof state->left_out[0]);
  to.put(left_out);
  to.put(state->left_out, left_out * sizeof state->left_out[0]);
  to.put(static_cast<uint32_t>(state->touched));
  for (uint32_t i = 0; i < state->touched; ++i) {
    to.put(touched[i]);
    to.put(distances[touched[i]]);
    distances[touched[i]] = untouched;
  }
  to.put(state->operand_count);
  for (uint32_t i = 0; i < state->operand_count; ++i) {
    const operand& each = state->operands[i];
    to.put(each.kind);
    if (each.kind == 'i') to.put(each.number);
    if (each.kind == 'd') to.put(each.real);
    if (each.kind == 's') to.put(each.size), to.put(each.text, each.size);
  }
  to.put(observed.data(), observed.size());  // begins with how many there are
  to.put_text(exception);
  put_nodes(to, nodes);
  state->touched = 0;
  state->operand_count = 0;
  state->left_out_count = 0;
  state->call = 0;
  state->refused = 0;
  state->done = state->done + 1;
}

const std::string nothing_observed(sizeof(uint32_t), 0);

// ---- execution

std::string type_of_exception() {
  const std::type_info* const type = abi::__cxa_current_exception_type();
  if (type == nullptr) return std::string();
  int status = 0;
  char* const name = abi::__cxa_demangle(type->name(), nullptr, nullptr, &status);
  const std::string made = status == 0 ? name : type->name();
  free(name);
  return made;
}

int times_of(uint32_t flags) {
  return (flags & morph_run_is_patient) != 0 ? 10 : 1;
}

void limit_time(int times) {
  // Earlier sequences may have blocked or ignored them.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPROF, SIG_DFL);
  const itimerval cpu = {{0, 0}, {cpu_ms * times / 1000, cpu_ms * times % 1000 * 1000}};
  setitimer(ITIMER_PROF, &cpu, nullptr);
}

bool needs_left_out(const call& one) {
  const uint32_t* const begin = state->left_out;
  const uint32_t* const end = begin + state->left_out_count;
  for (const argument& each : one.arguments)
    if (each.kind == morph_argument_value && std::find(begin, end, each.number) != end) return true;
  return false;
}

bool leave_out(uint32_t number) {
  if (state->left_out_count == sizeof state->left_out / sizeof state->left_out[0]) return false;
  state->left_out[state->left_out_count] = number;
  state->left_out_count = state->left_out_count + 1;
  return true;
}

void execute(const sequence& one, uint32_t flags, frame& f) {
  const bool observes = (flags & morph_run_observes) != 0, leaves_out = (flags & morph_run_leaves_out) != 0;
  const std::vector<call>& calls = one.calls;
  std::string observed = nothing_observed, exception;
  f.observe(observes ? &observed : nullptr);
  morph_outcome outcome = morph_outcome_passed;
  limit_time(times_of(flags));
  if (one.has_mutants) switch_on(one.on);
  for (uint32_t i = 0; i < calls.size() && outcome == morph_outcome_passed; ++i) {
    state->call = i;
    f.begin(i);
    const call& each = calls[i];
    if (needs_left_out(each) && leave_out(i)) continue;
    try {
      callables[each.callable](f, each.arguments.data());
    } catch (const no_value&) {
      if (!leaves_out || !leave_out(i)) outcome = morph_outcome_no_value;
    } catch (...) {
      outcome = morph_outcome_threw;
      exception = type_of_exception();
    }
    if (state->refused > 0) outcome = morph_outcome_refused;
  }
  const uint32_t ended_in = outcome == morph_outcome_passed ? static_cast<uint32_t>(calls.size()) : state->call;
  f.clear();
  state->call = ended_in;
  if (state->refused > 0) outcome = morph_outcome_refused;
  put_result(outcome, 0, observed, exception, one.has_mutants && one.on.alternative == 0 ? nodes_seen() : 0);
}

// What it inherits: our socket, and what whoever started morph has open.
void close_others() {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, 3U, ~0U, 0U) == 0) return;
#endif
  for (int each = 3; each < 1024; ++each) close(each);
}

void limit_process() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  close_others();
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
#if !defined(__SANITIZE_ADDRESS__)
  const rlimit memory = {rlim_t{1} << 30, rlim_t{1} << 30};
  setrlimit(RLIMIT_AS, &memory);
#endif
  morph_fence_in(&state->refused);
}

// Values that come of freed, fresh or old memory, or of the day, differ from run to run, and so are not asserted.
__attribute__((noinline)) void fill_stack(unsigned char byte) {
  volatile char old[1 << 16];
  for (size_t i = 0; i < sizeof old; ++i) old[i] = static_cast<char>(byte);
}

void perturb(uint32_t run) {
  morph_other_time = run % 5 * seconds_between_runs;
  // Ends of lines and of texts among them, since code counts the one and looks for the other; fresh memory gets the
  // complement.
  static const unsigned char bytes[] = {'\n', 0xFF, '1', 0xF5, 'z'};
  const unsigned char byte = bytes[run % sizeof bytes];
  fill_stack(byte);
#ifdef M_PERTURB
  mallopt(M_PERTURB, byte);
  // What glibc keeps a thread is given out as it is: 7 blocks of each size up to 1032 bytes.
  for (size_t size = 24; size <= 1032; size += 16)
    for (int i = 0; i < 7; ++i) {
      void* volatile kept = malloc(size);
      static_cast<void>(kept);
    }
#endif
}

// Executes what is left, as far as one process does.
void run_child(const std::vector<sequence>& all, uint32_t flags, uint32_t most) {
  const bool observes = (flags & morph_run_observes) != 0;
  limit_process();
  morph_goal_distances = distances;
  if (observes) perturb(state->done);
  frame f;
  globals before;
  const bool puts_back = most > 1 && !observes;
  if (puts_back) before.take();
  for (uint32_t i = 0; i < most && state->done < all.size(); ++i) {
    execute(all[state->done], flags, f);
    // What is observed, in contrast, is to differ if it depends on sequences before.
    if (puts_back && before.are_changed() && !before.restore()) break;
  }
  state->has_ended = 1;
  _exit(0);
}

void wake_up(int) {}

int64_t cpu_ms_of(clockid_t clock) {
  timespec used = {0, 0};
  clock_gettime(clock, &used);
  return int64_t{used.tv_sec} * 1000 + used.tv_nsec / 1000000;
}

// Kills it when one of its sequences waits, which uses hardly any CPU time, or has switched off its own limit. On a
// busy machine a sequence may need long for little.
int wait_for(pid_t child, int times, bool& stopped) {
  struct sigaction action = {};
  action.sa_handler = wake_up;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval often = {{0, 250000}, {0, 250000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &often, nullptr);
  clockid_t clock = CLOCK_MONOTONIC;
  clock_getcpuclockid(child, &clock);
  int status = 0, ticks = 0;
  uint32_t done = state->done;
  int64_t at_first = cpu_ms_of(clock), before = at_first;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    const bool is_next = state->done != done;
    if (!is_next && ++ticks * 250 < wall_ms * times) continue;
    const int64_t now = cpu_ms_of(clock);
    const bool works = now - before >= least_work_ms * times;
    const bool is_deaf = now - at_first > 2 * cpu_ms * times;
    if (is_next) at_first = now;
    done = state->done;
    before = now;
    ticks = 0;
    if (is_next || (works && !is_deaf)) continue;
    stopped = true;
    kill(child, SIGKILL);
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  return status;
}

void run(int socket, reader from, bool has_mutants) {
  const uint32_t flags = from.next<uint32_t>();
  std::vector<sequence> all(from.next<uint32_t>());
  for (sequence& each : all) each = read_sequence(from, has_mutants);
  state->done = 0;
  state->used = 0;
  state->touched = 0;
  state->operand_count = 0;
  state->left_out_count = 0;
  state->refused = 0;
  while (state->done < all.size()) {
    state->has_ended = 0;
    const uint32_t most = (flags & morph_run_alone) != 0 ? 1 : most_sequences;
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) run_child(all, flags, most);
    bool stopped = false;
    const int status = wait_for(child, times_of(flags), stopped);
    if (state->has_ended != 0) continue;
    const bool hung = stopped || (WIFSIGNALED(status) && (WTERMSIG(status) == SIGPROF || WTERMSIG(status) == SIGALRM));
    if (state->done < all.size())
      put_result(hung                ? morph_outcome_hung
                 : WIFEXITED(status) ? morph_outcome_ended
                                     : morph_outcome_crashed,
                 WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), nothing_observed, std::string(), 0);
  }
  const uint32_t head[] = {static_cast<uint32_t>(state->used + sizeof(uint32_t)), morph_message_ran};
  write_all(socket, head, sizeof head);
  write_all(socket, results, state->used);
}

int serve(int socket) {
  state = reinterpret_cast<shared*>(share(sizeof *state));
  distances = reinterpret_cast<float*>(share((goal_count + 1) * sizeof *distances));
  touched = reinterpret_cast<uint32_t*>(share((goal_count + 1) * sizeof *touched));
  results = share(room_of_results);
  globals::prepare();
  for (unsigned i = 0; i <= goal_count; ++i) distances[i] = untouched;
  while (true) {
    uint32_t size = 0;
    if (!read_all(socket, &size, sizeof size)) return 0;
    std::string message(size, 0);
    if (!read_all(socket, &message[0], size)) return 0;
    reader from(message);
    const uint32_t kind = from.next<uint32_t>();
    if (kind == morph_message_literals) read_literals(from);
    if (kind == morph_message_run) run(socket, from, false);
    if (kind == morph_message_run_mutants) run(socket, from, true);
  }
}

}  // namespace

// ---- what frames need of the program

std::string frame::real_text(double what) {
  char text[64];
  snprintf(text, sizeof text, "%.17g", what);
  return text;
}

const literal& frame::literal_at(uint32_t number) {
  if (number >= literals.size()) throw no_value();
  return literals[number];
}

void* frame::object_at(uint32_t call, unsigned type) const {
  if (call >= call_ || values_[call].object == nullptr) return nullptr;
  const value& found = values_[call];
  if (found.type == type) return found.object;
  for (unsigned i = 0; i < conversion_count; ++i)
    if (conversions[i].from == found.type && conversions[i].to == type) return conversions[i].convert(found.object);
  return nullptr;
}

void frame::set(unsigned type, void* object, void (*destroy)(void*)) {
  value& to = values_[call_];
  to.object = object;
  to.type = type;
  to.destroy = nullptr;
  to.held = 0;
  if (destroy == nullptr) return;
  hold(object, destroy);
  to.held = kept_;
}

bool frame::is_held(const void* object) const {
  for (size_t i = 0; i < kept_; ++i)
    if (held_[i].object == object) return true;
  return false;
}

void frame::release(uint32_t call, unsigned type, bool has_virtual_destructor) {
  value& from = values_[call];
  if (from.held == 0 || (from.type != type && !has_virtual_destructor)) throw no_value();
  held_[from.held - 1].destroy = [](void*) {};
  from.object = nullptr;
}

void frame::hold(void* object, void (*destroy)(void*)) {
  if (kept_ == most_values) throw no_value();
  held_[kept_].object = object;
  held_[kept_].type = call_;
  held_[kept_].destroy = destroy;
  ++kept_;
}

// In the reverse order of their making, as variables of a function.
void frame::clear() {
  while (kept_ > 0) {
    const value last = held_[--kept_];
    state->call = last.type;  // which is blamed if this crashes
    last.destroy(last.object);
  }
}

void frame::note_known(unsigned type, const void* object) {
  for (uint32_t i = 0; i < call_ && object != nullptr; ++i) {
    if (values_[i].object != object || values_[i].type != type) continue;
    note(0, 'k' + std::to_string(i));
    return;
  }
}

void frame::note(uint32_t place, const std::string& what) {
  uint32_t count;
  memcpy(&count, &(*observed_)[0], sizeof count);
  ++count;
  memcpy(&(*observed_)[0], &count, sizeof count);
  const uint32_t head[] = {call_, place, static_cast<uint32_t>(what.size())};
  observed_->append(reinterpret_cast<const char*>(head), sizeof head);
  *observed_ += what;
}

}  // namespace morph_calls

// The only argument is the number of the socket.
int main(int count, char** arguments) {
  if (count != 2) {
    dprintf(STDERR_FILENO, "`morph generate` starts this program\n");
    return 2;
  }
  const int number = atoi(arguments[1]);
  const int nowhere = open("/dev/null", O_RDWR);
  for (int i = 0; i < 3; ++i) dup2(nowhere, i);
  return morph_calls::serve(number);
}
