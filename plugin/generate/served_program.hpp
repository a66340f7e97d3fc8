// The compiled program of calls, from outside: it executes sequences and says what they did.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plugin/generate/literals.hpp"
#include "plugin/generate/sequence.hpp"
#include "plugin/system/result.hpp"

namespace morph::generate {

struct observation {
  std::uint32_t call = 0;
  std::uint32_t place = 0;  // 0: the result; k + 1: parameter k
  std::string text{};       // a letter for the kind, then the value

  bool operator==(const observation&) const = default;
};

/// A node that the original evaluated: bits of its alternatives that had another value there, as far as they were
/// compared, and how often.
struct node_seen {
  std::uint32_t node = 0, differing = 0, evaluations = 0;

  bool operator==(const node_seen&) const = default;
};

/// A mutant of a program of calls; alternative 0: the original, whose nodes are recorded.
struct mutant_switch {
  std::uint32_t node = 0, function = 0, alternative = 0, most_evaluations = 0;
};
struct mutated_run {
  const sequence* calls = nullptr;
  mutant_switch on{};
};

struct outcome {
  morph_outcome how = morph_outcome_passed;
  std::int32_t code = 0;
  std::uint32_t call = 0;                                // that it ended in
  std::vector<std::uint32_t> left_out{};                 // calls that lacked a value, if these may be left out
  std::vector<std::pair<std::uint32_t, float>> goals{};  // that it touched, with their distances; 0: reached
  std::vector<literal> operands{};                       // of comparisons
  std::vector<observation> observed{};
  std::string exception{};         // its type
  std::vector<node_seen> nodes{};  // if they were recorded

  /// How much memory there is, is another matter elsewhere.
  bool can_be_a_test() const {
    return how == morph_outcome_passed || (how == morph_outcome_threw && exception != "std::bad_alloc");
  }
};

/// Without the calls that lacked a value, in both. A sequence of which nothing is left lacks a value itself.
void leave_out(sequence& calls, outcome& did);

/// Starts with the constructor, ends with the destructor.
class served_program {
 public:
  static result<served_program> start(const std::filesystem::path& program, const std::filesystem::path& folder);
  served_program(served_program&& from) noexcept;
  served_program& operator=(served_program&&) = delete;
  ~served_program();

  /// Literals that are new in the table are sent first. `flags` of morph_run_flags. An error if the program has gone.
  result<std::vector<outcome>> run(std::span<const sequence> all, const literal_table& literals, std::uint32_t flags);

  /// The same for mutants, of a program that has them.
  result<std::vector<outcome>> run_mutants(std::span<const mutated_run> all, const literal_table& literals,
                                           std::uint32_t flags);

  /// CPU seconds that it and its processes have used.
  double cpu_seconds() const;

 private:
  served_program(pid_t process, int socket) : process_(process), socket_(socket) {}
  bool send(const std::string& message) const;
  result<void> send_literals(const literal_table& literals);
  result<std::vector<outcome>> ask(const std::string& message, std::size_t count);

  pid_t process_;
  int socket_;
  std::size_t literals_sent_ = 0;
};

}  // namespace morph::generate
