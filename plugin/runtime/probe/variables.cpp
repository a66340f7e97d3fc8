// Which environment variables a test asks for is a part of its row.
#include "variables.h"

#include <fcntl.h>
#include <string.h>

#include "machine.h"
#include "plugin/runtime/morph_environment.h"
#include "recorder.h"
#include "series.h"
#include "text.h"

namespace morph_probe {
namespace {

const char* folder = nullptr;

// One write a portion: appending is whole, whoever else appends.
void append(const char* names, size_t size) {
  text path;
  path << folder << "/variables";
  const long file = open_of_row(path.bytes, O_WRONLY | O_APPEND);
  if (file < 0) return;
  call_kernel(SYS_write, file, names, size);
  row_has_grown();
  call_kernel(SYS_close, file);
}

// What other processes of the test have asked for: a test may start a great many.
void know_names_of_others() {
  static char names[65536];
  text path;
  path << folder << "/variables";
  const long file = open_of_row(path.bytes, O_RDONLY);
  if (file < 0) return;
  const long size = call_kernel(SYS_read, file, names, sizeof names);
  call_kernel(SYS_close, file);
  if (size > 0) morph_runtime::know_variables(names, static_cast<size_t>(size));
}

void append_name(const char* name) {
  append(name, strlen(name) + 1);
}

}  // namespace

void record_variables(const char* row) {
  folder = row;
  know_names_of_others();
  morph_runtime::tell_variables(append_name);
  size_t size = 0;
  const char* const names = morph_runtime::variables_read(&size);
  if (size != 0) append(names, size);
}

}  // namespace morph_probe
