// One pass over the instructions of a section.
#include "coverage/object/read/sweep.hpp"

#include <elf.h>

#include <algorithm>
#include <array>

#include "coverage/object/read/frameworks.hpp"
#include "coverage/object/read/relocations.hpp"

namespace morph::object {
namespace {

// Frameworks that take the number of a line for nothing but messages, wherever they have the name of the file from.
bool takes_source_line(std::string_view callee) {
  return callee.find("__assert") != std::string_view::npos ||
         callee.find("source_location") != std::string_view::npos ||
         contains_name_of_framework(callee, &framework_symbols::failures);
}

bool names_source(const cut_object& cut, std::uint32_t index, std::size_t i) {
  static constexpr std::array<std::string_view, 13> extensions{".c",  ".cc",  ".cpp", ".cxx", ".c++", ".C",  ".h",
                                                               ".hh", ".hpp", ".hxx", ".ipp", ".inl", ".tpp"};
  const elf_symbol& to = cut.object.symbols[cut.object.sections[index].relocations[i].symbol];
  if (to.place != symbol_place::section || (!to.local && to.type != STT_SECTION)) return false;
  const std::string_view text = cut.reference_to(to.section, to.value + cut.exact_addend(index, i)).text;
  const std::size_t dot = text.rfind('.');
  return dot != std::string_view::npos &&
         std::find(extensions.begin(), extensions.end(), text.substr(dot)) != extensions.end();
}

}  // namespace

// A number may be that of a line if it is passed with the name of a file, or to who tells failures: what a function
// returns or compares is a value.
void sweep(cut_object& cut, std::uint32_t index, decoder& decode) {
  const elf_section& section = cut.object.sections[index];
  cut_section& work = cut.sections[index];
  // With a section to itself, a function without relocations goes nowhere else.
  const bool alone = work.pieces.size() == 1 && work.pieces[0]->begin == 0;
  std::size_t next = 0;
  const std::vector<relocation>& relocations = section.relocations;
  std::vector<std::pair<std::uint64_t, constant_place>> passed;  // since the last call
  bool with_file = false;
  for (const piece* const p : work.pieces) {
    passed.clear();
    with_file = false;
    for (std::uint64_t at = p->begin; at < p->end;) {
      const instruction one = decode.decode(section.bytes.substr(at, p->end - at), at);
      const std::uint64_t end = at + one.size;
      while (next < relocations.size() && relocations[next].offset < at) ++next;
      bool relocated = false;
      const std::size_t first = next;
      for (; next < relocations.size() && relocations[next].offset < end; ++next) {
        relocated = true;
        const relocation& r = relocations[next];
        if (cut.object.target == machine::x86_64 && is_x86_relative(r.type))
          work.sites[next].to_end = static_cast<std::int8_t>(one.known ? end - r.offset : 4);
        const elf_symbol& to = cut.object.symbols[r.symbol];
        const bool into_data = to.place == symbol_place::section && !cut.object.sections[to.section].code();
        if (into_data) work.sites[next].direct = decode.is_direct();
        if (into_data && !with_file) with_file = names_source(cut, index, next);
      }
      if (!relocated) {
        const auto target = alone ? std::nullopt : decode.target();
        if (target && (target->address < p->begin || target->address >= p->end))
          work.branches.push_back({at + target->field, target->field_size, target->address});
        if (one.has_constant && one.constant_to != constant_place::elsewhere)
          passed.emplace_back(at + one.constant_field, one.constant_to);
      }
      if (with_file || !passed.empty()) {
        const flow control = decode.control();
        if (control == flow::call || (control == flow::jump && relocated)) {
          const bool known = relocated && takes_source_line(cut.object.symbols[relocations[first].symbol].name);
          for (const auto& [place, to] : passed)
            if (known || (with_file && to == constant_place::argument)) work.constants.push_back(place);
        }
        if (control != flow::next) passed.clear(), with_file = false;
      }
      at = end;
    }
  }
}

}  // namespace morph::object
