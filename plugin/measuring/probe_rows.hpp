// Rows of tests of the user's own build: which functions their processes entered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "plugin/measuring/probe_names.hpp"
#include "plugin/measuring/session.hpp"
#include "plugin/spool/series.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

/// The tables of all programs and shared libraries of a build, in <build>/.morph/probes. A function is known by its
/// symbol and the sources whose objects define it: programs have functions of one name. Changes that are told by lines
/// affect every test that loaded the object.
struct probe_tables {
  struct named {
    store::element function;
    std::uint32_t table = 0;  // probe_elements::number
    auto operator<=>(const named&) const = default;
  };
  std::map<std::string, probe_elements> files;                    // by the key of the table
  std::map<std::string, std::string> keys;                        // by path, relative to the build tree
  std::unordered_map<std::string, std::vector<named>> by_symbol;  // ascending
  std::set<std::string> without;  // objects that are linked to something that can have no probes
  std::string refusing;           // a program that would not even start under probes; empty if there is none
};

/// Registers the units of all objects. Tables that are there stay, those of programs that are no more go. An error: the
/// build is not up to date. What each test of a program has entered by `base` gets no probe in a new table.
result<probe_tables> make_probe_tables(const session& m, const store::evidence* base = nullptr);

/// `libmorph_probe.so`. An error: Morph is not installed whole.
result<std::filesystem::path> probe_runtime();

class probe_rows {
 public:
  /// As make_probe_tables() and probe_runtime().
  static result<probe_rows> make(const session& m);

  /// Objects that are linked to something that can have no probes.
  const std::set<std::string>& without() const { return of_.without; }

  /// Before a process is started. It and its children record to one row.
  void begin(system::command& c);

  struct row {
    std::vector<store::element> elements;  // ascending
    std::uint32_t incomplete = 0;          // bits of morph_stream::incomplete
    std::vector<std::string> variables{};  // names that were asked for
    std::string why{};                     // the first reason
  };
  /// After its end.
  row take();

  /// As begin(), of a program that runs each of these tests in a process of its own.
  result<spool::series_file> begin_series(system::command& c, std::span<const spool::series_member> members);

  struct row_of_series {
    row did;
    spool::series_row said;  // without functions and variables
  };
  /// After its end. By number of the test; spool::of_all: what is in each of them.
  std::map<std::uint32_t, row_of_series> take_series();

 private:
  probe_rows() = default;
  /// Those of one table; false: it is none of these.
  bool add_table(const std::string& key, const std::vector<std::uint32_t>& functions, row& to) const;
  /// Whether something that the test started lives on, or ended behind it.
  bool has_left_processes();

  std::filesystem::path runtime_, tables_, rows_, build_;
  std::filesystem::path row_;  // of the process that was started last
  std::size_t started_ = 0;
  probe_tables of_;
  std::set<int> left_;  // processes that tests have left behind
};

}  // namespace morph::measuring
