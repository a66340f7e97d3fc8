// What all reports share: where they are written, and which files they tell of.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/command/command.hpp"
#include "plugin/project/repository.hpp"

namespace morph::command {

/// Standard output, or a file that is there when it is whole.
class output {
 public:
  /// An empty path is standard output.
  static project::result<output> open(const std::string& path);
  void write(std::string_view text);
  project::result<void> close();

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

/// `morph report mutation`: adds it, and returns it with what runs it.
std::pair<CLI::App*, action> add_report_mutation(CLI::App& app, const common_options& common);

}  // namespace morph::command
