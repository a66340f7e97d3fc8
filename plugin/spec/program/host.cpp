// Specs inside programs of other test frameworks.
#include "morph/host.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "plugin/spec/engine/arguments.hpp"
#include "plugin/spec/engine/specs.hpp"
#include "plugin/spec/report/report.hpp"

namespace morph {
namespace {

std::string identifier_of(const std::string& name) {
  std::string made;
  for (const char c : name)
    made += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  return made;
}

/// Those that this process has not told yet: what is said of a spec, each of its relations would say.
std::string new_lines(const std::string& text) {
  static std::set<std::string> told;
  std::string made;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1)
    if (const std::string line = text.substr(begin, end + 1 - begin); told.insert(line).second) made += line;
  if (!made.empty()) made.pop_back();
  return made;
}

/// The hosts make a spec of one declaration several times.
std::string name_problem(const registered_spec& declared) {
  static std::map<std::string, registered_spec> seen;
  const registered_spec& before = seen.emplace(declared.name, declared).first->second;
  return before.make == declared.make ? std::string() : engine::two_of_one_name(before, declared);
}

std::string declaring(const registered_spec& declared, std::unique_ptr<spec_base>& to) {
  try {
    to = declared.make(declared.name);
    return to->problem();
  } catch (const std::exception& error) {
    return std::string("declaring it threw: ") + error.what();
  } catch (...) {
    return "declaring it threw an exception that is no std::exception";
  }
}

}  // namespace

hosted_spec::hosted_spec(const char* name, std::unique_ptr<spec_base> (*make)(const char*), const char* file,
                         int line) {
  problem_ = name_problem({name, file, line, make});
  if (problem_.empty()) {
    problem_ = declaring({name, file, line, make}, spec_);
    if (!problem_.empty()) problem_ = std::string("spec '") + name + "': " + problem_;
  }
  if (!problem_.empty()) {
    tests_.push_back({"declaration", "declaration", file, line});
    return;
  }
  const auto checks = engine::checks_of(*spec_, spec_->may_have_labels());
  for (std::size_t k = 0; k < checks.size(); ++k) {
    test made{checks[k].name, identifier_of(checks[k].name), file, line};
    if (k < spec_->relations().size()) {
      made.file = spec_->relations()[k].file;
      made.line = spec_->relations()[k].line;
    }
    const auto taken = [&](const std::string& identifier) {
      return std::any_of(tests_.begin(), tests_.end(), [&](const test& t) { return t.identifier == identifier; });
    };
    if (taken(made.identifier)) {
      int number = 2;
      while (taken(made.identifier + "_" + std::to_string(number))) ++number;
      made.identifier += "_" + std::to_string(number);
    }
    tests_.push_back(std::move(made));
    checks_.push_back(k);
  }
}

hosted_spec::~hosted_spec() = default;

std::string hosted_spec::run(std::size_t which, bool stops_at_first) {
  if (!problem_.empty()) return problem_;
  engine::options how;
  how.strategy = spec_->default_strategy();
  how.order = spec_->default_order();
  how.stops_at_first = stops_at_first;
  if (const char* const seed = std::getenv("MORPH_SEED")) {
    const std::string error = engine::into_number(how.seed)(seed);
    if (!error.empty()) return "MORPH_SEED: " + error;
  }
  engine::session at_work(*spec_, how);
  const auto& checks = at_work.checks();
  for (std::size_t k = 0; k < checks.size(); ++k)
    if (checks[k].name == tests_[which].name) how.only_check = k;
  at_work.check_only(*how.only_check);
  at_work.run();
  engine::report_style style;
  style.quiet = true;
  std::string text = engine::report_text(at_work, how, style);
  warnings_.clear();
  if (at_work.report().failed()) {
    text += "  seed " + std::to_string(how.seed) + "; another one: MORPH_SEED=N\n";
  } else {
    warnings_ = new_lines(text);
    text.clear();
  }
  spec_->truncate_inputs(0);
  return text;
}

}  // namespace morph
