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

void append_name(const char* name) {
  append(name, strlen(name) + 1);
}

}  // namespace

void record_variables(const char* row) {
  folder = row;
  morph_runtime::tell_variables(append_name);
  size_t size = 0;
  const char* const names = morph_runtime::variables_read(&size);
  if (size != 0) append(names, size);
}

}  // namespace morph_probe
