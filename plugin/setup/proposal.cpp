// Puts together what becomes of each call, and edits the text of the files.
#include "plugin/setup/proposal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "plugin/frameworks/framework.hpp"
#include "plugin/setup/insertion.hpp"
#include "plugin/setup/known_words.hpp"
#include "plugin/setup/project_files.hpp"
#include "plugin/setup/suite_offers.hpp"
#include "plugin/system/counted.hpp"

namespace morph::setup {

namespace {

class proposing {
 public:
  proposing(const project_text& project, bool adopt) : text_(project), adopt_(adopt), p_(project, made_) {}

  result<proposal> run() {
    if (auto read = p_.read_all(); !read) return tl::unexpected(read.error());
    look_for_morph();
    collect_calls();
    look_at_the_build_tree();
    offer_unregistered();
    explain_what_stays();
    if (!offers_.empty() || adopting()) {
      add_enable_testing();
      add_find_package();
      for (const suite_offer& offer : offers_) add(offer);
      if (adopting()) add_adoption();
    } else if (found_.empty() && made_.unknown.empty() && !has_suites_ && !has_adoption_) {
      made_.notes.push_back(
          "no test is registered, and no program is seen to use a test framework; once there is one: "
          "morph_add_suite(NAME TARGET program)");
    } else if (has_suites_ || has_adoption_) {
      made_.notes.push_back("the project uses Morph already; nothing is left to add");
    }
    finish_edits();
    return std::move(made_);
  }

 private:
  bool adopting() const { return !has_adoption_ && !left_.empty(); }

  void look_for_morph() {
    p_.each([&](place, const build::cmake_command& c) {
      has_suites_ = has_suites_ || c.name == "morph_add_suite";
      has_adoption_ = has_adoption_ || c.name == "morph_adopt_tests";
      const bool names_morph =
          std::any_of(c.arguments.begin(), c.arguments.end(), [](const auto& a) { return lower(a.text) == "morph"; });
      has_package_ =
          has_package_ || (names_morph && (c.name == "find_package" || c.name == "fetchcontent_makeavailable"));
    });
    has_package_ = has_package_ || has_suites_ || has_adoption_;
  }

  /// Programs of tests that nobody runs by ctest. Where it cannot be told which programs are registered, none.
  void offer_unregistered() {
    if (adopt_ || has_suites_ || has_adoption_ || unseen_) return;
    std::set<std::string> registered;
    bool has_variables = false;
    for (const place at : found_)
      if (const auto program = translate_.registered_by(at)) {
        registered.insert(program->text);
        has_variables = has_variables || program->text.find('$') != std::string::npos;
      }
    p_.each([&](place at, const build::cmake_command& c) {
      if (c.name != "add_executable" || c.arguments.size() < 2 || registered.contains(c.arguments[0].text)) return;
      if (c.arguments[1].text == "IMPORTED" || c.arguments[1].text == "ALIAS") return;
      if (has_variables || (!c.arguments[0].literal && !found_.empty())) return;
      const auto offer = translate_.unregistered(at);
      if (!offer) return made_.unknown.push_back(fmt::format("{}: {}", p_.where(at), offer.error()));
      if (!*offer) return;
      if (const std::string other = foreign_call_of(c.arguments[0].text); !other.empty())
        return made_.unknown.push_back(
            fmt::format("{}: whether '{}' registers the tests of '{}'", p_.where(at), other, c.arguments[0].text));
      offers_.push_back(**offer);
    });
  }

  /// A command that neither CMake nor the reading knows, which is called with the target and says that it is about
  /// tests.
  std::string foreign_call_of(const std::string& target) const {
    std::string found;
    p_.each([&](place at, const build::cmake_command& c) {
      const bool is_known =
          c.name.starts_with("target_") || c.name == "add_executable" || c.name == "set_tests_properties";
      const bool is_about_tests = c.name.find("test") != std::string::npos;
      if (is_known || !is_about_tests || !found.empty()) return;
      if (std::any_of(c.arguments.begin(), c.arguments.end(), [&](const auto& a) { return a.text == target; }))
        found = fmt::format("{}() at {}", c.name, p_.where(at));
    });
    return found;
  }

