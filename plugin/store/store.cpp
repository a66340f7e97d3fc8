// Opening the store, its measurements, outcomes and audits.
#include "plugin/store/store.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <type_traits>

#include "plugin/store/bounds.hpp"
#include "plugin/store/schema.hpp"
#include "plugin/store/tables.hpp"

namespace morph::store {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t application_id = 0x4d525048;  // "MRPH"
constexpr const char* elsewhere = "configure with -DMORPH_STORE=<file> to keep it elsewhere";

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

/// What is wrong with what a store says; the blobs of overridden files are looked for, too.
std::vector<std::string> findings_of(database& db) {
  std::vector<std::string> findings;
  statement s = db.prepare("PRAGMA integrity_check");
  while (s.step())
    if (const std::string line = s.text(0); line != "ok") findings.push_back(line);
  std::vector<std::int64_t> ids;
  statement m = db.prepare("SELECT id FROM measurement ORDER BY id");
  while (m.step()) ids.push_back(m.integer(0));
  statement blob = db.prepare("SELECT 1 FROM blob WHERE hash=?");
  for (std::int64_t id : ids) try {
      const evidence e = load_evidence(db, id);
      for (const override_file& file : e.info.taken_from.overrides) {
        blob.reset();
        if (file.blob && !blob.bind(1, *file.blob).step())
          findings.push_back(fmt::format("measurement {}: the content of '{}' is missing", id, file.path));
      }
    } catch (const database_error& error) {
      if (!error.is_damage) throw;
      findings.push_back(fmt::format("measurement {}: {}", id, error.what()));
    }
  return findings;
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
      create_tables(db);
      db.run(fmt::format("PRAGMA application_id={}", application_id));
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
  return guarded([&] { return read_infos(*db_); });
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
    auto t = std::make_unique<transaction>(*db_);
    const std::int64_t id = insert_info(*db_, {0, taken_from, configuration, now, false});
    return measurement_writer(*db_, id, now, std::move(t));
  });
}

result<measurement_writer> evidence_store::resume(std::int64_t measurement, std::int64_t now) {
  return guarded([&] { return measurement_writer(*db_, measurement, now); });
}

result<void> evidence_store::remove(std::int64_t measurement) {
  return guarded([&] {
    transaction t(*db_);
    remove_measurement(*db_, measurement);
    t.commit();
  });
}

result<std::vector<measurement_info>> evidence_store::keep_newest(const store_bounds& bounds) {
  return guarded([&] { return remove_oldest(*db_, bounds); });
}

result<void> evidence_store::add(const evidence& e, const std::map<std::string, std::string>& blobs,
                                 std::optional<std::int64_t> in_place_of) {
  return guarded([&] {
    transaction t(*db_);
    if (in_place_of) remove_measurement(*db_, *in_place_of);
    statement s = db_->prepare("INSERT OR IGNORE INTO blob VALUES(?,?)");
    for (const auto& [hash, content] : blobs) s.bind(1, hash).bind_blob(2, content).execute();
    save_evidence(*db_, e);
    t.commit();
  });
}

