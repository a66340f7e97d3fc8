// Which environment variables this program reads: its getenv() is ours, for its shared objects too.
#ifndef MORPH_RUNTIME_ENVIRONMENT_H
#define MORPH_RUNTIME_ENVIRONMENT_H

#include <stddef.h>

namespace morph_runtime {

// From now on, `tell` is called with every name that is read for the first time.
void tell_variables(void (*tell)(const char* name));

// Names that need not be told any more, each with a zero behind it.
void know_variables(const char* names, size_t bytes);

// Names read so far, each with a zero behind it.
const char* variables_read(size_t* bytes);

}  // namespace morph_runtime

#endif
