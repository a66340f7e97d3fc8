// morph studio: the real server on a real socket, the commands that it starts, and how it ends them.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "documents.hpp"
#include "http.hpp"
#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// A program of two tests, one of which waits at a gate, and a command that never ends.
workspace& guarded_project() {
  static workspace shared;
  static const bool made = [] {
    project& p = shared.here();
    p.write("CMakeLists.txt", R"(cmake_minimum_required(VERSION 3.25)
project(Guarded CXX)
enable_testing()
find_package(GTest REQUIRED)
find_package(Morph REQUIRED)
add_executable(guarded_tests guarded_test.cpp)
target_link_libraries(guarded_tests GTest::gtest_main)
morph_add_suite(guarded TARGET guarded_tests)
)");
    p.write("guarded_test.cpp", R"(#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>
#include <fstream>

TEST(Guarded, Before) {
  EXPECT_TRUE(true);
}

TEST(Guarded, UntilLetGo) {
  std::ofstream(getenv("BELL")) << "here" << std::flush;
  char word = 0;
  EXPECT_EQ(read(open(getenv("GATE"), O_RDONLY), &word, 1), 1);
}
)");
    p.write("never.sh", "trap '' INT TERM\necho $$ >\"$BELL\"\nwhile :; do sleep 1000; done\n");
    p.start_repository();
    p.configure();
    p.build();
    p.set_variable("GATE", "/nowhere/at/all");
    p.set_variable("BELL", "/nowhere/at/all");
    p.measure();
    fs::remove(p.store());
    shared.save();
    return true;
  }();
  (void)made;
  return shared;
}

