// Lines that people name, and lines that changes have made.
#include "plugin/report/questions.hpp"

#include <gtest/gtest.h>

#include "plugin/system/process.hpp"
#include "tests/unit/report/coverage_examples.hpp"
#include "tests/unit/temporary_folder.hpp"

namespace morph::report_tests {
namespace {

TEST(NamedLine, IsAFileAndANumber) {
  const auto named = parse_line("src/a:b.cpp:12");
  ASSERT_TRUE(named);
  EXPECT_EQ(named->path, "src/a:b.cpp");
  EXPECT_EQ(named->line, 12U);
}

TEST(NamedLine, IsNothingElse) {
  for (const char* text : {"", "a.cpp", ":12", "a.cpp:", "a.cpp:0", "a.cpp:x", "a.cpp:12x", "a.cpp:-1", "a.cpp: 1"}) {
    const auto named = parse_line(text);
    ASSERT_FALSE(named) << text;
    EXPECT_EQ(named.error(),
              std::string("'") + text + "' does not name a line; write FILE:LINE, for example " + "src/area.cpp:12");
  }
}

class NamedLineOf : public ::testing::Test {
 protected:
  void SetUp() override {
    morph::system::command init;
    init.arguments = {"git", "init", "-q"};
    init.directory = folder.path().string();
    ASSERT_TRUE(morph::system::run(init).succeeded());
    folder.write("src/a.cpp", "1\n2\n3\n");
    folder.write("src/one.cpp", "1\n");
    folder.write("empty.cpp", "");
  }
  morph::result<named_line> find(const std::string& text) {
    return find_line(morph::git::repository::open(folder.path()).value(), text);
  }
  morph::test_support::temporary_folder folder;
};

TEST_F(NamedLineOf, ARepositoryIsFoundFromItsTop) {
  const auto named = find("src/../src/a.cpp:3");
  ASSERT_TRUE(named) << named.error();
  EXPECT_EQ(named->path, "src/a.cpp");
  EXPECT_EQ(named->line, 3U);
}

TEST_F(NamedLineOf, ARepositoryMayBeNamedWhole) {
  const auto named = find((folder / "src/a.cpp").string() + ":1");
  ASSERT_TRUE(named) << named.error();
  EXPECT_EQ(named->path, "src/a.cpp");
}

TEST_F(NamedLineOf, ARepositoryHasTheFile) {
  EXPECT_EQ(find("src/b.cpp:3").error(),
            "there is no file 'src/b.cpp', neither here nor from the top of the repository, '" +
                folder.path().string() + "'");
}

TEST_F(NamedLineOf, ARepositoryIsWithinTheFile) {
  EXPECT_EQ(find("src/a.cpp:4").error(), "'src/a.cpp' has 3 lines, there is no line 4");
  EXPECT_EQ(find("empty.cpp:1").error(), "'empty.cpp' has 0 lines, there is no line 1");
}

class LinesOfChanges : public ::testing::Test {
 protected:
  std::vector<changed_lines> of(std::vector<file_change> changes) {
    folder.write("src/new.cpp", "1\n2\n");
    folder.write("src/none.cpp", "");
    const morph::selection::file_kinds kinds(folder.path(), {});
    const coverage cov = make_coverage(example());
    work_tree_text texts(folder.path());
    return lines_of_changes(
        cov, kinds, [](const std::string& path) { return path != "src/left_out.cpp"; }, changes, texts);
  }
  static file_change added(const std::string& path) {
    file_change change;
    change.path = path;
    change.how = file_change::kind::added;
    return change;
  }
  morph::test_support::temporary_folder folder;
};

TEST_F(LinesOfChanges, AreThoseOfHunks) {
  const auto found = of({modified("src/lib.cpp", {{2, 1, 2, 2}, {7, 1, 8, 0}})});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, "src/lib.cpp");
  EXPECT_EQ(found[0].lines, (std::vector<line_range>{{2, 3}}));
  EXPECT_FALSE(found[0].whole);
}

TEST_F(LinesOfChanges, AreAllOfANewFile) {
  const auto found = of({added("src/new.cpp"), added("src/none.cpp")});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].lines, (std::vector<line_range>{{1, 2}}));
  EXPECT_TRUE(found[1].lines.empty());
}

TEST_F(LinesOfChanges, CannotBeToldOfWhatIsNoText) {
  file_change change = modified("src/lib.cpp", {{1, 1, 1, 1}});
  change.binary = true;
  const auto found = of({change});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_TRUE(found[0].whole);
  EXPECT_TRUE(found[0].lines.empty());
}

TEST_F(LinesOfChanges, AreOfCodeThatIsThereAndWanted) {
  file_change gone = modified("src/lib.hpp", {});
  gone.how = file_change::kind::deleted;
  EXPECT_TRUE(of({gone, modified("README.md", {{1, 1, 1, 1}}), modified("src/left_out.cpp", {{1, 1, 1, 1}})}).empty());
  EXPECT_EQ(of({modified("src/text.inc", {{1, 1, 1, 1}})}).size(), 1U);  // measured, whatever it is called
}

}  // namespace
}  // namespace morph::report_tests
