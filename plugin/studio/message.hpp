// A request and its answer, as the server's rules see them: no socket, no parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace morph::studio {

struct request {
  std::string method{};
  std::string target{};  // path and query
  std::string host{};
  std::optional<std::string> origin{};
  std::string token{};         // X-Morph-Token
  std::string content_type{};  // without parameters
  std::string last_event{};    // Last-Event-ID
  std::string body{};
};

struct answer {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body{};
  std::string file{};                           // if not empty: its content is the body
  std::optional<std::uint64_t> events_after{};  // if set: a stream of the events after that one, without end
  std::string allowed{};                        // of status 405: the header Allow
};

/// {"message":"..."}
answer refused(unsigned status, const std::string& message);

}  // namespace morph::studio
