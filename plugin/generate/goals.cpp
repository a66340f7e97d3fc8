// From what Clang says of branches to goals and edits.
#include "plugin/generate/goals.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace morph::generate {
namespace {

using nlohmann::json;

struct named_operator {
  std::string_view token, number, text;
};
constexpr std::array operators{named_operator{"<", "less", ""},
                               named_operator{"<=", "less_equal", ""},
                               named_operator{">", "greater", ""},
                               named_operator{">=", "greater_equal", ""},
                               named_operator{"==", "equal", "text_equal"},
                               named_operator{"!=", "not_equal", "text_not_equal"}};

/// Writes goals and edits of one function.
class writer {
 public:
  writer(goal_set& to, const json& function, const std::string& file) : to_(to), of_(function) {
    made_.name = function.at("name");
    made_.class_name = function.at("class");
    made_.file = file;
    made_.line = function.at("line");
    made_.end_line = function.at("end_line");
    made_.body = function.at("body");
    made_.is_wanted = function.value("wanted", true);
  }

  void write() {
    const std::uint32_t body = of_.at("body");
    if (body > 0 && !of_.at("constexpr").get<bool>()) {
      entry_ = add_goal({made_.file, made_.line, made_.name, "", "", true}, {});
      insert(body, enter(*entry_));
    }
    const json& sites = of_.at("sites");
    outcomes_.resize(sites.size());
    for (std::size_t i = 0; i < sites.size(); ++i) write_site(i, sites[i]);
    for (std::size_t i = 0; i < sites.size(); ++i)
      for (const auto& [outcome, goal] : outcomes_[i]) to_.objectives[goal].after = before(i, 0);
    to_.functions.push_back(std::move(made_));
  }

 private:
  std::uint32_t add_goal(goal of, objective then) {
    of.is_wanted = then.is_wanted = of_.value("wanted", true);
    to_.goals.push_back(std::move(of));
    to_.objectives.push_back(std::move(then));
    made_.goals.push_back(static_cast<std::uint32_t>(to_.goals.size() - 1));
    return made_.goals.back();
  }

  void add_outcome(std::size_t site, std::uint32_t outcome, std::string text) {
    const json& s = of_.at("sites")[site];
    bool is_possible = true;
    for (const json& each : s.value("never", json::array())) is_possible = is_possible && each != outcome;
    made_.branches[{static_cast<std::uint32_t>(site), outcome}] = outcomes_[site][outcome] =
        add_goal({made_.file, s.at("line"), made_.name, s.at("text"), std::move(text), is_possible}, {{}, is_possible});
  }

  static std::string enter(std::uint32_t goal) { return fmt::format("::morph_goals::enter({});", goal); }

  void insert(std::uint32_t at, std::string text) { made_.edits.push_back({at, 0, 0, std::move(text)}); }

  /// Around what lies between two bytes.
  void wrap(std::uint32_t begin, std::uint32_t end, std::string open, std::string close) {
    const std::int64_t extent = end - begin;
    constexpr std::int64_t opens = std::int64_t{1} << 40;
    made_.edits.push_back({begin, 0, opens - extent, std::move(open)});
    made_.edits.push_back({end, 0, extent - opens, std::move(close)});
  }

  void write_site(std::size_t i, const json& site) {
    const std::string kind = site.at("kind");
    const std::uint32_t begin = site.at("begin"), end = site.at("end");
    const auto first = static_cast<std::uint32_t>(to_.goals.size());
    if (kind == "switch") {
      write_switch(i, site);
    } else if (kind == "loop") {
      add_outcome(i, 1, "entered");
      insert(site.at("body"), enter(first));
    } else if (kind == "declared") {
      add_outcome(i, 1, "true");
      insert(site.at("then"), enter(first));
      if (const std::uint32_t other = site.at("else"); other > 0) {
        add_outcome(i, 0, "false");
        insert(other, enter(first + 1));
      }
    } else if (kind == "compare" || kind == "text" || kind == "truth") {
      add_outcome(i, 0, "false");
      add_outcome(i, 1, "true");
      if (kind == "truth")
        wrap(begin, end, fmt::format("::morph_goals::is_true({},static_cast<bool>(", first), "))");
      else
        write_comparison(site, kind == "text", first);
    } else {
      to_.unseen += made_.is_wanted ? 1U : 0U;
    }
  }

