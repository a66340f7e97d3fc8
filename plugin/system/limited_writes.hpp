// A process that can write below some folders alone, whatever it is told to do.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "plugin/system/descriptor.hpp"

namespace morph::system {

/// Landlock, of Linux 6.2 and newer. What is given to it before stays open.
class write_limit {
 public:
  /// Nothing where the kernel does not know how.
  static std::optional<write_limit> below(const std::vector<std::filesystem::path>& folders);

  /// In the child, before exec: only async-signal-safe calls. Holds for all that it starts.
  void restrict_this_process() const;

 private:
  explicit write_limit(descriptor rules) : rules_(std::move(rules)) {}
  descriptor rules_;
};

}  // namespace morph::system
