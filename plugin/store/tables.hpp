// Reading and writing the tables of one measurement.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/store/codec.hpp"
#include "plugin/store/database.hpp"
#include "plugin/store/evidence.hpp"

// All throw database_error, also for what nobody who writes the tables would write.
namespace morph::store {

/// Rows are missing.
struct damaged_table : database_error {
  using database_error::database_error;
};
[[noreturn]] void malformed(const char* what);

template <typename Number>
std::vector<Number> decode(std::string_view bytes, const char* what) {
  auto values = decode_ascending<Number>(bytes);
  if (!values) malformed(what);
  return std::move(*values);
}

inline std::uint32_t number(const statement& s, int column) {
  return static_cast<std::uint32_t>(s.integer(column));
}

/// What read_info() reads.
constexpr const char* info_columns = "SELECT id, configuration, commit_id, tree, created, complete FROM measurement";
measurement_info read_info(statement& s);
void read_overrides(database& db, measurement_info& info);
/// Not yet complete, whatever it says. Returns its number.
std::int64_t insert_info(database& db, const measurement_info& info);
/// Newest first.
std::vector<measurement_info> read_infos(database& db);
std::vector<measured_link> read_links(database& db, std::int64_t measurement);
void insert_link(database& db, std::int64_t id, const measured_link& link);

/// Elements of tests as they stand on disk.
using encoded_rows = std::vector<std::pair<std::uint32_t, std::string>>;
/// Read at once: a writer may add some at any time.
encoded_rows read_rows(database& db, std::int64_t measurement);
std::vector<element_class> fold_rows_of(database& db, std::int64_t measurement);
std::vector<element_class> fold_encoded(const std::map<std::uint32_t, std::string>& rows);

/// Returns their digest.
std::uint64_t write_classes(database& db, std::int64_t measurement, const std::vector<element_class>& classes);
/// Nothing if they do not match their digest.
std::optional<std::vector<element_class>> read_classes(database& db, std::int64_t measurement);

/// From the number `first` on.
void write_functions(database& db, std::int64_t measurement, std::size_t first,
                     std::span<const measured_function> functions);
std::vector<measured_function> read_functions(database& db, std::int64_t measurement);
/// Of a schema before first_schema_with_packed_functions.
std::vector<measured_function> read_functions_of_rows(database& db, std::int64_t measurement);

void remove_measurement(database& db, std::int64_t measurement);
evidence load_evidence(database& db, std::int64_t id);
void save_evidence(database& db, const evidence& e);
/// Of a complete measurement.
void replace_kills(database& db, std::int64_t measurement, const std::vector<killed_mutant>& kills);

}  // namespace morph::store
