// What all reports share: where they are written, and which files they tell of.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/git/repository.hpp"
#include "plugin/system/result.hpp"

namespace morph::report {

/// Standard output, or a file that is there when it is whole.
class output {
 public:
  /// An empty path is standard output.
  static result<output> open(const std::string& path);
  void write(std::string_view text);
  result<void> close();

 private:
  struct closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string path_, written_;
  std::unique_ptr<std::FILE, closer> file_;
  int error_ = 0;
};

/// Whether a path matches one of `only`, if there is any, and none of `without`.
std::function<bool(const std::string&)> filter_of(const std::vector<std::string>& only,
                                                  const std::vector<std::string>& without);

}  // namespace morph::report
