// Rows of tests of the user's own build: which functions their processes entered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "plugin/measuring/session.hpp"
#include "plugin/system/process.hpp"
#include "plugin/system/result.hpp"

namespace morph::measuring {

/// The tables of all programs and shared libraries of a build, and what they mean in a measurement. A function is known
/// by its symbol and the sources whose objects define it: programs have functions of one name. Changes that are told by
/// lines affect every test that loaded the object.
class probe_rows {
 public:
  /// Writes the tables beside the build. An error: the build is not up to date, or Morph is not installed whole.
  static result<probe_rows> make(const session& m);

  /// Whether an object is linked to something that can have no probes.
  bool lacks(const std::string& object) const { return without_.contains(object); }

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

 private:
  struct probed_file {
    std::vector<std::vector<store::element>> functions;  // by number in the table
    std::vector<store::element> units;
  };

  probe_rows() = default;
  /// Whether something that the test started lives on, or ended behind it.
  bool has_left_processes();
  using files_of_symbols = std::map<std::string, std::vector<std::uint32_t>, std::less<>>;
  result<void> add(const session& m, const std::filesystem::path& file, const std::vector<store::element>& units,
                   const files_of_symbols& defined);

  std::filesystem::path runtime_, tables_, rows_, build_;
  std::filesystem::path row_;  // of the process that was started last
  std::size_t started_ = 0;
  std::set<int> left_;                        // processes that tests have left behind
  std::map<std::string, probed_file> files_;  // by the key of the table
  std::set<std::string> without_;             // objects
};

}  // namespace morph::measuring
