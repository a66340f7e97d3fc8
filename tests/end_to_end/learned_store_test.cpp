// learned.db after something was killed, or a disk failed: nobody has to mend it.
#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "learned_shapes.hpp"
#include "plugin/store/database.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;
using store::database;

class learned_store : public learned_shapes {
 protected:
  const fs::path path = p.build_dir() / ".morph" / "learned.db";

  void cut_off_a_writer() const {
    const fs::path copy = path.string() + ".copy";
    {
      database db(path, database::mode::read_write);
      db.run("PRAGMA cache_size=2; BEGIN; DELETE FROM measurement; CREATE TABLE big(x)");
      for (int i = 0; i < 200; ++i) db.run("INSERT INTO big VALUES(zeroblob(4000))");
      fs::copy_file(path, copy);
      fs::copy_file(path.string() + "-journal", copy.string() + "-journal");
    }
    fs::rename(copy, path);
    fs::rename(copy.string() + "-journal", path.string() + "-journal");
  }
  finished verify() const { return p.morph({"store", "verify", "--store", path.string()}); }
};

TEST_F(learned_store, a_writer_that_was_killed_loses_nothing) {
  cut_off_a_writer();
  ASSERT_NE(verify().exit, 0);
  EXPECT_EQ(run(), names());
  EXPECT_EQ(verify().exit, 0) << verify().both();
}

TEST_F(learned_store, what_a_killed_writer_left_is_recorded) {
  cut_off_a_writer();
  const finished recorded = p.morph({"record"});
  EXPECT_EQ(recorded.exit, 0) << recorded.both();
  EXPECT_NE(recorded.both().find("9 of 9 tests"), std::string::npos) << recorded.both();
}

TEST_F(learned_store, what_is_damaged_is_learned_anew) {
  const std::string whole = p.read("build/.morph/learned.db");
  const auto overwritten = [&](std::size_t at, std::size_t length) {
    std::string text = whole;
    return text.replace(at, length, std::string(length, '\x55'));
  };
  const std::size_t page = 4096;
  for (const std::string& damaged :
       {std::string("no store"), whole.substr(0, whole.size() / 2), overwritten(100, page - 100),
        overwritten(page, whole.size() - page), overwritten(whole.size() - page, page)}) {
    p.write("build/.morph/learned.db", damaged);
    const finished first = p.ctest({"-L", "morph"});
    EXPECT_EQ(first.exit, 0) << first.both();
    EXPECT_NE(first.both().find("learned.db' was damaged, and is removed: all tests are learned anew"),
              std::string::npos)
        << first.both();
    EXPECT_EQ(started(first.out).size(), 11U) << first.both();
    EXPECT_EQ(run(), names());
    EXPECT_EQ(verify().exit, 0) << verify().both();
  }
}

TEST_F(learned_store, damage_that_is_met_with_records_in_the_spool_is_no_end) {
  p.replace("src/area.cpp", "width * height", "width == 7 ? 0 : height * width");
  EXPECT_FALSE(run_after_build().empty());
  p.write("build/.morph/learned.db", "no store");
  const finished recorded = p.morph({"record"});
  EXPECT_EQ(recorded.exit, 0) << recorded.both();
  EXPECT_NE(recorded.both().find("was damaged, and is removed"), std::string::npos) << recorded.both();
  EXPECT_EQ(run().size(), 9U);
  EXPECT_EQ(run(), names());
}

}  // namespace
}  // namespace morph::end_to_end
