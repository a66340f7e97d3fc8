// SQLite, wrapped.
#include "plugin/store/database.hpp"

#include <fmt/format.h>
#include <sqlite3.h>

namespace morph::store {
namespace {

[[noreturn]] void fail(sqlite3* connection, std::string_view doing) {
  const int code = sqlite3_errcode(connection);
  throw database_error(fmt::format("{} ({})", sqlite3_errmsg(connection), doing),
                       code == SQLITE_CORRUPT || code == SQLITE_NOTADB);
}

}  // namespace

void database::closer::operator()(sqlite3* connection) const {
  sqlite3_close_v2(connection);
}

database::database(const std::string& path, mode how) {
  sqlite3* raw = nullptr;
  const int flags = how == mode::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(path.c_str(), &raw, flags, nullptr);
  connection_.reset(raw);
  if (code != SQLITE_OK) fail(raw, "opening");
  sqlite3_busy_timeout(raw, 5000);
}
database::database(database&&) noexcept = default;
database& database::operator=(database&&) noexcept = default;
database::~database() = default;

void database::run(const std::string& sql) {
  if (sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    fail(connection_.get(), sql.substr(0, 40));
}

statement database::prepare(std::string_view sql) {
  return {connection_.get(), sql};
}

std::int64_t database::last_id() const {
  return sqlite3_last_insert_rowid(connection_.get());
}

std::size_t database::changed_rows() const {
  return static_cast<std::size_t>(sqlite3_changes(connection_.get()));
}

void statement::finalizer::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

statement::statement(sqlite3* connection, std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &raw, nullptr) != SQLITE_OK)
    fail(connection, sql.substr(0, 40));
  handle_.reset(raw);
}

statement& statement::bind(int index, std::int64_t value) {
  sqlite3_bind_int64(handle_.get(), index, value);
  return *this;
}
statement& statement::bind(int index, std::string_view text) {
  sqlite3_bind_text(handle_.get(), index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}
statement& statement::bind_blob(int index, std::string_view bytes) {
  sqlite3_bind_blob(handle_.get(), index, bytes.data(), static_cast<int>(bytes.size()), SQLITE_TRANSIENT);
  return *this;
}
statement& statement::bind_null(int index) {
  sqlite3_bind_null(handle_.get(), index);
  return *this;
}

bool statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  fail(sqlite3_db_handle(handle_.get()), sqlite3_sql(handle_.get()));
}
void statement::reset() {
  sqlite3_reset(handle_.get());
}
void statement::execute() {
  step();
  reset();
}

std::int64_t statement::integer(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}
std::string statement::text(int column) const {
  return blob(column);
}
std::string statement::blob(int column) const {
  return std::string(bytes(column));
}
std::string_view statement::bytes(int column) const {
  const void* first = sqlite3_column_blob(handle_.get(), column);
  const int size = sqlite3_column_bytes(handle_.get(), column);
  return first == nullptr ? std::string_view()
                          : std::string_view(static_cast<const char*>(first), static_cast<std::size_t>(size));
}
bool statement::is_null(int column) const {
  return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL;
}

transaction::transaction(database& db) : db_(db) {
  db_.run("BEGIN IMMEDIATE");
}
transaction::~transaction() {
  if (!open_) return;
  try {
    db_.run("ROLLBACK");
  } catch (const database_error&) {
    // The connection is closing on an earlier error; SQLite rolls back at the next open.
  }
}
void transaction::commit() {
  db_.run("COMMIT");
  open_ = false;
}

}  // namespace morph::store
