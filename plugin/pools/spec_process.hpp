// Questions to a program of ours that goes on, a line each, and its answers.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "plugin/build/build_tree.hpp"

namespace morph::pools {

/// A program with its standard input and output between us. What it writes to its standard error goes to ours. It gets
/// the end of its input when this is destroyed, and is waited for.
class spec_process {
 public:
  static result<std::unique_ptr<spec_process>> start(const std::vector<std::string>& arguments);
  spec_process(const spec_process&) = delete;
  spec_process& operator=(const spec_process&) = delete;
  ~spec_process();

  /// The line that it answers, without its end; an error if it ends instead.
  result<std::string> ask(const std::string& question);

 private:
  spec_process(pid_t process, std::FILE* to, std::FILE* from) : process_(process), to_(to), from_(from) {}
  std::string end();

  pid_t process_;
  std::FILE* to_;
  std::FILE* from_;
};

}  // namespace morph::pools
