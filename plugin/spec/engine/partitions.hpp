// The partitions of a spec's inputs, by its predicates or the frames of its categories, and where an input lies.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "morph/declared.hpp"

namespace morph::engine {

inline constexpr std::size_t most_categories = 16, most_frames = 65536;

/// Where an input lies, and its choice of each category.
struct placed {
  std::size_t partition = 0;
  std::array<std::uint16_t, most_categories> choices{};
};

class partitioning {
 public:
  /// Of a spec without a problem (see problem_of()). One whole partition where it declares none.
  explicit partitioning(const spec_base& spec);

  std::size_t size() const { return names_.size(); }
  /// "small"; of frames "size=small, order=none".
  const std::vector<std::string>& names() const { return names_; }
  /// An error, with the input, where it lies in none or in several, or in a frame that is excluded.
  std::string place(input_index in, placed& to) const;
  /// In how many categories two inputs differ (Sun et al.: of frames of the category-partition method).
  unsigned difference(const placed& a, const placed& b) const;

 private:
  struct chosen {
    std::uint16_t category = 0, choice = 0;
  };
  struct excluded_pair {
    chosen one, other;
  };
  const excluded_pair* excluded_in(const placed& where, const std::vector<std::size_t>& categories) const;
  const spec_base* spec_;
  std::vector<excluded_pair> excluded_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> frames_;      // from the number of a frame to its partition
  std::vector<std::size_t> of_partition_;  // the categories that partitions go by
};

/// What is wrong with the categories that a spec declares; empty if nothing.
std::string problem_of_partitions(const spec_base& spec);

}  // namespace morph::engine
