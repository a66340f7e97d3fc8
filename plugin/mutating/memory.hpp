// Verdicts on program mutants of earlier runs, as far as they still hold.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "coverage/mutation/judge.hpp"
#include "plugin/system/result.hpp"

namespace morph::mutating {

struct remembered_test {
  std::string name;
  std::string content;       // digest; another one, another test
  std::string why_left_out;  // in the last run; empty if it judged
  std::string in_build{};    // what it does in the ordinary build, if that is something else

  bool operator==(const remembered_test&) const = default;
};

/// All that is remembered of one test program.
class program_memory {
 public:
  /// Forgets everything if that changed on which all verdicts hang: compiler, options, how the program is started.
  void begin_run(const std::string& conditions);

  /// The tests of this run, by their numbers.
  void set_tests(std::vector<remembered_test> tests);
  const std::vector<remembered_test>& tests() const { return tests_; }

  /// In numbers of the tests set last; those that are gone or have changed are missing.
  std::optional<mutation::program_verdict> recall(const std::string& mutant) const;
  bool knows(const std::string& mutant) const { return verdicts_.contains(mutant); }

  /// A mutant that was not judged stays what it was.
  void remember(const std::string& mutant, const mutation::program_verdict& verdict);

  /// Without tests that are gone and that no verdict names any more.
  nlohmann::json to_json() const;
  static program_memory from_json(const nlohmann::json& json);

 private:
  struct entry {
    mutation::program_verdict verdict;  // tests by their places in known_
    std::uint32_t seen = 0;             // the last run that had the mutant
  };
  std::vector<std::uint32_t> to_known(const std::vector<std::uint32_t>& tests) const;
  std::vector<std::uint32_t> to_current(const std::vector<std::uint32_t>& known) const;

  std::string conditions_;
  std::uint32_t run_ = 0;
  std::vector<std::pair<std::string, std::string>> known_;  // name and content of every test that any verdict may name
  std::map<std::pair<std::string, std::string>, std::uint32_t> place_in_known_;
  std::vector<remembered_test> tests_;
  std::vector<std::uint32_t> known_of_test_;
  std::vector<std::optional<std::uint32_t>> test_of_known_;
  std::unordered_map<std::string, entry> verdicts_;
};

struct verdict_memory {
  std::map<std::string, program_memory> programs;
  /// Of everything that verdicts can hang on, when every mutant had one; else empty.
  std::string settled;
  bool all_killers = false;  // settled ones name all tests that kill
};

/// What cannot be read is forgotten.
verdict_memory load_verdicts(const std::filesystem::path& path);
result<void> save_verdicts(const std::filesystem::path& path, const verdict_memory& memory);

}  // namespace morph::mutating
