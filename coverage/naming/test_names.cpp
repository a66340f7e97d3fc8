// Telling sources of tests by the names of their files and folders.
#include "coverage/naming/test_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace morph::naming {
namespace {

constexpr std::array<std::string_view, 20> test_words{
    "test",     "tests",     "testing",     "tester",     "unittest",    "unittests", "spec",
    "specs",    "mock",      "mocks",       "fixture",    "fixtures",    "testutil",  "testutils",
    "testbase", "testsuite", "testharness", "testhelper", "testhelpers", "testcommon"};
constexpr std::array<std::string_view, 6> folder_words{"unit", "ut", "t", "check", "checks", "qa"};  // of whole names
constexpr std::array<std::string_view, 6> other_words{"attest", "contest", "fastest", "greatest", "latest", "protest"};

template <std::size_t Count>
bool is_one_of(std::string_view word, const std::array<std::string_view, Count>& words) {
  return std::ranges::find(words, word) != words.end();
}

/// In lower case: `HTTPTestServer_v2` is http, test, server, v, 2.
std::vector<std::string> words_in_name(std::string_view name) {
  const auto is = [](int (*what)(int), char c) { return what(static_cast<unsigned char>(c)) != 0; };
  std::vector<std::string> words;
  bool is_new = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is(std::isalpha, name[i])) {
      is_new = true;
      continue;
    }
    const bool after_small = i > 0 && is(std::islower, name[i - 1]);
    const bool before_small = i > 0 && i + 1 < name.size() && is(std::islower, name[i + 1]);
    if (is_new || (is(std::isupper, name[i]) && (after_small || before_small))) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(name[i])));
    is_new = false;
  }
  return words;
}

bool is_test_word(const std::string& word) {
  const bool ends_so = word.ends_with("test") || word.ends_with("tests");
  return is_one_of(word, test_words) || (ends_so && !is_one_of(word, other_words));
}

}  // namespace

bool is_named_as_tests(std::string_view path) {
  while (true) {
    const auto slash = path.find('/');
    const bool is_folder = slash != std::string_view::npos;
    const std::string_view name = path.substr(0, is_folder ? slash : path.rfind('.'));
    const std::vector<std::string> words = words_in_name(name);
    if (std::ranges::any_of(words, is_test_word)) return true;
    if (!is_folder) return false;
    if (words.size() == 1 && is_one_of(words.front(), folder_words)) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace morph::naming
