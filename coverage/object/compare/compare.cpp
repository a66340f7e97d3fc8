// Pairs of functions, data and initializers of two units, and the rules for those that differ.
#include "coverage/object/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "coverage/object/compare/blocks.hpp"
#include "coverage/object/compare/compare_parts.hpp"
#include "coverage/object/compare/test_values.hpp"
#include "coverage/object/read/initializers.hpp"
#include "coverage/object/read/test_factories.hpp"

namespace morph::object {
namespace {

// New definitions of these take the place of the standard library's, for whoever calls them. Of operators new and
// delete not those that only pass a place on ([new.delete.placement]); <new> has them inline.
bool is_replaceable(std::string_view name) {
  if (name.ends_with("PvS_") || name == "_ZnwmPv" || name == "_ZnamPv" || name == "_ZnwjPv" || name == "_ZnajPv")
    return false;
  static constexpr std::array<std::string_view, 8> allocation{"malloc",        "free",           "calloc",   "realloc",
                                                              "aligned_alloc", "posix_memalign", "memalign", "valloc"};
  for (const std::string_view of : {"_Znw", "_Zna", "_Zdl", "_Zda"})
    if (name.starts_with(of)) return true;
  return std::find(allocation.begin(), allocation.end(), name) != allocation.end();
}

class comparer {
 public:
  comparer(const link_unit& before, const link_unit& after, const compare_options& options)
      : units_(before, after, options), before_(before), after_(after), options_(options) {}

  comparison compare();

 private:
  bool compare_same(std::uint32_t object, std::uint32_t now);
  void compare_atom(unit_atom index, const std::vector<std::string_view>& names);
  std::vector<std::vector<std::string_view>> names_of_atoms(std::uint32_t object) const;
  std::optional<unit_atom> counterpart(unit_atom index, std::string_view name);
  void compare_pair(unit_atom index, unit_atom now, std::string_view name);
  void lost(unit_atom index, std::string_view name);
  void withdrawn(unit_atom index, std::string_view name, change_reason reason);
  bool is_offered(const link_unit& unit, std::string_view name) const;
  bool was_offered(unit_atom index, std::string_view name) const;
  bool differs_by_moved_lines(unit_atom index, unit_atom now) const;
  void explain(unit_atom index, unit_atom now, change& to) const;
  std::string way_to_difference(unit_atom index, unit_atom now, change_reason& reason, int depth) const;
  void normalize(normal_rule rule, const std::string& object, std::string symbol = {}, unit_atom index = none) {
    result_.normalized.push_back({rule, object, std::move(symbol), index, false});
  }

  void find_new();

