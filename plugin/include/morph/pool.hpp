// The cases of a spec, without their values: in the order in which they were made, found by their ids at once.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace morph {

/// Where a case stands in its pool.
using case_index = std::uint32_t;
/// Where an input stands among the distinct ones of its spec.
using input_index = std::uint32_t;
inline constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// What made a case: a seed maker or a datamorphism, counted together (seed makers first).
using type_index = std::uint16_t;

/// From 64-bit identities to positions 0, 1, 2, ... What was added last is removed first.
class id_table {
 public:
  /// Where the equal one is; else `at`, which is in the table from now on. `ids[i]` is the identity of position `i`.
  std::uint32_t find_or_add(std::uint64_t id, std::uint32_t at, const std::vector<std::uint64_t>& ids) {
    if (used_ >= room_) grow(ids);
    const auto tag = static_cast<std::uint32_t>(id >> 32);
    for (std::size_t place = id & mask_;; place = (place + 1) & mask_) {
      slot& here = slots_[place];
      if (here.position == nowhere) {
        here = {at, tag};
        ++used_;
        return at;
      }
      if (here.tag == tag && ids[here.position] == id) return here.position;
    }
  }
  std::uint32_t find(std::uint64_t id, const std::vector<std::uint64_t>& ids) const;
  /// Removes the positions from `size` on.
  void truncate(std::size_t size, const std::vector<std::uint64_t>& ids);
  /// Room for so many, so that none is moved while they are added.
  void reserve(std::size_t number, const std::vector<std::uint64_t>& ids);
  std::size_t bytes() const { return slots_.capacity() * sizeof(slot); }

 private:
  struct slot {
    std::uint32_t position = nowhere;
    std::uint32_t tag = 0;  // of the identity, so that others need not be looked up
  };
  void grow(const std::vector<std::uint64_t>& ids);
  void resize(std::size_t slots, const std::vector<std::uint64_t>& ids);
  void refill(std::size_t size, const std::vector<std::uint64_t>& ids);
  std::vector<slot> slots_;
  std::size_t mask_ = 0;
  std::size_t used_ = 0;
  std::size_t room_ = 0;
};

/// A case costs 16 bytes, what it was derived from 4 and 4 for each origin, and the table of ids 11 to 22.
class pool {
 public:
  struct origin_list {
    const case_index* first;
    std::size_t count;
    const case_index* begin() const { return first; }
    const case_index* end() const { return first + count; }
    std::size_t size() const { return count; }
    case_index operator[](std::size_t i) const { return first[i]; }
  };

  /// `identities[t]` tells type `t` from the others, for good: of its name.
  explicit pool(std::vector<std::uint64_t> identities) : types_(std::move(identities)) {}

  /// A case has the identity of its input, its type and the identities of its origins (at most 6). Where an equal case
  /// is there, it is the answer, and nothing is added.
  case_index add(type_index type, input_index input, std::uint64_t input_id, const case_index* origins,
                 std::size_t number_of_origins);

  /// The same where the caller knows that there is no equal case; find() does not find it. Only unlisted cases may
  /// follow, until it is removed.
  case_index add_unlisted(type_index type, input_index input, std::uint64_t input_id, const case_index* origins,
                          std::size_t number_of_origins);

  std::size_t size() const { return ids_.size(); }
  std::uint64_t id(case_index c) const {
    return c < listed_ ? ids_[c] : identity(type(c), ids_[c], origins(c).first, origins(c).count);
  }
  input_index input(case_index c) const { return cases_[c].input; }
  type_index type(case_index c) const { return static_cast<type_index>(derivations_[cases_[c].derivation] >> 16); }
  /// Height of the tree of derivation; 0 for seeds.
  unsigned order(case_index c) const { return (derivations_[cases_[c].derivation] >> 4) & 0xfff; }
  origin_list origins(case_index c) const {
    const std::uint32_t* const at = &derivations_[cases_[c].derivation];
    return {at + 1, *at & 0xf};
  }
  /// `nowhere` if there is none.
  case_index find(std::uint64_t id) const { return table_.find(id, ids_); }

  /// Room for so many unlisted cases of so many origins each behind those that are there.
  void reserve_unlisted(std::size_t number, std::size_t origins);
  /// Removes all cases from `size` on.
  void truncate(std::size_t size);
  std::size_t bytes() const;

 private:
  struct record {
    input_index input;
    std::uint32_t derivation;  // where it begins: type, order and number of origins, then the origins
  };
  std::uint64_t identity(type_index type, std::uint64_t input_id, const case_index* origins,
                         std::size_t number_of_origins) const;
  case_index push(std::uint64_t id, type_index type, input_index input, const case_index* origins,
                  std::size_t number_of_origins);
  std::vector<std::uint64_t> types_;
  std::vector<std::uint64_t> ids_;  // of unlisted cases their inputs' alone: who they are is seldom asked
  std::size_t listed_ = 0;
  std::vector<record> cases_;
  std::vector<std::uint32_t> derivations_;
  id_table table_;
};

/// As 16 hexadecimal digits.
std::string id_text(std::uint64_t id);
/// False if the text is none.
bool read_id(const std::string& text, std::uint64_t& id);

}  // namespace morph
