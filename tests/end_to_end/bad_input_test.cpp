// Stores, repositories and programs that are not what they should be: everything runs, and a line says why.
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class bad_input : public shapes_test {
 protected:
  void everything_runs_because(const std::string& why) const {
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.state(), "unmeasured-ran-all");
    EXPECT_EQ(plan.selected(), all_shapes);
    ASSERT_EQ(plan.notes().size(), 1U);
    EXPECT_TRUE(plan.notes()[0].starts_with("everything runs: ")) << plan.notes()[0];
    EXPECT_NE(plan.notes()[0].find(why), std::string::npos) << plan.notes()[0];

    const finished end = p.ctest({"-L", "morph", "-N"});
    EXPECT_EQ(end.exit, 0);
    EXPECT_EQ(listed(end.out).size(), 6U);
    EXPECT_EQ(end.err, "morph: " + plan.notes()[0] + "\n");
  }
};

TEST_F(bad_input, without_a_git_repository_everything_runs) {
  p.remove(".git");
  everything_runs_because("is not in a git repository");
  const finished measure = p.try_measure();
  EXPECT_EQ(measure.exit, 3);
  EXPECT_NE(measure.err.find("is not in a git repository; run `git init` and commit"), std::string::npos)
      << measure.err;
}

TEST_F(bad_input, without_a_commit_everything_runs) {
  p.remove(".git");
  p.git({"init", "--quiet"});
  everything_runs_because("the git repository has no commit yet");
  EXPECT_EQ(p.try_measure().exit, 3);
}

TEST_F(bad_input, without_a_store_everything_runs) {
  p.remove(".morph");
  everything_runs_because("nothing was measured yet");
  EXPECT_FALSE(fs::exists(p.root() / ".morph"));
}

TEST_F(bad_input, with_other_flags_everything_runs) {
  p.configure({"-DCMAKE_CXX_FLAGS=-DOTHER"});
  everything_runs_because("this configuration was not measured (");
}

TEST_F(bad_input, a_shallow_clone_without_the_measured_commit_runs_everything) {
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.git({"clone", "--quiet", "--depth", "1", "file://" + p.root().string(), "../clone"});
  // The clone takes the place of the repository; build tree and evidence stay.
  p.remove(".git");
  fs::rename(p.root() / "../clone/.git", p.root() / ".git");
  fs::remove_all(p.root() / "../clone");
  ASSERT_EQ(p.git({"rev-parse", "--is-shallow-repository"}), "true");
  everything_runs_because("no ancestor of this commit was measured");
}

TEST_F(bad_input, a_shallow_clone_with_the_measured_commit_has_a_plan) {
  p.git({"clone", "--quiet", "--depth", "1", "file://" + p.root().string(), "../clone"});
  p.remove(".git");
  fs::rename(p.root() / "../clone/.git", p.root() / ".git");
  fs::remove_all(p.root() / "../clone");
  ASSERT_EQ(p.git({"rev-parse", "--is-shallow-repository"}), "true");
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  EXPECT_EQ(p.plan().state(), "affected");
  EXPECT_EQ(p.plan().selected(), area_tests);
}

// ---- stores

class bad_store : public bad_input {
 protected:
  void everything_runs_and_the_file_stays(const std::string& bytes, const std::string& why) const {
    write_bytes(p.store(), bytes);
    everything_runs_because(why);
    const finished measure = p.try_measure();
    EXPECT_EQ(measure.exit, 3);
    EXPECT_NE(measure.err.find(why), std::string::npos) << measure.err;
    EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
    EXPECT_EQ(p.morph({"record"}).exit, 3);
    for (const char* command : {"info", "verify"}) {
      const finished looked = p.morph({"store", command});
      EXPECT_EQ(looked.exit, 3) << command;
      EXPECT_NE(looked.err.find(why), std::string::npos) << looked.err;
    }
    EXPECT_TRUE(read_bytes(p.store()) == bytes);
    names beside;
    for (const auto& entry : fs::directory_iterator(p.store().parent_path())) beside.push_back(entry.path().filename());
    EXPECT_EQ(beside, names{"evidence.db"});
  }
};

TEST_F(bad_store, a_text_file_is_not_a_store) {
  everything_runs_and_the_file_stays(
      "my notes, which are longer than the header of a database has to be; this is more than a hundred bytes\n",
      "is not a Morph evidence store");
}

TEST_F(bad_store, a_short_text_file_is_not_a_store) {
  everything_runs_and_the_file_stays("my notes\n", "is not a Morph evidence store");
}

