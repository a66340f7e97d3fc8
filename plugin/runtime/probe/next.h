// The function of libc that an interposed one stands before.
#ifndef MORPH_RUNTIME_PROBE_NEXT_H
#define MORPH_RUNTIME_PROBE_NEXT_H

#include <dlfcn.h>

#define MORPH_INTERPOSED extern "C" __attribute__((visibility("default")))

// Declares next_NAME, which is that function.
#define MORPH_NEXT(name)                 \
  static decltype(&::name) found_##name; \
  const decltype(&::name) next_##name = morph_probe::next_of(found_##name, #name)

namespace morph_probe {

template <typename Function>
Function next_of(Function& found, const char* name) {
  if (found == nullptr) found = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return found;
}

}  // namespace morph_probe

#endif
