// What happened, numbered from 1: a page that connects late, or again, continues where it was.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace morph::studio {

/// Keeps the last events within both bounds.
class event_log {
 public:
  explicit event_log(std::size_t most_events = 20'000, std::size_t most_bytes = std::size_t{32} << 20)
      : most_events_(most_events), most_bytes_(most_bytes) {}

  void add(const nlohmann::json& event);
  /// 0: none yet.
  std::uint64_t last() const { return first_ + events_.size() - 1; }

  /// As text/event-stream what follows number `after`, which becomes the number of the last one in it; about
  /// `most_bytes` at once, nothing if there is no more. What was dropped, or is another server's number, gives
  /// {"type":"missed"}; 0 is no such number.
  std::string stream(std::uint64_t& after, std::size_t most_bytes) const;

 private:
  std::size_t most_events_, most_bytes_;
  std::uint64_t first_ = 1;
  std::size_t bytes_ = 0;
  std::deque<std::string> events_;
};

}  // namespace morph::studio
