// ctest's own runs are evidence of the next one: what tests execute, read and ask for is recorded while they run.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "learned_shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class learning : public learned_shapes {};

TEST_F(learning, a_second_run_runs_nothing) {
  EXPECT_EQ(run(), names());
  EXPECT_FALSE(fs::exists(p.store()));
  EXPECT_FALSE(fs::exists(p.build_dir() / "morph-twin"));
}

TEST_F(learning, a_change_runs_who_entered_it_once) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning, who_lists_tests_before_they_run_still_sees_why) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.ctest({"-N"});
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().reasons("Area.OfStrip"), names{"changed-code:area(int, int)"});
  EXPECT_TRUE(p.plan().test("Area.OfStrip").at("seconds").is_number());
  EXPECT_EQ(run({"-R", "Area.OfStrip"}), names{"Area.OfStrip"});
  EXPECT_EQ(p.plan().selected(), names{"Area.OfSquare"});
  EXPECT_EQ(p.plan().reasons("Area.OfSquare"), names{"changed-code:area(int, int)"});
  EXPECT_EQ(run(), names{"Area.OfSquare"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_function_of_a_header_is_no_test_whoever_includes_it) {
  p.replace("src/shapes.hpp", "inline int twice",
            "__attribute__((noinline)) inline int half(int length) {\n  return length / 2;\n}\ninline int twice");
  p.replace("tests/shapes_test.cpp", "scale(2), 4", "scale(half(4)), 4");
  run_after_build();
  p.replace("src/shapes.hpp", "length / 2", "length == 7 ? 0 : length / 2");
  p.build();
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-code:half(int)"});
  p.replace("src/shapes.hpp", "length == 7 ? 0 : length / 2", "length / 2");
  p.replace("tests/shapes_test.cpp", "scale(half(4)), 4", "half(scale(4)), 4");
  p.build();
  EXPECT_EQ(p.plan().reasons("Scale.ByTwo"), names{"changed-test"});
}

TEST_F(learning, what_every_test_enters_needs_no_probe_and_is_in_each_row) {
  std::string tests = "#include <gtest/gtest.h>\n__attribute__((noinline)) int in_each(int n) {\n  return n;\n}\n";
  names all;
  for (const char name : std::string("ABCDEFGHI")) {
    tests += std::string("TEST(Reads, ") + name + ") { EXPECT_EQ(in_each('" + name + "'), '" + name + "'); }\n";
    all.push_back(std::string("Reads.") + name);
  }
  p.write("tests/reads_test.cpp", tests);
  EXPECT_EQ(run_after_build(), all);
  // One table in sixteen has all probes: its key begins with a zero.
  bool has_all_probes = true;
  for (int round = 1; round <= 4 && has_all_probes; ++round) {
    const auto call = [](int n) { return std::to_string(n) + " + in_each('A' - " + std::to_string(n) + ")"; };
    p.replace("tests/reads_test.cpp", round == 1 ? "in_each('A')" : call(round - 1), call(round));
    EXPECT_EQ(run_after_build(), names{"Reads.A"});
    EXPECT_EQ(run(), names());
    for (const auto& file : fs::directory_iterator(p.build_dir() / ".morph" / "probes")) {
      const std::string bytes = read_bytes(file), field = "of_every_test";
      if (file.path().extension() != ".names" || bytes.find("_Z7in_eachi") == std::string::npos) continue;
      const auto behind = static_cast<unsigned char>(bytes.at(bytes.find(field) + field.size()));
      has_all_probes = file.path().filename().string().starts_with('0');
      EXPECT_EQ(behind == 0x80, has_all_probes) << "an empty array of CBOR";
    }
  }
  EXPECT_FALSE(has_all_probes);
  p.replace("tests/reads_test.cpp", "return n;", "return n == 7 ? 0 : n;");
  EXPECT_EQ(run_after_build(), all);
}

TEST_F(learning, a_test_that_fails_runs_until_it_passes) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  EXPECT_EQ(run_after_build(), area_tests);
  EXPECT_EQ(run(), area_tests);
  p.replace("src/area.cpp", "width * height + 1", "height * width");
  EXPECT_EQ(run_after_build(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_test_that_was_skipped_is_not_known) {
  add_test("TEST(Reads, Skipped) { if (!std::getenv(\"SERVICE\")) GTEST_SKIP(); }\n");
  EXPECT_EQ(run_after_build(), names{"Reads.Skipped"});
  EXPECT_EQ(run(), names{"Reads.Skipped"});
  p.set_variable("SERVICE", "1");
  EXPECT_EQ(run(), names{"Reads.Skipped"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, what_a_failed_test_did_is_not_what_it_does) {
  add_test(
      "__attribute__((noinline)) int later() { return 1; }\n"
      "TEST(Reads, Cut) {\n  ASSERT_FALSE(std::getenv(\"BROKEN\"));\n  EXPECT_EQ(later(), 1);\n}\n");
  p.set_variable("BROKEN", "1");
  EXPECT_EQ(run_after_build(), names{"Reads.Cut"});
  p.unset_variable("BROKEN");
  EXPECT_EQ(run(), names{"Reads.Cut"});
  EXPECT_EQ(run(), names());
  p.replace("tests/reads_test.cpp", "later() { return 1; }", "later() { return 2; }");
  EXPECT_EQ(run_after_build(), names{"Reads.Cut"});
}

TEST_F(learning, a_program_that_was_built_anew_under_way_is_of_no_measurement) {
  p.replace("src/area.cpp", "width * height", "width * height + 1");
  make_fifo("go");
  add_test("TEST(Slow, First) { std::ifstream(TESTS \"/../go\").get(); }\n");
  p.build();
  std::thread other([&] { p.ctest({"-L", "morph", "-j", "1", "-R", "Slow|Area|plan$"}); });
  std::error_code none;
  while (!fs::exists(spool() / "live", none) || fs::is_empty(spool() / "live", none)) std::this_thread::yield();
  p.replace("src/area.cpp", "width * height + 1", "height * width");
  p.build();
  p.ctest({"-N"});
  go();
  other.join();
  p.replace("src/area.cpp", "height * width", "width * height + 1");
  p.build();
  const names selected = p.plan().selected();
  for (const std::string& name : area_tests) EXPECT_EQ(std::count(selected.begin(), selected.end(), name), 1) << name;
}

TEST_F(learning, what_runs_for_a_test_belongs_to_it) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_test(NAME generate COMMAND shapes_tests --gtest_filter=Perimeter.*)
add_test(NAME prepare COMMAND shapes_tests --gtest_filter=Area.*)
set_tests_properties(prepare PROPERTIES FIXTURES_SETUP ready)
add_test(NAME uses COMMAND reads_tests --gtest_filter=Reads.Nothing)
set_tests_properties(uses PROPERTIES FIXTURES_REQUIRED ready DEPENDS generate)
morph_adopt_tests(NAME others)
)");
  p.commit();
  p.build();
  EXPECT_EQ(run().size(), 3U);
  EXPECT_EQ(run(), names());
  p.replace("tests/reads_test.cpp", "TEST(Reads, Nothing) {}",
            "TEST(Reads, Nothing) { EXPECT_EQ(::getpid() > 0, true); }");
  EXPECT_EQ(run_after_build(), sorted({"Reads.Nothing", "generate", "prepare", "uses"}));
  EXPECT_EQ(run(), names());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), sorted({"Area.OfSquare", "Area.OfStrip", "generate", "prepare", "uses"}));
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_listing_is_no_baseline_where_its_commit_was_measured) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : width * height");
  p.build();
  const std::string commit = p.commit();
  p.ctest({"-N"});
  EXPECT_EQ(p.morph({"measure"}).exit, 0);
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  p.build();
  EXPECT_EQ(p.plan({"--base", commit}).selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(learning, tests_that_were_not_run_stay_selected) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build({"-R", "Square|plan$"}), names{"Area.OfSquare"});
  EXPECT_EQ(run(), names{"Area.OfStrip"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_tracked_file_runs_who_read_it) {
  p.write("tests/sizes.txt", "8\n");
  EXPECT_EQ(run(), names{"Reads.Tracked"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_file_beside_the_repository_runs_who_looked_for_it) {
  p.write("../outside.txt", "now it is there\n");
  EXPECT_EQ(run(), names{"Reads.Outside"});
  EXPECT_EQ(run(), names());
  p.write("../outside.txt", "and another\n");
  EXPECT_EQ(run(), names{"Reads.Outside"});
}

TEST_F(learning, a_file_that_changes_behind_the_test_runs_it_again) {
  p.write("../outside.txt", "the first\n");
  p.ctest({"-L", "morph"});
  p.write("../outside.txt", "the second, before any plan\n");
  EXPECT_EQ(run(), names{"Reads.Outside"});
}

TEST_F(learning, a_tracked_file_that_changes_under_way_makes_the_row_incomplete) {
  make_fifo("go");
  add_test(
      "TEST(Reads, Late) {\n  std::ifstream(TESTS \"/../go\").get();\n  std::ifstream(TESTS "
      "\"/sizes.txt\").get();\n}\n");
  p.commit();
  p.build();
  std::thread other([&] { p.ctest({"-L", "morph"}); });
  std::error_code none;
  while (!fs::exists(spool() / "live", none) || fs::is_empty(spool() / "live", none)) std::this_thread::yield();
  p.write("tests/sizes.txt", "8\n");
  go();
  other.join();
  p.write("tests/sizes.txt", "7\n");
  EXPECT_EQ(p.plan().reasons("Reads.Late"), names{"incomplete-evidence"});
}

TEST_F(learning, with_a_sanitizer_tests_run_unrecorded) {
  p.configure({"-DCMAKE_CXX_FLAGS=-fsanitize=address"});
  p.build();
  const finished first = p.ctest({"-L", "morph"});
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_NE(first.both().find("this run of ctest is not recorded: the sanitizer in '"), std::string::npos)
      << first.both();
  EXPECT_EQ(run().size(), 9U);
}

TEST_F(learning, a_variable_counts_as_it_was_for_the_test) {
  p.set_variable("SHAPE_OF_NOTHING", "1");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Variable"});
  p.ctest({"-L", "morph"});
  p.unset_variable("SHAPE_OF_NOTHING");
  EXPECT_EQ(run(), names{"Reads.Variable"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, a_test_that_was_adopted_is_recorded_as_it_is) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_test(NAME plain COMMAND shapes_tests --gtest_filter=Scale.*)
set_tests_properties(plain PROPERTIES ENVIRONMENT_MODIFICATION "GIVEN=set:1")
add_test(NAME given COMMAND sh -c "test $GIVEN = 2")
set_tests_properties(given PROPERTIES ENVIRONMENT "GIVEN=1" ENVIRONMENT_MODIFICATION "GIVEN=set:2")
morph_adopt_tests(NAME others)
)");
  p.commit();
  p.build();
  const finished first = p.ctest({"-L", "morph"});
  EXPECT_EQ(first.exit, 0) << first.both();
  EXPECT_EQ(run(), names{"given"}) << "a command that may run anything";
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + "set(NOTHING 1)\n");
  EXPECT_EQ(run_after_build(), names{"given"});
  p.replace("CMakeLists.txt", "\"GIVEN=set:1\"", "\"GIVEN=set:2\"");
  EXPECT_EQ(run_after_build(), (names{"given", "plain"}));
  EXPECT_EQ(run(), names{"given"});
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  EXPECT_EQ(run_after_build(), sorted({"Scale.ByTwo", "Scale.ByZero", "given", "plain"}));
}

TEST_F(learning, what_a_test_of_ctest_was_when_it_ran_counts) {
  p.write("CMakeLists.txt", p.read("CMakeLists.txt") + R"(
add_test(NAME plain COMMAND shapes_tests --gtest_filter=Scale.*)
morph_adopt_tests(NAME others)
)");
  p.commit();
  p.build();
  p.ctest({"-L", "morph"});
  p.replace("CMakeLists.txt", "--gtest_filter=Scale.*", "--gtest_filter=Area.*");
  p.build();  // before anybody has taken in what was recorded
  EXPECT_EQ(p.plan().selected(), names{"plain"});
}

TEST_F(learning, cases_of_a_batch_are_recorded_one_by_one) {
  p.replace("CMakeLists.txt", "morph_add_suite(geometry", "morph_add_suite(geometry GRANULARITY tier");
  p.commit();
  p.build();
  p.ctest({"-L", "morph"});
  EXPECT_EQ(p.plan().selected(), names());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  EXPECT_EQ(p.plan().selected(), area_tests);
  const finished done = p.ctest({"-L", "morph", "-V"});
  EXPECT_NE(done.out.find("Area.OfSquare"), std::string::npos) << done.out;
  EXPECT_EQ(done.out.find("Scale.ByTwo"), std::string::npos) << done.out;
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(learning, cases_of_a_batch_share_one_start_and_keep_their_own_rows) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads TARGET reads_tests)",
            "morph_add_suite(reads TARGET reads_tests GRANULARITY suite)");
  add_test(R"(
#include <map>

namespace {
std::ofstream starts(TESTS "/../starts", std::ios::app);
const bool says = static_cast<bool>(starts << "once\n" << std::flush);

int first_time() {
  return ::getpid() > 0 ? 1 : 0;
}
int initialized() {
  static int number = first_time() - 1;
  return ++number;
}
}  // namespace

TEST(Once, First) { EXPECT_EQ(initialized(), 1); }
TEST(Once, Second) { EXPECT_EQ(initialized(), 1); }
TEST(Ways, Fails) { EXPECT_EQ(std::getenv("BROKEN"), nullptr) << "broken here"; }
TEST(Ways, Crashes) { if (std::getenv("BROKEN")) std::raise(SIGSEGV); }
TEST(Ways, Skips) { if (std::getenv("BROKEN")) GTEST_SKIP() << "not today"; }
TEST(Ways, Exits) { if (std::getenv("BROKEN")) std::exit(0); }
)");
  p.set_variable("BROKEN", "1");
  p.build();
  fs::remove(p.root() / "starts");
  const finished broken = p.ctest({"-L", "morph", "-V"});
  EXPECT_EQ(p.read("starts"), "once\nonce\n");  // one lists the tests, one runs them
  for (const char* const said : {"10 of 10 cases ran: 6 passed, 3 failed, 1 skipped", "failed Ways.Fails: ",
                                 "crashed Ways.Crashes: killed by signal 11", "crashed Ways.Exits: exit status 0"})
    EXPECT_NE(broken.out.find(said), std::string::npos) << said << "\n" << broken.out;
  EXPECT_EQ(p.plan().selected(), sorted({"Ways.Crashes", "Ways.Exits", "Ways.Fails", "Ways.Skips"}));
  p.unset_variable("BROKEN");
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
  p.write("tests/sizes.txt", "8\n");
  EXPECT_EQ(p.plan().selected(), names{"Reads.Tracked"});
  p.write("tests/sizes.txt", "7\n");
  p.replace("tests/reads_test.cpp", "::getpid() > 0 ? 1 : 0", "::getpid() > 1 ? 1 : 0");
  p.build();
  EXPECT_EQ(p.plan().selected(), sorted({"Once.First", "Once.Second"}));
}

