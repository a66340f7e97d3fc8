// Shapes, and a program that reads files and variables: ctest's own runs are their evidence.
#pragma once

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "shapes.hpp"

namespace morph::end_to_end {

/// Built, and run by ctest once: nine tests.
class learned_shapes : public testing::Test {
 protected:
  learned_shapes();

  /// What `ctest -L morph` starts, but for the entries that tell of the plan.
  names run(std::vector<std::string> arguments = {}) const;
  names run_after_build(const std::vector<std::string>& arguments = {}) const;
  /// To a second program beside that of the shapes.
  void add_test(const std::string& text) const;
  /// Sends a signal to those of this build tree; to how many.
  int kill_recorders(int signal = SIGKILL) const;
  /// Until what the tests did is written down.
  void wait_for_records() const;
  /// Whoever opens it to read waits for go().
  void make_fifo(const std::string& name) const;
  void go() const;
  std::filesystem::path spool() const { return p.build_dir() / ".morph" / "spool"; }

  project& p;
};

}  // namespace morph::end_to_end
