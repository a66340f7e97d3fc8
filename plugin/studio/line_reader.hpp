// Bytes as they come to whole lines.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace morph::studio {

/// A line that is longer than `longest` comes in pieces, which do not split a UTF-8 character.
class line_reader {
 public:
  explicit line_reader(std::size_t longest = 8192) : longest_(longest) {}
  /// `take` gets each line that has ended, without its end ("\n" or "\r\n").
  void read(std::string_view bytes, const std::function<void(std::string_view)>& take);
  /// The last line, if nothing ended it.
  void end(const std::function<void(std::string_view)>& take);

 private:
  std::size_t longest_;
  std::string begun_{};
};

}  // namespace morph::studio
