// Pools beside the one under test: known inputs with what is known of them, found by input at once.
//
//   auto table = morph::auxiliary_pool<point, colour>::of({{{0, 0}, red}, {{1, 1}, blue}});
//   s.relation("as in the table", morph::all_cases, [=](auto& c) { return table.find(c.input); },
//              [=](auto& c) { return c.output == *table.find(c.input); });
#pragma once

#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "morph/hash.hpp"
#include "morph/pool.hpp"
#include "morph/seeds.hpp"

namespace morph {

/// In the order in which entries were added; one for each input. Copies share the entries, so that lambdas can hold
/// one.
template <typename In, typename Out>
class auxiliary_pool {
 public:
  struct entry {
    In input;
    Out output;
  };

  static auxiliary_pool of(std::initializer_list<entry> entries) {
    auxiliary_pool made;
    for (const entry& each : entries) made.add(each.input, each.output);
    return made;
  }
  /// json_lines or csv, each with an output. Throws std::runtime_error that names file and line.
  template <typename File>
  static auxiliary_pool read(const File& file) {
    std::vector<seed<In, Out>> seeds;
    std::string error = seeds_of_texts<In, Out>(read_seeds(file), seeds);
    auxiliary_pool made;
    for (seed<In, Out>& each : seeds) {
      if (!each.expected && error.empty()) error = to_text(each.input) + " has no output";
      if (each.expected) made.add(std::move(each.input), std::move(*each.expected));
    }
    if (!error.empty()) throw std::runtime_error(error);
    return made;
  }

  /// False if there is an entry of that input; it stays as it is.
  bool add(In input, Out output) {
    const std::uint64_t id = hash_of(input);
    const auto at = static_cast<std::uint32_t>(held_->entries.size());
    if (held_->table.find_or_add(id, at, held_->ids) != at) return false;
    held_->ids.push_back(id);
    held_->entries.push_back({std::move(input), std::move(output)});
    return true;
  }
  /// Null if nothing is known of it.
  const Out* find(const In& input) const {
    const std::uint32_t at = held_->table.find(hash_of(input), held_->ids);
    return at == nowhere ? nullptr : &held_->entries[at].output;
  }
  std::size_t size() const { return held_->entries.size(); }
  auto begin() const { return held_->entries.begin(); }
  auto end() const { return held_->entries.end(); }

 private:
  struct held {
    std::vector<entry> entries;
    std::vector<std::uint64_t> ids;
    id_table table;
  };
  std::shared_ptr<held> held_ = std::make_shared<held>();
};

}  // namespace morph
