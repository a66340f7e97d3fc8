// Folding of rows into classes of elements with equal tests.
#include "plugin/store/evidence.hpp"

#include <algorithm>
#include <array>

#include "optimizer/matrix/fold.hpp"

namespace morph::store {

std::span<const incomplete_row> incomplete_table() {
  static constexpr std::array rows{
      incomplete_row{1U << 0, "made-process", "left a process running, or started one whose code could not be counted"},
      incomplete_row{1U << 1, "loaded-object", "loaded a shared object while it ran"},
      incomplete_row{1U << 2, "ended-early", "crashed, ran out of time, or left by exit()"},
      incomplete_row{1U << 3, "no-counters", "executed nothing that was compiled with counters"},
      incomplete_row{1U << 4, "threads-at-start",
                     "belongs to a program with threads before its first test; they are not there in a measured test"},
      incomplete_row{1U << 5, "unknown-unit", "executed an object of which the build does not tell the sources"},
      incomplete_row{1U << 6, "not-as-in-ctest", "has properties in ctest that measuring does not apply"},
  };
  return rows;
}

const char* name_of(outcome how) {
  switch (how) {
    case outcome::passed:
      return "passed";
    case outcome::failed:
      return "failed";
    case outcome::skipped:
      return "was skipped";
    case outcome::crashed:
      return "crashed";
    case outcome::timed_out:
      return "timed out";
    case outcome::exited:
      return "exited";
  }
  return "unknown";
}

std::vector<element_class> fold_rows(const std::vector<row>& rows) {
  // Distinct elements of all rows: rows overlap so much that sorting them in portions keeps memory small.
  constexpr std::size_t portion = 1 << 20;
  std::vector<element> all;
  std::size_t sorted = 0;
  const auto compact = [&] {
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    sorted = all.size();
  };
  for (const auto& [test, elements] : rows) {
    all.insert(all.end(), elements.begin(), elements.end());
    if (all.size() - sorted > std::max(sorted, portion)) compact();
  }
  compact();

  optimizer::folder folder(all.size());
  std::vector<std::uint32_t> dense;
  for (const auto& [test, elements] : rows) {
    dense.clear();
    auto from = all.begin();
    for (element e : elements) {
      from = std::lower_bound(from, all.end(), e);
      dense.push_back(static_cast<std::uint32_t>(from - all.begin()));
    }
    folder.add_row(test, dense);
  }
  optimizer::folded folded = std::move(folder).finish();

  std::vector<element_class> classes(folded.tests_of.size());
  for (std::size_t c = 0; c < classes.size(); ++c) classes[c].tests = std::move(folded.tests_of[c]);
  for (std::size_t e = 0; e < all.size(); ++e) classes[folded.class_of[e]].elements.push_back(all[e]);
  std::erase_if(classes, [](const element_class& c) { return c.elements.empty(); });
  return classes;
}

}  // namespace morph::store
