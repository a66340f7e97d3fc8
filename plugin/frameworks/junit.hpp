// JUnit XML: reading every tool's, writing ours.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace morph::frameworks {

struct junit_case {
  enum class verdict { passed, failed, skipped };
  std::string name;
  std::string classname;  // may be empty
  verdict how = verdict::passed;
  double seconds = 0;   // wall time
  std::string message;  // why it failed or was skipped, in a line
  std::string output;   // of a failed one
};

/// The cases of all suites, nested or not, as ctest, GoogleTest, Catch2, doctest, pytest and their like write them.
/// Skipped, disabled and not run ones are `skipped`.
tl::expected<std::vector<junit_case>, std::string> read_junit(const std::filesystem::path& path);

struct junit_suite {
  std::string name;
  std::vector<junit_case> cases;
};

/// Bytes that XML cannot hold (control characters, what is not UTF-8) are replaced.
std::string write_junit(const std::vector<junit_suite>& suites, std::int64_t at);
std::string write_junit(const std::string& suite, const std::vector<junit_case>& cases, std::int64_t at);

/// The length of the character at the front of a text that is not empty; 0 if XML 1.0 cannot hold it.
std::size_t xml_character(std::string_view text);

/// `text` with U+FFFD in place of whatever XML 1.0 cannot hold.
std::string as_xml_text(std::string_view text);

}  // namespace morph::frameworks
