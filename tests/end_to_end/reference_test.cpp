// docs/reference.md is what the program prints, and the tables that it is made from hold every fact of their kind.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

namespace fs = std::filesystem;

std::string reference() {
  const scratch_folder folder;
  const project nowhere(folder.path() / "project", folder.path() / "home");
  const finished end = nowhere.run({MORPH_PREFIX "/bin/morph", "reference"});
  EXPECT_EQ(end.exit, 0) << end.err;
  return end.out;
}

/// The first group of every match in the sources of the program.
std::set<std::string> in_sources(const std::string& pattern) {
  std::set<std::string> found;
  const std::regex expression(pattern);
  for (const auto& entry : fs::recursive_directory_iterator(MORPH_SOURCE_DIR "/plugin")) {
    const fs::path extension = entry.path().extension();
    if (extension != ".cpp" && extension != ".hpp") continue;
    if (entry.path().string().find("/runtime/generate/") != std::string::npos) continue;
    if (entry.path().parent_path().filename() == "runtime") continue;
    const std::string text = read_bytes(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
      found.insert((*match)[1]);
  }
  return found;
}

/// In a table or in a list.
bool has_row(const std::string& page, const std::string& name) {
  return page.find("| `" + name + "` |") != std::string::npos || page.find("\n- `" + name + '`') != std::string::npos;
}

TEST(reference, the_page_in_docs_is_what_the_program_prints) {
  EXPECT_TRUE(reference() == read_bytes(MORPH_SOURCE_DIR "/docs/reference.md"))
      << "docs/reference.md is stale; refresh it: build/release/bin/morph reference > docs/reference.md";
}

TEST(reference, every_format_is_in_the_table) {
  const std::string page = reference();
  const auto schemas = in_sources(R"re("(morph\.[a-z-]+/[0-9]+)")re");
  EXPECT_GT(schemas.size(), 5U);
  for (const std::string& schema : schemas)
    EXPECT_TRUE(has_row(page, schema)) << schema << " is missing in contract/formats.hpp";
}

TEST(reference, names_the_schemas_that_are_installed) {
  std::set<std::string> named, installed;
  const std::string page = reference();
  const std::regex link(R"(\]\(schemas/([a-z-]+-[0-9]+\.json)\))");
  for (std::sregex_iterator match(page.begin(), page.end(), link), end; match != end; ++match)
    named.insert((*match)[1]);
  for (const auto& file : fs::directory_iterator(MORPH_PREFIX "/share/morph/schemas"))
    installed.insert(file.path().filename().string());
  EXPECT_EQ(named, installed);
}

TEST(reference, every_environment_variable_is_in_the_table) {
  const std::string page = reference();
  for (const std::string& name : in_sources(R"re(getenv\("(\w+)"\))re"))
    EXPECT_TRUE(has_row(page, name)) << name << " is missing in contract/variables.hpp";
}

TEST(reference, every_command_and_every_keyword_is_there) {
  const std::string page = reference();
  for (const char* heading :
       {"### morph plan\n", "### morph doctor\n", "### morph_add_suite()\n", "## Exit codes\n",
        "- `changed-code:DETAIL`\n  - the test: selected\n", "| `unmeasured-ran-all` |", "- `PRODUCTION`\n"})
    EXPECT_NE(page.find(heading), std::string::npos) << heading;
}

TEST(reference, every_mutation_operator_is_in_the_table) {
  const std::string page = reference();
  const scratch_folder folder;
  const project nowhere(folder.path() / "project", folder.path() / "home");
  const finished end = nowhere.run({MORPH_PREFIX "/bin/morph", "mutate", "--list-operators", "--json"});
  ASSERT_EQ(end.exit, 0) << end.err;
  const nlohmann::json operators = nlohmann::json::parse(end.out).at("operators");
  EXPECT_GT(operators.size(), 5U);
  for (const auto& each : operators) EXPECT_TRUE(has_row(page, each.at("name"))) << each;
}

TEST(reference, every_option_that_a_help_names_is_there) {
  const std::string page = reference();
  const scratch_folder folder;
  const project nowhere(folder.path() / "project", folder.path() / "home");
  const std::regex heading(R"(### morph ([a-z ]+)\n)"), option(R"(\n +(?:-\w,)?(--[a-z][a-z-]*))");
  const std::string common = page.substr(0, page.find("### morph "));
  std::size_t commands = 0;
  for (std::sregex_iterator at(page.begin(), page.end(), heading), end; at != end; ++at, ++commands) {
    std::vector<std::string> words{MORPH_PREFIX "/bin/morph"};
    std::istringstream names((*at)[1]);
    for (std::string name; names >> name;) words.push_back(name);
    words.push_back("--help");
    const std::string help = nowhere.run(words).out;
    const std::string behind = at->suffix();
    const std::string told = common + behind.substr(0, behind.find("\n#"));
    std::size_t options = 0;
    for (std::sregex_iterator each(help.begin(), help.end(), option); each != end; ++each, ++options) {
      const std::string name = (*each)[1];
      EXPECT_TRUE(name == "--help" || told.find('`' + name) != std::string::npos ||
                  told.find(',' + name) != std::string::npos)
          << (*at)[1] << ' ' << name;
    }
    EXPECT_GT(options, 0U) << help;
  }
  EXPECT_GT(commands, 14U);
  EXPECT_EQ(page.find("`morph run `"), std::string::npos);
}

}  // namespace
}  // namespace morph::end_to_end
