// The table of such functions, and who refers to them.
#include "plugin/doctor/unseen.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "plugin/frameworks/framework.hpp"

namespace morph::doctor {
namespace {

using std::string_view;

constexpr std::array<string_view, 9> clock_symbols{"time",
                                                   "clock_gettime",
                                                   "gettimeofday",
                                                   "clock",
                                                   "timespec_get",
                                                   "ftime",
                                                   "_ZNSt6chrono3_V212system_clock3nowEv",
                                                   "_ZNSt6chrono3_V212steady_clock3nowEv",
                                                   "timer_create"};
constexpr std::array<string_view, 7> chance_symbols{
    "_ZNSt13random_device*",    "getrandom", "getentropy", "arc4random*", "uuid_generate*", "RAND_bytes",
    "_ZNSt3__113random_device*"};
constexpr std::array<string_view, 12> service_symbols{
    "socket", "connect", "getaddrinfo",       "gethostbyname*", "shm_open",           "mq_open",
    "msgget", "shmget",  "curl_easy_perform", "PQconnectdb*",   "mysql_real_connect", "sd_bus_*"};
constexpr std::array<string_view, 6> device_symbols{
    "ioctl", "libusb_init*", "snd_pcm_open", "clGetPlatformIDs", "cudaGetDeviceCount", "tcgetattr"};
constexpr std::array<string_view, 10> machine_symbols{
    "sysconf", "get_nprocs*", "sched_getaffinity", "_ZNSt6thread20hardware_concurrencyEv",
    "uname",   "gethostname", "__cpu_model",       "getloadavg",
    "sysinfo", "getrusage"};
constexpr std::array<string_view, 10> process_symbols{"system",       "popen", "execl*", "execv*", "execve",
                                                      "posix_spawn*", "kill",  "ptrace", "dbus_*", "waitid"};

constexpr std::array<unseen_kind, 6> kinds{{
    {"the clock", "for the time", "pass the time in, or name the tests that depend on it in ALWAYS", clock_symbols},
    {"chance", "for random numbers that no seed repeats", "seed it, or name the tests that depend on it in ALWAYS",
     chance_symbols},
    {"services", "for something that another process answers",
     "name the tests that use a service in ALWAYS, or start the service as a fixture from files of the repository",
     service_symbols},
    {"devices", "a device", "name the tests that depend on a device in ALWAYS", device_symbols},
    {"the machine", "for facts of the machine",
     "measure and select on machines of one kind, or name the tests that depend on it in ALWAYS", machine_symbols},
    {"other processes", "other processes to do something",
     "the files that they open are seen, and what they ask of clocks, services and devices is not: name such tests in "
     "ALWAYS",
     process_symbols},
}};

bool is_named(string_view symbol, string_view pattern) {
  return pattern.ends_with('*') ? symbol.starts_with(pattern.substr(0, pattern.size() - 1)) : symbol == pattern;
}

const unseen_kind* kind_of(string_view symbol) {
  for (const unseen_kind& kind : kinds)
    if (std::any_of(kind.symbols.begin(), kind.symbols.end(), [&](string_view p) { return is_named(symbol, p); }))
      return &kind;
  return nullptr;
}

bool is_of_framework(string_view function) {
  const auto all = frameworks::all_frameworks();
  return std::any_of(all.begin(), all.end(), [&](const frameworks::framework& f) {
    return !f.words.scope.empty() && function.starts_with(f.words.scope);
  });
}

}  // namespace

std::span<const unseen_kind> unseen_kinds() {
  return kinds;
}

std::vector<unseen_call> unseen_calls(const object::object_print& print) {
  std::map<std::uint32_t, const unseen_kind*> wanted;  // by name
  for (const object::wanted_name& w : print.wanted)
    if (const unseen_kind* const kind = kind_of(print.names[w.name])) wanted.emplace(w.name, kind);
  std::vector<unseen_call> calls;
  if (wanted.empty()) return calls;
  const auto add = [&](const object::range& references, const std::string& caller) {
    if (is_of_framework(caller)) return;
    for (std::uint32_t i = references.first; i < references.first + references.count; ++i) {
      const std::uint32_t reference = print.references[i];
      const auto at = (reference & object::by_name) != 0 ? wanted.find(reference & ~object::by_name) : wanted.end();
      if (at == wanted.end()) continue;
      unseen_call call{at->second, caller, object::demangled(print.names[at->first])};
      const auto is_known = [&](const unseen_call& c) { return c.caller == caller && c.callee == call.callee; };
      if (std::none_of(calls.begin(), calls.end(), is_known)) calls.push_back(std::move(call));
    }
  };
  for (const object::atom& a : print.atoms)
    add(a.references, a.is(object::atom::initializer) || a.name == object::none
                          ? "what runs before main()"
                          : object::demangled(object::without_clone_suffix(print.names[a.name])));
  for (const object::segment& s : print.segments) add(s.references, "what runs before main()");
  return calls;
}

}  // namespace morph::doctor
