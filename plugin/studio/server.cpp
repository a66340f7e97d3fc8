// One thread polls sockets, pipes of children, inotify, signals. The only source that reads Asio and Beast.
#include "plugin/studio/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "plugin/studio/guard.hpp"
#include "plugin/studio/store_watch.hpp"
#include "plugin/studio/studio.hpp"

namespace morph::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using tcp = asio::ip::tcp;
using boost::system::error_code;
using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr long most_connections = 256;
constexpr std::size_t most_head = 16 << 10;
constexpr std::size_t most_body = 1 << 20;
constexpr std::size_t most_at_once = 64 << 10;  // bytes of events
constexpr auto patience = 60s;                  // with a peer that neither sends nor reads
constexpr auto silence = 15s;                   // after which a stream sends a comment
constexpr auto settling = 500ms;                // of the store, after its first change
constexpr auto mercy = 5s;                      // between SIGINT and SIGKILL

/// Asio makes sockets that children would inherit.
template <typename Socket>
void keep_from_children(Socket& socket) {
  ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);
}

void add_headers(http::fields& to) {
  to.set("Content-Security-Policy", "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  to.set("X-Content-Type-Options", "nosniff");
  to.set("Cross-Origin-Opener-Policy", "same-origin");
  to.set("Cross-Origin-Resource-Policy", "same-origin");
  to.set("Referrer-Policy", "no-referrer");
  to.set(http::field::cache_control, "no-store");
}

std::string text_of(beast::string_view text) {
  return {text.data(), text.size()};
}

template <typename Body>
http::response<Body> head_of(const answer& what, bool stays_open) {
  http::response<Body> made;
  made.version(11);
  made.result(what.status);
  made.keep_alive(stays_open);
  add_headers(made);
  made.set(http::field::content_type, what.type);
  if (!what.allowed.empty()) made.set(http::field::allow, what.allowed);
  return made;
}

/// A connection that gets events until one of its ends closes. It holds no more than one piece of them.
class event_stream : public std::enable_shared_from_this<event_stream> {
 public:
  event_stream(tcp::socket socket, const event_log& log, std::uint64_t after, std::shared_ptr<const bool> counted)
      : socket_(std::move(socket)), log_(log), after_(after), counted_(std::move(counted)) {}

  void begin() {
    http::response<http::empty_body> head = head_of<http::empty_body>({.type = "text/event-stream"}, false);
    std::ostringstream text;
    text << head.base();
    piece_ = text.str();
    write();
    notice_end();
  }
  void advance() {
    if (is_writing_ || !socket_.is_open()) return;
    piece_ = log_.stream(after_, most_at_once);
    if (!piece_.empty()) write();
  }
  /// False: it is over.
  bool check(clock::time_point now) {
    if (is_writing_ && now - began_ > patience) close();
    if (!is_writing_ && socket_.is_open() && now - began_ > silence) {
      piece_ = ":\n\n";
      write();
    }
    return socket_.is_open();
  }

 private:
  void write() {
    is_writing_ = true;
    began_ = clock::now();
    asio::async_write(socket_, asio::buffer(piece_), [self = shared_from_this()](error_code error, std::size_t) {
      self->is_writing_ = false;
      if (error) return self->close();
      self->advance();
    });
  }
  /// The peer has nothing to say: what it sends is its end.
  void notice_end() {
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) { self->close(); });
  }
  void close() {
    error_code ignored;
    socket_.close(ignored);
  }

  tcp::socket socket_;
  const event_log& log_;
  std::uint64_t after_;
  std::shared_ptr<const bool> counted_;
  std::string piece_;
  bool is_writing_ = false;
  clock::time_point began_ = clock::now();
};

class server {
 public:
  server(asio::io_context& context, tcp::acceptor acceptor, const settings& of)
      : context_(context),
        acceptor_(std::move(acceptor)),
        signals_(context, SIGINT, SIGTERM),
        ends_(context, SIGCHLD),
        tick_(context),
        last_(context),
        refused_(context),
        store_(of.store),
        store_events_(context),
        store_settles_(context),
        studio_(of, acceptor_.local_endpoint().port(), new_token()) {
    struct sigaction hangup {};
    ::sigaction(SIGHUP, nullptr, &hangup);
    if (hangup.sa_handler != SIG_IGN) signals_.add(SIGHUP);  // nohup
  }

  address where() const {
    return {studio_.port, fmt::format("http://127.0.0.1:{}/#token={}", studio_.port, studio_.token)};
  }

  void begin() {
    accept();
    take_signals();
    take_ends();
    tick();
    if (store_.descriptor() >= 0) {
      store_events_.assign(::fcntl(store_.descriptor(), F_DUPFD_CLOEXEC, 0));
      watch_store();
    }
  }

