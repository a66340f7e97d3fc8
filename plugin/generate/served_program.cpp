// Messages to and from a program of calls.
#include "plugin/generate/served_program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "plugin/system/process.hpp"

namespace morph::generate {
namespace {

template <typename Value>
void put(std::string& to, Value value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put_text(std::string& to, const std::string& text) {
  put(to, static_cast<std::uint32_t>(text.size()));
  to += text;
}

void put_literal(std::string& to, const literal& of) {
  to += of.kind;
  if (of.kind == 'i') put(to, of.number);
  if (of.kind == 'd') put(to, of.real);
  if (of.kind == 's') put_text(to, of.text);
  if (of.kind == 'l') {
    put(to, static_cast<std::uint32_t>(of.elements.size()));
    for (const std::uint32_t each : of.elements) put(to, each);
  }
}

void put_sequence(std::string& to, const sequence& of) {
  put(to, static_cast<std::uint32_t>(of.size()));
  for (const call& each : of) {
    put(to, each.callable);
    put(to, static_cast<std::uint32_t>(each.arguments.size()));
    for (const argument& a : each.arguments) put(to, a.number * 4 + a.kind);
  }
}

class reader {
 public:
  explicit reader(const std::string& of) : at_(of.data()), end_(of.data() + of.size()) {}
  bool is_empty() const { return at_ == end_; }
  bool is_broken() const { return broken_; }
  template <typename Value>
  Value next() {
    Value made{};
    copy(&made, sizeof made);
    return made;
  }
  std::string text() {
    const auto size = next<std::uint32_t>();
    if (size > static_cast<std::size_t>(end_ - at_)) broken_ = true;
    std::string made(broken_ ? 0 : size, 0);
    copy(made.data(), made.size());
    return made;
  }

 private:
  void copy(void* to, std::size_t bytes) {
    broken_ = broken_ || static_cast<std::size_t>(end_ - at_) < bytes;
    if (broken_) return;
    std::memcpy(to, at_, bytes);
    at_ += bytes;
  }

  const char* at_;
  const char* end_;
  bool broken_ = false;
};

literal read_operand(reader& from) {
  literal made{.kind = from.next<char>()};
  if (made.kind == 'i') made.number = from.next<std::int64_t>();
  if (made.kind == 'd') made.real = from.next<double>();
  if (made.kind == 's') made.text = from.text();
  return made;
}

outcome read_outcome(reader& from) {
  outcome made;
  made.how = static_cast<morph_outcome>(from.next<std::uint8_t>());
  made.code = from.next<std::int32_t>();
  made.call = from.next<std::uint32_t>();
  for (auto left = from.next<std::uint32_t>(); left > 0 && !from.is_broken(); --left)
    made.left_out.push_back(from.next<std::uint32_t>());
  for (auto left = from.next<std::uint32_t>(); left > 0 && !from.is_broken(); --left) {
    const auto goal = from.next<std::uint32_t>();
    made.goals.emplace_back(goal, from.next<float>());
  }
  for (auto left = from.next<std::uint32_t>(); left > 0 && !from.is_broken(); --left)
    made.operands.push_back(read_operand(from));
  for (auto left = from.next<std::uint32_t>(); left > 0 && !from.is_broken(); --left) {
    observation each{.call = from.next<std::uint32_t>()};
    each.place = from.next<std::uint32_t>();
    each.text = from.text();
    made.observed.push_back(std::move(each));
  }
  made.exception = from.text();
  for (auto left = from.next<std::uint32_t>(); left > 0 && !from.is_broken(); --left) {
    node_seen each{.node = from.next<std::uint32_t>()};
    each.differing = from.next<std::uint32_t>();
    each.evaluations = from.next<std::uint32_t>();
    made.nodes.push_back(each);
  }
  return made;
}

constexpr std::uint32_t most_bytes = (64U << 20U) + 64;  // that the program sends
constexpr int most_silence = 300;                        // seconds: a batch that hangs in each of its sequences

/// False if the program has gone, or says nothing for too long; after an interrupt, for ten seconds.
bool receive(int from, void* to, std::size_t bytes) {
  char* at = static_cast<char*>(to);
  int silent = 0;
  while (bytes > 0) {
    pollfd ready{.fd = from, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, 1000) == 0 && ++silent > (system::interrupted() ? 10 : most_silence)) return false;
    if (ready.revents == 0) continue;
    silent = 0;
    const ssize_t got = ::read(from, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

tl::unexpected<std::string> gone() {
  return tl::unexpected(std::string("the program of generated calls has ended by itself"));
}

}  // namespace

void leave_out(sequence& calls, outcome& did) {
  if (did.left_out.empty()) return;
  std::vector<bool> kept(calls.size(), true);
  std::uint32_t before = 0;
  for (const std::uint32_t each : did.left_out) {
    if (each >= calls.size()) continue;
    kept[each] = false;
    before += each < did.call ? 1U : 0U;
  }
  calls = only(calls, kept);
  did.call -= before;
  if (calls.empty()) did.how = morph_outcome_no_value;
}

result<served_program> served_program::start(const std::filesystem::path& program,
                                             const std::filesystem::path& folder) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return tl::unexpected(fmt::format("a socket cannot be made: {}", std::strerror(errno)));
  const std::string number = std::to_string(ends[1]);
  char* const arguments[] = {const_cast<char*>(program.c_str()), const_cast<char*>(number.c_str()), nullptr};
  const pid_t process = ::fork();
  if (process < 0) return tl::unexpected(fmt::format("no process can be started: {}", std::strerror(errno)));
  if (process == 0) {
#ifdef SYS_close_range
    ::syscall(SYS_close_range, 3U, ~0U, 4U);  // CLOSE_RANGE_CLOEXEC: nothing else is inherited
#endif
    ::fcntl(ends[1], F_SETFD, 0);
    ::signal(SIGINT, SIG_IGN);  // a terminal sends it to all; it ends with its socket
    // Else each first call of a function changes a variable, which is put back
    // (plugin/runtime/generate/morph_globals.h).
    ::setenv("LD_BIND_NOW", "1", 1);
    if (::chdir(folder.c_str()) == 0) ::execv(program.c_str(), arguments);
    ::_exit(127);
  }
  ::close(ends[1]);
  return served_program(process, ends[0]);
}

served_program::served_program(served_program&& from) noexcept
    : process_(std::exchange(from.process_, 0)),
      socket_(std::exchange(from.socket_, -1)),
      literals_sent_(from.literals_sent_) {}

served_program::~served_program() {
  if (socket_ >= 0) ::close(socket_);
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

bool served_program::send(const std::string& message) const {
  std::string whole;
  put(whole, static_cast<std::uint32_t>(message.size()));
  whole += message;
  for (std::size_t done = 0; done < whole.size();) {
    const ssize_t put = ::send(socket_, whole.data() + done, whole.size() - done, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    done += static_cast<std::size_t>(put);
  }
  return true;
}

result<void> served_program::send_literals(const literal_table& literals) {
  if (literals_sent_ >= literals.size()) return {};
  std::string message;
  put(message, std::uint32_t{morph_message_literals});
  for (; literals_sent_ < literals.size(); ++literals_sent_)
    put_literal(message, literals[static_cast<std::uint32_t>(literals_sent_)]);
  if (!send(message)) return gone();
  return {};
}

result<std::vector<outcome>> served_program::ask(const std::string& message, std::size_t count) {
  std::uint32_t size = 0;
  if (!send(message) || !receive(socket_, &size, sizeof size)) return gone();
  if (size > most_bytes) return gone();
  std::string answer(size, 0);
  if (!receive(socket_, answer.data(), size)) return gone();
  reader from(answer);
  if (from.next<std::uint32_t>() != morph_message_ran) return gone();
  std::vector<outcome> made;
  for (std::size_t i = 0; i < count && !from.is_broken(); ++i) made.push_back(read_outcome(from));
  if (from.is_broken() || made.size() != count) return gone();
  return made;
}

result<std::vector<outcome>> served_program::run(std::span<const sequence> all, const literal_table& literals,
                                                 std::uint32_t flags) {
  if (auto sent = send_literals(literals); !sent) return tl::unexpected(sent.error());
  std::string message;
  put(message, std::uint32_t{morph_message_run});
  put(message, flags);
  put(message, static_cast<std::uint32_t>(all.size()));
  for (const sequence& each : all) put_sequence(message, each);
  return ask(message, all.size());
}

result<std::vector<outcome>> served_program::run_mutants(std::span<const mutated_run> all,
                                                         const literal_table& literals, std::uint32_t flags) {
  if (auto sent = send_literals(literals); !sent) return tl::unexpected(sent.error());
  std::string message;
  put(message, std::uint32_t{morph_message_run_mutants});
  put(message, flags);
  put(message, static_cast<std::uint32_t>(all.size()));
  for (const mutated_run& each : all) {
    for (const std::uint32_t word : {each.on.node, each.on.function, each.on.alternative, each.on.most_evaluations})
      put(message, word);
    put_sequence(message, *each.calls);
  }
  return ask(message, all.size());
}

double served_program::cpu_seconds() const {
  std::ifstream file(fmt::format("/proc/{}/stat", process_));
  std::string text;
  std::getline(file, text);
  const auto end = text.rfind(')');
  if (end == std::string::npos) return 0;
  unsigned long long times[4]{};
  if (std::sscanf(text.c_str() + end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu", &times[0],
                  &times[1], &times[2], &times[3]) != 4)
    return 0;
  return static_cast<double>(times[0] + times[1] + times[2] + times[3]) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace morph::generate
