// The begin of a process that records, what its row lacks, and what it hands on to others.
#include "probe.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "objects.h"
#include "plugin/spool/recording.h"
#include "plugin/spool/series.h"
#include "recorder.h"
#include "series.h"
#include "text.h"
#include "variables.h"

extern "C" void* __libc_stack_end;

namespace morph_probe {
namespace {

const char* const* environment = nullptr;
const char *tables = nullptr, *row = nullptr, *build = nullptr;
bool is_started = false;

const char* variable(const char* name) {
  for (const char* const* entry = environment; *entry != nullptr; ++entry) {
    const char *at = *entry, *wanted = name;
    while (*wanted != '\0' && *at == *wanted) ++at, ++wanted;
    if (*wanted == '\0' && *at == '=') return at + 1;
  }
  return nullptr;
}

bool is_traced() {
  char lines[room_for_status];
  const char* const tracer = own_status("TracerPid:\t", lines);
  return tracer != nullptr && *tracer != '0';
}

const char* own_path() {
  const uintptr_t here = reinterpret_cast<uintptr_t>(&is_traced);
  const link_map* found = nullptr;
  for (const link_map* map = _r_debug.r_map; map != nullptr; map = map->l_next)
    if (map->l_addr <= here && (found == nullptr || map->l_addr > found->l_addr)) found = map;
  return found != nullptr ? found->l_name : "";
}

char of_row[1100];  // MORPH_PROBES_ROW=ROW. No object: its constructor would come after start() and empty it.

// Whoever is executed with the environment that the kernel gave us belongs to the row, and asks for none of its own.
void give_to_children(char* asked, const char* granted) {
  if (granted == nullptr) {
    *asked = '\0';
    return;
  }
  text given;
  given << "MORPH_PROBES_ROW=" << granted;
  if (given.fits && given.size < sizeof of_row)
    for (size_t i = 0; i <= given.size; ++i) of_row[i] = given.bytes[i];
  char* const entry = asked - sizeof "MORPH_PROBES_LEARN=" + 1;
  size_t room = 0;
  while (entry[room] != '\0') ++room;
  const bool fits = of_row[0] != '\0' && given.size <= room;
  for (size_t i = 0; fits && i <= given.size; ++i) entry[i] = given.bytes[i];
  if (!fits) *asked = '\0';
}

// The loader has told it about all objects that the process starts with.
void start() {
  if (is_started) return;
  is_started = true;
  const long arguments = *static_cast<const long*>(__libc_stack_end);
  environment = static_cast<const char* const*>(__libc_stack_end) + 1 + arguments + 1;
  tables = variable("MORPH_PROBES"), row = variable("MORPH_PROBES_ROW"), build = variable("MORPH_PROBES_BUILD");
  const char* const asked = variable("MORPH_PROBES_LEARN");
  const bool asks = row == nullptr && asked != nullptr && *asked != '\0';
  if (tables == nullptr || (row == nullptr && !asks)) return;
  const char* const series = variable("MORPH_PROBES_SERIES");
  const bool is_series = series != nullptr && *series != '\0' && begin_series(series);
  if (row != nullptr && !is_of_recorder(row)) call_kernel(SYS_mkdirat, AT_FDCWD, row, 0777);
  if (is_traced()) {
    note_incomplete("a debugger");
    row = nullptr;
    if (is_series) refuse_series(series_refusal::no_row);
    return;
  }
  if (asks) row = ask_for_row(asked, is_series ? series : "", own_path());
  if (asks) give_to_children(const_cast<char*>(asked), row);
  if (is_series) {  // not of what is executed
    *const_cast<char*>(series) = '\0';
    if (char* const bind_now = const_cast<char*>(variable("LD_BIND_NOW"))) *bind_now = '\0';
  }
  if (row == nullptr && is_series) refuse_series(series_refusal::no_row);
  if (row == nullptr) return;
  begin_row(row);
  catch_traps();
  look_at_objects();
  if (is_series && !has_hook(first_hook())) refuse_series(series_refusal::no_framework);
  if (is_series) series_has_row(row);
  const uintptr_t loader_tells_at = _r_debug.r_brk, page = loader_tells_at & ~static_cast<uintptr_t>(page_size - 1);
  if (loader_tells_at == 0 || call_kernel(SYS_mprotect, page, 2 * page_size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    return note_incomplete("libraries that are loaded later are not seen");
  watch_loader(loader_tells_at);
}

// The program's own resolvers and .preinit_array come after those of the libraries that it starts with: this one is the
// earliest code here.
extern "C" void morph_probe_started() __attribute__((visibility("hidden"), ifunc("morph_probe_start")));
extern "C" void morph_probe_nothing() {}
extern "C" __attribute__((used)) void (*morph_probe_start())() {
  start();
  return morph_probe_nothing;
}

// Refers to it, and comes before every other constructor.
__attribute__((constructor)) void start_at_last() {
  morph_probe_started();
  start();
  find_next_exit();
  if (row == nullptr) return;
  record_variables(row);
  tell_end_of(row);
}

}  // namespace

bool is_active() {
  return row != nullptr;
}

const char* folder_of_tables() {
  return tables;
}
const char* folder_of_row() {
  return row;
}
const char* const* environment_at_start() {
  return environment;
}

void note_incomplete(const char* reason, const char* of) {
  if (row == nullptr) return;
  text path, line;
  path << row << "/incomplete";
  line << reason << of << "\n";
  const long file = open_of_row(path.bytes, O_WRONLY | O_APPEND);
  if (file < 0) return;
  constexpr long enough = 65536;  // a test may start a great many processes
  struct stat status;
  if (call_kernel(SYS_fstat, file, &status) == 0 && status.st_size < enough)
    call_kernel(SYS_write, file, line.bytes, line.size);
  row_has_grown();
  call_kernel(SYS_close, file);
}

void note_incomplete(const char* reason) {
  note_incomplete(reason, "");
}

const char* own_status(const char* field, char* lines) {
  const long file = call_kernel(SYS_openat, AT_FDCWD, "/proc/self/status", O_RDONLY | O_CLOEXEC, mode_of_own_opens);
  if (file < 0) return nullptr;
  const long size = call_kernel(SYS_read, file, lines, room_for_status - 1);
  call_kernel(SYS_close, file);
  lines[size > 0 ? size : 0] = '\0';
  for (const char* at = lines; *at != '\0'; ++at) {
    if ((at != lines && at[-1] != '\n') || !begins_with(at, field)) continue;
    while (*field != '\0') ++at, ++field;
    return at;
  }
  return nullptr;
}

bool is_of_build(const char* path) {
  return build != nullptr && begins_with(path, build);
}

const char* const* injected_variables() {
  static const char* found[5];
  static const char* const names[] = {"LD_PRELOAD", "MORPH_PROBES", "MORPH_PROBES_ROW", "MORPH_PROBES_BUILD"};
  size_t count = 0;
  for (const char* const name : names) {
    const char* const value = is_active() ? variable(name) : nullptr;
    const bool is_granted = name == names[2] && of_row[0] != '\0' && is_active();
    if (is_granted) found[count++] = of_row;
    if (is_granted) continue;
    size_t length = 0;
    while (name[length] != '\0') ++length;
    if (value != nullptr) found[count++] = value - length - 1;
  }
  found[count] = nullptr;
  return found;
}

}  // namespace morph_probe
