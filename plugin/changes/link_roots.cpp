// Names that are wanted by options, and by shared libraries.
#include "plugin/changes/link_roots.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <unordered_set>

#include "plugin/build/link_options.hpp"

namespace morph::changes {
namespace {

namespace fs = std::filesystem;
using store::measured_link;

/// Libraries are told by the names of their files: link lines of make count from folders of their own.
std::vector<const measured_link*> libraries_of(const measured_link& link, const std::vector<measured_link>& all) {
  std::unordered_set<std::string> named;
  std::istringstream words(link.options);
  for (std::string word; words >> word;)
    named.insert(word.starts_with("-l") ? "lib" + word.substr(2) + ".so" : fs::path(word).filename().string());
  std::vector<const measured_link*> found;
  for (const measured_link& other : all) {
    const std::string name = fs::path(other.path).filename().string();
    if (other.shared && other.path != link.path &&
        (named.count(name) != 0 || named.count(name.substr(0, name.find(".so") + 3)) != 0))
      found.push_back(&other);
  }
  return found;
}

bool chooses_members(const measured_link& link) {
  return std::any_of(link.objects.begin(), link.objects.end(), [](const auto& o) { return o.archive && !o.whole; });
}

}  // namespace

result<object::link_options> link_options_of(const measured_link& link, const std::vector<measured_link>& all,
                                             fingerprints& of) {
  object::link_options options = object::link_options::of(link.shared);
  build::link_symbols symbols = build::symbols_of(link.options);
  options.aliases = std::move(symbols.aliases);
  options.wanted = std::move(symbols.wanted);
  options.roots.insert(options.roots.end(), symbols.roots.begin(), symbols.roots.end());
  if (!chooses_members(link)) return options;
  for (const measured_link* const library : libraries_of(link, all)) {
    std::unordered_set<std::string_view> defined;
    std::vector<std::string_view> wanted;
    for (const store::linked_object& object : library->objects) {
      const auto print = of.get(object);
      if (!print) return tl::unexpected(print.error());
      const object::name_pool& names = (*print)->names;
      for (const object::definition& d : (*print)->definitions)
        if (d.binding != object::strength::local) defined.insert(names[d.name]);
      for (const object::wanted_name& w : (*print)->wanted)
        if (!w.weak) wanted.push_back(names[w.name]);
    }
    for (const std::string_view name : wanted)
      if (defined.count(name) == 0) options.roots.emplace_back(name);
  }
  return options;
}

bool has_same_libraries(const measured_link& was, const std::vector<measured_link>& all_before, const measured_link& is,
                        const std::vector<measured_link>& all_now) {
  if (!chooses_members(was) && !chooses_members(is)) return true;
  const auto before = libraries_of(was, all_before), now = libraries_of(is, all_now);
  return std::equal(before.begin(), before.end(), now.begin(), now.end(),
                    [](const measured_link* a, const measured_link* b) { return a->objects == b->objects; });
}

}  // namespace morph::changes
