// Sources without end: the seeds of a spec, drawn anew where its makers draw, from all inputs or from one partition.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "morph/random.hpp"
#include "plugin/spec/engine/engine.hpp"
#include "plugin/spec/engine/partitions.hpp"

namespace morph::engine {

struct source {
  input_index input = nowhere;
  type_index maker = 0;
  std::uint32_t label = nowhere;
  placed where;
};

/// The domain is what the seed makers give, in that proportion. Makers that give the same seeds whatever the random
/// numbers are asked once; the others again whenever there is need of sources. Where all are such, seeds are drawn with
/// replacement.
class source_stream {
 public:
  source_stream(session& of, const partitioning& parts, std::uint64_t seed, const std::vector<std::string>& makers);

  /// Makes the first ones, until there is one of each partition or there were many. An error if seeds cannot be made,
  /// or if one lies in no partition or several.
  std::string begin();
  /// One of all; nothing, and error(), where seeds cannot be made or placed.
  std::optional<source> any();
  /// One of a partition that has some: a new one, or, where that would take many seeds, one of before.
  std::optional<source> in(std::size_t partition);
  const std::string& error() const { return error_; }

  /// Whether a seed was seen there.
  bool has(std::size_t partition) const { return !known_[partition].empty(); }
  /// Whether the same seeds come again and again.
  bool is_finite() const { return finite_; }
  /// The seeds of a partition, where they are finite.
  std::size_t number_in(std::size_t partition) const { return known_[partition].size(); }
  /// Inputs from here on are no sources.
  std::uint32_t end_of_inputs() const { return end_of_inputs_; }

 private:
  bool refill();
  bool make(std::size_t maker, std::vector<source>& to);
  session& of_;
  const partitioning& parts_;
  std::uint64_t seed_, batches_ = 0;
  random_source random_;
  std::vector<std::size_t> makers_;
  std::vector<std::optional<std::vector<source>>> fixed_;  // by place in makers_: its seeds, which do not change
  std::vector<source> all_;                                // that wait; of finite ones, all
  std::vector<std::vector<source>> waiting_, known_;       // by partition
  std::size_t made_ = 0, asked_ = 0;                       // seeds, sources of a partition
  bool finite_ = false;
  std::uint32_t end_of_inputs_ = 0;
  std::string error_;
};

}  // namespace morph::engine