result<void> evidence_store::set_kills(std::int64_t measurement, const std::vector<killed_mutant>& kills) {
  return guarded([&] {
    transaction t(*db_);
    replace_kills(*db_, measurement, kills);
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
      const bool by_twin = next.source == "measure";
      if (added) {
        verdicts.clear();
        failures = {};
        at->second.latest.failed = false;
      }
      // What one report says of a test that was tried again was of one content, whichever that was.
      for (const std::string& same : {next.content, fmt::format("{} at {}", next.source, next.at)}) {
        if (same.empty()) continue;
        const auto [known, first] = verdicts.try_emplace({same, where}, next.failed);
        if (!first && known->second != next.failed) at->second.flaky = true;
      }
      if (next.failed && !by_twin) {
        at->second.failed_at = next.at;
        at->second.passes_since_failure = 0;
      } else if (at->second.failed_at && !by_twin) {
        ++at->second.passes_since_failure;
      }
      if (!by_twin) at->second.verdicts.emplace_back(next.at, next.failed);
      // The twin is another build than the one that ctest runs, and so may be one of an unknown configuration: passing
      // there ends no failure here. That a test failed in the twin stands in its row, which selects it.
      if (next.failed && by_twin) continue;
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
    statement s = db_->prepare("INSERT OR REPLACE INTO audit VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
    s.bind(1, a.configuration).bind(2, a.content).bind(3, a.base).bind(4, a.at).bind(5, a.commit);
    s.bind(6, std::int64_t{a.tests}).bind(7, std::int64_t{a.selected}).bind(8, std::int64_t{a.failed});
    s.bind(9, a.full_us).bind(10, a.selected_us).bind_blob(11, missed);
    s.bind(12, std::int64_t{a.found_first}).bind(13, std::int64_t{a.found_among}).execute();
  });
}

result<std::vector<audit>> evidence_store::audits() {
  return guarded([&] {
    std::vector<audit> found;
    if (schema_of(*db_) < first_schema_with_audits) return found;
    const bool has_places = schema_of(*db_) >= first_schema_with_places;
    statement s = db_->prepare(fmt::format(
        "SELECT configuration, content, base, at, commit_id, tests, selected, failed, full_us, selected_us, missed, {} "
        "FROM audit ORDER BY at DESC, configuration, content, base",
        has_places ? "found_first, found_among" : "0, 0"));
    while (s.step()) {
      audit a{s.text(0),    s.text(1),    s.text(2),    s.integer(3), s.text(4), number(s, 5),
              number(s, 6), number(s, 7), s.integer(8), s.integer(9), {}};
      const std::string missed = s.blob(10);
      for (std::size_t from = 0, to; (to = missed.find('\0', from)) != std::string::npos; from = to + 1)
        a.missed.push_back(missed.substr(from, to - from));
      a.found_first = number(s, 11);
      a.found_among = number(s, 12);
      found.push_back(std::move(a));
    }
    return found;
  });
}

result<std::map<std::tuple<std::string, std::string, std::string>, run_of_row>> evidence_store::recorded(
    const measurement_info& measurement) {
  return guarded([&] {
    std::map<std::tuple<std::string, std::string, std::string>, run_of_row> found;
    statement s = db_->prepare(
        "SELECT p.suite, p.target, t.case_name, t.at, t.carried_from, t.wall_us, t.cpu_us FROM test t JOIN program p "
        "ON p.measurement = t.measurement AND p.id = t.program WHERE t.measurement = ? AND t.measured");
    s.bind(1, measurement.id);
    while (s.step()) {
      measured_test test;
      test.at = s.integer(3);
      test.carried_from = s.text(4);
      test.wall_us = s.integer(5);
      test.cpu_us = s.integer(6);
      found[{s.text(0), s.text(1), s.text(2)}] = run_of(test, measurement);
    }
    return found;
  });
}

result<std::map<std::pair<std::string, std::string>, std::size_t>> evidence_store::measured_in_vain() {
  return guarded([&] {
    std::map<std::pair<std::string, std::string>, std::size_t> found;
    statement s = db_->prepare(
        "SELECT p.suite, p.target, count(DISTINCT t.measurement) FROM test t JOIN program p "
        "ON p.measurement = t.measurement AND p.id = t.program WHERE t.measured AND t.carried_from = '' "
        "AND t.incomplete & ? GROUP BY p.suite, p.target");
    s.bind(1, std::int64_t{row_without_probes});
    while (s.step()) found[{s.text(0), s.text(1)}] = static_cast<std::size_t>(s.integer(2));
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
  return guarded([&] { return findings_of(*db_); });
}

bool evidence_store::is_damaged(const std::string& path) {
  if (::access(path.c_str(), R_OK | W_OK) != 0) return false;
  try {
    database db(path, database::mode::read_write);
    if (schema_of(db) > schema_number) return false;  // of a newer morph
    return !check_header(path) || !findings_of(db).empty();
  } catch (const database_error& error) {
    return error.is_damage;
  }
}

}  // namespace morph::store
