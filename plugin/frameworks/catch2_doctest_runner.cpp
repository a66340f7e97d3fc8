// Running Catch2 and doctest programs in batches: their XML reporters write to a file as they go.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <array>
#include <fstream>
#include <map>

#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/rows.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using kind = case_event::kind;

constexpr std::size_t longest_argument = 100'000;  // Linux takes 128 KiB
constexpr std::string_view opening = "<TestCase ", closing = "</TestCase>";

std::string attribute(const tinyxml2::XMLElement& e, const char* name) {
  const char* value = e.Attribute(name);
  return value == nullptr ? std::string() : value;
}

std::string trimmed(const char* text) {
  const std::string_view all = text == nullptr ? "" : text;
  const auto first = all.find_first_not_of(" \n\t");
  return first == std::string_view::npos ? std::string()
                                         : std::string(all.substr(first, all.find_last_not_of(" \n\t") - first + 1));
}

/// "a.cpp:4: CHECK( x == 2 ), that is 1 == 2" for every failed assertion and exception, sections included.
void describe_failures(const tinyxml2::XMLElement& parent, std::string& text, bool& died) {
  for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
    const std::string_view what = e->Name();
    const std::string place = fmt::format("{}:{}: ", attribute(*e, "filename"), attribute(*e, "line"));
    if (what == "Expression" && attribute(*e, "success") != "true") {
      const auto* original = e->FirstChildElement("Original");
      const auto* expanded = e->FirstChildElement("Expanded");
      text += fmt::format("{}{}( {} ), that is {}\n", place, attribute(*e, "type"),
                          original == nullptr ? "" : trimmed(original->GetText()),
                          expanded == nullptr ? "" : trimmed(expanded->GetText()));
    } else if (what == "Exception" || what == "FatalErrorCondition" || what == "Failure" || what == "Message") {
      died = died || what == "FatalErrorCondition" || attribute(*e, "crash") == "true";
      text += fmt::format("{}{}: {}\n", attribute(*e, "filename").empty() ? "" : place, what, trimmed(e->GetText()));
    }
    describe_failures(*e, text, died);
  }
}

