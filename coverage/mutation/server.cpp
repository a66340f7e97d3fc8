// The child's start, its greeting, questions and answers on the socket.
#include "coverage/mutation/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "coverage/mutation/temporary_files.hpp"

namespace morph::mutation {
namespace {

constexpr std::uint32_t most_bytes = 1U << 30;
constexpr std::uint64_t most_record_bytes = 1ULL << 29;
constexpr int served_descriptor = 200;

[[noreturn]] void become(const mutant_program& program, const std::string& mutant, const std::string& temporary,
                         int socket) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setpgid(0, 0);
  ::personality(ADDR_NO_RANDOMIZE);  // what reads memory that is not its own does so alike in every run
  const int nowhere = ::open("/dev/null", O_RDWR);
  for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, standard);
  if (nowhere > STDERR_FILENO) ::close(nowhere);
  if (!program.directory.empty() && ::chdir(program.directory.c_str()) != 0) ::_exit(127);
  ::setenv("TMPDIR", temporary.c_str(), 1);
  for (const auto& [name, value] : program.environment) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  for (const auto& [name, value] : program.also_set(temporary)) {
    if (value)
      ::setenv(name.c_str(), value->c_str(), 1);
    else
      ::unsetenv(name.c_str());
  }
  // The same number, and thereby the same memory, in every server.
  ::dup2(socket, served_descriptor);
  ::setenv("MORPH_MUTANTS_FD", std::to_string(served_descriptor).c_str(), 1);
  if (!mutant.empty()) ::setenv("MORPH_MUTANT", mutant.c_str(), 1);
  std::vector<char*> arguments{const_cast<char*>(program.executable.c_str())};
  for (const std::string& each : program.arguments) arguments.push_back(const_cast<char*>(each.c_str()));
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  ::_exit(127);
}

std::string describe_status(int status) {
  if (WIFSIGNALED(status))
    return fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  return fmt::format("exit status {}", WEXITSTATUS(status));
}

start_failure early_end(std::string_view when, int status) {
  const std::string message = fmt::format("it ended {} ({})", when, describe_status(status));
  if (WIFSIGNALED(status)) return {message, morph_mutants::ending::crashed, WTERMSIG(status)};
  const bool is_endless = WEXITSTATUS(status) == morph_mutants::hit_limit_status;
  return {message, is_endless ? morph_mutants::ending::hit_limit : morph_mutants::ending::lost, WEXITSTATUS(status)};
}

/// Strings with a zero after each.
std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> strings;
  for (std::size_t at = 0; at < all.size(); at += strings.back().size() + 1) strings.emplace_back(all.data() + at);
  return strings;
}

}  // namespace

tl::expected<mutant_server, start_failure> mutant_server::start(const mutant_program& program,
                                                                const std::string& mutant, unsigned number) {
  // Of one length, and thereby the same memory, in every server.
  const std::string temporary = fmt::format("{}/{:03}", program.temporary, number);
  empty_folder(temporary);
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(start_failure{fmt::format("no socket: {}", std::strerror(errno))});
  const pid_t process = ::fork();
  if (process == 0) become(program, mutant, temporary, ends[1]);
  ::close(ends[1]);
  if (process < 0) {
    ::close(ends[0]);
    return tl::unexpected(
        start_failure{fmt::format("'{}' cannot be started: {}", program.executable, std::strerror(errno))});
  }
  mutant_server server(process, ends[0]);
  if (auto greeted = server.greet(program.start_limit); !greeted) {
    start_failure why = greeted.error();
    why.message = fmt::format("'{}': {}", program.executable, why.message);
    return tl::unexpected(std::move(why));
  }
  server.skip_status_ = program.skip_status;
  server.interrupted_ = program.interrupted;
  server.temporary_ = temporary;
  server.made_at_start_ = names_in(temporary);
  return server;
}

mutant_server::mutant_server(mutant_server&& other) noexcept {
  *this = std::move(other);
}

mutant_server& mutant_server::operator=(mutant_server&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  std::swap(tests_, other.tests_);
  std::swap(places_, other.places_);
  std::swap(reached_, other.reached_);
  std::swap(nodes_, other.nodes_);
  std::swap(has_threads_, other.has_threads_);
  std::swap(skip_status_, other.skip_status_);
  std::swap(interrupted_, other.interrupted_);
  std::swap(temporary_, other.temporary_);
  std::swap(made_at_start_, other.made_at_start_);
  return *this;
}

