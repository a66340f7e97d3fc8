// neg: a negated condition.
#include "coverage/source/operators/each.hpp"

namespace morph::source {

void negation(const clang::Expr& condition, site& at) {
  const auto where = at.range(condition);
  const auto text = at.text(condition);
  if (!where || !text) return;
  const bool is_bool = condition.IgnoreImpCasts()->getType()->isBooleanType();
  at.propose(*where, mutation::place_kind::expression, is_bool ? "" : "bool", "neg", "!(" + *text + ")");
}

}  // namespace morph::source
