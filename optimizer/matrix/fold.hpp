// Lossless compaction of a test-set matrix: columns with identical test sets become one class.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace morph::optimizer {

/// A partition of elements by the set of tests that cover them.
struct folded {
  std::vector<std::uint32_t> class_of;               // element -> class; class 0 is covered by no test
  std::vector<std::vector<std::uint32_t>> tests_of;  // class -> ascending tests
};

/// Partition refinement, one row at a time: exact (no hashing), O(covered pairs) time, O(elements + classes) memory
/// beside the class rows. Rows are added with ascending test numbers; `elements` of a row are distinct.
class folder {
 public:
  explicit folder(std::size_t elements);
  void add_row(std::uint32_t test, std::span<const std::uint32_t> elements);
  folded finish() &&;

 private:
  folded result_;
  std::vector<std::uint32_t> size_;   // class -> members
  std::vector<std::uint32_t> hits_;   // class -> members in the current row
  std::vector<std::uint32_t> split_;  // class -> the class its hit members move to
};

}  // namespace morph::optimizer
