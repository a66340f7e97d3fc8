// The evidence store: round trips, damage, foreign files, interruption.
#include "plugin/store/store.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>

#include "coverage/gcov/stream_format.h"
#include "plugin/store/codec.hpp"
#include "plugin/store/schema.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using namespace morph::store;
using morph::optimizer::requirement_kind;
using morph::testing::temporary_folder;

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

const snapshot some_content{"c0ffee", "7ree", {{"a.cpp", "b10b"}, {"gone.cpp", std::nullopt}}};

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

TEST(Codec, RoundTripsAscendingNumbers) {
  const std::vector<std::uint64_t> values{0, 1, 127, 128, 300, 1ULL << 40, ~0ULL};
  EXPECT_EQ(decode_ascending<std::uint64_t>(encode_ascending(values)), values);
  EXPECT_EQ(decode_ascending<std::uint64_t>(""), std::vector<std::uint64_t>{});
}

TEST(Codec, RejectsBytesThatItDidNotWrite) {
  EXPECT_FALSE(decode_ascending<std::uint64_t>("\x80"));                            // ends inside a number
  EXPECT_FALSE(decode_ascending<std::uint64_t>(std::string("\x05\0", 2)));          // does not ascend
  EXPECT_FALSE(decode_ascending<std::uint64_t>(std::string(11, '\x80') + '\x01'));  // longer than 64 bits
}

const std::vector<std::uint64_t> with_runs = [] {
  std::vector<std::uint64_t> values{0, 1, 2, 60, 63, 64};
  for (std::uint64_t v = 1000; v < 1300; ++v) values.push_back(v);  // longer than the longest run
  for (const std::uint64_t v : {1ULL << 60, (1ULL << 60) + 1, ~0ULL - 1, ~0ULL}) values.push_back(v);
  return values;
}();

TEST(Codec, RoundTripsRuns) {
  std::vector<std::uint64_t> values{7};
  ASSERT_TRUE(decode_runs(encode_runs(with_runs), values));
  EXPECT_EQ(values, with_runs);
  ASSERT_TRUE(decode_runs(encode_runs({}), values));
  EXPECT_TRUE(values.empty());
  const std::vector<std::uint64_t> both_ends{0, ~0ULL};
  ASSERT_TRUE(decode_runs(encode_runs(both_ends), values));
  EXPECT_EQ(values, both_ends);
  std::vector<std::uint64_t> ten(10);
  for (std::uint64_t i = 0; i < ten.size(); ++i) ten[i] = 5 + i;
  EXPECT_EQ(encode_runs(ten), "\x0b\x08");
}

TEST(Codec, RejectsRunsThatItDidNotWrite) {
  std::vector<std::uint64_t> values;
  EXPECT_FALSE(decode_runs("\x0b", values));                                             // without its length
  EXPECT_FALSE(decode_runs("\x80", values));                                             // ends inside a number
  EXPECT_FALSE(decode_runs(std::string("\x0a\0", 2), values));                           // does not ascend
  EXPECT_FALSE(decode_runs("\x0b\xff\xff\xff\xff\x0f", values));                         // a few bytes for gigabytes
  EXPECT_FALSE(decode_runs("\xfd" + std::string(8, '\xff') + '\x03' + '\x05', values));  // passes 2^64
}

std::vector<element_class> some_classes() {
  return {{{0, 1, 200}, {3, 4, 5, 9}}, {{7}, {4000}}, {{1, 2}, {5000, 5001, 1ULL << 60}}, {{}, {6000}}};
}

bool equal(const std::vector<element_class>& a, const std::vector<element_class>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const element_class& x, const element_class& y) {
    return x.tests == y.tests && x.elements == y.elements;
  });
}

TEST(Codec, RoundTripsClasses) {
  class_packer packer;
  for (const element_class& c : some_classes()) packer.add(c);
  EXPECT_GT(packer.size(), 0U);
  const packed_classes packed = packer.take();
  std::vector<element_class> classes;
  ASSERT_TRUE(unpack_classes(packed.tests, packed.elements, classes));
  EXPECT_TRUE(equal(classes, some_classes()));
  packer.add(some_classes()[1]);
  const packed_classes next = packer.take();
  ASSERT_TRUE(unpack_classes(next.tests, next.elements, classes)) << "what was taken before does not matter";
  EXPECT_EQ(classes.back().elements, some_classes()[1].elements);
}

