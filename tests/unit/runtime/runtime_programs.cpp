// The sources, and how they are built.
#include "tests/unit/runtime/runtime_programs.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "tests/unit/kept.hpp"

namespace morph::runtime_tests {
namespace {

namespace fs = std::filesystem;
using std::string;

// A function is known by the object that holds it.
const std::map<string, string> sources = {
    {"left.cpp", "int left() { return 1; }"},
    {"right.cpp", "int right() { return 2; }"},
    {"computed.cpp", "int computed() { return 3; }"},
    {"once.cpp", "int computed(); int once() { static const int value = computed(); return value; }"},
    {"greeting.cpp", "int greeting() { return 4; }"},
    {"farewell.cpp", "void farewell() {}"},
    {"environment.cpp", "void environment() {}"},
    {"fixture.cpp", "void fixture() {}"},
    {"listening.cpp", "void listening() {}"},
    {"tail.cpp", "void tail() {}"},
    {"library.cpp", "int library() { return 5; }"},
    {"plugin.cpp", R"program(
int loading();
static int loaded = loading();
extern "C" int plugin() { return 6; }
)program"},
    {"lazy.cpp", "int nowhere(); int never() { return nowhere(); } extern \"C\" int plugin() { return 11; }"},
    {"loading.cpp", "int loading() { return 8; }"},
    {"unknown.cpp", "extern \"C\" int plugin() { return 9; }"},
    {"served.cpp", "int served() { return 10; }"},
    {"tool.cpp", R"program(
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int served(); int left();
int main(int count, char** arguments) {
  served();
  if (getenv("OF_TOOL") != nullptr) return 5;
  if (count > 1 && !strcmp(arguments[1], "abort")) abort();
  if (count > 1 && !strcmp(arguments[1], "fork") && fork() == 0) left();
  return 0;
}
)program"},
    {"plain.cpp", "int plain() { return 7; }"},
    {"cases.cpp", R"program(
#include <dlfcn.h>
#include <fcntl.h>
#include <fenv.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

int left(); int right(); int once(); int greeting(); int library();
void farewell(); void environment(); void fixture(); void listening(); void tail();
extern "C" void __gcov_reset();
extern "C" void __gcov_dump();

static int greeted = greeting();
struct at_end { ~at_end() { farewell(); } } ending;
struct world : testing::Environment { void SetUp() override { environment(); } };
struct hearing : testing::EmptyTestEventListener {
  void OnTestProgramStart(const testing::UnitTest&) override { listening(); }
};
struct Suite : testing::Test { static void SetUpTestSuite() { fixture(); } };

TEST(Plain, left) { left(); }
TEST(Plain, right) { right(); }
TEST(Plain, library) { library(); }
cpu_set_t processors() { cpu_set_t set; CPU_ZERO(&set); sched_getaffinity(0, sizeof set, &set); return set; }
static const cpu_set_t processors_of_program = processors();
TEST(Plain, processors) {
  const cpu_set_t mine = processors();
  EXPECT_TRUE(CPU_EQUAL(&mine, &processors_of_program));
  left();
}
TEST(Plain, once_a) { once(); }
TEST(Plain, once_b) { once(); }
TEST(Plain, DISABLED_left) { left(); }
TEST_F(Suite, left) { left(); }

class Name : public testing::TestWithParam<int> {};
TEST_P(Name, with_slashes) { GetParam() == 1 ? left() : right(); }
INSTANTIATE_TEST_SUITE_P(All, Name, testing::Values(1, 2));

TEST(End, failure) { left(); FAIL() << "on purpose"; }
TEST(End, exception) { left(); throw 1; }
TEST(End, skip) { left(); GTEST_SKIP(); }
TEST(End, abort) { left(); abort(); }
TEST(End, segv) { left(); int* volatile nowhere = nullptr; *nowhere = right(); }
TEST(End, sigkill) { left(); kill(getpid(), SIGKILL); }
static int deep(int n) { volatile char frame[4096]; frame[0] = n; return deep(n + 1) + frame[0]; }
TEST(End, stack_overflow) { left(); deep(1); }
TEST(End, exception_in_thread) { left(); std::thread([] { throw 1; }).join(); }
TEST(End, exit_0) { left(); exit(0); }
TEST(End, exit_3) { left(); exit(3); }
TEST(End, underscore_exit_0) { left(); _exit(0); }
TEST(End, quick_exit_0) { left(); quick_exit(0); }
TEST(End, exec) { left(); execl("/bin/true", "true", nullptr); }
TEST(End, endless) { left(); for (volatile int i = 0;; i = i + 1) {} }
TEST(End, status_in_a_destructor) { static struct late { ~late() { _exit(4); } } now; }
TEST(End, crash_in_a_destructor) { static struct late { ~late() { abort(); } } now; }

TEST(Process, forked) { left(); if (fork() == 0) { right(); exit(0); } wait(nullptr); }
TEST(Process, forked_to_the_end) { left(); if (fork() == 0) return; wait(nullptr); _exit(0); }
TEST(Process, forked_unwaited) { left(); if (fork() == 0) for (;;) pause(); }
TEST(Process, death) { left(); EXPECT_DEATH({ right(); abort(); }, ""); }
TEST(Process, death_threadsafe) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  left();
  EXPECT_DEATH({ right(); abort(); }, "");
}
static pid_t spawn(const char* program, const char* argument) {
  char* const arguments[] = {const_cast<char*>(program), const_cast<char*>(argument), nullptr};
  pid_t child = -1;
  EXPECT_EQ(posix_spawnp(&child, program, nullptr, nullptr, arguments, environ), 0);
  return child;
}
TEST(Process, system) { left(); EXPECT_EQ(system("true"), 0); }
TEST(Process, popen) {
  left();
  FILE* pipe = popen("echo said", "r");
  char word[8] = {};
  EXPECT_EQ(fread(word, 1, 5, pipe), 5u);
  EXPECT_EQ(pclose(pipe), 0);
}
static void family(int generations) {
  if (generations == 0) { right(); abort(); }
  if (fork() == 0) { family(generations - 1); _exit(0); }
  wait(nullptr);
}
TEST(Process, generations) { left(); family(4); }
TEST(Process, many) {
  left();
  for (int i = 0; i < 200; ++i) {
    if (fork() == 0) { if (i == 123) right(); _exit(0); }
    wait(nullptr);
  }
}
static int job = 0;
TEST(Process, see_what_was_there_at_fork) {
  for (job = 0; job < 2; ++job)
    if (fork() == 0) { if (job == 0) left(); if (job == 1) right(); _exit(0); }
  job = 2;
  while (wait(nullptr) > 0) continue;
}
static pid_t cached = getpid();
static int handles_forks = pthread_atfork(nullptr, nullptr, [] { cached = getpid(); });
TEST(Process, may_handle_forks_themselves) {
  cached = getpid();
  if (fork() == 0) { right(); _exit(0); }
  wait(nullptr);
  EXPECT_EQ(cached, getpid());
}
static int kept = 1;
TEST(Process, have_variables_of_their_own) {
  if (fork() == 0) { kept = 2; right(); _exit(0); }
  wait(nullptr);
  EXPECT_EQ(kept, 1);
}
TEST(Process, tool) { left(); EXPECT_EQ(system(TOOL), 0); }
TEST(Process, tool_that_aborts) { left(); EXPECT_NE(system(TOOL " abort"), 0); }
TEST(Process, tool_that_forks) { left(); EXPECT_EQ(system(TOOL " fork"), 0); }
TEST(Process, tool_behind_a_shell_without_environment) {
  left();
  clearenv();
  for (int fd = 0; fd < 1024; ++fd) close(fd);
  EXPECT_EQ(system("/bin/sh -c '/usr/bin/env -i " TOOL "; true'"), 0);
}
TEST(Process, tool_instead_of_the_test) { left(); execl(TOOL, TOOL, nullptr); }
TEST(Process, host_of_a_plugin) { left(); EXPECT_EQ(system(HOST " " PLUGIN), 0); }
TEST(Process, stranger) { left(); EXPECT_EQ(system(STRANGER), 0); }
TEST(Process, spawned) { left(); waitpid(spawn("true", nullptr), nullptr, 0); }
TEST(Process, spawned_unwaited) { left(); spawn("sleep", "1000"); }
TEST(Process, spawned_ignoring_sigchld) {
  signal(SIGCHLD, SIG_IGN);
  left();
  waitpid(spawn("true", nullptr), nullptr, 0);
}
TEST(Process, daemon) {
  left();
  if (fork() == 0) {
    setsid();
    const pid_t daemon = fork();
    if (daemon == 0) for (;;) pause();
    dprintf(2, "%d", daemon);
    _exit(0);
  }
  wait(nullptr);
}
TEST(Process, spawned_by_one_that_leaves) { left(); spawn("sleep", "1000"); _exit(0); }

TEST(Load, dlopen) {
  left();
  void* object = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(object, nullptr) << dlerror();
  reinterpret_cast<int (*)()>(dlsym(object, "plugin"))();
}
static void* use(const char* path) {
  void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (object != nullptr) reinterpret_cast<int (*)()>(dlsym(object, "plugin"))();
  return object;
}
TEST(Load, and_crash) { left(); use(PLUGIN); abort(); }
TEST(Load, and_unload_and_load_again) {
  left();
  for (int i = 0; i < 3; ++i) ASSERT_EQ(dlclose(use(PLUGIN)), 0);
  if (fork() == 0) _exit(0);
  wait(nullptr);
}
TEST(Load, in_a_child) { left(); if (fork() == 0) { use(PLUGIN); _exit(0); } wait(nullptr); }
TEST(Load, before_a_child) { left(); void* object = dlopen(PLUGIN, RTLD_NOW); if (fork() == 0) { use(PLUGIN); _exit(0); } wait(nullptr); dlclose(object); }
static void* loaded_by_main = nullptr;
TEST(Load, and_unload_what_main_loaded) {
  ASSERT_EQ(dlclose(loaded_by_main), 0);
  if (fork() == 0) { right(); _exit(0); }
  int status = 1;
  wait(&status);
  EXPECT_EQ(status, 0);
}
TEST(Load, a_stranger) { left(); EXPECT_NE(use(UNKNOWN), nullptr); }
TEST(Load, a_system_library) { left(); EXPECT_NE(dlopen("libutil.so.1", RTLD_NOW), nullptr); }

static const bool asks_at_start = getenv("AT_START") != nullptr;
TEST(Variables, asked_by_all) {
  left();
  EXPECT_EQ(getenv("OF_TEST"), getenv("OF_TEST"));
  EXPECT_STREQ(getenv("SET_FOR_TEST"), "some value");
  std::thread([] { getenv("OF_THREAD"); }).join();
  if (fork() == 0) { secure_getenv("OF_CHILD"); abort(); }
  wait(nullptr);
  EXPECT_EQ(system("OF_SHELL=1 " TOOL), 0);
}
TEST(Variables, asked_too_often) {
  left();
  for (int i = 0; i < 20000; ++i) getenv(("V" + std::to_string(i)).c_str());
}

// Rows tell by a variable which process ran the test.
static void tell_process() { getenv(("PROCESS_" + std::to_string(getpid())).c_str()); }
static int global = 1;
static std::vector<int>* const on_heap = new std::vector<int>(1000, 1);
static thread_local int of_thread = 1;
static int descriptors() { int n = 0; for (int fd = 0; fd < 800; ++fd) n += fcntl(fd, F_GETFD) != -1; return n; }
static FILE* const opened_before = fopen("/proc/self/status", "r");
static const int first_descriptors = descriptors();
static const char* const first_break = static_cast<char*>(sbrk(0));
static int times_at_exit = 0;
TEST(Before, changes_all_of_its_memory) {
  tell_process();
  left();
  volatile char frame[200000];
  for (size_t i = 0; i < sizeof frame; ++i) frame[i] = 1;
  global = of_thread = errno = 2;
  std::fill(on_heap->begin(), on_heap->end(), 2);
  on_heap->push_back(2);
  setenv("LEFT_BEHIND", "2", 1);
  srand(2);
  fesetround(FE_UPWARD);
  std::cout << std::hex;
  std::set_terminate(abort);
  atexit([] { ++times_at_exit; });
  static struct late { ~late() { ++times_at_exit; } } now;
  static std::vector<std::string> kept;
  for (int i = 0; i < 10000; ++i) kept.push_back(std::string(100, 'x'));  // of the heap's end
  static std::vector<char> mapped(1 << 20, 'x');
  static FILE* const open_file = fopen("/proc/self/status", "r");
  EXPECT_NE(fgetc(open_file), EOF);
}
TEST(Rewound, once_more) { tell_process(); left(); EXPECT_EQ(global, 1); global = 2; }
TEST(Rewound, closes_what_it_opened) { tell_process(); left(); for (int i = 0; i < 100; ++i) close(open("/dev/null", O_RDONLY)); }
TEST(Rewound, exits) { tell_process(); left(); exit(0); }
TEST(Rewound, crashes) { tell_process(); left(); __builtin_trap(); }
TEST(Rewound, aborts) { tell_process(); left(); abort(); }
TEST(Rewound, exits_in_a_handler) { tell_process(); left(); volatile int zero = 0; zero = 1 / zero; }
static const bool handles = signal(SIGFPE, [](int) { exit(0); }) != SIG_ERR;

TEST(Remembered, a_thread) { tell_process(); std::thread([] {}).join(); }
TEST(Remembered, a_child) { tell_process(); if (fork() == 0) _exit(0); wait(nullptr); }
TEST(Remembered, a_spawned_child) { tell_process(); system("true"); }
TEST(Remembered, a_handler) { tell_process(); signal(SIGUSR1, [](int) {}); }
TEST(Remembered, a_handler_of_sigsys) { tell_process(); EXPECT_EQ(signal(SIGSYS, SIG_IGN), SIG_DFL); }
TEST(Remembered, what_was_read) { tell_process(); EXPECT_EQ(fgetc(opened_before), 'N'); }
TEST(Remembered, a_mask) { tell_process(); sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, nullptr); }
TEST(Remembered, a_folder) { tell_process(); EXPECT_EQ(chdir("/"), 0); }
TEST(Remembered, a_file_that_is_written) { tell_process(); fclose(fopen("/dev/null", "w")); }
TEST(Remembered, a_copy_of_a_descriptor) { tell_process(); dup(1); }
TEST(Remembered, a_closed_descriptor) { tell_process(); close(1); }
TEST(Remembered, a_limit) { tell_process(); rlimit none = {0, 0}; setrlimit(RLIMIT_CORE, &none); }
TEST(Remembered, a_timer) { tell_process(); alarm(1000); }
TEST(Remembered, protection) { tell_process(); mprotect(reinterpret_cast<void*>(0x10000), 0, PROT_READ); }
TEST(Remembered, a_library) { tell_process(); dlopen("libm.so.6", RTLD_NOW); dlopen(PLUGIN, RTLD_NOW); }
TEST(Remembered, many_calls) { tell_process(); for (int i = 0; i < 10000; ++i) getppid(); }
TEST(After, finds_memory_as_it_was) {
  tell_process();
  right();
  EXPECT_EQ(global, 1);
  EXPECT_EQ(of_thread, 1);
  EXPECT_EQ(*on_heap, std::vector<int>(1000, 1));
  EXPECT_EQ(on_heap->capacity(), 1000u);
  EXPECT_EQ(getenv("LEFT_BEHIND"), nullptr);
  EXPECT_EQ(fegetround(), FE_TONEAREST);
  std::ostringstream number;
  number.copyfmt(std::cout);
  number << 16;
  EXPECT_EQ(number.str(), "16");
  EXPECT_NE(std::get_terminate(), abort);
  EXPECT_EQ(times_at_exit, 0);
  sigset_t mask, none;
  sigemptyset(&none);
  sigprocmask(SIG_BLOCK, nullptr, &mask);
  for (int signal = 1; signal < 32; ++signal) EXPECT_EQ(sigismember(&mask, signal), 0) << signal;
  EXPECT_EQ(descriptors(), first_descriptors);
  std::vector<char> bytes(1 << 20);
  char* const more = static_cast<char*>(sbrk(1 << 16));
  EXPECT_EQ(std::count(more, more + (1 << 16), 0), 1 << 16);
  volatile char frame[400000];  // where the other test's was, and below
  size_t dirty = 0;
  for (size_t i = 0; i < 200000; ++i) dirty += frame[i] != 0;
  EXPECT_EQ(dirty, 0u);
}

TEST(Hostile, detaches_a_thread) {
  static std::atomic<bool> has_run{false};
  std::thread([] { left(); has_run = true; for (;;) pause(); }).detach();
  while (!has_run) std::this_thread::yield();
}
TEST(Hostile, closes_all_descriptors) { for (int fd = 0; fd < 1024; ++fd) close(fd); left(); }
TEST(Hostile, changes_directory) { ASSERT_EQ(chdir("/"), 0); left(); }
TEST(Hostile, clears_the_environment) { clearenv(); left(); }
TEST(Hostile, writes_a_lot) { for (int i = 0; i < 100000; ++i) puts("much ado"); left(); }
TEST(Hostile, resets_and_dumps_counters) { left(); __gcov_reset(); __gcov_dump(); }
TEST(Hostile, leaves_its_group) { left(); setpgid(0, getpgid(getppid())); for (;;) pause(); }

static pid_t child_of_main = 0;

static int writes = 0;
extern "C" ssize_t writev(int to, const iovec* parts, int count) {
  ++writes;
  return syscall(SYS_writev, to, parts, count);
}

TEST(Binding, of_what_the_program_replaces) {
  std::ofstream file("/dev/null");
  file.put('-').write(std::string(1000000, '-').data(), 1000000);  // the library calls it for both
  EXPECT_GT(writes, 0);
}
TEST(Binding, of_what_is_nowhere) {
  void* const loaded = dlopen(LAZY, RTLD_LAZY);
  ASSERT_NE(loaded, nullptr) << dlerror();
  EXPECT_EQ(reinterpret_cast<int (*)()>(dlsym(loaded, "plugin"))(), 11);
}

TEST(Request, keeps_the_value_of_somebody_else) {
  EXPECT_STREQ(getenv("GTEST_BRIEF"), "1");
}

TEST(Request, is_invisible) {
  EXPECT_EQ(getenv("GTEST_BRIEF"), nullptr);
  EXPECT_EQ(getenv("MORPH_COVERAGE_FD"), nullptr);
  EXPECT_EQ(getenv("MORPH_COVERAGE_TIMEOUT"), nullptr);
  EXPECT_EQ(getenv("MORPH_COVERAGE_TESTS"), nullptr);
  EXPECT_EQ(getenv("MORPH_COVERAGE_TEST"), nullptr);
  EXPECT_EQ(fcntl(atoi(getenv("SUBJECT_STREAM")), F_GETFD), -1);
  EXPECT_EQ(system("test -z \"$MORPH_COVERAGE_FD\" && test ! -e /proc/self/fd/$SUBJECT_STREAM"), 0);
}
TEST(Request, leaves_signals_alone) {
  struct sigaction action;
  sigaction(SIGPIPE, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
  sigaction(SIGCHLD, nullptr, &action);
  EXPECT_EQ(action.sa_handler, SIG_DFL);
}
TEST(Request, spares_the_child_of_main) { EXPECT_EQ(kill(child_of_main, 0), 0); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::AddGlobalTestEnvironment(new world);
  testing::UnitTest::GetInstance()->listeners().Append(new hearing);
  const pid_t self = getpid();
  if (getenv("SUBJECT_PLUGIN")) loaded_by_main = dlopen(PLUGIN, RTLD_NOW);
  if (getenv("SUBJECT_THREAD")) std::thread([] { for (;;) pause(); }).detach();
  if (getenv("SUBJECT_CHILD") && (child_of_main = fork()) == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == self) pause();
    _exit(0);
  }
  const int result = RUN_ALL_TESTS();
  tail();
  return result;
}
)program"},
    {"decides.cpp", R"program(
#include <sys/wait.h>
#include <unistd.h>
int both(int a, int b) { return a && b; }
int main(int count, char**) {
  both(1, 1);
  if (count < 2) return 0;
  if (fork() == 0) return both(1, 1) + both(0, 1) + both(1, 0) - 1;
  wait(nullptr);
}
)program"},
    {"program.cpp", R"program(
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int left(); int right(); int greeting();
struct greeter { greeter() { greeting(); } } early __attribute__((init_priority(200)));
int main(int, char** arguments) {
  left();
  if (!strcmp(arguments[1], "pass")) return right() - 2;
  if (!strcmp(arguments[1], "fail")) return 3;
  if (!strcmp(arguments[1], "exit")) exit(0);
  if (!strcmp(arguments[1], "_exit")) _exit(0);
  if (!strcmp(arguments[1], "again")) execl("/proc/self/exe", arguments[0], "pass", nullptr);
  if (!strcmp(arguments[1], "again_to__exit")) execl("/proc/self/exe", arguments[0], "_exit", nullptr);
  if (!strcmp(arguments[1], "abort")) abort();
  if (!strcmp(arguments[1], "term")) raise(SIGTERM);
  if (!strcmp(arguments[1], "system")) return system("true");
  for (volatile int i = 0;; i = i + 1) {}
}
)program"},
    {"host.cpp", R"program(
#include <dlfcn.h>
#include <unistd.h>
int main(int, char** arguments) { _exit(dlopen(arguments[1], RTLD_NOW) == nullptr); }
)program"},
    {"bare.cpp", "int plain(); int main() { return plain() - 7; }"},
    {"caller.cpp", "int library(); int main() { return library() - 5; }"},
    {"version.cpp", R"program(
struct root { void* list; unsigned bits; root* next; root* previous; } only = {0, 0, 0, 0};
extern "C" struct { unsigned version; root* first; } __gcov_master = {('B' << 24) + ('7' << 16) + ('1' << 8) + '*', &only};
int main() {}
)program"},
};

