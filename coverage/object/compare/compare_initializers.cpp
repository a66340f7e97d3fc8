// Initializers of two units, object by object: what only registers tests is no change, and neither is one more stream.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "coverage/object/compare/compare_parts.hpp"
#include "coverage/object/compare/test_values.hpp"
#include "coverage/object/read/initializers.hpp"
#include "coverage/object/read/test_numbers.hpp"

namespace morph::object {
namespace {

// Calls, stores and compares nothing.
bool is_empty(const segment& s) {
  return s.of_frameworks && s.variable == none && s.events == digest();
}

template <class Kind>
bool refers_to(const object_print& print, const segment& s, const Kind& kind) {
  for (std::uint32_t i = 0; i < s.references.count; ++i) {
    const std::uint32_t to = print.references[s.references.first + i];
    const std::uint32_t name = (to & by_name) != 0 ? to & ~by_name : print.atoms[to].name;
    if (name != none && !kind(print.names[name])) return false;
  }
  return true;
}

// What it refers to is what registering refers to. Text is printed by GoogleTest alone, which reports what is no
// fixture.
bool only_registers(const object_print& print, const segment& s) {
  bool reports = false, prints = false;
  const bool is_alone = refers_to(print, s, [&](std::string_view name) {
    const bool is_print = is_print_of_text(name);
    reports |= is_report_of_google_test(name);
    prints |= is_print;
    return is_print || is_of_registration(name);
  });
  return s.of_frameworks && is_alone && (reports || !prints);
}

// What GCC moves behind all registrations: the end of each, and what GoogleTest reports of a fixture that is none.
bool is_end_of_registrations(const object_print& print, const segment& s) {
  return s.variable == none && s.only_moves && only_registers(print, s) &&
         refers_to(print, s, [](std::string_view name) {
           return name.empty() || is_of_runtime(name) || is_of_strings(name) || is_report_of_google_test(name) ||
                  is_print_of_text(name);
         });
}

// What the registration of a test names beside what GoogleTest does for any test: its class, its fixture, what runs
// around that. Nothing if it names anything else.
std::optional<std::set<std::string_view>> named_by_registration(const object_print& print, const segment& s) {
  if (!s.only_moves || !only_registers(print, s)) return std::nullopt;
  std::set<std::string_view> named;
  refers_to(print, s, [&](std::string_view name) {
    if (is_of_test_or_fixture(name)) named.insert(name);
    return true;
  });
  return named;
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

class initializer_comparer {
 public:
  initializer_comparer(compared_units& units, comparison& result)
      : units_(units),
        before_(units.before),
        after_(units.after),
        before_names_(units.before_names),
        after_names_(units.after_names),
        result_(result) {}

  std::set<std::uint32_t> compare();

 private:
  void normalize(normal_rule rule, const std::string& object) {
    result_.normalized.push_back({rule, object, {}, none, false});
  }
  void compare_objects(std::uint32_t object, std::uint32_t now);
  bool same_initializers(std::uint32_t object, std::uint32_t now);
  bool same_segment(std::uint32_t object, const segment& was, std::uint32_t now, const segment& is, bool by_events);
  std::vector<unit_atom> test_of(std::uint32_t object, const segment& registration);
  bool registered_otherwise(std::uint32_t object, const segment& was, std::uint32_t now, const segment& is);
  bool gives_other_values(std::uint32_t object, std::uint32_t now) const;
  bool registers_alone(const link_unit& unit, std::uint32_t object, const segment& registration) const;
  void unpaired_initializers(const link_unit& unit, std::uint32_t object, bool is_new);
  void all_of(const link_unit& unit, std::uint32_t object, std::string detail);
  bool streams_start_without(std::uint32_t object, std::uint32_t now) const;
  bool is_only_of_streams(const link_unit& unit, std::uint32_t object) const;
  bool is_taken_apart(const link_unit& unit, std::uint32_t object) const;
  bool is_frame(const link_unit& unit, std::uint32_t object, const segment& s) const;
  std::set<std::string_view> ahead_of_streams(const link_unit& unit) const;
  void compare_lists();
  bool starts_project(const link_unit& unit, std::uint32_t object) const;
  using order = std::map<std::string_view, std::vector<std::string_view>>;
  order order_of(const link_unit& unit, bool only_of_project) const;
  void compare_order();

  compared_units& units_;
  const link_unit& before_;
  const link_unit& after_;
  local_names& before_names_;
  local_names& after_names_;
  std::set<digest> shapes_;                                                    // of registrations in the older unit
  std::map<digest, std::set<std::string_view>> frames_before_, frames_after_;  // which objects have those events
  std::set<std::uint32_t> streams_before_, streams_after_;                     // objects that start <iostream>
  bool streams_start_alike_ = false;
  std::set<std::uint32_t> with_fewer_tests_;  // objects of the older unit
  comparison& result_;
};

// By events: only what is called, with what constants. Enough for what only registers tests.
bool initializer_comparer::same_segment(std::uint32_t object, const segment& was, std::uint32_t now, const segment& is,
                                        bool by_events) {
  if (before_.fingerprint(object, was) == after_.fingerprint(now, is)) return true;
  const object_print& print = *before_.objects()[object].print;
  function_name of{before_.objects()[object].path, {}, {}};
  if (was.variable != none) of.compiled = print.compiled_name(was.variable), of.symbol = print.names[was.variable];
  // GoogleTest keeps no number but the line.
  const bool relaxed_alike = before_.relaxed_fingerprint(object, was) == after_.relaxed_fingerprint(now, is) ||
                             (by_events && before_.event_fingerprint(object, was) == after_.event_fingerprint(now, is));
  if (!relaxed_alike) {
    if (!by_events || !is_of_google_test(of.compiled)) return false;
    const auto own = named_by_registration(print, was);
    return own && own == named_by_registration(*after_.objects()[now].print, is);
  }
  const object_print& print_now = *after_.objects()[now].print;
  if (is_of_google_test(of.compiled) && was.constants.count == is.constants.count && only_registers(print, was) &&
      only_registers(print_now, is))
    return true;
  // The test begins in the line that is registered.
  if (const auto test = was.variable == none ? std::vector<unit_atom>() : test_of(object, was); !test.empty())
    of.compiled = before_.compiled_name_of(test.front()), of.symbol = before_.name_of(test.front());
  return are_moved_lines(units_.options, of, constants_of(before_, object, was.constants),
                         constants_of(after_, now, is.constants));
}

void initializer_comparer::all_of(const link_unit& unit, std::uint32_t object, std::string detail) {
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
std::vector<unit_atom> initializer_comparer::test_of(std::uint32_t object, const segment& registration) {
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
bool initializer_comparer::registered_otherwise(std::uint32_t object, const segment& was, std::uint32_t now,
                                                const segment& is) {
  if (!only_registers(*before_.objects()[object].print, was) || !only_registers(*after_.objects()[now].print, is))
    return false;
  const std::vector<unit_atom> test = test_of(object, was);
  for (const unit_atom index : test) {
    change made = change_of(before_, index, before_.name_of(index), change_reason::initializer);
    made.detail = "how it is registered";
    result_.changes.push_back(std::move(made));
  }
  return !test.empty();
}

// Nothing but what GoogleTest does for any test, whether or not one was registered so before.
bool initializer_comparer::registers_alone(const link_unit& unit, std::uint32_t object,
                                           const segment& registration) const {
  const object_print& print = *unit.objects()[object].print;
  return registration.of_frameworks && is_of_google_test(print.names[registration.variable]) &&
         refers_to(print, registration, is_of_google_tests_registration);
}

// Of instances that came or went, and which optimizers merged with whatever is registered beside them.
bool initializer_comparer::gives_other_values(std::uint32_t object, std::uint32_t now) const {
  const auto before = functions_of_values(before_, object), after = functions_of_values(after_, now);
  const auto runs_more = [](const link_unit& unit, const auto& own, const auto& others) {
    return std::any_of(own.begin(), own.end(), [&](const auto& function) {
      return !others.contains(function.first) && !runs_frameworks_alone(unit, function.second);
    });
  };
  return runs_more(before_, before, after) || runs_more(after_, after, before);
}

bool initializer_comparer::same_initializers(std::uint32_t object, std::uint32_t now) {
  if (units_.same[object] == now) return true;
  const object_print& was = *before_.objects()[object].print;
  const object_print& is = *after_.objects()[now].print;
  if (was.segments.size() != is.segments.size()) return false;
  for (std::size_t i = 0; i < was.segments.size(); ++i)
    if (before_.fingerprint(object, was.segments[i]) != after_.fingerprint(now, is.segments[i])) return false;
  return true;
}

void initializer_comparer::compare_objects(std::uint32_t object, std::uint32_t now) {
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
      if (s.variable == none && !is_empty(s) && !(streams && s.of_streams) && !is_end_of_registrations(print, s))
        staying.push_back(&s);
    return staying;
  };
  if (gives_other_values(object, now)) return all_of(before_, object, "values that code of the project may make");
  std::map<std::string_view, const segment*> registered;
  for (const segment& s : is.segments)
    if (s.variable != none && !registered.emplace(is.names[s.variable], &s).second &&
        is_of_google_test(is.names[s.variable]))
      return all_of(after_, now, fmt::format("two registrations of {}", demangled(is.names[s.variable])));
  std::set<std::string_view> own;
  for (const segment& s : was.segments) {
    if (s.variable != none && !own.insert(was.names[s.variable]).second && is_of_google_test(was.names[s.variable]))
      return all_of(before_, object, fmt::format("two registrations of {}", demangled(was.names[s.variable])));
    if (s.variable == none || registered.contains(was.names[s.variable])) continue;
    with_fewer_tests_.insert(object);
    // What is called of a library beside it may be a statement of the project's.
    if (!gives_values_alone(before_, object, s) ||
        (is_of_google_test(was.names[s.variable]) && !only_registers(was, s)))
      return all_of(
          before_, object,
          fmt::format("{} went, whose values may be made by code of the project", demangled(was.names[s.variable])));
  }
  for (const segment& s : was.segments) {
    if (s.variable == none) continue;
    const auto found = registered.find(was.names[s.variable]);
    if (found == registered.end()) continue;
    if (!same_segment(object, s, now, *found->second, by_events) &&
        !registered_otherwise(object, s, now, *found->second))
      return all_of(before_, object, fmt::format("how {} is registered", demangled(was.names[s.variable])));
    registered.erase(found);
  }
  // What optimizers keep in registers for registrations may be loaded before streams start.
  const auto starts_streams = [&](const object_print& print, const segment& s) {
    return by_events && s.only_moves && s.references.count != 0 && refers_to(print, s, is_start_of_streams);
  };
  const auto same = [&](const segment* s, const segment* t) {
    return same_segment(object, *s, now, *t, by_events) || (starts_streams(was, *s) && starts_streams(is, *t));
  };
  const auto stayed = staying_of(was), stay = staying_of(is);
  if (!std::equal(stayed.begin(), stayed.end(), stay.begin(), stay.end(), same)) return all_of(before_, object, "");
  for (const auto& [variable, s] : registered) {
    if (!gives_values_alone(after_, now, *s))
      return all_of(after_, now,
                    fmt::format("{}, whose values may be made by code of the project", demangled(variable)));
    if (!shapes_.contains(s->shape) && !(by_events && shapes_.contains(s->callees)) &&
        !registers_alone(after_, now, *s))
      return all_of(after_, now, fmt::format("{} is registered in a new way", demangled(variable)));
  }
  const bool starts_otherwise = streams_before_.contains(object) != streams_after_.contains(now);
  if (starts_otherwise) normalize(normal_rule::streams, before_.objects()[object].path);
  if (!starts_otherwise || !registered.empty() || with_fewer_tests_.contains(object))
    normalize(normal_rule::registration, before_.objects()[object].path);
}

// One more of many that start std::cout, or one less, changes nothing.
bool initializer_comparer::streams_start_without(std::uint32_t object, std::uint32_t now) const {
  const auto in_others = [](const std::set<std::uint32_t>& all, std::uint32_t own) {
    return all.size() > all.count(own);
  };
  return streams_start_alike_ && in_others(streams_before_, object) && in_others(streams_after_, now);
}

// Nothing runs but what the segments say.
bool initializer_comparer::is_taken_apart(const link_unit& unit, std::uint32_t object) const {
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
std::set<std::string_view> initializer_comparer::ahead_of_streams(const link_unit& unit) const {
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
bool initializer_comparer::is_frame(const link_unit& unit, std::uint32_t object, const segment& s) const {
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

bool initializer_comparer::is_only_of_streams(const link_unit& unit, std::uint32_t object) const {
  const auto& segments = unit.objects()[object].print->segments;
  return !segments.empty() && std::all_of(segments.begin(), segments.end(), [&](const segment& s) {
    return s.of_streams || is_empty(s) || is_frame(unit, object, s);
  });
}

// An object that only one of the units has: nothing, if it only registers tests.
void initializer_comparer::unpaired_initializers(const link_unit& unit, std::uint32_t object, bool is_new) {
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
      runs |=
          !s.of_frameworks || !gives_values_alone(unit, object, s) ||
          (!is_new && is_of_google_test(print.names[s.variable]) && !only_registers(print, s)) ||
          (is_new && !shapes_.contains(s.shape) && !shapes_.contains(s.callees) && !registers_alone(unit, object, s));
  }
  if (runs) return all_of(unit, object, is_new ? "a new object" : "an object that went");
  if (any) normalize(normal_rule::registration, unit.objects()[object].path);
  if (any && !is_new) with_fewer_tests_.insert(object);
}

// Lists of startup functions, by object and section, or by COMDAT group.
void initializer_comparer::compare_lists() {
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

// Whether anything of the project's own runs, beside what registers tests.
bool initializer_comparer::starts_project(const link_unit& unit, std::uint32_t object) const {
  const auto& segments = unit.objects()[object].print->segments;
  return !is_taken_apart(unit, object) || std::any_of(segments.begin(), segments.end(), [&](const segment& s) {
    return s.variable == none ? !is_empty(s) && !s.of_streams && !is_frame(unit, object, s) : !s.of_frameworks;
  });
}

// By priority, that is by section: objects, or COMDAT groups, and where streams start first.
initializer_comparer::order initializer_comparer::order_of(const link_unit& unit, bool only_of_project) const {
  constexpr std::string_view streams = "<iostream>";
  order found;
  bool streams_start = false;
  for (std::uint32_t o = 0; o < unit.objects().size(); ++o) {
    const object_print& print = *unit.objects()[o].print;
    const bool starts_streams =
        std::any_of(print.segments.begin(), print.segments.end(), [](const segment& s) { return s.of_streams; });
    std::optional<bool> is_of_project;
    for (std::uint32_t i = 0; i < print.atoms.size(); ++i) {
      const atom& a = print.atoms[i];
      if (a.kind != atom_kind::startup || !unit.is_live(unit.atom_of(o, i))) continue;
      std::vector<std::string_view>& list = found[print.names[a.name]];
      if (starts_streams && !std::exchange(streams_start, true)) list.push_back(streams);
      if (only_of_project && !is_of_project) is_of_project = starts_project(unit, o);
      if (!only_of_project || *is_of_project)
        list.push_back(a.group == none ? std::string_view(unit.objects()[o].path) : print.names[a.group]);
    }
  }
  return found;
}

// What both units have must run in the same order.
void initializer_comparer::compare_order() {
  for (const bool only_of_project : {false, true}) {
    order was = order_of(before_, only_of_project), is = order_of(after_, only_of_project);
    const auto keep_common = [](std::vector<std::string_view>& list, const std::vector<std::string_view>& other) {
      const std::set<std::string_view> known(other.begin(), other.end());
      std::erase_if(list, [&](std::string_view name) { return !known.contains(name); });
    };
    std::string_view moved;
    for (auto& [section, list] : was) {
      keep_common(list, is[section]);
      keep_common(is[section], list);
      const auto differ = std::mismatch(list.begin(), list.end(), is[section].begin(), is[section].end()).first;
      if (differ != list.end() && moved.empty()) moved = *differ;
    }
    if (moved.empty()) return;
    if (only_of_project)
      result_.changes.push_back(
          {change_kind::initializer, change_reason::order, std::string(moved), {}, {}, {}, true, none});
  }
}

std::set<std::uint32_t> initializer_comparer::compare() {
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
      compare_objects(i, *now);
    else
      unpaired_initializers(before_, i, false);
  }
  for (std::uint32_t i = 0; i < after_.objects().size(); ++i)
    if (!before_names_.object(after_.objects()[i].path)) unpaired_initializers(after_, i, true);
  compare_lists();
  compare_order();
  return std::move(with_fewer_tests_);
}
}  // namespace

std::set<std::uint32_t> compare_initializers(compared_units& units, comparison& result) {
  return initializer_comparer(units, result).compare();
}

}  // namespace morph::object
