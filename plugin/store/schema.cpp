// The SQL of the tables, and of their older forms.
#include "plugin/store/schema.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "plugin/store/codec.hpp"
#include "plugin/store/tables.hpp"

namespace morph::store {
namespace {

// Primary keys stand first: integrity_check of SQLite 3.40 reports false NULLs in WITHOUT ROWID tables otherwise.
constexpr const char* schema = R"sql(
CREATE TABLE measurement(id INTEGER PRIMARY KEY, configuration TEXT NOT NULL, commit_id TEXT NOT NULL,
  tree TEXT NOT NULL, created INTEGER NOT NULL, complete INTEGER NOT NULL, digest INTEGER);
CREATE TABLE override_file(measurement INTEGER NOT NULL, path TEXT NOT NULL, blob TEXT,
  PRIMARY KEY(measurement, path)) WITHOUT ROWID;
CREATE TABLE blob(hash TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE file(measurement INTEGER NOT NULL, id INTEGER NOT NULL, path TEXT NOT NULL, executable BLOB NOT NULL,
  branches BLOB NOT NULL DEFAULT x'', conditions BLOB NOT NULL DEFAULT x'', decisions BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE program(measurement INTEGER NOT NULL, id INTEGER NOT NULL, suite TEXT NOT NULL, target TEXT NOT NULL,
  PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE test(measurement INTEGER NOT NULL, id INTEGER NOT NULL, program INTEGER NOT NULL, case_name TEXT NOT NULL,
  name TEXT NOT NULL, measured INTEGER NOT NULL, outcome INTEGER NOT NULL, detail INTEGER NOT NULL,
  incomplete INTEGER NOT NULL, wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT 0, carried_from TEXT NOT NULL DEFAULT '', unsteady INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE unit(measurement INTEGER NOT NULL, id INTEGER NOT NULL, object TEXT NOT NULL, source INTEGER NOT NULL,
  dependencies BLOB NOT NULL, blind INTEGER NOT NULL, PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE row(measurement INTEGER NOT NULL, test INTEGER NOT NULL, elements BLOB NOT NULL,
  PRIMARY KEY(measurement, test)) WITHOUT ROWID;
)sql";

// Many classes a row: a row a class would leave a third of the pages empty.
constexpr const char* class_table = R"sql(
CREATE TABLE classes(measurement INTEGER NOT NULL, portion INTEGER NOT NULL, tests BLOB NOT NULL,
  elements BLOB NOT NULL, PRIMARY KEY(measurement, portion)) WITHOUT ROWID;
)sql";

// Many functions a row, from the number `first` on: names of functions repeat each other.
constexpr const char* functions_table = R"sql(
CREATE TABLE functions(measurement INTEGER NOT NULL, first INTEGER NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY(measurement, first)) WITHOUT ROWID;
)sql";

constexpr const char* input_table = R"sql(
CREATE TABLE input(measurement INTEGER NOT NULL, id INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
  digest TEXT, PRIMARY KEY(measurement, id)) WITHOUT ROWID;
)sql";

// A retried test has two verdicts in one report.
constexpr const char* outcome_table = R"sql(
CREATE TABLE outcome(name TEXT NOT NULL, configuration TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL,
  failed INTEGER NOT NULL, seconds TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY(name, configuration, at, source, failed)) WITHOUT ROWID;
)sql";

// `missed`: names, each with a zero behind it. The last two columns: audit::found_first, found_among.
constexpr const char* audit_table = R"sql(
CREATE TABLE audit(configuration TEXT NOT NULL, content TEXT NOT NULL, base TEXT NOT NULL, at INTEGER NOT NULL,
  commit_id TEXT NOT NULL, tests INTEGER NOT NULL, selected INTEGER NOT NULL, failed INTEGER NOT NULL,
  full_us INTEGER NOT NULL, selected_us INTEGER NOT NULL, missed BLOB NOT NULL,
  found_first INTEGER NOT NULL DEFAULT 0, found_among INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY(configuration, content, base, at)) WITHOUT ROWID;
)sql";

// `objects`: a JSON array of arrays, see encode_objects().
constexpr const char* link_table = R"sql(
CREATE TABLE link(measurement INTEGER NOT NULL, path TEXT NOT NULL, shared INTEGER NOT NULL, objects TEXT NOT NULL,
  folder TEXT NOT NULL, options TEXT NOT NULL, made TEXT NOT NULL DEFAULT '', made_of TEXT NOT NULL DEFAULT '',
  loads TEXT NOT NULL DEFAULT '',
  PRIMARY KEY(measurement, path)) WITHOUT ROWID;
)sql";

