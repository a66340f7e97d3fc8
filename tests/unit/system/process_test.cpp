// Running other programs: their ends, what they write, which files they use.
#include "plugin/system/process.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "coverage/gcov/stream_format.h"
#include "plugin/system/files.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::system {
namespace {
using morph::test_support::temporary_folder;

TEST(Process, WritesBelowTheAllowedFoldersAlone) {
  const temporary_folder folder;
  const auto inside = folder.path() / "inside", outside = folder.path() / "outside";
  std::filesystem::create_directories(inside);
  std::filesystem::create_directories(outside);
  const auto limit = write_limit::below({inside});
  if (!limit) GTEST_SKIP() << "this kernel has no Landlock";
  command c;
  c.arguments = {"sh", "-c", "echo a > inside/a; mkdir inside/b; echo a > outside/a; mkdir outside/b; cat inside/a"};
  c.directory = folder.path().string();
  c.writes = &*limit;
  EXPECT_EQ(run(c).out, "a\n");
  EXPECT_TRUE(std::filesystem::exists(inside / "b"));
  EXPECT_TRUE(std::filesystem::is_empty(outside));
  c.writes = nullptr;
  run(c);
  EXPECT_TRUE(std::filesystem::exists(outside / "b"));
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

/// How a program with these statements uses files below /nonexistent, in order: reads, looks, writes, hides, makes; and
/// whether it changes them.
std::string uses_by(const std::string& statements) {
  const morph::test_support::temporary_folder folder;
  folder.write("program.cpp",
               "#include <fcntl.h>\n#include <linux/openat2.h>\n#include <stdio.h>\n#include <sys/stat.h>\n#include "
               "<sys/syscall.h>\n#include <unistd.h>\n"
               "struct stat facts;\nstruct statx more;\nint main() {\n" +
                   statements + "}\n");
  const command compile{{"c++", "-o", (folder / "program").string(), (folder / "program.cpp").string()}};
  if (const auto end = run(compile); !end.succeeded()) return end.err;
  command c{{(folder / "program").string()}};
  std::string seen;
  c.on_opened = [&](const opened_file& used) {
    const std::string how = "rlwhm"[static_cast<int>(used.how)] + std::string(used.changes ? "!" : "");
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
            "l/stat l/lstat l/statx l/access l/faccessat l/readlink l/chdir r/link l/path w!/write r!/both r/mode l/at "
            "l/at_empty ");
}

TEST(Process, TellsOfFilesThatAreMade) {
  const std::string seen = uses_by(R"(
    open("/nonexistent/appended", O_WRONLY | O_CREAT | O_APPEND, 0600);
    open("/nonexistent/emptied", O_RDWR | O_TRUNC);
    open("/nonexistent/new", O_RDWR | O_CREAT | O_EXCL, 0600);
    open("/nonexistent/kept", O_RDWR | O_CREAT, 0600);
    open("/nonexistent", O_RDWR | O_TMPFILE, 0600);
    creat("/nonexistent/created", 0600);
    truncate("/nonexistent/shorter", 0);
    mkdir("/nonexistent/folder", 0700);
    mknod("/nonexistent/pipe", S_IFIFO | 0600, 0);
    symlink("target", "/nonexistent/symlink");
    link("/tmp/nowhere", "/nonexistent/link");
    rename("/nonexistent/old", "/nonexistent/moved");
    const int root = open("/", O_PATH);
    mkdirat(root, "nonexistent/folder_at", 0700);
    renameat2(root, "nonexistent/old_at", root, "nonexistent/moved_at", 0);
    mkdir("/tmp", 0700);)");
  if (seen == "refused") GTEST_SKIP() << "the kernel tells nothing";
  EXPECT_EQ(seen,
            "m!/appended w!/emptied m!/new r!/kept l m!/created w!/shorter m!/folder m!/pipe m!/symlink m!/link r!/old "
            "m!/moved m!/folder_at r!/old_at m!/moved_at ");
}

TEST(Process, TellsThatAFolderWhichIsThereIsNotMade) {
  const morph::test_support::temporary_folder folder;
  std::filesystem::create_directory(folder / "nonexistent");
  const std::string seen = uses_by("mkdir(\"" + (folder / "nonexistent").string() + "\", 0700); mkdir(\"" +
                                   (folder / "nonexistent/new").string() + "\", 0700);");
  if (seen == "refused") GTEST_SKIP() << "the kernel tells nothing";
  EXPECT_EQ(seen, "l m!/new ");
}

TEST(Process, SaysWhenFilesMayBeOpenedUnseen) {
  const std::string seen = uses_by("syscall(SYS_io_uring_setup, 1, nullptr);");
  if (seen == "refused") GTEST_SKIP() << "the kernel tells nothing";
  EXPECT_EQ(seen, "h ");
  EXPECT_EQ(uses_by("chroot(\"/tmp/none\");"), "h ") << "paths may mean other files then";
  EXPECT_EQ(uses_by(R"(open_how how{}; how.resolve = RESOLVE_IN_ROOT;
                       syscall(SYS_openat2, AT_FDCWD, "/nonexistent/inside", &how, sizeof how);)"),
            "h ");
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

/// It is gone, or ended and not yet waited for by init; who is killed ends when the kernel has time.
bool ends_soon(int process) {
  const auto is_there = [&] {
    const auto state = read_file("/proc/" + std::to_string(process) + "/stat");
    return state && state->find(") Z ") == std::string::npos;
  };
  const auto patience = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (is_there() && std::chrono::steady_clock::now() < patience) std::this_thread::yield();
  return !is_there();
}

TEST(Process, WhoseOutputIsPassedOnDoesNotWaitForWhatItLeftRunning) {
  std::string seen;
  command c;
  c.arguments = {"sh", "-c", "sleep 600 & echo $!"};
  c.on_output = [&](std::string_view piece) { seen += piece; };
  EXPECT_TRUE(run(c).succeeded());
  EXPECT_TRUE(ends_soon(std::stoi(seen)));
}

TEST(Process, ThatIsWatchedDiesWithUs) {
  const temporary_folder folder;
  const auto note = folder / "process";
  const pid_t we = ::fork();
  if (we == 0) {
    command c{{"sh", "-c",
               "echo $$ >" + note.string() + ".new; mv " + note.string() + ".new " + note.string() +
                   "; while :; do :; done"}};
    c.on_opened = [](const opened_file&) {};
    run(c);
    ::_exit(0);
  }
  auto child = read_file(note);
  for (; !child; child = read_file(note)) std::this_thread::yield();
  ::kill(we, SIGKILL);
  wait_for_end(we);
  EXPECT_TRUE(ends_soon(std::stoi(*child)));
  ::kill(std::stoi(*child), SIGKILL);
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

TEST(Process, TakesTheLastValueOfAVariable) {
  command c{{"sh", "-c", "echo $GCOV_PREFIX $GCOV_PREFIX_STRIP $LLVM_PROFILE_FILE"}};
  c.environment = {{"GCOV_PREFIX", "/users"}, {"GCOV_PREFIX_STRIP", "3"}};
  const auto kept_apart = counters_kept_in("/ours");
  c.environment.insert(c.environment.end(), kept_apart.begin(), kept_apart.end());
  EXPECT_EQ(run(c).out, "/ours /ours.profraw/%p.profraw\n");
}

}  // namespace
}  // namespace morph::system