TEST(Codec, RejectsClassesThatAreCutOff) {
  class_packer packer;
  for (const element_class& c : some_classes()) packer.add(c);
  const packed_classes packed = packer.take();
  std::vector<element_class> classes;
  for (std::size_t size = 0; size < packed.tests.size(); ++size)
    EXPECT_FALSE(unpack_classes(packed.tests.substr(0, size), packed.elements, classes)) << size;
  for (std::size_t size = 0; size < packed.elements.size(); ++size)
    EXPECT_FALSE(unpack_classes(packed.tests, packed.elements.substr(0, size), classes)) << size;
  EXPECT_FALSE(unpack_classes("\xff\xff\xff\xff\x0f", packed.elements, classes)) << "more tests than bytes";
}

TEST(Evidence, FoldsElementsOfTheSameTestsTogether) {
  std::map<element, std::vector<std::uint32_t>> tests_of;
  std::vector<row> rows;
  std::uint64_t random = 1;
  for (std::uint32_t test = 0; test < 40; ++test) {
    std::vector<element> elements;
    for (element e = 0; e < 5000; ++e) {
      random = random * 6364136223846793005 + 1442695040888963407;
      // Blocks of ten lines; the later tests execute what no earlier one did.
      const bool executed = (e / 10 * 7 + test) % 9 < 2 && e < 200 * (test + 1) && (random >> 60) != 0;
      if (executed)
        elements.push_back(make_element(requirement_kind::line, static_cast<std::uint32_t>(e / 1000),
                                        static_cast<std::uint32_t>(1 + e % 1000)));
    }
    for (const element e : elements) tests_of[e].push_back(test);
    rows.emplace_back(test, std::move(elements));
  }
  std::map<std::vector<std::uint32_t>, std::vector<element>> expected;
  for (const auto& [e, tests] : tests_of) expected[tests].push_back(e);
  const auto classes = fold_rows(rows);
  ASSERT_EQ(classes.size(), expected.size());
  for (const element_class& c : classes) EXPECT_EQ(c.elements, expected[c.tests]);
  EXPECT_TRUE(std::is_sorted(classes.begin(), classes.end(),
                             [](const auto& a, const auto& b) { return a.elements.front() < b.elements.front(); }));
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
  bytes[63] = 9;  // user_version, big endian at 60
  folder.write("e.db", bytes);
  const auto store = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_FALSE(store);
  EXPECT_NE(store.error().find(fmt::format("has schema 9, this morph reads up to {}", schema_number)),
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
    db.run("UPDATE function SET file=77");
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

TEST(Store, KnowsTheLatestOutcomeOfEachTest) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  const std::vector<test_outcome> outcomes{{"a", true, 10, 0.25, "ctest", ""},
                                           {"a", false, 20, 0.5, "ctest", ""},
                                           {"b", false, 10, 0, "ctest", ""},
                                           {"b", true, 10, 0, "junit", ""}};
  ASSERT_TRUE(store->add_outcomes(outcomes));
  ASSERT_TRUE(store->add_outcomes(outcomes));
  const auto latest = store->histories();
  ASSERT_TRUE(latest);
  EXPECT_FALSE(latest->at("a").latest.failed);
  EXPECT_EQ(latest->at("a").latest.seconds, 0.5);
  EXPECT_TRUE(latest->at("b").latest.failed);
  EXPECT_EQ((*store).verify().value(), std::vector<std::string>{});
}

/// Which tests are flaky after these outcomes.
std::string flaky_of(const std::vector<test_outcome>& outcomes) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  EXPECT_TRUE(store->add_outcomes(outcomes));
  std::string names;
  const auto histories = store->histories();
  for (const auto& [name, history] : *histories)
    if (history.flaky) names += name + " ";
  return names;
}

