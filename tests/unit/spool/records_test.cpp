// Records of tests keep what they hold, and are read whatever happened to the file.
#include "plugin/spool/records.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::spool {
namespace {

using use = system::opened_file::use;

test_record full_record() {
  test_record r;
  r.test = "0123456789abcdef";
  r.at = 1800000000;
  r.wall_us = 12345;
  r.machine_started = -6789;
  r.status = 3;
  r.incomplete = "a debugger\n";
  r.left_processes = true;
  r.tells_files = true;
  r.entered = {{"key1", {0, 1, 127, 128, 300, 4000000000U}}, {"key2", {}}};
  r.variables = {"HOME", "\xff not text"};
  r.files = {{true, "/usr/bin/sh", use::reads, false}, {false, "/tmp/\xff", use::makes, true}, {false, "", use::hides}};
  r.states = {{"/usr/bin/sh", {true, false, 1700000000, 999999999, 125640, 42}}, {"/tmp/\xff", {}}};
  return r;
}

void expect_equal(const test_record& a, const test_record& b) {
  EXPECT_EQ(a.test, b.test);
  EXPECT_EQ(a.at, b.at);
  EXPECT_EQ(a.wall_us, b.wall_us);
  EXPECT_EQ(a.machine_started, b.machine_started);
  EXPECT_EQ(a.status, b.status);
  EXPECT_EQ(a.incomplete, b.incomplete);
  EXPECT_EQ(a.left_processes, b.left_processes);
  EXPECT_EQ(a.tells_files, b.tells_files);
  EXPECT_EQ(a.entered, b.entered);
  EXPECT_EQ(a.variables, b.variables);
  EXPECT_EQ(a.states, b.states);
  ASSERT_EQ(a.files.size(), b.files.size());
  for (std::size_t i = 0; i < a.files.size(); ++i) {
    EXPECT_EQ(a.files[i].path, b.files[i].path);
    EXPECT_EQ(a.files[i].how, b.files[i].how);
    EXPECT_EQ(a.files[i].changes, b.files[i].changes);
    EXPECT_EQ(a.files[i].by_program, b.files[i].by_program);
  }
}

test_record record_of(const std::string& test) {
  test_record r;
  r.test = test;
  return r;
}

std::vector<std::string> names_in(const std::string& bytes) {
  std::vector<std::string> names;
  for (const test_record& r : read_records(bytes)) names.push_back(r.test);
  return names;
}

TEST(Records, KeepAllThatTheyHold) {
  const auto read = read_records(as_bytes(full_record()));
  ASSERT_EQ(read.size(), 1U);
  expect_equal(read.front(), full_record());
  const auto empty = read_records(as_bytes({}));
  ASSERT_EQ(empty.size(), 1U);
  expect_equal(empty.front(), {});
}

TEST(Records, ThatAreTornAreLeftOutAndNoOthers) {
  const std::string one = as_bytes(record_of("one")), two = as_bytes(full_record()),
                    three = as_bytes(record_of("three"));
  for (std::size_t cut = 0; cut < two.size(); ++cut) {
    EXPECT_EQ(names_in(one + two.substr(0, cut) + three), (std::vector<std::string>{"one", "three"})) << cut;
    EXPECT_EQ(names_in(one + two.substr(0, cut)), std::vector<std::string>{"one"}) << cut;
  }
}

TEST(Records, OfWhichAByteIsAnotherAreLeftOut) {
  const std::string one = as_bytes(record_of("one")), two = as_bytes(full_record());
  for (std::size_t at = 0; at < two.size(); ++at) {
    std::string damaged = two;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    EXPECT_EQ(names_in(damaged + one), std::vector<std::string>{"one"}) << at;
  }
}

TEST(Records, OfAnotherVersionAreLeftOut) {
  const std::vector<std::uint8_t> other = nlohmann::json::to_cbor({{"test", "other"}});
  // A whole one, but for the fields that are missing.
  std::string whole = as_bytes(record_of("x"));
  EXPECT_EQ(names_in(std::string(other.begin(), other.end()) + whole), std::vector<std::string>{"x"});
  EXPECT_EQ(names_in(""), std::vector<std::string>());
  EXPECT_EQ(names_in("morphrow"), std::vector<std::string>());
}

TEST(Records, OfManyWritersAreWhole) {
  const morph::test_support::temporary_folder folder;
  const auto file = folder.path() / "run.rows";
  std::vector<std::thread> writers;
  for (int w = 0; w < 8; ++w)
    writers.emplace_back([&, w] {
      for (int i = 0; i < 50; ++i) {
        test_record r = full_record();
        r.test = std::to_string(w) + "." + std::to_string(i);
        r.incomplete.assign(static_cast<std::size_t>(i) * 100, 'x');
        EXPECT_TRUE(append(file, r));
      }
    });
  for (std::thread& w : writers) w.join();
  EXPECT_EQ(read_records(*system::read_file(file)).size(), 400U);
}

TEST(Records, OfAFileThatCannotBeWrittenAreAnError) {
  const auto written = append("/nowhere/run.rows", {});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error(), "'/nowhere/run.rows' cannot be written: No such file or directory");
}

TEST(Records, TellWhatAPathLeadsTo) {
  const morph::test_support::temporary_folder folder;
  EXPECT_EQ(state_of((folder.path() / "none").string()), file_state());
  EXPECT_TRUE(state_of(folder.path().string()).is_folder);
  const auto file = (folder.path() / "file").string();
  std::ofstream(file) << "12345";
  const file_state before = state_of(file);
  EXPECT_TRUE(before.is_there);
  EXPECT_FALSE(before.is_folder);
  EXPECT_EQ(before.size, 5U);
  std::ofstream(file + "2") << "12345";
  std::filesystem::rename(file + "2", file);
  EXPECT_NE(state_of(file), before);
}

}  // namespace
}  // namespace morph::spool
