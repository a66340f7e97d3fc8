// GRANULARITY suite with Catch2, doctest and Boost.Test: cases of one process, whatever they are called and whatever
// they do.
#include "frameworks.hpp"

namespace morph::end_to_end {
namespace {

class framework_batches : public each_framework {
 protected:
  void SetUp() override {
    each_framework::SetUp();
    if (IsSkipped()) return;
    p.write("CMakeLists.txt",
            "cmake_minimum_required(VERSION 3.25)\nproject(Batches CXX)\nenable_testing()\nfind_package(" +
                framework.package +
                " REQUIRED)\nfind_package(Morph REQUIRED)\nadd_executable(rough tests.cpp)\n"
                "target_link_libraries(rough " +
                framework.with_main + ")\nmorph_add_suite(rough TARGET rough FRAMEWORK " + framework.name +
                " GRANULARITY suite TIMEOUT 4 TEST_PREFIX r.)\n");
    p.write("tests.cpp", framework.preamble + R"(
#include <unistd.h>
#include <cstdio>
#include <cstdlib>
#include <string>
static bool asked(const char* what) {
  const char* rough = std::getenv("ROUGH");
  return rough != nullptr && std::string(what) == rough;
}
TEST_CASE("first") {
  std::puts("this is first");
  std::fflush(stdout);
}
TEST_CASE("names, with [some] \"odd\" \\ characters; > & <") {
  SECTION("one") { CHECK(!asked("fail")); }
  SECTION("two") { CHECK(true); }
}
TEST_CASE("middle") {
  if (asked("throw")) throw 3;
  if (asked("abort")) std::abort();
  if (asked("exit")) std::_Exit(0);
  if (asked("hang")) ::sleep(600);
}
TEST_CASE("\xc3\xa4hnlich  ") {}
TEST_CASE("two\nlines, with a comma") {}
TEST_CASE("three\nlines") {}
TEST_CASE("last") {}
)");
    p.start_repository();
    p.configure(framework.configuring);
    p.build();
    p.plan();
  }

  finished run_with(const std::string& rough) {
    p.set_variable("ROUGH", rough);
    p.set_variable("MORPH_JUNIT_DIR", "reports");
    return p.ctest({"-R", "^rough.selected$", "-V"});
  }
  /// The cases that did not pass, with what the summary says of them.
  static names bad_cases(const finished& end) {
    names lines;
    for (const char* verdict : {"failed", "crashed", "timed out", "not run"})
      for (std::size_t at = 0; (at = end.out.find(std::string(":   ") + verdict + " ", at)) != std::string::npos; ++at)
        lines.push_back(end.out.substr(at + 4, end.out.find('\n', at) - at - 4));
    return lines;
  }

