// What a later run needs to leave the twin as the last one has left it.
#include "plugin/mutating/result.hpp"

#include <gtest/gtest.h>

namespace morph::mutating {
namespace {

using names = std::vector<std::string>;

report::mutation_result of(const names& files) {
  report::mutation_result made;
  for (const std::string& each : files) made.files.push_back({each, ""});
  return made;
}

TEST(OnlyFiles, AreThoseOfTheResult) {
  EXPECT_EQ(only_files_of(of({"src/a.cpp", "src/b.cpp"})), (names{"src/a.cpp", "src/b.cpp"}));
}

TEST(OnlyFiles, AreAllWhereANameIsNoPlainGlob) {
  EXPECT_EQ(only_files_of(of({"src/a.cpp", "src/[b].cpp"})), names());
}

}  // namespace
}  // namespace morph::mutating
