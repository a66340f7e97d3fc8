// Adding, dropping, continuing.
#include "plugin/studio/event_log.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "plugin/system/json_text.hpp"

namespace morph::studio {

void event_log::add(const nlohmann::json& event) {
  events_.push_back(json_text(event));
  bytes_ += events_.back().size();
  while (events_.size() > most_events_ || bytes_ > most_bytes_) {
    bytes_ -= events_.front().size();
    events_.pop_front();
    ++first_;
  }
}

std::string event_log::stream(std::uint64_t& after, std::size_t most_bytes) const {
  std::string text;
  const bool has_missed = after > last() || (after != 0 && after + 1 < first_);
  if (has_missed || after == 0) after = first_ - 1;
  if (has_missed) text = fmt::format("id: {}\ndata: {{\"type\":\"missed\"}}\n\n", after);
  while (after < last() && text.size() < most_bytes) {
    ++after;
    text += fmt::format("id: {}\ndata: {}\n\n", after, events_[after - first_]);
  }
  return text;
}

}  // namespace morph::studio
