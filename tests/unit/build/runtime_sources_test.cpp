// Morph's own runtime and files of a project with such names.
#include "plugin/build/runtime_sources.hpp"

#include <gtest/gtest.h>

namespace morph::build {
namespace {

TEST(RuntimeSources, AreTheFilesOfTheRuntimesFolderAlone) {
  build_tree tree;
  tree.runtime = "/usr/share/morph/runtime";
  EXPECT_TRUE(is_runtime_source(tree, "/usr/share/morph/runtime/morph_files.cpp"));
  EXPECT_TRUE(is_runtime_source(tree, "/usr/share/morph/runtime/morph_mutants.h"));
  EXPECT_FALSE(is_runtime_source(tree, "/home/user/project/morph_files.cpp"));
  EXPECT_FALSE(is_runtime_source(tree, "/home/user/project/runtime/morph_process.cpp"));
  EXPECT_FALSE(is_runtime_source(tree, "/usr/share/morph/runtime2/morph_files.cpp"));
}

TEST(RuntimeSources, OfATreeWhoseDescriptionNamesNoFolderThereAreNone) {
  EXPECT_FALSE(is_runtime_source(build_tree(), "/usr/share/morph/runtime/morph_files.cpp"));
  EXPECT_FALSE(is_runtime_source(build_tree(), ""));
}

}  // namespace
}  // namespace morph::build
