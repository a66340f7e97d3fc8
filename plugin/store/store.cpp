// The schema, reading and writing of the evidence store.
#include "plugin/store/store.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <type_traits>

#include "plugin/store/codec.hpp"

namespace morph::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t application_id = 0x4d525048;  // "MRPH"
constexpr const char* elsewhere = "configure with -DMORPH_STORE=<file> to keep it elsewhere";

// Primary keys stand first: integrity_check of SQLite 3.40 reports false NULLs in WITHOUT ROWID tables otherwise.
constexpr const char* schema = R"sql(
CREATE TABLE measurement(id INTEGER PRIMARY KEY, configuration TEXT NOT NULL, commit_id TEXT NOT NULL,
  tree TEXT NOT NULL, created INTEGER NOT NULL, complete INTEGER NOT NULL, digest INTEGER);
CREATE TABLE override_file(measurement INTEGER NOT NULL, path TEXT NOT NULL, blob TEXT,
  PRIMARY KEY(measurement, path)) WITHOUT ROWID;
CREATE TABLE blob(hash TEXT PRIMARY KEY, content BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE file(measurement INTEGER NOT NULL, id INTEGER NOT NULL, path TEXT NOT NULL, executable BLOB NOT NULL,
  branches BLOB NOT NULL DEFAULT x'', conditions BLOB NOT NULL DEFAULT x'',
  PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE program(measurement INTEGER NOT NULL, id INTEGER NOT NULL, suite TEXT NOT NULL, target TEXT NOT NULL,
  PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE test(measurement INTEGER NOT NULL, id INTEGER NOT NULL, program INTEGER NOT NULL, case_name TEXT NOT NULL,
  name TEXT NOT NULL, measured INTEGER NOT NULL, outcome INTEGER NOT NULL, detail INTEGER NOT NULL,
  incomplete INTEGER NOT NULL, wall_us INTEGER NOT NULL, cpu_us INTEGER NOT NULL,
  at INTEGER NOT NULL DEFAULT 0, carried_from TEXT NOT NULL DEFAULT '', PRIMARY KEY(measurement, id)) WITHOUT ROWID;
CREATE TABLE function(measurement INTEGER NOT NULL, id INTEGER NOT NULL, symbol TEXT NOT NULL, file INTEGER NOT NULL,
  start_line INTEGER NOT NULL, end_line INTEGER NOT NULL, artificial INTEGER NOT NULL,
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
constexpr std::size_t portion_bytes = 1 << 20;
constexpr int first_packed_schema = 3;         // before it, a class was a row, and no blob knew runs
constexpr int first_schema_with_branches = 4;  // and with conditions

constexpr const char* input_table = R"sql(
CREATE TABLE input(measurement INTEGER NOT NULL, id INTEGER NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
  digest TEXT, PRIMARY KEY(measurement, id)) WITHOUT ROWID;
)sql";
constexpr int first_schema_with_inputs = 4;

// A retried test has two verdicts in one report.
constexpr const char* outcome_table = R"sql(
CREATE TABLE outcome(name TEXT NOT NULL, configuration TEXT NOT NULL, at INTEGER NOT NULL, source TEXT NOT NULL,
  failed INTEGER NOT NULL, seconds TEXT NOT NULL, content TEXT NOT NULL,
  PRIMARY KEY(name, configuration, at, source, failed)) WITHOUT ROWID;
)sql";

// `missed`: names, each with a zero behind it.
constexpr const char* audit_table = R"sql(
CREATE TABLE audit(configuration TEXT NOT NULL, content TEXT NOT NULL, base TEXT NOT NULL, at INTEGER NOT NULL,
  commit_id TEXT NOT NULL, tests INTEGER NOT NULL, selected INTEGER NOT NULL, failed INTEGER NOT NULL,
  full_us INTEGER NOT NULL, selected_us INTEGER NOT NULL, missed BLOB NOT NULL,
  PRIMARY KEY(configuration, content, base, at)) WITHOUT ROWID;
)sql";
constexpr int first_schema_with_audits = 5;  // and with the times of rows and with links

// `objects`: a JSON array of arrays, see encode_objects().
constexpr const char* link_table = R"sql(
CREATE TABLE link(measurement INTEGER NOT NULL, path TEXT NOT NULL, shared INTEGER NOT NULL, objects TEXT NOT NULL,
  folder TEXT NOT NULL, options TEXT NOT NULL, PRIMARY KEY(measurement, path)) WITHOUT ROWID;
)sql";

