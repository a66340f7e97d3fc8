// Several stores as one: what shards of one content measured becomes one measurement.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "plugin/store/store.hpp"

namespace morph::store {

/// Configuration and content: what measurements have to share to be united.
using measurement_identity =
    std::tuple<std::string, std::string, std::vector<std::pair<std::string, std::optional<std::string>>>>;
measurement_identity identity_of(const measurement_info& m);

/// Of measurements of one content and configuration. Every name has one number, by the order of names, so that equal
/// facts are equal values. Rows of a test are united, and so are start-up rows, which belong to all tests of a program;
/// how the test ended and what it read counts as the latest row has it. A test whose rows differ in what they executed
/// is unsteady. Commutative, associative, idempotent. Complete when every test has a row.
evidence unite(std::vector<evidence> parts);

struct store_totals {
  std::size_t measurements = 0;
  std::size_t outcomes = 0;
  std::size_t audits = 0;
};

/// Writes what `stores` hold to a new file, whose bytes depend on neither their order nor their number of mentions.
/// Measurements that `keep` refuses are left out, and blobs that nothing names then.
result<store_totals> write_union(std::span<evidence_store* const> stores,
                                 const std::function<bool(const measurement_info&)>& keep, const std::string& path);

/// Adds measurements to `to`, each in one moment: those that it lacks, and rows of those that it has in part. What it
/// has whole stays as it is.
result<void> add_measurements(evidence_store& from, evidence_store& to);

/// write_union() into the file of `target`, which is one of `stores`, or a new one if there is none: it has its old or
/// its new content at every moment. Nobody may write to it meanwhile.
result<store_totals> replace_by_union(const std::string& target, std::span<evidence_store* const> stores,
                                      const std::function<bool(const measurement_info&)>& keep);

}  // namespace morph::store