/// Schema 1 did not know what a test ran on, nor in which configuration.
void migrate_outcomes(database& db) {
  db.run("ALTER TABLE outcome RENAME TO outcome_1");
  db.run(outcome_table);
  db.run("INSERT INTO outcome SELECT name, '', at, source, failed, seconds, '' FROM outcome_1; DROP TABLE outcome_1");
}

void migrate_elements(database& db) {
  db.run(class_table);
  statement set_digest = db.prepare("UPDATE measurement SET digest=? WHERE id=?");
  statement set_elements = db.prepare("UPDATE row SET elements=? WHERE measurement=? AND test=?");
  std::vector<std::pair<std::int64_t, bool>> measurements;
  statement m = db.prepare("SELECT id, complete FROM measurement");
  while (m.step()) measurements.emplace_back(m.integer(0), m.integer(1) != 0);
  for (const auto& [id, complete] : measurements) {
    if (complete) {
      const auto classes = read_classes(db, id);
      constexpr std::int64_t of_damage = 1;  // no classes at all have the digest 0: what is damaged stays so
      const auto digest = classes ? static_cast<std::int64_t>(write_classes(db, id, *classes)) : of_damage;
      set_digest.bind(1, digest).bind(2, id).execute();
      continue;
    }
    for (const auto& [test, bytes] : read_rows(db, id)) {
      const std::string in_runs = encode_runs(decode<element>(bytes, "row"));
      set_elements.bind_blob(1, in_runs).bind(2, id).bind(3, std::int64_t{test}).execute();
    }
  }
  db.run("DROP TABLE class");
}

void migrate_functions(database& db) {
  db.run(functions_table);
  statement m = db.prepare("SELECT id FROM measurement");
  while (m.step()) try {
      write_functions(db, m.integer(0), 0, read_functions_of_rows(db, m.integer(0)));
    } catch (const damaged_table&) {  // what is damaged stays so
      db.prepare("INSERT INTO functions VALUES(?,0,x'')").bind(1, m.integer(0)).execute();
    }
  db.run("DROP TABLE function");
}

}  // namespace

std::int64_t schema_of(database& db) {
  statement s = db.prepare("PRAGMA user_version");
  s.step();
  return s.integer(0);
}

void create_tables(database& db) {
  for (const char* tables : {schema, class_table, functions_table, input_table, outcome_table, audit_table, link_table})
    db.run(tables);
  db.run(fmt::format("PRAGMA user_version={}", schema_number));
}

void migrate(database& db) {
  transaction t(db);
  const auto found = schema_of(db);
  if (found == schema_number) return;  // somebody else was faster
  if (found < 2) migrate_outcomes(db);
  if (found < first_packed_schema) migrate_elements(db);
  if (found < first_schema_with_inputs) db.run(input_table);
  if (found < first_schema_with_branches) {
    for (const char* column : {"branches", "conditions"})
      db.run(fmt::format("ALTER TABLE file ADD COLUMN {} BLOB NOT NULL DEFAULT x''", column));
  }
  if (found < first_schema_with_audits) {
    db.run(
        "ALTER TABLE test ADD COLUMN at INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE test ADD COLUMN carried_from TEXT NOT NULL DEFAULT ''");
    db.run(audit_table);
    db.run(link_table);
  } else if (found < first_schema_with_places) {
    db.run(
        "ALTER TABLE audit ADD COLUMN found_first INTEGER NOT NULL DEFAULT 0;"
        "ALTER TABLE audit ADD COLUMN found_among INTEGER NOT NULL DEFAULT 0");
  }
  if (found < first_schema_with_unsteady) db.run("ALTER TABLE test ADD COLUMN unsteady INTEGER NOT NULL DEFAULT 0");
  if (found >= first_schema_with_audits && found < first_schema_with_unsteady)
    for (const char* column : {"made", "made_of", "loads"})
      db.run(fmt::format("ALTER TABLE link ADD COLUMN {} TEXT NOT NULL DEFAULT ''", column));
  if (found < first_schema_with_packed_functions) migrate_functions(db);
  if (found < first_schema_with_decisions) db.run("ALTER TABLE file ADD COLUMN decisions BLOB NOT NULL DEFAULT x''");
  db.run(fmt::format("PRAGMA user_version={}", schema_number));
  t.commit();
}

}  // namespace morph::store
