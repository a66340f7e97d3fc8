// Requests of HTTP over a socket, as any client might send them.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

namespace morph::end_to_end {

using headers = std::map<std::string, std::string>;  // names in lower case

struct response {
  int status = 0;
  headers fields{};
  std::string body{};
  nlohmann::json json() const { return nlohmann::json::parse(body); }
};

/// A connection to 127.0.0.1. Throws if there is none, and when nothing comes for a minute.
class http_connection {
 public:
  explicit http_connection(std::uint16_t port);
  http_connection(const http_connection&) = delete;
  http_connection& operator=(const http_connection&) = delete;
  ~http_connection();

  void send(const std::string& bytes) const;
  /// Head and body.
  response read_response();
  /// Up to the end of the head.
  response read_head();
  /// Without its end; throws at the end of the connection.
  std::string read_line();
  bool is_at_end();

 private:
  bool read_more();

  int socket_;
  std::string read_;
};

std::string text_of_request(const std::string& method, const std::string& target, const headers& fields,
                            const std::string& body);

}  // namespace morph::end_to_end
