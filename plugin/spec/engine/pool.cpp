// The cases of a spec: how they are identified and found.
#include "morph/pool.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "morph/hash.hpp"

namespace morph {

std::uint32_t id_table::find(std::uint64_t id, const std::vector<std::uint64_t>& ids) const {
  if (slots_.empty()) return nowhere;
  for (std::size_t place = id & mask_;; place = (place + 1) & mask_) {
    const std::uint32_t position = slots_[place].position;
    if (position == nowhere || ids[position] == id) return position;
  }
}

/// Empty but for the positions below `size`, added in their order, which truncate() relies on.
void id_table::refill(std::size_t size, const std::vector<std::uint64_t>& ids) {
  for (std::uint32_t position = 0; position < size; ++position) {
    std::size_t place = ids[position] & mask_;
    while (slots_[place].position != nowhere) place = (place + 1) & mask_;
    slots_[place] = {position, static_cast<std::uint32_t>(ids[position] >> 32)};
  }
  used_ = size;
}

void id_table::grow(const std::vector<std::uint64_t>& ids) {
  resize(slots_.empty() ? 64 : slots_.size() * 2, ids);
}

void id_table::reserve(std::size_t number, const std::vector<std::uint64_t>& ids) {
  std::size_t slots = std::max<std::size_t>(slots_.size(), 64);
  while (slots * 7 / 10 < number) slots *= 2;
  if (slots > slots_.size()) resize(slots, ids);
}

void id_table::resize(std::size_t slots, const std::vector<std::uint64_t>& ids) {
  const std::size_t held = used_;
  slots_ = std::vector<slot>(slots);
  mask_ = slots_.size() - 1;
  room_ = slots_.size() * 7 / 10;
  refill(held, ids);
}

void id_table::truncate(std::size_t size, const std::vector<std::uint64_t>& ids) {
  if (size >= used_) return;
  if (used_ - size > size) {
    std::fill(slots_.begin(), slots_.end(), slot());
    return refill(size, ids);
  }
  // The one that was added last ends every search that passes it: its place can simply be emptied.
  while (used_ > size) {
    const std::size_t position = --used_;
    std::size_t place = ids[position] & mask_;
    while (slots_[place].position != position) place = (place + 1) & mask_;
    slots_[place] = slot();
  }
}

std::uint64_t pool::identity(type_index type, std::uint64_t input_id, const case_index* origins,
                             std::size_t number_of_origins) const {
  word_hash id(input_id);
  id.add(types_[type]);
  for (std::size_t i = 0; i < number_of_origins; ++i) id.add(this->id(origins[i]));
  return id.value();
}

case_index pool::push(std::uint64_t id, type_index type, input_index input, const case_index* origins,
                      std::size_t number_of_origins) {
  unsigned order = 0;
  for (std::size_t i = 0; i < number_of_origins; ++i) order = std::max(order, this->order(origins[i]) + 1);
  const auto at = static_cast<case_index>(ids_.size());
  ids_.push_back(id);
  cases_.push_back({input, static_cast<std::uint32_t>(derivations_.size())});
  derivations_.push_back(static_cast<std::uint32_t>(type) << 16 | std::min(order, 0xfffu) << 4 |
                         static_cast<std::uint32_t>(number_of_origins));
  derivations_.insert(derivations_.end(), origins, origins + number_of_origins);
  return at;
}

case_index pool::add(type_index type, input_index input, std::uint64_t input_id, const case_index* origins,
                     std::size_t number_of_origins) {
  const std::uint64_t id = identity(type, input_id, origins, number_of_origins);
  const auto at = static_cast<case_index>(ids_.size());
  const case_index equal = table_.find_or_add(id, at, ids_);
  if (equal != at) return equal;
  ++listed_;
  return push(id, type, input, origins, number_of_origins);
}

case_index pool::add_unlisted(type_index type, input_index input, std::uint64_t input_id, const case_index* origins,
                              std::size_t number_of_origins) {
  return push(input_id, type, input, origins, number_of_origins);
}

void pool::reserve_unlisted(std::size_t number, std::size_t origins) {
  ids_.reserve(ids_.size() + number);
  cases_.reserve(cases_.size() + number);
  derivations_.reserve(derivations_.size() + number * (1 + origins));
}

void pool::truncate(std::size_t size) {
  if (size >= ids_.size()) return;
  derivations_.resize(cases_[size].derivation);
  cases_.resize(size);
  if (size < listed_) {
    ids_.resize(listed_);
    table_.truncate(size, ids_);
    listed_ = size;
  }
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
