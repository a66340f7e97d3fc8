// Emitted tests are compiled and run before anybody sees them: what does not compile, fails or flakes is left out.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"
#include "plugin/generate/emit.hpp"
#include "plugin/generate/program.hpp"
#include "plugin/system/observer.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct verification {
  bool is_done = false;  // else `why` says why not
  std::string why{};
  bool is_sanitized = false;                                 // they ran under AddressSanitizer, too
  bool has_other_times = false;                              // each run was on another day, as they saw it
  std::size_t uncompilable = 0, failed = 0, unsanitary = 0;  // tests that were left out
};

/// Erases from `tests` those that the compiler rejects, and those that do not pass in each of five runs, in another
/// order, on another day and with other contents of fresh memory each time, nor once under AddressSanitizer, where that
/// builds. `text` writes the source of some tests.
result<verification> verify(const build::build_tree& tree, const call_program& program, std::vector<test_case>& tests,
                            const std::function<std::string(const std::vector<test_case>&)>& text,
                            system::observer& told);

}  // namespace morph::generate
