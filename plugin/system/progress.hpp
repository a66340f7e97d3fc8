// How far something is that takes longer than two seconds.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace morph::system {

/// One line on stderr that rewrites itself; nothing when stderr is no terminal.
class progress {
 public:
  /// `unit`: what `total` counts, "tests". A total of 0 is not known.
  progress(std::size_t total, std::string unit, bool wanted)
      : total_(total), unit_(std::move(unit)), shown_(wanted && ::isatty(STDERR_FILENO) == 1) {}
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() { clear(); }
  void clear() {
    if (drawn_) fmt::print(stderr, "\r\x1b[K");
    drawn_ = false;
  }
  /// `doing`: "measuring geometry".
  void step(const std::string& doing) { reach(done_ + 1, doing); }
  void reach(std::size_t done, const std::string& doing) {
    done_ = done;
    const auto now = clock::now();
    if (!shown_ || now - drawn_at_ < std::chrono::milliseconds(100)) return;
    drawn_at_ = now;
    drawn_ = true;
    if (done_ == 0) {
      fmt::print(stderr, "\r\x1b[K{}", doing);
      return;
    }
    if (total_ == 0) {
      fmt::print(stderr, "\r\x1b[K{}: {} {}", doing, done_, unit_);
      return;
    }
    const double elapsed = std::chrono::duration<double>(now - started_).count();
    const double left = elapsed / static_cast<double>(done_) * static_cast<double>(total_ - std::min(done_, total_));
    fmt::print(stderr, "\r\x1b[K{}: {} of {} {}, {:.0f} s left", doing, done_, total_, unit_, left);
  }

 private:
  using clock = std::chrono::steady_clock;
  std::size_t total_;
  std::string unit_;
  bool shown_;
  std::size_t done_ = 0;
  bool drawn_ = false;
  clock::time_point started_ = clock::now();
  clock::time_point drawn_at_{};
};

}  // namespace morph::system
