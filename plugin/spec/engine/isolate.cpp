// Processes that may die.
#include "plugin/spec/engine/isolate.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "plugin/spec/engine/interrupt.hpp"
#include "plugin/spec/engine/number_text.hpp"

namespace morph::engine {
namespace {

constexpr std::size_t batch = 256;

using clock = std::chrono::steady_clock;

std::string described(int status) {
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  return "it ended the process with exit status " + std::to_string(WEXITSTATUS(status));
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// What limits its own time (a command) is to notice first.
double with_grace(double seconds) {
  return seconds * 1.05 + 0.5;
}

/// Reads `size` bytes; false if they do not come: `timed_out` tells why.
bool read_all(int from, void* to, std::size_t size, double seconds, bool& timed_out) {
  auto* at = static_cast<char*>(to);
  const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
  while (size > 0) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - clock::now()).count();
    pollfd one{from, POLLIN, 0};
    const int ready = poll(&one, 1, static_cast<int>(std::clamp<long long>(left + 1, 0, 1000000)));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && clock::now() < end) continue;
    if (ready <= 0) {
      timed_out = true;
      return false;
    }
    const ssize_t got = read(from, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void write_all(int to, const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t written = write(to, at, size);
    if (written <= 0) _exit(1);
    at += written;
    size -= static_cast<std::size_t>(written);
  }
}

struct record {
  std::uint32_t how;
  std::uint32_t size;
};

[[noreturn]] void run_batch(spec_base& spec, std::uint16_t executer, const sampled_run* which, std::size_t count,
                            int to) {
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  for (std::size_t i = 0; i < count; ++i) {
    const auto [operation, input] = which[i];
    spec.forget_run(executer, operation, input);
    spec.run(executer, operation, &input, 1);
    const ended how = spec.how(executer, operation, input);
    const std::string text =
        how == ended::output ? spec.text_of_output(executer, operation, input) : spec.error(executer, operation, input);
    const record head{static_cast<std::uint32_t>(how), static_cast<std::uint32_t>(text.size())};
    write_all(to, &head, sizeof head);
    write_all(to, text.data(), text.size());
  }
  std::fflush(nullptr);
  _exit(0);
}

/// So many runs that do not end are waited for; the rest of a program that hangs is not tried.
constexpr int most_hung = 20;

/// Told of each run: its output as text, or why there is none. False: no more are needed.
using run_ended = std::function<bool(std::size_t at, ended how, const std::string& text)>;

void run_elsewhere(spec_base& spec, std::uint16_t executer, const std::vector<sampled_run>& which, std::size_t at_once,
                   const run_ended& tell) {
  static int hung = 0;  // in this process, which serves one run of a spec
  for (std::size_t at = 0; at < which.size();) {
    if (hung >= most_hung) {
      if (!tell(at++, ended::timeout, "not tried: " + std::to_string(most_hung) + " runs before it did not end"))
        return;
      continue;
    }
    int ends[2];
    std::fflush(nullptr);
    const std::size_t size = std::min(at_once, which.size() - at);
    const pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (child < 0) {
      if (!tell(at++, ended::crash, std::string("no process could be made for it: ") + strerror(errno))) return;
      continue;
    }
    if (child == 0) {
      close(ends[0]);
      run_batch(spec, executer, which.data() + at, size, ends[1]);
    }
    close(ends[1]);
    const std::size_t end = at + size;
    bool timed_out = false, enough = false;
    for (; at < end && !enough; ++at) {
      record head{};
      std::string text;
      if (!read_all(ends[0], &head, sizeof head, with_grace(spec.timeout()), timed_out)) break;
      text.resize(head.size);
      if (!read_all(ends[0], text.data(), text.size(), with_grace(spec.timeout()), timed_out)) break;
      enough = !tell(at, static_cast<ended>(head.how), text);
    }
    close(ends[0]);
    if (timed_out || enough) kill(child, SIGKILL);
    hung += timed_out ? 1 : 0;
    const int status = wait_for(child);
    if (enough) return;
    if (at == end) continue;
    if (timed_out)
      enough = !tell(at, ended::timeout, "it did not end within " + seconds_text(spec.timeout()));
    else
      enough = !tell(at, ended::crash, described(status));
    if (enough) return;
    ++at;
  }
}

/// Of CLOCK_MONOTONIC, of the first signal; 0: none came.
std::atomic<long> interrupted_at{0};

void note_interrupt(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  long none = 0;
  // A terminal's comes to all processes, and some pass theirs on.
  if (interrupted_at.compare_exchange_strong(none, now.tv_sec + 1) || now.tv_sec - none < 1) return;
  ::signal(signal, SIG_DFL);
  raise(signal);
}

constexpr const char* unreadable = "its output cannot be read from its text: ";

}  // namespace

const run_inputs run_isolated{
    [](spec_base& spec, std::uint16_t executer, std::uint16_t operation, const input_index* which, std::size_t count) {
      std::vector<sampled_run> all;
      for (std::size_t i = 0; i < count; ++i) all.push_back({operation, which[i]});
      run_elsewhere(spec, executer, all, batch, [&](std::size_t at, ended how, const std::string& text) {
        if (const std::string error = spec.set_outcome(executer, operation, which[at], how, text); !error.empty())
          spec.set_outcome(executer, operation, which[at], ended::exception, unreadable + error);
        return true;
      });
    },
    [](spec_base& spec, std::uint16_t executer, const std::vector<sampled_run>& places, std::size_t repeats,
       const sample_seen& seen) {
      std::vector<sampled_run> all;
      for (const sampled_run& each : places) all.insert(all.end(), repeats, each);
      run_elsewhere(spec, executer, all, all.size(), [&](std::size_t at, ended how, const std::string& text) {
        const std::size_t place = at / repeats;
        if (how != ended::output) return seen(place, how, text);
        const std::string error = spec.add_sample(place, text);
        return error.empty() ? seen(place, how, {}) : seen(place, ended::exception, unreadable + error);
      });
    }};

interrupts_noted::interrupts_noted() {
  struct sigaction action {};
  action.sa_handler = note_interrupt;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, nullptr, &interrupt_);
  sigaction(SIGTERM, nullptr, &terminate_);
  if (interrupt_.sa_handler != SIG_IGN) sigaction(SIGINT, &action, nullptr);
  if (terminate_.sa_handler != SIG_IGN) sigaction(SIGTERM, &action, nullptr);
}

