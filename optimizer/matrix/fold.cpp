// Partition refinement of covered elements into classes of equal columns.
#include "optimizer/matrix/fold.hpp"

#include <utility>

namespace morph::optimizer {

folder::folder(std::size_t elements) : size_{static_cast<std::uint32_t>(elements)}, hits_{0}, split_{0} {
  result_.class_of.assign(elements, 0);
  result_.tests_of.emplace_back();
}

void folder::add_row(std::uint32_t test, std::span<const std::uint32_t> elements) {
  std::vector<std::uint32_t> touched;
  for (std::uint32_t element : elements) {
    const std::uint32_t c = result_.class_of[element];
    if (hits_[c]++ == 0) touched.push_back(c);
  }
  for (std::uint32_t c : touched) {
    // Class 0 stays the class of uncovered elements even when a row covers all of them.
    if (hits_[c] == size_[c] && c != 0) {
      split_[c] = c;
    } else {
      split_[c] = static_cast<std::uint32_t>(size_.size());
      size_.push_back(hits_[c]);
      size_[c] -= hits_[c];
      hits_.push_back(0);
      split_.push_back(0);
      result_.tests_of.push_back(result_.tests_of[c]);
    }
    result_.tests_of[split_[c]].push_back(test);
  }
  for (std::uint32_t element : elements) result_.class_of[element] = split_[result_.class_of[element]];
  for (std::uint32_t c : touched) hits_[c] = 0;
}

folded folder::finish() && {
  return std::move(result_);
}

}  // namespace morph::optimizer