std::string encode_objects(const std::vector<linked_object>& objects) {
  nlohmann::json list = nlohmann::json::array();
  for (const linked_object& o : objects) list.push_back({o.path, o.member, o.archive, o.whole, o.print});
  return list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::int64_t schema_of(database& db) {
  statement s = db.prepare("PRAGMA user_version");
  s.step();
  return s.integer(0);
}

std::uint32_t big_endian_at(const std::array<unsigned char, 100>& header, std::size_t at) {
  return static_cast<std::uint32_t>(header[at]) << 24 | static_cast<std::uint32_t>(header[at + 1]) << 16 |
         static_cast<std::uint32_t>(header[at + 2]) << 8 | header[at + 3];
}

std::string journal_of(const std::string& path) {
  return path + "-journal";
}

std::string describe(const std::string& path, const database_error& error) {
  const std::string what = error.what();
  std::error_code ignored;
  const char* hint = "";
  if (what.find("locked") != std::string::npos)
    hint = "; another morph is writing it";
  else if (what.find("disk is full") != std::string::npos)
    hint = "; make room and run it again, what was written before is kept";
  else if (fs::exists(journal_of(path), ignored))  // readers cannot roll back what a writer has left
    hint = "; it was left in the middle of writing: run `morph measure`, which repairs it";
  return fmt::format("evidence store '{}': {}{}", path, what, hint);
}

/// Looks at the first 100 bytes (https://www.sqlite.org/fileformat.html, 1.3) before SQLite does: SQLite reads a
/// truncated file happily until it meets a missing page.
result<void> check_header(const std::string& path) {
  std::array<unsigned char, 100> header{};
  std::ifstream in(path, std::ios::binary);
  if (!in) return tl::unexpected(fmt::format("evidence store '{}': {}", path, std::strerror(errno)));
  in.read(reinterpret_cast<char*>(header.data()), header.size());
  const bool whole_header = in.gcount() == static_cast<std::streamsize>(header.size());
  if (!whole_header || std::memcmp(header.data(), "SQLite format 3", 16) != 0 ||
      big_endian_at(header, 68) != application_id)
    return tl::unexpected(fmt::format(
        "'{}' is not a Morph evidence store; move it away, then run `morph measure` to make a new one", path));
  const std::uint32_t version = big_endian_at(header, 60);
  if (version > static_cast<std::uint32_t>(schema_number))
    return tl::unexpected(fmt::format("evidence store '{}' has schema {}, this morph reads up to {}; use a newer morph",
                                      path, version, schema_number));
  // While a write is under way or was cut off, the length says nothing before SQLite has looked at the journal.
  std::error_code error;
  if (fs::exists(journal_of(path), error)) return {};
  const std::uint32_t raw_page = static_cast<std::uint32_t>(header[16]) << 8 | header[17];
  const std::uint64_t page = raw_page == 1 ? 65536 : raw_page;
  const std::uint64_t expected = page * big_endian_at(header, 28);
  const std::uint64_t actual = fs::file_size(path, error);
  if (error || actual != expected)
    return tl::unexpected(fmt::format(
        "evidence store '{}' is damaged: {} bytes long, its header says {}; restore it, or move it away and run `morph "
        "measure`",
        path, actual, expected));
  return {};
}

std::uint64_t digest_of(std::uint64_t digest, std::string_view tests, std::string_view elements) {
  digest = XXH3_64bits_withSeed(tests.data(), tests.size(), digest);
  return XXH3_64bits_withSeed(elements.data(), elements.size(), digest);
}

[[noreturn]] void malformed(const char* what) {
  throw database_error(fmt::format("malformed {}", what));
}

template <typename Number>
std::vector<Number> decode(std::string_view bytes, const char* what) {
  auto values = decode_ascending<Number>(bytes);
  if (!values) malformed(what);
  return std::move(*values);
}

measurement_info read_info(statement& s) {
  measurement_info info;
  info.id = s.integer(0);
  info.configuration = s.text(1);
  info.taken_from.commit = s.text(2);
  info.taken_from.tree = s.text(3);
  info.created = s.integer(4);
  info.complete = s.integer(5) != 0;
  return info;
}

constexpr const char* info_columns = "SELECT id, configuration, commit_id, tree, created, complete FROM measurement";

void read_overrides(database& db, measurement_info& info) {
  statement s = db.prepare("SELECT path, blob FROM override_file WHERE measurement=? ORDER BY path");
  s.bind(1, info.id);
  while (s.step()) {
    override_file file{s.text(0), std::nullopt};
    if (!s.is_null(1)) file.blob = s.text(1);
    info.taken_from.overrides.push_back(std::move(file));
  }
}

using encoded_rows = std::vector<std::pair<std::uint32_t, std::string>>;

/// As they stand on disk. Read at once: a writer may add some at any time.
encoded_rows read_rows(database& db, std::int64_t measurement) {
  encoded_rows rows;
  statement s = db.prepare("SELECT test, elements FROM row WHERE measurement=? ORDER BY test");
  for (s.bind(1, measurement); s.step();) rows.emplace_back(static_cast<std::uint32_t>(s.integer(0)), s.blob(1));
  return rows;
}

template <typename Rows>
std::vector<element_class> fold_encoded(const Rows& rows, bool in_runs = true) {
  return fold_rows([&](const row_visitor& visit) {
    std::vector<element> elements;
    for (const auto& [test, bytes] : rows) {
      if (!in_runs)
        elements = decode<element>(bytes, "row");
      else if (!decode_runs(bytes, elements))
        malformed("row");
      visit(test, elements);
    }
  });
}

std::vector<element_class> fold_rows_of(database& db, std::int64_t measurement) {
  return fold_encoded(read_rows(db, measurement), schema_of(db) >= first_packed_schema);
}

/// Returns their digest.
std::uint64_t write_classes(database& db, std::int64_t measurement, const std::vector<element_class>& classes) {
  statement s = db.prepare("INSERT INTO classes VALUES(?,?,?,?)");
  std::uint64_t digest = 0;
  std::int64_t portion = 0;
  class_packer packer;
  const auto write = [&] {
    if (packer.size() == 0) return;
    const packed_classes packed = packer.take();
    digest = digest_of(digest, packed.tests, packed.elements);
    s.bind(1, measurement).bind(2, portion++).bind_blob(3, packed.tests).bind_blob(4, packed.elements).execute();
  };
  for (const element_class& c : classes) {
    packer.add(c);
    if (packer.size() >= portion_bytes) write();
  }
  write();
  return digest;
}

/// Nothing if they do not match their digest.
std::optional<std::vector<element_class>> read_classes(database& db, std::int64_t measurement) {
  statement d = db.prepare("SELECT digest FROM measurement WHERE id=?");
  d.bind(1, measurement).step();
  const auto expected = static_cast<std::uint64_t>(d.integer(0));
  const bool packed = schema_of(db) >= first_packed_schema;
  statement s = db.prepare(packed ? "SELECT tests, elements FROM classes WHERE measurement=? ORDER BY portion"
                                  : "SELECT tests, elements FROM class WHERE measurement=? ORDER BY id");
  std::uint64_t digest = 0;
  for (s.bind(1, measurement); s.step();) digest = digest_of(digest, s.bytes(0), s.bytes(1));
  if (digest != expected) return std::nullopt;
  std::vector<element_class> classes;
  for (s.reset(); s.step();)
    if (!packed)
      classes.push_back({decode<std::uint32_t>(s.bytes(0), "list of tests"), decode<element>(s.bytes(1), "class")});
    else if (!unpack_classes(s.bytes(0), s.bytes(1), classes))
      malformed("class");
  return classes;
}

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
  }
  db.run(fmt::format("PRAGMA user_version={}", schema_number));
  t.commit();
}