TEST(Store, CallsATestFlakyThatPassedAndFailedOnTheSameContent) {
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"a", false, 20, 0, "junit", "c1"}}), "a ");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"a", false, 20, 0, "ctest", "c2"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", "c1"}, {"b", false, 20, 0, "ctest", "c1"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "ctest", ""}, {"a", false, 20, 0, "ctest", ""}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "junit", ""}, {"a", false, 10, 0, "junit", ""}}), "a ");  // tried again
}

TEST(Store, ComparesTheTwinsVerdictsWithEachOtherOnly) {
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "measure", "c1"}, {"a", false, 20, 0, "ctest", "c1"}}), "");
  EXPECT_EQ(flaky_of({{"a", true, 10, 0, "measure", "c1"}, {"a", false, 20, 0, "measure", "c1"}}), "a ");
}

TEST(Store, CountsNewOutcomesOnly) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  const std::vector<test_outcome> outcomes{{"a", true, 10, 0, "junit", "c"}, {"a", false, 10, 0, "junit", "c"}};
  EXPECT_EQ(*store->add_outcomes(outcomes), 2U);
  EXPECT_EQ(*store->add_outcomes(outcomes), 0U);
}

TEST(Store, KeepsTheSameOutcomesInWhateverOrderTheyCome) {
  std::vector<test_outcome> outcomes;
  for (int i = 0; i < 3 * kept_outcomes; ++i) {
    outcomes.push_back({"a", i == 0, i, 0, "ctest", std::to_string(i)});
    outcomes.push_back({"a", false, 1000 + i, 0, "measure", "m"});
  }
  outcomes.push_back({"a", true, kept_outcomes * 2, 0, "junit", "r"});
  const auto kept_after = [&] {
    const temporary_folder folder;
    auto store = evidence_store::open_for_writing(folder / "e.db");
    for (const test_outcome& o : outcomes) EXPECT_TRUE(store->add_outcomes(std::vector{o}));
    EXPECT_TRUE(store->add_outcomes(outcomes));
    database db(folder / "e.db", database::mode::read_only);
    std::string kept;
    statement s = db.prepare("SELECT at, source, failed, content FROM outcome ORDER BY at, source, failed");
    while (s.step()) kept += s.text(0) + s.text(1) + s.text(2) + s.text(3) + " ";
    return kept;
  };
  const std::string kept = kept_after();
  EXPECT_EQ(std::count(kept.begin(), kept.end(), ' '), 2 * kept_outcomes);
  EXPECT_EQ(kept.find("0ctest10 "), std::string::npos);
  std::reverse(outcomes.begin(), outcomes.end());
  EXPECT_EQ(kept_after(), kept);
}

TEST(Store, DoesNotForgetAFailureBecauseOfManyMeasurements) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  std::vector<test_outcome> outcomes{{"a", true, 1, 0, "ctest", "c"}};
  for (int i = 0; i < 3 * kept_outcomes; ++i) outcomes.push_back({"a", false, 10 + i, 0, "measure", "c"});
  ASSERT_TRUE(store->add_outcomes(outcomes));
  EXPECT_TRUE(store->histories()->at("a").latest.failed);
}

/// What is known of test `a` in configuration `one` after these outcomes.
std::string known_in_one(const std::vector<test_outcome>& outcomes) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  EXPECT_TRUE(store->add_outcomes(outcomes));
  const auto histories = store->histories("one");
  const auto a = histories->find("a");
  if (a == histories->end()) return "unknown";
  return std::string(a->second.latest.failed ? "failed" : "passed") + (a->second.flaky ? ", flaky" : "");
}

TEST(Store, KeepsTheVerdictsOfConfigurationsApart) {
  const test_outcome failed_in_one{"a", true, 10, 0, "ctest", "c", "one"};
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 20, 0, "ctest", "c", "two"}}), "failed");
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 10, 0, "ctest", "c", "two"}}), "failed");
  EXPECT_EQ(known_in_one({{"a", false, 10, 0, "ctest", "c", "one"}, {"a", true, 20, 0, "ctest", "c", "two"}}),
            "passed");
  EXPECT_EQ(known_in_one({{"a", true, 20, 0, "ctest", "c", "two"}}), "unknown");
  EXPECT_EQ(known_in_one({failed_in_one, {"a", false, 20, 0, "ctest", "c", "one"}}), "passed, flaky");
}

