// Requests and what they get, without a socket.
#include "plugin/studio/studio.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "plugin/studio/pages.hpp"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::studio {
namespace {

using nlohmann::json;

class Studio : public testing::Test {
 protected:
  static settings set_in(const test_support::temporary_folder& folder) {
    std::filesystem::create_directories(folder / "build/.morph");
    return {.version = "1.2",
            .repository = folder.path(),
            .build = folder / "build",
            .store = folder / "db",
            .commands = {"plan"},
            .program = "/bin/echo"};
  }
  answer ask(const std::string& method, const std::string& target, const std::string& body = {},
             const std::string& last_event = {}) {
    return answer_to(at, {.method = method,
                          .target = target,
                          .host = "localhost:99",
                          .token = "secret",
                          .content_type = "application/json",
                          .last_event = last_event,
                          .body = body});
  }
  answer get(const std::string& target) { return ask("GET", target); }
  void await_end() {
    siginfo_t info{};
    ::waitid(P_PID, static_cast<id_t>(at.started.all().back().process), &info, WEXITED | WNOWAIT);
    at.started.note_ends();
  }

  test_support::temporary_folder folder;
  studio at{set_in(folder), 99, "secret"};
};

TEST_F(Studio, HasPages) {
  EXPECT_EQ(get("/").status, 200U);
  EXPECT_EQ(get("/").type, "text/html; charset=utf-8");
  EXPECT_EQ(get("/").body, get("/app/index.html").body);
  EXPECT_EQ(get("/").body, find_page("index.html")->text);
  for (const char* target : {"/app/", "/app/none.js", "/app/../index.html", "/index.html", "/app/%69ndex.html"})
    EXPECT_EQ(get(target).status, 404U) << target;
}

TEST_F(Studio, EmbedsFilesUnchanged) {
  EXPECT_FALSE(pages().empty());
  for (const page& each : pages())
    EXPECT_TRUE(each.text ==
                system::read_file(std::filesystem::path(MORPH_SOURCE_DIR "/templates/studio") / each.name).value())
        << each.name;
}

TEST_F(Studio, SaysWhichKindAPageIs) {
  EXPECT_EQ(mime_type("a/main.js"), "text/javascript; charset=utf-8");
  EXPECT_EQ(mime_type("style.css"), "text/css; charset=utf-8");
  EXPECT_EQ(mime_type("LICENSE"), "text/plain; charset=utf-8");
}

TEST_F(Studio, SaysItsState) {
  at.log.add({{"type", "x"}});
  EXPECT_EQ(json::parse(get("/api/state").body), json({{"schema", "morph.studio-state/1"},
                                                       {"version", "1.2"},
                                                       {"repository", folder.path().string()},
                                                       {"build", (folder / "build").string()},
                                                       {"commands", {"plan"}},
                                                       {"runs", json::array()},
                                                       {"last_event", 1}}));
}

TEST_F(Studio, StartsRuns) {
  const answer started = ask("POST", "/api/runs", R"({"arguments":["plan","--reasons"]})");
  EXPECT_EQ(started.status, 202U);
  EXPECT_EQ(json::parse(started.body), json({{"id", 1}, {"line", "morph plan --reasons"}}));
  EXPECT_EQ(get("/api/runs/1/output").status, 409U);
  await_end();
  const std::string file = get("/api/runs/1/output").file;
  const std::string printed = system::read_file(file).value();
  EXPECT_TRUE(printed.starts_with("plan --build " + (folder / "build").string() + " --json --progress-fd ")) << printed;
  EXPECT_TRUE(printed.ends_with(" --reasons\n")) << printed;
  EXPECT_EQ(json::parse(get("/api/state").body)["runs"][0]["exit"], 0);
  EXPECT_EQ(ask("POST", "/api/runs/1/stop").status, 409U);
}

TEST_F(Studio, StopsRuns) {
  const auto words = [](int) { return std::vector<std::string>{"sleep", "1000"}; };
  ASSERT_TRUE(at.started.start({"/bin/sleep", "sleep", {}, words}));
  EXPECT_EQ(ask("POST", "/api/runs/1/stop").status, 202U);
  await_end();
  EXPECT_EQ(at.started.find(1)->signal, SIGINT);
}

TEST_F(Studio, RefusesBadBodies) {
  const answer no = ask("POST", "/api/runs", "{}");
  EXPECT_EQ(no.status, 400U);
  EXPECT_EQ(json::parse(no.body)["message"], R"(the body is {"arguments":["plan","--reasons"]})");
  EXPECT_TRUE(at.started.all().empty());
}

TEST_F(Studio, KnowsItsRunsAlone) {
  for (const char* target : {"/api/runs/7/output", "/api/runs/x/output", "/api/runs/7", "/api/runs/", "/api/none"})
    EXPECT_EQ(get(target).status, 404U) << target;
  EXPECT_EQ(ask("POST", "/api/runs/7/stop").status, 404U);
  EXPECT_EQ(ask("POST", "/api/state").status, 404U);
}

TEST_F(Studio, StreamsEventsFromANumber) {
  EXPECT_EQ(get("/api/events").events_after, 0U);
  EXPECT_EQ(ask("GET", "/api/events", "", "12").events_after, 12U);
  EXPECT_EQ(ask("GET", "/api/events", "", "x").status, 400U);
}

TEST_F(Studio, ReadsSources) {
  folder.write("a b.cpp", "int a;");
  EXPECT_EQ(get("/api/source?file=a%20b.cpp").body, "int a;");
  EXPECT_EQ(get("/api/source?file=../x").status, 404U);
  EXPECT_EQ(get("/api/source?file=%2Fetc%2Fpasswd").status, 403U);
  EXPECT_EQ(get("/api/source").status, 400U);
  EXPECT_EQ(get("/api/source?file=%zz").status, 400U);
}

TEST_F(Studio, TakesGetAndPostAlone) {
  for (const char* method : {"PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"}) {
    EXPECT_EQ(ask(method, "/api/state").status, 405U) << method;
    EXPECT_EQ(ask(method, "/api/state").allowed, "GET, POST");
  }
}

}  // namespace
}  // namespace morph::studio
