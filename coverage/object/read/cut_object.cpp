// Where pieces begin and end, and which symbol names each.
#include "coverage/object/read/cut_object.hpp"

#include <elf.h>

#include <algorithm>

#include "coverage/object/read/relocations.hpp"
#include "coverage/object/read/sweep.hpp"

namespace morph::object {
namespace {

class cutter {
 public:
  cutter(cut_object& cut, decoder& decode) : cut_(cut), decode_(decode) {}

  void run();

 private:
  void sort_symbols();
  void cut_code(std::uint32_t index);
  bool only_padding(const elf_section& of, std::uint64_t begin, std::uint64_t end);
  void take_cuts(std::uint32_t index);
  void cut_data(std::uint32_t index);
  void look_at_data(piece& p);
  piece& add_piece(std::uint32_t section, std::uint64_t begin, std::uint64_t end, bool function);
  void name_pieces();

  cut_object& cut_;
  decoder& decode_;
};

void cutter::sort_symbols() {
  for (std::uint32_t i = 1; i < cut_.object.symbols.size(); ++i) {
    const elf_symbol& symbol = cut_.object.symbols[i];
    if (symbol.place != symbol_place::section || symbol.type == STT_SECTION || symbol.type == STT_FILE) continue;
    // Labels of assemblers, and AArch64's marks of code and data.
    if (symbol.name.empty() || symbol.name.starts_with(".L") || symbol.name[0] == '$') continue;
    cut_.sections[symbol.section].symbols.push_back(i);
  }
  for (cut_section& work : cut_.sections)
    std::stable_sort(work.symbols.begin(), work.symbols.end(), [&](std::uint32_t a, std::uint32_t b) {
      return cut_.object.symbols[a].value < cut_.object.symbols[b].value;
    });
}

piece& cutter::add_piece(std::uint32_t section, std::uint64_t begin, std::uint64_t end, bool function) {
  piece& added = cut_.pieces.emplace_back();
  added.section = section;
  added.begin = begin;
  added.end = end;
  added.function = function;
  cut_.sections[section].pieces.push_back(&added);
  return added;
}

bool cutter::only_padding(const elf_section& of, std::uint64_t begin, std::uint64_t end) {
  while (begin < end) {
    const instruction next = decode_.decode(of.bytes.substr(begin, end - begin), begin);
    if (!decode_.is_padding()) return false;
    begin += next.size;
  }
  return true;
}

void cutter::cut_code(std::uint32_t index) {
  const elf_section& section = cut_.object.sections[index];
  const std::uint64_t size = section.bytes.size();
  struct start {
    std::uint64_t begin, end;
    bool sized;
  };
  std::vector<start> starts;
  for (const std::uint32_t i : cut_.sections[index].symbols) {
    const elf_symbol& symbol = cut_.object.symbols[i];
    const std::uint64_t end = symbol.value + symbol.size;
    if (symbol.value >= size) continue;
    if (!starts.empty() && (symbol.value == starts.back().begin || symbol.value < starts.back().end)) {
      starts.back().end = std::max(starts.back().end, end);
      starts.back().sized |= symbol.size > 0;
    } else {
      starts.push_back({symbol.value, end, symbol.size > 0});
    }
  }
  if (starts.empty() || starts[0].begin > 0) starts.insert(starts.begin(), {0, 0, false});
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::uint64_t next = i + 1 < starts.size() ? starts[i + 1].begin : size;
    std::uint64_t end = next;
    if (starts[i].end < next && only_padding(section, starts[i].end, next)) end = starts[i].end;
    if (end > starts[i].begin) add_piece(index, starts[i].begin, end, true).runs_on = !starts[i].sized;
  }
}

void cutter::cut_data(std::uint32_t index) {
  const elf_section& section = cut_.object.sections[index];
  std::vector<std::uint64_t> cuts = std::move(cut_.sections[index].cuts);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> covered;  // by symbols; those that overlap are one
  for (const std::uint32_t i : cut_.sections[index].symbols) {
    const elf_symbol& symbol = cut_.object.symbols[i];
    cuts.push_back(symbol.value);
    if (symbol.size == 0) continue;
    cuts.push_back(symbol.value + symbol.size);
    if (!covered.empty() && symbol.value < covered.back().second)
      covered.back().second = std::max(covered.back().second, symbol.value + symbol.size);
    else
      covered.emplace_back(symbol.value, symbol.value + symbol.size);
  }
  cuts.push_back(0);
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::vector<std::uint64_t> kept;
  std::size_t next = 0;
  for (const std::uint64_t cut : cuts) {
    while (next < covered.size() && covered[next].second <= cut) ++next;
    const bool inside = next < covered.size() && covered[next].first < cut;
    if (cut < section.size && !inside) kept.push_back(cut);
  }
  for (std::size_t i = 0; i < kept.size(); ++i)
    add_piece(index, kept[i], i + 1 < kept.size() ? kept[i + 1] : section.size, false);
}

void cutter::name_pieces() {
  for (std::size_t s = 0; s < cut_.sections.size(); ++s) {
    cut_section& work = cut_.sections[s];
    for (const std::uint32_t i : work.symbols) {
      auto* const p = const_cast<piece*>(cut_.piece_at(static_cast<std::uint32_t>(s), cut_.object.symbols[i].value));
      if (p == nullptr) continue;
      const elf_symbol& symbol = cut_.object.symbols[i];
      const elf_symbol* const current = cut_.named(*p);
      const bool better = current == nullptr || (current->value == symbol.value && current->local && !symbol.local);
      if (better) p->symbol = i;
    }
  }
}

// A constant without a name ends where the next begins, or in the padding before it, which is no part of it.
void cutter::look_at_data(piece& p) {
  const elf_section& of = cut_.section(p);
  if (p.symbol != none || of.writable() || of.type == SHT_NOBITS) return;
  const auto [first, last] = cut_.relocations_in(p.section, p.begin, p.end);
  std::uint64_t least = p.begin, covered = 0;
  bool jumps = first < last;
  for (std::size_t i = first; i < last; ++i) {
    const relocation& r = of.relocations[i];
    const std::uint32_t size = field_size(cut_.object.target, r.type);
    least = r.offset + size;
    covered += size;
    const elf_symbol& to = cut_.object.symbols[r.symbol];
    jumps = jumps && to.place == symbol_place::section && cut_.object.sections[to.section].code();
  }
  while (p.end > least && of.bytes[p.end - 1] == 0) --p.end;
  p.jumps = jumps && covered == p.end - p.begin;
  const std::string_view bytes = of.bytes.substr(p.begin, p.end - p.begin);
  p.text = first == last && std::all_of(bytes.begin(), bytes.end(), [](char c) {
             const auto byte = static_cast<unsigned char>(c);
             return byte >= 0x20 || (byte >= '\a' && byte <= '\r') || byte == 0x1b;
           });
}

// Data begins where somebody refers to.
void cutter::take_cuts(std::uint32_t index) {
  const elf_section& from = cut_.object.sections[index];
  for (std::size_t k = 0; k < from.relocations.size(); ++k) {
    const elf_symbol& to = cut_.object.symbols[from.relocations[k].symbol];
    if (to.place != symbol_place::section || (to.type != STT_SECTION && !to.local)) continue;
    if (!from.code() && is_x86_relative(from.relocations[k].type)) continue;
    cut_.sections[to.section].cuts.push_back(to.value + cut_.exact_addend(index, k));
  }
}

void cutter::run() {
  sort_symbols();
  const auto count = static_cast<std::uint32_t>(cut_.sections.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const elf_section& s = cut_.object.sections[i];
    cut_.sections[i].sites.resize(s.relocations.size());
    if (!s.code() || use_of(s) != section_use::normal || s.bytes.empty()) continue;
    cut_code(i);
    sweep(cut_, i, decode_);
  }
  for (const elf_symbol& s : cut_.object.symbols)
    if (s.type == STT_FILE && cut_.source.empty()) cut_.source = s.name.substr(s.name.rfind('/') + 1);
  cut_.tests = name_tests(cut_);
  for (std::uint32_t i = 0; i < count; ++i) take_cuts(i);
  for (std::uint32_t i = 0; i < count; ++i) {
    const elf_section& s = cut_.object.sections[i];
    if (use_of(s) == section_use::normal && !s.code() && !s.merged()) cut_data(i);
  }
  name_pieces();
  for (piece& p : cut_.pieces)
    if (!p.function) look_at_data(p);
}

}  // namespace

