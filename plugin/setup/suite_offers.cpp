// Calls that discover tests, add_test(), and programs that nothing registers.
#include "plugin/setup/suite_offers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "plugin/setup/known_words.hpp"

namespace morph::setup {

result<suite_offer> translation::discovered(place at, std::string_view framework) {
  const build::cmake_command& c = p_.at(at);
  std::size_t first = 0;
  if (c.name == "gtest_add_tests") {
    if (c.arguments.empty() || c.arguments[0].text != "TARGET")
      return tl::unexpected(std::string("the old signature names no target"));
    first = 1;
  }
  if (c.arguments.size() <= first) return tl::unexpected(std::string("it names no target"));
  const build::cmake_argument& target = c.arguments[first];

  suite_offer offer{at, {}, {}};
  names left_out;
  for (std::size_t i = first + 1; i < c.arguments.size(); ++i) {
    const auto keyword =
        std::ranges::find_if(foreign_keywords(), [&](const auto& k) { return k.name == c.arguments[i].text; });
    if (keyword == foreign_keywords().end()) continue;
    if (!keyword->hinders.empty()) return tl::unexpected(std::string(keyword->hinders));
    std::size_t last = i;
    while (keyword->has_values && last + 1 < c.arguments.size() && !is_keyword(c.arguments[last + 1].text)) ++last;
    offer.replacements.push_back({c.arguments[i - 1].end, c.arguments[last].end, ""});
    left_out.push_back(c.arguments[i].text);
    i = last;
  }
  const auto guess = p_.frameworks_of(target.text, at.file);
  const bool seen_by_morph = guess.linked == std::set<std::string>{std::string(framework)};
  offer.replacements.insert(offer.replacements.begin(),
                            {c.begin, target.end, call(target, seen_by_morph ? "" : std::string(framework))});
  offer.what = fmt::format("{}({}) becomes a suite; its tests keep their names", c.name, target.text);
  if (!left_out.empty()) offer.what += fmt::format(" ({} is left out)", fmt::join(left_out, ", "));
  return offer;
}

result<suite_offer> translation::added(place at) {
  const build::cmake_command& c = p_.at(at);
  const auto& a = c.arguments;
  std::size_t program = 1;
  std::optional<build::cmake_argument> directory;
  std::vector<build::cmake_argument> arguments;
  if (!a.empty() && a[0].text == "NAME") {
    program = a.size();
    for (std::size_t i = 2; i < a.size(); ++i) {
      if (a[i].text == "CONFIGURATIONS" || a[i].text == "COMMAND_EXPAND_LISTS")
        return tl::unexpected(fmt::format("{} has no counterpart", a[i].text));
      if (a[i].text == "WORKING_DIRECTORY" && i + 1 < a.size()) {
        directory = a[++i];
      } else if (a[i].text == "COMMAND" && i + 1 < a.size() && program == a.size()) {
        program = ++i;
      } else if (program < i) {
        arguments.push_back(a[i]);
      }
    }
  } else if (a.size() > 2) {
    arguments.assign(a.begin() + 2, a.end());
  }
  if (a.size() < 2 || program >= a.size()) return tl::unexpected(std::string("it names no command"));
  const build::cmake_argument& name = a[a[0].text == "NAME" ? 1 : 0];

  build::cmake_argument target = a[program];
  target.text = target_of(target.text);
  if (!p_.is_target(target.text, at.file))
    return tl::unexpected(std::string("no program of this project is its command"));
  const auto guess = p_.frameworks_of(target.text, at.file);
  std::set<std::string> frameworks = guess.linked.empty() ? guess.included : guess.linked;
  if (frameworks.empty()) return tl::unexpected(std::string("no test framework is seen among what the program links"));
  if (!guess.may_have_cases) return tl::unexpected(std::string("no source of the program has a test case"));
  if (frameworks.size() > 1)
    return tl::unexpected(fmt::format("which test framework the program uses: {}", fmt::join(frameworks, " or ")));
  const std::string& framework = *frameworks.begin();
  suite_offer offer{at, {}, {}};
  std::string text = call(target, guess.linked.empty() ? framework : "");
  if (directory) text += " WORKING_DIRECTORY " + p_.spelling(at, *directory);
  if (!arguments.empty()) text += " EXTRA_ARGS";
  for (const auto& argument : arguments) text += " " + p_.spelling(at, argument);
  if (auto user = properties_of(name); !user.empty())
    return tl::unexpected(fmt::format(
        "{} sets properties of the test; both together are, with a test for each {} case, {} PROPERTIES ...)", user,
        product_of(framework), text));
  std::string other;
  if (const auto sources = p_.sources_of(target.text); !sources.empty())
    other = of_sources_.try_emplace(sources, target.text).first->second;
  const bool has_namesakes = !other.empty() && other != target.text;
  if (has_namesakes) text += fmt::format(" TEST_PREFIX {}.", target.text);
  offer.replacements.push_back({c.begin, c.end, text + ")"});
  offer.what = fmt::format("add_test({}) becomes a suite: every {} case is a test of its own, '{}' is none any more",
                           name.text, product_of(framework), name.text);
  if (has_namesakes) offer.what += fmt::format("; the prefix tells its tests from those of {}", other);
  return offer;
}

result<std::optional<suite_offer>> translation::unregistered(place at) {
  const build::cmake_command& c = p_.at(at);
  const build::cmake_argument& target = c.arguments[0];
  const auto guess = p_.frameworks_of(target.text, at.file);
  const std::set<std::string> frameworks = guess.linked.empty() ? guess.included : guess.linked;
  if (frameworks.empty() || is_without_cases(target, at.file)) return std::nullopt;
  if (!guess.may_have_cases)
    return tl::unexpected(
        fmt::format("whether the program '{}', which is linked with {}, has tests: its sources mention none",
                    target.text, product_of(*frameworks.begin())));
  if (frameworks.size() > 1)
    return tl::unexpected(
        fmt::format("which test framework the program '{}' uses: {}", target.text, fmt::join(frameworks, " or ")));
  const source_file& file = p_.files[at.file];
  std::size_t last = at.command;
  for (std::size_t i = at.command; i < file.commands.size(); ++i) {
    const build::cmake_command& other = file.commands[i];
    const bool is_of_target = other.name.starts_with("target_") || other.name == "set_target_properties";
    if (is_of_target && other.blocks == c.blocks && !other.arguments.empty() && other.arguments[0].text == target.text)
      last = i;
  }
  const auto newline = file.text.find('\n', file.commands[last].end);
  const bool is_at_end = newline == std::string::npos;
  const std::size_t offset = is_at_end ? file.text.size() : newline + 1;
  const auto line = file.text.rfind('\n', c.begin) + 1;  // npos + 1 is 0
  const std::string indentation = file.text.substr(line, file.text.find_first_not_of(" \t", line) - line);
  const std::string end = file.text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  const std::string text = indentation + call(target, guess.linked.empty() ? *frameworks.begin() : "") + ")" + end;
  return suite_offer{at,
                     {{offset, offset, is_at_end ? end + text : text}},
                     fmt::format("nothing registers the {} cases of '{}': each becomes a test of a suite",
                                 product_of(*frameworks.begin()), target.text)};
}

std::optional<build::cmake_argument> translation::registered_by(place at) const {
  const build::cmake_command& c = p_.at(at);
  std::size_t which = c.name == "add_test" || c.name == "gtest_add_tests" ? 1 : 0;
  if (c.name == "add_test" && !c.arguments.empty() && c.arguments[0].text == "NAME") {
    which = 2;
    while (which < c.arguments.size() && c.arguments[which - 1].text != "COMMAND") ++which;
  }
  if (which >= c.arguments.size()) return std::nullopt;
  build::cmake_argument program = c.arguments[which];
  program.text = target_of(program.text);
  return program;
}

bool translation::is_without_cases(const build::cmake_argument& target, std::size_t file) const {
  bool found = false;
  p_.each([&](place at, const build::cmake_command& c) {
    if (c.arguments.empty() || c.arguments[0].text != target.text || (!target.literal && at.file != file)) return;
    found = found || std::any_of(c.arguments.begin(), c.arguments.end(),
                                 [](const build::cmake_argument& a) { return switches_off_cases(a.text); });
  });
  return found;
}

std::string translation::target_of(const std::string& command) {
  constexpr std::string_view expression = "$<TARGET_FILE:";
  if (command.starts_with(expression) && command.ends_with('>'))
    return command.substr(expression.size(), command.size() - expression.size() - 1);
  if (command.starts_with("${"))
    if (const auto end = command.find("_BINARY_DIR}/"); end != std::string::npos && end == command.find('}') - 11)
      return command.substr(command.rfind('/') + 1);
  return command;
}

std::string translation::call(const build::cmake_argument& target, const std::string& framework) {
  const std::string plain = lower(target.text);
  const bool reserved = plain.find("morph") != std::string::npos || plain.find("deferred") != std::string::npos;
  std::string name = reserved ? "suite" : target.text;
  if (const int uses = ++uses_[name]; uses > 1 || reserved) name += fmt::format("_{}", uses);
  return fmt::format("morph_add_suite({} TARGET {}{}", name, target.text,
                     framework.empty() ? "" : " FRAMEWORK " + framework);
}

std::string translation::properties_of(const build::cmake_argument& name) const {
  std::string found;
  p_.each([&](place at, const build::cmake_command& c) {
    const bool sets = c.name == "set_tests_properties" || c.name == "get_test_property" ||
                      (c.name == "set_property" && !c.arguments.empty() && c.arguments[0].text == "TEST");
    if (!sets || !found.empty()) return;
    for (const build::cmake_argument& a : c.arguments) {
      if (&a == &c.arguments[0] && c.name == "set_property") continue;
      if (a.text == "PROPERTIES" || a.text == "PROPERTY" || a.text == "APPEND" || a.text == "APPEND_STRING") break;
      const bool of_another = a.literal && !name.literal && has_test_named(a.text);
      if (a.text == name.text || !a.literal || (!name.literal && !of_another))
        found = fmt::format("{} at {}", c.name, p_.where(at));
    }
  });
  return found;
}

bool translation::has_test_named(const std::string& name) const {
  bool found = false;
  p_.each([&](place, const build::cmake_command& c) {
    const std::size_t at = !c.arguments.empty() && c.arguments[0].text == "NAME" ? 1 : 0;
    found = found || (c.name == "add_test" && c.arguments.size() > at && c.arguments[at].text == name);
  });
  return found;
}

}  // namespace morph::setup
