// A store as text: everything by name, in one order, so that equal content is equal text.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plugin/store/store.hpp"

namespace morph::store {

struct text_options {
  bool times =
      true;  // false: without what differs when the same is measured twice: times, commits, where rows are from
};

/// A JSON object a line; `write` gets lines without their ends. Measurements of one content are united.
result<void> write_text(evidence_store& store, text_options options,
                        const std::function<void(const std::string& line)>& write);

/// Elements (ascending) by their names: of kinds that belong to files an object with ranges of numbers, of others
/// lists.
nlohmann::json describe(const evidence& e, const std::vector<element>& elements);

}  // namespace morph::store
