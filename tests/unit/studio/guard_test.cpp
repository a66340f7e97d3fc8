// Host, Origin, token, type: what is refused, and with which status.
#include "plugin/studio/guard.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

namespace morph::studio {
namespace {

constexpr std::uint16_t port = 4321;
const std::string token = "0123456789abcdef0123456789abcdef";

request good(const std::string& target = "/api/state", const std::string& method = "GET") {
  return {.method = method,
          .target = target,
          .host = "127.0.0.1:4321",
          .token = token,
          .content_type = method == "POST" ? "application/json" : ""};
}

/// 0: nothing is refused.
unsigned status_of(
    request asked, const std::function<void(request&)>& change = [](request&) {}) {
  change(asked);
  const auto no = refusal(asked, token, port);
  return no ? no->status : 0;
}

TEST(Guard, LetsOwnPagesIn) {
  EXPECT_EQ(status_of(good()), 0U);
  EXPECT_EQ(status_of(good("/api/runs", "POST")), 0U);
  EXPECT_EQ(status_of(good(), [](request& r) { r.host = "localhost:4321"; }), 0U);
  EXPECT_EQ(status_of(good(), [](request& r) { r.origin = "http://127.0.0.1:4321"; }), 0U);
}

TEST(Guard, RefusesOtherHosts) {
  for (const char* host : {"", "evil.example:4321", "127.0.0.1", "127.0.0.1:4322", "127.0.0.1:43210", "localhost",
                           "127.0.0.1:4321.evil.example", "[::1]:4321", "0.0.0.0:4321"})
    EXPECT_EQ(status_of(good("/"), [&](request& r) { r.host = host; }), 421U) << host;
}

TEST(Guard, TakesAHostWithoutAPortAtPort80) {
  request asked = good();
  asked.host = "localhost";
  EXPECT_FALSE(refusal(asked, token, 80));
}

TEST(Guard, RefusesPagesOfOtherOrigins) {
  for (const char* origin : {"", "null", "http://127.0.0.1:4322", "https://127.0.0.1:4321", "http://localhost:4321",
                             "http://127.0.0.1:4321.evil.example", "http://evil.example"})
    EXPECT_EQ(status_of(good("/"), [&](request& r) { r.origin = origin; }), 403U) << origin;
}

TEST(Guard, AsksForTheTokenEverywhereButOfPages) {
  const auto without = [](request& r) { r.token.clear(); };
  EXPECT_EQ(status_of(good("/"), without), 0U);
  EXPECT_EQ(status_of(good("/app/main.js"), without), 0U);
  for (const char* target : {"/api/state", "/api/events", "/api/source?file=a", "/api", "/%61pi/state", "//api/state",
                             "/app", "/other", "http://127.0.0.1:4321/api/state", "*", ""})
    EXPECT_EQ(status_of(good(target), without), 403U) << target;
}

TEST(Guard, RefusesWrongTokens) {
  for (const std::string& wrong :
       {std::string(), std::string("0"), token.substr(1), token + "0", std::string("0123456789abcdef0123456789abcdeg"),
        "x" + token.substr(1), std::string(32, '\0')})
    EXPECT_EQ(status_of(good(), [&](request& r) { r.token = wrong; }), 403U) << wrong;
}

TEST(Guard, RefusesWhatAFormCanSend) {
  for (const char* type :
       {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"})
    EXPECT_EQ(status_of(good("/api/runs", "POST"), [&](request& r) { r.content_type = type; }), 415U) << type;
}

TEST(Guard, ChecksTheHostFirst) {
  EXPECT_EQ(status_of(good(),
                      [](request& r) {
                        r.host = "evil.example";
                        r.token.clear();
                      }),
            421U);
}

TEST(Guard, SaysWhatToDo) {
  request asked = good();
  asked.token = "x";
  EXPECT_EQ(refusal(asked, token, port)->body,
            "{\"message\":\"the token is missing or is not that of this server; open the URL that `morph studio` "
            "printed\"}");
}

TEST(Guard, MakesTokensOf128Bits) {
  std::set<std::string> all;
  for (int i = 0; i < 100; ++i) {
    all.insert(new_token());
    EXPECT_EQ(all.rbegin()->size(), 32U);
    EXPECT_EQ(all.rbegin()->find_first_not_of("0123456789abcdef"), std::string::npos);
  }
  EXPECT_EQ(all.size(), 100U);
}

}  // namespace
}  // namespace morph::studio
