// Making the derivation of a violation smaller while it stays one.
#include <algorithm>
#include <deque>

#include "plugin/spec/engine/engine.hpp"

namespace morph::engine {
namespace {

constexpr unsigned most_tries = 4000;
constexpr double longest = 5;  // seconds
constexpr std::size_t most_derived = 1000;

void collect_leaves(derivation& of, std::vector<derivation*>& to) {
  if (of.from.empty()) to.push_back(&of);
  for (derivation& each : of.from) collect_leaves(each, to);
}

void collect_nodes(derivation& of, std::vector<derivation*>& to) {
  for (derivation& each : of.from) {
    if (!each.from.empty()) to.push_back(&each);
    collect_nodes(each, to);
  }
}

}  // namespace

derivation session::derivation_of(case_index which) const {
  derivation made;
  // Level by level: cases that share what they were made of, as midpoints do, are trees of exponential size.
  std::deque<std::pair<derivation*, case_index>> open{{&made, which}};
  std::size_t nodes = 1;
  for (; !open.empty(); open.pop_front()) {
    auto [to, at] = open.front();
    to->type = cases_.type(at);
    to->input_id = spec_.input_id(cases_.input(at));
    const auto origins = cases_.origins(at);
    nodes += origins.size();
    if (origins.size() == 0 || nodes > most_derived) {
      to->input = cases_.input(at);
      if (origins.size() == 0) to->label = label_of(at);
      while (cases_.order(at) != 0) at = cases_.origins(at)[0];
      to->type = cases_.type(at);
      continue;
    }
    to->from.resize(origins.size());
    for (std::size_t i = 0; i < origins.size(); ++i) open.emplace_back(&to->from[i], origins[i]);
  }
  return made;
}

case_index session::rebuild(const derivation& how, std::uint16_t executer) {
  const auto run = [&](case_index c) { run_one(executer, spec_.operation_of(cases_.type(c)), cases_.input(c)); };
  if (how.from.empty()) {
    const case_index made = cases_.add(how.type, how.input, spec_.input_id(how.input), nullptr, 0);
    if (how.label != nowhere) set_label(made, how.label);
    run(made);
    return made;
  }
  std::vector<case_index> sources;
  for (const derivation& each : how.from) {
    sources.push_back(rebuild(each, executer));
    if (sources.back() == nowhere) return nowhere;
  }
  std::vector<made_input> made;
  std::uint64_t rejected = 0, threw = 0;
  const std::size_t datamorphism = how.type - spec_.makers().size();
  say(activity::mutating, static_cast<std::uint32_t>(datamorphism));
  spec_.make_mutants(datamorphism, executer, cases_, sources.data(), 1, made, rejected, threw);
  if (made.empty()) return nowhere;
  const auto same = std::find_if(made.begin(), made.end(),
                                 [&](const made_input& m) { return spec_.input_id(m.input) == how.input_id; });
  const input_index in =
      same != made.end() ? same->input : made[std::min<std::size_t>(how.which, made.size() - 1)].input;
  const case_index at = cases_.add(how.type, in, spec_.input_id(in), sources.data(), sources.size());
  run(at);
  return at;
}

void session::forget_runs(case_index which, std::uint16_t executer) {
  spec_.forget_run(executer, spec_.operation_of(cases_.type(which)), cases_.input(which));
  for (const case_index origin : cases_.origins(which)) forget_runs(origin, executer);
}

void session::settle(derivation& how, std::uint16_t executer) {
  if (how.from.empty()) return;
  std::vector<case_index> sources;
  for (derivation& each : how.from) {
    settle(each, executer);
    sources.push_back(rebuild(each, executer));
    if (sources.back() == nowhere) return;
  }
  std::vector<made_input> made;
  std::uint64_t rejected = 0, threw = 0;
  const std::size_t datamorphism = how.type - spec_.makers().size();
  say(activity::mutating, static_cast<std::uint32_t>(datamorphism));
  spec_.make_mutants(datamorphism, executer, cases_, sources.data(), 1, made, rejected, threw);
  (void)spec_.take_error();
  if (made.empty()) return;
  const auto same = std::find_if(made.begin(), made.end(),
                                 [&](const made_input& m) { return spec_.input_id(m.input) == how.input_id; });
  how.which = same != made.end() ? static_cast<std::uint32_t>(same - made.begin())
                                 : std::min(how.which, static_cast<std::uint32_t>(made.size() - 1));
  how.input_id = spec_.input_id(made[how.which].input);
}

/// Shrinking is not to slide from one fault to another: from a crash to an exception, from a relation that is false to
/// one that throws, from one operation to another.
std::string session::ending_of(const violation& found, case_index which) {
  const std::uint16_t operation = spec_.operation_of(cases_.type(which));
  const input_index in = cases_.input(which);
  const check_of_spec& check = checks_[found.check];
  std::string ending = std::to_string(operation) + ":";
  if (check.what == check_of_spec::kind::relation) {
    if (!failed_samples_.empty()) return failed_samples_.clear(), ending + "sample";
    return ending + (spec_.take_error().empty() ? "false" : "threw");
  }
  if (check.what != check_of_spec::kind::run_ends) return ending;
  const ended how = spec_.how(found.executer, operation, in);
  ending += std::to_string(static_cast<int>(how));
  const std::string error = spec_.error(found.executer, operation, in);
  if (how == ended::crash) return ending + error;
  // What exceptions say may hold the input: the part before a colon, without numbers.
  for (const char c : error.substr(0, error.find(':')))
    if (c < '0' || c > '9') ending += c;
  return ending;
}

bool session::still_fails(const violation& found, const derivation& how) {
  const case_index at = rebuild(how, found.executer);
  if (at == nowhere) return false;
  const check_of_spec& check = checks_[found.check];
  if (check.what == check_of_spec::kind::relation && spec_.rules()[found.rule].about == scope::mutants &&
      cases_.order(at) == 0)
    return false;
  if (check.what == check_of_spec::kind::agreement)
    run_one(found.other, spec_.operation_of(cases_.type(at)), cases_.input(at));
  (void)spec_.take_error();
  return check_one(found.check, found.rule, found.executer, found.other, at) == verdict::fail &&
         (found.ending.empty() || found.ending == ending_of(found, at));
}

void session::shrink(violation& found) {
  shown_->shrinks = true;
  shrink_steps(found);
  say(activity::shrinking, found.executer);
  shown_->shrinks = false;
}

std::optional<derivation> session::as_seed(const derivation& of, std::uint16_t executer) {
  const case_index at = rebuild(of, executer);
  if (at == nowhere) return std::nullopt;
  const derivation* leaf = &of;
  while (!leaf->from.empty()) leaf = leaf->from.data();
  derivation made;
  made.type = leaf->type;
  made.input = cases_.input(at);
  made.input_id = spec_.input_id(made.input);
  if (!spec_.may_be_seed(made.type, made.input)) return std::nullopt;
  return made;
}

void session::shrink_steps(violation& found) {
  const auto begin = std::chrono::steady_clock::now();
  // What is remembered of its runs would hide that it is unsteady.
  if (const case_index at = rebuild(found.how, found.executer); at != nowhere) forget_runs(at, found.executer);
  found.steady = still_fails(found, found.how);
  if (!found.steady) return;
  (void)spec_.take_error();
  const case_index first = rebuild(found.how, found.executer);
  (void)check_one(found.check, found.rule, found.executer, found.other, first);
  found.ending = ending_of(found, first);
  const bool on_label = checks_[found.check].what == check_of_spec::kind::label;
  const bool by_rule = checks_[found.check].what == check_of_spec::kind::relation &&
                       spec_.rules()[found.rule].about == scope::datamorphism;
  derivation best = found.how;
  unsigned tries = 0, steps = 0;
  const auto attempt = [&](const derivation& candidate) {
    ++tries;
    say(activity::shrinking, found.executer);
    if (!still_fails(found, candidate)) return false;
    best = candidate;
    ++steps;
    return true;
  };
  const auto may_try = [&] {
    return tries < most_tries && (tries % 64 != 0 || resident_bytes() < how_.most_bytes) &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < longest;
  };

  for (bool better = !on_label; better && may_try();) {
    better = false;
    // A shorter derivation first: an origin, or a seed with that input, stands for what was made.
    for (bool cut = true; cut && may_try();) {
      cut = false;
      derivation candidate = best;
      std::vector<derivation*> nodes;
      collect_nodes(candidate, nodes);
      if (!by_rule && !candidate.from.empty()) nodes.push_back(&candidate);
      for (std::size_t n = 0; n < nodes.size() && !cut; ++n) {
        const auto put = [&](const derivation& part) {
          derivation shorter = best;
          std::vector<derivation*> places;
          collect_nodes(shorter, places);
          if (places.size() < nodes.size()) places.push_back(&shorter);
          *places[n] = part;
          return attempt(shorter);
        };
        for (std::size_t o = 0; o < nodes[n]->from.size() && !cut; ++o) cut = put(nodes[n]->from[o]);
        if (cut) break;
        const std::optional<derivation> seed = as_seed(*nodes[n], found.executer);
        cut = seed && put(*seed);
      }
      better = better || cut;
    }
    // Then smaller seeds.
    derivation candidate = best;
    std::vector<derivation*> leaves;
    collect_leaves(candidate, leaves);
    for (std::size_t l = 0; l < leaves.size() && may_try(); ++l) {
      for (bool smaller = true; smaller && may_try();) {
        smaller = false;
        candidate = best;
        leaves.clear();
        collect_leaves(candidate, leaves);
        std::vector<input_index> inputs_to_try;
        const std::size_t cases_before = cases_.size();
        std::uint32_t inputs_kept = spec_.number_of_inputs();
        say(activity::shrinking, found.executer);
        spec_.shrink_input(leaves[l]->type, leaves[l]->input, inputs_to_try);
        for (const input_index in : inputs_to_try) {
          if (!may_try()) break;
          derivation with = best;
          std::vector<derivation*> places;
          collect_leaves(with, places);
          places[l]->input = in;
          places[l]->label = nowhere;
          if (!attempt(with)) continue;
          smaller = better = true;
          inputs_kept = std::max(inputs_kept, in + 1);
          break;
        }
        // What was tried in vain would fill the memory.
        cases_.truncate(cases_before);
        spec_.truncate_inputs(inputs_kept);
      }
    }
  }
  if (steps > 0) {
    found.before_shrinking = found.how;
    found.how = best;
    found.shrunk_in = steps;
    settle(found.how, found.executer);
  }
}

}  // namespace morph::engine
