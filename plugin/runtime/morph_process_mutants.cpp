// Adapter for a program that is one test: mutants are served before its main(), and its exit status decides.
#include <errno.h>

#include "morph_serve.h"

namespace {

__attribute__((constructor)) void serve() {
  if (!morph_runtime::serves_mutants()) return;
  morph_runtime::ends_with_status();
  const char* const name = program_invocation_short_name;
  size_t bytes = 0;
  while (name[bytes++] != '\0') continue;
  morph_runtime::serve_mutants(name, bytes, "", 1, 1);
  morph_runtime::test_begins(0);
}

}  // namespace
