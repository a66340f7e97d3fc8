// Two functions, walked side by side from their entries.
#include "coverage/object/compare/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace morph::object {
namespace {

struct blocked_function {
  const link_unit& unit;
  unit_atom atom;
  const function_blocks* of;

  blocked_function(const link_unit& in, unit_atom index)
      : unit(in), atom(index), of(blocks_of(in.print_of(index), index - in.atom_of(in.object_of(index), 0))) {}

  std::span<const block> blocks() const {
    return std::span(unit.print_of(atom).blocks).subspan(of->blocks.first, of->blocks.count);
  }
  /// By number; none if there is none at that place.
  std::uint32_t at(std::uint32_t begin) const {
    const auto all = blocks();
    const auto found = std::lower_bound(all.begin(), all.end(), begin,
                                        [](const block& b, std::uint32_t value) { return b.begin < value; });
    return found == all.end() || found->begin != begin ? none : static_cast<std::uint32_t>(found - all.begin());
  }
  digest effect(std::uint32_t reference) const { return unit.effect(atom, unit.print_of(atom).references[reference]); }
};

bool is_same(const blocked_function& before, const block& was, const blocked_function& after, const block& is) {
  if (was.content != is.content || was.references.count != is.references.count) return false;
  if ((was.next == none) != (is.next == none) || (was.target == none) != (is.target == none)) return false;
  for (std::uint32_t i = 0; i < was.references.count; ++i)
    if (before.effect(was.references.first + i) != after.effect(is.references.first + i)) return false;
  return true;
}

}  // namespace

const function_blocks* blocks_of(const object_print& print, std::uint32_t atom) {
  const auto found = std::lower_bound(print.blocked.begin(), print.blocked.end(), atom,
                                      [](const function_blocks& f, std::uint32_t value) { return f.atom < value; });
  return found == print.blocked.end() || found->atom != atom ? nullptr : &*found;
}

std::string block_name(const object_print& print, const function_blocks& of, std::uint32_t begin) {
  const atom& a = print.atoms[of.atom];
  digest_writer all;
  all.text(a.name == none ? std::string_view() : print.compiled_name(a.name));
  // Numbers of lines move without moving blocks.
  all.add(a.relaxed);
  all.add(a.exceptions);
  return fmt::format("#{:016x}+{:x}", all.finish().low, begin);
}

std::vector<std::string> differing_blocks(const link_unit& before, unit_atom was, const link_unit& after,
                                          unit_atom is) {
  const blocked_function old(before, was), now(after, is);
  if (old.of == nullptr || now.of == nullptr) return {};
  const auto old_blocks = old.blocks(), new_blocks = now.blocks();
  std::vector<std::uint32_t> pair(old_blocks.size(), none);
  std::vector<bool> differs(old_blocks.size());
  for (std::size_t b = 0; b < old_blocks.size(); ++b) differs[b] = old_blocks[b].is_landing_pad != 0;
  std::vector<std::uint32_t> open;
  const auto lead = [&](std::uint32_t from, std::uint32_t to) {
    const std::uint32_t b = old.at(from), n = now.at(to);
    if (b == none) return;
    if (pair[b] == none && n != none) {
      pair[b] = n;
      open.push_back(b);
    } else if (n == none || pair[b] != n) {
      differs[b] = true;
    }
  };
  lead(0, 0);
  while (!open.empty()) {
    const std::uint32_t b = open.back();
    open.pop_back();
    const block& one = old_blocks[b];
    const block& other = new_blocks[pair[b]];
    if (!is_same(old, one, now, other)) {
      differs[b] = true;
      continue;
    }
    if (one.next != none) lead(one.next, other.next);
    if (one.target != none) lead(one.target, other.target);
  }
  if (differs[0]) return {};
  const object_print& print = before.print_of(was);
  std::vector<std::string> names{block_name(print, *old.of, 0)};
  for (std::size_t b = 0; b < old_blocks.size(); ++b)
    if (differs[b]) names.push_back(block_name(print, *old.of, old_blocks[b].begin));
  return names;
}

}  // namespace morph::object
