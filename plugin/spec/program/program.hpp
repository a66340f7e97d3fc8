// The command line of a program of specs.
#pragma once

namespace morph {

/// 0: every relation holds; 1: one is violated; 2: wrong arguments; 3: a file or seed that is missing; 4: internal.
int spec_main(int count, char** arguments);

}  // namespace morph