fs::path sources_of_runtime() {
  return fs::path(MORPH_SOURCE_DIR) / "plugin/runtime";
}

fs::path format() {
  return fs::path(MORPH_SOURCE_DIR) / "coverage/gcov";
}

}  // namespace

string contents(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What a shell command prints, or "(failed)".
string output_of(const string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  string text;
  for (char buffer[4096]; size_t n = fread(buffer, 1, sizeof buffer, pipe);) text.append(buffer, n);
  return pclose(pipe) == 0 ? text : "(failed) " + text;
}

bool is_present(const string& compiler) {
  return !test_support::installed(compiler).empty();
}

namespace {

/// Asked once: starting a compiler takes longer than many a test.
string macros_of(const string& compiler) {
  const fs::path answer = test_support::kept(
      "macros", test_support::version_of(test_support::installed(compiler)), [&](const auto& folder) {
        std::ofstream(folder / "macros") << output_of("'" + compiler + "' -E -dM -x c++ /dev/null");
      });
  return contents(answer / "macros");
}

}  // namespace

bool is_supported_gcc(const string& compiler) {
  const string macros = macros_of(compiler);
  const string define = "define __GNUC__ ";
  const auto at = macros.find(define);
  const int version = at == string::npos ? 0 : std::stoi(macros.substr(at + define.size()));
  return macros.find("__clang__") == string::npos && 11 <= version && version <= 16;
}

bool is_clang(const string& compiler) {
  return macros_of(compiler).find("define __clang__ ") != string::npos;
}

bool is_supported_clang(const string& compiler) {
  const string macros = macros_of(compiler);
  return std::any_of(std::begin(measured_clangs), std::end(measured_clangs), [&](const char* major) {
    return macros.find(string("define __clang_major__ ") + major + "\n") != string::npos;
  });
}

workshop::workshop(string compiler) : compiler_(std::move(compiler)), clang_(is_clang(compiler_)) {
  string key = compiler_ + test_support::version_of(test_support::installed(compiler_));
  for (const auto& [name, text] : sources) key += name + text;
  for (const auto& entry : std::set<fs::path>(fs::directory_iterator(sources_of_runtime()), fs::directory_iterator()))
    key += contents(entry);
  key += contents(format() / "stream_format.h") + contents(MORPH_SOURCE_DIR "/tests/unit/runtime/runtime_programs.cpp");
  std::ostringstream hash;
  hash << std::hex << std::hash<string>()(key);
  folder_ = fs::read_symlink("/proc/self/exe").parent_path() / "runtime_programs" / hash.str();
  fs::create_directories(folder_);
  for (const auto& [name, text] : sources)
    if (!fs::exists(folder_ / name)) std::ofstream(folder_ / name) << text;
}

fs::path workshop::cases() const {
  return made("cases", [this] {
    string objects;
    for (const char* name :
         {"left", "right", "computed", "once", "greeting", "farewell", "environment", "fixture", "listening", "tail"})
      objects += object(name);
    const auto macro = [](const string& name, const fs::path& path) {
      return "-D" + name + "='\"" + path.string() + "\"' ";
    };
    objects += object(
        "cases", macro("PLUGIN", shared("plugin", object("loading") + module())) + macro("UNKNOWN", shared("unknown")) +
                     macro("LAZY", shared("lazy", " -Wl,-z,lazy" + module())) + macro("TOOL", folder_ / "tool") +
                     macro("STRANGER", folder_ / "stranger") + macro("HOST", folder_ / "host"));
    run(object("host", "", "") + " -ldl -o host", folder_ / "host");
    run("--coverage" + object("tool") + object("served") + object("left") + runtime() + " -ldl -o tool",
        folder_ / "tool");
    run("--coverage" + object("tool") + object("served") + object("left") + " -o stranger", folder_ / "stranger");
    return "-Wl,--exclude-libs,ALL -Wl,--export-dynamic-symbol=morph_runtime_loaded "
           "-Wl,--export-dynamic-symbol=morph_runtime_unloaded --coverage" +
           objects + runtime() + runtime_object("gtest") + " -lgtest -lpthread -ldl " +
           shared("library", clang_ ? module() : "").string();
  });
}

fs::path workshop::process(const string& name, const std::function<string(const workshop&)>& objects) const {
  return made(name, [&] { return objects(*this) + runtime() + runtime_object("process") + " -ldl"; });
}

fs::path workshop::program() const {
  return process("program", [](const workshop& here) {
    return "--coverage" + here.object("program") + here.object("left") + here.object("right") + here.object("greeting");
  });
}

string workshop::object(const string& name, const string& flags, const string& instrument) const {
  const fs::path path = folder_ / (name + ".o");
  const bool as_in_twin = clang_ && instrument == "--coverage";
  run("-O0 " + (as_in_twin ? clang_options() : instrument) + " -fPIC " + flags + " -c " + name + ".cpp -o " + name +
          ".o",
      path);
  return " " + path.string();
}

fs::path workshop::shared(const string& name, const string& more) const {
  const string made = object(name) + more;
  const fs::path path = folder_ / (name + ".so");
  run("-shared --coverage" + made + " -o " + name + ".so", path);
  return path;
}

// As the CMake module has them for the twin.
string workshop::clang_options() const {
  return "-fprofile-arcs -ftest-coverage -Xclang -coverage-version=A93L -include " +
         (sources_of_runtime() / "morph_clang_arcs.h").string();
}

string workshop::runtime() const {
  return runtime_object("capture") + runtime_object("counters") + runtime_object("end") +
         runtime_object("environment") + runtime_object("snapshot") + runtime_object("shared") + profiling();
}

string workshop::module() const {
  return runtime_object("module") + profiling();
}

string workshop::profiling() const {
  return clang_ ? runtime_object("llvm") : "";
}

string workshop::runtime_object(const string& name) const {
  const string file = "morph_" + name;
  const string standard = name == "gtest" ? "" : "-std=c++11 ";  // later ones of GoogleTest need a later one
  run(standard + "-O2 -fPIC -I" + format().string() + " -c " + (sources_of_runtime() / file).string() + ".cpp -o " +
          file + ".o",
      folder_ / (file + ".o"));
  return " " + (folder_ / (file + ".o")).string();
}

// Tests run at the same time in other processes wait here for one of them to build.
fs::path workshop::made(const string& name, const std::function<string()>& link) const {
  const int lock = open((folder_ / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  flock(lock, LOCK_EX);
  const fs::path path = folder_ / name;
  if (!fs::exists(path)) run(link() + " -o " + name, path);
  close(lock);
  return path;
}

void workshop::run(const string& arguments, const fs::path& product) const {
  if (fs::exists(product)) return;
  const string said = output_of("cd " + folder_.string() + " && " + compiler_ + " -w " + arguments);
  EXPECT_TRUE(said.empty()) << compiler_ << ' ' << arguments << '\n' << said;
}

}  // namespace morph::runtime_tests