std::uint32_t number(const statement& s, int column) {
  return static_cast<std::uint32_t>(s.integer(column));
}

/// Every index that the vectors hold must exist, so that nobody behind this door has to check.
void check_indices(const evidence& e) {
  const auto require = [](bool good, const char* what) {
    if (!good) throw database_error(fmt::format("{} points outside its table", what));
  };
  for (const auto& test : e.tests) require(test.program < e.programs.size(), "a test's program");
  for (const auto& f : e.functions) require(f.file < e.files.size(), "a function's file");
  for (const auto& unit : e.units) {
    require(unit.source < e.files.size(), "a unit's source");
    require(unit.dependencies.empty() || unit.dependencies.back() < e.files.size(), "a unit's dependency");
  }
  for (const auto& c : e.classes) {
    require(c.tests.empty() || c.tests.back() < e.tests.size(), "a class's test");
    for (element x : c.elements) switch (kind_of(x)) {
        case optimizer::requirement_kind::line:
          require(owner_of(x) < e.files.size(), "a line's file");
          break;
        case optimizer::requirement_kind::branch:
          require(owner_of(x) < e.files.size(), "a branch's file");
          break;
        case optimizer::requirement_kind::data:
          require(owner_of(x) < e.files.size(), "an opened file");
          break;
        case optimizer::requirement_kind::input:
          require(number_of(x) < e.inputs.size(), "an input");
          break;
        case optimizer::requirement_kind::condition:
          require(owner_of(x) < e.files.size(), "a condition's file");
          break;
        case optimizer::requirement_kind::function:
          require(number_of(x) < e.functions.size(), "a function");
          break;
        case optimizer::requirement_kind::unit:
          require(number_of(x) < e.units.size(), "a unit");
          break;
        default:
          throw database_error("a requirement of unknown kind");
      }
  }
}

void check_next_id(const statement& s, int column, std::size_t expected, const char* table) {
  if (s.integer(column) != static_cast<std::int64_t>(expected))
    throw database_error(fmt::format("table {} has a gap before {}", table, expected));
}

std::vector<linked_object> decode_objects(const std::string& text) {
  const auto list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) malformed("list of linked objects");
  std::vector<linked_object> objects;
  for (const auto& o : list) {
    const bool sound = o.is_array() && o.size() == 5 && o[0].is_string() && o[1].is_string() && o[2].is_boolean() &&
                       o[3].is_boolean() && o[4].is_string();
    if (!sound) malformed("linked object");
    objects.push_back({o[0], o[1], o[2], o[3], o[4]});
  }
  return objects;
}

