// Stores that stay small: the oldest measurements go.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/store/store_examples.hpp"

namespace morph::store {
namespace {
using namespace morph::store_tests;
using morph::test_support::temporary_folder;

constexpr const char* shared_print = "print-of-all";

std::string print_of(std::int64_t created) {
  return fmt::format("print-of-{}", created);
}

/// With an overridden file, and a program of an object that all measurements know and one that is its own.
void add_measurement(evidence_store& store, const std::string& configuration, std::int64_t created,
                     std::size_t bytes = 10) {
  evidence e;
  const std::string hash = fmt::format("blob{}", created);
  e.info.taken_from = {"c0ffee", fmt::format("7ree{}", created), {{"a.cpp", hash}}};
  e.info.configuration = configuration;
  e.info.created = created;
  e.info.complete = true;
  e.links.push_back(
      {"tests", false, {{"a.o", "", false, false, shared_print}, {"b.o", "", false, false, print_of(created)}}});
  std::string large;
  for (std::size_t i = 0; i < bytes; ++i) large += static_cast<char>(i * i + i / 7);
  ASSERT_TRUE(store.add(e, {{hash, "text"}, {shared_print, "p"}, {print_of(created), large}}));
}

std::string all_of(evidence_store& store) {
  std::string all;
  const auto measurements = store.measurements();
  for (const measurement_info& m : *measurements)
    all +=
        fmt::format("{}{}{}{} ", m.configuration, m.created, store.blob(print_of(m.created)) ? "" : " without a print",
                    store.blob(fmt::format("blob{}", m.created)) ? "" : " without a file");
  return all;
}

TEST(StoreBounds, TheNewestOfEachConfigurationStay) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  for (const std::int64_t created : {3, 1, 5, 2, 4}) add_measurement(*store, "a", created);
  add_measurement(*store, "b", 0);
  const auto gone = store->keep_newest({2, 1000000000});
  ASSERT_TRUE(gone) << gone.error();
  EXPECT_EQ(gone->size(), 3U);
  EXPECT_EQ(all_of(*store), "a5 a4 b0 ");
  for (const std::int64_t created : {1, 2, 3}) EXPECT_FALSE(store->blob(print_of(created))) << created;
  EXPECT_FALSE(store->blob("blob3"));
  EXPECT_TRUE(store->blob(shared_print));
}

TEST(StoreBounds, TheOldestGoUntilTheFileIsSmallEnough) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  constexpr std::size_t large = 200000;
  for (const std::int64_t created : {1, 2, 3, 4, 5})
    add_measurement(*store, created % 2 == 1 ? "a" : "b", created, large);
  constexpr std::uint64_t room_for_two = 3 * large - 1;
  const auto gone = store->keep_newest({50, room_for_two});
  ASSERT_TRUE(gone) << gone.error();
  EXPECT_EQ(gone->size(), 3U);
  EXPECT_EQ(all_of(*store), "a5 b4 ");
  EXPECT_LE(std::filesystem::file_size(folder / "e.db"), room_for_two);
  EXPECT_EQ(store->keep_newest({50, 1})->size(), 1U);
  EXPECT_EQ(all_of(*store), "a5 ");
}

TEST(StoreBounds, NothingIsWrittenWhereNothingGoes) {
  const temporary_folder folder;
  auto store = evidence_store::open_for_writing(folder / "e.db");
  add_measurement(*store, "a", 1);
  add_measurement(*store, "a", 2);
  const std::string before = bytes_of(folder / "e.db");
  EXPECT_EQ(store->keep_newest({2, 1000000})->size(), 0U);
  EXPECT_EQ(bytes_of(folder / "e.db"), before);
}

}  // namespace
}  // namespace morph::store
