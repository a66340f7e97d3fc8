// What goes wrong while ctest's own runs are learned from: damaged files, odd file systems, the clock, kernels that
// forbid code that can be written to. A row is right, incomplete or absent, and one line says why.
#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <thread>

#include "learned_shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class learning_hazards : public learned_shapes {
 protected:
  /// Files of the spool, or of the tables.
  std::vector<fs::path> files_of(const std::string& folder, const std::string& extension) const {
    std::vector<fs::path> found;
    for (const auto& file : fs::directory_iterator(p.build_dir() / ".morph" / folder))
      if (file.path().extension() == extension) found.push_back(file.path());
    return found;
  }

  /// The first occurrence of `text` in it becomes another.
  static void damage(const fs::path& file, const std::string& text) {
    std::string bytes = read_bytes(file);
    const auto at = bytes.find(text);
    ASSERT_NE(at, std::string::npos) << file;
    bytes[at + text.size() - 1] ^= 1;
    write_bytes(file, bytes);
  }

  void change_area() const {
    p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
    p.build();
  }

  /// In a namespace of mounts of its own, behind `preparation`; 99: that is not allowed.
  finished with_mounts(const std::string& preparation, const std::string& script) const {
    names command{"unshare", "--mount"};
    if (::geteuid() != 0) command.emplace_back("--map-root-user");
    command.insert(command.end(), {"sh", "-c", "cd \"$1\" && { " + preparation + "; } || exit 99; " + script, "sh",
                                   p.root().string()});
    return p.run(command);
  }
};

// ---- damaged files

