// Names of the environment that a process asks for.
#ifndef MORPH_RUNTIME_PROBE_VARIABLES_H
#define MORPH_RUNTIME_PROBE_VARIABLES_H

namespace morph_probe {

// From now on, and those asked for so far.
void record_variables(const char* row);

}  // namespace morph_probe

#endif
