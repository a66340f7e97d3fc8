// Stores that older versions wrote.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "plugin/store/schema.hpp"
#include "tests/unit/store/store_examples.hpp"

namespace morph::store {
namespace {
using namespace morph::store_tests;
using morph::optimizer::requirement_kind;
using morph::test_support::temporary_folder;

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

// ---- schema 6: knew no unshown lines

TEST(StoreOfSchema6, TakesUnshownLinesFromNowOn) {
  const temporary_folder folder;
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-6.db", folder / "e.db");
  const std::string before = bytes_of(folder / "e.db");
  EXPECT_EQ(before[63], 6);
  auto reader = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_TRUE(reader && *reader) << reader.error();
  EXPECT_EQ(known_of_schema_1(**reader), of_schema_1);  // from there it was taken over
  EXPECT_EQ(bytes_of(folder / "e.db"), before);

  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(known_of_schema_1(*store), of_schema_1);
  EXPECT_EQ(bytes_of(folder / "e.db")[63], schema_number);
  auto writer = store->begin({"c0ffee", "7ree", {}}, R"({"compiler":"GNU 12"})", 3000);
  ASSERT_TRUE(writer) << writer.error();
  const std::vector<element> row{make_element(requirement_kind::line, writer->file("a.cpp"), 5),
                                 make_element(requirement_kind::unshown, writer->file("a.cpp"), 5)};
  writer->put_row(writer->test(writer->program({"s", "t"}), "A.B", "A.B"), {}, row);
  writer->finish();
  const auto loaded = store->load(writer->measurement());
  ASSERT_TRUE(loaded) << loaded.error();
  ASSERT_EQ(loaded->classes.size(), 1U);
  EXPECT_EQ(loaded->classes[0].elements, row);
  EXPECT_EQ(store->verify().value(), std::vector<std::string>{});
}

// ---- schema 7: knew no unsteady tests, and not what linkers made

TEST(StoreOfSchema7, HasSteadyTestsAndUnknownPrograms) {
  const temporary_folder folder;
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-7.db", folder / "e.db");
  const auto expect_schema_7 = [](evidence_store& store) {
    EXPECT_EQ(known_of_schema_1(store), of_schema_1);
    const auto e = store.load(1);
    ASSERT_TRUE(e) << e.error();
    for (const auto& test : e->tests) EXPECT_FALSE(test.unsteady);
    ASSERT_EQ(e->links.size(), 1U);
    EXPECT_EQ(e->links[0].objects.size(), 1U);
    EXPECT_EQ(e->links[0].made, "");
    EXPECT_EQ(store.verify().value(), std::vector<std::string>{});
  };
  const std::string before = bytes_of(folder / "e.db");
  EXPECT_EQ(before[63], 7);
  auto reader = evidence_store::open_for_reading(folder / "e.db");
  ASSERT_TRUE(reader && *reader) << reader.error();
  expect_schema_7(**reader);
  EXPECT_EQ(bytes_of(folder / "e.db"), before);

  auto store = evidence_store::open_for_writing(folder / "e.db");
  ASSERT_TRUE(store) << store.error();
  expect_schema_7(*store);
  EXPECT_EQ(bytes_of(folder / "e.db")[63], schema_number);
  auto writer = store->begin({"c0ffee", "7ree", {}}, R"({"compiler":"GNU 12"})", 3000);
  ASSERT_TRUE(writer) << writer.error();
  measured_test facts;
  facts.unsteady = true;
  writer->put_row(writer->test(writer->program({"s", "t"}), "A.B", "A.B"), facts, {});
  writer->put_link({"t", false, {}, "/b", "", "made", "made of", "loads"});
  writer->finish();
  const auto loaded = store->load(writer->measurement());
  ASSERT_TRUE(loaded) << loaded.error();
  EXPECT_TRUE(loaded->tests[0].unsteady);
  EXPECT_EQ(loaded->links[0].made, "made");
  EXPECT_EQ(loaded->links[0].made_of, "made of");
  EXPECT_EQ(loaded->links[0].loads, "loads");
}

// ---- schema 8: a function was a row with its name

constexpr const char* functions_of_schema_8 =
    "_ZN4area6squareEi 0:3-5, _ZN4area5stripEii 1:7-7 artificial, "
    "_ZN4area6squareEi 1:0-0, ";

std::filesystem::path copy_of_schema_8(const temporary_folder& folder) {
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-8.db", folder / "e.db");
  return folder / "e.db";
}

std::string functions_of(evidence_store& store, std::int64_t measurement) {
  const auto e = store.load(measurement);
  if (!e) return e.error();
  std::string all;
  for (const auto& f : e->functions)
    all +=
        fmt::format("{} {}:{}-{}{}, ", f.symbol, f.file, f.start_line, f.end_line, f.artificial ? " artificial" : "");
  return all;
}

TEST(StoreOfSchema8, KeepsTheFunctions) {
  const temporary_folder folder;
  const auto path = copy_of_schema_8(folder);
  const std::string before = bytes_of(path);
  EXPECT_EQ(before[63], 8);
  auto reader = evidence_store::open_for_reading(path);
  ASSERT_TRUE(reader && *reader) << reader.error();
  expect_schema_2(**reader);  // from there it was taken over
  EXPECT_EQ(functions_of(**reader, 3), functions_of_schema_8);
  EXPECT_EQ(bytes_of(path), before);

  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(bytes_of(path)[63], schema_number);
  expect_schema_2(*store);
  EXPECT_EQ(functions_of(*store, 3), functions_of_schema_8);
  EXPECT_EQ(functions_of(**reader, 3), functions_of_schema_8);  // it was open before
  auto writer = store->resume(2, 3000);
  ASSERT_TRUE(writer) << writer.error();
  EXPECT_EQ(writer->function({"_Z1fv", 0, 3, 5, false}), 0U);  // known
  EXPECT_EQ(writer->function({"_Z1gv", 0, 3, 5, false}), 1U);
  writer->checkpoint();
  EXPECT_EQ(functions_of(*store, 2), "_Z1fv 0:3-5, _Z1gv 0:3-5, ");
}

TEST(StoreOfSchema8, StaysDamagedIfItsFunctionsWere) {
  const temporary_folder folder;
  const auto path = copy_of_schema_8(folder);
  {
    database db(path, database::mode::read_write);
    db.run("DELETE FROM function WHERE measurement=3 AND id=1");
  }
  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  EXPECT_NE(functions_of(*store, 3).find("malformed functions"), std::string::npos);
  EXPECT_EQ(functions_of(*store, 1), "_Z1fv 0:3-5, ");
  EXPECT_EQ(store->verify()->size(), 1U);
}

// ---- schema 9: did not know how functions decide

TEST(StoreOfSchema9, KnowsNoDecisionsAndTakesThem) {
  const temporary_folder folder;
  const auto path = folder / "e.db";
  std::filesystem::copy_file(MORPH_SOURCE_DIR "/tests/unit/data/evidence-schema-9.db", path);
  EXPECT_EQ(bytes_of(path)[63], 9);
  const auto decisions_of = [](evidence_store& store, std::int64_t measurement) {
    const auto e = store.load(measurement);
    EXPECT_TRUE(e) << e.error();
    EXPECT_EQ(e->decisions.size(), e->files.size());
    return e->decisions;
  };
  auto reader = evidence_store::open_for_reading(path);
  ASSERT_TRUE(reader && *reader) << reader.error();
  for (const auto& each : decisions_of(**reader, 1)) EXPECT_TRUE(each.empty());

  auto store = evidence_store::open_for_writing(path);
  ASSERT_TRUE(store) << store.error();
  EXPECT_EQ(bytes_of(path)[63], schema_number);
  for (const auto& each : decisions_of(*store, 1)) EXPECT_TRUE(each.empty());
}

}  // namespace
}  // namespace morph::store