/// As both write a name that XML cannot hold: `\xHH` for each byte.
std::string with_escapes(std::string_view name) {
  std::string result;
  while (!name.empty()) {
    const std::size_t length = xml_character(name);
    if (length == 0 || name.front() == '\x7f')
      result += fmt::format("\\x{:02X}", static_cast<unsigned char>(name.front()));
    else
      result += name.substr(0, length);
    name.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

/// The length of the tag that begins the text; nothing if its end is not there yet. Values may hold `>`.
std::optional<std::size_t> tag_length(std::string_view text) {
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (text[i] == '>' && !quoted) return i + 1;
  }
  return std::nullopt;
}

class xml_runner : public framework_runner {
 public:
  std::vector<case_event> read_line(std::string_view) override { return {}; }

  std::vector<case_event> read_progress() override {
    std::ifstream in(report_, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(read_));
    std::array<char, 65536> piece;
    while (in.read(piece.data(), piece.size()), in.gcount() > 0) {
      text_.append(piece.data(), static_cast<std::size_t>(in.gcount()));
      read_ += static_cast<std::size_t>(in.gcount());
    }
    std::vector<case_event> events;
    while (take_case(events)) {
    }
    return events;
  }

  std::optional<std::vector<case_event>> read_report() override {
    const auto text = system::read_file(report_);
    tinyxml2::XMLDocument document;
    if (!text || document.Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS ||
        document.RootElement() == nullptr)
      return std::nullopt;
    std::vector<case_event> events;
    collect(*document.RootElement(), events);
    return events;
  }

  bool shows_failures() const override { return false; }

 protected:
  /// Nothing for a case that did not run.
  virtual std::optional<case_event> verdict_of(const tinyxml2::XMLElement& test) const = 0;

  void begin(std::span<const std::string> cases, const fs::path& scratch) {
    report_ = scratch / "report.xml";
    for (const std::string& name : cases) names_[with_escapes(name)] = name;
    // Catch2's report lacks blanks around a name.
    for (const std::string& name : cases) names_.try_emplace(with_escapes(trimmed(name.c_str())), name);
    std::error_code ignored;
    fs::create_directories(scratch, ignored);
  }
  const fs::path& report() const { return report_; }

  std::string name_of(const tinyxml2::XMLElement& test) const {
    const std::string shown = attribute(test, "name");
    const auto known = names_.find(shown);
    return known == names_.end() ? shown : known->second;
  }

 private:
  /// The next event at the front of the text, if it is all there.
  bool take_case(std::vector<case_event>& events) {
    const auto begin = text_.find(opening);
    if (begin == std::string::npos) {
      text_.erase(0, text_.size() - std::min(text_.size(), opening.size()));
      return false;
    }
    text_.erase(0, begin);
    const auto tag = tag_length(text_);
    if (!tag) return false;
    const bool is_empty = text_[*tag - 2] == '/';
    if (!announced_ && !is_empty) {
      const std::string element = text_.substr(0, *tag) + std::string(closing);
      tinyxml2::XMLDocument document;
      if (document.Parse(element.data(), element.size()) == tinyxml2::XML_SUCCESS)
        events.push_back({kind::started, name_of(*document.RootElement()), std::nullopt, ""});
      announced_ = true;
    }
    const auto end = is_empty ? *tag : text_.find(closing);
    if (end == std::string::npos) return false;
    const std::size_t length = is_empty ? end : end + closing.size();
    tinyxml2::XMLDocument document;
    if (document.Parse(text_.data(), length) == tinyxml2::XML_SUCCESS)
      if (auto event = verdict_of(*document.RootElement())) events.push_back(std::move(*event));
    text_.erase(0, length);
    announced_ = false;
    return true;
  }

  void collect(const tinyxml2::XMLElement& parent, std::vector<case_event>& events) const {
    for (const auto* e = parent.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      if (std::string_view(e->Name()) != "TestCase")
        collect(*e, events);
      else if (auto event = verdict_of(*e))
        events.push_back(std::move(*event));
    }
  }

  fs::path report_;
  std::map<std::string, std::string> names_;  // as in the report -> as in the listing
  std::string text_;                          // read, not taken yet
  std::size_t read_ = 0;
  bool announced_ = false;  // the case at the front of the text
};

case_event failure_of(const tinyxml2::XMLElement& test, std::string name, std::optional<double> seconds) {
  std::string text;
  bool died = false;
  describe_failures(test, text, died);
  if (text.ends_with('\n')) text.pop_back();
  return {died ? kind::crashed : kind::failed, std::move(name), seconds, text.empty() ? "it failed" : text};
}

std::optional<double> seconds_in(const tinyxml2::XMLElement& e, const char* name) {
  return e.Attribute(name) == nullptr ? std::nullopt : std::optional(e.DoubleAttribute(name));
}

class catch2_runner : public xml_runner {
 public:
  std::size_t takes(std::span<const std::string> cases) const override { return cases.size(); }

  result<std::vector<std::string>> arguments(std::span<const std::string> cases, const fs::path& scratch) override {
    begin(cases, scratch);
    const fs::path list = scratch / "names";
    std::string text;
    std::vector<std::string> others;  // a file cannot hold names of several lines
    for (const std::string& name : cases) {
      const std::string pattern = catch2_pattern(name);
      if (pattern.find('\n') != std::string::npos)
        others.push_back(pattern);
      else
        text += pattern.starts_with('"') ? pattern + "\n" : '"' + pattern + "\"\n";
    }
    if (auto written = system::write_file_atomically(list, text); !written) return tl::unexpected(written.error());
    std::vector<std::string> arguments{"--reporter", "xml", "--durations", "yes", "--out", report().string()};
    if (!text.empty()) arguments.insert(arguments.end(), {"--input-file", list.string()});
    if (!others.empty()) arguments.push_back(fmt::format("{}{}", text.empty() ? "" : ",", fmt::join(others, ",")));
    return arguments;
  }

  /// Version 3 ends with 4 when every case was skipped.
  bool is_good(int status, bool all_skipped) const override { return status == 0 || (status == 4 && all_skipped); }

 protected:
  std::optional<case_event> verdict_of(const tinyxml2::XMLElement& test) const override {
    const auto* end = test.FirstChildElement("OverallResult");
    if (end == nullptr) return std::nullopt;
    const auto seconds = seconds_in(*end, "durationInSeconds");
    if (attribute(*end, "success") != "true") return failure_of(test, name_of(test), seconds);
    const bool skipped = end->IntAttribute("skips") > 0;
    return case_event{skipped ? kind::skipped : kind::passed, name_of(test), seconds, ""};
  }
};

class doctest_runner : public xml_runner {
 public:
  /// There is no file of names, and a case without a name needs a process of its own.
  std::size_t takes(std::span<const std::string> cases) const override {
    std::size_t number = 0, length = 0;
    for (const std::string& name : cases) {
      length += doctest_pattern(name).size() + 1;
      if (number > 0 && (length > longest_argument || name == doctest_unnamed)) break;
      ++number;
      if (name == doctest_unnamed) break;
    }
    return number;
  }

  result<std::vector<std::string>> arguments(std::span<const std::string> cases, const fs::path& scratch) override {
    begin(cases, scratch);
    std::vector<std::string> arguments = choose_doctest(cases);
    arguments.insert(arguments.end(),
                     {"--reporters=xml", "--duration=true", "--no-skipped-summary=true", "--out=" + report().string()});
    return arguments;
  }

 protected:
  std::optional<case_event> verdict_of(const tinyxml2::XMLElement& test) const override {
    const auto* end = test.FirstChildElement("OverallResultsAsserts");
    if (end == nullptr) return std::nullopt;
    const std::string shown = name_of(test);
    const std::string name = shown.empty() ? std::string(doctest_unnamed) : shown;
    const auto seconds = seconds_in(*end, "duration");
    if (attribute(*end, "test_case_success") != "true") return failure_of(test, name, seconds);
    return case_event{kind::passed, name, seconds, ""};
  }
};

}  // namespace

std::unique_ptr<framework_runner> make_catch2_runner() {
  return std::make_unique<catch2_runner>();
}
std::unique_ptr<framework_runner> make_doctest_runner() {
  return std::make_unique<doctest_runner>();
}

}  // namespace morph::frameworks
