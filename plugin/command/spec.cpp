// morph spec: the program of a suite of specs, which does the work: it knows the types.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "plugin/command/workspace.hpp"

namespace morph::command {
namespace {

struct spec_options {
  std::string suite;
  std::vector<std::string> words;  // for the program
};

int run_spec(const spec_options& options, const common_options& common) {
  const auto tree = open_build_tree(common);
  if (!tree) return environment;
  std::vector<std::string> names;
  const project::suite* chosen = nullptr;
  for (const project::suite& suite : tree->suites) {
    if (suite.framework != "spec") continue;
    names.push_back(suite.name);
    if (options.suite.empty() || suite.name == options.suite) chosen = &suite;
  }
  if (names.empty()) {
    spdlog::error("this build tree has no specs; declare them with morph_add_spec(NAME SOURCES ...)");
    return environment;
  }
  if (chosen == nullptr) {
    spdlog::error("there is no suite of specs '{}'; there are: {}", options.suite, fmt::join(names, ", "));
    return usage;
  }
  if (options.suite.empty() && names.size() > 1) {
    spdlog::error("this build tree has several suites of specs; say which: --suite NAME, one of {}",
                  fmt::join(names, ", "));
    return usage;
  }
  const std::filesystem::path& program = chosen->programs.front().executable;
  if (!std::filesystem::exists(program)) {
    spdlog::error("'{}' is not built; build it: cmake --build {} --target {}", program.string(),
                  tree->binary_dir.string(), chosen->programs.front().target);
    return environment;
  }
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), options.words.begin(), options.words.end());
  if (common.json) words.emplace_back("--json");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(program.c_str(), arguments.data());
  spdlog::error("'{}' cannot be run: {}", program.string(), std::strerror(errno));
  return environment;
}

}  // namespace

action add_spec(CLI::App& app, const common_options& common) {
  auto options = std::make_shared<spec_options>();
  app.add_option("--suite", options->suite, "The suite of specs, if the build tree has several")->type_name("NAME");
  app.prefix_command();
  return [options, &common, &app] {
    common_options ours = common;
    // Ours may stand behind the activity, too.
    const std::vector<std::string> words = app.remaining();
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::size_t equals = words[i].find('=');
      const std::string name = words[i].substr(0, equals);
      std::string* const to = name == "--build"    ? &ours.build
                              : name == "--config" ? &ours.config
                              : name == "--suite"  ? &options->suite
                                                   : nullptr;
      if (to == nullptr)
        options->words.push_back(words[i]);
      else if (equals != std::string::npos)
        *to = words[i].substr(equals + 1);
      else if (i + 1 < words.size())
        *to = words[++i];
    }
    if (options->words.empty()) options->words = {"--help"};
    return run_spec(*options, ours);
  };
}

}  // namespace morph::command
