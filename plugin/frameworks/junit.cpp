// JUnit by tinyxml2.
#include "plugin/frameworks/junit.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <tinyxml2.h>

#include <algorithm>
#include <array>

#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

using verdict = junit_case::verdict;

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : std::string(text);
}

/// Deeper nesting is nobody's report.
constexpr int deepest = 64;

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

junit_case read_case(const tinyxml2::XMLElement& e) {
  junit_case c;
  c.name = text_of(e.Attribute("name"));
  c.classname = text_of(e.Attribute("classname"));
  c.seconds = std::max(0.0, e.DoubleAttribute("time"));
  const std::string status = text_of(e.Attribute("status")), result = text_of(e.Attribute("result"));
  const tinyxml2::XMLElement* wrong = e.FirstChildElement("failure");
  if (wrong == nullptr) wrong = e.FirstChildElement("error");
  const tinyxml2::XMLElement* skipped = e.FirstChildElement("skipped");
  if (wrong != nullptr || is_any_of(status, {"fail", "failed", "error"})) {
    c.how = verdict::failed;
    if (wrong != nullptr) c.message = text_of(wrong->Attribute("message"));
    if (wrong != nullptr) c.output = text_of(wrong->GetText());
  } else if (skipped != nullptr || is_any_of(status, {"disabled", "notrun", "skipped"}) ||
             is_any_of(result, {"skipped", "suppressed"})) {
    c.how = verdict::skipped;
    if (skipped != nullptr) c.message = text_of(skipped->Attribute("message"));
  }
  return c;
}

void collect(const tinyxml2::XMLElement& parent, int depth, std::vector<junit_case>& found) {
  for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const std::string_view kind = e->Name();
    if (kind == "testsuite" && depth < deepest) collect(*e, depth + 1, found);
    if (kind == "testcase") found.push_back(read_case(*e));
  }
}

void write_suite(tinyxml2::XMLPrinter& out, const junit_suite& suite, std::int64_t at) {
  const auto number = [&](verdict how) {
    return std::count_if(suite.cases.begin(), suite.cases.end(), [&](const auto& c) { return c.how == how; });
  };
  double seconds = 0;
  for (const junit_case& c : suite.cases) seconds += c.seconds;
  const auto attribute = [&](const char* name, const std::string& value) {
    out.PushAttribute(name, as_xml_text(value).c_str());
  };
  out.OpenElement("testsuite");
  attribute("name", suite.name);
  attribute("tests", std::to_string(suite.cases.size()));
  attribute("failures", std::to_string(number(verdict::failed)));
  attribute("errors", "0");
  attribute("skipped", std::to_string(number(verdict::skipped)));
  attribute("time", fmt::format("{:.3f}", seconds));  // more digits are an error for Jenkins' plugin xUnit
  attribute("timestamp", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(at))));
  for (const junit_case& c : suite.cases) {
    out.OpenElement("testcase");
    attribute("name", c.name);
    attribute("classname", c.classname);
    attribute("time", fmt::format("{:.6f}", c.seconds));
    if (c.how == verdict::failed) {
      out.OpenElement("failure");
      attribute("message", c.message);
      out.PushText(as_xml_text(c.output).c_str());
      out.CloseElement();
    } else if (c.how == verdict::skipped) {
      out.OpenElement("skipped");
      attribute("message", c.message);
      out.CloseElement();
    }
    out.CloseElement();
  }
  out.CloseElement();
}

}  // namespace

tl::expected<std::vector<junit_case>, std::string> read_junit(const std::filesystem::path& path) {
  const auto text = system::read_file(path);
  if (!text) return tl::unexpected(text.error());
  if (text->find_first_not_of(" \t\r\n") == std::string::npos)
    return tl::unexpected(fmt::format("'{}' is not a JUnit report: it is empty", path.string()));
  tinyxml2::XMLDocument document;
  if (document.Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS)
    return tl::unexpected(fmt::format("'{}' is not well-formed XML: {}", path.string(), document.ErrorStr()));
  const tinyxml2::XMLElement* root = document.RootElement();
  const std::string_view kind = root == nullptr ? "" : root->Name();
  if (kind != "testsuites" && kind != "testsuite")
    return tl::unexpected(fmt::format("'{}' is not a JUnit report: its root is <{}>", path.string(), kind));
  std::vector<junit_case> found;
  collect(*root, 0, found);
  std::erase_if(found, [](const junit_case& c) { return c.name.empty(); });
  return found;
}

std::size_t xml_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0xff >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  static constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  return code < smallest[length] || code > 0x10ffff || surrogate || code == 0xfffe || code == 0xffff ? 0 : length;
}

std::string as_xml_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = xml_character(text);
    result += length == 0 ? std::string_view("\xef\xbf\xbd") : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string write_junit(const std::vector<junit_suite>& suites, std::int64_t at) {
  tinyxml2::XMLPrinter out;
  out.PushHeader(false, true);
  out.OpenElement("testsuites");
  for (const junit_suite& suite : suites) write_suite(out, suite, at);
  out.CloseElement();
  return out.CStr();
}

std::string write_junit(const std::string& suite, const std::vector<junit_case>& cases, std::int64_t at) {
  return write_junit({{suite, cases}}, at);
}

}  // namespace morph::frameworks