TEST(Store, AVerdictOfAnUnknownConfigurationCountsWhenItIsAFailure) {
  const test_outcome failed_in_one{"a", true, 10, 0, "ctest", "c", "one"};
  const test_outcome failed_somewhere{"a", true, 20, 0, "ctest", "c"}, passed_somewhere{"a", false, 30, 0, "ctest", ""};
  EXPECT_EQ(known_in_one({{"a", false, 10, 0, "ctest", "c", "one"}, failed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_somewhere, passed_somewhere}), "passed");
  EXPECT_EQ(known_in_one({failed_in_one, passed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_in_one, failed_somewhere, passed_somewhere}), "failed");
  EXPECT_EQ(known_in_one({failed_somewhere, {"a", false, 30, 0, "ctest", "c", "one"}}), "passed");
}

TEST(Store, ManyVerdictsOfOneConfigurationPushOutNoneOfAnother) {
  std::vector<test_outcome> outcomes{{"a", true, 1, 0, "ctest", "c", "one"}};
  for (int i = 0; i < 3 * kept_outcomes; ++i) outcomes.push_back({"a", false, 10 + i, 0, "ctest", "c", "two"});
  EXPECT_EQ(known_in_one(outcomes), "failed");
}

// ---- older schemas

/// Written by the version that had schema 1: a measurement of three tests, then a run of ctest in which two of them
/// failed.
std::filesystem::path copy_of_schema_1(const temporary_folder& folder) {
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-1.db", folder / "e.db");
  return folder / "e.db";
}

constexpr const char* of_schema_1 =
    "Area.OfASquare failed, Area.OfAStrip failed, Perimeter.OfASquare passed, geometry.plan passed, 4 rows";

std::string known_of_schema_1(evidence_store& store) {
  const auto histories = store.histories();
  EXPECT_TRUE(histories) << histories.error();
  std::string known;
  for (const auto& [name, history] : *histories) known += name + (history.latest.failed ? " failed, " : " passed, ");
  const auto measurements = store.measurements();
  EXPECT_TRUE(measurements && measurements->size() == 1U);
  const auto facts = store.load(measurements->front().id);
  EXPECT_TRUE(facts) << facts.error();
  return known + std::to_string(facts->tests.size()) + " rows";
}

TEST(StoreOfSchema1, IsReadAsItIs) {
  const temporary_folder folder;
  const auto path = copy_of_schema_1(folder);
  const std::string before = bytes_of(path);
  auto store = evidence_store::open_for_reading(path);
  ASSERT_TRUE(store && *store) << store.error();
  EXPECT_EQ(known_of_schema_1(**store), of_schema_1);
  EXPECT_EQ((*store)->verify().value(), std::vector<std::string>{});
  EXPECT_EQ(bytes_of(path), before);
}

TEST(StoreOfSchema1, BecomesOneOfThisSchemaWhenItIsWritten) {
  const temporary_folder folder;
  const auto path = copy_of_schema_1(folder);
  auto reader = evidence_store::open_for_reading(path);
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(known_of_schema_1(*store), of_schema_1);
  EXPECT_EQ(known_of_schema_1(**reader), of_schema_1);  // it was open before
  EXPECT_EQ(bytes_of(path)[63], schema_number);
  EXPECT_EQ(*store->add_outcomes(std::vector<test_outcome>{{"new", true, 1, 0, "junit", "c"}}), 1U);
  EXPECT_EQ(store->verify().value(), std::vector<std::string>{});
}

/// A complete measurement and an interrupted one.
std::filesystem::path copy_of_schema_2(const temporary_folder& folder) {
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-2.db", folder / "e.db");
  return folder / "e.db";
}

