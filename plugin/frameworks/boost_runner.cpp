// Running Boost.Test programs in batches: a log that is flushed with each line tells where they are, and a report at
// their end what became of each case.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "plugin/frameworks/boost.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using kind = case_event::kind;

constexpr std::size_t longest_filter = 100'000;  // Linux takes 128 KiB
constexpr std::size_t most_of_message = 2000;    // bytes that are kept of a case's failures
constexpr std::string_view entering = "Entering test ", leaving = "Leaving test ";

/// What follows `mark`; the place of a test may come before it.
std::optional<std::string_view> rest_after(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + mark.size());
}

/// `name` out of `case "name"` or `suite "name"` as all that is left of a line.
std::optional<std::string> named(std::string_view text, std::string_view what) {
  if (!text.starts_with(what) || !text.substr(what.size()).starts_with(" \"") || !text.ends_with('"'))
    return std::nullopt;
  text.remove_prefix(what.size() + 2);
  if (text.empty()) return std::nullopt;
  return std::string(text.substr(0, text.size() - 1));
}

/// `; testing time: 12us` or `; testing time: 3ms`.
std::optional<double> seconds_in(std::string_view text) {
  const auto time = rest_after(text, "; testing time: ");
  std::int64_t number = 0;
  if (!time) return std::nullopt;
  const auto [end, error] = std::from_chars(time->data(), time->data() + time->size(), number);
  if (error != std::errc()) return std::nullopt;
  return static_cast<double>(number) * (*end == 'm' ? 1e-3 : 1e-6);
}

class boost_runner : public framework_runner {
 public:
  /// There is no file of names.
  std::size_t takes(std::span<const std::string> cases) const override {
    std::size_t number = 0, length = 0;
    for (const std::string& name : cases) {
      length += boost_pattern(name).size() + 1;
      if (number > 0 && length > longest_filter) break;
      ++number;
    }
    return number;
  }

  result<std::vector<std::string>> arguments(std::span<const std::string> cases, const fs::path& scratch) override {
    log_ = scratch / "log";
    report_ = scratch / "report.xml";
    asked_.insert(cases.begin(), cases.end());
    std::error_code ignored;
    fs::create_directories(scratch, ignored);
    std::vector<std::string> arguments = choose_boost(cases);
    arguments.insert(arguments.end(),
                     {"--log_format=HRF", "--log_level=test_suite", "--log_sink=" + log_.string(), "--color_output=no",
                      "--report_format=XML", "--report_level=detailed", "--report_sink=" + report_.string()});
    return arguments;
  }

  std::vector<case_event> read_line(std::string_view) override { return {}; }

  std::vector<case_event> read_progress() override {
    std::ifstream in(log_, std::ios::binary);
    in.seekg(static_cast<std::streamoff>(read_));
    std::vector<case_event> events;
    for (std::string line; std::getline(in, line) && !in.eof();) {
      read_ += line.size() + 1;
      take_line(line, events);
    }
    return events;
  }

  /// Of a run that was aborted it calls cases passed that it never began.
  std::optional<std::vector<case_event>> read_report() override {
    const auto text = system::read_file(report_);
    tinyxml2::XMLDocument document;
    if (is_aborted_ || !text || document.Parse(text->data(), text->size()) != tinyxml2::XML_SUCCESS ||
        document.RootElement() == nullptr || document.RootElement()->FirstChildElement("TestSuite") == nullptr)
      return std::nullopt;
    std::vector<case_event> events;
    collect(*document.RootElement()->FirstChildElement("TestSuite"), "", events);
    return events;
  }

  bool shows_failures() const override { return false; }

 private:
  struct told_case {
    bool began = false;
    bool crashed = false;
    std::string message;
  };

  /// A name may have several lines.
  void take_line(const std::string& line, std::vector<case_event>& events) {
    if (current_.empty()) {
      unfinished_ += (unfinished_.empty() ? "" : "\n") + line;
      const auto entered = rest_after(unfinished_, entering);
      const bool goes_on =
          entered && !entered->ends_with('"') && (entered->starts_with("case \"") || entered->starts_with("suite \""));
      if (!goes_on) take_between(std::exchange(unfinished_, ""), events);
      return;
    }
    last_lines_.push_back(line);
    const auto wanted = static_cast<std::size_t>(1 + std::count(leaf_.begin(), leaf_.end(), '\n'));
    if (last_lines_.size() > wanted) last_lines_.erase(last_lines_.begin());
    take_within(line, fmt::format("{}", fmt::join(last_lines_, "\n")), events);
  }

  void take_between(const std::string& line, std::vector<case_event>& events) {
    if (line == "Test is aborted") is_aborted_ = true;
    if (const auto entered = rest_after(line, entering)) {
      if (const auto suite = named(*entered, "suite")) suites_.push_back(*suite);
      if (const auto name = named(*entered, "case")) begin(*name, events);
    } else if (rest_after(line, "Leaving test suite \"") && !suites_.empty()) {
      suites_.pop_back();
    } else if (const auto skipped = rest_after(line, "Test ")) {
      skip(*skipped, events);
    }
  }

