// What the server is started with.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace morph::studio {

struct settings {
  std::string version{};                // of Morph
  std::filesystem::path repository{};   // its top, or the source folder where there is none; canonical
  std::filesystem::path build{};        // the build tree, canonical
  std::filesystem::path store{};        // the evidence store; need not exist
  std::vector<std::string> commands{};  // subcommands that may be started
  std::vector<std::string> typed{};     // options of `morph studio` itself that each of them gets, as they were typed
  std::string ctest{};                  // the program; started in place of a subcommand `ctest`
  std::string ctest_config{};           // what `ctest -C` says; may be empty
  std::uint16_t port = 0;               // 0: any that is free
  std::string program = "/proc/self/exe";
};

}  // namespace morph::studio
