// The evidence store: round trips, damage, foreign files, interruption.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "coverage/gcov/stream_format.h"
#include "plugin/store/codec.hpp"
#include "plugin/store/schema.hpp"
#include "tests/unit/store/store_examples.hpp"

namespace morph::store {
namespace {
using namespace morph::store_tests;
using morph::optimizer::requirement_kind;
using morph::test_support::temporary_folder;

/// Two tests and a start-up row; the second test is left out unless `complete`.
void write_measurement(const std::string& path, bool complete) {
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  auto writer = store->begin(some_content, R"({"compiler":"GNU 12"})", 1000);
  ASSERT_TRUE(writer) << writer.error();
  const auto a = writer->file("a.cpp"), h = writer->file("a.hpp");
  writer->set_executable_lines(a, std::vector<std::uint32_t>{3, 5});
  writer->set_executable_lines(a, std::vector<std::uint32_t>{4, 5});
  writer->set_branches(a, std::vector<std::uint32_t>{3 * 4096 + 1});
  writer->set_branches(a, std::vector<std::uint32_t>{3 * 4096, 5 * 4096});
  writer->set_conditions(a, std::vector<std::uint32_t>{3 * 4096 + 2, 3 * 4096 + 3});
  writer->set_conditions(a, std::vector<std::uint32_t>{3 * 4096});
  writer->set_decisions(a, std::vector<packed_way>{20, 30});
  writer->set_decisions(a, std::vector<packed_way>{10, 30});
  writer->put_blob("b10b", std::string("int x;\0\n", 8));
  const auto f = writer->function({"_Z1fv", a, 3, 5, false});
  const auto u = writer->unit({"a.cpp.o", a, {a, h}, false});
  const auto p = writer->program({"suite", "tests"});
  const auto startup = writer->test(p, "", "");
  const auto one = writer->test(p, "S.One", "S.One"), two = writer->test(p, "S.Two", "pre.S.Two");
  const auto line3 = make_element(requirement_kind::line, a, 3), line5 = make_element(requirement_kind::line, a, 5);
  writer->put_row(startup, {}, std::vector<element>{});
  measured_test facts;
  facts.how = outcome::crashed;
  facts.detail = 11;
  facts.incomplete = 4;
  facts.wall_us = 1500;
  facts.cpu_us = 1400;
  writer->put_row(one, facts,
                  std::vector<element>{line3, line5, make_element(requirement_kind::function, 0, f),
                                       make_element(requirement_kind::unit, 0, u)});
  if (complete) writer->put_row(two, {}, std::vector<element>{line5});
  writer->finish();
}

evidence load_only(const std::string& path) {
  auto store = evidence_store::open_for_reading(path);
  EXPECT_TRUE(store && *store);
  auto infos = (*store)->measurements();
  EXPECT_TRUE(infos && infos->size() == 1U);
  auto loaded = (*store)->load(infos->front().id);
  EXPECT_TRUE(loaded) << loaded.error();
  return *loaded;
}

/// Of each mutant the tests that are known to kill it, by file and number.
std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>> kills_in(const evidence& e) {
  std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>> kills;
  for (const element_class& c : e.classes)
    for (const element x : c.elements)
      if (kind_of(x) == requirement_kind::kill) kills[{e.files[owner_of(x)], number_of(x)}] = c.tests;
  return kills;
}

TEST(Store, KeepsWhichTestsKillAMutant) {
  const temporary_folder folder;
  const std::string path = folder.path() / "e.db";
  write_measurement(path, true);
  const evidence before = load_only(path);
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store);
  ASSERT_TRUE(store->set_kills(before.info.id, {{"a.cpp", 7, {1}}, {"a.cpp", 8, {2, 1}}}));
  using known = std::map<std::pair<std::string, std::uint32_t>, std::vector<std::uint32_t>>;
  EXPECT_EQ(kills_in(load_only(path)), (known{{{"a.cpp", 7}, {1}}, {{"a.cpp", 8}, {1, 2}}}));

