// Guessing by the shortest sequence that shows the finding.
#include "plugin/generate/misuse.hpp"

#include <csignal>
#include <cstdlib>

namespace morph::generate {
namespace {

constexpr std::int64_t huge = 4096;

bool is_borrowed(const modelled_callable& of) {
  if (of.makes_object()) return false;
  for (const parameter& each : of.parameters)
    if (each.how == parameter::kind::made) return true;
  return (of.result.how == returned::kind::pointer && !of.result.is_owned) ||
         of.result.how == returned::kind::reference;
}

/// A call between two others that may change what the first of them gave.
bool may_be_invalid(const sequence& calls, std::uint32_t given, std::uint32_t used, const api& as) {
  for (std::uint32_t i = given + 1; i < used; ++i) {
    const auto& slots = as.callables[calls[i].callable].slots;
    for (std::size_t s = 0; s < slots.size(); ++s)
      if (calls[i].arguments[s].kind == morph_argument_value && (slots[s].changes || slots[s].takes) &&
          calls[i].arguments[s].number != given)
        return true;
  }
  return false;
}

/// Of an iterator or a handle, which may lead nowhere.
bool is_dereference(const modelled_callable& of) {
  return of.method == "operator*" || of.method == "operator->";
}

/// One object at two places of a call that changes both.
bool passes_twice(const call& of, const std::vector<slot>& slots) {
  for (std::size_t a = 0; a < slots.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (of.arguments[a].kind == morph_argument_value && of.arguments[a] == of.arguments[b] && slots[a].changes &&
          slots[b].changes)
        return true;
  return false;
}

}  // namespace

std::string misuse_in(const finding& of, const model& in, const api& as, const literal_table& literals) {
  if (of.did.how == morph_outcome_crashed && of.did.code == SIGABRT)
    return "an assertion failed, or the program was aborted";
  if (of.did.how == morph_outcome_ended) return "the program was ended";
  for (std::uint32_t i = 0; i < of.calls.size(); ++i) {
    const call& each = of.calls[i];
    const auto& slots = as.callables[each.callable].slots;
    if (passes_twice(each, slots)) return "an object is passed to itself";
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const argument& a = each.arguments[s];
      if (a.kind == morph_argument_nothing && slots[s].may_be_null) return "a null pointer is passed";
      if (a.kind == morph_argument_literal && std::llabs(literals[a.number].number) > huge)
        return "a huge number is passed";
      if (a.kind != morph_argument_value) continue;
      const modelled_callable& giver = in.callables[of.calls[a.number].callable];
      if (is_dereference(giver)) return "an iterator may lead nowhere";
      if (is_borrowed(giver) && may_be_invalid(of.calls, a.number, i, as))
        return "an object behind a pointer or reference may be gone";
      if (giver.result.how == returned::kind::pointer && in.classes[giver.result.class_number].is_abstract == false &&
          giver.has_receiver && in.classes[giver.class_number].is_template_instance)
        return "an object of a container may not have been made";
    }
  }
  return {};
}

}  // namespace morph::generate
