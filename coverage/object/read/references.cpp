// References by name, by place and by content.
#include "coverage/object/read/references.hpp"

#include <elf.h>

#include <algorithm>
#include <numeric>

#include "coverage/object/read/relocations.hpp"

namespace morph::object {

std::uint32_t reference_writer::name_of_symbol(std::uint32_t index) {
  std::uint32_t& number = symbol_names_[index];
  if (number != none) return number;
  number = print_.names.add(cut_.object.symbols[index].name);
  if (const auto compiled = cut_.tests.compiled.find(index); compiled != cut_.tests.compiled.end())
    print_.compiled.emplace_back(number, print_.names.add(compiled->second));
  return number;
}

void reference_writer::describe_constant(const elf_section& of, std::uint64_t offset, digest_writer& to) const {
  const std::uint64_t unit = std::max<std::uint64_t>(1, of.entry_size);
  to.text("constant");
  if (of.alignment > 32) to.number(of.alignment);
  if (offset >= of.bytes.size()) return to.text("outside");
  if ((of.flags & SHF_STRINGS) == 0) {
    const std::uint64_t begin = offset / unit * unit;
    to.number(offset - begin);
    return to.text(of.bytes.substr(begin, unit));
  }
  std::uint64_t end = offset;
  const auto ends = [&] {
    const std::string_view one = of.bytes.substr(end, unit);
    return std::all_of(one.begin(), one.end(), [](char c) { return c == 0; });
  };
  if (unit == 1)
    end = std::min(of.bytes.find('\0', offset), of.bytes.size());
  else
    while (end < of.bytes.size() && !ends()) end += std::min(unit, of.bytes.size() - end);
  to.text(without_roots(of.bytes.substr(offset, end - offset)));
}

std::string reference_writer::without_roots(std::string_view text) const {
  std::string result(text);
  if (text.find('/') == std::string_view::npos) return result;
  // What lies in another root is found first.
  std::vector<std::size_t> longest_first(roots_.size());
  std::iota(longest_first.begin(), longest_first.end(), std::size_t{0});
  std::stable_sort(longest_first.begin(), longest_first.end(),
                   [&](std::size_t a, std::size_t b) { return roots_[a].size() > roots_[b].size(); });
  for (const std::size_t i : longest_first) {
    const std::string& root = roots_[i];
    for (std::size_t at = result.find(root); at != std::string::npos; at = result.find(root, at + 1)) {
      const std::size_t end = at + root.size();
      if (end == result.size() || result[end] == '/' || result[end] == '\0')
        result.replace(at, root.size(), 1, static_cast<char>(i + 1));
    }
  }
  return result;
}

// Compilers refer to `table - 4` where indices begin with 1, and reach all of a constant from its begin: what is behind
// a reference to something without a name counts, up to the next name.
std::uint32_t reference_writer::run_from(std::size_t index, const std::vector<piece*>& pieces) {
  std::size_t end = index;
  const auto is_plain = [&](const piece& p) { return p.symbol == none && !p.text && !p.jumps; };
  while (end < pieces.size() && is_plain(*pieces[end]) && pieces[end]->run == none) ++end;
  while (end > index) {
    piece& p = *pieces[--end];
    std::vector<std::uint32_t> all{p.atom};
    if (end + 1 < pieces.size()) {
      const piece& next = *pieces[end + 1];
      if (!next.text) all.push_back(is_plain(next) ? next.run : next.atom);
    }
    atom stands;
    stands.flags = atom::local;
    p.run = static_cast<std::uint32_t>(print_.atoms.size());
    print_.atoms.push_back(stands);
    runs_.emplace_back(p.run, std::move(all));
  }
  return pieces[index]->run;
}

void reference_writer::describe_place(std::uint32_t index, std::uint64_t offset, bool direct, digest_writer& to,
                                      std::vector<std::uint32_t>& references) {
  const elf_section& of = cut_.object.sections[index];
  if (!of.allocated()) return to.text("no code");
  if (of.merged()) return describe_constant(of, offset, to);
  if (use_of(of) != section_use::normal) return to.text("beside");
  const std::vector<piece*>& pieces = cut_.sections[index].pieces;
  const piece* found = cut_.piece_at(index, static_cast<std::int64_t>(offset) < 0 ? 0 : offset);
  if (found == nullptr) {
    to.text(of.name);
    return to.number(offset);
  }
  to.text(found->function ? "function" : "data");
  to.number(offset - found->begin);
  if (const elf_symbol* const symbol = cut_.named(*found)) {
    to.text(symbol->name);
  } else if (found->function || of.writable()) {
    to.text(of.name);
    to.number(found->begin);
  }
  const auto place =
      static_cast<std::size_t>(std::lower_bound(pieces.begin(), pieces.end(), found->begin,
                                                [](const piece* p, std::uint64_t value) { return p->begin < value; }) -
                               pieces.begin());
  if (found->function || direct || found->text) return references.push_back(found->atom);
  if (found->symbol == none && !of.writable() && !found->jumps) return references.push_back(run_from(place, pieces));
  references.push_back(found->atom);
  const bool near_end = offset != found->begin && found->end - offset <= 256 && !of.name.starts_with(".data.rel.ro");
  if (near_end && place + 1 < pieces.size()) references.push_back(pieces[place + 1]->atom);
}

void reference_writer::describe(std::uint32_t index, std::size_t relocation_index, std::uint64_t table,
                                digest_writer& to, std::vector<std::uint32_t>& references) {
  const relocation& r = cut_.object.sections[index].relocations[relocation_index];
  const elf_symbol& symbol = cut_.object.symbols[r.symbol];
  const std::uint64_t addend = cut_.exact_addend(index, relocation_index);
  const bool code = cut_.object.sections[index].code();
  if (symbol.place != symbol_place::section || (!symbol.local && symbol.type != STT_SECTION)) {
    to.text(symbol.place == symbol_place::absolute ? "absolute" : "name");
    to.text(symbol.name);
    to.number(addend);
    if (symbol.place == symbol_place::absolute && symbol.local) return to.number(symbol.value);
    if (!symbol.name.empty()) references.push_back(name_of_symbol(r.symbol) | by_name);
    return;
  }
  const elf_section& of = cut_.object.sections[symbol.section];
  const bool has_name = symbol.type != STT_SECTION && !symbol.name.starts_with(".L") && !of.merged();
  if (has_name && use_of(of) == section_use::normal) {
    const piece* const found = cut_.piece_at(symbol.section, symbol.value);
    to.text("local");
    to.text(symbol.name);
    to.number(addend);
    if (found != nullptr) references.push_back(found->atom);
    return;
  }
  std::uint64_t offset = symbol.value + addend;
  const bool relative = cut_.object.target == machine::x86_64
                            ? is_x86_relative(r.type)
                            : r.type == R_AARCH64_PREL32 || r.type == R_AARCH64_PREL64 || r.type == R_AARCH64_PREL16;
  if (!code && relative) offset -= r.offset - table;
  describe_place(symbol.section, offset, cut_.sections[index].sites[relocation_index].direct, to, references);
}

range reference_writer::keep(const std::vector<std::uint32_t>& references) {
  const auto first = static_cast<std::uint32_t>(print_.references.size());
  print_.references.insert(print_.references.end(), references.begin(), references.end());
  return {first, static_cast<std::uint32_t>(references.size())};
}

void reference_writer::close() {
  for (const auto& [index, references] : runs_) print_.atoms[index].references = keep(references);
}

}  // namespace morph::object