void expect_schema_2(evidence_store& store) {
  const auto line = [](std::uint32_t number) { return make_element(requirement_kind::line, 0, number); };
  const element f = make_element(requirement_kind::function, 0, 0), u = make_element(requirement_kind::unit, 0, 0);
  const auto complete = store.load(1);
  ASSERT_TRUE(complete) << complete.error();
  EXPECT_TRUE(complete->info.complete);
  std::map<std::vector<std::uint32_t>, std::vector<element>> found;
  for (const auto& c : complete->classes) found[c.tests] = c.elements;
  EXPECT_EQ(found, (decltype(found){{{0}, {line(9)}}, {{1}, {line(3), line(4), f}}, {{1, 2}, {line(5), u}}}));
  const auto interrupted = store.load(2);
  ASSERT_TRUE(interrupted) << interrupted.error();
  EXPECT_FALSE(interrupted->info.complete);
  found.clear();
  for (const auto& c : interrupted->classes) found[c.tests] = c.elements;
  EXPECT_EQ(found, (decltype(found){{{0}, {line(9)}}, {{1}, {line(3), line(4), line(5), f, u}}}));
  EXPECT_TRUE(store.histories("d")->at("S.One").latest.failed);
  EXPECT_EQ(store.verify().value(), std::vector<std::string>{});
}

TEST(StoreOfSchema2, IsReadAsItIs) {
  const temporary_folder folder;
  const auto path = copy_of_schema_2(folder);
  const std::string before = bytes_of(path);
  auto store = evidence_store::open_for_reading(path);
  ASSERT_TRUE(store && *store) << store.error();
  expect_schema_2(**store);
  EXPECT_EQ(bytes_of(path), before);
}

TEST(StoreOfSchema2, BecomesOneOfThisSchemaWhenItIsWritten) {
  const temporary_folder folder;
  const auto path = copy_of_schema_2(folder);
  auto reader = evidence_store::open_for_reading(path);
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(bytes_of(path)[63], schema_number);
  expect_schema_2(*store);
  expect_schema_2(**reader);  // it was open before

  // The interrupted measurement goes on where it stood.
  auto writer = store->begin({"c0ffee", "7ree", some_content.overrides}, R"({"compiler":"GNU 11"})", 3000);
  ASSERT_TRUE(writer) << writer.error();
  EXPECT_TRUE(writer->is_measured(1));
  EXPECT_FALSE(writer->is_measured(2));
  writer->put_row(2, {}, std::vector<element>{make_element(requirement_kind::line, 0, 5)});
  writer->finish();
  const auto finished = store->load(2);
  ASSERT_TRUE(finished) << finished.error();
  EXPECT_TRUE(finished->info.complete);
  EXPECT_EQ(finished->classes.size(), 3U);
}

TEST(StoreOfSchema2, StaysDamagedIfItsClassesWere) {
  const temporary_folder folder;
  const auto path = copy_of_schema_2(folder);
  {
    database db(path, database::mode::read_write);
    db.run("UPDATE class SET elements=x'01' WHERE id=0");
  }
  EXPECT_EQ((*evidence_store::open_for_reading(path))->verify()->size(), 1U);
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  const auto loaded = store->load(1);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().find("do not match their digest"), std::string::npos) << loaded.error();
  EXPECT_TRUE(store->load(2));
}

// ---- schema 3: did not list the branches that nobody took, and had no conditions

