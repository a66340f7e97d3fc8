// Which tests, how long, and what counts as different.
#include "plugin/measuring/repeats.hpp"

#include <algorithm>
#include <iterator>

#include "plugin/measuring/session.hpp"

namespace morph::measuring {

bool repeats::take(const store::measured_test& facts) {
  constexpr std::int64_t least_us = 1'000'000, part = 20;
  if (repeated_us_ + facts.wall_us > std::max(least_us, measured_us_ / part)) return false;
  repeated_us_ += facts.wall_us;
  return true;
}

double limit_of_repeat(const store::measured_test& first, double whole) {
  constexpr double least = 5, factor = 10;
  const double limit = std::max(least, factor * static_cast<double>(first.wall_us) / 1e6);
  return whole > 0 ? std::min(limit, whole) : limit;
}

std::set<std::uint32_t> choose_repeated(const std::map<std::string, std::uint32_t>& tests, const std::string& content) {
  constexpr std::size_t least = 16, part = 50;
  std::vector<std::pair<std::string, std::uint32_t>> drawn;
  for (const auto& [name, id] : tests) drawn.emplace_back(git::blob_hash(content + '\n' + name), id);
  std::sort(drawn.begin(), drawn.end());
  drawn.resize(std::min(drawn.size(), std::max(least, drawn.size() / part)));
  std::set<std::uint32_t> chosen;
  for (const auto& [hash, id] : drawn) chosen.insert(id);
  return chosen;
}

bool is_alike(const session& m, std::span<const store::element> row, std::span<const store::element> other) {
  std::vector<store::element> different;
  std::set_symmetric_difference(row.begin(), row.end(), other.begin(), other.end(), std::back_inserter(different));
  return std::none_of(different.begin(), different.end(), [&](store::element x) {
    using optimizer::requirement_kind;
    switch (store::kind_of(x)) {
      case requirement_kind::line:
      case requirement_kind::function:
      case requirement_kind::unit:
        return true;
      case requirement_kind::data:  // other files may have names that are new each time
        return m.repository.tracks(m.writer.path_of(store::owner_of(x)));
      default:
        return false;
    }
  });
}

}  // namespace morph::measuring
