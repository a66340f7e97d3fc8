// Dynamic symbols of what is there, and names in what was recorded.
#include "plugin/changes/exported_names.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "coverage/object/read/dynamic.hpp"
#include "plugin/build/link_options.hpp"
#include "plugin/changes/library_versions.hpp"
#include "plugin/changes/system_library_names.hpp"
#include "plugin/system/files.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;

bool is_mangled(std::string_view name) {
  return name.starts_with("_Z");
}

bool is_mangled_by_project(std::string_view name) {
  if (!is_mangled(name)) return false;
  for (const std::string_view standard :
       {"_ZSt", "_ZNSt", "_ZNKSt", "_ZNSs", "_ZNKSs", "_ZNSo", "_ZNSi", "_ZN9__gnu_cxx", "_ZN10__cxxabiv1"})
    if (name.starts_with(standard)) return false;
  return true;
}

/// Finds a definition by a string.
bool is_look_up(std::string_view name) {
  static constexpr std::array<std::string_view, 7> by_c{"dlsym",    "dlvsym",           "g_module_symbol", "lt_dlsym",
                                                        "uv_dlsym", "SDL_LoadFunction", "Tcl_FindSymbol"};
  return std::find(by_c.begin(), by_c.end(), name) != by_c.end() || name.starts_with("_ZN8QLibrary7resolve") ||
         name.starts_with("_ZN4Poco13SharedLibrary");
}

}  // namespace

exported_names::exported_names(const build::build_tree& tree, const build::built_code& built,
                               const std::vector<store::measured_link>& recorded, fingerprints& of,
                               const build::linked_file& link)
    : tree_(tree),
      built_(built),
      recorded_(recorded),
      fingerprints_(of),
      link_(link),
      exports_(build::symbols_of(link.options).exports) {}

const exported_names::others& exported_names::known() {
  if (!others_) others_ = read();
  return *others_;
}

bool exported_names::is_named(std::string_view name) {
  return !known().is_known || known().names.count(std::string(name)) != 0;
}

object::compare_options exported_names::options(object::compare_options to) {
  to.is_of_libraries = [this](std::string_view name) {
    const others& o = known();
    if (!o.is_known) return true;
    // Nothing of the C library's archive is known.
    if (o.is_static) return !is_mangled_by_project(name);
    return o.offered.count(std::string(name)) != 0 && is_named(name);
  };
  to.was_of_libraries = [this](std::string_view name) {
    return (is_mangled_by_project(name) || !is_mangled(name)) && !known().is_static && is_named(name);
  };
  // Who looks for a name of C++ by a string is not known.
  to.is_exported = [this](std::string_view name) {
    return !is_mangled(name) && ((exports_ && known().looks_up) || is_named(name));
  };
  to.is_looked_up = [this](std::string_view name) { return !is_mangled(name) && known().looks_up; };
  return to;
}

exported_names::others exported_names::read() {
  others found;
  found.looks_up = true;
  const fs::path file = tree_.binary_dir / link_.path;
  const auto bytes = system::read_file(file);
  auto own = bytes ? object::read_dynamic(*bytes, link_.path) : tl::unexpected(bytes.error());
  if (!own) return found;
  found.is_static = own->is_static;
  found.offered = std::move(own->defined);
  const auto is_own = [&](const fs::path& library) {
    std::error_code failed;
    return std::any_of(built_.links.begin(), built_.links.end(), [&](const build::linked_file& other) {
      return fs::equivalent(tree_.binary_dir / other.path, library, failed);
    });
  };
  auto names = library_names(file, is_own);
  if (!names) return found;
  found.names = std::move(*names);
  const store::measured_link* const own_before = pair_links(recorded_, built_.links).of(link_.path);
  bool looks_up = false;
  const auto read_link = [&](const store::measured_link& other) {
    std::unordered_set<std::string> defined, wanted;
    for (const store::linked_object& of : other.objects) {
      const auto print = fingerprints_.get(of);
      if (!print) return false;
      const object::name_pool& all = (*print)->names;
      for (const object::definition& d : (*print)->definitions)
        if (d.binding != object::strength::local) defined.emplace(all[d.name]);
      for (const object::wanted_name& w : (*print)->wanted) {
        wanted.emplace(all[w.name]);
        looks_up = looks_up || is_look_up(all[w.name]);
      }
    }
    if (&other == own_before) return true;
    for (const std::string& name : wanted)
      if (other.shared || defined.count(name) == 0) found.names.insert(name);
    if (other.shared) found.names.merge(defined);
    return true;
  };
  if (!std::all_of(recorded_.begin(), recorded_.end(), read_link)) return found;
  found.is_known = true;
  found.looks_up = looks_up;
  return found;
}

}  // namespace morph::changes
