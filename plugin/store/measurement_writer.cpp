// Interning and writing what a measurement finds out, test by test.
#include <algorithm>
#include <iterator>

#include "plugin/store/codec.hpp"
#include "plugin/store/store.hpp"
#include "plugin/store/tables.hpp"

namespace morph::store {

measurement_writer::measurement_writer(database& db, std::int64_t measurement, std::int64_t now,
                                       std::unique_ptr<transaction> open)
    : db_(&db), measurement_(measurement), now_(now) {
  statement s =
      db.prepare("SELECT id, path, executable, branches, conditions, decisions FROM file WHERE measurement=?");
  for (s.bind(1, measurement); s.step();) {
    files_[s.text(1)] = number(s, 0);
    lines_[number(s, 0)] = decode<std::uint32_t>(s.blob(2), "list of lines");
    branches_[number(s, 0)] = decode<std::uint32_t>(s.blob(3), "list of branches");
    conditions_[number(s, 0)] = decode<std::uint32_t>(s.blob(4), "list of conditions");
    decisions_[number(s, 0)] = decode<packed_way>(s.blob(5), "list of decisions");
  }
  std::uint32_t next = 0;
  for (measured_function& f : read_functions(db, measurement))
    functions_[{std::move(f.symbol), {f.file, f.start_line}}] = next++;
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
  open_ = open ? std::move(open) : std::make_unique<transaction>(db);
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
    statement& s = prepared("INSERT INTO file VALUES(?,?,?,x'',x'',x'',x'')");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, path).execute();
  }
  return at->second;
}

std::string measurement_writer::path_of(std::uint32_t file) const {
  const auto at = std::find_if(files_.begin(), files_.end(), [&](const auto& known) { return known.second == file; });
  return at == files_.end() ? std::string() : at->first;
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

void measurement_writer::set_decisions(std::uint32_t file, std::span<const packed_way> ways) {
  add_numbers(decisions_, "UPDATE file SET decisions=? WHERE measurement=? AND id=?", file, ways);
}

template <typename Number>
void measurement_writer::add_numbers(numbers_of_file<Number>& known_of, const char* sql, std::uint32_t file,
                                     std::span<const Number> numbers) {
  std::vector<Number>& known = known_of[file];
  std::vector<Number> merged;
  std::set_union(known.begin(), known.end(), numbers.begin(), numbers.end(), std::back_inserter(merged));
  if (merged == known) return;
  known = std::move(merged);
  statement& s = prepared(sql);
  s.bind_blob(1, encode_ascending(known)).bind(2, measurement_).bind(3, std::int64_t{file}).execute();
}

std::uint32_t measurement_writer::function(const measured_function& f) {
  const auto [at, added] =
      functions_.try_emplace({f.symbol, {f.file, f.start_line}}, static_cast<std::uint32_t>(functions_.size()));
  if (added) unwritten_functions_.push_back(f);
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

std::optional<std::uint32_t> measurement_writer::unit_of(const std::string& object) const {
  const auto at = units_.find(object);
  return at == units_.end() ? std::nullopt : std::optional(at->second);
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
    statement& s = prepared("INSERT INTO test VALUES(?,?,?,?,?,0,0,0,0,0,0,0,'',0)");
    s.bind(1, measurement_).bind(2, std::int64_t{at->second}).bind(3, std::int64_t{program}).bind(4, case_name);
    s.bind(5, name).execute();
  }
  return at->second;
}

void measurement_writer::put_row(std::uint32_t test, const measured_test& facts, std::span<const element> elements) {
  statement& s = prepared(
      "UPDATE test SET measured=1, outcome=?, detail=?, incomplete=?, wall_us=?, cpu_us=?, at=?, carried_from=?, "
      "unsteady=? WHERE measurement=? AND id=?");
  s.bind(1, static_cast<std::int64_t>(facts.how))
      .bind(2, std::int64_t{facts.detail})
      .bind(3, std::int64_t{facts.incomplete});
  s.bind(4, facts.wall_us).bind(5, facts.cpu_us).bind(6, facts.at != 0 ? facts.at : now_).bind(7, facts.carried_from);
  s.bind(8, std::int64_t{facts.unsteady}).bind(9, measurement_).bind(10, std::int64_t{test}).execute();
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

void measurement_writer::write_functions() {
  store::write_functions(*db_, measurement_, functions_.size() - unwritten_functions_.size(), unwritten_functions_);
  unwritten_functions_.clear();
}

void measurement_writer::write_rows() {
  statement& s = prepared("INSERT OR REPLACE INTO row VALUES(?,?,?)");
  for (const auto& [test, bytes] : unwritten_rows_)
    s.bind(1, measurement_).bind(2, std::int64_t{test}).bind_blob(3, bytes).execute();
  unwritten_rows_.clear();
}

void measurement_writer::checkpoint() {
  write_functions();
  write_rows();
  open_->commit();
  open_ = std::make_unique<transaction>(*db_);
}

void measurement_writer::finish(bool everything_registered) {
  write_functions();
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
