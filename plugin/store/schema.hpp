// The tables of the store, and how those of older stores become them.
#pragma once

#include <cstdint>

#include "plugin/store/database.hpp"

namespace morph::store {

constexpr int schema_number = 10;              // 7: the first with unshown lines, which older readers do not know
constexpr int first_packed_schema = 3;         // before it, a class was a row, and no blob knew runs
constexpr int first_schema_with_branches = 4;  // and with conditions
constexpr int first_schema_with_inputs = 4;
constexpr int first_schema_with_audits = 5;            // and with the times of rows and with links
constexpr int first_schema_with_places = 6;            // of failures, in audits
constexpr int first_schema_with_unsteady = 8;          // tests; and with what linkers made
constexpr int first_schema_with_packed_functions = 9;  // before it, a function was a row with its name
constexpr int first_schema_with_decisions = 10;

std::int64_t schema_of(database& db);

/// In an empty database.
void create_tables(database& db);
/// From any older schema, in one transaction.
void migrate(database& db);

}  // namespace morph::store
