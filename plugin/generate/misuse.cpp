// Guessing by the shortest sequence that shows the finding.
#include "plugin/generate/misuse.hpp"

#include <algorithm>
#include <csignal>

namespace morph::generate {
namespace {

constexpr std::int64_t huge = 4096;

/// What the call gives lies in another object, or is a view of one that the call was given.
bool is_borrowed(const call& of, const modelled_callable& as, const model& in) {
  const bool has_object =
      std::ranges::any_of(of.arguments, [](const argument& each) { return each.kind == morph_argument_value; });
  if (as.makes_object()) return has_object && in.classes[as.class_number].is_view;
  for (const parameter& each : as.parameters)
    if (each.how == parameter::kind::made) return true;
  if (as.result.how == returned::kind::object) return has_object && in.classes[as.result.class_number].is_view;
  return (as.result.how == returned::kind::pointer && !as.result.is_owned) ||
         as.result.how == returned::kind::reference;
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

bool is_dereference(const modelled_callable& of) {
  return of.has_receiver && of.parameters.empty() && (of.method == "operator*" || of.method == "operator->");
}

/// An iterator or a handle, which may lead nowhere, or what one of them led to.
bool is_of_iterator(const modelled_callable& giver, std::uint32_t given, const model& in) {
  const std::vector<std::uint32_t>& bases = in.classes[given].bases;
  return is_dereference(giver) || std::ranges::any_of(in.callables, [&](const modelled_callable& each) {
           return is_dereference(each) && std::ranges::find(bases, each.class_number) != bases.end();
         });
}

/// It was asked for by calls of the other, and of what they gave.
bool is_part(const sequence& calls, std::uint32_t part, std::uint32_t of, const model& in) {
  return !in.callables[calls[part].callable].makes_object() &&
         std::ranges::any_of(calls[part].arguments, [&](const argument& each) {
           return each.kind == morph_argument_value && (each.number == of || is_part(calls, each.number, of, in));
         });
}

/// The receiver changes what may be itself, by another name. Of another class it may be its parent, or its owner.
bool may_take_itself(const sequence& calls, const call& of, const model& in, const api& as) {
  const auto type_of = [&](const argument& each) { return as.callables[calls[each.number].callable].gives->type; };
  const auto& slots = as.callables[of.callable].slots;
  if (!in.callables[of.callable].has_receiver || of.arguments.front().kind != morph_argument_value) return false;
  for (std::size_t s = 1; s < slots.size(); ++s)
    if (of.arguments[s].kind == morph_argument_value && slots.front().changes && slots[s].changes &&
        type_of(of.arguments.front()) == type_of(of.arguments[s]) &&
        is_part(calls, of.arguments.front().number, of.arguments[s].number, in))
      return true;
  return false;
}

/// The receiver was made of what it changes now.
bool closes_a_circle(const sequence& calls, const call& of, const model& in, const api& as) {
  const auto& slots = as.callables[of.callable].slots;
  if (!in.callables[of.callable].has_receiver || of.arguments.front().kind != morph_argument_value) return false;
  const call& made = calls[of.arguments.front().number];
  for (std::size_t s = 1; s < slots.size(); ++s)
    if (of.arguments[s].kind == morph_argument_value && slots[s].changes &&
        in.callables[made.callable].makes_object() &&
        std::ranges::find(made.arguments, of.arguments[s]) != made.arguments.end())
      return true;
  return false;
}

bool is_huge(const literal& of, const literal_table& among) {
  return of.number > huge || of.number < -huge ||
         std::ranges::any_of(of.elements, [&](std::uint32_t each) { return is_huge(among[each], among); });
}

/// Its functions give the same again and again.
bool answers_for_ever(const modelled_callable& of, const model& in) {
  return of.how == modelled_callable::kind::stub &&
         std::ranges::any_of(in.stubs[of.stub].functions,
                             [](const modelled_stub::function& each) { return !each.otherwise.empty(); });
}

/// The functions of a stub that give a pointer give null.
bool gives_null(const modelled_callable& of, const model& in) {
  return of.how == modelled_callable::kind::stub &&
         std::ranges::any_of(in.stubs[of.stub].functions,
                             [](const modelled_stub::function& each) { return each.otherwise == "nullptr"; });
}

bool is_stub(const argument& object, const sequence& calls, const model& in) {
  return object.kind == morph_argument_value &&
         in.callables[calls[object.number].callable].how == modelled_callable::kind::stub;
}

/// A pointer or reference out of what the base of a stub holds, which need not be anything.
bool is_of_stub(const call& gave, const modelled_callable& giver, const sequence& calls, const model& in) {
  return giver.has_receiver &&
         (giver.result.how == returned::kind::pointer || giver.result.how == returned::kind::reference) &&
         is_stub(gave.arguments.front(), calls, in);
}

/// An object was destroyed that the test took for its own, by the name of the function that gave it.
bool is_destroyed_twice(const finding& of, const model& in) {
  return of.did.call + 1 < of.calls.size() && std::ranges::any_of(of.calls, [&](const call& each) {
           const modelled_callable& called = in.callables[each.callable];
           return called.has_receiver && called.result.how == returned::kind::pointer && called.result.is_owned;
         });
}

/// Only the library knows what a `void*` without a length leads to.
bool has_untyped_memory(const modelled_callable& of) {
  return std::ranges::any_of(
      of.parameters, [](const parameter& each) { return each.how == parameter::kind::memory && each.type == "void"; });
}

/// An object that a call changes is what that call is given, too: it may lead to itself from then on.
bool may_lead_to_itself(const call& of, const std::vector<slot>& slots) {
  for (std::size_t s = 1; s < slots.size(); ++s)
    if (slots.front().changes && of.arguments[s].kind == morph_argument_value && of.arguments[s] == of.arguments[0])
      return true;
  return false;
}

/// Two pointers between which objects are to lie, of which the test has one each.
bool has_range(const modelled_callable& of) {
  const auto is_called = [](const parameter& one, const char* word) { return one.name.starts_with(word); };
  for (std::size_t p = 1; p < of.parameters.size(); ++p) {
    const parameter &first = of.parameters[p - 1], &last = of.parameters[p];
    if (first.how == parameter::kind::pointer && last.how == first.how && last.class_number == first.class_number &&
        (is_called(last, "end") || is_called(last, "last")))
      return true;
  }
  return false;
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
  if (in.callables[of.calls[of.did.call].callable].how == modelled_callable::kind::member)
    return "only a field is read or written";
  const bool is_segfault = of.did.how == morph_outcome_crashed && of.did.code == SIGSEGV;
  if (is_destroyed_twice(of, in)) return "who destroys an object is a guess";
  for (std::uint32_t i = 0; i < of.calls.size(); ++i) {
    const call& each = of.calls[i];
    const auto& slots = as.callables[each.callable].slots;
    const modelled_callable& called = in.callables[each.callable];
    if (passes_twice(each, slots)) return "an object is passed to itself";
    if (may_take_itself(of.calls, each, in, as)) return "an object may be passed to itself";
    if (of.did.how == morph_outcome_hung && closes_a_circle(of.calls, each, in, as))
      return "an object is passed to what was made of it, and that does not end";
    if (of.did.how == morph_outcome_hung && answers_for_ever(called, in)) return "a stub answers the same for ever";
    if (gives_null(called, in)) return "a stub gives a null pointer";
    if (i < of.did.call && may_lead_to_itself(each, slots)) return "an object may lead to itself";
    if (has_range(called)) return "two pointers are no range";
    if (has_untyped_memory(called)) return "what a void pointer leads to is not known";
    if (is_segfault && i == of.did.call && called.has_receiver && is_stub(each.arguments.front(), of.calls, in))
      return "the base of a stub may not have been set up";
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const argument& a = each.arguments[s];
      if (a.kind == morph_argument_nothing && slots[s].may_be_null) return "a null pointer is passed";
      if (a.kind == morph_argument_literal && is_huge(literals[a.number], literals)) return "a huge number is passed";
      if (a.kind != morph_argument_value) continue;
      const modelled_callable& giver = in.callables[of.calls[a.number].callable];
      const call& gave = of.calls[a.number];
      if (const auto& given = as.callables[gave.callable].gives; given && is_of_iterator(giver, given->type, in))
        return "an iterator may lead nowhere";
      if (is_segfault && as.callables[gave.callable].gives &&
          in.classes[as.callables[gave.callable].gives->type].has_public_pointers)
        return "a pointer in an object may be null";
      if (giver.how == modelled_callable::kind::member && giver.result.how == returned::kind::pointer)
        return "a pointer of a field may lead nowhere";
      if (is_of_stub(gave, giver, of.calls, in)) return "an object of a stub may not have been made";
      if (is_borrowed(gave, giver, in) && may_be_invalid(of.calls, a.number, i, as))
        return "an object behind a pointer or reference may be gone";
      if (giver.result.how == returned::kind::pointer && in.classes[giver.result.class_number].is_abstract == false &&
          giver.has_receiver && in.classes[giver.class_number].is_template_instance)
        return "an object of a container may not have been made";
    }
  }
  return {};
}

}  // namespace morph::generate
