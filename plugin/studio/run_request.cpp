// Typed checks; nothing of HTTP.
#include "plugin/studio/run_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "plugin/system/shell_words.hpp"

namespace morph::studio {
namespace {

using nlohmann::json;

constexpr std::size_t most_arguments = 1000;
constexpr std::size_t longest_argument = 100'000;  // the kernel takes 131,071 bytes
constexpr const char* form = R"(the body is {"arguments":["plan","--reasons"]})";

bool has_option(const std::vector<std::string>& words, const std::string& option) {
  return std::ranges::any_of(words,
                             [&](const std::string& word) { return word == option || word.starts_with(option + "="); });
}

std::string fault_of_argument(const json& argument, std::size_t at) {
  if (!argument.is_string()) return fmt::format("argument {} is no text", at);
  const auto& text = argument.get_ref<const std::string&>();
  if (text.find('\0') != std::string::npos) return fmt::format("argument {} holds a NUL byte", at);
  if (text.size() > longest_argument)
    return fmt::format("argument {} has {} bytes; the longest has {}", at, text.size(), longest_argument);
  return {};
}

/// Others make ctest run any program.
std::string fault_of_ctest(const std::vector<std::string>& words) {
  constexpr std::array<std::string_view, 4> flags{"--rerun-failed", "--output-on-failure", "--stop-on-failure", "-V"};
  constexpr std::array<std::string_view, 6> with_value{"-L", "-LE", "-R", "-E", "-j", "--timeout"};
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (std::ranges::find(flags, words[i]) != flags.end()) continue;
    if (std::ranges::find(with_value, words[i]) == with_value.end())
      return fmt::format("'{}' is no option of ctest that this server passes on", words[i]);
    if (++i == words.size() || words[i].starts_with('-')) return fmt::format("'{}' lacks its value", words[i - 1]);
  }
  return {};
}

std::vector<std::string> ctest_words(const run_request& asked, const settings& of) {
  std::vector<std::string> words{"ctest", "--test-dir", of.build.string()};
  if (!of.ctest_config.empty()) words.insert(words.end(), {"-C", of.ctest_config});
  words.insert(words.end(), asked.arguments.begin() + 1, asked.arguments.end());
  return words;
}

}  // namespace

result<run_request> read_run_request(std::string_view body, const settings& of) {
  const json given = json::parse(body, nullptr, false);
  if (given.is_discarded()) return tl::unexpected(fmt::format("the body is no JSON; {}", form));
  if (!given.is_object() || !given.contains("arguments") || !given["arguments"].is_array())
    return tl::unexpected(std::string(form));
  run_request asked;
  for (const auto& [name, value] : given.items()) {
    if (name == "arguments") continue;
    bool* const flag = name == "json" ? &asked.as_json : name == "recorded" ? &asked.is_recorded : nullptr;
    if (flag == nullptr) return tl::unexpected(fmt::format("'{}' is unknown; {}", name, form));
    if (!value.is_boolean()) return tl::unexpected(fmt::format("'{}' is true or false", name));
    *flag = value.get<bool>();
  }
  const json& words = given["arguments"];
  if (words.empty()) return tl::unexpected(fmt::format("no subcommand is named; {}", form));
  if (words.size() > most_arguments)
    return tl::unexpected(fmt::format("{} arguments; the most are {}", words.size(), most_arguments));
  for (std::size_t i = 0; i < words.size(); ++i)
    if (std::string fault = fault_of_argument(words[i], i + 1); !fault.empty()) return tl::unexpected(std::move(fault));
  asked.arguments = words.get<std::vector<std::string>>();
  if (std::ranges::find(of.commands, asked.arguments.front()) == of.commands.end())
    return tl::unexpected(
        fmt::format("'{}' is no subcommand that this server starts; /api/state lists them", asked.arguments.front()));
  if (asked.is_ctest())
    if (std::string fault = fault_of_ctest(asked.arguments); !fault.empty()) return tl::unexpected(std::move(fault));
  return asked;
}

std::string typed_line(const run_request& asked, const settings& of) {
  if (asked.is_ctest()) return system::shell_line(ctest_words(asked, of));
  std::vector<std::string> words{"morph", asked.arguments.front()};
  words.insert(words.end(), of.typed.begin(), of.typed.end());
  words.insert(words.end(), asked.arguments.begin() + 1, asked.arguments.end());
  return system::shell_line(words);
}

std::vector<std::string> started_words(const run_request& asked, const settings& of, int progress) {
  if (asked.is_ctest()) return ctest_words(asked, of);
  std::vector<std::string> words{"morph", asked.arguments.front()};
  if (!has_option(asked.arguments, "--build") && !has_option(of.typed, "--build"))
    words.insert(words.end(), {"--build", of.build.string()});
  words.insert(words.end(), of.typed.begin(), of.typed.end());
  if (asked.as_json && !has_option(asked.arguments, "--json")) words.emplace_back("--json");
  if (!has_option(asked.arguments, "--progress-fd"))
    words.insert(words.end(), {"--progress-fd", std::to_string(progress)});
  words.insert(words.end(), asked.arguments.begin() + 1, asked.arguments.end());
  return words;
}

}  // namespace morph::studio