TEST_F(learning, a_case_of_a_batch_that_takes_too_long_costs_the_others_nothing) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads TARGET reads_tests)",
            "morph_add_suite(reads TARGET reads_tests GRANULARITY suite TIMEOUT 2)");
  add_test("TEST(Reads, Hangs) { while (std::getenv(\"HANGS\")) ::pause(); }\nTEST(Reads, Later) {}\n");
  p.set_variable("HANGS", "1");
  p.build();
  const finished hanging = p.ctest({"-L", "morph", "-V"});
  EXPECT_NE(hanging.out.find("timed out Reads.Hangs: timed out after 2 s"), std::string::npos) << hanging.out;
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Reads.Hangs"}) << testing::PrintToString(plan.reasons("Reads.Nothing"));
  p.unset_variable("HANGS");
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(learning, cases_of_a_batch_with_threads_from_the_start_have_a_process_each) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads TARGET reads_tests)",
            "morph_add_suite(reads TARGET reads_tests GRANULARITY suite)");
  add_test(
      "#include <thread>\nnamespace {\nconst bool has_thread = (std::thread([] { for (;;) ::pause(); }).detach(), "
      "true);\n}\n");
  p.build();
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(learning, a_test_that_was_killed_has_no_row) {
  add_test("TEST(Reads, Killed) { if (std::getenv(\"KILLED\")) std::raise(SIGKILL); }\n");
  p.set_variable("KILLED", "1");
  EXPECT_EQ(run_after_build(), names{"Reads.Killed"});
  EXPECT_EQ(p.plan().selected(), names{"Reads.Killed"});
  p.unset_variable("KILLED");
  EXPECT_EQ(run(), names{"Reads.Killed"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, what_a_test_leaves_behind_goes_on_undisturbed) {
  add_test(
      "TEST(Reads, Leaves) {\n"
      "  EXPECT_EQ(std::system(\"cd \" TESTS \"/..; (while [ ! -e go ]; do :; done; cat CMakeLists.txt > part; mv part "
      "left)"
      " > /dev/null 2>&1 &\"), 0);\n}\n");
  EXPECT_EQ(run_after_build(), names{"Reads.Leaves"});
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.selected(), names{"Reads.Leaves"});
  EXPECT_EQ(plan.reasons("Reads.Leaves"), names{"incomplete-evidence"});
  p.write("go", "");
  while (!fs::exists(p.root() / "left")) std::this_thread::yield();
  EXPECT_GT(fs::file_size(p.root() / "left"), 0U) << "what was left could not open its files";
}

TEST_F(learning, a_record_that_is_torn_costs_its_test_alone) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.ctest({"-L", "morph", "-R", "Square|plan$"});
  p.ctest({"-L", "morph", "-R", "Strip|plan$"});
  wait_for_records();
  bool is_torn = false;
  for (const auto& file : fs::directory_iterator(spool()))
    if (file.path().extension() == ".rows") {
      fs::resize_file(file.path(), fs::file_size(file.path()) - 20);
      is_torn = true;
    }
  EXPECT_TRUE(is_torn);
  EXPECT_EQ(run(), names{"Area.OfStrip"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, without_room_for_rows_tests_run_as_they_do_without) {
  fs::remove_all(spool());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.write("build/.morph/spool", "no folder");
  const finished done = p.ctest({"-L", "morph"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.both().find("this run of ctest is not recorded"), std::string::npos) << done.both();
  fs::remove(spool());
  EXPECT_EQ(run(), area_tests);
  EXPECT_EQ(run(), names());
}

TEST_F(learning, two_runs_at_once_learn_what_each_ran) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.replace("src/scale.cpp", "length * 2", "length == 7 ? 0 : length * 2");
  p.build();
  std::thread other([&] { p.ctest({"-L", "morph", "-R", "Area|plan$"}); });
  p.ctest({"-L", "morph", "-R", "Scale|plan$"});
  other.join();
  // They write one log: whose verdicts are lost there runs again, and no other test.
  const names affected{"Area.OfSquare", "Area.OfStrip", "Scale.ByTwo", "Scale.ByZero"};
  for (const std::string& name : run()) EXPECT_EQ(std::count(affected.begin(), affected.end(), name), 1) << name;
  EXPECT_EQ(run(), names());
}

TEST_F(learning, the_recorder_may_be_killed) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.ctest({"-L", "morph", "-R", "Square|plan$"});
  wait_for_records();
  while (kill_recorders() == 0) p.run({MORPH_PREFIX "/lib/morph/morph-recorder", spool()});  // it ends if nobody asks
  EXPECT_EQ(run(), names{"Area.OfStrip"});
  EXPECT_EQ(run(), names());
}

TEST_F(learning, record_puts_it_into_the_store) {
  const finished done = p.morph({"record"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.out.find("it is known what 9 of 9 tests executed"), std::string::npos) << done.out;
  fs::remove(p.build_dir() / ".morph" / "learned.db");
  EXPECT_EQ(run(), names());
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_EQ(run_after_build(), area_tests);
}

TEST_F(learning, record_keeps_verdicts_where_rows_cannot_be_taken_in) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.ctest({"-L", "morph"});
  fs::remove(p.build_dir() / "reads_tests");
  p.write("build/reads_tests", "#!/bin/sh\nexit 1\n");
  fs::permissions(p.build_dir() / "reads_tests", fs::perms::owner_all);
  const finished done = p.morph({"record"});
  EXPECT_EQ(done.exit, 0) << done.both();
  EXPECT_NE(done.err.find("is not kept: not every program lists its tests"), std::string::npos) << done.both();
  EXPECT_NE(done.out.find("recorded "), std::string::npos) << done.out;
}

TEST_F(learning, measuring_goes_on_from_it) {
  const finished run = p.try_measure();
  EXPECT_NE(run.out.find("is already measured: 9 tests"), std::string::npos) << run.both();
}

TEST_F(learning, diff_and_optimize_go_by_it) {
  const auto ask = [&](const std::string& command) {
    const finished end = p.morph({command, "--json"});
    EXPECT_EQ(end.exit, 0) << end.both();
    return nlohmann::json::parse(end.out);
  };
  const nlohmann::json small = ask("optimize");
  names kept;
  for (const auto& test : small.at("tests"))
    if (test.at("kept")) kept.push_back(test.at("name"));
  EXPECT_EQ(kept.size(), 3U) << small;  // area(), perimeter() and scale()
  EXPECT_EQ(small.at("covered"), small.at("weight"));
  EXPECT_NE(p.morph({"optimize"}).out.find("functions"), std::string::npos);

  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  const std::string changed = ask("diff").dump();
  EXPECT_NE(changed.find("area(int, int)"), std::string::npos) << changed;
  EXPECT_EQ(changed.find("scale"), std::string::npos) << changed;
}

TEST_F(learning, where_evidence_is_off_every_test_runs_and_nothing_is_recorded) {
  p.configure({"-DMORPH_EVIDENCE=off"});
  EXPECT_EQ(run_after_build().size(), 9U);
  EXPECT_EQ(run().size(), 9U);
  EXPECT_FALSE(fs::exists(spool()));
  EXPECT_NE(nlohmann::json(p.plan().notes()).dump().find("MORPH_EVIDENCE is off"), std::string::npos);
  const finished measured = p.try_measure();
  EXPECT_EQ(measured.exit, 3);
  EXPECT_NE(measured.err.find("MORPH_EVIDENCE"), std::string::npos) << measured.both();
}

TEST_F(learning, after_three_runs_in_vain_the_twin_is_proposed) {
  p.replace("CMakeLists.txt", "morph_add_suite(reads",
            "target_link_options(reads_tests PRIVATE -s)\nmorph_add_suite(reads");
  const auto proposes_it = [&] {
    return nlohmann::json(p.plan().notes()).dump().find("a build tree with -DMORPH_EVIDENCE=twin") != std::string::npos;
  };
  for (int i = 1; i <= 3; ++i) {
    EXPECT_FALSE(proposes_it()) << i;
    p.replace("src/area.cpp", "width * height", fmt::format("width == {} ? 0 : width * height", 10 + i));
    const names started = run_after_build();
    EXPECT_EQ(
        std::count_if(started.begin(), started.end(), [](const auto& name) { return name.starts_with("Reads."); }), 4)
        << i;
  }
  EXPECT_TRUE(proposes_it());
  p.replace("CMakeLists.txt", "target_link_options(reads_tests PRIVATE -s)", "");
  run_after_build();
  EXPECT_FALSE(proposes_it());
}

TEST_F(learning, the_doctor_says_what_is_known) {
  const finished run = p.morph({"doctor"});
  EXPECT_EQ(run.exit, 0) << run.both();
  EXPECT_NE(run.out.find("what 9 of 9 tests executed"), std::string::npos) << run.out;
}

TEST_F(learning, a_budget_that_leaves_tests_out_teaches_nothing) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  p.build();
  p.set_variable("MORPH_BUDGET", "0");
  p.ctest({"-L", "morph"});
  p.unset_variable("MORPH_BUDGET");
  EXPECT_EQ(run(), area_tests);
}

}  // namespace
}  // namespace morph::end_to_end
