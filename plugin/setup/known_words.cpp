// Tables of keywords and folders; the words of frameworks are theirs.
#include "plugin/setup/known_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>

namespace morph::setup {

namespace {

constexpr std::array discovery_keywords{
    foreign_keyword{"DISCOVERY_MODE", true, ""},
    foreign_keyword{"SKIP_DEPENDENCY", false, ""},
    foreign_keyword{"SOURCES", true, ""},
    foreign_keyword{"XML_OUTPUT_DIR", true, ""},
    foreign_keyword{"JUNIT_OUTPUT_DIR", true, ""},
    foreign_keyword{"REPORTER", true, ""},
    foreign_keyword{"OUTPUT_DIR", true, ""},
    foreign_keyword{"OUTPUT_PREFIX", true, ""},
    foreign_keyword{"OUTPUT_SUFFIX", true, ""},
    foreign_keyword{"NO_PRETTY_TYPES", false, "NO_PRETTY_TYPES gives the tests other names"},
    foreign_keyword{"NO_PRETTY_VALUES", false, "NO_PRETTY_VALUES gives the tests other names"},
    foreign_keyword{"TEST_FILTER", true, "TEST_FILTER leaves tests out"},
    foreign_keyword{"TEST_SPEC", true, "TEST_SPEC leaves tests out"},
    foreign_keyword{"ADD_LABELS", true, "ADD_LABELS makes labels of tags"}};

constexpr std::array<std::string_view, 6> shared_keywords{"EXTRA_ARGS",  "WORKING_DIRECTORY", "TEST_PREFIX",
                                                          "TEST_SUFFIX", "TEST_LIST",         "DISCOVERY_TIMEOUT"};

constexpr std::array<std::string_view, 12> foreign_folders{"third_party", "third-party", "thirdparty", "3rdparty",
                                                           "3rd_party",   "external",    "externals",  "extern",
                                                           "vendor",      "vendored",    "submodules", "_deps"};

bool is_foreign_folder(const std::string& name) {
  const auto has = [&](const auto& folders) { return std::ranges::find(folders, name) != folders.end(); };
  return has(foreign_folders) || std::ranges::any_of(frameworks::all_frameworks(), [&](const frameworks::framework& f) {
           return has(f.words.folders);
         });
}

}  // namespace

const frameworks::framework* framework_that_discovers(std::string_view command) {
  for (const frameworks::framework& f : frameworks::all_frameworks())
    if (std::ranges::find(f.words.discovery, command) != f.words.discovery.end()) return &f;
  return nullptr;
}

std::span<const foreign_keyword> foreign_keywords() {
  return discovery_keywords;
}

bool is_keyword(std::string_view text) {
  return std::ranges::find(shared_keywords, text) != shared_keywords.end() || text == "PROPERTIES" ||
         std::ranges::any_of(discovery_keywords, [&](const foreign_keyword& k) { return k.name == text; });
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string framework_of_link(const std::string& linked) {
  std::string name = lower(linked);
  if (name.starts_with("-l")) name = name.substr(2);
  const auto scope = name.find("::");
  const std::string of_scope = scope == std::string::npos ? std::string() : name.substr(0, scope + 2);
  for (const frameworks::framework& f : frameworks::all_frameworks())
    for (const std::string_view each : f.words.linked)
      if (each == name || (!of_scope.empty() && each == of_scope)) return std::string(f.name);
  return {};
}

bool switches_off_cases(std::string_view text) {
  return std::ranges::any_of(frameworks::all_frameworks(), [&](const frameworks::framework& f) {
    return !f.words.switch_off.empty() && text.find(f.words.switch_off) != std::string_view::npos;
  });
}

std::string_view product_of(std::string_view framework) {
  const auto* const known = frameworks::find_framework(framework);
  return known == nullptr ? framework : known->words.product;
}

bool is_foreign(const std::string& folder) {
  for (const std::filesystem::path& part : std::filesystem::path(folder))
    if (is_foreign_folder(lower(part.string()))) return true;
  return false;
}

}  // namespace morph::setup
