// Pairs of functions, data and initializers of two units, and the rules for those that differ.
#include "coverage/object/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>

#include "coverage/object/initializers.hpp"
#include "coverage/object/test_numbers.hpp"

namespace morph::object {
namespace {

/// What an object alone can name: by the name, and which of that name.
class local_names {
 public:
  explicit local_names(const link_unit& unit) : unit_(unit), by_object_(unit.objects().size()) {
    for (std::uint32_t i = 0; i < unit.objects().size(); ++i) objects_.emplace(unit.objects()[i].path, i);
  }

  std::optional<std::uint32_t> object(std::string_view path) const {
    const auto found = objects_.find(path);
    return found == objects_.end() ? std::nullopt : std::optional(found->second);
  }
  const std::map<std::string_view, std::vector<unit_atom>>& names(std::uint32_t object) {
    auto& made = by_object_[object];
    if (made) return *made;
    made.emplace();
    const object_print& print = *unit_.objects()[object].print;
    for (std::uint32_t i = 0; i < print.atoms.size(); ++i) {
      const atom& a = print.atoms[i];
      const unit_atom index = unit_.atom_of(object, i);
      if (a.name != none && a.is(atom::local) && unit_.is_live(index)) (*made)[print.names[a.name]].push_back(index);
    }
    return *made;
  }

 private:
  const link_unit& unit_;
  std::unordered_map<std::string_view, std::uint32_t> objects_;
  std::vector<std::optional<std::map<std::string_view, std::vector<unit_atom>>>> by_object_;
};

// New definitions of these take the place of the standard library's, for whoever calls them.
bool is_replaceable(std::string_view name) {
  static constexpr std::array<std::string_view, 8> allocation{"malloc",        "free",           "calloc",   "realloc",
                                                              "aligned_alloc", "posix_memalign", "memalign", "valloc"};
  for (const std::string_view of : {"_Znw", "_Zna", "_Zdl", "_Zda"})
    if (name.starts_with(of)) return true;
  return std::find(allocation.begin(), allocation.end(), name) != allocation.end();
}

// Calls, stores and compares nothing.
bool is_empty(const segment& s) {
  return s.of_frameworks && s.variable == none && s.events == digest();
}

bool may_be_frame(const segment& s) {
  return s.of_frameworks && s.variable == none;
}

// Events tell everything but the constants.
digest whole_events(const object_print& print, const segment& s) {
  digest_writer all;
  all.add(s.events);
  for (std::uint32_t i = 0; i < s.constants.count; ++i) all.number(print.constants[s.constants.first + i]);
  return all.finish();
}

class comparer {
 public:
  comparer(const link_unit& before, const link_unit& after, const compare_options& options)
      : before_(before),
        after_(after),
        options_(options),
        before_names_(before),
        after_names_(after),
        same_(before.objects().size(), none) {
    for (std::uint32_t o = 0; o < after.objects().size(); ++o)
      if (const std::uint32_t was = after.same_object(before, o); was != none) same_[was] = o;
  }

  comparison compare();

 private:
  bool compare_same(std::uint32_t object, std::uint32_t now);
  void compare_atom(unit_atom index, const std::vector<std::string_view>& names);
  std::vector<std::vector<std::string_view>> names_of_atoms(std::uint32_t object) const;
  std::optional<unit_atom> counterpart(unit_atom index, std::string_view name);
  void compare_pair(unit_atom index, unit_atom now, std::string_view name);
  void lost(unit_atom index, std::string_view name);
  bool lines_explain(unit_atom index, unit_atom now) const;
  bool lines_explain(std::string_view object, std::string_view symbol, std::span<const std::uint32_t> was,
                     std::span<const std::uint32_t> is, bool own_lines) const;
  std::span<const std::uint32_t> constants(const link_unit& unit, std::uint32_t object, const range& of) const;
  void explain(unit_atom index, unit_atom now, change& to) const;
  std::string way_to_difference(unit_atom index, unit_atom now, change_reason& reason, int depth) const;
  change change_of(unit_atom index, std::string_view name, change_reason reason) const;
  void normalize(normal_rule rule, const std::string& object, std::string symbol = {}, unit_atom index = none) {
    result_.normalized.push_back({rule, object, std::move(symbol), index, false});
  }

