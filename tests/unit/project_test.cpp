// Reading the user's world: listings, logs, reports, dependency records, diffs, globs, verdicts, processes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "coverage/gcov/stream_format.h"
#include "plugin/project/dependencies.hpp"
#include "plugin/project/discovery.hpp"
#include "plugin/project/files.hpp"
#include "plugin/project/outcomes.hpp"
#include "plugin/project/process.hpp"
#include "plugin/project/repository.hpp"
#include "plugin/project/verdict.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace {

using namespace morph::project;
using morph::testing::temporary_folder;

std::vector<std::string> names(const std::vector<listed_case>& cases) {
  std::vector<std::string> result;
  for (const auto& c : cases) result.push_back(c.case_name + " = " + c.name + (c.disabled ? " (disabled)" : ""));
  return result;
}

TEST(GTestListing, NamesCasesAsCMakeDoes) {
  const char* text =
      "Running main() from ./googletest/src/gtest_main.cc\n"
      "Plain.\n"
      "  One\n"
      "  DISABLED_Two\n"
      "DISABLED_Off.\n"
      "  Three\n"
      "Typed/0.  # TypeParam = std::vector<int>\n"
      "  Four\n"
      "Values/ByNumber.\n"
      "  Five/0  # GetParam() = (1, \"a;b\")\n"
      "  Five/custom  # GetParam() = 7\n";
  EXPECT_EQ(names(parse_gtest_listing(text, "p.", ".s")),
            (std::vector<std::string>{
                "Plain.One = p.Plain.One.s", "Plain.DISABLED_Two = p.Plain.Two.s (disabled)",
                "DISABLED_Off.Three = p.Off.Three.s (disabled)", "Typed/0.Four = p.Typed.Four<std::vector<int>>.s",
                "Values/ByNumber.Five/0 = p.Values/ByNumber.Five/(1, \"a;b\").s",
                "Values/ByNumber.Five/custom = p.Values/ByNumber.Five/custom  # GetParam() = 7.s"}));
}

TEST(GTestListing, TakesPlacesFromTheJson) {
  auto cases = parse_gtest_listing("S.\n  A\n  B\n", "", "");
  const std::string_view json =
      R"({"testsuites":[{"name":"S","testsuite":[{"name":"A"},{"name":"B","file":"/x/b.cpp","line":7}]}]})";
  EXPECT_TRUE(add_gtest_locations(cases, json));
  EXPECT_EQ(cases[0].file, "");
  EXPECT_EQ(cases[1].file, "/x/b.cpp");
  EXPECT_EQ(cases[1].line, 7);
  EXPECT_TRUE(add_gtest_locations(cases, "{ truncated"));
  EXPECT_EQ(cases.size(), 2U);
}

TEST(GTestListing, IsToldFromOtherOutputByTheJson) {
  const std::string_view json = R"({"testsuites":[{"name":"S","testsuite":[{"name":"A"},{"name":"B"}]}]})";
  auto around = parse_gtest_listing("Hello.\n  loading x\nS.\n  A\n  B\n  done\n", "", "");
  EXPECT_TRUE(add_gtest_locations(around, json));
  EXPECT_EQ(names(around), (std::vector<std::string>{"S.A = S.A", "S.B = S.B"}));
  auto glued = parse_gtest_listing("loading... S.\n  A\n  B\n", "", "");
  EXPECT_FALSE(add_gtest_locations(glued, json));
}

// Written by CTest 3.25.1.
const char* last_test_log = R"(Start testing: Nov 20 23:53 UTC
----------------------------------------------------------
1/4 Testing: ok
1/4 Test: ok
Command: "/usr/bin/true"
Directory: /w
"ok" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
Test Failed.
"ok" end time: imitated
<end of output>
Test time =   0.25 sec
----------------------------------------------------------
Test Passed.
"ok" end time: Nov 20 23:53 UTC
"ok" time elapsed: 00:00:00
----------------------------------------------------------