TEST_F(bad_store, an_empty_file_is_no_measurement_and_the_next_one_fills_it) {
  write_bytes(p.store(), "");
  everything_runs_because("");
  EXPECT_EQ(p.morph({"store", "info"}).exit, p.morph({"store", "verify"}).exit);
  EXPECT_EQ(read_bytes(p.store()), "");
  EXPECT_EQ(p.try_measure().exit, 0);
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

TEST_F(bad_store, a_store_of_a_newer_schema_is_left_alone) {
  std::string bytes = read_bytes(p.store());
  bytes.replace(60, 4, std::string("\x00\x00\x03\xe7", 4));  // PRAGMA user_version
  everything_runs_and_the_file_stays(bytes, "has schema 999, this morph reads up to 10; use a newer morph");
}

TEST_F(bad_store, a_database_of_another_program_is_left_alone) {
  std::string bytes = read_bytes(p.store());
  bytes.replace(68, 4, std::string("\x00\x00\x00\x00", 4));  // PRAGMA application_id
  everything_runs_and_the_file_stays(bytes, "is not a Morph evidence store");
}

TEST_F(bad_store, a_store_that_lost_its_last_byte_is_left_alone) {
  const std::string bytes = read_bytes(p.store());
  everything_runs_and_the_file_stays(bytes.substr(0, bytes.size() - 1), "is damaged: ");
}

TEST_F(bad_store, a_store_that_lost_its_last_page_is_left_alone) {
  const std::string bytes = read_bytes(p.store());
  everything_runs_and_the_file_stays(bytes.substr(0, bytes.size() - 4096), "is damaged: ");
}

TEST_F(bad_store, a_store_cut_at_any_length_runs_everything) {
  const std::string bytes = read_bytes(p.store());
  for (std::size_t length = 0; length < bytes.size(); length += bytes.size() / 16 + 1) {
    write_bytes(p.store(), bytes.substr(0, length));
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.state(), "unmeasured-ran-all") << length;
    EXPECT_EQ(plan.selected(), all_shapes) << length;
    EXPECT_TRUE(read_bytes(p.store()) == bytes.substr(0, length)) << length;
  }
}

TEST_F(bad_store, a_store_with_a_page_of_noise_never_defers_a_test_of_a_changed_function) {
  const std::string bytes = read_bytes(p.store());
  p.replace("src/area.cpp", "width * height", "height * width");
  for (std::size_t page = 4096; page < bytes.size(); page += 4096) {
    std::string damaged = bytes;
    damaged.replace(page, 4096, std::string(4096, '\xa5'));
    write_bytes(p.store(), damaged);
    const names selected = p.plan().selected();
    EXPECT_TRUE(selected == area_tests || selected == all_shapes) << "page at " << page;
    EXPECT_TRUE(read_bytes(p.store()) == damaged) << page;
  }
}

TEST_F(bad_store, a_folder_in_its_place_runs_everything) {
  fs::remove(p.store());
  fs::create_directory(p.store());
  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
  EXPECT_EQ(p.try_measure().exit, 3);
}

TEST_F(bad_store, a_read_only_store_and_folder_serve_plans) {
  // A superuser writes everywhere: the folder is compared instead.
  fs::permissions(p.store(), fs::perms::owner_read);
  fs::permissions(p.store().parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
  const auto before = fs::last_write_time(p.store().parent_path());
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().state(), "affected");
  EXPECT_EQ(fs::last_write_time(p.store().parent_path()), before);
  fs::permissions(p.store().parent_path(), fs::perms::owner_all);
}

TEST_F(bad_store, a_sound_store_is_verified) {
  const finished end = p.morph({"store", "verify"});
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_TRUE(end.out.ends_with(": sound\n")) << end.out;
}

