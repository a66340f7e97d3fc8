// The cases of a spec: how they are identified and found.
#include "morph/pool.hpp"

#include <charconv>
#include <cstdio>

#include "morph/hash.hpp"

namespace morph {

std::uint32_t id_table::find(std::uint64_t id, const std::vector<std::uint64_t>& ids) const {
  if (slots_.empty()) return nowhere;
  for (std::size_t slot = id & mask_;; slot = (slot + 1) & mask_)
    if (slots_[slot] == nowhere || ids[slots_[slot]] == id) return slots_[slot];
}

void id_table::grow(const std::vector<std::uint64_t>& ids) {
  const std::vector<std::uint32_t> before = std::move(slots_);
  slots_.assign(before.empty() ? 64 : before.size() * 2, nowhere);
  mask_ = slots_.size() - 1;
  // In the order of positions: truncate() relies on it.
  std::vector<std::uint32_t> positions;
  positions.reserve(used_);
  std::vector<bool> held(ids.size() + 1, false);
  for (const std::uint32_t position : before)
    if (position != nowhere) held[position] = true;
  for (std::uint32_t position = 0; position < held.size(); ++position) {
    if (!held[position]) continue;
    std::size_t slot = ids[position] & mask_;
    while (slots_[slot] != nowhere) slot = (slot + 1) & mask_;
    slots_[slot] = position;
  }
}

void id_table::truncate(std::size_t size, const std::vector<std::uint64_t>& ids) {
  // The one that was added last ends every search that passes it: its slot can simply be emptied.
  for (std::size_t position = ids.size(); position-- > size;) {
    std::size_t slot = ids[position] & mask_;
    while (slots_[slot] != position && slots_[slot] != nowhere) slot = (slot + 1) & mask_;
    if (slots_[slot] == nowhere) continue;
    slots_[slot] = nowhere;
    --used_;
  }
}

case_index pool::add(type_index type, input_index input, std::uint64_t input_id, const case_index* origins,
                     std::size_t number_of_origins) {
  word_hash id(input_id);
  id.add(types_[type]);
  unsigned order = 0;
  for (std::size_t i = 0; i < number_of_origins; ++i) {
    id.add(ids_[origins[i]]);
    order = std::max(order, this->order(origins[i]) + 1);
  }
  const auto at = static_cast<case_index>(ids_.size());
  const case_index equal = table_.find_or_add(id.value(), at, ids_);
  if (equal != at) return equal;
  ids_.push_back(id.value());
  cases_.push_back({input, static_cast<std::uint32_t>(derivations_.size())});
  derivations_.push_back(static_cast<std::uint32_t>(type) << 16 | std::min(order, 0xfffu) << 4 |
                         static_cast<std::uint32_t>(number_of_origins));
  derivations_.insert(derivations_.end(), origins, origins + number_of_origins);
  return at;
}

void pool::truncate(std::size_t size) {
  if (size >= ids_.size()) return;
  table_.truncate(size, ids_);
  derivations_.resize(cases_[size].derivation);
  cases_.resize(size);
  ids_.resize(size);
}

std::size_t pool::bytes() const {
  return ids_.capacity() * sizeof(std::uint64_t) + cases_.capacity() * sizeof(record) +
         derivations_.capacity() * sizeof(std::uint32_t) + table_.bytes();
}

std::string id_text(std::uint64_t id) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(id));
  return digits;
}

bool read_id(const std::string& text, std::uint64_t& id) {
  const auto end = std::from_chars(text.data(), text.data() + text.size(), id, 16);
  return !text.empty() && text.size() <= 16 && end.ec == std::errc() && end.ptr == text.data() + text.size();
}

}  // namespace morph
