// Matching names.
#include "plugin/frameworks/junit_names.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace morph::frameworks {
namespace {

/// `classname.name`, if there is such a thing, and `name`.
std::vector<std::string> spellings_of(const junit_case& c) {
  if (c.classname.empty() || c.classname == c.name) return {c.name};
  return {c.classname + '.' + c.name, c.name};
}

class matcher {
 public:
  explicit matcher(const std::vector<known_test>& tests) {
    for (const known_test& test : tests) {
      names_.insert(test.name);
      by_case_[test.case_name].insert(test.name);
    }
  }

  struct match {
    std::set<std::string> names;
    bool is_section = false;
  };

  match of(const junit_case& c) const {
    const auto spellings = spellings_of(c);
    for (const std::string& name : spellings)
      if (names_.count(name) != 0) return {{name}, false};
    for (const std::string& name : spellings)
      if (const auto at = by_case_.find(name); at != by_case_.end()) return {at->second, false};
    for (auto slash = c.name.rfind('/'); slash != std::string::npos && slash > 0;
         slash = c.name.rfind('/', slash - 1)) {
      const auto at = by_case_.find(c.name.substr(0, slash));
      if (at != by_case_.end()) return {at->second, true};
    }
    return {};
  }

 private:
  std::set<std::string> names_;                           // ctest's
  std::map<std::string, std::set<std::string>> by_case_;  // the program's name -> ctest's
};

/// What a report says of one test.
struct said {
  std::optional<double> failed, passed;  // seconds
  bool has_sections = false;
};

}  // namespace

matched_verdicts match_names(const std::vector<junit_case>& report, const std::vector<known_test>& tests) {
  const matcher known(tests);
  matched_verdicts result;
  std::map<std::string, said> by_name;
  for (const junit_case& c : report) {
    if (c.how == junit_case::verdict::skipped) continue;
    const bool failed = c.how == junit_case::verdict::failed;
    auto [names, is_section] = known.of(c);
    const std::string full_name = spellings_of(c).front();
    if (names.empty()) {
      result.unknown.insert(full_name);
      names = {c.name, full_name};
    } else if (names.size() > 1) {
      result.ambiguous.insert(full_name);
      if (!failed) continue;
    }
    for (const std::string& name : names) {
      said& s = by_name[name];
      auto& seconds = failed ? s.failed : s.passed;
      seconds = is_section ? seconds.value_or(0) + c.seconds : c.seconds;
      s.has_sections = s.has_sections || is_section;
    }
  }
  for (const auto& [name, s] : by_name) {
    if (s.failed) result.verdicts.push_back({name, true, *s.failed + (s.has_sections ? s.passed.value_or(0) : 0)});
    if (s.passed && !(s.failed && s.has_sections)) result.verdicts.push_back({name, false, *s.passed});
  }
  return result;
}

}  // namespace morph::frameworks
