// Build trees that were copied or moved, and other ways to the same one.
#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

class moved_tree : public shapes_test {
 protected:
  fs::path copy() const { return p.root() / "build-copy"; }
  void make_copy() const { p.must_run({"cp", "-r", p.build_dir().string(), copy().string()}); }
  void configure_in(const fs::path& tree) const {
    const fs::path prefix = fs::path(p.morph_command({}).front()).parent_path().parent_path();
    p.must_run({"cmake", "-S", p.root().string(), "-B", tree.string(), "-G", "Ninja",
                "-DCMAKE_PREFIX_PATH=" + prefix.string(), "-DCMAKE_CXX_COMPILER=" + tested_compiler(),
                "-DMORPH_EVIDENCE=twin"});
  }
  finished in_copy(names arguments) const {
    arguments.insert(arguments.begin(), p.morph_command({}).front());
    arguments.insert(arguments.end(), {"--build", copy().string()});
    return p.run(arguments);
  }
};

TEST_F(moved_tree, a_copy_is_refused_by_every_command) {
  make_copy();
  const names commands[] = {{"plan"},     {"plan", "--before-build"},
                            {"measure"},  {"mutate"},
                            {"record"},   {"report", "coverage"},
                            {"diff"},     {"report", "mutation"},
                            {"optimize"}, {"spec", "explore", "--suite", "s"},
                            {"doctor"}};
  for (const names& command : commands) {
    const finished end = in_copy(command);
    EXPECT_NE(end.exit, 0) << command.front();
    const std::string said = "'" + copy().string() + "' is a build tree that was copied from '" +
                             p.build_dir().string() + "', and works on that one";
    EXPECT_NE(end.both().find(said), std::string::npos) << command.front() << ": " << end.both();
  }
  EXPECT_FALSE(fs::exists(copy() / "morph-twin" / "mutation"));
}

TEST_F(moved_tree, ctest_lists_no_test_of_another_tree) {
  make_copy();
  const finished listing = p.ctest({"-N", "-L", "morph"}, "build-copy");
  EXPECT_EQ(listed(listing.out).size(), 1U) << listing.both();
  EXPECT_NE(listing.out.find("_OTHER_TREE"), std::string::npos) << listing.both();
  EXPECT_NE(listing.err.find("moved or copied from"), std::string::npos) << listing.both();
  EXPECT_NE(p.ctest({"-L", "morph"}, "build-copy").exit, 0);
  EXPECT_EQ(p.ctest({"-L", "morph"}).exit, 0);
}

TEST_F(moved_tree, says_so_where_the_first_place_is_gone) {
  fs::rename(p.build_dir(), copy());
  const finished end = in_copy({"mutate"});
  EXPECT_NE(end.exit, 0);
  EXPECT_NE(end.err.find("was moved or copied from '" + p.build_dir().string() + "'"), std::string::npos) << end.both();
  EXPECT_NE(p.ctest({"-L", "morph"}, "build-copy").exit, 0);
}

TEST_F(moved_tree, without_its_sources_says_where_they_were) {
  const fs::path elsewhere = p.root().parent_path() / "tree";
  configure_in(elsewhere);
  fs::rename(p.root(), p.root().parent_path() / "moved");
  const project moved(p.root().parent_path() / "moved", p.root().parent_path() / "home");
  const finished end = moved.run({p.morph_command({}).front(), "measure", "--build", elsewhere.string()});
  EXPECT_NE(end.exit, 0);
  EXPECT_NE(end.err.find("are not in '" + p.root().string() + "' any more"), std::string::npos) << end.both();
  fs::rename(p.root().parent_path() / "moved", p.root());
  fs::remove_all(elsewhere);
}

TEST_F(moved_tree, links_lead_to_the_same_one) {
  fs::create_directory_symlink("build", copy());
  EXPECT_EQ(in_copy({"plan"}).exit, 0) << in_copy({"plan"}).both();
  const finished listing = p.ctest({"-N", "-L", "morph"}, "build-copy");
  EXPECT_EQ(listing.out.find("_OTHER_TREE"), std::string::npos) << listing.both();
  EXPECT_EQ(listing.err, "");
}

TEST_F(moved_tree, a_copy_that_is_configured_anew_makes_a_twin_of_its_own) {
  make_copy();
  fs::remove(copy() / "CMakeCache.txt");
  fs::remove_all(copy() / "CMakeFiles");
  configure_in(copy());
  p.must_run({"cmake", "--build", copy().string()});
  const finished measured = in_copy({"measure", "--fresh"});
  EXPECT_EQ(measured.exit, 0) << measured.both();
  const std::string twin = read_bytes(copy() / "morph-twin" / "coverage" / "CMakeCache.txt");
  EXPECT_NE(twin.find("CMAKE_CACHEFILE_DIR:INTERNAL=" + (copy() / "morph-twin").string()), std::string::npos);
}

/// A check whose result depends on a file that is not there when the ordinary tree is configured, but later.
TEST(twin_trees, have_what_checks_found_in_the_ordinary_tree) {
  workspace made;
  const project& p = made.here();
  write_shapes(p);
  p.replace("CMakeLists.txt", "add_library(shapes ", R"(include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#include \"${CMAKE_SOURCE_DIR}/there.h\"\nint main() {}" IS_THERE)
add_library(shapes )");
  p.start_repository();
  p.configure();
  p.write("there.h", "");
  const auto found_in = [&](const char* twin) {
    const std::string cache = p.read(std::string("build/morph-twin/") + twin + "/CMakeCache.txt"), name = "\nIS_THERE:";
    const auto at = cache.find(name);
    return at == std::string::npos ? "nothing" : cache.substr(at, cache.find('\n', at + 1) - at);
  };
  p.measure();
  EXPECT_EQ(found_in("coverage"), "\nIS_THERE:INTERNAL=");
  EXPECT_EQ(p.morph({"mutate", "--operators", "xt"}).exit, 0);
  EXPECT_EQ(found_in("mutation/build"), "\nIS_THERE:INTERNAL=");

  // With options of its own a twin may find something else.
  p.configure({"-DMORPH_TWIN_CACHE_ARGS=-DCMAKE_CXX_FLAGS=-DIN_TWIN"});
  p.remove("build/morph-twin");
  p.measure();
  EXPECT_EQ(found_in("coverage"), "\nIS_THERE:INTERNAL=1");
}

}  // namespace
}  // namespace morph::end_to_end