2/4 Testing: with "quotes" and blanks
2/4 Test: with "quotes" and blanks
Command: "/usr/bin/false"
Directory: /w
"with "quotes" and blanks" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
<end of output>
Test time =   1.50 sec
----------------------------------------------------------
Test Failed.
"with "quotes" and blanks" end time: Nov 20 23:53 UTC
"with "quotes" and blanks" time elapsed: 00:00:01
----------------------------------------------------------

Unable to find executable: nonexist
3/4 Testing: missing
3/4 Test: missing
Command: ""
Directory: /w
"missing" start time: 
Output:
----------------------------------------------------------
<end of output>
Test time =   0.00 sec
----------------------------------------------------------
Test Passed.
"missing" end time: Nov 20 23:53 UTC
"missing" time elapsed: 00:00:00
----------------------------------------------------------

4/4 Testing: by text
4/4 Test: by text
Command: "/usr/bin/false"
Directory: /w
"by text" start time: Nov 20 23:53 UTC
Output:
----------------------------------------------------------
good
<end of output>
Test time =   0.00 sec
----------------------------------------------------------
Test Pass Reason:
Required regular expression found. Regex=[good
]
"by text" end time: Nov 20 23:53 UTC
"by text" time elapsed: 00:00:00
----------------------------------------------------------

End testing: Nov 20 23:53 UTC
)";

TEST(LastTestLog, GivesTheVerdictOfEveryTestThatRan) {
  const auto outcomes = parse_last_test_log(last_test_log, 99);
  ASSERT_EQ(outcomes.size(), 3U);
  EXPECT_EQ(outcomes[0].name, "by text");
  EXPECT_FALSE(outcomes[0].failed);
  EXPECT_EQ(outcomes[1].name, "ok");
  EXPECT_FALSE(outcomes[1].failed);
  EXPECT_EQ(outcomes[1].seconds, 0.25);
  EXPECT_EQ(outcomes[2].name, "with \"quotes\" and blanks");
  EXPECT_TRUE(outcomes[2].failed);
  EXPECT_EQ(outcomes[2].at, 99);
}

TEST(LastTestLog, IsRememberedWhenAListingHasEmptiedIt) {
  const temporary_folder folder;
  folder.write("Testing/Temporary/LastTest.log", last_test_log);
  const auto cache = folder / "cache.json";
  EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", cache).size(), 3U);
  folder.write("Testing/Temporary/LastTest.log", "Start testing: Nov 20 23:53 UTC\nEnd testing: Nov 20 23:53 UTC\n");
  const auto kept = remember_last_runs({folder.path()}, folder / "runs", cache);
  ASSERT_EQ(kept.size(), 3U);
  EXPECT_TRUE(kept[2].failed);
  // The same second, another verdict: the log is what happened last.
  std::string green = last_test_log;
  green.replace(green.rfind("Test Failed."), 12, "Test Passed.");
  folder.write("Testing/Temporary/LastTest.log", last_test_log);
  remember_last_runs({folder.path()}, folder / "runs", cache);
  const auto time = std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log");
  folder.write("Testing/Temporary/LastTest.log", green);
  std::filesystem::last_write_time(folder / "Testing/Temporary/LastTest.log", time);
  EXPECT_FALSE(remember_last_runs({folder.path()}, folder / "runs", cache)[2].failed);

  folder.write("Testing/Temporary/LastTest.log", "");
  folder.write("cache.json", "{ damaged");
  EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", cache).size(), 0U);
}

TEST(LastRuns, TakeWhatBatchesLeftAndRemoveIt) {
  const temporary_folder folder;
  const auto runs = folder / "runs";
  const auto merged = [&] {
    std::string text;
    for (const auto& o : remember_last_runs({folder.path()}, runs, folder / "cache.json"))
      text += o.name + (o.failed ? " failed, " : " passed, ");
    return text;
  };
  EXPECT_EQ(merged(), "");
  ASSERT_TRUE(leave_outcomes(runs, "s.tier1", {{"A", true, 0.5, 1000}, {"B", false, 0.5, 1000}}));
  ASSERT_TRUE(leave_outcomes(runs, "s.tier1", {{"A", false, 0.5, 1000}}));  // the same second, later
  ASSERT_TRUE(leave_outcomes(runs, "s.tier2", {{"B", true, 0.5, 999}, {"C", true, 0.5, 999}}));
  folder.write("runs/0.damaged.json", "{");
  EXPECT_EQ(merged(), "A passed, B passed, C failed, ");
  EXPECT_TRUE(std::filesystem::is_empty(runs));
  EXPECT_EQ(merged(), "A passed, B passed, C failed, ");
}

