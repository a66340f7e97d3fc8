// Names that objects have for themselves, and lines that moved.
#include "coverage/object/compare/compare_parts.hpp"

#include <algorithm>

namespace morph::object {

local_names::local_names(const link_unit& unit) : unit_(unit), by_object_(unit.objects().size()) {
  for (std::uint32_t i = 0; i < unit.objects().size(); ++i) objects_.emplace(unit.objects()[i].path, i);
}

std::optional<std::uint32_t> local_names::object(std::string_view path) const {
  const auto found = objects_.find(path);
  return found == objects_.end() ? std::nullopt : std::optional(found->second);
}

const std::map<std::string_view, std::vector<unit_atom>>& local_names::names(std::uint32_t object) {
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

compared_units::compared_units(const link_unit& older, const link_unit& newer, const compare_options& with)
    : before(older),
      after(newer),
      options(with),
      before_names(older),
      after_names(newer),
      same(older.objects().size(), none) {
  for (std::uint32_t o = 0; o < newer.objects().size(); ++o)
    if (const std::uint32_t was = newer.same_object(older, o); was != none) same[was] = o;
}

std::span<const std::uint32_t> constants_of(const link_unit& unit, std::uint32_t object, const range& of) {
  return std::span(unit.objects()[object].print->constants).subspan(of.first, of.count);
}

bool are_moved_lines(const compare_options& options, const function_name& function, std::span<const std::uint32_t> was,
                     std::span<const std::uint32_t> is) {
  return options.is_moved_line && std::equal(was.begin(), was.end(), is.begin(), is.end(), [&](auto before, auto now) {
           return before == now || options.is_moved_line(function, before, now);
         });
}

change change_of(const link_unit& before, unit_atom index, std::string_view name, change_reason reason) {
  const bool function = before.at(index).kind == atom_kind::function;
  return {function ? change_kind::function : change_kind::data,
          reason,
          before.objects()[before.object_of(index)].path,
          std::string(name),
          {},
          {},
          false,
          index};
}

}  // namespace morph::object
