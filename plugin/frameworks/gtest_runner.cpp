// Running GoogleTest programs in batches: a flag file with the filter, the lines that its printer writes, its XML
// report.
#include <array>

#include "plugin/frameworks/junit.hpp"
#include "plugin/frameworks/rows.hpp"
#include "plugin/system/files.hpp"

namespace morph::frameworks {
namespace {

namespace fs = std::filesystem;
using kind = case_event::kind;

constexpr std::string_view suite_mark = "[----------] ";
constexpr std::string_view start_mark = "[ RUN      ] ";
constexpr std::string_view end_of_all_mark = "[==========] ";

struct end_mark {
  std::string_view text;
  kind what;
};
constexpr std::array end_marks{end_mark{"[       OK ] ", kind::passed}, end_mark{"[  FAILED  ] ", kind::failed},
                               end_mark{"[  SKIPPED ] ", kind::skipped}};

/// Without colours: ESC [ ... m
std::string without_escapes(std::string_view line) {
  std::string result;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line.substr(i).starts_with("\x1b[")) {
      const auto end = line.find_first_of("mK", i);
      if (end != std::string_view::npos) {
        i = end;
        continue;
      }
    }
    result += line[i];
  }
  return result;
}

/// What follows `mark`, which need not begin the line: a test may have left one unfinished.
std::optional<std::string_view> rest_behind(std::string_view line, std::string_view mark) {
  const auto at = line.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  return line.substr(at + mark.size());
}

/// "Suite" in "3 tests from Suite, where TypeParam = int"; nothing for "3 tests from Suite (2 ms total)".
std::string suite_that_starts(std::string_view text) {
  const auto from = text.find(" from ");
  if (from == std::string_view::npos || text.ends_with(" total)")) return {};
  text.remove_prefix(from + 6);
  return std::string(text.substr(0, text.find(", where ")));
}

/// GoogleTest's filters know no escapes; `?` is any character. What it matches too is not asked for and not counted.
std::string as_pattern(std::string name) {
  for (char& c : name)
    if (c == ':' || c == '-' || c == '*') c = '?';
  return name;
}

class gtest_runner : public framework_runner {
 public:
  std::size_t takes(std::span<const std::string> cases) const override { return cases.size(); }

  result<std::vector<std::string>> arguments(std::span<const std::string> cases, const fs::path& scratch) override {
    report_ = scratch / "report.xml";
    auto made = flag_file(cases, scratch);
    if (made) made->push_back("--gtest_output=xml:" + report_.string());
    return made;
  }

  /// Other options may have it say less, or run tests more than once.
  std::optional<result<std::vector<std::string>>> series_arguments(std::span<const std::string> cases,
                                                                   const fs::path& scratch,
                                                                   std::span<const std::string> extra_args) override {
    for (const std::string& argument : extra_args)
      if (argument.find("gtest_") != std::string::npos) return std::nullopt;
    return flag_file(cases, scratch);
  }

  /// "a.cpp:3: Failure" and what follows, as the report has it.
  std::string message_in(std::string_view output) const override {
    std::string message;
    bool is_inside = false;
    while (!output.empty()) {
      const std::string_view line = output.substr(0, output.find('\n'));
      output.remove_prefix(std::min(output.size(), line.size() + 1));
      bool begins = false;
      for (const std::string_view mark : {": Failure", ": Skipped"})
        if (line.ends_with(mark)) {
          message += (message.empty() ? "" : "\n") + std::string(line.substr(0, line.size() - mark.size()));
          begins = true;
        }
      if (is_inside && !begins) is_inside = !line.empty() && !line.starts_with("[  ");
      if (is_inside && !begins) message.append("\n").append(line);
      is_inside = is_inside || begins;
    }
    return message;
  }

  std::vector<case_event> read_line(std::string_view raw) override {
    if (raw.find('[') == std::string_view::npos) return {};
    std::string stripped;
    if (raw.find('\x1b') != std::string_view::npos) raw = stripped = without_escapes(raw);
    if (raw.ends_with('\r')) raw.remove_suffix(1);
    if (const auto name = rest_behind(raw, start_mark)) {
      current_ = *name;
      return {{kind::started, current_, std::nullopt, ""}};
    }
    // A test's own output may imitate the end of another one; its own real end comes last.
    for (const end_mark& mark : end_marks) {
      const auto rest = rest_behind(raw, mark.text);
      if (!rest || current_.empty() || !rest->starts_with(current_)) continue;
      const std::string_view tail = rest->substr(current_.size());
      if (tail.starts_with(" (") || tail.starts_with(", where ")) return {{mark.what, current_, std::nullopt, ""}};
    }
    if (raw.starts_with(suite_mark)) {
      current_.clear();
      if (std::string suite = suite_that_starts(raw.substr(suite_mark.size())); !suite.empty())
        return {{kind::group, std::move(suite), std::nullopt, ""}};
    }
    if (raw.starts_with(end_of_all_mark)) current_.clear();
    return {};
  }

  std::optional<std::vector<case_event>> read_report() override {
    const auto cases = read_junit(report_);
    if (!cases) return std::nullopt;
    std::vector<case_event> events;
    for (const junit_case& c : *cases) {
      const kind what = c.how == junit_case::verdict::passed   ? kind::passed
                        : c.how == junit_case::verdict::failed ? kind::failed
                                                               : kind::skipped;
      events.push_back({what, c.classname + '.' + c.name, c.seconds, c.message});
    }
    return events;
  }

 private:
  static result<std::vector<std::string>> flag_file(std::span<const std::string> cases, const fs::path& scratch) {
    const fs::path flags = scratch / "flags";
    std::string filter = "--gtest_filter=";
    for (const std::string& name : cases) filter += (filter.back() == '=' ? "" : ":") + as_pattern(name);
    if (auto written = system::write_file_atomically(flags, filter + "\n"); !written)
      return tl::unexpected(written.error());
    return std::vector<std::string>{"--gtest_flagfile=" + flags.string()};
  }

  fs::path report_;
  std::string current_;
};

}  // namespace

std::unique_ptr<framework_runner> make_gtest_runner() {
  return std::make_unique<gtest_runner>();
}

}  // namespace morph::frameworks