  scratch_folder folder;
  project p{folder.path() / "project", folder.path() / "home"};
};
#define CONTAINS(text, part) EXPECT_NE((text).find(part), std::string::npos) << text

TEST_P(framework_batches, run_every_case_in_one_process_and_go_on_after_a_bad_end) {
  const std::string odd = "r." + name_in(framework, "names, with [some] \"odd\" \\ characters; > & <");
  const finished good = run_with("");
  EXPECT_EQ(good.exit, 0) << good.both();
  CONTAINS(good.out, "this is first");
  CONTAINS(good.out, "rough.selected: 7 of 7 cases ran: 7 passed, 0 failed, 0 skipped\n");
  const std::string report = read_bytes(p.build_dir() / "reports/rough.selected.xml");
  CONTAINS(report, "with [some] &quot;odd&quot; \\ characters; &gt; &amp; &lt;\"");

  const finished fails = run_with("fail");
  EXPECT_EQ(fails.exit, 8);
  ASSERT_EQ(bad_cases(fails).size(), 1U) << fails.out;
  EXPECT_TRUE(bad_cases(fails)[0].starts_with("failed " + odd + ": ")) << bad_cases(fails)[0];
  // Why, though the reporter writes to a file.
  const bool is_boost = framework.name == "boost";
  CONTAINS(fails.out, is_boost ? "tests.cpp(" : "tests.cpp:");
  CONTAINS(fails.out, is_boost ? "check !asked(\"fail\") has failed" : "CHECK( !asked(\"fail\") ), that is ");
  EXPECT_EQ(p.plan().reasons(odd).front(), "failed-recently");

  CONTAINS(run_with("throw").out, "7 of 7 cases ran: 6 passed, 1 failed, 0 skipped\n");

  const finished aborts = run_with("abort");
  ASSERT_EQ(bad_cases(aborts).size(), 1U) << aborts.out;
  EXPECT_TRUE(bad_cases(aborts)[0].starts_with("crashed r.middle: ")) << bad_cases(aborts)[0];
  CONTAINS(aborts.out, "7 of 7 cases ran: 6 passed, 1 failed, 0 skipped\n");

  EXPECT_EQ(bad_cases(run_with("exit")), names{"crashed r.middle: exit status 0"});
  EXPECT_EQ(bad_cases(run_with("hang")), names{"timed out r.middle: timed out after 4 s"});

  p.replace("tests.cpp", "TEST_CASE(\"last\")", "TEST_CASE(\"at last\")");
  const std::string code = p.morph({"plan", "--format", "cmake"}).out;
  p.build();
  const auto at = code.find("run --batch [=[") + 15;
  p.unset_variable("ROUGH");
  const finished stale = p.morph({"run", "--batch", code.substr(at, code.find("]=]", at) - at)});
  EXPECT_EQ(stale.exit, 1);
  CONTAINS(stale.out, "  not run r.last: the program did not run it\n");
}

TEST_P(framework_batches, cases_share_one_start_and_keep_their_own_rows) {
  p.write("lib.hpp", "int of_first();\nint of_last();\n");
  p.write("lib.cpp", "#include \"lib.hpp\"\nint of_first() { return 1; }\nint of_last() { return 2; }\n");
  p.replace("CMakeLists.txt", "rough tests.cpp", "rough tests.cpp lib.cpp");
  p.replace("tests.cpp", "#include <unistd.h>", R"(
#include <unistd.h>
#include <fstream>
#include "lib.hpp"
std::ofstream starts(ROOT "/starts", std::ios::app);
const bool says = static_cast<bool>(starts << "once\n" << std::flush);
)");
  p.replace("CMakeLists.txt", "morph_add_suite(",
            "target_compile_definitions(rough PRIVATE ROOT=\"${CMAKE_SOURCE_DIR}\")\nmorph_add_suite(");
  p.replace("tests.cpp", "TEST_CASE(\"first\") {",
            "static int times = 0;\nTEST_CASE(\"first\") {\n  CHECK(++times == of_first());");
  p.replace("tests.cpp", "TEST_CASE(\"last\") {", "TEST_CASE(\"last\") {\n  CHECK(++times == of_last() - 1);");
  p.configure({"-DMORPH_EVIDENCE=probes"});
  p.build();
  p.plan();  // lists the tests
  std::filesystem::remove(p.root() / "starts");
  const finished first = p.ctest({"-L", "morph", "-V"});
  CONTAINS(first.out, "7 of 7 cases ran: 7 passed, 0 failed, 0 skipped\n");
  EXPECT_EQ(p.read("starts"), "once\n");
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("lib.cpp", "return 2;", "return 3 - 1 + (of_first() == 7);");
  p.build();
  EXPECT_EQ(p.plan().selected(), names{"r.last"});
  CONTAINS(p.ctest({"-L", "morph", "-V"}).out, "1 of 1 cases ran: 1 passed");
}

TEST_P(framework_batches, a_bad_end_of_a_recorded_case_costs_the_others_nothing) {
  p.configure({"-DMORPH_EVIDENCE=probes"});
  p.build();
  const auto run = [&](const std::string& rough) {
    p.set_variable("ROUGH", rough);
    const finished done = p.ctest({"-L", "morph", "-V"});
    return bad_cases(done);
  };
  ASSERT_EQ(run("fail").size(), 1U);
  EXPECT_EQ(p.plan().selected().size(), 1U);
  ASSERT_EQ(run("throw").size(), 1U);
  const names aborts = run("abort");
  ASSERT_EQ(aborts.size(), 1U);
  EXPECT_TRUE(aborts[0].starts_with("crashed r.middle: ")) << aborts[0];
  EXPECT_EQ(run("exit"), names{"crashed r.middle: exit status 0"});
  EXPECT_EQ(run("hang"), names{"timed out r.middle: timed out after 4 s"});
  EXPECT_EQ(p.plan().selected(), names{"r.middle"});
  EXPECT_EQ(run(""), names());
  EXPECT_EQ(p.plan().selected(), names());
}

MORPH_FOR_EACH_FRAMEWORK(framework_batches);

}  // namespace
}  // namespace morph::end_to_end