/// Its stdout is a pipe with a name, from which the first line is read.
class served {
 public:
  served(const project& p, const fs::path& folder, std::vector<std::string> more = {"--no-open"}) {
    const fs::path pipe = folder / "url";
    fs::remove(pipe);
    if (::mkfifo(pipe.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    more.insert(more.begin(), "studio");
    std::vector<std::string> command{"sh", "-c", "exec \"$@\" >\"$0\"", pipe.string()};
    for (const std::string& word : p.morph_command(more)) command.push_back(word);
    program_ = std::make_unique<running>(command, p.root(), p.environment());
    const int file = ::open(pipe.c_str(), O_RDONLY | O_CLOEXEC);
    for (char c = 0; ::read(file, &c, 1) == 1 && c != '\n';) line_ += c;
    ::close(file);
    if (line_.empty()) throw std::runtime_error("no server: " + program_->wait().both());
    keep_document(line_);
    const std::string url = line_.starts_with('{') ? json::parse(line_)["url"].get<std::string>() : line_;
    port_ = static_cast<std::uint16_t>(std::stoi(url.substr(std::string("http://127.0.0.1:").size())));
    token_ = url.substr(url.find("token=") + 6);
  }

  const std::string& line() const { return line_; }
  std::uint16_t port() const { return port_; }
  running& program() { return *program_; }
  std::string host() const { return "127.0.0.1:" + std::to_string(port_); }
  const std::string& token() const { return token_; }

  headers ours() const { return {{"Host", host()}, {"X-Morph-Token", token_}, {"Content-Type", "application/json"}}; }
  response ask(const std::string& method, const std::string& target, const headers& fields,
               const std::string& body = {}) const {
    http_connection to(port_);
    to.send(text_of_request(method, target, fields, body));
    return to.read_response();
  }
  response get(const std::string& target) const { return ask("GET", target, ours()); }
  response post(const std::string& target, const json& body = json::object()) const {
    return ask("POST", target, ours(), body.dump());
  }
  /// Its id.
  int start(const std::vector<std::string>& arguments) const {
    const response started = post("/api/runs", {{"arguments", arguments}});
    if (started.status != 202) throw std::runtime_error(started.body);
    return started.json()["id"];
  }

 private:
  std::unique_ptr<running> program_;
  std::string line_, token_;
  std::uint16_t port_ = 0;
};

struct event {
  std::uint64_t id;
  json data;
};

/// The stream of events, from the one after `last` on.
class events {
 public:
  explicit events(const served& of, const std::string& last = "") : to_(of.port()) {
    headers fields = of.ours();
    if (!last.empty()) fields["Last-Event-ID"] = last;
    to_.send(text_of_request("GET", "/api/events", fields, ""));
    head = to_.read_head();
  }
  event next() {
    event made{0, {}};
    for (std::string line; !(line = to_.read_line()).empty();) {
      if (line.starts_with("id: ")) made.id = std::stoull(line.substr(4));
      if (line.starts_with("data: ")) made.data = json::parse(line.substr(6));
    }
    return made.data.is_null() ? next() : made;  // a comment
  }
  /// All up to the first that is so.
  std::vector<event> until(const std::function<bool(const json&)>& is_so) {
    std::vector<event> all{next()};
    while (!is_so(all.back().data)) all.push_back(next());
    return all;
  }
  std::vector<event> until_end_of(int id) {
    return until([&](const json& e) { return e["type"] == "run-ended" && e["run"]["id"] == id; });
  }

  response head;

 private:
  http_connection to_;
};

/// A process that the server started, or that one of these did.
class started_process {
 public:
  explicit started_process(const std::string& id)
      : handle_(static_cast<int>(::syscall(SYS_pidfd_open, std::stoi(id), 0))) {}
  started_process(const started_process&) = delete;
  started_process& operator=(const started_process&) = delete;
  ~started_process() { ::close(handle_); }
  /// False: it lives on for half a minute.
  bool ends() const {
    pollfd waiting{handle_, POLLIN, 0};
    return ::poll(&waiting, 1, 30'000) == 1;
  }

 private:
  int handle_;
};

class studio : public testing::Test {
 protected:
  studio() : p(guarded_project().here()), folder(guarded_project().folder()) {
    guarded_project().restore();
    for (const auto& [name, path] : {std::pair{"GATE", gate}, std::pair{"BELL", bell}}) {
      p.set_variable(name, path.string());
      fs::remove(path);
      if (::mkfifo(path.c_str(), 0600) != 0) throw std::runtime_error("mkfifo failed");
    }
    p.set_variable("EDITOR", "sh " + (p.root() / "never.sh").string());
    p.unset_variable("DISPLAY");
    p.unset_variable("WAYLAND_DISPLAY");
  }

  /// What a child writes there once it waits.
  std::string await_bell() const {
    const int rung = ::open(bell.c_str(), O_RDONLY | O_CLOEXEC);
    std::string word(32, '\0');
    const ssize_t size = ::read(rung, word.data(), word.size());
    ::close(rung);
    word.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return word;
  }
  project& p;
  fs::path folder;
  fs::path gate = folder / "gate", bell = folder / "bell";
};

// ---- pages and refusals

TEST_F(studio, serves_its_page_with_headers_that_keep_others_out) {
  const served s(p, folder);
  EXPECT_EQ(s.line(), "http://127.0.0.1:" + std::to_string(s.port()) + "/#token=" + s.token());
  EXPECT_EQ(s.token().size(), 32U);
  const response page = s.ask("GET", "/", {{"Host", s.host()}});
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.body, read_bytes(MORPH_SOURCE_DIR "/templates/studio/index.html"));
  EXPECT_EQ(page.fields.at("content-type"), "text/html; charset=utf-8");
  for (const int status : {200, 404}) {
    const response any = s.ask("GET", status == 200 ? "/app/index.html" : "/app/none.js", {{"Host", s.host()}});
    EXPECT_EQ(any.status, status);
    EXPECT_EQ(any.fields.at("content-security-policy"),
              "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    EXPECT_EQ(any.fields.at("x-content-type-options"), "nosniff");
    EXPECT_EQ(any.fields.at("cross-origin-opener-policy"), "same-origin");
    EXPECT_EQ(any.fields.at("referrer-policy"), "no-referrer");
    for (const auto& [name, value] : any.fields) EXPECT_FALSE(name.starts_with("access-control-")) << name;
  }
}

TEST_F(studio, refuses_whom_it_does_not_know) {
  const served s(p, folder);
  const auto with = [&](const std::string& name, const std::string& value) {
    headers fields = s.ours();
    fields[name] = value;
    return fields;
  };
  EXPECT_EQ(s.get("/api/state").status, 200);
  EXPECT_EQ(s.ask("GET", "/", with("Host", "evil.example:" + std::to_string(s.port()))).status, 421);
  EXPECT_EQ(s.ask("GET", "/", with("Origin", "http://127.0.0.1:1")).status, 403);
  EXPECT_EQ(s.ask("GET", "/api/state", {{"Host", s.host()}}).status, 403);
  EXPECT_EQ(s.ask("GET", "/api/events", {{"Host", s.host()}}).status, 403);
  EXPECT_EQ(s.ask("GET", "/api/state", with("X-Morph-Token", std::string(32, '0'))).status, 403);
  EXPECT_EQ(s.ask("POST", "/api/runs", with("Content-Type", "text/plain"), R"({"arguments":["plan"]})").status, 415);
  EXPECT_EQ(s.ask("DELETE", "/api/state", s.ours()).status, 405);
  EXPECT_EQ(s.get("/api/state").json()["runs"], json::array());
}

TEST_F(studio, refuses_bad_bodies) {
  const served s(p, folder);
  EXPECT_EQ(s.post("/api/runs", {{"arguments", {"studio"}}}).status, 400);
  EXPECT_EQ(s.post("/api/runs", {{"arguments", {"plan", std::string("a\0b", 3)}}}).status, 400);
  EXPECT_EQ(s.post("/api/runs", {{"arguments", {"plan", 1}}}).status, 400);
  const response no = s.ask("POST", "/api/runs", s.ours(), "{\"arguments\":");
  EXPECT_EQ(no.status, 400);
  EXPECT_EQ(no.json()["message"], R"(the body is no JSON; the body is {"arguments":["plan","--reasons"]})");
  EXPECT_EQ(s.ask("POST", "/api/runs", s.ours(), std::string((1 << 20) + 1, ' ')).status, 413);
  http_connection to(s.port());
  to.send("nonsense\r\n\r\n");
  EXPECT_EQ(to.read_response().status, 400);
  http_connection long_head(s.port());
  long_head.send("GET / HTTP/1.1\r\nHost: " + std::string(20'000, 'x') + "\r\n\r\n");
  EXPECT_EQ(long_head.read_response().status, 431);
}

TEST_F(studio, reads_sources_of_the_project_alone) {
  write_bytes(folder / "secret.txt", "secret");
  fs::create_symlink(folder / "secret.txt", p.root() / "link.txt");
  const served s(p, folder);
  EXPECT_EQ(s.get("/api/source?file=guarded_test.cpp").body, p.read("guarded_test.cpp"));
  EXPECT_EQ(s.get("/api/source?file=CMakeCache.txt").body, p.read("build/CMakeCache.txt"));
  EXPECT_EQ(s.get("/api/source?file=../secret.txt").status, 403);
  EXPECT_EQ(s.get("/api/source?file=%2Fetc%2Fpasswd").status, 403);
  EXPECT_EQ(s.get("/api/source?file=link.txt").status, 403);
  EXPECT_EQ(s.get("/api/source?file=none.cpp").status, 404);
}

TEST_F(studio, answers_several_requests_of_one_connection) {
  const served s(p, folder);
  http_connection to(s.port());
  for (int i = 0; i < 3; ++i) {
    to.send(text_of_request("GET", "/api/state", s.ours(), ""));
    EXPECT_EQ(to.read_response().status, 200);
  }
}

// ---- runs

TEST_F(studio, runs_commands_of_morph) {
  const served s(p, folder);
  events stream(s);
  EXPECT_EQ(stream.head.fields.at("content-type"), "text/event-stream");
  const response started = s.post("/api/runs", {{"arguments", {"plan", "--why", "Guarded.Before"}}});
  ASSERT_EQ(started.status, 202);
  EXPECT_EQ(started.json()["line"],
            "morph plan --build " + p.build_dir().string() + " --why Guarded.Before");  // as the server was started
  const json ended = stream.until_end_of(1).back().data["run"];
  EXPECT_EQ(ended["exit"], 0);
  EXPECT_EQ(ended["line"], started.json()["line"]);
  EXPECT_EQ(s.get("/api/runs/1/output").json()["schema"], "morph.why/1");

  stream.until_end_of(s.start({"doctor"}));
  EXPECT_EQ(s.get("/api/runs/2/output").json()["schema"], "morph.doctor/2");
  stream.until_end_of(s.start({"script", "list"}));
  EXPECT_EQ(s.get("/api/runs/3/output").body, p.morph({"script", "list", "--json"}).out);
  const json state = s.get("/api/state").json();
  EXPECT_EQ(state["schema"], "morph.studio-state/1");
  EXPECT_EQ(state["repository"], p.root().string());
  EXPECT_EQ(state["build"], p.build_dir().string());
  EXPECT_EQ(state["runs"].size(), 3U);
  EXPECT_EQ(state["runs"][0], ended);
  const auto commands = state["commands"].get<names>();
  EXPECT_NE(std::ranges::find(commands, "mutate"), commands.end());
  EXPECT_EQ(std::ranges::find(commands, "studio"), commands.end());
}

TEST_F(studio, passes_on_what_commands_complain_of) {
  const served s(p, folder);
  events stream(s);
  const auto seen = stream.until_end_of(s.start({"plan", "--nonsense", "$(touch made)"}));
  EXPECT_EQ(seen.back().data["run"]["exit"], 2);
  EXPECT_NE(std::ranges::find_if(seen, [](const event& e) { return e.data["type"] == "message"; }), seen.end());
  EXPECT_EQ(s.get("/api/runs/1/output").json()["exit"], 2);
  EXPECT_FALSE(fs::exists(p.root() / "made"));
}

TEST_F(studio, runs_tests_by_ctest) {
  p.set_variable("GATE", "/nowhere/at/all");
  p.set_variable("BELL", "/nowhere/at/all");
  const served s(p, folder);
  events stream(s);
  const auto seen = stream.until_end_of(s.start({"ctest", "-L", "morph", "--output-on-failure"}));
  EXPECT_EQ(seen.front().data["run"]["line"],
            "ctest --test-dir " + p.build_dir().string() + " -L morph --output-on-failure");
  EXPECT_EQ(seen.back().data["run"]["exit"], 8);
  const auto total = [](const std::vector<event>& all) {
    return std::ranges::find_if(all, [](const event& e) { return e.data["type"] == "progress"; })->data["total"];
  };
  EXPECT_EQ(total(seen), 3);  // two tests, and what Morph does before them
  EXPECT_NE(s.get("/api/runs/1/output").body.find("Guarded.Before"), std::string::npos);
  const auto again = stream.until_end_of(s.start({"ctest", "--rerun-failed"}));
  EXPECT_LT(total(again), total(seen));
  EXPECT_EQ(s.post("/api/runs", {{"arguments", {"ctest", "-S", "x"}}}).status, 400);
}

TEST_F(studio, reports_progress_and_the_changed_store) {
  p.set_variable("GATE", "/nowhere/at/all");
  p.set_variable("BELL", "/nowhere/at/all");
  const served s(p, folder);
  events stream(s);
  const int id = s.start({"measure"});
  const auto seen = stream.until_end_of(id);
  const auto progress = std::ranges::find_if(seen, [](const event& e) { return e.data["type"] == "progress"; });
  ASSERT_NE(progress, seen.end());
  EXPECT_EQ(progress->data["id"], id);
  EXPECT_TRUE(progress->data["total"].is_number_unsigned());
  EXPECT_TRUE(progress->data["unit"].is_string());
  if (std::ranges::none_of(seen, [](const event& e) { return e.data["type"] == "changed"; }))
    stream.until([](const json& e) { return e == json({{"type", "changed"}, {"what", "store"}}); });

  // Looking at it changes nothing.
  stream.until_end_of(s.start({"plan"}));
  for (const event& e : stream.until_end_of(s.start({"doctor"}))) EXPECT_NE(e.data["type"], "changed");
}

TEST_F(studio, misses_no_event_when_a_page_comes_back) {
  const served s(p, folder);
  std::vector<event> all;
  {
    events first(s);
    all = first.until_end_of(s.start({"plan"}));
  }
  const int id = s.start({"plan", "--nonsense"});
  events again(s, std::to_string(all.back().id));
  const auto rest = again.until_end_of(id);
  EXPECT_EQ(rest.front().id, all.back().id + 1);
  all.insert(all.end(), rest.begin(), rest.end());
  const auto whole = events(s).until_end_of(id);
  ASSERT_EQ(whole.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(whole[i].id, i + 1);
    EXPECT_EQ(whole[i].data, all[i].data);
  }
  EXPECT_EQ(events(s, "9999").next().data, json({{"type", "missed"}}));
  headers fields = s.ours();
  fields["Last-Event-ID"] = "x";
  EXPECT_EQ(s.ask("GET", "/api/events", fields).status, 400);
}

TEST_F(studio, answers_while_many_streams_are_open) {
  const served s(p, folder);
  std::vector<std::unique_ptr<events>> streams;
  for (int i = 0; i < 100; ++i) streams.push_back(std::make_unique<events>(s));
  EXPECT_EQ(s.get("/api/state").status, 200);
  const int id = s.start({"plan", "--nonsense"});
  for (const auto& each : streams) EXPECT_EQ(each->until_end_of(id).front().id, 1U);
}

TEST_F(studio, keeps_no_more_than_a_bound_for_a_page_that_does_not_read) {
  p.write("much.sh",
          "i=0; while [ $i -lt 30000 ]; do echo \"$i xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" >&2; "
          "i=$((i+1)); done\n");
  p.set_variable("EDITOR", "sh " + (p.root() / "much.sh").string());
  const served s(p, folder);
  events slow(s);
  events fast(s);
  const int id = s.start({"script", "edit", "x"});
  const std::uint64_t last = fast.until_end_of(id).back().id;
  EXPECT_GT(last, 30'000U);
  EXPECT_EQ(s.get("/api/state").json()["last_event"], last);
  const auto late = events(s, "1").until_end_of(id);
  EXPECT_EQ(late.front().data, json({{"type", "missed"}}));
  EXPECT_EQ(late.size(), 20'001U);
}

TEST_F(studio, stops_a_run) {
  const served s(p, folder);
  events stream(s);
  const int id = s.start({"measure"});
  EXPECT_EQ(await_bell(), "here");
  const int open_gate = ::open(gate.c_str(), O_RDWR | O_CLOEXEC);  // the test waits for a word
  EXPECT_EQ(s.get("/api/runs/1/output").status, 409);
  EXPECT_EQ(s.post("/api/runs/1/stop").status, 202);
  const json ended = stream.until_end_of(id).back().data["run"];
  ::close(open_gate);
  EXPECT_EQ(ended["exit"], 3);
  EXPECT_NE(s.get("/api/runs/1/output").json()["errors"].dump().find("run it again to continue"), std::string::npos);
  EXPECT_EQ(s.post("/api/runs/1/stop").status, 409);
  EXPECT_EQ(s.post("/api/runs/2/stop").status, 404);
}

TEST_F(studio, kills_a_run_that_does_not_stop) {
  const served s(p, folder);
  events stream(s);
  const int id = s.start({"script", "edit", "x"});
  const started_process editor(await_bell());
  EXPECT_EQ(s.post("/api/runs/1/stop").status, 202);
  EXPECT_EQ(s.post("/api/runs/1/stop").status, 202);
  EXPECT_EQ(stream.until_end_of(id).back().data["run"]["signal"], SIGKILL);
  EXPECT_TRUE(editor.ends());
}

TEST_F(studio, gives_runs_neither_sockets_nor_a_terminal) {
  const served s(p, folder);
  const events stream(s);
  s.start({"script", "edit", "x"});
  const pid_t editor = std::stoi(await_bell());
  for (const auto& each : fs::directory_iterator("/proc/" + std::to_string(editor) + "/fd")) {
    const std::string what = fs::read_symlink(each).string();
    EXPECT_FALSE(what.starts_with("socket:")) << what;
    EXPECT_TRUE(each.path().filename() != "0" || what == "/dev/null") << what;
  }
  s.post("/api/runs/1/stop");
  s.post("/api/runs/1/stop");
}

// ---- how it begins and ends

TEST_F(studio, says_where_it_is_as_json) {
  const served s(p, folder, {"--no-open", "--json"});
  EXPECT_EQ(
      json::parse(s.line()),
      json({{"schema", "morph.studio/1"}, {"port", s.port()}, {"url", "http://" + s.host() + "/#token=" + s.token()}}));
}

TEST_F(studio, opens_a_browser_without_showing_the_token_to_other_users) {
  p.write("bin/xdg-open", "#!/bin/sh\necho \"$1 $(stat -c %a \"$1\") $(cat \"$1\")\" >\"$BELL\"\n");
  fs::permissions(p.root() / "bin/xdg-open", fs::perms::owner_all);
  p.set_variable("PATH", (p.root() / "bin").string() + ":" + p.environment().at("PATH"));
  p.set_variable("DISPLAY", ":0");
  std::string opened;
  std::string file;
  {
    served s(p, folder, {});
    const int rung = ::open(bell.c_str(), O_RDONLY | O_CLOEXEC);
    for (char c = 0; ::read(rung, &c, 1) == 1;) opened += c;
    ::close(rung);
    file = opened.substr(0, opened.find(' '));
    EXPECT_EQ(file.find(s.token()), std::string::npos);
    EXPECT_NE(opened.find(" 600 "), std::string::npos) << opened;
    EXPECT_NE(opened.find(s.line()), std::string::npos) << opened;
    s.program().send(SIGTERM);
    EXPECT_EQ(s.program().wait().exit, 0);
  }
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(studio, says_what_to_do_when_the_port_is_taken) {
  const served s(p, folder);
  const std::string port = std::to_string(s.port());
  const finished second = p.morph({"studio", "--no-open", "--port", port});
  EXPECT_EQ(second.exit, 3);
  EXPECT_EQ(second.out, "");
  EXPECT_EQ(second.err, "morph: port " + port +
                            " is taken; name another with --port, or leave it out: then any that is free is taken\n");
  EXPECT_EQ(p.morph({"studio", "--port", "65536"}).exit, 2);
}

TEST_F(studio, listens_at_the_port_that_it_is_given) {
  std::uint16_t port = 0;
  {
    served first(p, folder);
    port = first.port();
    first.program().send(SIGINT);
    EXPECT_EQ(first.program().wait().exit, 0);
  }
  const served second(p, folder, {"--no-open", "--port", std::to_string(port)});
  EXPECT_EQ(second.port(), port);
}

TEST_F(studio, ends_its_runs_on_ctrl_c) {
  served s(p, folder);
  events stream(s);
  s.start({"measure"});
  EXPECT_EQ(await_bell(), "here");
  const int open_gate = ::open(gate.c_str(), O_RDWR | O_CLOEXEC);
  s.program().send(SIGINT);
  EXPECT_EQ(stream.until_end_of(1).back().data["run"]["exit"], 3);
  EXPECT_EQ(s.program().wait().exit, 0);
  ::close(open_gate);
  EXPECT_THROW(http_connection(s.port()), std::runtime_error);
}

TEST_F(studio, kills_what_goes_on_five_seconds_after_ctrl_c) {
  served s(p, folder);
  s.start({"script", "edit", "x"});
  const started_process editor(await_bell());
  s.program().send(SIGTERM);
  EXPECT_EQ(s.program().wait().exit, 0);
  EXPECT_TRUE(editor.ends());
}

TEST_F(studio, takes_its_runs_with_it_when_it_is_killed) {
  served s(p, folder);
  events stream(s);
  s.start({"measure"});
  EXPECT_EQ(await_bell(), "here");
  const int open_gate = ::open(gate.c_str(), O_RDWR | O_CLOEXEC);
  const std::string id = std::to_string(s.program().id());
  const started_process child(read_bytes("/proc/" + id + "/task/" + id + "/children"));
  s.program().send(SIGKILL);
  s.program().wait();
  EXPECT_TRUE(child.ends());
  ::close(open_gate);
}

TEST_F(studio, needs_a_build_tree) {
  const finished end = p.run({MORPH_PREFIX "/bin/morph", "studio", "--no-open", "--build", "/nowhere"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("/nowhere"), std::string::npos) << end.err;
}

TEST_F(studio, leaves_no_trace_in_recorded_scripts) {
  ASSERT_EQ(p.morph({"script", "record", "taken"}).exit, 0);
  {
    served s(p, folder);
    events stream(s);
    stream.until_end_of(s.start({"doctor"}));
    s.program().send(SIGINT);
    EXPECT_EQ(s.program().wait().exit, 0);
  }
  ASSERT_EQ(p.morph({"script", "stop"}).exit, 0);
  const std::string script = p.morph({"script", "show", "taken"}).out;
  EXPECT_NE(script.find("morph doctor\n"), std::string::npos) << script;
  EXPECT_EQ(script.find("studio"), std::string::npos) << script;
  EXPECT_EQ(script.find("progress"), std::string::npos) << script;
}

// ---- progress for other programs

TEST_F(studio, progress_goes_to_any_open_descriptor) {
  p.set_variable("GATE", "/nowhere/at/all");
  p.set_variable("BELL", "/nowhere/at/all");
  std::vector<std::string> command{"sh", "-c", "exec \"$@\" 5>progress", "sh"};
  for (const std::string& word : p.morph_command({"measure", "--quiet", "--progress-fd", "5"})) command.push_back(word);
  ASSERT_EQ(p.run(command).exit, 0);
  std::istringstream lines(p.read("progress"));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    const json read = json::parse(line);
    EXPECT_TRUE(read["done"].is_number_unsigned() && read["total"].is_number_unsigned() && read["unit"].is_string());
  }
  EXPECT_GT(count, 0);

  const finished closed = p.morph({"plan", "--progress-fd", "77"});
  EXPECT_EQ(closed.exit, 2);
  EXPECT_EQ(closed.err, "morph: --progress-fd: no file is open as 77\n");
}

}  // namespace
}  // namespace morph::end_to_end