evidence load_evidence(database& db, std::int64_t id) {
  evidence e;
  statement m = db.prepare(fmt::format("{} WHERE id=?", info_columns));
  if (!m.bind(1, id).step()) throw database_error(fmt::format("there is no measurement {}", id));
  e.info = read_info(m);
  read_overrides(db, e.info);

  const char* outcomes = schema_of(db) < first_schema_with_branches ? "x'', x''" : "branches, conditions";
  statement s =
      db.prepare(fmt::format("SELECT id, path, executable, {} FROM file WHERE measurement=? ORDER BY id", outcomes));
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.files.size(), "file");
    e.files.push_back(s.text(1));
    e.executable_lines.push_back(decode<std::uint32_t>(s.blob(2), "list of lines"));
    e.branches.push_back(decode<std::uint32_t>(s.blob(3), "list of branches"));
    e.conditions.push_back(decode<std::uint32_t>(s.blob(4), "list of conditions"));
  }
  s = db.prepare("SELECT id, suite, target FROM program WHERE measurement=? ORDER BY id");
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.programs.size(), "program");
    e.programs.push_back({s.text(1), s.text(2)});
  }
  s = db.prepare(fmt::format(
      "SELECT id, program, case_name, name, outcome, detail, incomplete, wall_us, cpu_us, measured, {} FROM test WHERE "
      "measurement=? ORDER BY id",
      schema_of(db) < first_schema_with_audits ? "0, ''" : "at, carried_from"));
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.tests.size(), "test");
    e.tests.push_back({number(s, 1), s.text(2), s.text(3), static_cast<outcome>(s.integer(4)),
                       static_cast<int>(s.integer(5)), number(s, 6), s.integer(7), s.integer(8), s.integer(9) != 0,
                       s.integer(10), s.text(11)});
  }
  s = db.prepare(
      "SELECT id, symbol, file, start_line, end_line, artificial FROM function WHERE measurement=? ORDER BY id");
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.functions.size(), "function");
    e.functions.push_back({s.text(1), number(s, 2), number(s, 3), number(s, 4), s.integer(5) != 0});
  }
  s = db.prepare("SELECT id, object, source, dependencies, blind FROM unit WHERE measurement=? ORDER BY id");
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.units.size(), "unit");
    e.units.push_back(
        {s.text(1), number(s, 2), decode<std::uint32_t>(s.blob(3), "list of dependencies"), s.integer(4) != 0});
  }
  if (schema_of(db) >= first_schema_with_inputs) {
    s = db.prepare("SELECT id, kind, name, digest FROM input WHERE measurement=? ORDER BY id");
    for (s.bind(1, id); s.step();) {
      check_next_id(s, 0, e.inputs.size(), "input");
      measured_input i{static_cast<measured_input::kind>(s.integer(1)), s.text(2), std::nullopt};
      if (!s.is_null(3)) i.digest = s.text(3);
      e.inputs.push_back(std::move(i));
    }
  }
  if (schema_of(db) >= first_schema_with_audits) {
    s = db.prepare("SELECT path, shared, objects, folder, options FROM link WHERE measurement=? ORDER BY path");
    for (s.bind(1, id); s.step();)
      e.links.push_back({s.text(0), s.integer(1) != 0, decode_objects(s.text(2)), s.text(3), s.text(4)});
  }
  if (e.info.complete) {
    auto classes = read_classes(db, id);
    if (!classes) throw database_error(fmt::format("the classes of measurement {} do not match their digest", id));
    e.classes = std::move(*classes);
  } else {
    e.classes = fold_rows_of(db, id);
  }
  check_indices(e);
  return e;
}

/// Not yet complete, whatever it says.
std::int64_t insert_info(database& db, const measurement_info& info) {
  statement s =
      db.prepare("INSERT INTO measurement(configuration, commit_id, tree, created, complete) VALUES(?,?,?,?,0)");
  s.bind(1, info.configuration).bind(2, info.taken_from.commit).bind(3, info.taken_from.tree).bind(4, info.created);
  s.execute();
  const std::int64_t id = db.last_id();
  statement o = db.prepare("INSERT INTO override_file VALUES(?,?,?)");
  for (const override_file& file : info.taken_from.overrides) {
    o.bind(1, id).bind(2, file.path);
    file.blob ? o.bind(3, std::string_view(*file.blob)) : o.bind_null(3);
    o.execute();
  }
  return id;
}

void save_rows(database& db, std::int64_t id, const evidence& e) {
  std::vector<std::vector<element>> rows(e.tests.size());
  for (const element_class& c : e.classes)
    for (const std::uint32_t test : c.tests) rows[test].insert(rows[test].end(), c.elements.begin(), c.elements.end());
  statement s = db.prepare("INSERT INTO row VALUES(?,?,?)");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!e.tests[i].measured) continue;
    std::sort(rows[i].begin(), rows[i].end());
    s.bind(1, id).bind(2, static_cast<std::int64_t>(i)).bind_blob(3, encode_runs(rows[i])).execute();
  }
}

void insert_link(database& db, std::int64_t id, const measured_link& link) {
  statement s = db.prepare("INSERT OR REPLACE INTO link VALUES(?,?,?,?,?,?)");
  s.bind(1, id).bind(2, link.path).bind(3, std::int64_t{link.shared}).bind(4, encode_objects(link.objects));
  s.bind(5, link.folder).bind(6, link.options).execute();
}

