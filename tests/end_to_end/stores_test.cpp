// Several stores: merged, thinned, one private over another.
#include <fmt/format.h>
#include <sqlite3.h>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

class stores : public shapes_test {
 protected:
  std::string path(const std::string& name) const { return (p.root().parent_path() / name).string(); }
  std::string keep(const std::string& name) const {
    fs::copy_file(p.store(), path(name), fs::copy_options::overwrite_existing);
    return path(name);
  }
  void break_area() const {
    p.replace("src/area.cpp", "width * height", "width * height + 1");
    p.commit("a fault");
    p.build();
  }
};

TEST_F(stores, of_two_branches_serve_both_when_they_are_merged) {
  const std::string first = keep("first.db");
  p.git({"checkout", "--quiet", "-b", "side"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string side = p.commit();
  fs::remove(p.store());
  p.measure();
  const std::string second = keep("second.db");
  fs::remove(p.store());
  const finished end = p.morph({"store", "merge", first, second, "--into", p.store().string(), "--json"});
  ASSERT_EQ(end.exit, 0) << end.both();
  p.build();
  EXPECT_EQ(p.plan().json["base"]["commit"], side);
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  p.git({"checkout", "--quiet", "main"});
  p.build();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");

  p.morph({"store", "merge", second, first, first, "--into", path("other.db")});
  EXPECT_TRUE(read_bytes(path("other.db")) == read_bytes(p.store()));
}

TEST_F(stores, that_are_damaged_or_foreign_are_named_and_nothing_is_lost) {
  const std::string before = read_bytes(p.store());
  write_bytes(path("foreign.db"), "no store");
  std::string cut = before;
  cut.resize(cut.size() / 2);
  write_bytes(path("cut.db"), cut);
  for (const char* name : {"foreign.db", "cut.db", "missing.db"}) {
    const finished end = p.morph({"store", "merge", path(name)});
    EXPECT_EQ(end.exit, 3) << name;
    EXPECT_NE(end.err.find(path(name)), std::string::npos) << end.err;
    EXPECT_NE(end.err.find("nothing was merged"), std::string::npos) << end.err;
    EXPECT_TRUE(read_bytes(p.store()) == before) << name;
  }
  // A target that is no store stays as it is.
  EXPECT_EQ(p.morph({"store", "merge", p.store().string(), "--into", path("foreign.db")}).exit, 3);
  EXPECT_EQ(read_bytes(path("foreign.db")), "no store");
}

TEST_F(stores, lose_what_no_revision_reaches) {
  p.git({"checkout", "--quiet", "-b", "side"});
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  const std::string side = p.commit();
  p.measure();
  p.git({"checkout", "--quiet", "main"});
  p.replace("src/area.cpp", "width * height", "height * width");
  p.commit();
  p.measure();
  const std::string before = read_bytes(p.store());
  const auto gone = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"store", "gc", "--json"});
    const finished end = p.morph(arguments);
    EXPECT_EQ(end.exit, 0) << end.both();
    names commits;
    const json said = json::parse(end.out);
    for (const auto& m : said["removed"]) commits.push_back(m["commit"]);
    return commits;
  };
  EXPECT_EQ(gone({"--dry-run", "--keep", "0"}), names());
  EXPECT_EQ(gone({"--dry-run", "--keep", "0", "--ref", "main"}), names{side});
  EXPECT_EQ(gone({"--dry-run", "--keep", "3", "--ref", "main"}), names());
  EXPECT_TRUE(read_bytes(p.store()) == before);
  p.git({"branch", "--quiet", "-D", "side"});
  EXPECT_EQ(gone({"--keep", "1"}), names{side});
  EXPECT_LT(read_bytes(p.store()).size(), before.size());
  p.build();
  EXPECT_EQ(p.plan().state(), "unchanged-proven");
  const finished sound = p.morph({"store", "verify", "--json"});
  EXPECT_EQ(sound.exit, 0);
  EXPECT_EQ(nlohmann::json::parse(sound.out).at("findings"), nlohmann::json::array());
  EXPECT_EQ(gone({"--keep", "0", "--within", "1"}).size(), 0U);
  EXPECT_EQ(p.morph({"store", "gc", "--ref", "no-such-branch"}).exit, 3);
}

