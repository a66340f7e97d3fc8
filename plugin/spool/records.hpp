// What tests did that ctest ran, as the recorder writes it and the next plan reads it: a record a test.
//
// A file of records is only ever appended to, by one write() a record. Who reads it skips what is torn.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/system/file_watch.hpp"
#include "plugin/system/result.hpp"

namespace morph::spool {

/// What a path leads to.
struct file_state {
  bool is_there = false;
  bool is_folder = false;
  std::int64_t seconds = 0, nanoseconds = 0;  // of its last change (st_ctim)
  std::uint64_t size = 0, number = 0;
  bool operator==(const file_state&) const = default;
};
file_state state_of(const std::string& path);

/// When the machine started, in nanoseconds since 1970 by the clock as it is set now: it differs once that was set.
std::int64_t machine_started();

struct test_record {
  std::string test;
  std::int64_t at = 0;  // seconds since 1970: when it ended
  std::int64_t wall_us = 0;
  std::int64_t machine_started = 0;  // by the clock at the end of the test
  std::optional<int> status;         // with which its process ended by itself
  std::string incomplete;            // why the row may lack something; empty if nothing says so
  bool left_processes = false;
  bool tells_files = false;                                   // the kernel told which files it opened
  std::map<std::string, std::vector<std::uint32_t>> entered;  // by key of the table: functions, ascending
  std::vector<std::string> variables;                         // names that were asked for
  std::vector<system::opened_file> files;                     // in order, each once
  std::map<std::string, file_state> states;                   // of these files at the end, and where links lead to
};

/// Whole, with its length and a check sum.
std::string as_bytes(const test_record& record);

/// All that are whole.
std::vector<test_record> read_records(std::string_view bytes);

/// A file that is larger takes no record more.
constexpr std::uintmax_t largest_file = std::uintmax_t{1} << 30;

result<void> append(const std::filesystem::path& file, const test_record& record);

}  // namespace morph::spool
