// ptrace(), as Linux has it since 3.4 (PTRACE_SEIZE). By numbers: the library that records this process watches libc's.
#include "plugin/tracer/tracer.hpp"

#include <elf.h>
#include <fcntl.h>
#include <linux/ptrace.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "coverage/probe/format.h"
#include "plugin/runtime/probe/machine.h"
#include "plugin/spool/recording.h"

namespace morph::tracer {
namespace {

using morph_probe::breakpoint;
using morph_probe::call_kernel;
using morph_probe::code_unit;
using morph_probe::hook_role;
using morph_probe::probe_kind;

constexpr long options =
    PTRACE_O_TRACEEXEC | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL;

/// That the kernel need not tell of: they are not the test's.
int open_own(const std::string& path, int flags) {
  const long file = call_kernel(SYS_openat, AT_FDCWD, path.c_str(), flags | O_CLOEXEC, morph_probe::mode_of_own_opens);
  return static_cast<int>(file < 0 ? -1 : file);
}

std::string read_own(const std::string& path) {
  const int file = open_own(path, O_RDONLY);
  std::string bytes;
  if (file < 0) return bytes;
  char part[65536];
  for (ssize_t size; (size = ::read(file, part, sizeof part)) > 0;) bytes.append(part, static_cast<std::size_t>(size));
  ::close(file);
  return bytes;
}

void append(const std::string& path, std::string_view text) {
  int file = open_own(path, O_WRONLY | O_APPEND);
  if (file < 0) file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) return;
  (void)!::write(file, text.data(), text.size());
  ::close(file);
}

std::string proc(pid_t process, const char* name) {
  return "/proc/" + std::to_string(process) + '/' + name;
}

std::string path_of_program(pid_t process) {
  char path[4096];
  const ssize_t size = ::readlink(proc(process, "exe").c_str(), path, sizeof path);
  return {path, static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

struct elf_facts {
  std::string key;  // as probe::key_of(); empty: it has no build id
  bool is_static = false;
  std::uint64_t entry = 0;
};

elf_facts facts_of(const std::string& path) {
  elf_facts facts;
  const int file = open_own(path, O_RDONLY);
  if (file < 0) return facts;
  Elf64_Ehdr header{};
  const bool is_elf = ::pread(file, &header, sizeof header, 0) == sizeof header &&
                      std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 && header.e_phentsize == sizeof(Elf64_Phdr);
  facts.is_static = is_elf;
  facts.entry = header.e_entry;
  for (unsigned i = 0; is_elf && i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    if (::pread(file, &segment, sizeof segment, static_cast<off_t>(header.e_phoff + i * sizeof segment)) !=
        sizeof segment)
      break;
    if (segment.p_type == PT_INTERP) facts.is_static = false;
    if (segment.p_type != PT_NOTE || segment.p_filesz > 65536) continue;
    std::string notes(segment.p_filesz, '\0');
    if (::pread(file, notes.data(), notes.size(), static_cast<off_t>(segment.p_offset)) !=
        static_cast<ssize_t>(notes.size()))
      continue;
    const std::size_t align = segment.p_align == 8 ? 8 : 4;
    for (std::size_t at = 0; at + sizeof(Elf64_Nhdr) <= notes.size();) {
      Elf64_Nhdr note;
      std::memcpy(&note, notes.data() + at, sizeof note);
      const std::size_t id = at + sizeof note + morph_probe::rounded_up(note.n_namesz, 4);
      if (id + note.n_descsz > notes.size()) break;
      if (note.n_type == NT_GNU_BUILD_ID && notes.compare(at + sizeof note, 4, std::string("GNU\0", 4)) == 0)
        for (std::size_t b = 0; b < note.n_descsz; ++b) {
          constexpr const char* digits = "0123456789abcdef";
          const auto byte = static_cast<unsigned char>(notes[id + b]);
          facts.key += digits[byte >> 4];
          facts.key += digits[byte & 15];
        }
      at = id + morph_probe::rounded_up(note.n_descsz, align);
    }
  }
  ::close(file);
  return facts;
}

/// Whose text the table has.
struct traced_program {
  morph_probe::table_view table{};
  std::uint8_t* entered = nullptr;  // of the row
  std::set<std::uint32_t> asks_for_variables;
  bool shows_variables = false;  // all functions that are asked have a breakpoint

  std::string_view text() const {
    return {reinterpret_cast<const char*>(table.header) + table.header->text_offset, table.header->text_size};
  }
  std::optional<std::uint32_t> function_at(std::uint64_t offset) const {
    const auto* const end = table.addresses + table.header->functions;
    const auto* const at = std::lower_bound(table.addresses, end, offset);
    if (at == end || *at != offset) return std::nullopt;
    const auto number = static_cast<std::uint32_t>(at - table.addresses);
    return table.kinds[number] == probe_kind::trap ? std::optional(number) : std::nullopt;
  }
};

/// One that runs.
struct traced_process {
  const traced_program* program = nullptr;
  std::uint64_t bias = 0;
};

#if defined(__x86_64__)
constexpr std::uint64_t behind_breakpoint = sizeof(code_unit);
auto& counter_of(user_regs_struct& registers) {
  return registers.rip;
}
std::uint64_t first_argument(const user_regs_struct& registers) {
  return registers.rdi;
}
#else
constexpr std::uint64_t behind_breakpoint = 0;
auto& counter_of(user_regs_struct& registers) {
  return registers.pc;
}
std::uint64_t first_argument(const user_regs_struct& registers) {
  return registers.regs[0];
}
#endif

class tracing {
 public:
  explicit tracing(const recorded_places& to) : to_(to) {}

  /// Until the last one has ended.
  void follow(pid_t program, const std::function<void(int, bool)>& has_ended) {
    program_ = program;
    for (int status = 0;;) {
      const pid_t process = ::waitpid(-1, &status, __WALL);
      if (process < 0 && errno == EINTR) continue;
      if (process < 0) return;
      take(process, status);
      if (!ended_) continue;
      for (pid_t other; (other = ::waitpid(-1, &status, __WALL | WNOHANG)) > 0;) take(other, status);
      has_ended(*std::exchange(ended_, std::nullopt), live_others());
    }
  }

 private:
  static bool live_others() {
    siginfo_t none{};
    return ::waitid(P_ALL, 0, &none, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0;
  }

  static long ask(long request, pid_t process, long address, long data) {
    return call_kernel(SYS_ptrace, request, process, address, data);
  }
  static void go_on(pid_t process, int signal = 0) { ask(PTRACE_CONT, process, 0, signal); }

  void take(pid_t process, int status) {
    if (!WIFSTOPPED(status)) {
      processes_.erase(process);
      if (process == program_) ended_ = status;
      return;
    }
    const int event = status >> 16, signal = WSTOPSIG(status);
    if (event == PTRACE_EVENT_EXEC) return take_program(process);
    if (event == PTRACE_EVENT_STOP) {
      const bool is_stopped = signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
      ask(is_stopped ? PTRACE_LISTEN : PTRACE_CONT, process, 0, 0);
      return;
    }
    if (event == PTRACE_EVENT_FORK || event == PTRACE_EVENT_VFORK || event == PTRACE_EVENT_CLONE) {
      unsigned long made = 0;
      ask(PTRACE_GETEVENTMSG, process, 0, reinterpret_cast<long>(&made));
      processes_[static_cast<pid_t>(made)] = of(process);
    }
    if (event != 0) return go_on(process);
    if (signal == SIGTRAP && take_breakpoint(process)) return;
    go_on(process, signal);
  }

  /// Another program from now on. One that is not static records itself.
  void take_program(pid_t process) {
    const elf_facts facts = facts_of(proc(process, "exe"));
    if (!facts.is_static) {
      check_that_it_records(process);
      processes_.erase(process);
      ask(PTRACE_DETACH, process, 0, 0);
      return;
    }
    traced_process made = find(process, facts);
    if (made.program != nullptr && !arm(process, made)) made.program = nullptr;
    processes_[process] = made;
    go_on(process);
  }

  /// Its environment says so, as the kernel got it.
  void check_that_it_records(pid_t process) {
    const std::string all = '\0' + read_own(proc(process, "environ")), path = path_of_program(process);
    const std::string row = std::string(1, '\0') + "MORPH_PROBES_ROW=" + to_.row + '\0';
    const bool has_library = all.find(std::string(1, '\0') + "LD_PRELOAD=") != std::string::npos;
    struct stat facts {};
    const bool has_rights =
        path.starts_with(to_.build) && ::stat(path.c_str(), &facts) == 0 && (facts.st_mode & (S_ISUID | S_ISGID)) != 0;
    if (all.find(row) == std::string::npos || !has_library || has_rights)
      note_incomplete("a static program executed one that records nothing: " + path);
  }

  traced_process find(pid_t process, const elf_facts& facts) {
    const std::string path = path_of_program(process);
    const traced_program* const program = program_of(facts.key);
    if (program == nullptr && path.starts_with(to_.build)) note_incomplete("no table of probes: " + path);
    if (program == nullptr) return {};
    if (!program->shows_variables) note_incomplete("nobody sees which variables it asks for: " + path);
    const std::string words = read_own(proc(process, "auxv"));
    std::uint64_t entry = facts.entry;
    for (std::size_t at = 0; at + sizeof(Elf64_auxv_t) <= words.size(); at += sizeof(Elf64_auxv_t)) {
      Elf64_auxv_t word;
      std::memcpy(&word, words.data() + at, sizeof word);
      if (word.a_type == AT_ENTRY) entry = word.a_un.a_val;
    }
    return {program, entry - facts.entry};
  }

  const traced_program* program_of(const std::string& key) {
    if (key.empty()) return nullptr;
    const auto [at, is_new] = programs_.try_emplace(key);
    if (is_new) at->second = read_program(key);
    return at->second ? &*at->second : nullptr;
  }

  std::optional<traced_program> read_program(const std::string& key) {
    const int file = open_own(to_.tables + '/' + key + ".probes", O_RDONLY);
    if (file < 0) return std::nullopt;
    struct stat facts {};
    ::fstat(file, &facts);
    void* const mapped = ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, file, 0);
    ::close(file);
    traced_program made;
    if (mapped == MAP_FAILED || static_cast<std::size_t>(facts.st_size) < sizeof(morph_probe::table_header))
      return std::nullopt;
    made.table = morph_probe::view_table(mapped);
    const auto& header = *made.table.header;
    const bool is_whole = std::memcmp(header.magic, morph_probe::table_magic, sizeof header.magic) == 0 &&
                          (header.flags & morph_probe::is_static) != 0 &&
                          (header.flags & morph_probe::has_text_relocations) == 0 &&
                          header.text_offset + header.text_size == static_cast<std::uint64_t>(facts.st_size) &&
                          reinterpret_cast<const char*>(made.table.hooks + header.hooks) <=
                              static_cast<const char*>(mapped) + header.text_offset;
    if (!is_whole) return std::nullopt;
    const std::string path = to_.row + '/' + key + ".entered";
    const int row = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (row < 0) return std::nullopt;
    const bool has_room = ::posix_fallocate(row, 0, header.functions) == 0;
    void* const entered =
        has_room ? ::mmap(nullptr, header.functions, PROT_READ | PROT_WRITE, MAP_SHARED, row, 0) : MAP_FAILED;
    ::close(row);
    if (entered == MAP_FAILED) return std::nullopt;
    made.entered = static_cast<std::uint8_t*>(entered);
    made.shows_variables = header.hooks > 0;
    for (std::uint32_t h = 0; h < header.hooks; ++h) {
      const morph_probe::hook& hook = made.table.hooks[h];
      if (hook.function >= header.functions) return std::nullopt;
      made.shows_variables = made.shows_variables && made.table.kinds[hook.function] == probe_kind::trap;
      if (hook.role == hook_role::get_variable) made.asks_for_variables.insert(hook.function);
    }
    return made;
  }

  /// Puts its text into the process as the table has it.
  bool arm(pid_t process, const traced_process& made) {
    const auto& header = *made.program->table.header;
    const int memory = open_own(proc(process, "mem"), O_RDWR);
    if (memory < 0) return note_incomplete("its memory cannot be written to: " + path_of_program(process)), false;
    const std::uint32_t step = header.functions / 16 + 1;
    bool is_same = true;
    for (std::uint32_t i = 0; i < header.functions; i += step) {
      code_unit there{};
      is_same = is_same &&
                ::pread(memory, &there, sizeof there,
                        static_cast<off_t>(made.bias + made.program->table.addresses[i])) == sizeof there &&
                there == static_cast<code_unit>(made.program->table.first_bytes[i]);
    }
    const std::string_view text = made.program->text();
    const bool is_armed =
        is_same && ::pwrite(memory, text.data(), text.size(), static_cast<off_t>(made.bias + header.text_address)) ==
                       static_cast<ssize_t>(text.size());
    ::close(memory);
    if (!is_armed)
      note_incomplete((is_same ? "its text cannot be replaced: " : "it was replaced while it ran: ") +
                      path_of_program(process));
    return is_armed;
  }

  /// Threads, and children until they execute another program, are those of the program that they come of. One may stop
  /// before its maker says that it is there.
  traced_process of(pid_t process) {
    const auto at = processes_.find(process);
    if (at != processes_.end()) return at->second;
    const elf_facts facts = facts_of(proc(process, "exe"));
    return processes_[process] = facts.is_static ? find(process, facts) : traced_process();
  }

  /// By words, which a tracer may write whatever rights the process has by then.
  static bool write_code(pid_t process, std::uint64_t address, code_unit code) {
    const auto word_at = static_cast<long>(address & ~std::uint64_t{sizeof(long) - 1});
    long word = 0;
    if (ask(PTRACE_PEEKTEXT, process, word_at, reinterpret_cast<long>(&word)) != 0) return false;
    std::memcpy(reinterpret_cast<char*>(&word) + (address - static_cast<std::uint64_t>(word_at)), &code, sizeof code);
    return ask(PTRACE_POKETEXT, process, word_at, word) == 0;
  }

  /// Whether it was one of ours; then the process goes on.
  bool take_breakpoint(pid_t process) {
    user_regs_struct registers{};
    iovec all{&registers, sizeof registers};
    siginfo_t why{};
    if (ask(PTRACE_GETSIGINFO, process, 0, reinterpret_cast<long>(&why)) != 0 || why.si_code <= 0) return false;
    if (ask(PTRACE_GETREGSET, process, NT_PRSTATUS, reinterpret_cast<long>(&all)) != 0) return false;
    const traced_process p = of(process);
    const std::uint64_t address = counter_of(registers) - behind_breakpoint;
    const auto function = p.program == nullptr ? std::nullopt : p.program->function_at(address - p.bias);
    if (!function) return false;
    p.program->entered[*function] = 1;
    const auto code = static_cast<code_unit>(p.program->table.first_bytes[*function]);
    if (!write_code(process, address, code)) return false;
    counter_of(registers) = address;
    ask(PTRACE_SETREGSET, process, NT_PRSTATUS, reinterpret_cast<long>(&all));
    if (!p.program->asks_for_variables.contains(*function)) return go_on(process), true;
    note_variable(process, first_argument(registers));
    // Another thread could ask unseen, or end this one, while the breakpoint is not there.
    constexpr int most_seen = 10000;
    const char* const unseen = has_threads(process)    ? "a static program with threads asks for variables"
                               : ++asked_ >= most_seen ? "a static program asks for variables all the time"
                                                       : nullptr;
    if (unseen != nullptr) return note_incomplete(unseen), go_on(process), true;
    int status = 0;
    if (ask(PTRACE_SINGLESTEP, process, 0, 0) != 0 || ::waitpid(process, &status, __WALL) != process) return true;
    if (WIFSTOPPED(status)) write_code(process, address, breakpoint);
    if (WIFSTOPPED(status) && status >> 16 == 0 && WSTOPSIG(status) == SIGTRAP)
      go_on(process);
    else
      take(process, status);
    return true;
  }

  static bool has_threads(pid_t process) {
    const std::string status = read_own(proc(process, "status"));
    const std::string_view field = "\nThreads:\t";
    const auto at = status.find(field);
    return at != std::string::npos && status.compare(at + field.size(), 2, "1\n") != 0;
  }

  void note_variable(pid_t process, std::uint64_t address) {
    constexpr std::size_t longest = 4096;
    std::string name;
    const int memory = open_own(proc(process, "mem"), O_RDONLY);
    for (char byte; name.size() < longest &&
                    ::pread(memory, &byte, 1, static_cast<off_t>(address + name.size())) == 1 && byte != '\0';)
      name += byte;
    ::close(memory);
    if (variables_.insert(name).second) append(to_.row + "/variables", {name.c_str(), name.size() + 1});
  }

  void note_incomplete(const std::string& reason) {
    if (reasons_.insert(reason).second) append(to_.row + "/incomplete", reason + '\n');
  }

  const recorded_places& to_;
  std::map<std::string, std::optional<traced_program>> programs_;  // by key
  std::map<pid_t, traced_process> processes_;                      // and threads
  std::set<std::string> variables_, reasons_;
  pid_t program_ = 0;
  std::optional<int> ended_;  // its status
  int asked_ = 0;             // for variables
};

}  // namespace

std::optional<recorded_places> places_in(const char* const* environment) {
  recorded_places to;
  for (; *environment != nullptr; ++environment)
    for (const auto& [name, value] : {std::pair{std::string_view("MORPH_PROBES="), &to.tables},
                                      std::pair{std::string_view("MORPH_PROBES_ROW="), &to.row},
                                      std::pair{std::string_view("MORPH_PROBES_BUILD="), &to.build}})
      if (std::string_view(*environment).starts_with(name)) *value = *environment + name.size();
  if (to.tables.empty() || to.row.empty()) return std::nullopt;
  return to;
}

void trace(const recorded_places& to, const std::function<void()>& execute,
           const std::function<void(pid_t process)>& has_begun,
           const std::function<void(int status, bool live_others)>& has_ended) {
  int go[2];
  if (::pipe2(go, O_CLOEXEC) != 0) ::_exit(127);
  const pid_t program = ::fork();
  if (program == 0) {
    char byte = 0;
    ::close(go[1]);
    if (::read(go[0], &byte, 1) == 1) execute();
    ::_exit(127);
  }
  ::close(go[0]);
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_IGN);
  const int nothing = open_own("/dev/null", O_RDWR);
  for (int file = 0; file < 3; ++file) ::dup2(nothing, file);
  ::close(nothing);
  if (call_kernel(SYS_ptrace, PTRACE_SEIZE, program, 0, options) != 0)
    append(to.row + "/incomplete", "a static program cannot be traced\n");
  has_begun(program);
  (void)!::write(go[1], "", 1);
  ::close(go[1]);
  tracing(to).follow(program, has_ended);
}

}  // namespace morph::tracer