  void collect_calls() {
    p_.each([&](place at, const build::cmake_command& c) {
      const frameworks::framework* const known = framework_that_discovers(c.name);
      if (known == nullptr && c.name != "add_test") return;
      // The bodies of the helpers themselves, when a project carries them.
      if (is_inside_function(at, c.name)) return;
      found_.push_back(at);
      if (adopt_) {
        left_.push_back(at);
        return;
      }
      auto offer = known != nullptr ? translate_.discovered(at, known->name) : translate_.added(at);
      if (offer) {
        offers_.push_back(std::move(*offer));
      } else {
        left_.push_back(at);
        reasons_[{c.name, offer.error()}].push_back(p_.where(at));
      }
    });
  }

  bool is_inside_function(place at, const std::string& name) const {
    const auto& blocks = p_.at(at).blocks;
    return std::any_of(blocks.begin(), blocks.end(), [&](const build::cmake_block& b) {
      const build::cmake_command& opener = p_.at({at.file, b.opener});
      return !opener.arguments.empty() && lower(opener.arguments[0].text) == name;
    });
  }

  /// Tests that the text did not show; how many each call registers.
  void look_at_the_build_tree() {
    if (!text_.registered) return;
    std::map<std::pair<std::string, std::uint32_t>, place> calls;
    for (const place at : found_) calls[{p_.files[at.file].path, p_.at(at).line}] = at;
    std::map<std::pair<std::string, std::uint32_t>, std::pair<std::size_t, std::string>> by_place;
    for (const registered_test& test : *text_.registered) {
      if (test.calls.empty()) continue;
      const auto read = std::find_if(test.calls.begin(), test.calls.end(), [&](const call_place& c) {
        return calls.count({c.file, c.line}) != 0;
      });
      if (read != test.calls.end()) {
        const place at = calls.at({read->file, read->line});
        ++number_[{at.file, at.command}];
      } else {
        auto& [number, call] = by_place[{test.calls.front().file, test.calls.front().line}];
        ++number;
        call = test.calls.front().call;
      }
    }
    // What registers nothing in this build tree needs no line.
    if (!adopt_ && !text_.registered->empty())
      std::erase_if(left_, [&](place at) { return number_.count({at.file, at.command}) == 0; });
    for (const auto& [where, what] : by_place) {
      const auto& [number, call] = what;
      made_.notes.push_back(fmt::format("{}:{}: {} registers {} where the reading did not come", where.first,
                                        where.second, call, system::counted(number, "test")));
      if (left_.empty()) left_.push_back({0, p_.files[0].commands.size() - 1});
      unseen_ = true;
    }
  }

  void explain_what_stays() {
    constexpr std::size_t shown = 3;
    for (auto& [what, where] : reasons_) {
      if (has_adoption_) return;
      const std::size_t more = where.size() - std::min(where.size(), shown);
      where.resize(where.size() - more);
      made_.notes.push_back(fmt::format("{}() stays as it is at {}{}: {}", what.first, fmt::join(where, ", "),
                                        more == 0 ? "" : fmt::format(" and {} more", more), what.second));
    }
  }

  void insert(const insertion_point& at, const std::string& line, std::string what) {
    edits_[at.file].push_back({at.offset, at.offset, at.indentation + line + newline(at.file)});
    made_.changes.push_back({p_.files[at.file].path, at.line, std::move(what)});
  }

  std::string newline(std::size_t file) const {
    return p_.files[file].text.find("\r\n") == std::string::npos ? "\n" : "\r\n";
  }