  void compare_initializers();
  void compare_initializers(std::uint32_t object, std::uint32_t now);
  bool same_initializers(std::uint32_t object, std::uint32_t now);
  bool same_segment(std::uint32_t object, const segment& was, std::uint32_t now, const segment& is, bool by_events);
  std::vector<unit_atom> test_of(std::uint32_t object, const segment& registration);
  bool registered_otherwise(std::uint32_t object, const segment& was, const segment& is);
  void unpaired_initializers(const link_unit& unit, std::uint32_t object, bool is_new);
  void all_of(const link_unit& unit, std::uint32_t object, std::string detail);
  bool streams_start_without(std::uint32_t object, std::uint32_t now) const;
  bool is_only_of_streams(const link_unit& unit, std::uint32_t object) const;
  bool is_taken_apart(const link_unit& unit, std::uint32_t object) const;
  bool is_frame(const link_unit& unit, std::uint32_t object, const segment& s) const;
  std::set<std::string_view> ahead_of_streams(const link_unit& unit) const;
  void compare_lists();
  void find_new();

  const link_unit& before_;
  const link_unit& after_;
  const compare_options& options_;
  local_names before_names_, after_names_;
  std::vector<std::uint32_t> same_;  // objects of the newer unit, by those of the older
  std::set<digest> shapes_;          // of registrations in the older unit
  std::map<digest, std::set<std::string_view>> frames_before_, frames_after_;  // which objects have those events
  std::set<std::uint32_t> streams_before_, streams_after_;                     // objects that start <iostream>
  bool streams_start_alike_ = false;
  std::set<std::uint32_t> with_fewer_tests_;  // objects of the older unit
  comparison result_;
};

change comparer::change_of(unit_atom index, std::string_view name, change_reason reason) const {
  const bool function = before_.at(index).kind == atom_kind::function;
  return {function ? change_kind::function : change_kind::data,
          reason,
          before_.objects()[before_.object_of(index)].path,
          std::string(name),
          {},
          {},
          false,
          index};
}

std::span<const std::uint32_t> comparer::constants(const link_unit& unit, std::uint32_t object, const range& of) const {
  return std::span(unit.objects()[object].print->constants).subspan(of.first, of.count);
}

bool comparer::lines_explain(std::string_view object, std::string_view symbol, std::span<const std::uint32_t> was,
                             std::span<const std::uint32_t> is, bool own_lines) const {
  if (!options_.map_line || was.size() != is.size()) return false;
  for (std::size_t i = 0; i < was.size(); ++i) {
    if (was[i] == is[i]) continue;
    if (own_lines && (!options_.is_line_of || !options_.is_line_of(object, symbol, was[i]))) return false;
    if (options_.map_line(object, symbol, was[i]) != is[i]) return false;
  }
  return true;
}

bool comparer::lines_explain(unit_atom index, unit_atom now) const {
  const std::uint32_t object = before_.object_of(index);
  const auto was = constants(before_, object, before_.at(index).constants);
  const auto is = constants(after_, after_.object_of(now), after_.at(now).constants);
  return lines_explain(before_.objects()[object].path, before_.compiled_name_of(index), was, is, true) &&
         before_.relaxed_fingerprint(index) == after_.relaxed_fingerprint(now);
}

// The names by which it is reached: those that it wins, or its own in its object. None of another object's copy.
std::vector<std::vector<std::string_view>> comparer::names_of_atoms(std::uint32_t object) const {
  const object_print& print = *before_.objects()[object].print;
  std::vector<std::vector<std::string_view>> names(print.atoms.size());
  for (std::uint32_t i = 0; i < print.atoms.size(); ++i)
    if (print.atoms[i].name != none && print.atoms[i].is(atom::local))
      names[i].push_back(print.names[print.atoms[i].name]);
  for (const definition& d : print.definitions) {
    const std::string_view name = print.names[d.name];
    if (d.binding != strength::local && before_.find(before_, object, d.name) == before_.atom_of(object, d.atom))
      names[d.atom].push_back(name);
  }
  return names;
}

std::optional<unit_atom> comparer::counterpart(unit_atom index, std::string_view name) {
  // What has a name of its object's own may be reached by others too, further in.
  const bool own = before_.at(index).is(atom::local) && before_.name_of(index) == name;
  if (!own) return after_.find(name);
  const std::uint32_t object = before_.object_of(index);
  const auto now = after_names_.object(before_.objects()[object].path);
  if (!now) return {};
  const auto& mine = before_names_.names(object);
  const auto& theirs = after_names_.names(*now);
  const auto from = mine.find(name), to = theirs.find(name);
  if (from == mine.end() || to == theirs.end()) return {};
  const auto which = std::find(from->second.begin(), from->second.end(), index) - from->second.begin();
  return static_cast<std::size_t>(which) < to->second.size()
             ? std::optional(to->second[static_cast<std::size_t>(which)])
             : std::nullopt;
}

// Follows the first references that lead to something else.
std::string comparer::way_to_difference(unit_atom index, unit_atom now, change_reason& reason, int depth) const {
  const atom& was = before_.at(index);
  const atom& is = after_.at(now);
  if (was.content != is.content || was.references.count != is.references.count || depth == 0) return {};
  for (std::uint32_t i = 0; i < was.references.count; ++i) {
    const std::uint32_t from = before_.print_of(index).references[was.references.first + i];
    const std::uint32_t to = after_.print_of(now).references[is.references.first + i];
    if (before_.effect(index, from) == after_.effect(now, to)) continue;
    const resolved old_place = before_.resolve(before_.object_of(index), from);
    const resolved new_place = after_.resolve(after_.object_of(now), to);
    const auto name_of_reference = [&] {
      return (from & by_name) != 0 ? demangled(before_.print_of(index).names[from & ~by_name]) : std::string();
    };
    if (old_place.where != new_place.where || old_place.where == destination::function) {
      reason = change_reason::definition;
      return name_of_reference();
    }
    if (old_place.where == destination::list) return fmt::format("the list {}", name_of_reference());
    const std::string_view name = before_.name_of(old_place.to);
    if (name.starts_with("_ZTV") || name.starts_with("_ZTT"))
      reason = change_reason::vtable;
    else if ((name.starts_with("_ZTI") || name.starts_with("_ZTS")) && reason == change_reason::data)
      reason = change_reason::type;
    const std::string more = way_to_difference(old_place.to, new_place.to, reason, depth - 1);
    if (name.empty()) return more.empty() ? "a constant" : more;
    return more.empty() || more == "a constant" ? demangled(name) : fmt::format("{}, {}", demangled(name), more);
  }
  return {};
}

void comparer::explain(unit_atom index, unit_atom now, change& to) const {
  const atom& was = before_.at(index);
  const atom& is = after_.at(now);
  const std::string& from_object = before_.objects()[before_.object_of(index)].path;
  const std::string& in_object = after_.objects()[after_.object_of(now)].path;
  if (from_object != in_object && was.content != is.content) {
    to.reason = change_reason::copy;
    to.detail = in_object;
  } else if (was.content != is.content) {
    to.reason = change_reason::code;
  } else if (was.exceptions != is.exceptions) {
    to.reason = change_reason::exceptions;
  } else {
    to.reason = change_reason::data;
    to.detail = way_to_difference(index, now, to.reason, 16);
    if (from_object != in_object && to.detail.empty()) to.reason = change_reason::copy, to.detail = in_object;
  }
}

void comparer::compare_pair(unit_atom index, unit_atom now, std::string_view name) {
  const atom& was = before_.at(index);
  if (was.kind == atom_kind::function) ++result_.compared;
  if (before_.fingerprint(index) == after_.fingerprint(now)) return;
  const std::string& object = before_.objects()[before_.object_of(index)].path;
  if (was.kind == atom_kind::function && lines_explain(index, now)) {
    normalize(normal_rule::line_numbers, object, std::string(name));
    return;
  }
  change made = change_of(index, name, change_reason::code);
  explain(index, now, made);
  if (was.kind == atom_kind::data && made.reason == change_reason::code) made.reason = change_reason::data;
  made.everything = was.is(atom::unconditional) || after_.at(now).is(atom::unconditional) ||
                    (was.kind == atom_kind::function && is_initializer_name(name));
  if (made.everything) made.kind = change_kind::initializer;
  result_.changes.push_back(std::move(made));
}

void comparer::lost(unit_atom index, std::string_view name) {
  const atom& was = before_.at(index);
  const std::string& object = before_.objects()[before_.object_of(index)].path;
  const bool reachable =
      before_.find(name) == index && (before_.options().shared || (options_.is_exported && options_.is_exported(name)));
  const bool runs = was.is(atom::unconditional) || (was.kind == atom_kind::function && is_initializer_name(name));
  if (!reachable && !runs) {
    if (was.kind == atom_kind::function) normalize(normal_rule::gone, object, std::string(name), index);
    return;
  }
  change made = change_of(index, name, change_reason::gone);
  made.everything = runs;
  result_.changes.push_back(std::move(made));
}

// Of an object that is the same in both nothing differs, if its names lead to it as before. False if they do not.
bool comparer::compare_same(std::uint32_t object, std::uint32_t now) {
  const object_print& print = *before_.objects()[object].print;
  const auto is_compared = [&](std::uint32_t i) {
    const atom& a = print.atoms[i];
    return a.kind == atom_kind::function && !a.is(atom::initializer) && before_.is_live(before_.atom_of(object, i));
  };
  std::size_t compared = 0;
  for (const definition& d : print.definitions) {
    if (d.binding == strength::local) continue;
    const bool was = before_.find(before_, object, d.name) == before_.atom_of(object, d.atom);
    const bool is = after_.find(after_, now, d.name) == after_.atom_of(now, d.atom);
    if (was != is) return false;
    if (was && is_compared(d.atom)) ++compared;
  }
  for (std::uint32_t i = 0; i < print.atoms.size(); ++i)
    if (print.atoms[i].name != none && print.atoms[i].is(atom::local) && is_compared(i)) ++compared;
  result_.compared += compared;
  return true;
}

void comparer::compare_atom(unit_atom index, const std::vector<std::string_view>& names) {
  const atom& was = before_.at(index);
  if (!before_.is_live(index) || was.kind == atom_kind::startup || was.is(atom::initializer)) return;
  // One change is enough, whichever name leads to it.
  const std::size_t changes = result_.changes.size();
  for (const std::string_view name : names) {
    const auto now = counterpart(index, name);
    if (now && after_.at(*now).kind == was.kind)
      compare_pair(index, *now, name);
    else
      lost(index, name);
    if (result_.changes.size() == changes) continue;
    for (const std::string_view other : names)
      if (other != name) result_.changes.back().others.emplace_back(other);
    return;
  }
}

// By events: only what is called, with what constants. Enough for what only registers tests.
bool comparer::same_segment(std::uint32_t object, const segment& was, std::uint32_t now, const segment& is,
                            bool by_events) {
  if (before_.fingerprint(object, was) == after_.fingerprint(now, is)) return true;
  const object_print& print = *before_.objects()[object].print;
  std::string_view symbol = was.variable == none ? std::string_view() : print.compiled_name(was.variable);
  // GoogleTest keeps no number but the line.
  const bool relaxed_alike = before_.relaxed_fingerprint(object, was) == after_.relaxed_fingerprint(now, is) ||
                             (by_events && before_.event_fingerprint(object, was) == after_.event_fingerprint(now, is));
  if (!relaxed_alike) return false;
  if (is_of_google_test(symbol) && was.constants.count == is.constants.count) return true;
  // The test begins in the line that is registered.
  if (const auto test = was.variable == none ? std::vector<unit_atom>() : test_of(object, was); !test.empty())
    symbol = before_.compiled_name_of(test.front());
  return lines_explain(before_.objects()[object].path, symbol, constants(before_, object, was.constants),
                       constants(after_, now, is.constants), false);
}

void comparer::all_of(const link_unit& unit, std::uint32_t object, std::string detail) {
  change made{change_kind::initializer,
              change_reason::initializer,
              unit.objects()[object].path,
              {},
              {},
              std::move(detail),
              true,
              none};
  result_.changes.push_back(std::move(made));
}

// The function that runs the test.
std::vector<unit_atom> comparer::test_of(std::uint32_t object, const segment& registration) {
  const object_print& print = *before_.objects()[object].print;
  std::vector<unit_atom> found;
  for (std::uint32_t i = 0; i < registration.references.count; ++i) {
    const resolved to = before_.resolve(object, print.references[registration.references.first + i]);
    if (to.where == destination::function && test_numbers::is_numbered(before_.compiled_name_of(to.to)))
      found.push_back(to.to);
  }
  std::string_view variable = print.names[registration.variable];
  constexpr std::string_view of_google_test = "10test_info_E";
  if (!variable.ends_with(of_google_test)) return found;
  variable.remove_suffix(of_google_test.size());
  const std::string body = std::string(variable) + "8TestBodyEv";
  const auto& local = before_names_.names(object);
  if (const auto own = local.find(body); own != local.end())
    found.push_back(own->second.front());
  else if (const auto shared = before_.find(body))
    found.push_back(*shared);
  return found;
}

// What only refers to the framework concerns its own test. False if that is not known.
bool comparer::registered_otherwise(std::uint32_t object, const segment& was, const segment& is) {
  if (!was.of_frameworks || !is.of_frameworks) return false;
  const std::vector<unit_atom> test = test_of(object, was);
  for (const unit_atom index : test) {
    change made = change_of(index, before_.name_of(index), change_reason::initializer);
    made.detail = "how it is registered";
    result_.changes.push_back(std::move(made));
  }
  return !test.empty();
}

bool comparer::same_initializers(std::uint32_t object, std::uint32_t now) {
  if (same_[object] == now) return true;
  const object_print& was = *before_.objects()[object].print;
  const object_print& is = *after_.objects()[now].print;
  if (was.segments.size() != is.segments.size()) return false;
  for (std::size_t i = 0; i < was.segments.size(); ++i)
    if (before_.fingerprint(object, was.segments[i]) != after_.fingerprint(now, is.segments[i])) return false;
  return true;
}

void comparer::compare_initializers(std::uint32_t object, std::uint32_t now) {
  if (same_initializers(object, now)) return;
  const object_print& was = *before_.objects()[object].print;
  const object_print& is = *after_.objects()[now].print;
  const auto of_frameworks = [](const segment& s) { return s.of_frameworks; };
  const bool by_events = std::all_of(was.segments.begin(), was.segments.end(), of_frameworks) &&
                         std::all_of(is.segments.begin(), is.segments.end(), of_frameworks);
  const bool streams = streams_start_without(object, now);
  if (streams && (was.segments.empty() || is.segments.empty()) && is_taken_apart(before_, object) &&
      is_taken_apart(after_, now) && (is_only_of_streams(after_, now) || is_only_of_streams(before_, object)))
    return normalize(normal_rule::streams, before_.objects()[object].path);
  // Not registrations, nor frames that are made and left.
  const auto staying_of = [&](const object_print& print) {
    std::vector<const segment*> staying;
    for (const segment& s : print.segments)
      if (s.variable == none && !is_empty(s) && !(streams && s.of_streams)) staying.push_back(&s);
    return staying;
  };
  std::map<std::string_view, const segment*> registered;
  for (const segment& s : is.segments)
    if (s.variable != none) registered.emplace(is.names[s.variable], &s);
  for (const segment& s : was.segments)
    if (s.variable != none && !registered.contains(was.names[s.variable])) with_fewer_tests_.insert(object);
  for (const segment& s : was.segments) {
    if (s.variable == none) continue;
    const auto found = registered.find(was.names[s.variable]);
    if (found == registered.end()) continue;
    if (!same_segment(object, s, now, *found->second, by_events) && !registered_otherwise(object, s, *found->second))
      return all_of(before_, object, fmt::format("how {} is registered", demangled(was.names[s.variable])));
    registered.erase(found);
  }
  const auto same = [&](const segment* s, const segment* t) { return same_segment(object, *s, now, *t, by_events); };
  const auto stayed = staying_of(was), stay = staying_of(is);
  if (!std::equal(stayed.begin(), stayed.end(), stay.begin(), stay.end(), same)) return all_of(before_, object, "");
  for (const auto& [variable, s] : registered)
    if (!shapes_.contains(s->shape) && !(by_events && shapes_.contains(s->callees)))
      return all_of(after_, now, fmt::format("{} is registered in a new way", demangled(variable)));
  const bool starts_otherwise = streams_before_.contains(object) != streams_after_.contains(now);
  if (starts_otherwise) normalize(normal_rule::streams, before_.objects()[object].path);
  if (!starts_otherwise || !registered.empty() || with_fewer_tests_.contains(object))
    normalize(normal_rule::registration, before_.objects()[object].path);
}

// One more of many that start std::cout, or one less, changes nothing.
bool comparer::streams_start_without(std::uint32_t object, std::uint32_t now) const {
  const auto in_others = [](const std::set<std::uint32_t>& all, std::uint32_t own) {
    return all.size() > all.count(own);
  };
  return streams_start_alike_ && in_others(streams_before_, object) && in_others(streams_after_, now);
}

// Nothing runs but what the segments say.
bool comparer::is_taken_apart(const link_unit& unit, std::uint32_t object) const {
  const object_print& print = *unit.objects()[object].print;
  for (std::uint32_t i = 0; i < print.atoms.size(); ++i) {
    const atom& a = print.atoms[i];
    if (a.kind != atom_kind::startup || !unit.is_live(unit.atom_of(object, i))) continue;
    for (std::uint32_t k = 0; k < a.references.count; ++k) {
      const resolved to = unit.resolve(object, print.references[a.references.first + k]);
      if (to.where != destination::function || !unit.at(to.to).is(atom::initializer)) return false;
    }
  }
  return true;
}

// Objects that may use streams before any object of the unit started them.
std::set<std::string_view> comparer::ahead_of_streams(const link_unit& unit) const {
  std::set<std::string_view> ahead;
  for (std::uint32_t o = 0; o < unit.objects().size(); ++o) {
    if (!is_taken_apart(unit, o)) ahead.insert(unit.objects()[o].path);
    for (const segment& s : unit.objects()[o].print->segments) {
      if (s.of_streams) return ahead;
      if (s.variable == none && s.references.count != 0) ahead.insert(unit.objects()[o].path);
    }
  }
  return ahead;
}

// What surrounds registrations, with nothing of the project in it, and which others have as well.
bool comparer::is_frame(const link_unit& unit, std::uint32_t object, const segment& s) const {
  if (!may_be_frame(s)) return false;
  const object_print& print = *unit.objects()[object].print;
  for (std::uint32_t i = 0; i < s.references.count; ++i) {
    const resolved to = unit.resolve(object, print.references[s.references.first + i]);
    // A template of the standard library may call anything.
    if (to.where == destination::function && unit.name_of(to.to).find("St") < 5) return false;
  }
  const std::string_view path = unit.objects()[object].path;
  const digest events = whole_events(print, s);
  const auto in_others = [&](const std::map<digest, std::set<std::string_view>>& frames) {
    const auto found = frames.find(events);
    return found != frames.end() && found->second.size() > found->second.count(path);
  };
  return in_others(frames_before_) && in_others(frames_after_);
}

bool comparer::is_only_of_streams(const link_unit& unit, std::uint32_t object) const {
  const auto& segments = unit.objects()[object].print->segments;
  return !segments.empty() && std::all_of(segments.begin(), segments.end(), [&](const segment& s) {
    return s.of_streams || is_empty(s) || is_frame(unit, object, s);
  });
}

// An object that only one of the units has: nothing, if it only registers tests.
void comparer::unpaired_initializers(const link_unit& unit, std::uint32_t object, bool is_new) {
  const object_print& print = *unit.objects()[object].print;
  bool any = false, runs = !is_taken_apart(unit, object);
  for (std::uint32_t i = 0; i < print.atoms.size(); ++i) {
    const atom& a = print.atoms[i];
    if (!unit.is_live(unit.atom_of(object, i))) continue;
    if (is_new && a.is(atom::unconditional)) runs = true;
    any |= a.kind == atom_kind::startup;
  }
  const bool streams = is_new ? streams_start_without(none, object) : streams_start_without(object, none);
  for (const segment& s : print.segments) {
    if (s.variable == none)
      runs |= !is_empty(s) && !(s.of_streams && streams) && !is_frame(unit, object, s);
    else
      runs |= !s.of_frameworks || (is_new && !shapes_.contains(s.shape) && !shapes_.contains(s.callees));
  }
  if (runs) return all_of(unit, object, is_new ? "a new object" : "an object that went");
  if (any) normalize(normal_rule::registration, unit.objects()[object].path);
  if (any && !is_new) with_fewer_tests_.insert(object);
}

// Lists of startup functions, by object and section, or by COMDAT group.
void comparer::compare_lists() {
  using key = std::pair<std::string, std::string>;
  const auto lists_of = [](const link_unit& unit) {
    std::map<key, std::vector<digest>> lists;
    std::map<key, std::uint32_t> objects;
    for (unit_atom i = 0; i < unit.size(); ++i) {
      const atom& a = unit.at(i);
      if (a.kind != atom_kind::startup || !unit.is_live(i)) continue;
      const std::string where =
          a.group == none ? unit.objects()[unit.object_of(i)].path : std::string(unit.print_of(i).names[a.group]);
      const key k{where, std::string(unit.name_of(i))};
      lists[k].push_back(a.content);
      objects[k] = unit.object_of(i);
    }
    return std::pair(std::move(lists), std::move(objects));
  };
  const auto [was, was_in] = lists_of(before_);
  const auto [is, is_in] = lists_of(after_);
  const auto all_known = [](const link_unit& unit, std::uint32_t object) {
    return !unit.objects()[object].print->segments.empty();
  };
  for (const auto& [k, lists] : was) {
    const auto found = is.find(k);
    const std::uint32_t object = was_in.at(k);
    if (found == is.end()) {
      const auto now = after_names_.object(k.first);
      const bool idle = now && streams_start_without(object, *now) && is_taken_apart(before_, object) &&
                        is_only_of_streams(before_, object);
      if (!idle && (now || !all_known(before_, object)))
        all_of(before_, object, fmt::format("the list {} went", k.second));
    } else if (found->second != lists) {
      all_of(before_, object, fmt::format("the list {}", k.second));
    }
  }
  for (const auto& [k, lists] : is) {
    if (was.contains(k)) continue;
    const std::uint32_t object = is_in.at(k);
    const auto older = before_names_.object(k.first);
    const bool idle = older && streams_start_without(*older, object) && is_taken_apart(after_, object) &&
                      is_only_of_streams(after_, object);
    if (!idle && (older || !all_known(after_, object))) all_of(after_, object, fmt::format("a new list {}", k.second));
  }
}

void comparer::compare_initializers() {
  const auto that_start_streams = [](const link_unit& unit) {
    std::set<std::uint32_t> found;
    for (std::uint32_t i = 0; i < unit.objects().size(); ++i) {
      const auto& segments = unit.objects()[i].print->segments;
      if (std::any_of(segments.begin(), segments.end(), [](const segment& s) { return s.of_streams; })) found.insert(i);
    }
    return found;
  };
  streams_before_ = that_start_streams(before_);
  streams_after_ = that_start_streams(after_);
  streams_start_alike_ =
      !streams_before_.empty() && !streams_after_.empty() && ahead_of_streams(before_) == ahead_of_streams(after_);
  const auto frames_of = [](const link_unit& unit) {
    std::map<digest, std::set<std::string_view>> frames;
    for (const unit_object& o : unit.objects())
      for (const segment& s : o.print->segments)
        if (may_be_frame(s)) frames[whole_events(*o.print, s)].insert(o.path);
    return frames;
  };
  frames_before_ = frames_of(before_);
  frames_after_ = frames_of(after_);
  for (std::uint32_t i = 0; i < before_.objects().size(); ++i)
    for (const segment& s : before_.objects()[i].print->segments)
      if (s.variable != none) shapes_.insert({s.shape, s.callees});
  for (std::uint32_t i = 0; i < before_.objects().size(); ++i) {
    if (const auto now = after_names_.object(before_.objects()[i].path))
      compare_initializers(i, *now);
    else
      unpaired_initializers(before_, i, false);
  }
  for (std::uint32_t i = 0; i < after_.objects().size(); ++i)
    if (!before_names_.object(after_.objects()[i].path)) unpaired_initializers(after_, i, true);
  compare_lists();
}

// What is defined now and was not. Nobody called it, but the standard library or others may call it from now on.
void comparer::find_new() {
  for (std::uint32_t o = 0; o < after_.objects().size(); ++o) {
    const object_print& print = *after_.objects()[o].print;
    for (const definition& d : print.definitions) {
      const std::string_view name = print.names[d.name];
      if (d.binding == strength::local || before_.find(after_, o, d.name) ||
          after_.find(after_, o, d.name) != after_.atom_of(o, d.atom))
        continue;
      if (print.atoms[d.atom].kind == atom_kind::function) ++result_.added;
      if (!is_replaceable(name) && !(options_.is_of_libraries && options_.is_of_libraries(name))) continue;
      result_.changes.push_back({change_kind::function,
                                 change_reason::definition,
                                 after_.objects()[o].path,
                                 std::string(name),
                                 {},
                                 "a new definition, which libraries use as well",
                                 true,
                                 none});
    }
  }
}

comparison comparer::compare() {
  for (std::uint32_t o = 0; o < before_.objects().size(); ++o) {
    if (same_[o] != none && compare_same(o, same_[o])) continue;
    const auto names = names_of_atoms(o);
    for (std::uint32_t i = 0; i < names.size(); ++i) compare_atom(before_.atom_of(o, i), names[i]);
  }
  compare_initializers();
  find_new();
  for (normalization& n : result_.normalized)
    n.may_have_moved = n.before != none && with_fewer_tests_.contains(before_.object_of(n.before));
  return std::move(result_);
}

}  // namespace

comparison compare(const link_unit& before, const link_unit& after, const compare_options& options) {
  return comparer(before, after, options).compare();
}

std::string_view to_text(change_kind kind) {
  switch (kind) {
    case change_kind::function:
      return "function";
    case change_kind::data:
      return "data";
    case change_kind::initializer:
      return "initializer";
  }
  return "";
}

std::string_view to_text(change_reason reason) {
  switch (reason) {
    case change_reason::code:
      return "code";
    case change_reason::data:
      return "data";
    case change_reason::vtable:
      return "vtable";
    case change_reason::type:
      return "type information";
    case change_reason::exceptions:
      return "exception table";
    case change_reason::definition:
      return "definition elsewhere";
    case change_reason::copy:
      return "another object's copy";
    case change_reason::gone:
      return "gone";
    case change_reason::initializer:
      return "initializer";
  }
  return "";
}

std::string_view to_text(normal_rule rule) {
  switch (rule) {
    case normal_rule::line_numbers:
      return "numbers of lines that moved";
    case normal_rule::registration:
      return "registration of tests";
    case normal_rule::streams:
      return "<iostream>, which others include as well";
    case normal_rule::gone:
      return "gone";
  }
  return "";
}

}  // namespace morph::object