void save_evidence(database& db, const evidence& e) {
  const std::int64_t id = insert_info(db, e.info);
  std::int64_t next = 0;
  statement s = db.prepare("INSERT INTO file VALUES(?,?,?,?,?,?)");
  for (std::size_t f = 0; f < e.files.size(); ++f) {
    s.bind(1, id).bind(2, static_cast<std::int64_t>(f)).bind(3, e.files[f]);
    s.bind_blob(4, encode_ascending(e.executable_lines[f]));
    s.bind_blob(5, encode_ascending(e.branches[f])).bind_blob(6, encode_ascending(e.conditions[f])).execute();
  }
  s = db.prepare("INSERT INTO program VALUES(?,?,?,?)");
  for (const auto& p : e.programs) s.bind(1, id).bind(2, next++).bind(3, p.suite).bind(4, p.target).execute();
  next = 0;
  s = db.prepare("INSERT INTO test VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const auto& t : e.tests) {
    s.bind(1, id).bind(2, next++).bind(3, std::int64_t{t.program}).bind(4, t.case_name).bind(5, t.name);
    s.bind(6, std::int64_t{t.measured}).bind(7, static_cast<std::int64_t>(t.how)).bind(8, std::int64_t{t.detail});
    s.bind(9, std::int64_t{t.incomplete}).bind(10, t.wall_us).bind(11, t.cpu_us).bind(12, t.at);
    s.bind(13, t.carried_from).execute();
  }
  next = 0;
  s = db.prepare("INSERT INTO function VALUES(?,?,?,?,?,?,?)");
  for (const auto& f : e.functions) {
    s.bind(1, id).bind(2, next++).bind(3, f.symbol).bind(4, std::int64_t{f.file}).bind(5, std::int64_t{f.start_line});
    s.bind(6, std::int64_t{f.end_line}).bind(7, std::int64_t{f.artificial}).execute();
  }
  next = 0;
  s = db.prepare("INSERT INTO unit VALUES(?,?,?,?,?,?)");
  for (const auto& u : e.units) {
    s.bind(1, id).bind(2, next++).bind(3, u.object).bind(4, std::int64_t{u.source});
    s.bind_blob(5, encode_ascending(u.dependencies)).bind(6, std::int64_t{u.blind}).execute();
  }
  next = 0;
  s = db.prepare("INSERT INTO input VALUES(?,?,?,?,?)");
  for (const auto& i : e.inputs) {
    s.bind(1, id).bind(2, next++).bind(3, static_cast<std::int64_t>(i.what)).bind(4, i.name);
    i.digest ? s.bind(5, std::string_view(*i.digest)) : s.bind_null(5);
    s.execute();
  }
  for (const measured_link& link : e.links) insert_link(db, id, link);
  if (!e.info.complete) return save_rows(db, id, e);
  const std::uint64_t digest = write_classes(db, id, e.classes);
  s = db.prepare("UPDATE measurement SET complete=1, digest=? WHERE id=?");
  s.bind(1, static_cast<std::int64_t>(digest)).bind(2, id).execute();
}

}  // namespace

template <typename Action>
auto evidence_store::guarded(Action action) -> result<decltype(action())> {
  try {
    if constexpr (std::is_void_v<decltype(action())>) {
      action();
      return {};
    } else {
      return action();
    }
  } catch (const database_error& error) {
    return tl::unexpected(describe(path_, error));
  }
}

result<std::optional<evidence_store>> evidence_store::open_for_reading(const std::string& path) {
  std::error_code ignored;
  // An empty file is what a writer leaves that was cut off before its first commit.
  if (!fs::exists(path, ignored) || (fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) == 0))
    return std::nullopt;
  if (auto sound = check_header(path); !sound) return tl::unexpected(sound.error());
  try {
    return evidence_store(path, database(path, database::mode::read_only));
  } catch (const database_error& error) {
    return tl::unexpected(describe(path, error));
  }
}

result<evidence_store> evidence_store::open_for_writing(const std::string& path) {
  std::error_code error;
  const bool existed = fs::exists(path, error) && fs::file_size(path, error) > 0;
  if (existed)
    if (auto sound = check_header(path); !sound) return tl::unexpected(sound.error());
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty()) {
    fs::create_directories(folder, error);
    if (error)
      return tl::unexpected(fmt::format("evidence store: cannot make the folder '{}': {}; {}", folder.string(),
                                        error.message(), elsewhere));
  }
  if (existed && (::access(path.c_str(), W_OK) != 0 || ::access(fs::absolute(path).parent_path().c_str(), W_OK) != 0))
    return tl::unexpected(
        fmt::format("evidence store '{}' cannot be written: {}; {}", path, std::strerror(errno), elsewhere));
  try {
    database db(path, database::mode::read_write);
    if (!existed) {
      db.run("PRAGMA auto_vacuum=FULL");  // the raw rows of a measurement vanish when it is finished
      transaction t(db);
      db.run(schema);
      db.run(class_table);
      db.run(input_table);
      db.run(outcome_table);
      db.run(audit_table);
      db.run(link_table);
      db.run(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", application_id, schema_number));
      t.commit();
    }
    if (existed && schema_of(db) < schema_number) migrate(db);
    return evidence_store(path, std::move(db));
  } catch (const database_error& e) {
    if (!existed) fs::remove(path, error);  // a store without tables would be nobody's
    return tl::unexpected(describe(path, e));
  }
}

result<std::vector<measurement_info>> evidence_store::measurements() {
  return guarded([&] {
    std::vector<measurement_info> infos;
    statement s = db_->prepare(fmt::format("{} ORDER BY created DESC, id DESC", info_columns));
    while (s.step()) {
      infos.push_back(read_info(s));
      read_overrides(*db_, infos.back());
    }
    return infos;
  });
}

result<evidence> evidence_store::load(std::int64_t measurement) {
  return guarded([&] { return load_evidence(*db_, measurement); });
}

result<std::string> evidence_store::blob(const std::string& hash) {
  return guarded([&] {
    statement s = db_->prepare("SELECT content FROM blob WHERE hash=?");
    if (!s.bind(1, hash).step()) throw database_error(fmt::format("the content of blob {} is missing", hash));
    return s.blob(0);
  });
}

result<measurement_writer> evidence_store::begin(const snapshot& taken_from, const std::string& configuration,
                                                 std::int64_t now) {
  return guarded([&] {
    statement open =
        db_->prepare(fmt::format("{} WHERE complete=0 AND configuration=? AND tree=? ORDER BY id", info_columns));
    open.bind(1, configuration).bind(2, taken_from.tree);
    while (open.step()) {
      measurement_info info = read_info(open);
      read_overrides(*db_, info);
      if (info.taken_from.overrides == taken_from.overrides) return measurement_writer(*db_, info.id, now);
    }
    transaction t(*db_);
    const std::int64_t id = insert_info(*db_, {0, taken_from, configuration, now, false});
    t.commit();
    return measurement_writer(*db_, id, now);
  });
}