  void add_enable_testing() {
    if (text_.registered && !text_.registered->empty()) return;
    // Folders that are added before it have no list of tests.
    std::size_t first = p_.files[0].commands.size();
    for (const suite_offer& offer : offers_)
      if (const place at = chain_to(p_, offer.where).front(); p_.at(at).name == "add_subdirectory")
        first = std::min(first, at.command);
    bool enabled = false;
    p_.each([&](place at, const build::cmake_command& c) {
      const bool in_top_folder = p_.files[at.file].folder.empty();
      enabled = enabled || (in_top_folder && chain_to(p_, at).front().command < first &&
                            (c.name == "enable_testing" ||
                             (c.name == "include" && !c.arguments.empty() && c.arguments[0].text == "CTest")));
    });
    if (enabled) return;
    const auto& commands = p_.files[0].commands;
    std::size_t after = 0;
    for (std::size_t c = 0; c < commands.size(); ++c)
      if (commands[c].name == "project" || (after == 0 && commands[c].name == "cmake_minimum_required")) after = c;
    const std::size_t end = p_.files[0].text.find('\n', commands[after].end);
    const std::size_t offset = end == std::string::npos ? p_.files[0].text.size() : end + 1;
    const auto line =
        std::count(p_.files[0].text.begin(), p_.files[0].text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
    insert({0, offset, static_cast<std::uint32_t>(line) + 1, ""}, "enable_testing()",
           "enable_testing() is missing here: ctest would not see the tests");
  }

  void add_find_package() {
    if (has_package_ || offers_.empty()) return;
    std::vector<place> places;
    for (const suite_offer& offer : offers_) places.push_back(offer.where);
    places.insert(places.end(), left_.begin(), left_.end());
    const reach how = !adopting() ? reach::innermost : unseen_ ? reach::top_level : reach::top_file;
    insert(before_all(p_, places, how), "find_package(Morph REQUIRED)",
           "find_package(Morph REQUIRED) comes before the suites");
    has_package_ = true;
  }

  void add(const suite_offer& offer) {
    auto& edits = edits_[offer.where.file];
    edits.insert(edits.end(), offer.replacements.begin(), offer.replacements.end());
    std::string what = offer.what;
    if (const auto number = number_.find({offer.where.file, offer.where.command}); number != number_.end())
      what += fmt::format(" ({} in the build tree)", system::counted(number->second, "program"));
    made_.changes.push_back({p_.files[offer.where.file].path, p_.at(offer.where).line, what});
  }

  void add_adoption() {
    const std::string& text = p_.files[0].text;
    const std::string end = newline(0);
    std::vector<place> places = left_;
    for (const suite_offer& offer : offers_) places.push_back(offer.where);
    const names conditions = unseen_ ? names() : conditions_around(p_, places);
    std::string lines = text.empty() || text.ends_with('\n') ? "" : end;
    std::string indentation;
    for (const std::string& condition : conditions) {
      lines += indentation + condition + end;
      indentation += "  ";
    }
    if (!has_package_) lines += indentation + "find_package(Morph REQUIRED)" + end;
    lines += indentation + "morph_adopt_tests()" + end;
    for (std::size_t i = conditions.size(); i > 0; --i) lines += std::string(2 * (i - 1), ' ') + "endif()" + end;
    edits_[0].push_back({text.size(), text.size(), lines});
    const auto line = std::count(text.begin(), text.end(), '\n') + (text.empty() || text.ends_with('\n') ? 1 : 2);
    made_.changes.push_back({p_.files[0].path, static_cast<std::uint32_t>(line),
                             offers_.empty()
                                 ? "morph_adopt_tests() takes every registered test as it is, a process a test"
                                 : "morph_adopt_tests() takes the other registered tests unchanged"});
  }

  void finish_edits() {
    for (auto& [file, replacements] : edits_) {
      std::stable_sort(replacements.begin(), replacements.end(),
                       [](const auto& a, const auto& b) { return a.begin < b.begin; });
      const std::string& before = p_.files[file].text;
      std::string after;
      std::size_t at = 0;
      for (const replacement& r : replacements) {
        after += before.substr(at, r.begin - at) + r.text;
        at = r.end;
      }
      made_.edits.push_back({p_.files[file].path, before, after + before.substr(at)});
    }
    std::stable_sort(made_.changes.begin(), made_.changes.end(),
                     [](const auto& a, const auto& b) { return std::tie(a.path, a.line) < std::tie(b.path, b.line); });
  }

  const project_text& text_;
  const bool adopt_;
  proposal made_;
  reading p_;
  translation translate_{p_};
  bool has_suites_ = false, has_adoption_ = false, has_package_ = false;
  bool unseen_ = false;       // the build tree has tests that the text does not show
  std::vector<place> found_;  // calls that register tests
  std::vector<suite_offer> offers_;
  std::vector<place> left_;                                       // calls that stay
  std::map<std::pair<std::string, std::string>, names> reasons_;  // command and why -> where
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> number_;
  std::map<std::size_t, std::vector<replacement>> edits_;
};

}  // namespace

result<proposal> propose(const project_text& project, bool adopt) {
  return proposing(project, adopt).run();
}

}  // namespace morph::setup
