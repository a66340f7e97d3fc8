// The manual of a CMake module as Markdown.
#include "plugin/setup/manual.hpp"

#include <gtest/gtest.h>

#include <string>

namespace morph::setup {
namespace {

std::string module_with(const std::string& manual) {
  return "#[=======================================================================[.rst:\n" + manual +
         "#]=======================================================================]\nfunction(f)\nendfunction()\n";
}

TEST(Manual, CommandsBecomeHeadingsAndTheirTextStandsAtTheMargin) {
  EXPECT_EQ(manual_as_markdown(module_with(".. command:: morph_add_suite\n\n  Takes ``NAME``.\n")),
            "### morph_add_suite()\n\nTakes `NAME`.\n");
}

TEST(Manual, LiteralBlocksAreFencedAndEndWhereTheTextIsLessIndented) {
  EXPECT_EQ(manual_as_markdown(module_with("An example::\n\n  a()\n    b()\n\nBehind it.\n")),
            "An example:\n\n```\na()\n  b()\n```\n\nBehind it.\n");
  EXPECT_EQ(manual_as_markdown(module_with(".. code-block:: cmake\n\n  a()\n")), "```cmake\na()\n```\n\n");
}

TEST(Manual, TermsBecomeItems) {
  EXPECT_EQ(manual_as_markdown(module_with("``NAME``\n  Of the suite.\n")), "- `NAME`\n  Of the suite.\n");
}

TEST(Manual, AModuleWithoutOneGivesNothing) {
  EXPECT_EQ(manual_as_markdown("function(f)\nendfunction()\n"), "");
}

}  // namespace
}  // namespace morph::setup