result<void> evidence_store::add(const evidence& e, const std::map<std::string, std::string>& blobs) {
  return guarded([&] {
    transaction t(*db_);
    statement s = db_->prepare("INSERT OR IGNORE INTO blob VALUES(?,?)");
    for (const auto& [hash, content] : blobs) s.bind(1, hash).bind_blob(2, content).execute();
    save_evidence(*db_, e);
    t.commit();
  });
}

result<std::unique_ptr<transaction>> evidence_store::hold() {
  return guarded([&] { return std::make_unique<transaction>(*db_); });
}

result<std::size_t> evidence_store::add_outcomes(std::span<const test_outcome> outcomes) {
  return guarded([&] {
    transaction t(*db_);
    std::size_t added = 0;
    std::set<std::pair<std::string_view, std::string_view>> tests;
    statement s = db_->prepare("INSERT OR IGNORE INTO outcome VALUES(?,?,?,?,?,?,?)");
    for (const test_outcome& o : outcomes) {
      s.bind(1, o.name).bind(2, o.configuration).bind(3, o.at).bind(4, o.source).bind(5, std::int64_t{o.failed});
      // Seconds are stored as a decimal text so that equal facts are equal bytes on every machine.
      s.bind(6, fmt::format("{:.6f}", o.seconds)).bind(7, o.content).execute();
      added += db_->changed_rows();
      tests.emplace(o.name, o.configuration);
    }
    // The newest of each kind: which ones are left does not depend on the order in which they came.
    statement d = db_->prepare(
        "DELETE FROM outcome WHERE name=?1 AND configuration=?2 AND (source='measure')=?3 AND (at, source, failed) < "
        "(SELECT at, source, failed FROM outcome WHERE name=?1 AND configuration=?2 AND (source='measure')=?3 "
        "ORDER BY at DESC, source DESC, failed DESC LIMIT 1 OFFSET ?4)");
    for (const auto& [name, configuration] : tests)
      for (const std::int64_t measured : {0, 1})
        d.bind(1, name).bind(2, configuration).bind(3, measured).bind(4, std::int64_t{kept_outcomes - 1}).execute();
    t.commit();
    return added;
  });
}

result<std::map<std::string, test_history>> evidence_store::histories(const std::string& configuration,
                                                                      std::int64_t end) {
  return guarded([&] {
    std::map<std::string, test_history> histories;
    // Of one test, by where it ran: 1 = in the twin, 2 = in an unknown configuration.
    std::array<std::optional<test_outcome>, 4> failures;
    std::map<std::pair<std::string, unsigned>, bool> verdicts;  // by content too -> failed
    const bool knows_little = schema_of(*db_) == 1;
    // A failure wins over a success of the same second.
    statement s = db_->prepare(fmt::format(
        "SELECT name, at, failed, seconds, source, {} FROM outcome WHERE at<?1 {} ORDER BY name, at, failed, source",
        knows_little ? "'', ''" : "content, configuration", knows_little ? "" : "AND configuration IN (?2, '')"));
    s.bind(1, end);
    if (!knows_little) s.bind(2, configuration);
    while (s.step()) {
      const test_outcome next{s.text(0), s.integer(2) != 0, s.integer(1), std::strtod(s.text(3).c_str(), nullptr),
                              s.text(4), s.text(5),         s.text(6)};
      const unsigned where = (next.source == "measure" ? 1U : 0U) | (next.configuration.empty() ? 2U : 0U);
      const auto [at, added] = histories.try_emplace(next.name, test_history{next});
      if (added) {
        verdicts.clear();
        failures = {};
      }
      // What one report says of a test that was tried again was of one content, whichever that was.
      for (const std::string& same : {next.content, fmt::format("{} at {}", next.source, next.at)}) {
        if (same.empty()) continue;
        const auto [known, first] = verdicts.try_emplace({same, where}, next.failed);
        if (!first && known->second != next.failed) at->second.flaky = true;
      }
      if (next.failed) {
        at->second.failed_at = next.at;
        at->second.passes_since_failure = 0;
      } else if (at->second.failed_at && next.source != "measure") {
        ++at->second.passes_since_failure;
      }
      // The twin is another build than the one that ctest runs, and so may be one of an unknown configuration: passing
      // there ends no failure here.
      if (next.failed) {
        failures[where] = next;
      } else {
        for (unsigned other = 0; other < failures.size(); ++other)
          if ((where & ~other) == 0) failures[other].reset();
      }
      const test_outcome* latest = nullptr;
      for (const auto& failure : failures)
        if (failure && (latest == nullptr || failure->at > latest->at)) latest = &*failure;
      at->second.latest = latest == nullptr ? next : *latest;
    }
    return histories;
  });
}

result<void> evidence_store::add_audit(const audit& a) {
  return guarded([&] {
    std::string missed;
    for (const std::string& name : a.missed) missed += name + '\0';
    statement s = db_->prepare("INSERT OR REPLACE INTO audit VALUES(?,?,?,?,?,?,?,?,?,?,?)");
    s.bind(1, a.configuration).bind(2, a.content).bind(3, a.base).bind(4, a.at).bind(5, a.commit);
    s.bind(6, std::int64_t{a.tests}).bind(7, std::int64_t{a.selected}).bind(8, std::int64_t{a.failed});
    s.bind(9, a.full_us).bind(10, a.selected_us).bind_blob(11, missed).execute();
  });
}