  answer reply(const request& asked) {
    if (is_ending_) return refused(503, "`morph studio` is ending");
    const std::uint64_t before = studio_.log.last();
    answer made = answer_to(studio_, asked);
    if (asked.method == "POST") watch_new_runs();
    if (studio_.log.last() != before) tell_streams();
    return made;
  }
  void follow(tcp::socket socket, std::uint64_t after, std::shared_ptr<const bool> counted) {
    streams_.push_back(std::make_shared<event_stream>(std::move(socket), studio_.log, after, std::move(counted)));
    streams_.back()->begin();
  }

 private:
  using pipe = asio::posix::stream_descriptor;

  void accept();

  void take_signals() {
    signals_.async_wait([this](error_code error, int) {
      if (error) return;
      end_children();
      take_signals();
    });
  }

  void end_children() {
    error_code ignored;
    acceptor_.close(ignored);
    if (studio_.started.running() == 0) return context_.stop();
    if (std::exchange(is_ending_, true)) return kill_children();
    studio_.started.interrupt_all();
    last_.expires_after(mercy);
    last_.async_wait([this](error_code error) {
      if (!error) kill_children();
    });
  }
  void kill_children() {
    studio_.started.kill_all();
    last_.expires_after(mercy);
    last_.async_wait([this](error_code error) {
      if (!error) context_.stop();  // the kernel does not let go of one
    });
  }

  void take_ends() {
    ends_.async_wait([this](error_code error, int) {
      if (error) return;
      for (const std::uint64_t id : studio_.started.note_ends()) pipes_.erase(id);
      tell_streams();
      // Behind the handler that sends what has just happened.
      if (is_ending_ && studio_.started.running() == 0) return asio::post(context_, [this] { context_.stop(); });
      take_ends();
    });
  }

  void watch_new_runs() {
    for (const run& each : studio_.started.all()) {
      if (each.has_ended || pipes_.contains(each.id)) continue;
      std::vector<std::unique_ptr<pipe>>& pipes = pipes_[each.id];
      for (const auto& [end, from] : {std::pair{each.errors.get(), runs::channel::errors},
                                      std::pair{each.progress.get(), runs::channel::progress},
                                      std::pair{each.printed.get(), runs::channel::printed}}) {
        if (end < 0) continue;
        pipes.push_back(std::make_unique<pipe>(context_, ::fcntl(end, F_DUPFD_CLOEXEC, 0)));
        read(*pipes.back(), each.id, from);
      }
    }
  }
  void read(pipe& end, std::uint64_t id, runs::channel from) {
    end.async_wait(pipe::wait_read, [this, &end, id, from](error_code error) {
      if (error) return;
      const bool has_more = studio_.started.read(id, from);
      tell_streams();
      if (has_more) read(end, id, from);
    });
  }

  void watch_store() {
    store_events_.async_wait(pipe::wait_read, [this](error_code error) {
      if (error) return;
      store_.take_events();
      store_settles_.expires_after(settling);
      store_settles_.async_wait([this](error_code cancelled) {
        if (cancelled) return;
        if (store_.has_changed()) {
          studio_.log.add({{"type", "changed"}, {"what", "store"}});
          tell_streams();
        }
        watch_store();
      });
    });
  }

  void tick() {
    tick_.expires_after(1s);
    tick_.async_wait([this](error_code error) {
      if (error) return;
      studio_.started.check_outputs();
      const auto now = clock::now();
      std::erase_if(streams_, [&](const auto& each) { return !each->check(now); });
      tick();
    });
  }

  /// Once for all that happened before the loop gets here.
  void tell_streams() {
    if (std::exchange(has_news_, true)) return;
    asio::post(context_, [this] {
      has_news_ = false;
      for (const auto& each : streams_) each->advance();
    });
  }

  asio::io_context& context_;
  tcp::acceptor acceptor_;
  asio::signal_set signals_, ends_;
  asio::steady_timer tick_, last_, refused_;
  store_watch store_;
  pipe store_events_;
  asio::steady_timer store_settles_;
  studio studio_;
  std::map<std::uint64_t, std::vector<std::unique_ptr<pipe>>> pipes_;
  std::vector<std::shared_ptr<event_stream>> streams_;
  std::shared_ptr<const bool> counted_ = std::make_shared<const bool>(true);  // held by each connection
  bool has_news_ = false, is_ending_ = false;
};

/// Requests of one peer, one after another.
class connection : public std::enable_shared_from_this<connection> {
 public:
  connection(tcp::socket socket, server& of, std::shared_ptr<const bool> counted)
      : stream_(std::move(socket)), server_(of), counted_(std::move(counted)) {}