  /// `lines` has as many as the case's name, this one last.
  void take_within(const std::string& line, const std::string& lines, std::vector<case_event>& events) {
    told_case& now = told_[current_];
    // A test's own messages may imitate anything but what follows its end.
    const auto left = rest_after(lines, fmt::format("{}case \"{}\"", leaving, leaf_));
    if (left && (left->empty() || seconds_in(*left))) return end(now, seconds_in(*left), events);
    if (line == "Test is aborted") is_aborted_ = now.crashed = true;
    const bool is_fatal = rest_after(line, "fatal error: in \"").has_value();
    is_fatal_ = is_fatal_ || is_fatal;
    now.crashed = now.crashed || (is_fatal && line.find("\": signal: ") != std::string::npos);
    const bool is_error = is_fatal || rest_after(line, "error: in \"").has_value() || !now.message.empty();
    if (is_error && now.message.size() < most_of_message) now.message += (now.message.empty() ? "" : "\n") + line;
  }

  void begin(const std::string& name, std::vector<case_event>& events) {
    current_.clear();
    for (const std::string& suite : suites_) current_ += suite + '/';
    current_ += name;
    leaf_ = name;
    is_fatal_ = false;
    last_lines_.clear();
    told_[current_].began = true;
    if (asked_.count(current_) != 0) events.push_back({kind::started, current_, std::nullopt, ""});
  }

  /// Whether a failure was expected, the report alone says; not one that ended the case.
  void end(const told_case& now, std::optional<double> seconds, std::vector<case_event>& events) {
    seconds_[current_] = seconds.value_or(0);
    if (asked_.count(current_) != 0 && (now.message.empty() || is_fatal_ || now.crashed))
      events.push_back({now.crashed           ? kind::crashed
                        : now.message.empty() ? kind::passed
                                              : kind::failed,
                        current_, seconds, now.message});
    current_.clear();
  }

  /// `case "suite/case" is skipped because ...`: of others than those that were asked for, that is said, too.
  void skip(std::string_view text, std::vector<case_event>& events) {
    constexpr std::string_view mark = "\" is skipped because ";
    const auto at = text.rfind(mark);
    if (at == std::string_view::npos) return;
    const std::string why = "skipped because " + std::string(text.substr(at + mark.size()));
    text = text.substr(0, at + 1);
    const auto add = [&](const std::string& name) {
      told_[name].began = true;
      events.push_back({kind::skipped, name, std::nullopt, why});
    };
    if (const auto name = named(text, "case"); name && asked_.count(*name) != 0) add(*name);
    if (const auto suite = named(text, "suite"))
      for (auto each = asked_.lower_bound(*suite + '/'); each != asked_.end() && each->starts_with(*suite + '/');
           ++each)
        add(*each);
  }

  void collect(const tinyxml2::XMLElement& suite, const std::string& above, std::vector<case_event>& events) const {
    for (const auto* e = suite.FirstChildElement(); e != nullptr; e = e->NextSiblingElement()) {
      const char* const own = e->Attribute("name");
      const std::string name = above + (own == nullptr ? "" : own);
      if (std::string_view(e->Name()) == "TestSuite") {
        collect(*e, name + '/', events);
        continue;
      }
      const auto told = told_.find(name);
      if (told == told_.end() || !told->second.began) continue;
      const std::string_view how = e->Attribute("result") == nullptr ? "" : e->Attribute("result");
      const kind what = how == "passed"        ? kind::passed
                        : how == "skipped"     ? kind::skipped
                        : told->second.crashed ? kind::crashed
                                               : kind::failed;
      const auto time = seconds_.find(name);
      events.push_back({what, name, time == seconds_.end() ? std::nullopt : std::optional(time->second),
                        what == kind::passed            ? ""
                        : !told->second.message.empty() ? told->second.message
                        : what == kind::skipped         ? ""
                                                        : "it failed"});
    }
  }

  fs::path log_, report_;
  std::set<std::string> asked_;
  std::size_t read_ = 0;             // of the log
  std::vector<std::string> suites_;  // that have begun
  std::string unfinished_;           // a line with a part of a name
  std::string current_, leaf_;       // the case under way
  std::vector<std::string> last_lines_;
  bool is_fatal_ = false;    // it cannot go on
  bool is_aborted_ = false;  // the whole run
  std::map<std::string, told_case> told_;
  std::map<std::string, double> seconds_;
};

}  // namespace

std::unique_ptr<framework_runner> make_boost_runner() {
  return std::make_unique<boost_runner>();
}

}  // namespace morph::frameworks
