// The table.
#include "coverage/mutation/operator_table.hpp"

#include <algorithm>
#include <array>

namespace morph::mutation {
namespace {

constexpr std::array<operator_fact, 19> facts{{
    {"aor", "another arithmetic operator", "a + b -> a - b", true},
    {"arg", "an argument in place of the call's result, where their types are the same", "round_up(size) -> size",
     true},
    {"aso", "another assignment operator, or plain assignment", "sum += x -> sum -= x", true},
    {"bor", "another bitwise operator", "a & b -> a | b", true},
    {"crp", "another constant", "42 -> 0", true},
    {"crr", "a constant in place of a call's result", "size(x) -> 0", true},
    {"inc", "decrement in place of increment, and the other way round", "++i -> --i", true},
    {"lcr", "another logical connector, or one side alone", "a && b -> a || b", true},
    {"neg", "a negated condition", "if (a) -> if (!(a))", true},
    {"ret", "another value returned", "return n; -> return 0;", true},
    {"ror", "another comparison, or what it would always or never be", "a < b -> a <= b", true},
    {"sdl", "a statement deleted", "total = 0; -> ;", true},
    {"sor", "shifted the other way", "a << b -> a >> b", true},
    {"swa", "neighbouring arguments of one type in each other's place", "f(a, b) -> f(b, a)", true},
    {"swm", "a function of the standard library's with an opposite", "v.begin() -> v.end()", true},
    {"uod", "a unary operator deleted", "!a -> a", true},
    {"uoi", "a unary operator inserted where a variable is an argument", "f(x) -> f(-x)", true},
    {"vcr", "a call of a void function removed", "flush(); -> ;", true},
    {"xt", "a function's body replaced by nothing, or by one return of a constant", "{ ... } -> { return {}; }", true},
}};

static_assert(std::ranges::is_sorted(facts, {}, &operator_fact::name));

}  // namespace

std::span<const operator_fact> operator_facts() {
  return facts;
}

const operator_fact* find_operator_fact(std::string_view name) {
  const auto found = std::ranges::lower_bound(facts, name, {}, &operator_fact::name);
  return found != facts.end() && found->name == name ? &*found : nullptr;
}

}  // namespace morph::mutation
