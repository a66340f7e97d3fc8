// The statements of each table of a measurement, and the checks of what they read.
#include "plugin/store/tables.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "plugin/store/schema.hpp"
#include "plugin/system/json_text.hpp"

namespace morph::store {
namespace {

constexpr std::size_t portion_bytes = 1 << 20;

std::string encode_objects(const std::vector<linked_object>& objects) {
  nlohmann::json list = nlohmann::json::array();
  for (const linked_object& o : objects) list.push_back({o.path, o.member, o.archive, o.whole, o.print});
  return json_text(list);
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

std::uint64_t digest_of(std::uint64_t digest, std::string_view tests, std::string_view elements) {
  digest = XXH3_64bits_withSeed(tests.data(), tests.size(), digest);
  return XXH3_64bits_withSeed(elements.data(), elements.size(), digest);
}

template <typename Rows>
std::vector<element_class> fold_all(const Rows& rows, bool in_runs) {
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
        case optimizer::requirement_kind::unshown:
          require(owner_of(x) < e.files.size(), "an unshown line's file");
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
        case optimizer::requirement_kind::kill:
          require(owner_of(x) < e.files.size(), "a mutant's file");
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
    throw damaged_table(fmt::format("table {} has a gap before {}", table, expected));
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

}  // namespace

void malformed(const char* what) {
  throw database_error(fmt::format("malformed {}", what));
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

void read_overrides(database& db, measurement_info& info) {
  statement s = db.prepare("SELECT path, blob FROM override_file WHERE measurement=? ORDER BY path");
  s.bind(1, info.id);
  while (s.step()) {
    override_file file{s.text(0), std::nullopt};
    if (!s.is_null(1)) file.blob = s.text(1);
    info.taken_from.overrides.push_back(std::move(file));
  }
}

std::vector<measurement_info> read_infos(database& db) {
  std::vector<measurement_info> infos;
  statement s = db.prepare(fmt::format("{} ORDER BY created DESC, id DESC", info_columns));
  while (s.step()) {
    infos.push_back(read_info(s));
    read_overrides(db, infos.back());
  }
  return infos;
}

std::vector<measured_link> read_links(database& db, std::int64_t measurement) {
  std::vector<measured_link> links;
  if (schema_of(db) < first_schema_with_audits) return links;
  statement s = db.prepare(
      fmt::format("SELECT path, shared, objects, folder, options, {} FROM link WHERE measurement=? ORDER BY path",
                  schema_of(db) < first_schema_with_unsteady ? "'', '', ''" : "made, made_of, loads"));
  for (s.bind(1, measurement); s.step();)
    links.push_back({s.text(0), s.integer(1) != 0, decode_objects(s.text(2)), s.text(3), s.text(4), s.text(5),
                     s.text(6), s.text(7)});
  return links;
}

encoded_rows read_rows(database& db, std::int64_t measurement) {
  encoded_rows rows;
  statement s = db.prepare("SELECT test, elements FROM row WHERE measurement=? ORDER BY test");
  for (s.bind(1, measurement); s.step();) rows.emplace_back(static_cast<std::uint32_t>(s.integer(0)), s.blob(1));
  return rows;
}

std::vector<element_class> fold_rows_of(database& db, std::int64_t measurement) {
  return fold_all(read_rows(db, measurement), schema_of(db) >= first_packed_schema);
}

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

void write_functions(database& db, std::int64_t measurement, std::size_t first,
                     std::span<const measured_function> functions) {
  if (functions.empty()) return;
  statement s = db.prepare("INSERT INTO functions VALUES(?,?,?)");
  s.bind(1, measurement).bind(2, static_cast<std::int64_t>(first)).bind_blob(3, pack_functions(functions)).execute();
}

std::vector<measured_function> read_functions_of_rows(database& db, std::int64_t measurement) {
  std::vector<measured_function> functions;
  statement s = db.prepare(
      "SELECT id, symbol, file, start_line, end_line, artificial FROM function WHERE measurement=? ORDER BY id");
  for (s.bind(1, measurement); s.step();) {
    check_next_id(s, 0, functions.size(), "function");
    functions.push_back({s.text(1), number(s, 2), number(s, 3), number(s, 4), s.integer(5) != 0});
  }
  return functions;
}

std::vector<measured_function> read_functions(database& db, std::int64_t measurement) {
  if (schema_of(db) < first_schema_with_packed_functions) return read_functions_of_rows(db, measurement);
  std::vector<measured_function> functions;
  statement s = db.prepare("SELECT first, packed FROM functions WHERE measurement=? ORDER BY first");
  for (s.bind(1, measurement); s.step();) {
    check_next_id(s, 0, functions.size(), "functions");
    if (!unpack_functions(s.bytes(1), functions)) malformed("functions");
  }
  return functions;
}

void remove_measurement(database& db, std::int64_t measurement) {
  for (const char* const table :
       {"override_file", "file", "program", "test", "functions", "unit", "row", "classes", "input", "link"})
    db.prepare(fmt::format("DELETE FROM {} WHERE measurement=?", table)).bind(1, measurement).execute();
  db.prepare("DELETE FROM measurement WHERE id=?").bind(1, measurement).execute();
}

evidence load_evidence(database& db, std::int64_t id) {
  evidence e;
  statement m = db.prepare(fmt::format("{} WHERE id=?", info_columns));
  if (!m.bind(1, id).step()) throw database_error(fmt::format("there is no measurement {}", id));
  e.info = read_info(m);
  read_overrides(db, e.info);

  const char* outcomes = schema_of(db) < first_schema_with_branches    ? "x'', x'', x''"
                         : schema_of(db) < first_schema_with_decisions ? "branches, conditions, x''"
                                                                       : "branches, conditions, decisions";
  statement s =
      db.prepare(fmt::format("SELECT id, path, executable, {} FROM file WHERE measurement=? ORDER BY id", outcomes));
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.files.size(), "file");
    e.files.push_back(s.text(1));
    e.executable_lines.push_back(decode<std::uint32_t>(s.blob(2), "list of lines"));
    e.branches.push_back(decode<std::uint32_t>(s.blob(3), "list of branches"));
    e.conditions.push_back(decode<std::uint32_t>(s.blob(4), "list of conditions"));
    e.decisions.push_back(decode<packed_way>(s.blob(5), "list of decisions"));
  }
  s = db.prepare("SELECT id, suite, target FROM program WHERE measurement=? ORDER BY id");
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.programs.size(), "program");
    e.programs.push_back({s.text(1), s.text(2)});
  }
  s = db.prepare(fmt::format(
      "SELECT id, program, case_name, name, outcome, detail, incomplete, wall_us, cpu_us, measured, {} FROM test WHERE "
      "measurement=? ORDER BY id",
      schema_of(db) < first_schema_with_audits     ? "0, '', 0"
      : schema_of(db) < first_schema_with_unsteady ? "at, carried_from, 0"
                                                   : "at, carried_from, unsteady"));
  for (s.bind(1, id); s.step();) {
    check_next_id(s, 0, e.tests.size(), "test");
    e.tests.push_back({number(s, 1), s.text(2), s.text(3), static_cast<outcome>(s.integer(4)),
                       static_cast<int>(s.integer(5)), number(s, 6), s.integer(7), s.integer(8), s.integer(9) != 0,
                       s.integer(10), s.text(11), s.integer(12) != 0});
  }
  e.functions = read_functions(db, id);
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
  e.links = read_links(db, id);
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

void insert_link(database& db, std::int64_t id, const measured_link& link) {
  statement s = db.prepare("INSERT OR REPLACE INTO link VALUES(?,?,?,?,?,?,?,?,?)");
  s.bind(1, id).bind(2, link.path).bind(3, std::int64_t{link.shared}).bind(4, encode_objects(link.objects));
  s.bind(5, link.folder).bind(6, link.options).bind(7, link.made).bind(8, link.made_of).bind(9, link.loads);
  s.execute();
}

void save_evidence(database& db, const evidence& e) {
  const std::int64_t id = insert_info(db, e.info);
  std::int64_t next = 0;
  statement s = db.prepare("INSERT INTO file VALUES(?,?,?,?,?,?,?)");
  for (std::size_t f = 0; f < e.files.size(); ++f) {
    s.bind(1, id).bind(2, static_cast<std::int64_t>(f)).bind(3, e.files[f]);
    s.bind_blob(4, encode_ascending(e.executable_lines[f]));
    s.bind_blob(5, encode_ascending(e.branches[f])).bind_blob(6, encode_ascending(e.conditions[f]));
    s.bind_blob(7, encode_ascending(e.decisions[f])).execute();
  }
  s = db.prepare("INSERT INTO program VALUES(?,?,?,?)");
  for (const auto& p : e.programs) s.bind(1, id).bind(2, next++).bind(3, p.suite).bind(4, p.target).execute();
  next = 0;
  s = db.prepare("INSERT INTO test VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)");
  for (const auto& t : e.tests) {
    s.bind(1, id).bind(2, next++).bind(3, std::int64_t{t.program}).bind(4, t.case_name).bind(5, t.name);
    s.bind(6, std::int64_t{t.measured}).bind(7, static_cast<std::int64_t>(t.how)).bind(8, std::int64_t{t.detail});
    s.bind(9, std::int64_t{t.incomplete}).bind(10, t.wall_us).bind(11, t.cpu_us).bind(12, t.at);
    s.bind(13, t.carried_from).bind(14, std::int64_t{t.unsteady}).execute();
  }
  write_functions(db, id, 0, e.functions);
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

void replace_kills(database& db, std::int64_t measurement, const std::vector<killed_mutant>& kills) {
  statement s = db.prepare("SELECT 1 FROM measurement WHERE id=? AND complete");
  if (!s.bind(1, measurement).step()) throw database_error(fmt::format("measurement {} is not complete", measurement));
  auto known = read_classes(db, measurement);
  if (!known) throw database_error(fmt::format("the classes of measurement {} do not match their digest", measurement));
  std::map<std::vector<std::uint32_t>, std::vector<element>> by_tests;
  for (element_class& c : *known) {
    std::erase_if(c.elements, [](element x) { return kind_of(x) == optimizer::requirement_kind::kill; });
    if (!c.elements.empty()) by_tests.emplace(std::move(c.tests), std::move(c.elements));
  }

  std::map<std::string, std::int64_t> files;
  s = db.prepare("SELECT path, id FROM file WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) files.emplace(s.text(0), s.integer(1));
  statement insert = db.prepare("INSERT INTO file VALUES(?,?,?,x'',x'',x'',x'')");
  for (const killed_mutant& kill : kills) {
    if (kill.tests.empty()) continue;
    const auto [file, is_new] = files.try_emplace(kill.file, static_cast<std::int64_t>(files.size()));
    if (is_new) insert.bind(1, measurement).bind(2, file->second).bind(3, kill.file).execute();
    std::vector<std::uint32_t> tests = kill.tests;
    std::sort(tests.begin(), tests.end());
    tests.erase(std::unique(tests.begin(), tests.end()), tests.end());
    by_tests[std::move(tests)].push_back(
        make_element(optimizer::requirement_kind::kill, static_cast<std::uint32_t>(file->second), kill.number));
  }

  std::vector<element_class> classes;
  for (auto& [tests, elements] : by_tests) {
    std::sort(elements.begin(), elements.end());
    elements.erase(std::unique(elements.begin(), elements.end()), elements.end());
    classes.push_back({tests, std::move(elements)});
  }
  std::sort(classes.begin(), classes.end(),
            [](const element_class& a, const element_class& b) { return a.elements.front() < b.elements.front(); });
  db.prepare("DELETE FROM classes WHERE measurement=?").bind(1, measurement).execute();
  const std::uint64_t digest = write_classes(db, measurement, classes);
  s = db.prepare("UPDATE measurement SET digest=? WHERE id=?");
  s.bind(1, static_cast<std::int64_t>(digest)).bind(2, measurement).execute();
}

std::vector<element_class> fold_encoded(const std::map<std::uint32_t, std::string>& rows) {
  return fold_all(rows, true);
}

}  // namespace morph::store