TEST(StoreOfSchema3, HasNoListsOfBranchesAndConditions) {
  const temporary_folder folder;
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-3.db", folder / "e.db");
  const auto expect_schema_3 = [](evidence_store& store) {
    for (const std::int64_t id : {1, 2}) {
      const auto e = store.load(id);
      ASSERT_TRUE(e) << e.error();
      EXPECT_EQ(e->info.complete, id == 1);
      EXPECT_EQ(e->executable_lines, (std::vector<std::vector<std::uint32_t>>{{3, 4, 5}}));
      EXPECT_EQ(e->branches, (std::vector<std::vector<std::uint32_t>>{{}}));
      EXPECT_EQ(e->conditions, e->branches);
      EXPECT_EQ(e->classes.size(), id == 1 ? 3U : 1U);
    }
    EXPECT_EQ(store.verify().value(), std::vector<std::string>{});
  };
  const std::string before = bytes_of(folder / "e.db");
  auto reader = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_TRUE(reader && *reader) << reader.error();
  expect_schema_3(**reader);
  EXPECT_EQ(bytes_of(folder / "e.db"), before);

  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(bytes_of(folder / "e.db")[63], schema_number);
  expect_schema_3(*store);
  auto writer = store->begin(some_content, R"({"compiler":"GNU 11"})", 3000);
  ASSERT_TRUE(writer) << writer.error();
  writer->set_branches(writer->file("a.cpp"), std::vector<std::uint32_t>{3 * 4096, 3 * 4096 + 1});
  writer->set_conditions(writer->file("a.cpp"), std::vector<std::uint32_t>{3 * 4096 + 2});
  writer->put_row(2, {}, std::vector<element>{make_element(requirement_kind::branch, 0, 3 * 4096 + 1)});
  writer->finish();
  EXPECT_EQ(store->load(2)->branches[0], (std::vector<std::uint32_t>{3 * 4096, 3 * 4096 + 1}));
  EXPECT_EQ(store->load(2)->conditions[0], (std::vector<std::uint32_t>{3 * 4096 + 2}));
}

// ---- schema 4: did not know when a row was measured, and had no audits

TEST(StoreOfSchema4, HasRowsOfUnknownAge) {
  const temporary_folder folder;
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-4.db", folder / "e.db");
  const auto expect_schema_4 = [](evidence_store& store) {
    const auto e = store.load(1);
    ASSERT_TRUE(e) << e.error();
    ASSERT_EQ(e->tests.size(), 3U);
    EXPECT_EQ(e->tests[1].how, outcome::crashed);
    EXPECT_EQ(e->tests[1].at, 0);
    EXPECT_EQ(e->tests[1].carried_from, "");
    EXPECT_EQ(e->inputs[0].digest, "d1");
    EXPECT_EQ(store.audits().value(), std::vector<audit>{});
    EXPECT_EQ(store.outcomes()->size(), 1U);
    EXPECT_EQ(store.verify().value(), std::vector<std::string>{});
  };
  const std::string before = bytes_of(folder / "e.db");
  auto reader = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_TRUE(reader && *reader) << reader.error();
  expect_schema_4(**reader);
  EXPECT_EQ(bytes_of(folder / "e.db"), before);
  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store) << store.error();
  expect_schema_4(*store);
  const audit run{"conf", "c1", "c0ffee", 5000, "d0d0", 3, 1, 1, 900, 300, {"S.One", "a\nb"}, 2, 7};
  ASSERT_TRUE(store->add_audit(run));
  ASSERT_TRUE(store->add_audit(run));
  EXPECT_EQ(store->audits().value(), std::vector<audit>{run});
}

// ---- schema 5: audits did not know where the first failure was

TEST(StoreOfSchema5, HasAuditsThatFoundNothing) {
  const temporary_folder folder;
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-5.db", folder / "e.db");
  const audit old{"conf", "c1", "c0ffee", 5000, "d0d0", 3, 1, 1, 900, 300, {"S.One"}};
  auto reader = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_TRUE(reader && *reader) << reader.error();
  EXPECT_EQ((*reader)->audits().value(), std::vector<audit>{old});
  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(store->verify().value(), std::vector<std::string>{});
  audit now = old;
  now.at = 6000;
  now.found_first = 2;
  now.found_among = 7;
  ASSERT_TRUE(store->add_audit(now));
  EXPECT_EQ(store->audits().value(), (std::vector<audit>{now, old}));
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

TEST(Store, PassingInTheTwinEndsNoFailureOfCTest) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store->add_outcomes(std::vector<test_outcome>{{"a", true, 10, 0, "ctest", ""},
                                                            {"a", false, 20, 0, "measure", ""},
                                                            {"b", true, 10, 0, "measure", ""},
                                                            {"b", false, 20, 0, "measure", ""}}));
  EXPECT_TRUE(store->histories()->at("a").latest.failed);
  EXPECT_FALSE(store->histories()->at("b").latest.failed);
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
  EXPECT_EQ(all, morph_stream::not_as_in_ctest * 2 - 1) << "not_as_in_ctest is the last bit";
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
