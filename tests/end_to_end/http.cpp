// Sockets, heads, bodies.
#include "http.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "documents.hpp"

namespace morph::end_to_end {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

}  // namespace

http_connection::http_connection(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), sizeof to) != 0) {
    ::close(socket_);
    throw std::runtime_error(fmt::format("connect to port {}: {}", port, std::strerror(errno)));
  }
}

http_connection::~http_connection() {
  ::close(socket_);
}

void http_connection::send(const std::string& bytes) const {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t size = ::send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (size < 0) return;  // the server has answered before it read all
    sent += static_cast<std::size_t>(size);
  }
}

bool http_connection::read_more() {
  pollfd waiting{socket_, POLLIN, 0};
  if (::poll(&waiting, 1, 60'000) != 1) throw std::runtime_error("nothing came for a minute; before: " + read_);
  std::array<char, 65536> bytes;
  const ssize_t size = ::recv(socket_, bytes.data(), bytes.size(), 0);
  if (size <= 0) return false;
  read_.append(bytes.data(), static_cast<std::size_t>(size));
  return true;
}

std::string http_connection::read_line() {
  std::size_t end;
  while ((end = read_.find('\n')) == std::string::npos)
    if (!read_more()) throw std::runtime_error("the connection ended; before: " + read_);
  std::string line = read_.substr(0, end);
  read_.erase(0, end + 1);
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

response http_connection::read_head() {
  response made;
  const std::string first = read_line();
  if (!first.starts_with("HTTP/1.1 ")) throw std::runtime_error("no answer of HTTP: " + first);
  made.status = std::stoi(first.substr(9));
  for (std::string line; !(line = read_line()).empty();) {
    const std::size_t colon = line.find(": ");
    made.fields[lower(line.substr(0, colon))] = line.substr(colon + 2);
  }
  return made;
}

response http_connection::read_response() {
  response made = read_head();
  const auto size = std::stoul(made.fields.at("content-length"));
  while (read_.size() < size)
    if (!read_more()) throw std::runtime_error("the connection ended within a body");
  made.body = read_.substr(0, size);
  keep_document(made.body);
  read_.erase(0, size);
  return made;
}

bool http_connection::is_at_end() {
  return read_.empty() && !read_more();
}

std::string text_of_request(const std::string& method, const std::string& target, const headers& fields,
                            const std::string& body) {
  std::string text = fmt::format("{} {} HTTP/1.1\r\n", method, target);
  for (const auto& [name, value] : fields) text += fmt::format("{}: {}\r\n", name, value);
  if (method == "POST") text += fmt::format("Content-Length: {}\r\n", body.size());
  return text + "\r\n" + body;
}

}  // namespace morph::end_to_end