section_use use_of(const elf_section& section) {
  const std::string_view name = section.name;
  if (!section.allocated() || section.size == 0) return section_use::skipped;
  if (section.type == SHT_INIT_ARRAY || section.type == SHT_FINI_ARRAY || section.type == SHT_PREINIT_ARRAY ||
      name.starts_with(".ctors") || name.starts_with(".dtors"))
    return section_use::startup;
  const bool beside = name == ".eh_frame" || name.starts_with(".note") || name.starts_with(".gcc_except_table");
  return beside ? section_use::skipped : section_use::normal;
}

const piece* cut_object::piece_at(std::uint32_t section, std::uint64_t offset) const {
  const std::vector<piece*>& in_section = sections[section].pieces;
  const auto after = std::upper_bound(in_section.begin(), in_section.end(), offset,
                                      [](std::uint64_t value, const piece* p) { return value < p->begin; });
  return after == in_section.begin() ? nullptr : *(after - 1);
}

std::pair<std::size_t, std::size_t> cut_object::relocations_in(std::uint32_t section, std::uint64_t begin,
                                                               std::uint64_t end) const {
  const std::vector<relocation>& all = object.sections[section].relocations;
  const auto before = [](const relocation& r, std::uint64_t offset) { return r.offset < offset; };
  const auto first = std::lower_bound(all.begin(), all.end(), begin, before);
  const auto last = std::lower_bound(first, all.end(), end, before);
  return {static_cast<std::size_t>(first - all.begin()), static_cast<std::size_t>(last - all.begin())};
}