mutant_server::~mutant_server() {
  if (process_ > 0) end();
}

int mutant_server::end() {
  ::close(socket_);
  ::kill(-process_, SIGKILL);
  int status = 0;
  // A program that has ended by itself is a zombie, and keeps its status.
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) continue;
  process_ = -1;
  return status;
}

bool mutant_server::read_all(void* to, std::size_t bytes) const {
  char* at = static_cast<char*>(to);
  while (bytes != 0) {
    const auto got = ::read(socket_, at, bytes);
    if (got < 0 && errno == EINTR && !interrupted_()) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

bool mutant_server::read_reached(std::vector<reached_node>& to, std::uint32_t count) const {
  std::vector<std::uint32_t> nodes(count), differ(count), hits(count);
  for (auto* numbers : {&nodes, &differ, &hits})
    if (!read_all(numbers->data(), count * sizeof(std::uint32_t))) return false;
  for (std::uint32_t i = 0; i < count; ++i) to.push_back({nodes[i], differ[i], hits[i]});
  return true;
}

tl::expected<void, start_failure> mutant_server::greet(double limit) {
  pollfd ready{socket_, POLLIN, 0};
  if (::poll(&ready, 1, static_cast<int>(limit * 1000)) <= 0)
    return tl::unexpected(start_failure{fmt::format("it did not reach its first test within {} s", limit),
                                        morph_mutants::ending::wall_limit});
  morph_mutants::greeting hello{};
  if (!read_all(&hello, sizeof hello)) return tl::unexpected(early_end("before its first test", end()));
  if (hello.version != morph_mutants::protocol_version || hello.name_bytes > most_bytes ||
      hello.place_bytes > most_bytes || hello.reached > hello.nodes)
    return tl::unexpected(start_failure{"it was built for another version of Morph; remove the mutation twin"});
  std::string names(hello.name_bytes, '\0'), places(hello.place_bytes, '\0');
  if (!read_all(names.data(), names.size()) || !read_all(places.data(), places.size()) ||
      !read_reached(reached_, hello.reached))
    return tl::unexpected(early_end("while it told of its tests", end()));
  tests_ = split(names);
  places_ = split(places);
  places_.resize(tests_.size());
  nodes_ = hello.nodes;
  has_threads_ = hello.has_threads != 0;
  return {};
}

expected<void> mutant_server::ask(const morph_mutants::request& what,
                                  const std::vector<morph_mutants::test_turn>& turns) {
  empty_folder(temporary_, made_at_start_);
  std::string message(sizeof what + turns.size() * sizeof(morph_mutants::test_turn), '\0');
  std::memcpy(message.data(), &what, sizeof what);
  if (!turns.empty())
    std::memcpy(message.data() + sizeof what, turns.data(), turns.size() * sizeof(morph_mutants::test_turn));
  for (std::size_t done = 0; done < message.size();) {
    const auto sent = ::send(socket_, message.data() + done, message.size() - done, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0)
      return tl::unexpected(fmt::format("the test program ended between two mutants ({})", describe_status(end())));
    done += static_cast<std::size_t>(sent);
  }
  return {};
}

expected<mutant_answer> mutant_server::take_answer() {
  mutant_answer answer;
  if (!read_all(&answer.said, sizeof answer.said) || answer.said.reached > nodes_ ||
      answer.said.failures > tests_.size() || answer.said.record_bytes > most_record_bytes)
    return tl::unexpected(fmt::format("the test program ended while it served mutants ({})", describe_status(end())));
  if (answer.said.how == morph_mutants::ending::exited && std::to_string(answer.said.detail) == skip_status_) {
    answer.said.how = morph_mutants::ending::passed;
    answer.said.skipped = 1;
  }
  answer.failed.resize(answer.said.failures);
  answer.record.resize(answer.said.record_bytes);
  if (!read_reached(answer.reached, answer.said.reached) ||
      !read_all(answer.failed.data(), answer.failed.size() * sizeof(std::uint32_t)) ||
      !read_all(answer.record.data(), answer.record.size()))
    return tl::unexpected(fmt::format("the test program ended while it served mutants ({})", describe_status(end())));
  return answer;
}

}  // namespace morph::mutation
