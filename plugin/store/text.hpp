// A store as text: everything by name, in one order, so that equal content is equal text.
#pragma once

#include <functional>
#include <string>

#include "plugin/store/store.hpp"

namespace morph::store {

struct text_options {
  bool times =
      true;  // false: without what differs when the same is measured twice: times, commits, where rows are from
};

/// A JSON object a line; `write` gets lines without their ends. Measurements of one content are united.
result<void> write_text(evidence_store& store, text_options options,
                        const std::function<void(const std::string& line)>& write);

}  // namespace morph::store
