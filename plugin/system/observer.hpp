// What long work tells whoever started it.
#pragma once

#include <cstddef>
#include <string>

namespace morph::system {

/// This one hears nothing. Texts are lines without an end.
class observer {
 public:
  observer() = default;
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;
  virtual ~observer() = default;

  /// What is done now, or was found out.
  virtual void status(const std::string& /*line*/) {}
  /// What a user should mend.
  virtual void warn(const std::string& /*line*/) {}
  /// What helps to find a fault of Morph's.
  virtual void detail(const std::string& /*line*/) {}

  /// `all` steps follow; 0: it is not known how many. `unit`: what is counted, "tests".
  virtual void begin(std::size_t /*all*/, const std::string& /*unit*/) {}
  /// `doing`: "measuring geometry".
  virtual void step(const std::string& /*doing*/) {}
  /// As many of them as `done`, 0 too, are behind.
  virtual void reach(std::size_t /*done*/, const std::string& /*doing*/) {}
  virtual void end() {}
};

}  // namespace morph::system
