// Executers that are other programs: a command for each run, or one process that answers a line with a line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "morph/case.hpp"

namespace morph {

/// What a run of another program gave: its output, or how else it ended.
struct program_answer {
  ended how = ended::output;
  std::string text;  // the output, or what went wrong
};

/// Runs `words[0]` with the other words as its arguments, and waits for it to end. `{}` in a word stands for the input;
/// without one, the input is its standard input. Standard output is the answer; another exit status than 0 is an
/// exception that says what the program wrote to standard error.
program_answer run_command(const std::string& command, std::string_view input, double seconds);

/// A process that reads inputs, one a line, and answers each with a line of JSON: the output, or `{"error": "why"}`. It
/// is started when it is first asked, and again after it died.
class line_process {
 public:
  explicit line_process(std::string command);
  ~line_process();
  line_process(line_process&&) noexcept;
  line_process& operator=(line_process&&) noexcept;
  program_answer ask(std::string_view line, double seconds);

 private:
  struct running;
  std::string command_;
  std::unique_ptr<running> running_;
};

}  // namespace morph