interrupts_noted::~interrupts_noted() {
  sigaction(SIGINT, &interrupt_, nullptr);
  sigaction(SIGTERM, &terminate_, nullptr);
}

bool interrupts_noted::any() {
  return interrupted_at != 0;
}

int supervised(isolation how, double run_timeout, bool can_isolate,
               const std::function<int(activity*, bool isolated)>& work,
               const std::function<int(const accident&)>& stopped, double step_timeout) {
  if (how == isolation::none) return work(nullptr, false);
  void* const shared = mmap(nullptr, sizeof(activity), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return work(nullptr, false);
  auto* const shown = new (shared) activity;
  bool isolated = how == isolation::batches && can_isolate;
  bool may_shrink = true;
  for (;;) {
    *shown = activity{};
    shown->may_shrink = may_shrink;
    int ends[2];
    std::fflush(nullptr);
    const pid_t child = pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (child < 0) return work(nullptr, false);
    pass_interrupts_to(child == 0 ? -1 : child);
    if (child == 0) {
      close(ends[0]);
      const int status = work(shown, isolated);
      shown->what = activity::done;
      std::exit(status);
    }
    close(ends[1]);
    // The pipe ends when the process does. A step that takes too long is one without end; runs in batches notice that
    // themselves.
    std::uint64_t steps = 0;
    auto since = clock::now();
    double exceeded_timeout = 0;  // 0: none
    for (;;) {
      pollfd one{ends[0], POLLIN, 0};
      const int ready = poll(&one, 1, 200);
      if (ready > 0) break;
      if (interrupts_noted::any()) __atomic_store_n(&shown->is_to_end, true, __ATOMIC_RELEASE);
      const std::uint64_t now = __atomic_load_n(&shown->steps, __ATOMIC_ACQUIRE);
      if (now != steps) {
        steps = now;
        since = clock::now();
      }
      const bool runs = shown->what == activity::running;
      if ((isolated && runs) || shown->what == activity::done) continue;
      const double longest = runs ? run_timeout : std::max(run_timeout, step_timeout);
      if (std::chrono::duration<double>(clock::now() - since).count() > with_grace(longest)) {
        exceeded_timeout = longest;
        kill(child, SIGKILL);
        break;
      }
    }
    const bool hung = exceeded_timeout > 0;
    close(ends[0]);
    const int status = wait_for(child);
    pass_interrupts_to(-1);
    if (!hung && WIFEXITED(status) && shown->what == activity::done) {
      const int result = WEXITSTATUS(status);
      munmap(shared, sizeof(activity));
      return result;
    }
    if (shown->what == activity::running && can_isolate && !isolated) {
      isolated = true;
      continue;
    }
    if (shown->shrinks && may_shrink) {
      may_shrink = false;
      continue;
    }
    const accident what{*shown, hung ? "it did not end within " + seconds_text(exceeded_timeout) : described(status)};
    munmap(shared, sizeof(activity));
    return stopped(what);
  }
}

std::string stopped_at(const spec_base& spec, const accident& what) {
  const auto name = [&](const auto& all) {
    return what.what.which < all.size() ? " '" + all[what.what.which].name + "'" : std::string();
  };
  const std::string text = spec.name() + ": ";
  switch (what.what.what) {
    case activity::seeding:
      return text + "the seeds" + name(spec.makers()) + " could not be made: " + what.how;
    case activity::mutating:
      return text + "the datamorphism" + name(spec.datamorphisms()) + " did not come back: " + what.how +
             "; a datamorphism has to end for every input, and gives std::nullopt where it does not apply";
    case activity::checking:
      if (what.what.which < spec.rules().size())
        return text + "the relation '" + spec.relations()[spec.rules()[what.what.which].relation].name +
               "' did not come back: " + what.how;
      return text + "checking did not come back: " + what.how;
    case activity::comparing:
      return text + "the distance of two inputs did not come back: " + what.how;
    case activity::running:
    case activity::shrinking:
      return text + "the executer" + name(spec.executers()) + " did not come back: " + what.how +
             "; its output type has no text or no default, so that its runs cannot be told apart by processes: write "
             "morph_save() and morph_load() for it, and the run that fails is named";
    default:
      break;
  }
  return text + "the run ended early: " + what.how;
}

}  // namespace morph::engine
