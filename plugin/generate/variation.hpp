// New sequences: at random, and out of others. Every one of them is ordered and fits the slots of its callables.
#pragma once

#include <optional>
#include <utility>

#include "optimizer/matrix/random.hpp"
#include "plugin/generate/api.hpp"
#include "plugin/generate/literals.hpp"
#include "plugin/generate/recipe_book.hpp"

namespace morph::generate {

inline constexpr std::size_t most_calls = 40;

class variation {
 public:
  /// `recipes`: give objects now and then, instead of the cheapest constructor.
  variation(const api& of, literal_table& literals, optimizer::random_source& random,
            const recipe_book* recipes = nullptr)
      : api_(of), literals_(literals), random_(random), recipes_(recipes) {}

  /// Of some calls of the unit, with what they need.
  sequence random();
  sequence mutated(sequence of);
  /// With up to three calls more at its end.
  sequence continued(sequence of);
  /// The beginning of one and the end of the other; what the end lacks is made anew.
  sequence crossed(const sequence& head, const sequence& tail);
  /// The recipes that went into what was made since the last call.
  std::vector<std::size_t> take_used() { return std::exchange(used_, {}); }

 private:
  bool append(sequence& to, std::uint32_t callable, int depth);
  std::optional<argument> argument_for(sequence& to, const slot& of, int depth);
  std::optional<argument> append_preferred(sequence& to, const slot& of, int depth);
  std::optional<argument> append_recipe(sequence& to, const slot& of);
  std::optional<std::uint32_t> literal_in(const sequence& of, std::uint32_t role) const;
  std::optional<std::uint32_t> value_for(const sequence& in, const slot& of) const;
  bool append_bound(sequence& to, const call& from, const std::vector<std::int64_t>& now);
  std::vector<bool> taken(const sequence& in) const;
  bool uses_taken(const call& of, const sequence& after) const;
  std::uint32_t any_callable(std::uint32_t share);
  void insert_anywhere(sequence& into);
  void change_somewhere(sequence& of);
  sequence without_one(const sequence& of);
  std::uint32_t below(std::size_t n) { return random_.below(static_cast<std::uint32_t>(n)); }

  const api& api_;
  literal_table& literals_;
  optimizer::random_source& random_;
  const recipe_book* recipes_;
  std::vector<std::size_t> used_;
};

}  // namespace morph::generate
