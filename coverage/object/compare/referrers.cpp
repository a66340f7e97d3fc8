// References of a unit the other way round, and a walk along them.
#include "coverage/object/compare/referrers.hpp"

#include <algorithm>

#include "coverage/object/read/initializers.hpp"

namespace morph::object {
namespace {

class walker {
 public:
  walker(const link_unit& unit, const std::function<bool(unit_atom)>& visible, const compare_options& options)
      : unit_(unit), visible_(visible), options_(options), first_(unit.size() + 1, 0) {
    each_reference([&](unit_atom, unit_atom to) { ++first_[to + 1]; });
    for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
    referrers_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    each_reference([&](unit_atom from, unit_atom to) { referrers_[next[to]++] = from; });
  }

  /// False if the walk reaches what cannot be seen.
  bool walk(unit_atom start, std::uint32_t change, std::vector<seen_change>& found) const;

 private:
  template <class Each>
  void each_reference(Each&& each) const {
    for (unit_atom from = 0; from < unit_.size(); ++from) {
      if (!unit_.is_live(from)) continue;
      const range& references = unit_.at(from).references;
      for (std::uint32_t i = 0; i < references.count; ++i) {
        const resolved to = unit_.resolve(unit_.object_of(from), unit_.print_of(from).references[references.first + i]);
        if (to.where == destination::list)
          for (const unit_atom member : unit_.list(to.to)) each(from, member);
        else if (to.where != destination::outside)
          each(from, to.to);
      }
    }
  }
  bool called_by_others(unit_atom index) const;

  const link_unit& unit_;
  const std::function<bool(unit_atom)>& visible_;
  const compare_options& options_;
  std::vector<std::uint32_t> first_;
  std::vector<unit_atom> referrers_;
};

bool walker::called_by_others(unit_atom index) const {
  const object_print& print = unit_.print_of(index);
  const std::uint32_t own = index - unit_.atom_of(unit_.object_of(index), 0);
  return std::any_of(print.definitions.begin(), print.definitions.end(), [&](const definition& d) {
    if (d.atom != own || d.binding == strength::local) return false;
    const std::string_view name = print.names[d.name];
    if (std::find(unit_.options().roots.begin(), unit_.options().roots.end(), name) != unit_.options().roots.end())
      return true;
    return (unit_.options().shared && unit_.visibility_of(unit_.object_of(index), d.name) != visibility::hidden) ||
           (options_.is_exported && options_.is_exported(name));
  });
}

bool walker::walk(unit_atom start, std::uint32_t change, std::vector<seen_change>& found) const {
  std::vector<unit_atom> open{start}, seen{start};
  std::vector<bool> known(unit_.size(), false);
  known[start] = true;
  std::vector<seen_change> reached;
  while (!open.empty()) {
    const unit_atom index = open.back();
    open.pop_back();
    const atom& at = unit_.at(index);
    if (at.kind == atom_kind::startup || at.is(atom::initializer) || at.is(atom::unconditional)) return false;
    if (at.kind == atom_kind::function) {
      if (visible_(index)) {
        reached.push_back({index, change});
        continue;
      }
      if (is_initializer_name(unit_.name_of(index))) return false;
    }
    if (called_by_others(index)) return false;
    for (std::uint32_t i = first_[index]; i < first_[index + 1]; ++i) {
      const unit_atom from = referrers_[i];
      if (known[from]) continue;
      known[from] = true;
      open.push_back(from);
    }
  }
  found.insert(found.end(), reached.begin(), reached.end());
  return true;
}

}  // namespace

reach reach_of(const link_unit& before, const std::vector<change>& changes,
               const std::function<bool(unit_atom)>& visible, const compare_options& options) {
  reach result;
  std::optional<walker> walk;
  for (std::uint32_t i = 0; i < changes.size(); ++i) {
    const change& c = changes[i];
    if (c.everything || c.before == none) {
      result.everything.push_back(i);
    } else if (c.kind == change_kind::function && visible(c.before)) {
      result.functions.push_back({c.before, i});
    } else {
      if (!walk) walk.emplace(before, visible, options);
      if (!walk->walk(c.before, i, result.functions)) result.everything.push_back(i);
    }
  }
  return result;
}

}  // namespace morph::object