TEST(LastRuns, KeepWhatBatchesLeftWhenTheCacheCannotBeWritten) {
  const temporary_folder folder;
  ASSERT_TRUE(leave_outcomes(folder / "runs", "s.tier1", {{"A", true, 0.5, 1000}}));
  folder.write("cache.json/is_a_folder", "");
  for (int round = 0; round < 2; ++round)
    EXPECT_EQ(remember_last_runs({folder.path()}, folder / "runs", folder / "cache.json").size(), 1U);
}

TEST(LastTestLog, IsEmptyWithoutAFile) {
  const temporary_folder folder;
  EXPECT_TRUE(read_last_test_log(folder.path()).empty());
}

TEST(Dependencies, OfNinja) {
  const auto map = parse_ninja_deps(
      "src/a.cpp.o: #deps 2, deps mtime 5 (VALID)\n    ../a.cpp\n    /usr/include/x.h\n\n"
      "/b/t/b.cpp.o: #deps 1, deps mtime 5 (VALID)\n    /s/b.cpp\n\n"
      "program: #deps 3, deps mtime 5 (VALID)\n    src/a.cpp.o\n    /usr/lib/libc.so\n    /lib64/ld-linux.so.2\n\n",
      "/b/t");
  EXPECT_EQ(map, (dependency_map{{"src/a.cpp.o", {"/b/a.cpp", "/usr/include/x.h"}}, {"b.cpp.o", {"/s/b.cpp"}}}));
}

TEST(Dependencies, OfMake) {
  EXPECT_EQ(parse_make_rule("CMakeFiles/x.dir/a.cpp.o: /s/a.cpp \\\n /s/with\\ blank.h /s/$$cash.h\n/s/a.cpp:\n"),
            (std::vector<std::string>{"/s/a.cpp", "/s/with blank.h", "/s/$cash.h"}));
}