result<std::vector<audit>> evidence_store::audits() {
  return guarded([&] {
    std::vector<audit> found;
    if (schema_of(*db_) < first_schema_with_audits) return found;
    statement s = db_->prepare(
        "SELECT configuration, content, base, at, commit_id, tests, selected, failed, full_us, selected_us, missed "
        "FROM audit ORDER BY at DESC, configuration, content, base");
    while (s.step()) {
      audit a{s.text(0),    s.text(1),    s.text(2),    s.integer(3), s.text(4), number(s, 5),
              number(s, 6), number(s, 7), s.integer(8), s.integer(9), {}};
      const std::string missed = s.blob(10);
      for (std::size_t from = 0, to; (to = missed.find('\0', from)) != std::string::npos; from = to + 1)
        a.missed.push_back(missed.substr(from, to - from));
      found.push_back(std::move(a));
    }
    return found;
  });
}

result<std::vector<test_outcome>> evidence_store::outcomes() {
  return guarded([&] {
    std::vector<test_outcome> all;
    statement s = db_->prepare(
        fmt::format("SELECT name, failed, at, seconds, source, {} FROM outcome ORDER BY name, at, source, failed",
                    schema_of(*db_) == 1 ? "'', ''" : "content, configuration"));
    while (s.step())
      all.push_back({s.text(0), s.integer(1) != 0, s.integer(2), std::strtod(s.text(3).c_str(), nullptr), s.text(4),
                     s.text(5), s.text(6)});
    return all;
  });
}

result<std::vector<std::string>> evidence_store::verify() {
  return guarded([&] {
    std::vector<std::string> findings;
    statement s = db_->prepare("PRAGMA integrity_check");
    while (s.step())
      if (const std::string line = s.text(0); line != "ok") findings.push_back(line);
    std::vector<std::int64_t> ids;
    statement m = db_->prepare("SELECT id FROM measurement ORDER BY id");
    while (m.step()) ids.push_back(m.integer(0));
    for (std::int64_t id : ids) try {
        const evidence e = load_evidence(*db_, id);
        for (const override_file& file : e.info.taken_from.overrides)
          if (file.blob && !blob(*file.blob))
            findings.push_back(fmt::format("measurement {}: the content of '{}' is missing", id, file.path));
      } catch (const database_error& error) {
        findings.push_back(fmt::format("measurement {}: {}", id, error.what()));
      }
    return findings;
  });
}

