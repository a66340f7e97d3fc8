// A test program that serves program mutants (plugin/runtime/morph_mutants.cpp), from outside.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "coverage/mutation/server_format.h"

namespace morph::mutation {

/// A value, or one line that says what happened.
template <typename Value>
using expected = tl::expected<Value, std::string>;

using set_variables = std::vector<std::pair<std::string, std::optional<std::string>>>;

struct mutant_program {
  std::string executable;
  std::vector<std::string> arguments;  // behind it
  std::string directory;
  set_variables environment;  // no value = unset
  std::string skip_status;  // of a program that is one test: the exit status that says it was skipped, if there is one
  std::string temporary;    // each server has a folder of its own in it for what tests write to TMPDIR
  double start_limit = 60;  // seconds until it greets
  /// More variables, for a server with this folder.
  std::function<set_variables(const std::string& folder)> also_set = [](const std::string&) { return set_variables(); };
  std::function<bool()> interrupted = [] { return false; };  // asked again and again: whether to stop
};

/// A node, and which of its alternatives had another value there than the original: bit k for number k, all of those
/// that are not compared.
struct reached_node {
  std::uint32_t node = 0;
  std::uint32_t differ = 0;
  std::uint32_t hits = 0;  // how often it was evaluated, at most morph_mutants::counted_hits
};

struct mutant_answer {
  morph_mutants::answer said{};
  std::vector<reached_node> reached;
  std::vector<std::uint32_t> failed;  // places in the request, if all failures were wanted
  std::string record{};               // of what the test observed, if that was wanted
};

/// Why there is no server.
struct start_failure {
  std::string message;
  morph_mutants::ending how = morph_mutants::ending::passed;  // of the program before its first test, if it was started
  std::int32_t detail = 0;                                    // as in an answer

  bool is_of_program() const { return how != morph_mutants::ending::passed; }
};

/// Runs until it is destroyed. Errors say what became of the program.
class mutant_server {
 public:
  /// With this mutant active from the start, if there is one: `node:alternative`. Those that run at one time have
  /// different numbers, below 1000.
  static tl::expected<mutant_server, start_failure> start(const mutant_program& program, const std::string& mutant = {},
                                                          unsigned number = 0);
  mutant_server(mutant_server&& other) noexcept;
  mutant_server& operator=(mutant_server&& other) noexcept;
  ~mutant_server();

  const std::vector<std::string>& tests() const { return tests_; }
  /// Where each of them is defined, `file:line`; empty if it does not say.
  const std::vector<std::string>& places() const { return places_; }
  const std::vector<reached_node>& reached_at_start() const { return reached_; }
  std::uint32_t nodes() const { return nodes_; }
  bool has_threads() const { return has_threads_; }

  /// Readable when there is an answer.
  int descriptor() const { return socket_; }
  /// What earlier tests have left in the server's folder is gone.
  expected<void> ask(const morph_mutants::request& what, const std::vector<morph_mutants::test_turn>& turns);
  expected<mutant_answer> take_answer();

 private:
  mutant_server(pid_t process, int socket) : process_(process), socket_(socket) {}
  tl::expected<void, start_failure> greet(double limit);
  bool read_all(void* to, std::size_t bytes) const;
  bool read_reached(std::vector<reached_node>& to, std::uint32_t count) const;
  int end();  // the status that it ended with

  pid_t process_ = -1;
  int socket_ = -1;
  std::vector<std::string> tests_;
  std::vector<std::string> places_;
  std::vector<reached_node> reached_;
  std::uint32_t nodes_ = 0;
  bool has_threads_ = false;
  std::string skip_status_;
  std::function<bool()> interrupted_;
  std::string temporary_;
  std::set<std::string> made_at_start_;  // in that folder
};

}  // namespace morph::mutation