std::uint64_t cut_object::exact_addend(std::uint32_t section, std::size_t relocation) const {
  const auto addend = static_cast<std::uint64_t>(object.sections[section].relocations[relocation].addend);
  return addend + static_cast<std::uint64_t>(sections[section].sites[relocation].to_end);
}

std::uint64_t cut_object::alignment_of(const piece& p) const {
  const elf_section& of = section(p);
  const std::uint64_t given = p.begin == 0 ? of.alignment : std::min(of.alignment, p.begin & (~p.begin + 1));
  const elf_symbol* const symbol = named(p);
  const bool is_alone = symbol != nullptr && sections[p.section].pieces.size() == 1 &&
                        of.name.size() > symbol->name.size() && of.name.ends_with(symbol->name) &&
                        of.name[of.name.size() - symbol->name.size() - 1] == '.';
  return is_alone || given > 32 ? given : 0;
}

std::string_view cut_object::symbol_at(std::uint32_t section, std::uint64_t offset) const {
  const std::vector<std::uint32_t>& symbols = sections[section].symbols;
  const auto found =
      std::lower_bound(symbols.begin(), symbols.end(), offset,
                       [&](std::uint32_t s, std::uint64_t value) { return object.symbols[s].value < value; });
  const bool is_there = found != symbols.end() && object.symbols[*found].value == offset;
  return is_there ? object.symbols[*found].name : std::string_view();
}

registering_reference cut_object::reference_to(std::uint32_t section, std::uint64_t offset) const {
  const elf_section& of = object.sections[section];
  registering_reference made{symbol_at(section, offset), {}};
  if (of.code() || of.writable() || offset >= of.bytes.size()) return made;
  const std::string_view text = of.bytes.substr(offset, of.bytes.find('\0', offset) - offset);
  const bool readable = std::all_of(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n'; });
  if (readable) made.text = text;
  return made;
}

cut_object cut(elf_object& object, decoder& decode) {
  cut_object made(object);
  cutter(made, decode).run();
  return made;
}

}  // namespace morph::object