TEST_F(bad_store, MORPH_STORE_names_another_file) {
  fs::rename(p.store(), p.root() / "build" / "kept.db");
  EXPECT_EQ(p.plan().state(), "unmeasured-ran-all");
  p.configure({"-DMORPH_STORE=" + (p.build_dir() / "kept.db").string()});
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

// ---- stores that somebody writes

/// A transaction too large for SQLite's cache: part of it is in the file before it is committed.
class unfinished_transaction {
 public:
  explicit unfinished_transaction(const fs::path& store) {
    sqlite3_open(store.c_str(), &db_);
    good_ = sqlite3_exec(db_,
                         "PRAGMA cache_size=2; BEGIN IMMEDIATE;"
                         "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<400)"
                         "INSERT INTO blob SELECT i, randomblob(3000) FROM n",
                         nullptr, nullptr, nullptr) == SQLITE_OK;
  }
  unfinished_transaction(const unfinished_transaction&) = delete;
  unfinished_transaction& operator=(const unfinished_transaction&) = delete;
  ~unfinished_transaction() { sqlite3_close(db_); }
  bool good() const { return good_; }

 private:
  sqlite3* db_ = nullptr;
  bool good_ = false;
};

TEST_F(bad_store, a_plan_made_while_the_store_is_written_does_not_call_it_damaged) {
  p.replace("src/area.cpp", "width * height", "height * width");
  {
    const unfinished_transaction writing(p.store());
    ASSERT_TRUE(writing.good());
    const plan_view plan = p.plan();
    EXPECT_EQ(plan.selected(), all_shapes);
    ASSERT_EQ(plan.notes().size(), 1U);
    EXPECT_EQ(plan.notes()[0].find("damaged"), std::string::npos) << plan.notes()[0];
  }
  EXPECT_EQ(p.plan().selected(), area_tests);
}

TEST_F(bad_store, a_store_left_in_the_middle_of_writing_is_repaired_by_the_next_measurement) {
  const std::string sound = read_bytes(p.store());
  const pid_t writer = ::fork();
  if (writer == 0) {
    const unfinished_transaction writing(p.store());
    ::_exit(writing.good() ? 0 : 1);
  }
  int status = 1;
  ASSERT_EQ(::waitpid(writer, &status, 0), writer);
  ASSERT_EQ(status, 0);
  const std::string left = read_bytes(p.store());
  ASSERT_TRUE(left != sound);

  const plan_view plan = p.plan();
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_EQ(plan.notes()[0].find("damaged"), std::string::npos) << plan.notes()[0];
  EXPECT_TRUE(read_bytes(p.store()) == left);

  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 0) << end.err;
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  EXPECT_EQ(p.morph({"store", "verify"}).exit, 0);
}

// ---- the twin

TEST_F(bad_input, a_twin_that_does_not_compile_shows_the_compilers_error_and_keeps_the_evidence) {
  const std::string before = read_bytes(p.store());
  p.write("src/scale.cpp", "int scale(int length) { return twofold(length); }\n");
  p.commit();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("src/scale.cpp:1:"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("error: 'twofold' was not declared in this scope"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("the evidence is left as it was"), std::string::npos) << end.err;
  EXPECT_TRUE(read_bytes(p.store()) == before);
  EXPECT_EQ(p.plan().state(), "affected");
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
}

TEST_F(bad_input, a_twin_that_does_not_configure_shows_the_error) {
  p.write("CMakeLists.txt",
          p.read("CMakeLists.txt") + "if(MORPH_INSTRUMENT)\n  message(FATAL_ERROR \"not with counters\")\nendif()\n");
  p.commit();
  p.configure();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("could not be built"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find("not with counters"), std::string::npos) << end.err;
}

TEST_F(bad_input, code_that_fails_in_the_twin_only_leaves_the_build_alone) {
  p.replace("src/scale.cpp", "// Scaling.", "#ifdef IN_TWIN\n#error \"no twin of this\"\n#endif");
  p.commit();
  p.configure({"-DMORPH_TWIN_CACHE_ARGS=-DCMAKE_CXX_FLAGS=-DIN_TWIN"});
  p.build();
  const finished end = p.try_measure();
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("#error \"no twin of this\""), std::string::npos) << end.err;
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(bad_input, measuring_leaves_the_users_own_tree_as_it_is) {
  // The first measurement was made before; a second one, from nothing, must not touch a product of the build.
  const std::string program = read_bytes(p.build_dir() / "shapes_tests");
  const auto time = fs::last_write_time(p.build_dir() / "shapes_tests");
  p.remove("build/morph-twin");
  EXPECT_EQ(p.try_measure({"--fresh"}).exit, 0);
  EXPECT_TRUE(read_bytes(p.build_dir() / "shapes_tests") == program);
  EXPECT_EQ(fs::last_write_time(p.build_dir() / "shapes_tests"), time);
  const finished build = p.try_build();
  EXPECT_NE(build.out.find("no work to do"), std::string::npos) << build.out;
  EXPECT_EQ(p.git({"status", "--porcelain"}), "");
}

// ---- no program, no plan

TEST_F(bad_input, without_the_morph_program_ctest_runs_everything_and_warns) {
  p.configure({"-DMORPH_EXECUTABLE=" + (p.root() / "gone").string()});
  p.replace("src/area.cpp", "width * height", "height * width");
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.err.find("Morph has no plan"), std::string::npos) << end.err;
  EXPECT_EQ(started(end.out), names{"geometry.all"});
}

TEST_F(bad_input, a_listing_that_was_kept_serves_when_the_plan_fails) {
  p.plan();
  p.replace("src/area.cpp", "width * height", "height * width");
  p.set_variable("MORPH_POLICY", "nonsense");
  const finished end = p.ctest({"-L", "morph"});
  EXPECT_EQ(end.exit, 0) << end.both();
  EXPECT_NE(end.err.find("policy 'nonsense' is unknown; use all, safe, narrow, minimal or risk=P"), std::string::npos)
      << end.err;
  EXPECT_EQ(sorted(started(end.out)), all_shapes);
}

