// Projects that measure coverage by options of their own: Morph measures beside them, and leaves their counters alone.
#include <filesystem>

#include "shapes.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

/// Paths and bytes of what a user's own coverage has left in a folder.
std::map<std::string, std::string> counters_in(const fs::path& folder) {
  std::map<std::string, std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string path = entry.path().string();
    const bool is_twins = path.find("/morph-twin/") != std::string::npos;
    if (entry.is_regular_file() && !is_twins && (path.ends_with(".gcda") || path.ends_with(".profraw")))
      found[path] = read_bytes(entry.path());
  }
  return found;
}

class coverage_options : public testing::TestWithParam<const char*> {
 protected:
  workspace w;
  project& p = w.here();

  void write_with(const std::string& options) const {
    write_shapes(p);
    p.replace("CMakeLists.txt", "enable_testing()\n", "enable_testing()\n" + options);
    p.start_repository();
    p.configure();
    p.build();
  }
};

TEST_P(coverage_options, of_the_project_stay_its_own) {
  const std::string folder = (w.folder() / "profiles").string();
  std::string options = GetParam();
  while (options.find("@DIR@") != std::string::npos) options.replace(options.find("@DIR@"), 5, folder);
  write_with(options);
  fs::create_directories(folder);
  p.must_run({(p.build_dir() / "shapes_tests").string()});
  const auto before = counters_in(w.folder());
  EXPECT_FALSE(before.empty());
  fs::remove_all(p.build_dir() / ".morph" / "listing");
  const finished measured = p.try_measure();
  EXPECT_EQ(measured.exit, 0) << measured.both();
  EXPECT_EQ(measured.both().find("always run"), std::string::npos) << measured.both();
  EXPECT_EQ(p.plan().selected(), names());
  fs::remove_all(p.build_dir() / ".morph" / "listing");
  p.replace("src/area.cpp", "width * height", "height * width");
  EXPECT_EQ(p.plan().selected(), area_tests);
  EXPECT_TRUE(counters_in(w.folder()) == before) << "what the user collected has changed";
}

std::string number_of(const testing::TestParamInfo<const char*>& of) {
  return std::to_string(of.index);
}

INSTANTIATE_TEST_SUITE_P(
    by_any, coverage_options,
    testing::Values("add_compile_options(--coverage -fprofile-dir=@DIR@)\nadd_link_options(--coverage)\n"), number_of);
INSTANTIATE_TEST_SUITE_P(
    by_gcc, coverage_options,
    testing::Values("add_compile_options(--coverage -fprofile-dir=@DIR@ -fprofile-prefix-path=${CMAKE_BINARY_DIR})\n"
                    "add_link_options(--coverage)\n",
                    "add_compile_options(-O0 --coverage -fprofile-abs-path -fprofile-update=atomic)\n"
                    "add_link_options(--coverage)\n"),
    number_of);

}  // namespace
}  // namespace morph::end_to_end
