// A thin owner of one SQLite connection and its statements.
#pragma once

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace morph::store {

/// What SQLite said. Thrown inside the room; store.hpp turns it into a value at its border.
struct database_error : std::runtime_error {
  explicit database_error(const std::string& what, bool damages = true)
      : std::runtime_error(what), is_damage(damages) {}

  bool is_damage;  // of the file: what it says cannot be read, now or later
};

class statement;

class database {
 public:
  enum class mode { read_only, read_write };
  database(const std::string& path, mode how);
  database(database&&) noexcept;
  database& operator=(database&&) noexcept;
  ~database();

  void run(const std::string& sql);
  statement prepare(std::string_view sql);
  std::int64_t last_id() const;
  /// By the last INSERT, UPDATE or DELETE.
  std::size_t changed_rows() const;

 private:
  friend class statement;
  struct closer {
    void operator()(sqlite3* connection) const;
  };
  std::unique_ptr<sqlite3, closer> connection_;
};

/// A prepared statement. Bind with bind(1, ...), walk rows with `while (s.step())`; reset() to run it again.
class statement {
 public:
  statement(sqlite3* connection, std::string_view sql);
  statement& bind(int index, std::int64_t value);
  statement& bind(int index, std::string_view text);
  statement& bind_blob(int index, std::string_view bytes);
  statement& bind_null(int index);
  bool step();
  void reset();
  /// For statements without rows: step once and make ready for the next use.
  void execute();

  std::int64_t integer(int column) const;
  std::string text(int column) const;
  std::string blob(int column) const;
  /// Until the next step().
  std::string_view bytes(int column) const;
  bool is_null(int column) const;

 private:
  struct finalizer {
    void operator()(sqlite3_stmt* handle) const;
  };
  std::unique_ptr<sqlite3_stmt, finalizer> handle_;
};

/// BEGIN IMMEDIATE now, COMMIT by commit(), ROLLBACK if that was never reached.
class transaction {
 public:
  explicit transaction(database& db);
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;
  ~transaction();
  void commit();

 private:
  database& db_;
  bool open_ = true;
};

}  // namespace morph::store
