// The table of a program or shared library: which functions it has, and its text with a probe at the entry of each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "coverage/probe/format.h"

namespace morph::probe {

struct probed_function {
  std::uint32_t address = 0;  // of the load bias
  std::uint64_t size = 0;     // bytes
  morph_probe::probe_kind kind = morph_probe::probe_kind::none;
  std::uint32_t block = 0;              // bytes from the function's begin, if it is a block of a function
  std::vector<std::string_view> names;  // mangled; into the file's bytes
  bool is_of_every_test = false;        // it has no probe and counts as entered
};

struct probe_table {
  std::vector<probed_function> functions;  // by address
  std::string bytes;                       // of the file that the runtime maps
};

/// As function_of() says them.
using symbols = std::set<std::string, std::less<>>;

/// A function whose blocks get probes of their own.
struct blocked_function {
  std::uint64_t size = 0;             // bytes, as in its object
  std::vector<std::uint32_t> begins;  // of its blocks but the first, ascending
};
/// By symbol. Of functions of that symbol that are several, or of another size, nothing is known.
using blocked_functions = std::map<std::string, blocked_function, std::less<>>;

/// `file`: the bytes of a linked ELF file, to which the result's names refer. Takes time for each byte of text and each
/// symbol; about 20 ms for 15,000 functions. Errors say why probes cannot be there. `of_every_test`: functions that get
/// no probe, but for hooks, those with blocks and those whose name another one has.
tl::expected<probe_table, std::string> make_table(std::string_view file, std::string_view path,
                                                  const symbols& of_every_test = {},
                                                  const blocked_functions& blocks = {});

/// As the runtime calls the table of a file: by its build id, else by number, size and time of the file itself.
tl::expected<std::string, std::string> key_of(std::string_view file, const std::string& path);

/// Whether the program ends at once where a library is loaded before its own: a sanitizer that replaces memory.
bool refuses_other_libraries(std::string_view file);

/// Whether a function of that symbol is entered by jumps of another one alone: `.cold` parts.
bool is_entered_by_jumps(std::string_view symbol);

/// The symbol without what optimizers put behind it: `.part.0`, `.constprop.1`, `.isra.0`, `.cold`.
std::string_view function_of(std::string_view symbol);

}  // namespace morph::probe
