// A set of whole numbers, kept as intervals.
#pragma once

#include <cstddef>
#include <vector>

/// From `begin` up to but not including `end`; empty unless begin < end.
struct interval {
  int begin, end;
  bool operator==(const interval&) const = default;
};

/// Its parts ascend, are not empty, and do not touch. Memory and time of each operation: by the number of parts.
class interval_set {
 public:
  interval_set() = default;
  explicit interval_set(const std::vector<interval>& from);

  void insert(interval added);
  void erase(interval removed);
  bool contains(int value) const;
  /// How many numbers are in it.
  long size() const;
  /// What is between the first number and the last one, but not in the set.
  interval_set gaps() const;
  /// The number of the set that is closest, the lower one of two; `value` if the set is empty.
  int nearest(int value) const;
  const std::vector<interval>& parts() const { return parts_; }

  friend interval_set operator|(const interval_set& a, const interval_set& b);
  friend interval_set operator&(const interval_set& a, const interval_set& b);
  friend interval_set operator-(const interval_set& a, const interval_set& b);

 private:
  std::size_t first_that_ends_behind(int value) const;
  std::vector<interval> parts_;
};