  void read() {
    parser_.emplace();
    parser_->header_limit(most_head);
    parser_->body_limit(most_body);
    stream_.expires_after(patience);
    http::async_read(stream_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, std::size_t) { self->take(error); });
  }

 private:
  void take(error_code error) {
    if (error == http::error::body_limit)
      return send(refused(413, fmt::format("the body is longer than {} bytes", most_body)), false);
    if (error == http::error::header_limit) return send(refused(431, "the header is too long"), false);
    if (error == http::error::end_of_stream) return;
    if (error.category() == http::make_error_code(http::error::bad_method).category())
      return send(refused(400, "this is no request of HTTP: " + error.message()), false);
    if (error) return;
    answer made = server_.reply(request_of(parser_->get()));
    if (made.events_after) return server_.follow(stream_.release_socket(), *made.events_after, counted_);
    const bool may_have_no_body = made.status == 405;  // of HEAD
    send(std::move(made), parser_->get().keep_alive() && !may_have_no_body);
  }

  static request request_of(http::request<http::string_body>& from) {
    request made;
    made.method = text_of(from.method_string());
    made.target = text_of(from.target());
    made.host = text_of(from[http::field::host]);
    if (from.find(http::field::origin) != from.end()) made.origin = text_of(from[http::field::origin]);
    made.token = text_of(from["X-Morph-Token"]);
    const std::string type = text_of(from[http::field::content_type]);
    made.content_type = type.substr(0, type.find_first_of("; "));
    made.last_event = text_of(from["Last-Event-ID"]);
    made.body = std::move(from.body());
    return made;
  }

  void send(answer what, bool stays_open) {
    if (!what.file.empty()) return send_file(what, stays_open);
    auto message = std::make_shared<http::response<http::string_body>>(head_of<http::string_body>(what, stays_open));
    message->body() = std::move(what.body);
    write(message);
  }
  void send_file(const answer& what, bool stays_open) {
    auto message = std::make_shared<http::response<http::file_body>>(head_of<http::file_body>(what, stays_open));
    error_code error;
    message->body().open(what.file.c_str(), beast::file_mode::scan, error);
    if (error) return send(refused(500, "the output cannot be read: " + error.message()), stays_open);
    write(message);
  }
  template <typename Message>
  void write(std::shared_ptr<Message> message) {
    message->prepare_payload();
    stream_.expires_after(patience);
    const bool stays_open = message->keep_alive();
    http::async_write(stream_, *message,
                      [self = shared_from_this(), message, stays_open](error_code error, std::size_t) {
                        if (error) return;
                        if (stays_open) return self->read();
                        self->end();
                      });
  }

  /// What the peer still sends is read and dropped: else the kernel could drop our answer.
  void end() {
    error_code ignored;
    stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    stream_.expires_after(5s);
    drop();
  }
  void drop() {
    buffer_.clear();
    stream_.async_read_some(buffer_.prepare(most_at_once),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              self->dropped_ += size;
                              if (!error && self->dropped_ < 16 * most_body) self->drop();
                            });
  }

  beast::tcp_stream stream_;
  server& server_;
  std::shared_ptr<const bool> counted_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  std::size_t dropped_ = 0;
};

void server::accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (!acceptor_.is_open()) return;
    if (error) {  // no descriptor is left, perhaps
      refused_.expires_after(100ms);
      refused_.async_wait([this](error_code cancelled) {
        if (!cancelled) accept();
      });
      return;
    }
    keep_from_children(socket);
    if (counted_.use_count() <= most_connections)
      std::make_shared<connection>(std::move(socket), *this, counted_)->read();
    accept();
  });
}

result<tcp::acceptor> listen(asio::io_context& context, std::uint16_t port) {
  tcp::acceptor acceptor(context);
  error_code error;
  acceptor.open(tcp::v4(), error);
  if (!error) keep_from_children(acceptor);
  if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor.bind({asio::ip::address_v4::loopback(), port}, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return acceptor;
  if (error == asio::error::address_in_use)
    return tl::unexpected(fmt::format(
        "port {} is taken; name another with --port, or leave it out: then any that is free is taken", port));
  return tl::unexpected(fmt::format("cannot listen at 127.0.0.1:{}: {}", port, error.message()));
}

}  // namespace

result<void> serve(const settings& of, const std::function<void(const address&)>& on_ready) {
  asio::io_context context(1);
  auto acceptor = listen(context, of.port);
  if (!acceptor) return tl::unexpected(acceptor.error());
  server all(context, std::move(*acceptor), of);
  all.begin();
  on_ready(all.where());
  context.run();
  return {};
}

}  // namespace morph::studio