TEST_F(bad_input, a_listing_older_than_the_program_does_not_serve) {
  p.plan();
  p.write("tests/shapes_test.cpp",
          p.read("tests/shapes_test.cpp") + "\nTEST(Scale, ByOne) {\n  EXPECT_EQ(scale(1), 2);\n}\n");
  p.build();
  p.set_variable("MORPH_POLICY", "nonsense");
  EXPECT_EQ(started(p.ctest({"-L", "morph"}).out), names{"geometry.all"});
}

TEST_F(bad_input, a_build_tree_without_morph_is_named) {
  const finished end = p.run({MORPH_PREFIX "/bin/morph", "plan", "--build", "src"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(end.err.find("src' is not a build tree with Morph"), std::string::npos) << end.err;
}

TEST_F(bad_input, a_build_description_of_another_version_is_named) {
  p.replace("build/.morph/build.json", "morph.build/1", "morph.build/9");
  const finished end = p.morph({"plan"});
  EXPECT_EQ(end.exit, 3);
  EXPECT_NE(
      end.err.find("has schema 'morph.build/9', this morph reads 'morph.build/1'; configure the build tree again"),
      std::string::npos)
      << end.err;
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
}

// ---- a twin whose notes are not what they were

class bad_notes : public shapes_test {
 protected:
  std::filesystem::path notes(const std::string& object = "shapes.dir/src/area") const {
    return p.build_dir() / "morph-twin/coverage/CMakeFiles" / (object + ".cpp.gcno");
  }
  std::string remedy() const { return "Remove '" + (p.build_dir() / "morph-twin/coverage").string() + "' and "; }

  /// A warning names the file and what to do. The tests that run its code always run, the others are measured.
  void leave_the_rest(const std::string& why) const {
    const finished end = p.try_measure({"--fresh"});
    EXPECT_EQ(end.exit, 0) << end.both();
    EXPECT_NE(end.out.find("measured 5 of 5 tests"), std::string::npos) << end.out;
    EXPECT_NE(end.out.find("3 incomplete (always selected)"), std::string::npos) << end.out;
    EXPECT_NE(end.err.find(notes().string()), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(why), std::string::npos) << end.err;
    EXPECT_NE(end.err.find(". " + remedy() + "run `morph measure --fresh`; until then, tests that run this code"),
              std::string::npos)
        << end.err;
    const names run_area{"Area.OfSquare", "Area.OfStrip", "Perimeter.OfSquare"};
    EXPECT_EQ(p.plan().selected(), run_area);
    EXPECT_NE(p.morph({"plan", "--why", "Area.OfStrip"}).out.find("(.gcno)"), std::string::npos)
        << p.morph({"plan", "--why", "Area.OfStrip"}).out;
    const auto text = p.read("src/scale.cpp");
    p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
    EXPECT_EQ(p.plan().selected(), all_shapes);
    p.write("src/scale.cpp", text);
    p.replace("src/area.cpp", "width * height", "height * width");  // who runs it is not known
    EXPECT_EQ(p.plan().selected(), all_shapes);
  }
};

TEST_F(bad_notes, that_are_missing) {
  std::filesystem::remove(notes());
  leave_the_rest("No such file");
}

TEST_F(bad_notes, that_are_cut_off) {
  write_bytes(notes(), read_bytes(notes()).substr(0, 100));
  leave_the_rest("are damaged near byte");
}

TEST_F(bad_notes, of_another_compilation) {
  std::string bytes = read_bytes(notes());
  bytes[8] = static_cast<char>(bytes[8] + 1);
  write_bytes(notes(), bytes);
  leave_the_rest("the stamp is ");
}

TEST_F(bad_notes, of_another_compiler) {
  std::string bytes = read_bytes(notes());
  bytes.replace(4, 4, "*37B");
  write_bytes(notes(), bytes);
  leave_the_rest("gcc 17 notes are not supported yet");
}

TEST_F(bad_notes, that_are_all_missing_leave_what_was_measured_before) {
  for (const char* object : {"shapes.dir/src/area", "shapes.dir/src/scale", "shapes_tests.dir/tests/shapes_test"})
    std::filesystem::remove(notes(object));
  const finished end = p.try_measure({"--fresh"});
  EXPECT_EQ(end.exit, 3) << end.both();
  EXPECT_NE(end.err.find("No such file"), std::string::npos) << end.err;
  EXPECT_NE(end.err.find(remedy() + "measure again"), std::string::npos) << end.err;
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
}

}  // namespace
}  // namespace morph::end_to_end
