// Domain exploration: walks, random targets, and bisection between what they bring together.
#include "plugin/spec/explore/explore.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <map>

#include "morph/hash.hpp"
#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/interrupt.hpp"
#include "plugin/spec/engine/number_text.hpp"
#include "plugin/spec/engine/pool_file.hpp"

namespace morph::engine {
namespace {

using clock = std::chrono::steady_clock;

/// So many searches advance together. What is found depends on it, so it does not depend on the machine.
constexpr std::size_t at_once = 64;
constexpr std::size_t most_classes = 1000;
/// So many brackets of third classes are followed of one search.
constexpr unsigned most_third_classes = 64;

std::string shortened(const std::string& text) {
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

struct search {
  enum kind : unsigned char { walking, halving, confirming } doing = walking;
  std::uint64_t number = 0;
  random_source random{0};
  case_index low = nowhere, high = nowhere, proposed = nowhere;
  std::size_t step = 0;  // of a directed walk
  unsigned steps = 0, halvings = 0;
  double width = 0;
  bool by_third_class = false;
  search_end how = search_end::within;  // while confirming
  std::string low_text, high_text;      // of the outputs before
};

class explorer {
 public:
  explorer(session& at, const explore_options& how, const explore_seen& seen)
      : at_(at), spec_(at.spec()), how_(how), seen_(seen), begin_(clock::now()) {}

  explored run() {
    if (!how_.starts.empty() && run_starts() && measure_box()) {
      count_pairs();
      while (round() && found_.error.empty()) {
      }
      if (found_.error.empty()) judge_midpoint();
    }
    return std::move(found_);
  }

 private:
  input_index input(case_index c) { return at_.cases().input(c); }
  std::string shown(case_index c) { return shortened(spec_.show_input(input(c))); }
  bool stop(std::string why) {
    if (found_.error.empty()) found_.error = std::move(why);
    return false;
  }
  void tell(const explore_row& row) {
    if (seen_) seen_(row);
  }
  std::uint64_t runs() const {
    return found_.start_runs + found_.step_runs + found_.midpoint_runs + found_.confirming_runs;
  }

  // ---- what the spec says

  /// 0 with an error if it is none.
  double apart(input_index a, input_index b) {
    std::string error;
    const double found = at_.distance(a, b, "bisection", error);
    return error.empty() ? found : (stop(std::move(error)), 0);
  }

  verdict same(input_index a, input_index b) {
    std::string why;
    try {
      return spec_.same_class(how_.executer, a, b);
    } catch (const std::exception& thrown) {
      why = thrown.what();
    } catch (...) {
      why = "an exception that is no std::exception";
    }
    stop("same_class() threw for " + shortened(spec_.show_output(how_.executer, 0, a)) + " and " +
         shortened(spec_.show_output(how_.executer, 0, b)) + ": " + why);
    return verdict::not_applicable;
  }

  /// The first class whose example is of the same one; a new one if none is.
  std::uint32_t look_up(input_index in) {
    const ended how = spec_.how(how_.executer, 0, in);
    const bool threw = how == ended::exception && spec_.throwing_is_fine();
    if (how != ended::output && !threw) return no_class;
    for (std::uint32_t k = 0; k < found_.classes.size(); ++k) {
      const output_class& each = found_.classes[k];
      if (each.is_exception != threw) continue;
      if (threw || each.example == in || same(each.example, in) == verdict::pass) return k;
    }
    if (found_.classes.size() == most_classes)
      stop("the outputs are of more than " + std::to_string(most_classes) +
           " classes; exploration is for classifiers: say which outputs are of one class, "
           "s.same_class([](auto& a, auto& b) { return ...; })");
    found_.classes.push_back({in, threw, 0, 0});
    return static_cast<std::uint32_t>(found_.classes.size() - 1);
  }

  std::uint32_t class_of(case_index c) {
    auto& known = found_.class_of_input;
    const input_index in = input(c);
    if (known.size() <= in) known.resize(std::max<std::size_t>(in + 1, spec_.number_of_inputs()), unknown);
    if (known[in] != unknown) return known[in];
    known[in] = look_up(in);
    if (known[in] == no_class)
      found_.without_class.push_back(c);
    else
      ++found_.classes[known[in]].inputs;
    return known[in];
  }

  case_index add(std::size_t datamorphism, input_index in, const case_index* origins, std::size_t number) {
    return at_.cases().add(spec_.type_of(datamorphism), in, spec_.input_id(in), origins, number);
  }

  std::vector<input_index> make(std::size_t datamorphism, const case_index* sources, bool& threw) {
    std::vector<input_index> made = at_.make_of(datamorphism, how_.executer, sources, threw);
    const std::string why = spec_.take_error();
    if (threw && found_.broken.empty())
      found_.broken = "the datamorphism '" + spec_.datamorphisms()[datamorphism].name + "' threw for " +
                      shown(sources[0]) +
                      (spec_.datamorphisms()[datamorphism].arity > 1 ? " and " + shown(sources[1]) : "") + ": " + why;
    return made;
  }

  // ---- before the first search

  bool is_over() {
    if (interrupted()) {
      found_.interrupted = true;
      return true;
    }
    if (how_.most_seconds > 0 && std::chrono::duration<double>(clock::now() - begin_).count() >= how_.most_seconds)
      found_.limit = number_text(how_.most_seconds) + " s";
    else if (++rounds_ % 16 == 0 && resident_bytes() >= how_.most_bytes)
      found_.limit = std::to_string(how_.most_bytes >> 20) + " MiB of memory";
    return !found_.limit.empty();
  }

  bool run_starts() {
    for (std::size_t from = 0; from < how_.starts.size() && !is_over(); from += at_once) {
      std::vector<input_index> some;
      for (std::size_t i = from; i < std::min(from + at_once, how_.starts.size()); ++i) {
        const input_index in = input(how_.starts[i]);
        if (runs() + some.size() < how_.most_runs || spec_.how(how_.executer, 0, in) != ended::not_run)
          some.push_back(in), starts_.push_back(how_.starts[i]);
        else
          found_.limit = std::to_string(how_.most_runs) + " runs";
      }
      found_.start_runs += at_.run_some(how_.executer, some);
    }
    for (const case_index c : starts_) {
      const std::uint32_t found = class_of(c);
      if (!found_.error.empty()) return false;
      if (found != no_class) ++found_.classes[found].starts;
      if (found != no_class && !found_.classes[found].is_exception &&
          spec_.same_class(how_.executer, input(c), input(c)) == verdict::not_applicable)
        return stop(
            "the outputs cannot be compared: their type has neither == nor a text; say which are of one class: "
            "s.same_class([](auto& a, auto& b) { return ...; })");
    }
    return true;
  }

  /// The furthest from one, then the furthest from that, and so on: at least half of the greatest distance.
  bool measure_box() {
    at_.done();
    case_index from = how_.starts.front();
    for (int sweep = 0; sweep < 5; ++sweep) {
      double furthest = 0;
      case_index at = from;
      for (const case_index c : how_.starts) {
        const double far = apart(input(from), input(c));
        if (!found_.error.empty()) return false;
        if (far > furthest) furthest = far, at = c;
      }
      if (furthest <= found_.box) break;
      found_.box = furthest;
      from = at;
    }
    if (found_.box == 0 && !how_.is_absolute)
      return stop(
          "the distance between all cases is 0, so that no part of it can be a tolerance; give more seeds, or "
          "the distance itself: --absolute-tolerance D");
    found_.tolerance = how_.is_absolute ? how_.tolerance : how_.tolerance * found_.box;
    return true;
  }

  /// Case i stands first in pairs_[i + 1] - pairs_[i] pairs of different classes, with those behind it.
  void count_pairs() {
    starts_.erase(std::remove_if(starts_.begin(), starts_.end(), [&](case_index c) { return class_of(c) == no_class; }),
                  starts_.end());
    std::vector<std::uint64_t> left(found_.classes.size(), 0);
    for (const case_index c : starts_) ++left[class_of(c)];
    pairs_ = {0};
    for (std::size_t i = 0; i < starts_.size(); ++i) {
      const std::uint32_t own = class_of(starts_[i]);
      pairs_.push_back(pairs_.back() + (starts_.size() - i) - left[own]);
      --left[own];
    }
  }

  // ---- searches

  bool next_search(search& to) {
    if (next_ >= how_.searches || starts_.empty()) return false;
    to.number = next_ + 1;
    to.random = random_source(word_hash::mixed(how_.seed + hash_of_bytes("search " + std::to_string(next_))));
    switch (how_.method) {
      case exploration::random_target: {
        const std::uint64_t all = pairs_.back();
        if (next_ >= all) return false;
        const std::uint64_t rank = shuffled(all, how_.seed).at(next_);
        const auto first =
            static_cast<std::size_t>(std::upper_bound(pairs_.begin(), pairs_.end(), rank) - pairs_.begin() - 1);
        std::uint64_t skip = rank - pairs_[first];
        std::size_t second = first;
        const std::uint32_t own = class_of(starts_[first]);
        while (class_of(starts_[++second]) == own || skip-- > 0) {
        }
        to.low = starts_[first];
        to.high = starts_[second];
        break;
      }
      case exploration::random_walk:
        to.low = starts_[to.random.below(starts_.size())];
        break;
      case exploration::directed_walk:
        if (next_ / how_.steps.size() >= starts_.size()) return false;
        to.low = starts_[next_ / how_.steps.size()];
        to.step = how_.steps[next_ % how_.steps.size()];
        break;
    }
    ++next_;
    ++found_.searches;
    tell({explore_row::start, to.number, to.low, to.high, class_of(to.low)});
    to.doing = to.high == nowhere ? search::walking : search::halving;
    return true;
  }

  bool end(const search& s, search_end how) {
    ++found_.ends[static_cast<std::size_t>(how)];
    const bool is_told = std::any_of(found_.examples.begin(), found_.examples.end(),
                                     [&](const explored::unfinished& each) { return each.how == how; });
    const bool is_given_up = how > search_end::same_class && how != search_end::left_out;
    if (is_given_up && !is_told) found_.examples.push_back({how, s.number, s.low, s.high});
    tell({explore_row::end, s.number, s.low, s.high, nowhere, s.high == nowhere ? -1 : s.width, how});
    return false;
  }

  /// Says which input is to run next. False: the search has ended.
  bool propose(search& s) {
    if (s.doing == search::walking) return propose_step(s);
    if (s.doing != search::halving) return true;
    s.width = apart(input(s.low), input(s.high));
    if (!found_.error.empty()) return false;
    if (s.width <= found_.tolerance) return finish(s, search_end::within);
    if (s.halvings == how_.most_halvings) return finish(s, search_end::halvings);
    return propose_midpoint(s);
  }

  bool propose_step(search& s) {
    if (s.steps == how_.most_steps) return end(s, search_end::same_class);
    std::vector<std::size_t> choice = how_.steps;
    if (how_.method == exploration::directed_walk) choice = {s.step};
    while (!choice.empty()) {
      const auto at = static_cast<std::ptrdiff_t>(s.random.below(choice.size()));
      const std::size_t step = choice[static_cast<std::size_t>(at)];
      bool threw = false;
      const std::vector<input_index> made = make(step, &s.low, threw);
      if (made.empty()) {
        choice.erase(choice.begin() + at);
        continue;
      }
      ++s.steps;
      s.proposed = add(step, made[s.random.below(made.size())], &s.low, 1);
      return true;
    }
    return end(s, search_end::no_step);
  }

  /// Of several, the one that leaves the smaller bracket. The other order of both ends is tried where the first one
  /// gives no point between them.
  bool propose_midpoint(search& s) {
    bool any_threw = false, any_outside = false, any_end = false;
    for (const auto& origins : {std::array{s.low, s.high}, std::array{s.high, s.low}}) {
      bool threw = false;
      input_index best = nowhere;
      double least = 0;
      for (const input_index in : make(how_.mid, origins.data(), threw)) {
        if (in == input(s.low) || in == input(s.high)) {
          any_end = true;
          continue;
        }
        const double a = apart(input(s.low), in), b = apart(in, input(s.high));
        if (!found_.error.empty()) return false;
        const double far = std::max(a, b);
        if (far > s.width || std::min(a, b) >= s.width)
          any_outside = true;
        else if (best == nowhere || far < least)
          best = in, least = far;
      }
      any_threw = any_threw || threw;
      if (best != nowhere) {
        ++s.halvings;
        has_halved_ = true;
        s.proposed = add(how_.mid, best, origins.data(), 2);
        return true;
      }
      if (spec_.datamorphisms()[how_.mid].symmetric) break;
    }
    if (any_threw) return end(s, search_end::threw);
    if (any_outside) return end(s, search_end::no_progress);
    return any_end ? finish(s, search_end::closest) : end(s, search_end::nothing);
  }

  // ---- what came of it

  /// False: the search has ended.
  bool take(search& s) {
    if (s.doing == search::confirming) return take_confirmation(s);
    const std::uint32_t found = class_of(s.proposed);
    if (!found_.error.empty()) return false;
    tell({s.doing == search::walking ? explore_row::step : explore_row::halve, s.number, s.proposed, nowhere, found,
          s.doing == search::walking ? -1 : s.width});
    if (found == no_class) return end(s, search_end::no_class);
    if (s.doing == search::walking) {
      if (found == class_of(s.low)) return s.low = s.proposed, true;
      s.high = s.proposed;
      s.doing = search::halving;
      return true;
    }
    if (found == class_of(s.low)) return s.low = s.proposed, true;
    if (found != class_of(s.high)) follow_too(s);
    s.high = s.proposed;
    return true;
  }

  void follow_too(const search& s) {
    ++found_.third_classes;
    search other = s;
    other.low = s.proposed;
    other.by_third_class = true;
    tell({explore_row::third_class, s.number, s.proposed, s.high, class_of(s.proposed), s.width});
    if (++third_classes_[s.number] <= most_third_classes)
      pending_.push_back(std::move(other));
    else
      end(other, search_end::left_out);
  }

  bool is_known(const search& s) {
    auto a = s.low, b = s.high;
    if (class_of(a) > class_of(b)) std::swap(a, b);
    const auto& same_classes = by_classes_[{class_of(a), class_of(b)}];
    return std::any_of(same_classes.begin(), same_classes.end(), [&](std::size_t at) {
      const border_pair& each = found_.borders[at];
      return apart(input(a), input(each.a)) <= found_.tolerance && apart(input(b), input(each.b)) <= found_.tolerance;
    });
  }

  bool finish(search& s, search_end how) {
    if (is_known(s)) return end(s, search_end::known);
    s.how = how;
    if (!how_.confirms) return add_border(s);
    s.doing = search::confirming;
    s.low_text = outcome_text(s.low);
    s.high_text = outcome_text(s.high);
    return true;
  }

  static constexpr const char* no_text = "=";
  std::string outcome_text(case_index c) {
    const ended how = spec_.how(how_.executer, 0, input(c));
    return how == ended::output ? no_text + spec_.text_of_output(how_.executer, 0, input(c)) : ended_name(how);
  }
  /// An example of its class cannot be compared with itself: then it has to have the same text.
  bool is_steady(case_index c, const std::string& before) {
    const std::uint32_t known = class_of(c);
    const std::string now = outcome_text(c);
    if (now == before && now != no_text) return true;
    return found_.classes[known].example == input(c) ? now == before : same_as_class(input(c), known);
  }
  bool same_as_class(input_index in, std::uint32_t which) {
    const output_class& of = found_.classes[which];
    const ended how = spec_.how(how_.executer, 0, in);
    if (of.is_exception) return how == ended::exception;
    return how == ended::output && same(of.example, in) == verdict::pass;
  }

  bool take_confirmation(search& s) {
    if (!is_steady(s.low, s.low_text) || !is_steady(s.high, s.high_text)) return end(s, search_end::unsteady);
    return is_known(s) ? end(s, search_end::known) : add_border(s);
  }

  bool add_border(const search& s) {
    if (same(input(s.low), input(s.high)) == verdict::pass) return end(s, search_end::not_transitive);
    border_pair made{s.low,      s.high, class_of(s.low), class_of(s.high), s.width,
                     s.halvings, s.how,  s.number,        s.by_third_class};
    if (made.class_a > made.class_b) {
      std::swap(made.a, made.b);
      std::swap(made.class_a, made.class_b);
    }
    by_classes_[{made.class_a, made.class_b}].push_back(found_.borders.size());
    found_.borders.push_back(made);
    return end(s, s.how);
  }

  // ---- rounds

  void leave_out() {
    for (const search& each : active_) end(each, search_end::left_out);
    for (const search& each : pending_) end(each, search_end::left_out);
    active_.clear();
    pending_.clear();
  }

  /// Each search runs one input, and takes the outcome in. False: nothing is left to do.
  bool round() {
    if (!found_.limit.empty() || is_over()) return leave_out(), false;
    while (active_.size() < at_once) {
      search next;
      if (!pending_.empty()) {
        active_.push_back(std::move(pending_.front()));
        pending_.pop_front();
      } else if (next_search(next)) {
        active_.push_back(std::move(next));
      } else {
        break;
      }
    }
    if (active_.empty()) return false;
    std::vector<search> going;
    for (search& each : active_)
      if (propose(each)) going.push_back(std::move(each));
    active_.clear();
    if (!found_.error.empty()) return false;

    std::vector<input_index> to_run;
    std::vector<search> ran;
    const auto wants = [&](input_index in, std::uint64_t& counter) {
      if (spec_.how(how_.executer, 0, in) != ended::not_run) return;
      if (std::find(to_run.begin(), to_run.end(), in) != to_run.end()) return;
      to_run.push_back(in);
      ++counter;
    };
    for (search& each : going) {
      const bool confirms = each.doing == search::confirming;
      if (runs() + (confirms ? 2 : 1) > how_.most_runs) {
        found_.limit = std::to_string(how_.most_runs) + " runs";
        active_.push_back(std::move(each));
        continue;
      }
      if (confirms)
        for (const case_index c : {each.low, each.high}) {
          spec_.forget_run(how_.executer, 0, input(c));
          wants(input(c), found_.confirming_runs);
        }
      else
        wants(input(each.proposed), each.doing == search::walking ? found_.step_runs : found_.midpoint_runs);
      ran.push_back(std::move(each));
    }
    at_.run_some(how_.executer, to_run);
    for (search& each : ran) {
      if (take(each)) active_.push_back(std::move(each));
      if (!found_.error.empty()) return false;
    }
    return true;
  }

  void judge_midpoint() {
    if (has_halved_ || found_.ends[static_cast<std::size_t>(search_end::closest)] == 0) return;
    stop("the datamorphism '" + spec_.datamorphisms()[how_.mid].name + "' gave one of its two arguments for each of " +
         std::to_string(found_.ends[static_cast<std::size_t>(search_end::closest)]) + " pairs, such as " +
         shown(found_.borders.front().a) + " and " + shown(found_.borders.front().b) +
         ", so that nothing was halved: it has to give what lies between them");
  }

  static constexpr std::uint32_t unknown = no_class - 1;
  session& at_;
  spec_base& spec_;
  const explore_options& how_;
  const explore_seen& seen_;
  clock::time_point begin_;
  explored found_;
  std::vector<case_index> starts_;    // that have run, and of which the class is known
  std::vector<std::uint64_t> pairs_;  // see count_pairs()
  std::uint64_t next_ = 0, rounds_ = 0;
  std::vector<search> active_;
  std::deque<search> pending_;
  std::map<std::uint64_t, unsigned> third_classes_;  // by search
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_classes_;
  bool has_halved_ = false;
};

}  // namespace

const char* exploration_name(exploration which) {
  return which == exploration::random_target ? "random-target"
         : which == exploration::random_walk ? "random-walk"
                                             : "directed-walk";
}

const char* search_end_name(search_end how) {
  constexpr const char* names[number_of_search_ends] = {
      "tolerance", "closest",     "halvings", "known",    "same class",     "no step", "nothing",
      "threw",     "no progress", "no class", "unsteady", "not transitive", "left out"};
  return names[static_cast<std::size_t>(how)];
}

double explored::midpoints_a_border() const {
  return borders.empty() ? 0 : static_cast<double>(midpoint_runs) / static_cast<double>(borders.size());
}
double explored::runs_a_border() const {
  const std::uint64_t all = step_runs + midpoint_runs + confirming_runs;
  return borders.empty() ? 0 : static_cast<double>(all) / static_cast<double>(borders.size());
}

explored explore(session& at, const explore_options& how, const explore_seen& seen) {
  return explorer(at, how, seen).run();
}

std::string find_midpoint(const spec_base& spec, const std::string& name, std::size_t& to) {
  std::vector<std::string> of_two;
  const auto& all = spec.datamorphisms();
  std::size_t found = all.size();
  for (std::size_t d = 0; d < all.size(); ++d) {
    if (name.empty() ? all[d].arity == 2 : all[d].name == name) found = d;
    if (all[d].arity == 2) of_two.push_back(all[d].name);
  }
  std::string listed;
  for (const std::string& each : of_two) listed += (listed.empty() ? "'" : ", '") + each + "'";
  if (of_two.empty())
    return "bisection needs a datamorphism of two inputs that gives what lies between them, and the spec has none; "
           "declare one: s.datamorph(\"mid\", [](const input& a, const input& b) { return ...; })";
  if (name.empty() && of_two.size() > 1)
    return "several datamorphisms take two inputs; say which one gives what lies between them: --mid NAME, one of " +
           listed;
  if (found == all.size()) {
    const std::string alike = most_alike(name, of_two);
    return "--mid: the spec has no datamorphism '" + name + "'" +
           (alike.empty() ? "; of two inputs there are " + listed : "; did you mean '" + alike + "'?");
  }
  if (all[found].arity != 2)
    return "--mid: the datamorphism '" + name + "' takes " + std::to_string(all[found].arity) +
           (all[found].arity == 1 ? " input" : " inputs") + ", and bisection needs one of two, such as " + listed;
  if (all[found].operation != 0)
    return "--mid: the mutants of '" + all[found].name + "' run the operation '" +
           spec.operations()[all[found].operation].name + "', and borders are those of the executer";
  to = found;
  return {};
}

std::string find_steps(const spec_base& spec, const std::vector<std::string>& names, std::vector<std::size_t>& to) {
  const auto& all = spec.datamorphisms();
  std::vector<std::string> of_one;
  for (std::size_t d = 0; d < all.size(); ++d) {
    if (all[d].arity != 1 || all[d].operation != 0) continue;
    of_one.push_back(all[d].name);
    if (names.empty()) to.push_back(d);
  }
  if (of_one.empty())
    return "a walk needs steps, datamorphisms of one input, and the spec has none; declare some: "
           "s.datamorph(\"right\", [](input a) { ...; return a; }), or take --strategy random-target";
  for (const std::string& name : names) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    if (std::find(of_one.begin(), of_one.end(), name) == of_one.end()) {
      if (found != all.end() && found->arity != 1)
        return "--step: the datamorphism '" + name + "' takes " + std::to_string(found->arity) +
               " inputs, and a step takes one";
      if (found != all.end())
        return "--step: the mutants of '" + name + "' run another operation, and borders are those of the executer";
      const std::string alike = most_alike(name, of_one);
      return "--step: the spec has no datamorphism '" + name + "' of one input" +
             (alike.empty() ? "" : "; did you mean '" + alike + "'?");
    }
    to.push_back(static_cast<std::size_t>(found - all.begin()));
  }
  return {};
}

}  // namespace morph::engine