TEST(DiffLines, GivesHunksWithoutContext) {
  EXPECT_EQ(diff_lines("a\nb\nc\n", "a\nX\nc\n"), (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ(diff_lines("a\nb\n", "a\nnew\nb\n"), (std::vector<hunk>{{1, 0, 2, 1}}));
  EXPECT_EQ(diff_lines("a\nb\n", "new\na\nb\n"), (std::vector<hunk>{{0, 0, 1, 1}}));
  EXPECT_EQ(diff_lines("a\nb\nc\n", "c\n"), (std::vector<hunk>{{1, 2, 0, 0}}));
  EXPECT_EQ(diff_lines("a\n", "a\n"), std::vector<hunk>{});
}

TEST(Glob, StopsAtSlashesUnlessDoubled) {
  EXPECT_TRUE(matches_glob("*.md", "docs/a.md"));
  EXPECT_TRUE(matches_glob("data/*.txt", "data/a.txt"));
  EXPECT_FALSE(matches_glob("data/*.txt", "data/b/a.txt"));
  EXPECT_TRUE(matches_glob("data/**/*.txt", "data/b/c/a.txt"));
  EXPECT_TRUE(matches_glob("data/**/*.txt", "data/a.txt"));
  EXPECT_TRUE(matches_glob("data/**", "data/b/a.txt"));
  EXPECT_TRUE(matches_glob("?.c", "a.c"));
  EXPECT_FALSE(matches_glob("?.c", "ab.c"));
  EXPECT_TRUE(matches_glob("docs/", "docs/x/y.png"));
  EXPECT_TRUE(matches_glob("docs/", "lib/docs/y.png"));
  EXPECT_TRUE(matches_glob("/docs/", "docs/x/y.png"));
  EXPECT_FALSE(matches_glob("/docs/", "lib/docs/y.png"));
  EXPECT_TRUE(matches_glob("/*.txt", "a.txt"));
  EXPECT_FALSE(matches_glob("/*.txt", "lib/a.txt"));
  EXPECT_FALSE(matches_glob("docs/", "docs"));
  EXPECT_FALSE(matches_glob("docs/", "mydocs/y.png"));
}

TEST(Verdict, FollowsTheTestsProperties) {
  using list = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(judge(0, "", {}), verdict::passed);
  EXPECT_EQ(judge(3, "", {}), verdict::failed);
  EXPECT_EQ(judge(3, "", list{{"WILL_FAIL", "on"}}), verdict::passed);
  EXPECT_EQ(judge(77, "", list{{"SKIP_RETURN_CODE", "77"}}), verdict::skipped);
  EXPECT_EQ(judge(5, "all, Fail 0", list{{"PASS_REGULAR_EXPRESSION", ", Fail 0"}}), verdict::passed);
  EXPECT_EQ(judge(0, "all, Fail 2", list{{"PASS_REGULAR_EXPRESSION", ", Fail 0"}}), verdict::failed);
  EXPECT_EQ(judge(0, "ERROR", list{{"FAIL_REGULAR_EXPRESSION", "x;ERR"}}), verdict::failed);
  EXPECT_EQ(judge(0, "", list{{"PASS_REGULAR_EXPRESSION", "(unclosed"}}), verdict::failed);
}

TEST(Process, CapturesOutputAndExitStatus) {
  command c;
  c.arguments = {"sh", "-c", "echo out; echo err >&2; echo $X; exit 3"};
  c.environment = {{"X", "value"}};
  for (const bool at_end : {false, true}) {
    c.capture_at_end = at_end;
    const process_end end = run(c);
    EXPECT_EQ(end.how, process_end::kind::exited);
    EXPECT_EQ(end.code, 3);
    EXPECT_EQ(end.out, "out\nvalue\n");
    EXPECT_EQ(end.err, "err\n");
    EXPECT_EQ(describe(end, c.timeout), "exit status 3");
  }
}

TEST(Process, CapturesMuchThatIsWrittenInSmallPieces) {
  command c;
  c.arguments = {"sh", "-c", "i=0; while [ $i -lt 20000 ]; do echo 12345; i=$((i + 1)); done"};
  c.capture_at_end = true;
  EXPECT_EQ(run(c).out.size(), 120'000U);
}

TEST(Process, EndsTheWholeGroupOnTimeOut) {
  command c;
  c.arguments = {"sh", "-c", "tail -f /dev/null & wait"};
  c.timeout = std::chrono::milliseconds(50);
  EXPECT_EQ(run(c).how, process_end::kind::timed_out);
}

TEST(Process, KeepsWhatWasWrittenBeforeTheTimeOut) {
  command c;
  c.arguments = {"sh", "-c", "echo kept; exec tail -f /dev/null"};
  c.timeout = std::chrono::milliseconds(300);
  EXPECT_EQ(run(c).out, "kept\n");
  c.capture_at_end = true;
  EXPECT_EQ(run(c).out, "kept\n");
}

TEST(Process, SaysWhyAProgramCannotStart) {
  command c;
  c.arguments = {"/nonexistent/program"};
  const process_end end = run(c);
  EXPECT_EQ(end.how, process_end::kind::not_started);
  EXPECT_EQ(describe(end, c.timeout), "could not be started: No such file or directory");
}

TEST(Process, StreamsThroughAnExtraPipe) {
  command c;
  c.arguments = {"sh", "-c", "eval \"printf hello >&$STREAM\""};
  c.stream_variable = "STREAM";
  std::string seen;
  c.on_stream = [&](std::string_view bytes) {
    seen += bytes;
    return true;
  };
  EXPECT_TRUE(run(c).succeeded());
  EXPECT_EQ(seen, "hello");
}

TEST(Process, TellsOfOpenedFilesInTheirOrderWithTheStream) {
  command c;
  c.arguments = {"sh", "-c",
                 "for i in 1 2 3 4 5 6 7 8 9; do eval \"printf $i >&$STREAM\"; true </nonexistent/$i; cat "
                 "/nonexistent/of-$i; done "
                 "2>/dev/null; : >>/dev/null; cd /proc/self; true <relative"};
  c.stream_variable = "STREAM";
  std::string seen;
  c.on_stream = [&](std::string_view bytes) {
    seen += bytes;
    return true;
  };
  c.on_opened = [&](const opened_file& opened) {
    if (opened.how != opened_file::use::reads) return;
    if (opened.path.starts_with("/nonexistent/")) seen += opened.path.substr(13) + (opened.by_program ? "," : ";");
    if (opened.path.ends_with("/relative") || opened.path == "/dev/null")
      seen += opened.path.substr(opened.path.rfind('/'));
  };
  const process_end end = run(c);
  if (end.watch_refused != 0) GTEST_SKIP() << "the kernel tells nothing: errno " << end.watch_refused;
  std::string expected;
  for (char i = '1'; i <= '9'; ++i) expected += i + std::string() + i + ",of-" + i + ";";
  EXPECT_EQ(seen, expected + "/relative");
}

static_assert(mode_of_unwatched_opens == morph_stream::mode_of_unwatched_opens);

/// How a program with these statements uses files below /nonexistent, in order: reads, looks, writes, hides.
std::string uses_by(const std::string& statements) {
  const morph::testing::temporary_folder folder;
  folder.write("program.cpp",
               "#include <fcntl.h>\n#include <sys/stat.h>\n#include <sys/syscall.h>\n#include <unistd.h>\n"
               "struct stat facts;\nstruct statx more;\nint main() {\n" +
                   statements + "}\n");
  const command compile{{"c++", "-o", (folder / "program").string(), (folder / "program.cpp").string()}};
  if (const auto end = run(compile); !end.succeeded()) return end.err;
  command c{{(folder / "program").string()}};
  std::string seen;
  c.on_opened = [&](const opened_file& used) {
    const std::string how(1, "rlwh"[static_cast<int>(used.how)]);
    if (used.how == opened_file::use::hides) seen += how + " ";
    if (const auto at = used.path.find("/nonexistent"); at != std::string::npos)
      seen += how + used.path.substr(at + 12) + " ";
  };
  const process_end end = run(c);
  return end.watch_refused == 0 ? seen : "refused";
}

TEST(Process, TellsOfFilesThatAreLookedForLinkedOrWritten) {
  const std::string seen = uses_by(R"(
    stat("/nonexistent/stat", &facts);
    lstat("/nonexistent/lstat", &facts);
    statx(AT_FDCWD, "/nonexistent/statx", 0, 0, &more);
    access("/nonexistent/access", R_OK);
    faccessat(AT_FDCWD, "/nonexistent/faccessat", R_OK, AT_EACCESS);
    readlink("/nonexistent/readlink", 0, 0);
    chdir("/nonexistent/chdir");
    link("/nonexistent/link", "/tmp/nowhere");
    open("/nonexistent/path", O_PATH);
    open("/nonexistent/write", O_WRONLY);
    open("/nonexistent/both", O_RDWR);
    syscall(SYS_openat, AT_FDCWD, "/nonexistent/of_the_runtime", O_RDONLY, 0x4d4f5250);
    syscall(SYS_openat, AT_FDCWD, "/nonexistent/mode", O_RDONLY, 0777);
    const int root = open("/", O_PATH);
    fstatat(root, "nonexistent/at", &facts, 0);
    fstatat(root, "nonexistent/at_empty", &facts, AT_EMPTY_PATH);
    fstatat(root, "", &facts, AT_EMPTY_PATH);
    fstat(root, &facts);
    fstatat(99, "nonexistent/nowhere", &facts, 0);
    access(nullptr, R_OK);)");
  if (seen == "refused") GTEST_SKIP() << "the kernel tells nothing";
  EXPECT_EQ(seen,
            "l/stat l/lstat l/statx l/access l/faccessat l/readlink l/chdir r/link l/path w/write r/both r/mode l/at "
            "l/at_empty ");
}

TEST(Process, SaysWhenFilesMayBeOpenedUnseen) {
  const std::string seen = uses_by("syscall(SYS_io_uring_setup, 1, nullptr);");
  if (seen == "refused") GTEST_SKIP() << "the kernel tells nothing";
  EXPECT_EQ(seen, "h ");
#ifdef __x86_64__
  EXPECT_EQ(uses_by("syscall(0x40000000 + SYS_getpid);"), "h ") << "a call of another architecture";
#endif
}

TEST(Process, TimesOutWhileFilesAreWatched) {
  command c;
  c.arguments = {"sh", "-c", "cat /dev/null; tail -f /dev/null & wait"};
  c.timeout = std::chrono::milliseconds(50);
  std::size_t opened = 0;
  c.on_opened = [&](const opened_file&) { ++opened; };
  EXPECT_EQ(run(c).how, process_end::kind::timed_out);
  c.arguments = {"/nonexistent/program"};
  EXPECT_EQ(run(c).how, process_end::kind::not_started);
}

TEST(Process, GivesBothOutputsInTheirOrderAsTheyCome) {
  std::string seen;
  command c;
  c.arguments = {"sh", "-c", "echo one; echo two >&2; echo three"};
  c.on_output = [&](std::string_view piece) { seen += piece; };
  const auto end = run(c);
  EXPECT_TRUE(end.succeeded());
  EXPECT_EQ(seen, "one\ntwo\nthree\n");
  EXPECT_EQ(end.out + end.err, "");
}

TEST(Process, WhoseOutputIsPassedOnDoesNotWaitForWhatItLeftRunning) {
  std::string seen;
  command c;
  c.arguments = {"sh", "-c", "sleep 600 & echo $!"};
  c.on_output = [&](std::string_view piece) { seen += piece; };
  EXPECT_TRUE(run(c).succeeded());
  const int left = std::stoi(seen);
  // Ended, or ended and not yet waited for by init; it is killed, but the kernel takes its time.
  const auto is_there = [&] {
    const auto state = read_file("/proc/" + std::to_string(left) + "/stat");
    return state && state->find(") Z ") == std::string::npos;
  };
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (is_there() && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  EXPECT_FALSE(is_there());
}

TEST(Process, IsEndedAtADeadlineThatMoves) {
  int pieces = 0;
  auto limit = std::chrono::steady_clock::now() + std::chrono::hours(1);
  command c;
  c.arguments = {"sh", "-c", "echo one; exec sleep 600"};
  c.on_output = [&](std::string_view) {
    ++pieces;
    limit = std::chrono::steady_clock::now();
  };
  c.deadline = [&] { return limit; };
  EXPECT_EQ(run(c).how, process_end::kind::timed_out);
  EXPECT_EQ(pieces, 1);
}

TEST(Process, IsStoppedByItsReader) {
  command c;
  c.arguments = {"sh", "-c", "yes >&$STREAM"};
  c.stream_variable = "STREAM";
  c.on_stream = [](std::string_view) { return false; };
  EXPECT_EQ(run(c).how, process_end::kind::stopped);
}

class Repository : public ::testing::Test {
 protected:
  void SetUp() override {
    git("init -q");
    folder.write("a.txt", "1\n2\n3\n");
    folder.write("b.txt", "b\n");
    git("add -A");
    git("commit -q -m one");
  }
  void git(const std::string& arguments) {
    command c;
    c.arguments = {"sh", "-c",
                   "git -c user.name=t -c user.email=t@example.invalid -c commit.gpgsign=false " + arguments};
    c.directory = folder.path().string();
    c.environment = {{"GIT_CONFIG_GLOBAL", "/dev/null"}, {"GIT_CONFIG_SYSTEM", "/dev/null"}};
    const process_end end = run(c);
    ASSERT_TRUE(end.succeeded()) << end.err;
  }
  repository open() { return repository::open(folder.path()).value(); }
  static bool any(const std::string&) { return true; }
  temporary_folder folder;
};

TEST_F(Repository, SeesAWorkTreeThatIsClean) {
  const auto head = open().head();
  ASSERT_TRUE(head);
  EXPECT_FALSE(head->dirty);
  EXPECT_FALSE(head->run_all);
  EXPECT_TRUE(open().changes_since(head->tree, {}, any)->empty());
}

TEST_F(Repository, ComparesATreeWithTheWorkTree) {
  const auto tree = open().head()->tree;
  folder.write("a.txt", "1\n2x\n3\n");
  git("rm -q b.txt");
  folder.write("new.cpp", "n\n");
  folder.write("other.bin", "n\n");
  const auto changes = open().changes_since(tree, {}, [](const std::string& p) { return p == "new.cpp"; });
  ASSERT_EQ(changes->size(), 3U);
  EXPECT_EQ((*changes)[0].path, "a.txt");
  EXPECT_EQ((*changes)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ((*changes)[0].old_lines, 3U);
  EXPECT_EQ((*changes)[1].how, file_change::kind::deleted);
  EXPECT_EQ((*changes)[2].how, file_change::kind::added);
  EXPECT_FALSE((*changes)[2].tracked);
  EXPECT_TRUE(open().head()->dirty);
}

TEST_F(Repository, PutsMeasuredContentInPlaceOfTheTree) {
  const auto tree = open().head()->tree;
  folder.write("a.txt", "1\nmeasured\n3\n");
  EXPECT_TRUE(open().changes_since(tree, {{"a.txt", "1\nmeasured\n3\n"}}, any)->empty());
  git("checkout -q a.txt");
  const auto back = open().changes_since(tree, {{"a.txt", "1\nmeasured\n3\n"}, {"gone.cpp", "x\n"}}, any);
  ASSERT_EQ(back->size(), 2U);
  EXPECT_EQ((*back)[0].hunks, (std::vector<hunk>{{2, 1, 2, 1}}));
  EXPECT_EQ((*back)[1].how, file_change::kind::deleted);
}

TEST_F(Repository, ListsTheContentOfEverythingThatDiffersFromHead) {
  folder.write("a.txt", "other\n");
  std::filesystem::permissions(folder / "a.txt", std::filesystem::perms::owner_all);
  git("rm -q b.txt");
  folder.write("new.cpp", "n\n");
  folder.write("scratch", "n\n");
  const auto dirty = open().dirty_files([](const std::string& p) { return p == "new.cpp"; });
  ASSERT_TRUE(dirty);
  ASSERT_EQ(dirty->size(), 3U);
  EXPECT_EQ((*dirty)[0].content, "other\n");
  EXPECT_EQ((*dirty)[1].content, std::nullopt);
  EXPECT_EQ((*dirty)[2].path, "new.cpp");
}

TEST_F(Repository, FindsTheNearestMeasuredAncestorOverBothParents) {
  const auto first = open().head()->tree;
  git("checkout -q -b side");
  folder.write("s.txt", "s\n");
  git("add -A");
  git("commit -q -m side");
  const auto side = open().head()->tree;
  git("checkout -q -");
  folder.write("m.txt", "m\n");
  git("add -A");
  git("commit -q -m main");
  git("merge -q --no-ff -m merge side");
  const auto found = open().nearest("", [&](const std::string& t) { return t == first || t == side; });
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->tree, side);
  EXPECT_EQ((*found)->distance, 1U);
  EXPECT_FALSE(*open().nearest("", [](const std::string&) { return false; }));
  EXPECT_FALSE(open().nearest("no-such-revision", any));
}

TEST_F(Repository, TellsWhichFilesChangedLately) {
  const auto commit_at = [&](const char* date) {
    git(
        fmt::format("commit -q -m more && GIT_COMMITTER_DATE={}T00:00:00Z git -c user.name=t -c "
                    "user.email=t@example.invalid commit -q --amend --no-edit",
                    date));
  };
  const auto commit = [&](const std::string& name, const std::string& text, const char* date) {
    folder.write(name, text);
    git("add -A");
    commit_at(date);
  };
  commit("a.txt", "2\n", "2040-01-01");
  commit("a.txt", "3\n", "2040-06-29");  // 180 days later
  commit("b.txt", "3\n", "2040-06-29");
  git("branch other");
  git("checkout -q -b side HEAD~1");
  commit("c.txt", "3\n", "2040-06-29");
  git("merge -q --no-ff --no-commit other");
  commit_at("2040-06-29");
  const auto churn = open().churn(4);
  ASSERT_EQ(churn.size(), 3U);
  EXPECT_NEAR(churn.at("a.txt"), 1 + std::exp(-1), 1e-9);
  EXPECT_NEAR(churn.at("b.txt"), 1, 1e-9);
  EXPECT_NEAR(churn.at("c.txt"), 1, 1e-9) << "once, not with the merge, too";
  EXPECT_EQ(open().churn(0).size(), 0U);
  EXPECT_NEAR(open().churn(100).at("b.txt"), 1, 1e-3) << "not the first commit";
  commit("a.txt", "4\n", "2040-06-29");
  git("clone -q --depth 2 file://$PWD shallow");
  const auto in_shallow = repository::open(folder / "shallow")->churn(100);
  ASSERT_EQ(in_shallow.size(), 1U) << "what came before is not there to compare with";
  EXPECT_NEAR(in_shallow.at("a.txt"), 1, 1e-9);
}

TEST_F(Repository, EndsTheSearchWhereAShallowCloneEnds) {
  const auto first = open().head()->tree;
  folder.write("a.txt", "later\n");
  git("commit -q -a -m two");
  git("clone -q --depth 1 file://$PWD shallow");
  const auto found =
      repository::open(folder / "shallow")->nearest("", [&](const std::string& t) { return t == first; });
  ASSERT_TRUE(found) << found.error();
  EXPECT_FALSE(*found);
}

TEST_F(Repository, ReadsTheTrailerThatAsksForEverything) {
  git("commit -q --allow-empty -m subject -m 'Morph: all'");
  EXPECT_TRUE(open().head()->run_all);
}

TEST_F(Repository, TreatsAChangeOfModeAsAChange) {
  const auto tree = open().head()->tree;
  std::filesystem::permissions(folder / "a.txt", std::filesystem::perms::owner_all);
  const auto changes = open().changes_since(tree, {}, any);
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_TRUE((*changes)[0].binary);
}

TEST_F(Repository, KnowsWhatGitTracks) {
  folder.write("new.cpp", "n\n");
  EXPECT_TRUE(open().tracks("a.txt"));
  EXPECT_FALSE(open().tracks("new.cpp"));
}

TEST_F(Repository, NamesFilesAsGitDoesAlsoThroughSymbolicLinks) {
  const repository r = open();
  EXPECT_EQ(r.relative(folder / "sub/../x/y.cpp"), "x/y.cpp");
  EXPECT_EQ(r.relative("/elsewhere/y.cpp"), "");
  EXPECT_EQ(r.relative(folder.path() / ".." / "beside.cpp"), "");
  const temporary_folder other;
  std::filesystem::create_directory_symlink(folder.path(), other / "link");
  EXPECT_EQ(r.relative(other / "link/x/y.cpp"), "x/y.cpp");
}

TEST(RepositoryErrors, SayWhatToDo) {
  const temporary_folder folder;
  const auto none = repository::open(folder.path());
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("is not in a git repository; run `git init`"), std::string::npos) << none.error();
  command c;
  c.arguments = {"git", "init", "-q", folder.path().string()};
  ASSERT_TRUE(run(c).succeeded());
  EXPECT_NE(repository::open(folder.path())->head().error().find("no commit yet"), std::string::npos);
}

}  // namespace
