// Bodies of POST /api/runs, and the command lines that they become.
#include "plugin/studio/run_request.hpp"

#include <gtest/gtest.h>

namespace morph::studio {
namespace {

using words = std::vector<std::string>;

settings some() {
  return {.version = "1", .repository = "/r", .build = "/r/build", .store = "/r/db", .commands = {"plan", "spec"}};
}

std::string fault_of(const std::string& body) {
  const auto read = read_run_request(body, some());
  return read ? "" : read.error();
}

run_request read(const std::string& body) {
  return read_run_request(body, some()).value();
}

TEST(RunRequest, HasArguments) {
  EXPECT_EQ(read(R"({"arguments":["plan","--why","a b"]})").arguments, (words{"plan", "--why", "a b"}));
  EXPECT_TRUE(read(R"({"arguments":["plan"]})").as_json);
  EXPECT_FALSE(read(R"({"arguments":["plan"],"json":false})").as_json);
  EXPECT_TRUE(read(R"({"arguments":["plan"]})").is_recorded);
  EXPECT_FALSE(read(R"({"arguments":["plan"],"recorded":false})").is_recorded);
}

TEST(RunRequest, IsRefusedWithAReason) {
  const std::string form = R"(the body is {"arguments":["plan","--reasons"]})";
  EXPECT_EQ(fault_of(""), "the body is no JSON; " + form);
  EXPECT_EQ(fault_of(R"({"arguments":["plan"]}x)"), "the body is no JSON; " + form);
  EXPECT_EQ(fault_of("{\"arguments\":[\"plan\",\"\xff\"]}"), "the body is no JSON; " + form);
  EXPECT_EQ(fault_of(R"(["plan"])"), form);
  EXPECT_EQ(fault_of(R"({})"), form);
  EXPECT_EQ(fault_of(R"({"arguments":"plan"})"), form);
  EXPECT_EQ(fault_of(R"({"arguments":[]})"), "no subcommand is named; " + form);
  EXPECT_EQ(fault_of(R"({"arguments":["plan"],"shell":true})"), "'shell' is unknown; " + form);
  EXPECT_EQ(fault_of(R"({"arguments":["plan"],"json":1})"), "'json' is true or false");
  EXPECT_EQ(fault_of(R"({"arguments":["plan"],"recorded":"no"})"), "'recorded' is true or false");
  EXPECT_EQ(fault_of(R"({"arguments":["plan",7]})"), "argument 2 is no text");
  EXPECT_EQ(fault_of(R"({"arguments":["plan",null]})"), "argument 2 is no text");
  EXPECT_EQ(fault_of(R"({"arguments":["plan","a\u0000b"]})"), "argument 2 holds a NUL byte");
}

TEST(RunRequest, NamesASubcommandThatMayBeStarted) {
  for (const char* name : {"studio", "--version", "rm", "", "plan ", "/bin/sh"})
    EXPECT_EQ(fault_of(std::string("{\"arguments\":[\"") + name + "\"]}"),
              std::string("'") + name + "' is no subcommand that this server starts; /api/state lists them");
}

TEST(RunRequest, IsBounded) {
  const std::string long_one(100'001, 'a');
  EXPECT_EQ(fault_of("{\"arguments\":[\"plan\",\"" + long_one + "\"]}"),
            "argument 2 has 100001 bytes; the longest has 100000");
  std::string many = "\"plan\"";
  for (int i = 0; i < 1000; ++i) many += ",\"\"";
  EXPECT_EQ(fault_of("{\"arguments\":[" + many + "]}"), "1001 arguments; the most are 1000");
}

TEST(RunRequest, IsALineThatAShellTakes) {
  EXPECT_EQ(typed_line(read(R"({"arguments":["plan","--why","a'b; rm $x\n","--reasons"]})"), some()),
            "morph plan --why 'a'\\''b; rm $x\n' --reasons");
}

TEST(RunRequest, IsStartedWithJsonAndProgress) {
  EXPECT_EQ(started_words(read(R"({"arguments":["plan","--reasons"]})"), some(), 7),
            (words{"morph", "plan", "--build", "/r/build", "--json", "--progress-fd", "7", "--reasons"}));
  EXPECT_EQ(started_words(read(R"({"arguments":["plan"],"json":false})"), some(), 7),
            (words{"morph", "plan", "--build", "/r/build", "--progress-fd", "7"}));
}

TEST(RunRequest, KeepsWhatItNamesItself) {
  EXPECT_EQ(started_words(read(R"({"arguments":["plan","--json","--build=/b","--progress-fd","2"]})"), some(), 7),
            (words{"morph", "plan", "--json", "--build=/b", "--progress-fd", "2"}));
}

TEST(RunRequest, GetsTheOptionsOfTheServer) {
  settings typed = some();
  typed.typed = {"--build", "build", "--config", "Debug"};
  const run_request asked = read(R"({"arguments":["plan","-v"]})");
  EXPECT_EQ(typed_line(asked, typed), "morph plan --build build --config Debug -v");
  EXPECT_EQ(started_words(asked, typed, 7),
            (words{"morph", "plan", "--build", "build", "--config", "Debug", "--json", "--progress-fd", "7", "-v"}));
}

settings with_ctest() {
  settings made = some();
  made.commands.emplace_back("ctest");
  return made;
}

TEST(RunRequest, OfCtestGetsItsFolderAlone) {
  const auto asked = read_run_request(R"({"arguments":["ctest","-L","morph","--output-on-failure"]})", with_ctest());
  const words started{"ctest", "--test-dir", "/r/build", "-L", "morph", "--output-on-failure"};
  EXPECT_EQ(started_words(*asked, with_ctest(), 7), started);
  EXPECT_EQ(typed_line(*asked, with_ctest()), "ctest --test-dir /r/build -L morph --output-on-failure");
  settings debug = with_ctest();
  debug.ctest_config = "Debug";
  EXPECT_EQ(typed_line(*asked, debug), "ctest --test-dir /r/build -C Debug -L morph --output-on-failure");
}

TEST(RunRequest, OfCtestRunsTestsAlone) {
  const auto fault = [](const std::string& more) {
    const auto read = read_run_request("{\"arguments\":[\"ctest\"," + more + "]}", with_ctest());
    return read ? "" : read.error();
  };
  EXPECT_EQ(fault(R"("--rerun-failed","-j","4","-R","^a b$","-E","x","-LE","y")"), "");
  for (const char* word : {"-S", "--build-and-test", "--script", "-D", "--test-dir", "a", "-L=x", "--output-junit"})
    EXPECT_EQ(fault(std::string("\"") + word + "\",\"x\""),
              std::string("'") + word + "' is no option of ctest that this server passes on");
  EXPECT_EQ(fault(R"("-R")"), "'-R' lacks its value");
  EXPECT_EQ(fault(R"("-R","-S")"), "'-R' lacks its value");
}

TEST(RunRequest, OfCtestNeedsACtest) {
  EXPECT_EQ(fault_of(R"({"arguments":["ctest"]})"),
            "'ctest' is no subcommand that this server starts; /api/state lists them");
}

}  // namespace
}  // namespace morph::studio
