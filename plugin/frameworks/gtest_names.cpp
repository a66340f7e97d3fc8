// The rules of CMake's module, and since when each of them is.
#include "plugin/frameworks/gtest_names.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>

namespace morph::frameworks {
namespace {

using cmake_version = std::array<int, 3>;

/// A release candidate counts as its release: it is the same module.
cmake_version parsed(std::string_view text) {
  cmake_version version{};
  for (int& number : version) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.starts_with('.')) break;
    text.remove_prefix(1);
  }
  return version[0] == 0 ? cmake_version{3, 25, 0} : version;
}

std::string without_disabled_mark(std::string name) {
  constexpr std::string_view mark = "DISABLED_";
  if (name.starts_with(mark)) name.erase(0, mark.size());
  return name;
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

// ---- before 4.2

/// "Name/0  # GetParam() = 7" -> "Name/7"; a name that does not end in a number keeps the comment.
std::string with_value(const std::string& line) {
  constexpr std::string_view mark = "GetParam() = ";
  const auto comment = line.find(mark);
  if (comment == std::string::npos) return line;
  const auto name_end = line.find_last_not_of(" #", comment - 1);
  const auto slash = line.find_last_not_of("0123456789", name_end);
  const bool numbered = slash != std::string::npos && line[slash] == '/' && slash < name_end && name_end + 1 < comment;
  return numbered ? line.substr(0, slash + 1) + line.substr(comment + mark.size()) : line;
}

/// "Suite/0.  # TypeParam = int" up to the number; all of a line without one, as CMake leaves it.
std::string shown_suite(const std::string& line, bool cuts_at_any_slash) {
  for (auto slash = line.find('/'); slash != std::string::npos; slash = line.find('/', slash + 1))
    if (cuts_at_any_slash || is_number(std::string_view(line).substr(slash + 1, 1))) return line.substr(0, slash);
  return line;
}

/// Behind a number; all of a line without one.
std::string shown_type(const std::string& line) {
  constexpr std::string_view mark = "TypeParam = ";
  const auto at = line.rfind(mark);
  if (at == std::string::npos || at == 0) return line;
  const auto number_end = line.find_last_not_of(" .#", at - 1);
  if (number_end == std::string::npos || number_end + 1 == at) return line;
  const auto slash = line.find_last_not_of("0123456789", number_end);
  const bool is_numbered = slash != std::string::npos && slash < number_end && line[slash] == '/';
  return is_numbered ? line.substr(at + mark.size()) : line;
}

std::string name_by_text(const gtest_test& test, const gtest_naming& naming) {
  const bool is_typed = test.suite_line.find('#') != std::string::npos;
  const bool has_value = test.name_line.find('#') != std::string::npos;
  const std::string suite = is_typed ? shown_suite(test.suite_line, naming.cuts_suites_at_any_slash) : test.suite;
  return without_disabled_mark(suite) + '.' +
         without_disabled_mark(has_value ? with_value(test.name_line) : test.name) +
         (is_typed ? '<' + shown_type(test.suite_line) + '>' : "");
}

// ---- from 4.2 on

std::string stripped(const std::string& text) {
  constexpr const char* blanks = " \t\n\v\f\r";
  const auto first = text.find_first_not_of(blanks);
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// Where the last part begins whose name is not empty, with its slash.
std::size_t last_part(const std::string& text) {
  const auto slash = text.rfind('/');
  return slash == std::string::npos || slash == 0 || slash + 1 == text.size() ? std::string::npos : slash;
}

std::string name_by_parts(gtest_test test, const gtest_naming& naming) {
  if (naming.strips_parts)
    for (std::string* part : {&test.suite, &test.name, &test.value, &test.type}) *part = stripped(*part);
  std::string suite = without_disabled_mark(test.suite), name = without_disabled_mark(test.name);
  if (!test.value.empty()) {
    const auto slash = name.rfind('/');
    const bool has_number = slash != std::string::npos && is_number(std::string_view(name).substr(slash + 1));
    if (naming.replaces_any_value_name)
      name = name.substr(0, last_part(name)) + '/' + test.value;
    else if (has_number)
      name = name.substr(0, slash) + '/' + test.value;
  }
  if (!test.type.empty()) {
    suite.erase(std::min(last_part(suite), suite.size()));
    name += '<' + test.type + '>';
  }
  return suite + '.' + name;
}

}  // namespace

gtest_naming gtest_naming_of(std::string_view version) {
  const cmake_version v = parsed(version);
  gtest_naming naming;
  naming.cuts_suites_at_any_slash = v < cmake_version{3, 25, 3};
  naming.joins_parts = v >= cmake_version{4, 2, 0};
  naming.replaces_any_value_name =
      naming.joins_parts && (v < cmake_version{4, 2, 7} || (v >= cmake_version{4, 3, 0} && v < cmake_version{4, 3, 4}));
  naming.strips_parts = v >= cmake_version{4, 4, 20260716};
  return naming;
}

std::string ctest_name_of(const gtest_test& test, const gtest_naming& naming) {
  return naming.joins_parts ? name_by_parts(test, naming) : name_by_text(test, naming);
}

std::vector<std::string> other_ctest_names_of(const gtest_test& test, const std::string& name) {
  std::vector<std::string> others;
  if (test.value.empty() && test.type.empty()) return others;
  for (const char* first : {"3.25.0", "3.25.3", "4.2.0", "4.3.4", "4.5.0"}) {
    std::string other = ctest_name_of(test, gtest_naming_of(first));
    if (other != name && std::find(others.begin(), others.end(), other) == others.end())
      others.push_back(std::move(other));
  }
  return others;
}

}  // namespace morph::frameworks