  compared_units units_;
  const link_unit& before_;
  const link_unit& after_;
  const compare_options& options_;
  comparison result_;
};

bool comparer::differs_by_moved_lines(unit_atom index, unit_atom now) const {
  if (before_.relaxed_fingerprint(index) != after_.relaxed_fingerprint(now)) return false;
  const auto have_moved = [&](unit_atom from, unit_atom to) {
    const std::uint32_t object = before_.object_of(from);
    return are_moved_lines(options_,
                           {before_.objects()[object].path, before_.compiled_name_of(from), before_.name_of(from)},
                           constants_of(before_, object, before_.at(from).constants),
                           constants_of(after_, after_.object_of(to), after_.at(to).constants));
  };
  const std::vector<unit_atom> parts = before_.parts_of(index), parts_now = after_.parts_of(now);
  return have_moved(index, now) &&
         std::equal(parts.begin(), parts.end(), parts_now.begin(), parts_now.end(), have_moved);
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
  const auto now = units_.after_names.object(before_.objects()[object].path);
  if (!now) return {};
  const auto& mine = units_.before_names.names(object);
  const auto& theirs = units_.after_names.names(*now);
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
  if (was.kind == atom_kind::function && differs_by_moved_lines(index, now)) {
    normalize(normal_rule::line_numbers, object, std::string(name));
    return;
  }
  change made = change_of(before_, index, name, change_reason::code);
  explain(index, now, made);
  if (was.kind == atom_kind::data && made.reason == change_reason::code) made.reason = change_reason::data;
  made.everything = was.is(atom::unconditional) || after_.at(now).is(atom::unconditional) ||
                    (was.kind == atom_kind::function && is_initializer_name(name));
  if (made.everything) made.kind = change_kind::initializer;
  if (made.kind == change_kind::function) made.blocks = differing_blocks(before_, index, after_, now);
  if (const std::string instance = instance_of_values(name);
      !instance.empty() && !is_used_elsewhere(before_, index) && !is_used_elsewhere(after_, now) &&
      runs_frameworks_alone(before_, index) && runs_frameworks_alone(after_, now))
    made.instance = instance;
  result_.changes.push_back(std::move(made));
}

void comparer::lost(unit_atom index, std::string_view name) {
  const atom& was = before_.at(index);
  const std::string& object = before_.objects()[before_.object_of(index)].path;
  const bool runs = was.is(atom::unconditional) || (was.kind == atom_kind::function && is_initializer_name(name));
  if (was_offered(index, name) && !runs) return withdrawn(index, name, change_reason::gone);
  if (!runs) {
    if (was.kind == atom_kind::function) normalize(normal_rule::gone, object, std::string(name), index);
    return;
  }
  change made = change_of(before_, index, name, change_reason::gone);
  made.everything = true;
  result_.changes.push_back(std::move(made));
}

bool comparer::is_offered(const link_unit& unit, std::string_view name) const {
  return unit.visibility_of(name) != visibility::hidden &&
         (unit.options().shared || (options_.is_exported && options_.is_exported(name)));
}

bool comparer::was_offered(unit_atom index, std::string_view name) const {
  if (before_.find(name) != index) return false;
  return is_offered(before_, name) || (before_.visibility_of(name) != visibility::hidden && before_.is_strong(name) &&
                                       options_.was_of_libraries && options_.was_of_libraries(name));
}

// Others use another definition from now on, or find none.
void comparer::withdrawn(unit_atom index, std::string_view name, change_reason reason) {
  change made = change_of(before_, index, name, reason);
  if (reason == change_reason::definition) made.detail = "hidden from others";
  made.everything = options_.is_looked_up && options_.is_looked_up(name);
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
    if (was != is || before_.visibility_of(object, d.name) != after_.visibility_of(now, d.name)) return false;
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
    if (!now || after_.at(*now).kind != was.kind)
      lost(index, name);
    else
      compare_pair(index, *now, name);
    const bool is_hidden = now && !was.is(atom::local) && after_.visibility_of(name) == visibility::hidden;
    if (is_hidden && result_.changes.size() == changes && was_offered(index, name))
      withdrawn(index, name, change_reason::definition);
    if (result_.changes.size() == changes) continue;
    for (const std::string_view other : names)
      if (other != name) result_.changes.back().others.emplace_back(other);
    return;
  }
}

// What is defined now and was not. Nobody called it, but the standard library or others may call it from now on.
void comparer::find_new() {
  for (std::uint32_t o = 0; o < after_.objects().size(); ++o) {
    const object_print& print = *after_.objects()[o].print;
    for (const definition& d : print.definitions) {
      const std::string_view name = print.names[d.name];
      const bool is_new = !before_.find(after_, o, d.name);
      const bool was_hidden = !is_new && before_.visibility_of(name) == visibility::hidden &&
                              after_.visibility_of(o, d.name) != visibility::hidden;
      if (d.binding == strength::local || !(is_new || was_hidden) ||
          after_.find(after_, o, d.name) != after_.atom_of(o, d.atom))
        continue;
      if (is_new && print.atoms[d.atom].kind == atom_kind::function) ++result_.added;
      const bool is_found = options_.is_looked_up && options_.is_looked_up(name) && is_offered(after_, name);
      const bool replaces_other = is_replaceable(name) || (options_.is_of_libraries && options_.is_of_libraries(name));
      if (!is_found && !replaces_other) continue;
      result_.changes.push_back({change_kind::function,
                                 change_reason::definition,
                                 after_.objects()[o].path,
                                 std::string(name),
                                 {},
                                 replaces_other ? "a new definition, which libraries use as well"
                                                : "a new definition, which may be looked for by its name",
                                 true,
                                 none});
    }
  }
}

comparison comparer::compare() {
  for (std::uint32_t o = 0; o < before_.objects().size(); ++o) {
    if (units_.same[o] != none && compare_same(o, units_.same[o])) continue;
    const auto names = names_of_atoms(o);
    for (std::uint32_t i = 0; i < names.size(); ++i) compare_atom(before_.atom_of(o, i), names[i]);
  }
  const std::set<std::uint32_t> with_fewer_tests = compare_initializers(units_, result_);
  find_new();
  for (normalization& n : result_.normalized)
    n.may_have_moved = n.before != none && with_fewer_tests.contains(before_.object_of(n.before));
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
    case change_reason::order:
      return "order of initializers";
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
