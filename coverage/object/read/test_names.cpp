// What registers tests is asked which numbers are whose.
#include "coverage/object/read/test_names.hpp"

#include <elf.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "coverage/object/read/cut_object.hpp"

namespace morph::object {
namespace {

// AArch64 needs two instructions for an address: they count once.
std::vector<registering_reference> references_of(const cut_object& cut, const piece& p) {
  const elf_section& of = cut.section(p);
  std::vector<std::pair<std::uint64_t, registering_reference>> found;
  const auto add = [&](std::uint64_t at, const registering_reference& r) {
    const bool again = !found.empty() && found.back().second.text.data() == r.text.data() && !r.text.empty();
    if (!again) found.emplace_back(at, r);
  };
  const auto [first, last] = cut.relocations_in(p.section, p.begin, p.end);
  for (std::size_t i = first; i < last; ++i) {
    const elf_symbol& to = cut.object.symbols[of.relocations[i].symbol];
    const bool by_place = to.place == symbol_place::section && (to.local || to.type == STT_SECTION);
    const std::uint64_t at = of.relocations[i].offset;
    add(at, by_place ? cut.reference_to(to.section, to.value + cut.exact_addend(p.section, i))
                     : registering_reference{to.name, {}});
  }
  for (const branch& b : cut.sections[p.section].branches)
    if (b.offset >= p.begin && b.offset < p.end) add(b.offset, cut.reference_to(p.section, b.to));
  std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<registering_reference> in_order;
  for (const auto& [at, reference] : found) in_order.push_back(reference);
  return in_order;
}

}  // namespace

test_names name_tests(cut_object& cut) {
  test_names made;
  const auto is_numbered = [](const elf_symbol& s) { return test_numbers::is_numbered(s.name); };
  if (std::none_of(cut.object.symbols.begin(), cut.object.symbols.end(), is_numbered)) return made;
  made.numbers.emplace();
  for (const piece& p : cut.pieces)
    if (const std::string_view name = cut.symbol_at(p.section, p.begin); test_numbers::registers(name))
      made.numbers->add(name, references_of(cut, p), cut.source);
  for (const elf_symbol& s : cut.object.symbols) made.numbers->add_symbol(s.name);
  made.numbers->close();
  for (std::uint32_t i = 0; i < cut.object.symbols.size(); ++i) {
    std::string_view& name = cut.object.symbols[i].name;
    if (!test_numbers::is_numbered(name)) continue;
    made.compiled.emplace(i, name);
    name = made.kept.emplace_back(made.numbers->renamed(name));
  }
  for (std::string_view& signature : cut.object.groups)
    if (test_numbers::is_numbered(signature)) signature = made.kept.emplace_back(made.numbers->renamed(signature));
  return made;
}

}  // namespace morph::object