measurement_writer::measurement_writer(database& db, std::int64_t measurement, std::int64_t now)
    : db_(&db), measurement_(measurement), now_(now) {
  statement s = db.prepare("SELECT id, path, executable, branches, conditions FROM file WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) {
    files_[s.text(1)] = number(s, 0);
    lines_[number(s, 0)] = decode<std::uint32_t>(s.blob(2), "list of lines");
    branches_[number(s, 0)] = decode<std::uint32_t>(s.blob(3), "list of branches");
    conditions_[number(s, 0)] = decode<std::uint32_t>(s.blob(4), "list of conditions");
  }
  s = db.prepare("SELECT id, symbol, file, start_line FROM function WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) functions_[{s.text(1), {number(s, 2), number(s, 3)}}] = number(s, 0);
  s = db.prepare("SELECT id, object FROM unit WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) units_[s.text(1)] = number(s, 0);
  s = db.prepare("SELECT id, kind, name, digest FROM input WHERE measurement=?");
  for (s.bind(1, measurement); s.step();)
    inputs_[{static_cast<measured_input::kind>(s.integer(1)), s.text(2),
             s.is_null(3) ? std::nullopt : std::optional(s.text(3))}] = number(s, 0);
  s = db.prepare("SELECT id, suite, target FROM program WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) programs_[{s.text(1), s.text(2)}] = number(s, 0);
  s = db.prepare("SELECT id, program, case_name, measured FROM test WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) {
    tests_[{number(s, 1), s.text(2)}] = number(s, 0);
    if (s.integer(3) != 0) measured_.insert(number(s, 0));
  }
  open_ = std::make_unique<transaction>(db);
}
measurement_writer::measurement_writer(measurement_writer&&) noexcept = default;
measurement_writer::~measurement_writer() = default;

statement& measurement_writer::prepared(const char* sql) {
  const auto at = statements_.find(sql);
  return at != statements_.end() ? at->second : statements_.emplace(sql, db_->prepare(sql)).first->second;
}

std::uint32_t measurement_writer::file(const std::string& path) {
  const auto [at, added] = files_.try_emplace(path, static_cast<std::uint32_t>(files_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO file VALUES(?,?,?,x'',x'',x'')");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, path).execute();
  }
  return at->second;
}

void measurement_writer::set_executable_lines(std::uint32_t file, std::span<const std::uint32_t> lines) {
  add_numbers(lines_, "UPDATE file SET executable=? WHERE measurement=? AND id=?", file, lines);
}

void measurement_writer::set_branches(std::uint32_t file, std::span<const std::uint32_t> numbers) {
  add_numbers(branches_, "UPDATE file SET branches=? WHERE measurement=? AND id=?", file, numbers);
}

void measurement_writer::set_conditions(std::uint32_t file, std::span<const std::uint32_t> numbers) {
  add_numbers(conditions_, "UPDATE file SET conditions=? WHERE measurement=? AND id=?", file, numbers);
}

void measurement_writer::add_numbers(numbers_of_file& known_of, const char* sql, std::uint32_t file,
                                     std::span<const std::uint32_t> numbers) {
  std::vector<std::uint32_t>& known = known_of[file];
  std::vector<std::uint32_t> merged;
  std::set_union(known.begin(), known.end(), numbers.begin(), numbers.end(), std::back_inserter(merged));
  if (merged == known) return;
  known = std::move(merged);
  statement& s = prepared(sql);
  s.bind_blob(1, encode_ascending(known)).bind(2, measurement_).bind(3, std::int64_t{file}).execute();
}

std::uint32_t measurement_writer::function(const measured_function& f) {
  const auto [at, added] =
      functions_.try_emplace({f.symbol, {f.file, f.start_line}}, static_cast<std::uint32_t>(functions_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO function VALUES(?,?,?,?,?,?,?)");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, f.symbol).bind(4, std::int64_t{f.file});
    s.bind(5, std::int64_t{f.start_line})
        .bind(6, std::int64_t{f.end_line})
        .bind(7, std::int64_t{f.artificial})
        .execute();
  }
  return at->second;
}

std::uint32_t measurement_writer::unit(const measured_unit& u) {
  const auto [at, added] = units_.try_emplace(u.object, static_cast<std::uint32_t>(units_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO unit VALUES(?,?,?,?,?,?)");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, u.object).bind(4, std::int64_t{u.source});
    s.bind_blob(5, encode_ascending(u.dependencies)).bind(6, std::int64_t{u.blind}).execute();
  }
  return at->second;
}

std::uint32_t measurement_writer::input(const measured_input& i) {
  const auto [at, added] = inputs_.try_emplace({i.what, i.name, i.digest}, static_cast<std::uint32_t>(inputs_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO input VALUES(?,?,?,?,?)");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, static_cast<std::int64_t>(i.what));
    s.bind(4, i.name);
    i.digest ? s.bind(5, std::string_view(*i.digest)) : s.bind_null(5);
    s.execute();
  }
  return at->second;
}

std::uint32_t measurement_writer::program(const measured_program& p) {
  const auto [at, added] = programs_.try_emplace({p.suite, p.target}, static_cast<std::uint32_t>(programs_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO program VALUES(?,?,?,?)");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, p.suite).bind(4, p.target).execute();
  }
  return at->second;
}

std::uint32_t measurement_writer::test(std::uint32_t program, const std::string& case_name, const std::string& name) {
  const auto [at, added] = tests_.try_emplace({program, case_name}, static_cast<std::uint32_t>(tests_.size()));
  if (added) {
    statement& s = prepared("INSERT INTO test VALUES(?,?,?,?,?,0,0,0,0,0,0,0,'')");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, std::int64_t{program}).bind(4, case_name);
    s.bind(5, name).execute();
  }
  return at->second;
}

void measurement_writer::put_row(std::uint32_t test, const measured_test& facts, std::span<const element> elements) {
  statement& s = prepared(
      "UPDATE test SET measured=1, outcome=?, detail=?, incomplete=?, wall_us=?, cpu_us=?, at=?, carried_from=? "
      "WHERE measurement=? AND id=?");
  s.bind(1, static_cast<std::int64_t>(facts.how))
      .bind(2, std::int64_t{facts.detail})
      .bind(3, std::int64_t{facts.incomplete});
  s.bind(4, facts.wall_us).bind(5, facts.cpu_us).bind(6, facts.at != 0 ? facts.at : now_).bind(7, facts.carried_from);
  s.bind(8, measurement_).bind(9, std::int64_t{test}).execute();
  unwritten_rows_[test] = encode_runs(elements);
  measured_.insert(test);
}

void measurement_writer::put_blob(const std::string& hash, const std::string& content) {
  prepared("INSERT OR IGNORE INTO blob VALUES(?,?)").bind(1, hash).bind_blob(2, content).execute();
}

bool measurement_writer::has_blob(const std::string& hash) {
  statement s = db_->prepare("SELECT 1 FROM blob WHERE hash=?");
  return s.bind(1, hash).step();
}

void measurement_writer::put_link(const measured_link& link) {
  insert_link(*db_, measurement_, link);
}

void measurement_writer::write_rows() {
  statement& s = prepared("INSERT OR REPLACE INTO row VALUES(?,?,?)");
  for (const auto& [test, bytes] : unwritten_rows_)
    s.bind(1, measurement_).bind(2, std::int64_t{test}).bind_blob(3, bytes).execute();
  unwritten_rows_.clear();
}

void measurement_writer::checkpoint() {
  write_rows();
  open_->commit();
  open_ = std::make_unique<transaction>(*db_);
}

void measurement_writer::finish(bool everything_registered) {
  const bool are_all_unwritten = unwritten_rows_.size() == measured_.size();
  if (!are_all_unwritten) write_rows();
  if (everything_registered && measured_.size() == tests_.size()) {
    const std::uint64_t digest = write_classes(
        *db_, measurement_, are_all_unwritten ? fold_encoded(unwritten_rows_) : fold_rows_of(*db_, measurement_));
    unwritten_rows_.clear();
    prepared("DELETE FROM row WHERE measurement=?").bind(1, measurement_).execute();
    prepared("UPDATE measurement SET complete=1, digest=? WHERE id=?")
        .bind(1, static_cast<std::int64_t>(digest))
        .bind(2, measurement_)
        .execute();
  }
  write_rows();
  open_->commit();
}

}  // namespace morph::store
