// The mutants of a unit, all in a second program of calls.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "plugin/generate/program.hpp"
#include "plugin/generate/served_program.hpp"

namespace morph::generate {

/// A mutant as `morph mutate` has it: what is there in place of these bytes of a file.
struct mutant_text {
  std::string file{};  // from the root of the project
  std::uint32_t begin = 0, end = 0;
  std::string op{}, replacement{};
};

/// A mutant of a function of the unit: `op` as `morph mutate` calls it, what it changes and what is there instead.
struct unit_mutant {
  std::string file{};  // from the root of the project
  std::uint32_t line = 0;
  std::string op{}, original{}, text{};
  mutant_switch on{};
  bool is_compared = false;             // recorded nodes say whether it had another value than the original
  std::optional<std::size_t> wanted{};  // its place among those that were asked for
};

struct mutant_program {
  std::filesystem::path executable{};
  std::vector<unit_mutant> mutants{};
};

/// Rewritten as for `morph mutate`, with its default operators. What a compiler rejects is left out. `plain`: the
/// program whose callables it has; `of` is as that has left it. `wanted`: these and no others; none: all.
/// Nothing outside of <build>/.morph/generate is written.
result<mutant_program> build_mutants(const build::build_tree& tree, subject& of, const call_program& plain,
                                     const std::vector<mutant_text>& wanted, system::observer& told);

}  // namespace morph::generate
