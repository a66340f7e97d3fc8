// From the functions that INSTANTIATE_TEST_SUITE_P() makes to all that they may call.
#include "coverage/object/compare/test_values.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "coverage/object/read/initializers.hpp"
#include "coverage/object/read/test_factories.hpp"

namespace morph::object {
namespace {

bool is_table_or_type(std::string_view name) {
  return name.starts_with("_ZTV") || name.starts_with("_ZTT") || name.starts_with("_ZTI") || name.starts_with("_ZTS");
}

/// In a namespace of GoogleTest's or of the standard library's, whoever defines it there.
bool is_in_libraries(std::string_view name) {
  static constexpr std::array<std::string_view, 10> scopes{
      "7testing", "9__gnu_cxx", "10__cxxabiv1", "St", "Sa", "Sb", "Ss", "Si", "So", "L18__gthread_active_p"};
  const std::string_view scoped = scoped_name(name);
  return std::any_of(scopes.begin(), scopes.end(), [&](std::string_view scope) { return scoped.starts_with(scope); });
}

/// Of a shared library. One of the project's may define what it likes in the namespace `testing`.
bool is_of_shared_libraries(std::string_view name) {
  const std::string_view scoped = scoped_name(name);
  return is_in_libraries(name) && (!scoped.starts_with("7testing") || scoped.starts_with("7testing8internal") ||
                                   scoped.starts_with("7testing7Message"));
}

/// Called by what compilers make of C++, and nobody's own.
bool is_of_compiler(std::string_view name) {
  static constexpr std::array<std::string_view, 13> names{"abort",
                                                          "_Znam",
                                                          "_ZdaPv",
                                                          "_ZdaPvm",
                                                          "__dynamic_cast",
                                                          "memcpy",
                                                          "memmove",
                                                          "memcmp",
                                                          "strlen",
                                                          "strcmp",
                                                          "__libc_single_threaded",
                                                          "bcmp",
                                                          "__pthread_key_create"};
  return is_of_runtime(name) || std::find(names.begin(), names.end(), name) != names.end();
}

/// Defined inline by <new>, or by Clang in each object.
bool is_inline_of_compiler(std::string_view name) {
  return name == "_ZnwmPv" || name == "_ZdlPvS_" || name == "__clang_call_terminate";
}

std::string_view name_of_reference(const object_print& print, std::uint32_t to) {
  const std::uint32_t name = (to & by_name) != 0 ? to & ~by_name : print.atoms[to].name;
  return name == none ? std::string_view() : print.names[name];
}

enum class met { nothing, more, foreign };

/// GoogleTest that the project builds: the object with its UnitTest has the rest of it, too. None if it has
/// names of others, as where sources are merged.
std::optional<std::uint32_t> object_of_framework(const link_unit& unit) {
  const auto known = unit.find("_ZN7testing8UnitTest11GetInstanceEv");
  if (!known) return std::nullopt;
  const std::uint32_t object = unit.object_of(*known);
  const object_print& print = *unit.objects()[object].print;
  const bool is_alone = std::all_of(print.definitions.begin(), print.definitions.end(), [&](const definition& d) {
    const std::string_view name = print.names[d.name];
    return d.binding == strength::local || !name.starts_with("_Z") || is_in_libraries(name) ||
           is_inline_of_compiler(name);
  });
  return is_alone ? std::optional(object) : std::nullopt;
}

met meet(const link_unit& unit, const resolved& to, std::string_view name, std::optional<std::uint32_t> framework) {
  if (to.where == destination::list) return met::foreign;
  if (to.where == destination::outside)
    return is_of_shared_libraries(name) || is_of_compiler(name) ? met::nothing : met::foreign;
  if (is_inline_of_compiler(name)) return met::nothing;
  const std::uint32_t object = unit.object_of(to.to);
  const bool is_of_system = object == framework || unit.objects()[object].path.starts_with('/');
  if (to.where == destination::data) {
    const atom& target = unit.at(to.to);
    const bool is_constant = !target.is(atom::writable) || is_table_or_type(name);
    return is_constant ? met::more : is_of_system && is_in_libraries(name) ? met::nothing : met::foreign;
  }
  if (is_of_system) return is_in_libraries(name) || is_of_compiler(name) ? met::nothing : met::foreign;
  return is_in_libraries(name) || !instance_of_values(name).empty() ? met::more : met::foreign;
}

}  // namespace

bool runs_frameworks_alone(const link_unit& unit, unit_atom function) {
  const auto framework = object_of_framework(unit);
  std::vector<unit_atom> open{function};
  std::unordered_set<unit_atom> seen{function};
  while (!open.empty()) {
    const unit_atom index = open.back();
    open.pop_back();
    const object_print& print = unit.print_of(index);
    const range& references = unit.at(index).references;
    for (std::uint32_t i = 0; i < references.count; ++i) {
      const std::uint32_t reference = print.references[references.first + i];
      const resolved to = unit.resolve(unit.object_of(index), reference);
      const met what = meet(unit, to, name_of_reference(print, reference), framework);
      if (what == met::foreign) return false;
      if (what == met::more && seen.insert(to.to).second) open.push_back(to.to);
    }
  }
  return true;
}

bool is_used_elsewhere(const link_unit& unit, unit_atom function) {
  const std::uint32_t object = unit.object_of(function);
  const object_print& print = unit.print_of(function);
  const std::string_view own = without_clone_suffix(unit.name_of(function));
  for (std::uint32_t i = 0; i < print.atoms.size(); ++i) {
    const atom& a = print.atoms[i];
    const std::string_view name = a.name == none ? std::string_view() : print.names[a.name];
    if (a.kind == atom_kind::startup || a.is(atom::initializer) || is_initializer_name(name)) continue;
    if (unit.atom_of(object, i) == function || without_clone_suffix(name) == own) continue;
    for (std::uint32_t k = 0; k < a.references.count; ++k) {
      const resolved to = unit.resolve(object, print.references[a.references.first + k]);
      if (to.where == destination::function && to.to == function) return true;
    }
  }
  return false;
}

std::map<std::string_view, unit_atom> functions_of_values(const link_unit& unit, std::uint32_t object) {
  const object_print& print = *unit.objects()[object].print;
  std::map<std::string_view, unit_atom> found;
  for (const segment& s : print.segments)
    for (std::uint32_t i = 0; i < s.references.count; ++i) {
      const resolved to = unit.resolve(object, print.references[s.references.first + i]);
      if (to.where != destination::function) continue;
      if (const std::string_view name = unit.name_of(to.to); !instance_of_values(name).empty())
        found.emplace(name, to.to);
    }
  return found;
}

bool gives_values_alone(const link_unit& unit, std::uint32_t object, const segment& registration) {
  const object_print& print = *unit.objects()[object].print;
  for (std::uint32_t i = 0; i < registration.references.count; ++i) {
    const resolved to = unit.resolve(object, print.references[registration.references.first + i]);
    if (to.where != destination::function || instance_of_values(unit.name_of(to.to)).empty()) continue;
    if (!runs_frameworks_alone(unit, to.to)) return false;
  }
  return true;
}

}  // namespace morph::object
