// How far something is that takes longer than two seconds.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace morph::system {

/// From now on each `progress` also writes JSON lines there: {"doing":"running tests","done":5,"total":90,
/// "unit":"tests"}, about ten a second and the last of each. Programs that we start do not inherit it. False: it is
/// not open.
bool write_progress_to(int descriptor);
/// -1: none.
int progress_descriptor();

/// One line on stderr that rewrites itself; nothing when stderr is no terminal.
class progress {
 public:
  /// `unit`: what `total` counts, "tests". A total of 0 is not known. `wanted`: on a terminal.
  progress(std::size_t total, std::string unit, bool wanted);
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress();
  /// `doing`: "measuring geometry".
  void step(const std::string& doing) { reach(done_ + 1, doing); }
  void reach(std::size_t done, const std::string& doing);

 private:
  using clock = std::chrono::steady_clock;
  void draw(const std::string& doing, clock::time_point now);
  void write() const;

  std::size_t total_;
  std::string unit_;
  bool shown_;
  std::size_t done_ = 0;
  bool drawn_ = false;
  clock::time_point started_ = clock::now();
  clock::time_point drawn_at_{};
  std::string doing_{};
  bool is_unwritten_ = false;
};

}  // namespace morph::system
