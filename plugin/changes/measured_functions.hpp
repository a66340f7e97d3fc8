// Which functions of the evidence an atom of object code is.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "coverage/object/compare/link_unit.hpp"
#include "coverage/object/read/test_factories.hpp"
#include "plugin/store/store.hpp"

namespace morph::changes {

/// The functions of the evidence that an atom of a unit is, by all of its names. Programs have functions of one name;
/// those count that stand in a file which the atom's object was compiled from, if there are any. What makes
/// GoogleTest's tests stands in its header, which may have no counters: then it is the constructor of the class that it
/// makes.
class measured_functions {
 public:
  using numbers_by_symbol = std::unordered_multimap<std::string_view, std::uint32_t>;
  using files_of_object = std::function<std::set<std::uint32_t>(const std::string& path)>;
  measured_functions(const store::evidence& facts, const numbers_by_symbol& by_symbol, const object::link_unit& unit,
                     files_of_object files)
      : facts_(facts),
        by_symbol_(by_symbol),
        unit_(unit),
        files_of_(std::move(files)),
        of_atom_(unit.size()),
        is_read_(unit.objects().size(), false) {}

  const std::vector<std::uint32_t>& of(object::unit_atom index) {
    const std::uint32_t object = unit_.object_of(index);
    if (!is_read_[object]) read(object);
    if (of_atom_[index].empty()) add_made_test(index);
    return of_atom_[index];
  }

 private:
  void read(std::uint32_t object) {
    is_read_[object] = true;
    files_ = files_of_(unit_.objects()[object].path);
    const object::object_print& print = *unit_.objects()[object].print;
    for (const object::definition& d : print.definitions)
      add(unit_.atom_of(object, d.atom), print.compiled_name(d.name));
    for (std::uint32_t a = 0; a < print.atoms.size(); ++a)
      if (const object::atom& atom = print.atoms[a];
          atom.kind == object::atom_kind::function && atom.is(object::atom::local) && atom.name != object::none)
        add(unit_.atom_of(object, a), print.compiled_name(atom.name));
  }
  void add(object::unit_atom index, std::string_view name) {
    auto found = by_symbol_.equal_range(name);
    if (found.first == found.second) found = by_symbol_.equal_range(object::without_clone_suffix(name));
    const auto is_near = [&](const auto& at) { return files_.count(facts_.functions[at.second].file) != 0; };
    const bool any_near = std::any_of(found.first, found.second, is_near);
    for (auto at = found.first; at != found.second; ++at)
      if (!any_near || is_near(*at)) of_atom_[index].push_back(at->second);
  }

  /// `index`: testing::internal::TestFactoryImpl<CLASS>::CreateTest(), or that of tests with parameters.
  void add_made_test(object::unit_atom index) {
    const std::string_view name = object::without_clone_suffix(unit_.compiled_name_of(index));
    const std::string of_class = object::class_made_by_factory(name);
    if (of_class.empty()) return;
    files_ = files_of_(unit_.objects()[unit_.object_of(index)].path);
    for (const std::string_view constructor : {"C1Ev", "C2Ev"})
      add(index, fmt::format("_ZN{}{}", of_class, constructor));
  }

  const store::evidence& facts_;
  const numbers_by_symbol& by_symbol_;
  const object::link_unit& unit_;
  files_of_object files_of_;
  std::set<std::uint32_t> files_;  // of the object that is being read
  std::vector<std::vector<std::uint32_t>> of_atom_;
  std::vector<bool> is_read_;  // by object
};

}  // namespace morph::changes