  // Later ones take their place; a file without code of its own is one more; a mutant that nobody kills is none.
  ASSERT_TRUE(store->set_kills(before.info.id, {{"b.hpp", 4'000'000'000, {2, 2}}, {"a.cpp", 9, {}}}));
  const evidence after = load_only(path);
  EXPECT_EQ(kills_in(after), (known{{{"b.hpp", 4'000'000'000}, {2}}}));
  EXPECT_EQ(after.files.size(), before.files.size() + 1);
  EXPECT_TRUE(store->verify()->empty());

  ASSERT_TRUE(store->set_kills(before.info.id, {}));
  const evidence without = load_only(path);
  ASSERT_EQ(without.classes.size(), before.classes.size());
  for (std::size_t c = 0; c < before.classes.size(); ++c) {
    EXPECT_EQ(without.classes[c].tests, before.classes[c].tests);
    EXPECT_EQ(without.classes[c].elements, before.classes[c].elements);
  }
  EXPECT_FALSE(store->set_kills(before.info.id + 1, {}));
}

TEST(Store, GivesBackWhatWasMeasured) {
  const temporary_folder folder;
  write_measurement(folder / "sub/evidence.db", true);
  const evidence e = load_only(folder / "sub/evidence.db");
  EXPECT_TRUE(e.info.complete);
  EXPECT_EQ(e.info.taken_from.commit, "c0ffee");
  EXPECT_EQ(e.info.taken_from.overrides, some_content.overrides);
  EXPECT_EQ(e.files, (std::vector<std::string>{"a.cpp", "a.hpp"}));
  EXPECT_EQ(e.executable_lines[0], (std::vector<std::uint32_t>{3, 4, 5}));
  EXPECT_EQ(e.branches[0], (std::vector<std::uint32_t>{3 * 4096, 3 * 4096 + 1, 5 * 4096}));
  EXPECT_EQ(e.conditions, (std::vector<std::vector<std::uint32_t>>{{3 * 4096, 3 * 4096 + 2, 3 * 4096 + 3}, {}}));
  EXPECT_EQ(e.decisions, (std::vector<std::vector<packed_way>>{{10, 20, 30}, {}}));
  ASSERT_EQ(e.tests.size(), 3U);
  EXPECT_TRUE(e.tests[0].is_startup());
  EXPECT_EQ(e.tests[1].how, outcome::crashed);
  EXPECT_EQ(e.tests[1].detail, 11);
  EXPECT_EQ(e.tests[1].incomplete, 4U);
  EXPECT_EQ(e.tests[1].wall_us, 1500);
  EXPECT_EQ(e.tests[2].name, "pre.S.Two");
  EXPECT_EQ(e.functions[0].symbol, "_Z1fv");
  EXPECT_EQ(e.units[0].dependencies, (std::vector<std::uint32_t>{0, 1}));
  const auto line5 = make_element(requirement_kind::line, 0, 5);
  ASSERT_EQ(e.classes.size(), 2U);
  for (const auto& c : e.classes) {
    const bool has_line5 = std::find(c.elements.begin(), c.elements.end(), line5) != c.elements.end();
    EXPECT_EQ(c.tests, has_line5 ? (std::vector<std::uint32_t>{1, 2}) : (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(c.elements.size(), has_line5 ? 1U : 3U);
  }
}

TEST(Store, KeepsBranchesAndKillsOfItsFiles) {
  for (const auto& [kind, what] : {std::pair(requirement_kind::branch, "a branch's file points outside its table"),
                                   std::pair(requirement_kind::kill, "a mutant's file points outside its table")})
    for (const bool known : {true, false}) {
      const temporary_folder folder;
      auto store = evidence_store::open_for_writing(folder / "e.db");
      auto writer = store->begin(some_content, "{}", 1000);
      const element of_file = make_element(kind, writer->file("a.cpp") + (known ? 0 : 1), branches_of_line * 7 + 3);
      const auto program = writer->program({"suite", "tests"});
      writer->put_row(writer->test(program, "S.One", "S.One"), {}, std::vector<element>{of_file});
      writer->finish();
      const auto loaded = store->load(store->measurements()->front().id);
      ASSERT_EQ(loaded.has_value(), known);
      if (known)
        EXPECT_EQ(loaded->classes.at(0).elements, std::vector<element>{of_file});
      else
        EXPECT_NE(loaded.error().find(what), std::string::npos) << loaded.error();
    }
}

TEST(Store, KeepsTheContentOfUncommittedFiles) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  auto store = evidence_store::open_for_reading(folder / "e.db");
  EXPECT_EQ((*store)->blob("b10b").value(), std::string("int x;\0\n", 8));
  EXPECT_FALSE((*store)->blob("another"));
}

TEST(Store, LoadsAnInterruptedMeasurementAndContinuesIt) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", false);
  const evidence before = load_only(folder / "e.db");
  EXPECT_FALSE(before.info.complete);
  EXPECT_TRUE(before.tests[1].measured);
  EXPECT_FALSE(before.tests[2].measured);
  EXPECT_EQ(before.classes.size(), 1U);

  write_measurement(folder / "e.db", true);
  const evidence after = load_only(folder / "e.db");
  EXPECT_TRUE(after.info.complete);
  EXPECT_EQ(after.tests.size(), 3U);
  EXPECT_EQ(after.classes.size(), 2U);
}

TEST(Store, IsNotCompleteBeforeEveryTestIsRegistered) {
  const temporary_folder folder;
  {
    auto store = evidence_store::open_for_writing(folder / "e.db");
    auto writer = store->begin(some_content, "{}", 1);
    writer->put_row(writer->test(writer->program({"s", "t"}), "A.A", "A.A"), {}, std::vector<element>{});
    writer->finish(false);
  }
  EXPECT_FALSE(load_only(folder / "e.db").info.complete);
}

TEST(Store, LosesOnlyWhatCameAfterTheLastCheckpoint) {
  const temporary_folder folder;
  {
    auto store = evidence_store::open_for_writing(folder / "e.db");
    auto writer = store->begin(some_content, "{}", 1);
    const auto p = writer->program({"s", "t"});
    writer->put_row(writer->test(p, "A.A", "A.A"), {}, std::vector<element>{});
    writer->checkpoint();
    writer->put_row(writer->test(p, "B.B", "B.B"), {}, std::vector<element>{});
  }
  const evidence e = load_only(folder / "e.db");
  ASSERT_EQ(e.tests.size(), 1U);
  EXPECT_EQ(e.tests[0].name, "A.A");
}

TEST(Store, IsAbsentWhereThereIsNoFile) {
  const temporary_folder folder;
  const auto store = evidence_store::open_for_reading(folder / "none.db");
  ASSERT_TRUE(store);
  EXPECT_FALSE(*store);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.db"));
}

TEST(Store, ReadersWriteNothingNotEvenBesideTheFile) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  const std::string before = bytes_of(folder / "e.db");
  load_only(folder / "e.db");
  EXPECT_EQ(bytes_of(folder / "e.db"), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(Store, RefusesAFileTruncatedAtAnyLength) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  const std::string whole = bytes_of(folder / "e.db");
  for (std::size_t length = 0; length < whole.size(); length += 997) {
    folder.write("cut.db", whole.substr(0, length));
    const auto store = evidence_store::open_for_reading(folder / "cut.db");
    if (length == 0) {  // what an interrupted creation leaves: nothing was measured
      EXPECT_TRUE(store && !*store);
      continue;
    }
    EXPECT_FALSE(store) << length;
    EXPECT_FALSE(evidence_store::open_for_writing(folder / "cut.db")) << length;
    EXPECT_EQ(bytes_of(folder / "cut.db"), whole.substr(0, length));
  }
}

TEST(Store, IsReadableAgainAfterAWriterWasCutOff) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  {
    // A writer that has spilled into the file: what kill -9 would leave.
    database db(folder / "e.db", database::mode::read_write);
    db.run("PRAGMA cache_size=2; BEGIN; CREATE TABLE big(x)");
    for (int i = 0; i < 200; ++i) db.run("INSERT INTO big VALUES(zeroblob(4000))");
    std::filesystem::copy_file(folder / "e.db", folder / "cut.db");
    std::filesystem::copy_file(folder / "e.db-journal", folder / "cut.db-journal");
    db.run("ROLLBACK");
  }
  auto reading = evidence_store::open_for_reading(folder / "cut.db");
  ASSERT_TRUE(reading) << reading.error();
  const auto refused = (*reading)->measurements();
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().find("run `morph measure`, which repairs it"), std::string::npos) << refused.error();

  auto writing = evidence_store::open_for_writing(folder / "cut.db");
  ASSERT_TRUE(writing) << writing.error();
  ASSERT_TRUE(writing->add_outcomes(std::vector<test_outcome>{{"a", false, 1, 0, "x", ""}}));
  EXPECT_TRUE(load_only(folder / "cut.db").info.complete);
}

TEST(Store, TellsWhetherAFileIsDamaged) {
  const temporary_folder folder;
  EXPECT_FALSE(evidence_store::is_damaged(folder / "e.db"));
  write_measurement(folder / "e.db", true);
  EXPECT_FALSE(evidence_store::is_damaged(folder / "e.db"));
  const std::string whole = bytes_of(folder / "e.db");
  constexpr std::size_t page = 4096;
  const std::string noise(page, '\x55');
  for (std::size_t at = 0; at + page <= whole.size(); at += page) {
    std::string damaged = whole;
    damaged.replace(at == 0 ? 100 : at, at == 0 ? page - 100 : page, noise, 0, at == 0 ? page - 100 : page);
    folder.write("cut.db", damaged);
    EXPECT_TRUE(evidence_store::is_damaged(folder / "cut.db")) << at;
  }
  folder.write("cut.db", whole.substr(0, whole.size() - page));
  EXPECT_TRUE(evidence_store::is_damaged(folder / "cut.db"));
  std::filesystem::create_directory(folder / "folder.db");
  EXPECT_FALSE(evidence_store::is_damaged(folder / "folder.db"));
  std::string newer = whole;
  newer[63] = schema_number + 1;  // user_version, big endian at 60
  folder.write("cut.db", newer);
  EXPECT_FALSE(evidence_store::is_damaged(folder / "cut.db")) << "a newer morph reads it";
}

TEST(Store, RefusesAFileOfAnotherKindAndLeavesItAlone) {
  const temporary_folder folder;
  folder.write("notes.txt", std::string(5000, 'x'));
  const auto reading = evidence_store::open_for_reading(folder / "notes.txt");
  ASSERT_FALSE(reading);
  EXPECT_NE(reading.error().find("is not a Morph evidence store"), std::string::npos);
  EXPECT_FALSE(evidence_store::open_for_writing(folder / "notes.txt"));
  EXPECT_EQ(bytes_of(folder / "notes.txt"), std::string(5000, 'x'));
}

TEST(Store, RefusesANewerSchemaAndNamesBothNumbers) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  std::string bytes = bytes_of(folder / "e.db");
  bytes[63] = schema_number + 1;  // user_version, big endian at 60
  folder.write("e.db", bytes);
  const auto store = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_FALSE(store);
  EXPECT_NE(
      store.error().find(fmt::format("has schema {}, this morph reads up to {}", schema_number + 1, schema_number)),
      std::string::npos)
      << store.error();
}

TEST(Store, NoticesAChangedByteInTheClasses) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  {
    database db(folder / "e.db", database::mode::read_write);
    db.run("UPDATE classes SET elements=x'01'");
  }
  auto store = evidence_store::open_for_reading(folder / "e.db");
  const auto loaded = (*store)->load(1);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().find("do not match their digest"), std::string::npos) << loaded.error();
  EXPECT_EQ((*store)->verify()->size(), 1U);
}

TEST(Store, NoticesAnIndexOutsideItsTable) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  {
    database db(folder / "e.db", database::mode::read_write);
    const std::vector<measured_function> outside{{"_Z1fv", 77, 3, 5, false}};
    db.prepare("UPDATE functions SET packed=?").bind_blob(1, pack_functions(outside)).execute();
  }
  auto store = evidence_store::open_for_reading(folder / "e.db");
  const auto loaded = (*store)->load(1);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().find("a function's file points outside its table"), std::string::npos) << loaded.error();
}

TEST(Store, FindsNothingWrongWithASoundFile) {
  const temporary_folder folder;
  write_measurement(folder / "e.db", true);
  auto store = evidence_store::open_for_reading(folder / "e.db");
  EXPECT_EQ((*store)->verify().value(), std::vector<std::string>{});
}

TEST(Store, KnowsWhenARowWasMeasuredAndWhereItIsFrom) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  auto writer = store->begin(some_content, "{}", 3000);
  const auto p = writer->program({"suite", "tests"});
  measured_test carried;
  carried.at = 2000;
  carried.carried_from = "c0ffee";
  writer->put_row(writer->test(p, "old", "old"), carried, {});
  writer->put_row(writer->test(p, "new", "new"), {}, {});
  writer->finish();
  const auto e = store->load(1);
  EXPECT_EQ(e->tests[0].at, 2000);
  EXPECT_EQ(e->tests[0].carried_from, "c0ffee");
  EXPECT_EQ(e->tests[1].at, 3000);
  EXPECT_EQ(e->tests[1].carried_from, "");
}

TEST(Store, TwoWritersTakeTurns) {
  const temporary_folder folder;
  auto first = evidence_store::open_for_writing(folder / "e.db");
  auto second = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(first->add_outcomes(std::vector<test_outcome>{{"a", false, 1, 0, "x", ""}}));
  ASSERT_TRUE(second->add_outcomes(std::vector<test_outcome>{{"b", false, 1, 0, "x", ""}}));
  EXPECT_EQ(first->histories()->size(), 2U);
}

TEST(Evidence, EveryBitOfTheStreamHasItsMeaning) {
  std::uint32_t all = 0;
  for (const morph::store::incomplete_row& row : morph::store::incomplete_table()) all |= row.bit;
  EXPECT_EQ(all, morph_stream::no_probes * 2 - 1) << "no_probes is the last bit";
  const auto name = [](std::uint32_t bit) -> std::string {
    for (const auto& row : morph::store::incomplete_table())
      if (row.bit == bit) return row.name;
    return {};
  };
  EXPECT_EQ(name(morph_stream::made_process), "made-process");
  EXPECT_EQ(name(morph_stream::loaded_object), "loaded-object");
  EXPECT_EQ(name(morph_stream::ended_early), "ended-early");
  EXPECT_EQ(name(morph_stream::no_counters), "no-counters");
  EXPECT_EQ(name(morph_stream::threads_at_start), "threads-at-start");
  EXPECT_EQ(name(morph_stream::unknown_unit), "unknown-unit");
  EXPECT_EQ(name(morph_stream::not_as_in_ctest), "not-as-in-ctest");
}

TEST(Store, TellsWhichTestsWereWatched) {
  evidence e;
  e.programs = {{"suite", "tests"}};
  e.inputs = {{measured_input::kind::watch, "files", watched_wholly},
              {measured_input::kind::watch, "files", watched_in_part},
              {measured_input::kind::variable, "HOME", std::nullopt}};
  for (const char* name : {"", "Whole", "Part", "Both", "None"}) {
    measured_test test;
    test.case_name = name;
    test.measured = true;
    e.tests.push_back(test);
  }
  const auto input = [](std::uint32_t number) {
    return make_element(morph::optimizer::requirement_kind::input, 0, number);
  };
  e.classes = {{{0, 1, 3}, {input(0)}}, {{2, 3}, {input(1)}}, {{4}, {input(2)}}};
  EXPECT_EQ(watched_tests(e), (std::vector<bool>{true, true, false, false, false}));
  EXPECT_FALSE(is_watched(e));
  for (const std::size_t doubtful : {2, 3, 4}) {
    EXPECT_FALSE(is_watched(e)) << doubtful;
    e.tests[doubtful].incomplete = 1;
  }
  EXPECT_TRUE(is_watched(e)) << "the others run anyhow";
  e.classes[0].tests = {1};
  EXPECT_TRUE(is_watched(e)) << "what the start would have is in every row";
  e.classes[2].tests = {0, 4};
  EXPECT_FALSE(is_watched(e)) << "what runs before the first test was not watched";
}

}  // namespace
}  // namespace morph::store
