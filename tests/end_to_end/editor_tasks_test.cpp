// templates/vscode/tasks.json: its commands exist, and its patterns find what these commands print.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "project.hpp"

namespace morph::end_to_end {
namespace {

using nlohmann::json;

json editor_task_list() {
  return json::parse(read_bytes(MORPH_SOURCE_DIR "/templates/vscode/tasks.json")).at("tasks");
}

/// What a pattern of the task finds in a line: a text per part that it names, empty if there is none.
std::map<std::string, std::string> found_in(const std::string& line, const std::string& label) {
  std::map<std::string, std::string> parts;
  const json tasks = editor_task_list();
  for (const json& task : tasks) {
    if (task.at("label") != label) continue;
    const json& given = task.at("problemMatcher");
    const json matchers = given.is_array() ? given : json::array({given});
    for (const json& matcher : matchers) {
      const json& pattern = matcher.at("pattern");
      const std::regex expression(pattern.at("regexp").get<std::string>());
      if (std::smatch match; std::regex_match(line, match, expression))
        for (const char* part : {"file", "line", "column", "message"})
          if (pattern.contains(part)) parts[part] = match[pattern.at(part).get<std::size_t>()];
    }
  }
  return parts;
}

TEST(editor_tasks, name_commands_and_options_that_there_are) {
  const scratch_folder folder;
  const project nowhere(folder.path() / "project", folder.path() / "home");
  std::size_t commands = 0;
  const json tasks = editor_task_list();
  for (const json& task : tasks) {
    EXPECT_EQ(task.at("type"), "process") << task;
    if (task.at("command") != "morph") continue;
    names words{MORPH_PREFIX "/bin/morph"}, options;
    for (const std::string word : task.at("args"))
      if (word.starts_with("--"))
        options.push_back(word);
      else if (options.empty())
        words.push_back(word);
    std::string help;  // of the command, and of the one that it belongs to
    for (; words.size() > 1; words.pop_back()) {
      names asked = words;
      asked.emplace_back("--help");
      const finished end = nowhere.run(asked);
      EXPECT_EQ(end.exit, 0) << task;
      help += end.out;
    }
    for (const std::string& option : options)
      EXPECT_NE(help.find(option + ' '), std::string::npos) << option << " of " << task;
    ++commands;
  }
  EXPECT_GT(commands, 5U);
}

TEST(editor_tasks, find_survivors_and_lines_that_no_test_executes) {
  using parts = std::map<std::string, std::string>;
  // As mutate_test.cpp and coverage_report_test.cpp see them printed.
  EXPECT_EQ(found_in("src/price.cpp:5:12: survived, its value never differs [ror] all > many -> all >= many",
                     "Morph: mutate the change"),
            (parts{{"file", "src/price.cpp"},
                   {"line", "5"},
                   {"column", "12"},
                   {"message", "survived, its value never differs [ror] all > many -> all >= many"}}));
  EXPECT_EQ(found_in("src/price.cpp:9: pseudo-tested: discount(int)", "Morph: mutate the change"),
            (parts{{"file", "src/price.cpp"}, {"line", "9"}, {"message", "pseudo-tested: discount(int)"}}));
  EXPECT_EQ(found_in("src/area.cpp:11: not run: return 0;", "Morph: changed lines that no test executes"),
            (parts{{"file", "src/area.cpp"}, {"line", "11"}, {"message", "not run: return 0;"}}));
  EXPECT_EQ(found_in("7 mutants: 3 killed, 0 crashed", "Morph: mutate the change"), parts());
}

}  // namespace
}  // namespace morph::end_to_end