  void write_comparison(const json& site, bool is_text, std::uint32_t first) {
    const std::string token = site.at("op");
    const auto* const named =
        std::find_if(operators.begin(), operators.end(), [&](const auto& each) { return each.token == token; });
    const std::uint32_t left = site.at("left")[0], left_end = site.at("left")[1], right = site.at("right")[0],
                        right_end = site.at("right")[1];
    wrap(left, right_end, fmt::format("::morph_goals::{}({},(", is_text ? named->text : named->number, first), "))");
    constexpr std::int64_t between = 1;
    made_.edits.push_back({left_end, right - left_end, between, "),("});
  }

  void write_switch(std::size_t i, const json& site) {
    const auto first = static_cast<std::uint32_t>(to_.goals.size());
    std::vector<std::string> labels;
    std::uint32_t number = 0;
    for (const json& each : site.at("cases")) {
      const std::string value = each.at(0);
      labels.push_back(value == "-9223372036854775808" ? "(-9223372036854775807-1)" : value);
      add_outcome(i, number++, fmt::format("case {}", each.at(1).get<std::string>()));
    }
    add_outcome(i, number, site.at("default").get<bool>() ? "default" : "no case");
    wrap(site.at("begin"), site.at("end"), fmt::format("::morph_goals::choice<{}>({},(", fmt::join(labels, ","), first),
         "))");
  }

  /// Goals one of which is reached when the site is.
  std::vector<std::uint32_t> before(std::size_t site, int depth) const {
    std::vector<std::uint32_t> made;
    for (const json& each : of_.at("sites")[site].at("under")) {
      const std::size_t other = each.at(0);
      const auto known = outcomes_[other].find(each.at(1).get<std::uint32_t>());
      if (other == site) continue;  // a loop's own condition
      if (known != outcomes_[other].end()) {
        made.push_back(known->second);
      } else if (depth < 8) {
        for (const std::uint32_t further : before(other, depth + 1)) made.push_back(further);
      }
    }
    if (made.empty() && entry_) made.push_back(*entry_);
    std::sort(made.begin(), made.end());
    made.erase(std::unique(made.begin(), made.end()), made.end());
    return made;
  }

  goal_set& to_;
  const json& of_;
  tested_function made_;
  std::optional<std::uint32_t> entry_;
  std::vector<std::map<std::uint32_t, std::uint32_t>> outcomes_;  // of each site: its goals by outcome
};

}  // namespace

std::set<std::string> goal_set::files() const {
  std::set<std::string> made;
  for (const tested_function& each : functions) made.insert(each.file);
  return made;
}

goal_set goals_of(const std::map<std::string, std::vector<json>>& functions) {
  goal_set made;
  for (const auto& [file, all] : functions)
    for (const json& each : all) writer(made, each, file).write();
  return made;
}

std::string rewritten(const std::string& source, const std::string& file, const goal_set& of) {
  std::vector<const edit*> edits;
  for (const tested_function& each : of.functions)
    if (each.file == file && !each.is_dropped)
      for (const edit& one : each.edits) edits.push_back(&one);
  std::stable_sort(edits.begin(), edits.end(), [](const edit* a, const edit* b) {
    return std::tie(a->offset, a->rank) < std::tie(b->offset, b->rank);
  });
  std::string made;
  std::size_t at = 0;
  for (const edit* const each : edits) {
    if (each->offset < at || each->offset + each->removed > source.size()) continue;
    made.append(source, at, each->offset - at);
    made += each->text;
    const std::string_view removed = std::string_view(source).substr(each->offset, each->removed);
    made.append(static_cast<std::size_t>(std::count(removed.begin(), removed.end(), '\n')), '\n');
    at = each->offset + each->removed;
  }
  return made.append(source, at, std::string::npos);
}

bool drop_functions_at(goal_set& of, const std::string& file, std::uint32_t line) {
  bool has_dropped = false;
  for (tested_function& each : of.functions) {
    if (each.file != file || each.is_dropped || line < each.line || line > each.end_line) continue;
    each.is_dropped = has_dropped = true;
  }
  return has_dropped;
}

}  // namespace morph::generate