class overlay : public stores {
 protected:
  overlay() { fs::remove(path("private.db")); }
  void forge(const std::string& sql) const {
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(path("private.db").c_str(), &db), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(db, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(db);
    sqlite3_close(db);
  }
};

TEST_F(overlay, that_lies_takes_no_test_away) {
  break_area();
  p.set_variable("MORPH_STORE_OVERLAY", path("private.db"));
  const std::string base = read_bytes(p.store());
  // It says of the faulty content that all tests passed, and that they have been run since.
  p.measure();
  forge("UPDATE test SET outcome=0, incomplete=0; UPDATE outcome SET failed=0");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_EQ(p.plan().state(), "affected");
  EXPECT_TRUE(read_bytes(p.store()) == base);
  EXPECT_EQ(sorted(failed(p.ctest({"-L", "morph"}).out)), area_tests);
  p.morph({"record"});
  EXPECT_TRUE(read_bytes(p.store()) == base);

  // Who merges it trusts it: the same facts in the base deselect the tests.
  p.unset_variable("MORPH_STORE_OVERLAY");
  fs::remove_all(p.build_dir() / "Testing");
  fs::remove(p.build_dir() / ".morph/outcomes.json");
  forge("DELETE FROM outcome");
  ASSERT_EQ(p.morph({"store", "merge", path("private.db")}).exit, 0);
  EXPECT_EQ(p.plan().selected(), names());
}

TEST_F(overlay, takes_no_place_of_a_test_that_runs_without_it) {
  p.replace("src/area.cpp", "width * height", "height * width");
  fs::copy_file(p.store(), path("private.db"));
  forge("DELETE FROM measurement");
  for (const names& leaves_out : {names{"--policy", "risk=0.5"}, names{"--policy", "minimal", "--k-coverage", "1"}}) {
    forge("DELETE FROM outcome");
    const names before = p.plan(leaves_out).selected();
    ASSERT_EQ(before.size(), 1U);
    // The other one failed, it says; then that would do.
    const std::string other = before[0] == area_tests[0] ? area_tests[1] : area_tests[0];
    forge(fmt::format("INSERT INTO outcome VALUES('{}','',2000000000,'ctest',1,'0.1','')", other));
    names with_overlay = leaves_out;
    with_overlay.insert(with_overlay.end(), {"--overlay", path("private.db")});
    EXPECT_EQ(sorted(p.plan(with_overlay).selected()), area_tests);
  }
}

TEST_F(overlay, adds_what_it_knows) {
  p.set_variable("MORPH_STORE_OVERLAY", path("private.db"));
  fs::copy_file(p.store(), path("private.db"));
  forge("INSERT INTO outcome VALUES('Perimeter.OfSquare','',2000000000,'ctest',1,'0.1','')");
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  EXPECT_EQ(p.plan().selected(), (names{"Perimeter.OfSquare", "Scale.ByTwo", "Scale.ByZero"}));
  p.unset_variable("MORPH_STORE_OVERLAY");
  EXPECT_EQ(p.plan().selected(), (names{"Scale.ByTwo", "Scale.ByZero"}));
  EXPECT_EQ(p.plan({"--overlay", path("private.db")}).selected().size(), 3U);
}

TEST_F(overlay, alone_is_no_baseline) {
  fs::rename(p.store(), path("private.db"));
  const plan_view plan = p.plan({"--overlay", path("private.db")});
  EXPECT_EQ(plan.state(), "unmeasured-ran-all");
  EXPECT_EQ(plan.selected(), all_shapes);
}

TEST_F(overlay, that_is_damaged_adds_nothing_and_is_named) {
  write_bytes(path("private.db"), "no store");
  const plan_view plan = p.plan({"--overlay", path("private.db")});
  EXPECT_EQ(plan.state(), "unchanged-proven");
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_NE(plan.notes()[0].find(path("private.db")), std::string::npos) << plan.notes()[0];
}

TEST_F(overlay, gets_what_is_measured_from_the_base) {
  const std::string base = read_bytes(p.store());
  p.replace("src/scale.cpp", "length * 2", "length != 0 ? length * 2 : 0");
  p.commit();
  const finished end = p.try_measure({"--overlay", path("private.db"), "--json"});
  ASSERT_EQ(end.exit, 0) << end.both();
  EXPECT_EQ(json::parse(end.out)["measured"], 2);
  EXPECT_EQ(json::parse(end.out)["carried"], 3);
  EXPECT_TRUE(read_bytes(p.store()) == base);
}

}  // namespace
}  // namespace morph::end_to_end
