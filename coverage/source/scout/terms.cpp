// When two calls are related.
#include "coverage/source/scout/terms.hpp"

#include <clang/AST/DeclCXX.h>

#include <algorithm>

namespace morph::source::scouting {

term_number term_table::constant(std::string text, std::optional<std::int64_t> number) {
  terms_.push_back({.how = term::kind::constant, .text = std::move(text), .number = number});
  return static_cast<term_number>(terms_.size() - 1);
}

term_number term_table::variable(std::string name, std::optional<std::int64_t> holds) {
  terms_.push_back({.how = term::kind::variable, .text = std::move(name), .number = holds});
  return static_cast<term_number>(terms_.size() - 1);
}

term_number term_table::lambda(const clang::LambdaExpr& of) {
  terms_.push_back({.how = term::kind::constant, .lambda = &of});
  return static_cast<term_number>(terms_.size() - 1);
}

term_number term_table::made_of(std::vector<term_number> parts, std::string text, std::optional<std::int64_t> number) {
  const bool is_constant = std::ranges::all_of(parts, [&](term_number each) { return this->is_constant(each); });
  terms_.push_back({.how = is_constant ? term::kind::constant : term::kind::made_of,
                    .text = std::move(text),
                    .number = number,
                    .parts = std::move(parts)});
  return static_cast<term_number>(terms_.size() - 1);
}

term_number term_table::field(term_number of, const std::string& name, std::string text) {
  const std::vector<term_number> whole = elements(of);
  const bool has_outputs =
      std::ranges::any_of(whole, [&](term_number each) { return terms_[each].how == term::kind::output; });
  if (whole.empty() || has_outputs) return made_of({of}, std::move(text));
  const auto [known, is_new] = fields_.try_emplace({whole, name});
  if (is_new) {
    known->second = variable(std::move(text));
    terms_.back().part_of = whole.front();
  }
  return known->second;
}

call_number term_table::called(invocation made) {
  calls_.push_back(std::move(made));
  return static_cast<call_number>(calls_.size() - 1);
}

term_number term_table::output(call_number of) {
  terms_.push_back({.how = term::kind::output, .text = calls_[of].text, .call = of});
  return static_cast<term_number>(terms_.size() - 1);
}

void term_table::add_elements(term_number of, std::vector<term_number>& to, std::set<term_number>& seen,
                              bool through_methods) const {
  if (!seen.insert(of).second) return;
  const term& one = terms_[of];
  if (one.how == term::kind::variable || one.how == term::kind::output) to.push_back(of);
  for (const term_number each : one.parts) add_elements(each, to, seen, through_methods);
  if (through_methods && one.how == term::kind::output && calls_[one.call].looks_on && !calls_[one.call].inputs.empty())
    add_elements(calls_[one.call].inputs[0], to, seen);
}

std::vector<term_number> term_table::elements(term_number of) const {
  std::vector<term_number> made;
  std::set<term_number> seen;
  add_elements(of, made, seen);
  return made;
}

std::set<term_number> term_table::inputs(call_number of) const {
  std::vector<term_number> made;
  std::set<term_number> seen;
  for (const term_number each : calls_[of].inputs) add_elements(each, made, seen);
  return {made.begin(), made.end()};
}

bool term_table::any_origin(call_number of, const std::function<bool(term_number)>& is_meant) const {
  std::vector<call_number> open{of};
  std::set<call_number> seen;
  while (!open.empty()) {
    const call_number at = open.back();
    open.pop_back();
    if (!seen.insert(at).second) continue;
    for (const term_number each : inputs(at)) {
      if (is_meant(each)) return true;
      if (terms_[each].how == term::kind::output) open.push_back(terms_[each].call);
    }
  }
  return false;
}

bool term_table::flows(call_number from, call_number to) const {
  return any_origin(
      to, [&](term_number each) { return terms_[each].how == term::kind::output && terms_[each].call == from; });
}

bool term_table::have_one_origin(call_number a, call_number b) const {
  if (flows(a, b)) return true;
  std::set<term_number> of_a;
  any_origin(a, [&](term_number each) { return of_a.insert(each), false; });
  return any_origin(b, [&](term_number each) { return of_a.contains(each); });
}

bool term_table::share_unit(call_number a, call_number b) const {
  return std::ranges::any_of(calls_[a].units, [&](const std::string& each) { return calls_[b].units.contains(each); });
}

/// Or it is a field of what the call is given.
bool term_table::is_given(call_number call, term_number value) const {
  const std::set<term_number> given = inputs(call);
  for (std::optional<term_number> each = value; each; each = terms_[*each].part_of)
    if (given.contains(*each)) return true;
  return false;
}

/// `later` is an output of a call; `one` is an input of another call before it, best of one that leads to the later,
/// or an output of one.
std::optional<relation> term_table::related(term_number one, term_number later) const {
  if (one == later || terms_[later].how != term::kind::output) return std::nullopt;
  const call_number second = terms_[later].call;
  // A call that both have been given the same is another matter, unless its result is what the later one works on.
  // Nor is what looks at another object than the first call has made or changed.
  const bool has_to_flow = is_given(second, one) || (calls_[second].looks_on && calls_[second].inputs.size() == 1);
  std::optional<relation> made;
  for (call_number first = second; first-- > 0;) {
    if (!share_unit(first, second) || !is_given(first, one)) continue;
    if (calls_[first].site == calls_[second].site) continue;  // it is given that itself, another time
    if (flows(first, second)) return relation{first, second, one, later};
    if (!has_to_flow && !made) made = relation{first, second, one, later};
  }
  const bool is_output = terms_[one].how == term::kind::output;
  if (is_output && terms_[one].call < second && share_unit(terms_[one].call, second))
    return relation{terms_[one].call, second, one, later};
  return made;
}

std::optional<relation> term_table::related_across(term_number one, term_number later) const {
  if (one == later || terms_[later].how != term::kind::output) return std::nullopt;
  const call_number second = terms_[later].call;
  for (call_number first = second; first-- > 0;) {
    const bool is_maker = clang::isa_and_nonnull<clang::CXXConstructorDecl>(calls_[first].callee);
    if (is_maker || share_unit(first, second) || !is_given(first, one)) continue;
    if (flows(first, second))
      return relation{.first = first, .second = second, .with_first = one, .with_second = later, .is_across = true};
  }
  return std::nullopt;
}

/// Two places in one text, two digits of one number: whatever it came from, there is one output.
bool term_table::are_of_one_value(term_number a, term_number b) const {
  std::vector<term_number> of_a, of_b;
  std::set<term_number> seen_a, seen_b;
  add_elements(a, of_a, seen_a, false);
  add_elements(b, of_b, seen_b, false);
  return !of_a.empty() && std::set(of_a.begin(), of_a.end()) == std::set(of_b.begin(), of_b.end());
}

std::optional<relation> term_table::relation_of(term_number left, term_number right) const {
  if (are_of_one_value(left, right)) return std::nullopt;
  const std::vector<term_number> on_left = elements(left), on_right = elements(right);
  for (const term_number a : on_left)
    for (const term_number b : on_right) {
      if (const auto found = related(a, b)) return found;
      if (const auto found = related(b, a)) return found;
    }
  for (const term_number a : on_left)
    for (const term_number b : on_right) {
      if (const auto found = related_across(a, b)) return found;
      if (const auto found = related_across(b, a)) return found;
    }
  if (const auto echo = echo_of(left, right)) return echo;
  return echo_of(right, left);
}

void term_table::add_constants(term_number of, std::set<std::string>& to) const {
  const term& one = terms_[of];
  if (one.how == term::kind::constant && one.parts.empty() && !one.text.empty()) to.insert(one.text);
  for (const term_number each : one.parts) add_constants(each, to);
}

std::optional<relation> term_table::echo_of(term_number literal, term_number later) const {
  std::set<std::string> asserted;
  add_constants(literal, asserted);
  if (asserted.empty() || !is_constant(literal)) return std::nullopt;
  for (const term_number each : elements(later)) {
    if (terms_[each].how != term::kind::output) continue;
    const call_number second = terms_[each].call;
    for (call_number first = 0; first < second; ++first) {
      if (!share_unit(first, second)) continue;
      std::set<std::string> given;
      for (const term_number input : calls_[first].inputs) add_constants(input, given);
      if (std::ranges::any_of(asserted, [&](const std::string& text) { return given.contains(text); }))
        return relation{first, second, literal, each, true};
    }
  }
  return std::nullopt;
}

transformation term_table::between(call_number first, call_number second) const {
  if (flows(first, second)) {
    const invocation& later = calls_[second];
    const bool is_state = later.has_receiver && terms_[later.inputs[0]].how == term::kind::output &&
                          terms_[later.inputs[0]].call == first && calls_[first].has_receiver;
    return is_state ? transformation::state : transformation::computed;
  }
  const std::set<term_number> of_first = inputs(first), of_second = inputs(second);
  const bool share = std::ranges::any_of(of_first, [&](term_number each) { return of_second.contains(each); });
  if (!share) return transformation::none;
  const bool has_same = std::ranges::any_of(calls_[first].inputs, [&](term_number each) {
    return !is_constant(each) && std::ranges::find(calls_[second].inputs, each) != calls_[second].inputs.end();
  });
  return has_same ? transformation::identity : transformation::computed;
}

}  // namespace morph::source::scouting
