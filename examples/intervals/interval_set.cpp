// Intervals in order: inserted, cut, searched and merged.
#include "interval_set.hpp"

#include <algorithm>

interval_set::interval_set(const std::vector<interval>& from) {
  for (const interval& each : from) insert(each);
}

/// By halving; the number of parts if none does.
std::size_t interval_set::first_that_ends_behind(int value) const {
  std::size_t low = 0;
  std::size_t high = parts_.size();
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (parts_[middle].end > value) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

void interval_set::insert(interval added) {
  if (added.begin >= added.end) return;
  // Parts that touch it are joined as well.
  const std::size_t first = first_that_ends_behind(added.begin - 1);
  std::size_t last = first;
  while (last < parts_.size() && parts_[last].begin <= added.end) {
    added.begin = std::min(added.begin, parts_[last].begin);
    added.end = std::max(added.end, parts_[last].end);
    ++last;
  }
  const auto at = parts_.begin() + static_cast<std::ptrdiff_t>(first);
  parts_.insert(parts_.erase(at, at + static_cast<std::ptrdiff_t>(last - first)), added);
}

void interval_set::erase(interval removed) {
  if (removed.begin >= removed.end) return;
  std::vector<interval> left;
  for (const interval& part : parts_) {
    if (part.end <= removed.begin || part.begin >= removed.end) {
      left.push_back(part);
      continue;
    }
    if (part.begin < removed.begin) left.push_back({part.begin, removed.begin});
    if (part.end > removed.end) left.push_back({removed.end, part.end});
  }
  parts_ = left;
}

bool interval_set::contains(int value) const {
  const std::size_t at = first_that_ends_behind(value);
  return at < parts_.size() && parts_[at].begin <= value;
}

long interval_set::size() const {
  long sum = 0;
  for (const interval& part : parts_) sum += part.end - part.begin;
  return sum;
}

interval_set interval_set::gaps() const {
  interval_set made;
  for (std::size_t i = 1; i < parts_.size(); ++i) made.parts_.push_back({parts_[i - 1].end, parts_[i].begin});
  return made;
}

int interval_set::nearest(int value) const {
  if (parts_.empty() || contains(value)) return value;
  const std::size_t behind = first_that_ends_behind(value);
  if (behind == 0) return parts_.front().begin;
  const int below = parts_[behind - 1].end - 1;
  if (behind == parts_.size()) return below;
  const int above = parts_[behind].begin;
  return above - value < value - below ? above : below;
}

interval_set operator|(const interval_set& a, const interval_set& b) {
  interval_set made = a;
  for (const interval& part : b.parts_) made.insert(part);
  return made;
}

interval_set operator&(const interval_set& a, const interval_set& b) {
  interval_set made;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.parts_.size() && j < b.parts_.size()) {
    const int begin = std::max(a.parts_[i].begin, b.parts_[j].begin);
    const int end = std::min(a.parts_[i].end, b.parts_[j].end);
    if (begin < end) made.parts_.push_back({begin, end});
    if (a.parts_[i].end < b.parts_[j].end) {
      ++i;
    } else {
      ++j;
    }
  }
  return made;
}

interval_set operator-(const interval_set& a, const interval_set& b) {
  interval_set made = a;
  for (const interval& part : b.parts_) made.erase(part);
  return made;
}