TEST_F(learning_hazards, a_damaged_file_of_a_run_costs_the_rows_of_that_run_and_no_others) {
  change_area();
  p.ctest({"-L", "morph"});
  wait_for_records();
  const auto runs = files_of("spool", ".run");
  ASSERT_EQ(runs.size(), 1U);
  damage(runs.front(), R"("variables":{")");
  const finished planned = p.morph({"plan"});
  EXPECT_NE(planned.err.find(runs.front().string() + "' is damaged; what 2 tests did is not known"), std::string::npos)
      << planned.both();
  EXPECT_EQ(run(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, a_file_of_a_run_that_was_cut_off_costs_the_rows_of_that_run) {
  change_area();
  p.ctest({"-L", "morph"});
  wait_for_records();
  const auto runs = files_of("spool", ".run");
  ASSERT_EQ(runs.size(), 1U);
  fs::resize_file(runs.front(), 0);
  EXPECT_NE(p.morph({"plan"}).err.find("is damaged"), std::string::npos);
  EXPECT_EQ(run(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, damaged_names_of_functions_cost_the_rows_that_need_them) {
  change_area();
  p.ctest({"-L", "morph"});
  wait_for_records();
  for (const fs::path& file : files_of("probes", ".names"))
    if (read_bytes(file).find("_Z9perimeterii") != std::string::npos) damage(file, "_Z9perimeter");
  const finished planned = p.morph({"plan"});
  EXPECT_NE(planned.err.find(".names' is damaged; what 2 tests did is not known"), std::string::npos) << planned.both();
  EXPECT_EQ(run(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, names_of_variables_that_were_cut_off_cost_the_row_of_that_test) {
  add_test(
      "TEST(Reads, CutOff) {\n"
      "  EXPECT_EQ(std::system(\"printf HALF_OF_A_NAM >> $MORPH_PROBES_ROW/variables\"), 0);\n}\n");
  EXPECT_EQ(run_after_build(), names{"Reads.CutOff"});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Reads.CutOff"});
  EXPECT_EQ(plan.reasons("Reads.CutOff"), names{"incomplete-evidence"});
}

TEST_F(learning_hazards, a_damaged_table_is_made_anew) {
  const auto tables = files_of("probes", ".probes");
  ASSERT_EQ(tables.size(), 2U);
  std::map<fs::path, std::string> before;
  for (const fs::path& table : tables) {
    before[table] = read_bytes(table);
    std::string damaged = before[table];
    damaged[damaged.size() / 2] ^= 1;
    write_bytes(table, damaged);
  }
  p.write("tests/sizes.txt", "8\n");
  EXPECT_EQ(run(), names{"Reads.Tracked"});
  EXPECT_EQ(run(), names());
  for (const fs::path& table : tables) EXPECT_TRUE(read_bytes(table) == before[table]) << table;
}

// ---- a great many processes

TEST_F(learning_hazards, a_test_of_many_processes_has_a_row_of_all_of_them) {
  add_test(R"(#include <spawn.h>
#include <sys/wait.h>
__attribute__((noinline)) int of_child(int n) {
  return n == 150 ? 1 : 0;
}
TEST(Reads, Many) {
  for (int i = 0; i < 200; ++i) {
    pid_t child = 0;
    char name[] = "true";
    char* arguments[] = {name, nullptr};
    ASSERT_EQ(posix_spawn(&child, "/bin/true", nullptr, nullptr, arguments, environ), 0);
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
    child = fork();
    if (child == 0) _exit(of_child(i) + (i == 150 && std::getenv("ASKED_BY_A_CHILD") ? 1 : 0));
    ASSERT_EQ(waitpid(child, nullptr, 0), child);
  }
}
)");
  EXPECT_EQ(run_after_build(), names{"Reads.Many"});
  EXPECT_EQ(run(), names());
  p.set_variable("ASKED_BY_A_CHILD", "1");
  EXPECT_EQ(run(), names{"Reads.Many"});
  p.replace("tests/reads_test.cpp", "n == 150 ? 1", "n == 160 ? 1");
  p.build();
  EXPECT_EQ(p.plan().reasons("Reads.Many"), names{"changed-code:of_child(int)"});
}

TEST_F(learning_hazards, a_program_that_a_test_executes_belongs_to_its_row) {
  add_test("TEST(Reads, Executes) { EXPECT_EQ(std::system(\"./shapes_tests --gtest_filter=Scale.ByTwo\"), 0); }\n");
  EXPECT_EQ(run_after_build(), names{"Reads.Executes"});
  EXPECT_EQ(run(), names());
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build(), (names{"Reads.Executes", "Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(learning_hazards, a_program_that_a_test_reads_makes_its_row_incomplete) {
  add_test("TEST(Reads, AProgram) { EXPECT_EQ(std::ifstream(\"shapes_tests\").get(), 127); }\n");
  EXPECT_EQ(run_after_build(), names{"Reads.AProgram"});
  const finished planned = p.morph({"plan"});
  EXPECT_NE(planned.err.find("they read or executed '" + (p.build_dir() / "shapes_tests").string()), std::string::npos)
      << planned.both();
  EXPECT_EQ(p.plan().selected(), names{"Reads.AProgram"});
}

// ---- file systems

TEST_F(learning_hazards, a_build_tree_may_lie_in_memory_or_in_layers) {
  const std::string learn =
      "sed -i 's/width [*] height/width == 7 ? 0 : height * width/' src/area.cpp && cmake --build build >/dev/null && "
      "cd build && ctest -L morph && echo AGAIN && ctest -L morph; result=$?; rm -rf .morph/spool; exit $result";
  const std::string in_memory =
      "mkdir ../kept && cp -a build/. ../kept/ && mount -t tmpfs memory build && cp -a ../kept/. build/";
  const std::string in_layers =
      "mkdir -p ../above && mount -t tmpfs memory ../above && mkdir ../above/upper ../above/work && "
      "mount -t overlay layers -o lowerdir=build,upperdir=../above/upper,workdir=../above/work build";
  for (const std::string& preparation : {in_memory, in_layers}) {
    const finished done = with_mounts(preparation, learn);
    if (done.exit == 99) GTEST_SKIP() << "not run: nothing can be mounted here: " << done.both();
    ASSERT_EQ(done.exit, 0) << done.both();
    const auto again = done.out.find("AGAIN");
    names first = sorted(started(done.out.substr(0, again)));
    std::erase_if(first, [](const std::string& name) { return name.ends_with(".plan"); });
    EXPECT_EQ(first, area_tests) << done.both();
    EXPECT_EQ(sorted(started(done.out.substr(again))), (names{"geometry.plan", "reads.plan"})) << done.both();
    p.git({"checkout", "-q", "src"});
  }
}

TEST_F(learning_hazards, without_tables_that_can_be_executed_rows_are_incomplete) {
  change_area();
  const finished done =
      with_mounts("mount -t tmpfs -o noexec tables build/.morph/probes",
                  "cd build; ctest -L morph; result=$?; " MORPH_PREFIX "/bin/morph plan; exit $result");
  if (done.exit == 99) GTEST_SKIP() << "not run: nothing can be mounted here: " << done.both();
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(
      done.err.find("not known in full what 2 tests executed, which run every time: its text cannot be replaced: "),
      std::string::npos)
      << done.both();
  EXPECT_EQ(p.plan().reasons("Area.OfSquare"), names{"incomplete-evidence"});
}

TEST_F(learning_hazards, without_room_for_records_tests_pass_and_run_again) {
  change_area();
  const finished done = with_mounts(
      "mkdir -p build/.morph/spool && mount -t tmpfs -o size=64k small build/.morph/spool && "
      "{ dd if=/dev/zero of=build/.morph/spool/full bs=1k count=52 2>/dev/null; true; }",
      "cd build; ctest -L morph");
  if (done.exit == 99) GTEST_SKIP() << "not run: nothing can be mounted here: " << done.both();
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_EQ(run(), area_tests);
  EXPECT_EQ(run(), names());
}

// ---- names, machines

TEST_F(learning_hazards, a_test_may_be_called_anything) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"--(
foreach(name IN ITEMS [=[it's "a" $name \ \n]=] "../../up" "-R" "ä ö %s {}" "a,b:c|d&e>f")
  add_test(NAME "${name}" COMMAND shapes_tests --gtest_filter=Scale.*)
endforeach()
morph_adopt_tests(NAME others)
)--");
  p.commit();
  EXPECT_EQ(run_after_build().size(), 5U);
  EXPECT_EQ(run(), names());
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build().size(), 7U);
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, a_store_serves_other_paths_and_no_other_flags) {
  EXPECT_EQ(p.morph({"record"}).exit, 0);
  const fs::path elsewhere = p.root().parent_path() / "elsewhere";
  fs::remove_all(elsewhere);
  const project other(elsewhere / "of the project", p.root().parent_path() / "home");
  p.git({"clone", "-q", p.root().string(), other.root().string()});
  other.configure({"-DMORPH_EVIDENCE=probes", "-DMORPH_STORE=" + p.store().string()});
  other.build();
  const names selected = other.plan().selected();
  for (const std::string& name : all_shapes) EXPECT_EQ(std::count(selected.begin(), selected.end(), name), 0) << name;
  other.configure({"-DCMAKE_CXX_FLAGS=-O1"});
  other.build();
  EXPECT_EQ(other.plan().selected().size(), 9U);
  fs::remove_all(elsewhere);
}

// ---- code that cannot be written to, as SELinux has it

TEST_F(learning_hazards, where_code_may_not_be_written_to_a_row_is_incomplete) {
  constexpr int get_mdwe = 66;  // PR_GET_MDWE, of Linux 6.3
  if (::prctl(get_mdwe, 0, 0, 0, 0) < 0) GTEST_SKIP() << "not run: this kernel has no PR_SET_MDWE";
  add_test(R"(#include <sys/prctl.h>
TEST(Reads, Guarded) {
  ASSERT_EQ(prctl(65, 1, 0, 0, 0), 0);
  EXPECT_EQ(std::system("./shapes_tests --gtest_filter=Scale.* >/dev/null"), 0);
}
)");
  EXPECT_EQ(run_after_build(), names{"Reads.Guarded"});
  const finished planned = p.morph({"plan"});
  EXPECT_NE(planned.err.find("what 1 test executed, which runs every time: "), std::string::npos) << planned.both();
  EXPECT_EQ(p.plan().reasons("Reads.Guarded"), names{"incomplete-evidence"});
}

// ---- the clock

TEST_F(learning_hazards, a_clock_that_was_set_back_under_way_makes_rows_incomplete) {
  change_area();
  kill_recorders();
  // For the recorder the machine has been up for two hours more: the clock seems to have been set back by as much.
  fs::create_directories(spool());
  const finished started =
      p.run({"unshare", "--time", "--boottime", "7200", "--fork", MORPH_PREFIX "/lib/morph/morph-recorder", spool()});
  if (started.exit != 0) GTEST_SKIP() << "not run: no clock of one's own is allowed here: " << started.both();
  EXPECT_EQ(run(), area_tests);
  const finished planned = p.morph({"plan"});
  EXPECT_NE(planned.err.find("what 2 tests executed, which run every time: the clock was set back meanwhile"),
            std::string::npos)
      << planned.both();
  EXPECT_EQ(p.plan().reasons("Area.OfSquare"), names{"incomplete-evidence"});
}

TEST_F(learning_hazards, a_test_that_fails_after_the_clock_was_set_back_has_failed) {
  // Nobody sees that it asks for a variable of ours: only the verdict tells.
  add_test("TEST(Reads, Fails) { EXPECT_EQ(std::getenv(\"MORPH_TEST_FAILS\"), nullptr); }\n");
  EXPECT_EQ(run_after_build(), names{"Reads.Fails"});
  EXPECT_EQ(p.morph({"record"}).exit, 0);
  // As a run of an hour ahead left it; then the clock was set right.
  const fs::path verdicts = p.build_dir() / ".morph" / "outcomes.json";
  nlohmann::json known = nlohmann::json::parse(read_bytes(verdicts));
  for (auto& outcome : known.at("outcomes")) outcome.at(3) = outcome.at(3).get<std::int64_t>() + 3600;
  write_bytes(verdicts, known.dump());
  sqlite3* store = nullptr;
  ASSERT_EQ(sqlite3_open(p.store().c_str(), &store), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(store, "UPDATE outcome SET at=at+3600", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(store);
  p.set_variable("MORPH_TEST_FAILS", "1");
  EXPECT_NE(p.ctest({"-R", "Reads.Fails"}).exit, 0);
  p.unset_variable("MORPH_TEST_FAILS");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Fails"});
}

// ---- tests that end while they ask for a row

TEST_F(learning_hazards, who_asks_and_goes_away_leaves_no_row_that_plans_wait_for) {
  change_area();
  p.ctest({"-L", "morph", "-R", "Square|plan$"});
  wait_for_records();
  const auto runs = files_of("spool", ".run");
  ASSERT_EQ(runs.size(), 1U);
  ASSERT_GE(kill_recorders(SIGSTOP), 1);
  const int conversation = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string at = (spool() / "recorder").string();
  ASSERT_LT(at.size(), sizeof address.sun_path);
  at.copy(address.sun_path, at.size());
  ASSERT_EQ(::connect(conversation, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  const std::string asked = (spool() / runs[0].stem() / "somebody").string();
  ASSERT_EQ(::send(conversation, asked.data(), asked.size(), 0), static_cast<ssize_t>(asked.size()));
  ::close(conversation);
  const auto before = fs::last_write_time(spool() / "live");
  kill_recorders(SIGCONT);
  while (fs::last_write_time(spool() / "live") == before) std::this_thread::yield();
  EXPECT_EQ(run(), names{"Area.OfStrip"});
  wait_for_records();  // does not return if a row was left
}

TEST_F(learning_hazards, who_asks_while_the_recorder_is_about_to_end_gets_the_next_one) {
  change_area();
  while (kill_recorders() != 0) std::this_thread::yield();
  fs::create_directories(spool());
  const std::string lock = (spool() / "recorder.lock").string();
  const int held = ::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  const int told = ::inotify_init1(IN_CLOEXEC);
  ASSERT_GE(::inotify_add_watch(told, lock.c_str(), IN_CLOSE_WRITE), 0);
  names started;
  std::thread other([&] { started = run({"-R", "Square|plan$"}); });
  inotify_event event{};
  EXPECT_EQ(::read(told, &event, sizeof event), static_cast<ssize_t>(sizeof event));  // one could not start
  ::close(held);
  other.join();
  ::close(told);
  EXPECT_EQ(started, names{"Area.OfSquare"});
  EXPECT_EQ(run(), names{"Area.OfStrip"});
}

// ---- programs that cannot be recorded

class learning_with : public learned_shapes, public testing::WithParamInterface<std::string> {};

TEST_P(learning_with, a_sanitizer_that_replaces_no_memory_rows_are_whole) {
  p.configure({"-DCMAKE_CXX_FLAGS=-fsanitize=" + GetParam()});
  EXPECT_EQ(run_after_build().size(), 9U);
  EXPECT_EQ(run(), names());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), area_tests);
  EXPECT_EQ(run(), names());
}

INSTANTIATE_TEST_SUITE_P(of, learning_with, testing::Values("undefined", "thread"),
                         [](const auto& info) { return info.param; });

// Clang's runtime is a part of the program, and comes before all libraries.
TEST_F(learning_hazards, with_clangs_thread_sanitizer_rows_are_whole) {
  const std::string clang = "clang++-19";
  if (std::system((clang + " --version >/dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "not run: no " << clang;
  add_test(R"(#include <thread>
TEST(Reads, InAThread) {
  std::thread([] { std::getenv("ASKED_IN_A_THREAD"); }).join();
}
)");
  fs::remove_all(p.build_dir());
  p.configure({"-DMORPH_EVIDENCE=probes", "-DCMAKE_CXX_COMPILER=" + clang, "-DCMAKE_CXX_FLAGS=-fsanitize=thread"});
  p.build();
  const finished first = p.ctest({"-L", "morph"});
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, a_static_program_is_recorded_by_a_tracer) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads",
            "target_link_options(reads_tests PRIVATE -static)\nmorph_add_suite(reads");
  add_test(R"(#include <sys/wait.h>

#include <thread>
__attribute__((noinline)) int in_child() { return 1; }
__attribute__((noinline)) int in_thread() { return 2; }
TEST(Static, Child) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(in_child());
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_NE(WEXITSTATUS(status), 0);
}
TEST(Static, Thread) { std::thread([] { EXPECT_NE(in_thread(), 0); }).join(); }
TEST(Static, Executes) { EXPECT_EQ(std::system("./shapes_tests --gtest_filter=Scale.* >/dev/null"), 0); }
TEST(Static, Traps) {
  static volatile bool is_handled = false;
  std::signal(SIGTRAP, [](int) { is_handled = true; });
  std::raise(SIGTRAP);
  EXPECT_TRUE(is_handled);
}
TEST(Static, Ends) { if (std::getenv("ENDS")) ::_exit(3); }
TEST(Static, Crashes) { if (std::getenv("BROKEN")) std::raise(SIGSEGV); }
)");
  if (p.try_build().exit != 0) GTEST_SKIP() << "not run: no static libraries";
  EXPECT_EQ(run().size(), 10U);
  EXPECT_EQ(run(), names());
  p.set_variable("SHAPE_OF_NOTHING", "1");
  EXPECT_EQ(run(), names{"Reads.Variable"});
  p.write("tests/sizes.txt", "8\n");
  EXPECT_EQ(p.plan().reasons("Reads.Tracked"), names{"changed-data:tests/sizes.txt"});
  p.write("tests/sizes.txt", "7\n");
  p.replace("tests/reads_test.cpp", "in_child() { return 1; }", "in_child() { return 3; }");
  EXPECT_EQ(run_after_build(), names{"Static.Child"});
  p.replace("tests/reads_test.cpp", "in_thread() { return 2; }", "in_thread() { return 3; }");
  EXPECT_EQ(run_after_build(), names{"Static.Thread"});
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build(), sorted({"Scale.ByTwo", "Scale.ByZero", "Static.Executes"}));
  EXPECT_EQ(run(), names());
  p.set_variable("BROKEN", "1");
  const finished crashed = p.ctest({"-L", "morph"});
  EXPECT_NE(crashed.out.find("Static.Crashes (SEGFAULT)"), std::string::npos) << crashed.out;
  EXPECT_EQ(p.plan().selected(), names{"Static.Crashes"});
  p.set_variable("ENDS", "1");
  EXPECT_NE(p.ctest({"-L", "morph"}).out.find("Static.Ends (Failed)"), std::string::npos);
}

TEST_F(learning_hazards, a_static_program_of_doctest_may_fail_as_it_does_untraced) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads TARGET reads_tests)",
            "target_link_options(reads_tests PRIVATE -static)\n"
            "morph_add_suite(reads TARGET reads_tests FRAMEWORK doctest)");
  p.replace("CMakeLists.txt", "target_link_libraries(reads_tests GTest::gtest_main)", "");
  p.write("tests/reads_test.cpp", R"(#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <csignal>
TEST_CASE("fails" * doctest::should_fail()) { CHECK(1 == 2); }
TEST_CASE("passes") { CHECK(1 == 1); }
)");
  if (p.try_build().exit != 0) GTEST_SKIP() << "not run: no static libraries";
  const finished first = p.ctest({"-L", "morph"});
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_EQ(run(), names());
}

TEST_F(learning_hazards, what_a_static_program_leaves_behind_goes_on) {
  make_fifo("go");
  p.replace("CMakeLists.txt", "morph_add_suite(reads",
            "target_link_options(reads_tests PRIVATE -static)\nmorph_add_suite(reads");
  add_test(R"(#include <sys/wait.h>
__attribute__((noinline)) int later() { return 1; }
TEST(Static, Leaves) {
  if (::fork() != 0) return;
  for (int file = 0; file < 3; ++file) ::close(file);
  std::ifstream(TESTS "/../go").get();
  std::ofstream(TESTS "/../part") << later();
  std::rename(TESTS "/../part", TESTS "/../left");
  ::_exit(0);
}
TEST(Static, ExecutesUnrecorded) {
  const pid_t child = ::fork();
  char name[] = "./shapes_tests", *const arguments[] = {name, nullptr}, *const nothing[] = {nullptr};
  if (child == 0) ::execve(name, arguments, nothing), ::_exit(9);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}
)");
  if (p.try_build().exit != 0) GTEST_SKIP() << "not run: no static libraries";
  EXPECT_EQ(run().size(), 6U);
  EXPECT_EQ(p.plan().selected(), sorted({"Static.ExecutesUnrecorded", "Static.Leaves"}));
  EXPECT_EQ(p.plan().reasons("Static.Leaves"), names{"incomplete-evidence"});
  go();
  while (!fs::exists(p.root() / "left")) std::this_thread::yield();
  EXPECT_EQ(p.read("left"), "1");
}

TEST_F(learning_hazards, cases_of_a_batch_of_a_static_program_are_recorded_one_by_one) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads TARGET reads_tests)",
            "target_link_options(reads_tests PRIVATE -static)\n"
            "morph_add_suite(reads TARGET reads_tests GRANULARITY suite)");
  if (p.try_build().exit != 0) GTEST_SKIP() << "not run: no static libraries";
  p.ctest({"-L", "morph"});
  EXPECT_EQ(p.plan().selected(), names());
  p.set_variable("SHAPE_OF_NOTHING", "1");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Variable"});
  p.unset_variable("SHAPE_OF_NOTHING");
  EXPECT_EQ(p.try_measure().exit, 0);
}

}  // namespace
}  // namespace morph::end_to_end
