// Recipes that give objects, and how often each is tried.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "optimizer/matrix/random.hpp"
#include "plugin/generate/api.hpp"
#include "plugin/generate/sequence.hpp"

namespace morph::generate {

/// A self-contained sequence; call `gives` made the object, and those behind it changed it.
struct object_recipe {
  sequence calls{};
  std::uint32_t gives = 0;
  double weight = 1;  // by outcome: 0.05 to 1
};

class recipe_book {
 public:
  /// The recipes of each object that `of` makes, in the state in which it leaves it.
  void add(const sequence& of, const api& in);

  bool empty() const { return all_.empty(); }
  std::size_t size() const { return all_.size(); }
  const object_recipe& operator[](std::size_t number) const { return all_[number]; }

  /// One that gives an object of the type, by weight.
  std::optional<std::size_t> any_for(const slot& of, optimizer::random_source& random) const;
  /// What became of a sequence that has them: it can be a test or not; it reached something new.
  void learn(std::span<const std::size_t> used, bool is_valid, bool is_new);

 private:
  std::vector<object_recipe> all_;
  std::vector<std::vector<std::size_t>> constant_, changing_;  // by type
  std::set<std::pair<sequence, std::uint32_t>> known_;
};

}  // namespace morph::generate
