// The command line as a tree of descriptions, whatever library reads it.
#pragma once

#include <string>
#include <vector>

namespace morph::reference {

struct described_option {
  std::string spelling;  // "--build DIR"
  std::string meaning;   // a sentence without its end; the default is part of it
};

struct described_command {
  std::string name;
  std::string meaning;
  std::string footer{};
  std::vector<described_option> options{};  // of its own
  std::vector<described_command> below{};
  bool is_hidden = false;
};

/// A section with the options that all commands take, and one for each command that is not hidden.
std::string commands_as_markdown(const std::vector<described_option>& of_all,
                                 const std::vector<described_command>& commands);

/// What to say of the first word that is no command where one was due; empty if there is none. An option ends the
/// commands.
std::string unknown_command(const described_command& program, const std::vector<std::string>& words);

}  // namespace morph::reference
