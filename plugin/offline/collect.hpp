// What studio's screens ask for, asked of this program once: documents and sources.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "plugin/studio/settings.hpp"
#include "plugin/system/observer.hpp"

namespace morph::offline {

using words = std::vector<std::string>;

struct document {
  words arguments{};  // of `morph`, without those that are the same for all
  int exit = 0;
  std::vector<std::string> messages{};  // lines of standard error, the last ones
  std::string output{};
};

struct source {
  std::string path{};
  std::string text{};
};

struct collected {
  std::vector<document> documents{};
  std::vector<source> sources{};
  std::vector<std::string> left_out{};  // sources that are too long, or would make all of them too long
};

struct bounds {
  std::size_t source = std::size_t{4} << 20;
  std::size_t sources = std::size_t{64} << 20;
};

/// Runs a command: a document, whatever becomes of it.
using asking = std::function<document(const words&)>;

/// What follows the program's name, for standard output in JSON.
words arguments_of(const words& asked, const studio::settings& of);

/// By this program in a process of its own.
asking by_own_program(const studio::settings& of);

/// Of a project without evidence the documents say what is missing.
collected collect(const studio::settings& of, const asking& ask, const bounds& at_most, system::observer& told);

}  // namespace morph::offline
