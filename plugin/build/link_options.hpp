// Which names the options of a link line are about.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace morph::build {

struct link_symbols {
  std::vector<std::string> roots;                            // --entry, -init, -fini: called from outside
  std::vector<std::string> wanted;                           // -u and its like: static libraries may define it
  std::vector<std::pair<std::string, std::string>> aliases;  // --defsym, --wrap: a name, and the one that it stands for
  bool exports = false;                                      // -rdynamic and its like: a program offers what it defines
};

/// `options` as in linked_file.
link_symbols symbols_of(std::string_view options);

/// `-Wl,a,b` as a and b; any other word as it is.
std::vector<std::string_view> linker_words(std::string_view word);

}  // namespace morph::build
