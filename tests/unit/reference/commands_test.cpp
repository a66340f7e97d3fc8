// A made-up command line as Markdown, and hints on words that it does not know.
#include "plugin/reference/commands.hpp"

#include <gtest/gtest.h>

#include "plugin/reference/markdown.hpp"
#include "plugin/reference/reference.hpp"

namespace morph::reference {
namespace {

described_command program() {
  described_command list{"list", "List <all>"};
  described_command set{"set", "Set one", "Example:\n  morph store set", {{"--to VALUE", "The value <x> | y"}}};
  described_command store{"store", "Look at it", "Ends here", {}, {list, set}};
  described_command hidden{"secret", "Nobody sees it"};
  hidden.is_hidden = true;
  return {"morph", "All", "", {}, {store, hidden}};
}

TEST(CommandsAsMarkdown, HaveASectionEach) {
  EXPECT_EQ(commands_as_markdown({{"--build DIR", "The build tree"}}, program().below),
            "## Commands\n\nAll of them take:\n\n"
            "| option | meaning |\n| --- | --- |\n| `--build DIR` | The build tree |\n\n"
            "### morph store\n\nLook at it.\n\n"
            "`morph store list`: List <all>.\n\n"
            "```\nEnds here\n```\n\n"
            "### morph store set\n\nSet one.\n\n"
            "| option | meaning |\n| --- | --- |\n| `--to VALUE` | The value \\<x> \\| y |\n\n"
            "```\nExample:\n  morph store set\n```\n\n");
}

TEST(UnknownCommand, IsNamedWithThoseThatThereAre) {
  EXPECT_EQ(unknown_command(program(), {"stone"}), "there is no `morph stone`; there are: store");
  EXPECT_EQ(unknown_command(program(), {"store", "lost", "x"}), "there is no `morph store lost`; there are: list, set");
}

TEST(UnknownCommand, IsNoneThatIsHiddenOrTakesOtherWords) {
  EXPECT_EQ(unknown_command(program(), {}), "");
  EXPECT_EQ(unknown_command(program(), {"store"}), "");
  EXPECT_EQ(unknown_command(program(), {"secret"}), "");
  EXPECT_EQ(unknown_command(program(), {"--help", "stone"}), "");
  EXPECT_EQ(unknown_command(program(), {"store", "list", "anything"}), "");
}

TEST(Markdown, TablesHaveACellAColumn) {
  EXPECT_EQ(table({"a", "b"}, {{"1|2", "x\ny"}}), "| a | b |\n| --- | --- |\n| 1\\|2 | x y |\n\n");
  EXPECT_EQ(table({"a"}, {}), "| a |\n| --- |\n\n");
}

TEST(Markdown, TablesThatWouldBeTooWideAreLists) {
  const std::string words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen";
  EXPECT_EQ(
      table({"a", "b"}, {{"x", words + ' ' + words}, {"y", "1|2"}}),
      "- x: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen one two three "
      "four five\n  six seven eight nine ten eleven twelve thirteen fourteen fifteen\n- y: 1|2\n\n");
  EXPECT_EQ(table({"a", "b", "c"}, {{"x", words, words}}), "- x\n  - b: " + words + "\n  - c: " + words + "\n\n");
  EXPECT_EQ(table({"a", "b", "c"}, {{"x", words, ""}, {"y", words, words}}),
            "- x\n  - b: " + words + "\n- y\n  - b: " + words + "\n  - c: " + words + "\n\n");
}

TEST(Markdown, WordsThatAreLongerThanALineStandAlone) {
  const std::string longest(130, 'w');
  EXPECT_EQ(wrapped("a " + longest + "  b", 2), "a\n  " + longest + "\n  b");
  EXPECT_EQ(wrapped("", 2), "");
}

TEST(Markdown, ProseEscapesWhatLooksLikeHtml) {
  EXPECT_EQ(prose("<a> and <b"), "\\<a> and \\<b");
  EXPECT_EQ(code("<a>"), "`<a>`");
}

TEST(ReferencePage, HasAllTablesAndEndsWithTheModule) {
  const std::string page = as_markdown({{"--build DIR", "The build tree"}}, program().below);
  std::size_t at = 0;
  for (const char* title : {"# Reference", "## Commands", "## Exit codes", "## Plans", "## Incomplete evidence",
                            "## Mutation operators", "## Environment variables", "## Formats",
                            "## Files that affect no test", "## The CMake module", "morph_add_suite()"}) {
    at = page.find(title, at);
    EXPECT_NE(at, std::string::npos) << title;
  }
  EXPECT_TRUE(page.ends_with('\n') && !page.ends_with("\n\n"));
}

}  // namespace
}  // namespace morph::reference
