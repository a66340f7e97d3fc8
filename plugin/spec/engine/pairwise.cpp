// Few rows in which each two fields take all pairs of their values.
#include "morph/generate.hpp"

namespace morph {
namespace {
constexpr std::size_t nowhere_in_row = static_cast<std::size_t>(-1);
}

std::vector<std::vector<std::size_t>> pairwise_rows(const std::vector<std::size_t>& levels) {
  const std::size_t fields = levels.size();
  std::vector<std::vector<std::size_t>> rows;
  for (const std::size_t level : levels)
    if (level == 0) return rows;
  if (fields == 1)
    for (std::size_t value = 0; value < levels[0]; ++value) rows.push_back({value});
  if (fields < 2) return rows;

  std::vector<std::size_t> begins(fields + 1, 0);  // values of all fields, counted through
  for (std::size_t f = 0; f < fields; ++f) begins[f + 1] = begins[f] + levels[f];
  const std::size_t values = begins[fields];
  std::vector<bool> open(values * values, false);
  std::size_t left = 0;
  for (std::size_t f = 0; f < fields; ++f)
    for (std::size_t g = 0; g < fields; ++g)
      for (std::size_t v = 0; v < levels[f] && f != g; ++v)
        for (std::size_t w = 0; w < levels[g]; ++w) {
          open[(begins[f] + v) * values + begins[g] + w] = true;
          ++left;
        }

  std::vector<std::size_t> uncovered(values, 0);
  for (std::size_t a = 0; a < values; ++a)
    for (std::size_t b = 0; b < values; ++b) uncovered[a] += open[a * values + b] ? 1 : 0;
  while (left > 0) {
    // Begins with the value that most pairs lack, and goes on with what covers most pairs with those chosen.
    std::vector<std::size_t> row(fields, nowhere_in_row);
    std::size_t best = 0;
    for (std::size_t a = 1; a < values; ++a)
      if (uncovered[a] > uncovered[best]) best = a;
    std::size_t field = 0;
    while (begins[field + 1] <= best) ++field;
    row[field] = best - begins[field];
    for (std::size_t chosen = 1; chosen < fields; ++chosen) {
      std::size_t best_field = fields, best_value = 0, best_gain = 0, best_open = 0;
      for (std::size_t f = 0; f < fields; ++f) {
        if (row[f] != nowhere_in_row) continue;
        for (std::size_t v = 0; v < levels[f]; ++v) {
          std::size_t gain = 0;
          for (std::size_t g = 0; g < fields; ++g)
            if (row[g] != nowhere_in_row && open[(begins[f] + v) * values + begins[g] + row[g]]) ++gain;
          const std::size_t open_pairs = uncovered[begins[f] + v];
          if (best_field != fields && (gain < best_gain || (gain == best_gain && open_pairs <= best_open))) continue;
          best_field = f;
          best_value = v;
          best_gain = gain;
          best_open = open_pairs;
        }
      }
      row[best_field] = best_value;
    }
    for (std::size_t f = 0; f < fields; ++f)
      for (std::size_t g = 0; g < fields; ++g) {
        const std::size_t a = begins[f] + row[f];
        const std::size_t b = begins[g] + row[g];
        if (f == g || !open[a * values + b]) continue;
        open[a * values + b] = false;
        --uncovered[a];
        --left;
      }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace morph
