// The file of a series of tests and its row, for who starts the program and who reads what its tests did (series.h).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/spool/series.h"
#include "plugin/system/result.hpp"

namespace morph::spool {

struct series_member {
  std::string name;                                     // as the framework calls the case
  std::string record;                                   // what its record is called; may be empty
  std::optional<std::vector<std::string>> arguments{};  // of main(), behind the program's name
};

/// Memory that the processes of a series share.
class series_file {
 public:
  /// Writes the file anew. If the first has arguments, main() is what runs each of them.
  static result<series_file> make(const std::filesystem::path& path, std::span<const series_member> members);
  static result<series_file> open(const std::filesystem::path& path);

  std::size_t size() const;  // cases
  std::string name(std::size_t number) const;
  std::string record(std::size_t number) const;
  bool has_begun(std::size_t number) const;
  bool is_over(std::size_t number) const;
  /// As wait() said; of one that is over.
  int status(std::size_t number) const;
  /// 1 + the number of the case that runs; 0: none does.
  std::uint32_t running() const;
  /// That runs it, if one does; else any.
  pid_t process() const;
  morph_probe::series_refusal refusal() const;

 private:
  std::string text_at(std::uint32_t offset) const;
  const morph_probe::series_header& header() const;
  const morph_probe::series_case& at(std::size_t number) const;

  std::shared_ptr<const char> memory_;
  std::size_t bytes_ = 0;
};

/// What one test of a series did.
struct series_row {
  bool has_ended = false;        // its last entry is there
  bool ended_by_itself = false;  // with this status
  bool left_processes = false;
  bool is_of_restored = false;  // its process ran another test before
  int status = 0;               // as wait() says
  std::int64_t at = 0;
  std::int64_t wall_us = 0;
  std::uint64_t output_begin = 0, output_end = 0;             // in the file that is the standard output
  std::map<std::string, std::vector<std::uint32_t>> entered;  // by key of the table: functions, ascending
  std::vector<std::string> variables;                         // ascending
  std::string incomplete;                                     // reasons, a line each
};

/// What the program itself did and what belongs to all: it is in each row.
constexpr std::uint32_t of_all = morph_probe::of_every_case;

/// Names of variables as ROW/variables has them, with a zero behind each; the last may have been cut off.
void add_names(std::string_view bytes, std::set<std::string>& to);

/// By number of the case; none that was torn. `row`: the folder. Empty if no test came to its end.
std::map<std::uint32_t, series_row> read_series(const std::filesystem::path& row);

/// The same of bytes: ROW/series, ROW/variables, ROW/incomplete, and what the program itself entered.
std::map<std::uint32_t, series_row> read_series(std::string_view entries, std::string_view variables,
                                                std::string_view incomplete,
                                                const std::map<std::string, std::vector<std::uint32_t>>& entered);

}  // namespace morph::spool
