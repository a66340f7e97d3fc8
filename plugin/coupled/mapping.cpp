// The rules by which GCC and Clang decide conditions without optimizing. A line is matched as a whole or not at all.
#include "plugin/coupled/mapping.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace morph::coupled {
namespace {

using nlohmann::json;
using decided = std::vector<std::optional<std::uint32_t>>;  // numbers by rank

struct part {
  std::uint32_t byte = 0, line = 0;
  std::optional<std::size_t> site{};  // none: the last operand of a value
};

/// Of values of cases, which may be beyond the range of either integer.
struct case_order {
  bool operator()(const std::string& a, const std::string& b) const {
    const bool is_negative = a.starts_with('-'), other = b.starts_with('-');
    if (is_negative != other) return is_negative;
    const bool is_less = a.size() != b.size() ? a.size() < b.size() : a < b;
    return is_negative ? is_less ? false : a != b : is_less;
  }
};

/// What compilers make of a site (coverage/source/branches/branch.hpp).
struct site_code {
  std::string part_of{};
  std::size_t statement = 0;
  std::uint32_t end_line = 0;
  std::optional<bool> goes_on{};
  bool is_negated = false, cleans_up = false;
  std::optional<bool> is_turned{};  // of `?:`: GCC decides the opposite
  std::string value_first{};
  std::vector<std::vector<std::size_t>> labels{};
  std::vector<std::string> cases{};
  bool has_default = false;

  bool is_loop() const { return part_of == "loop" || part_of == "do" || part_of == "range"; }
};

std::optional<site_code> code_of(const json& site) {
  const auto found = site.find("code");
  if (found == site.end()) return std::nullopt;
  site_code made;
  found->at("part_of").get_to(made.part_of);
  found->at("statement").get_to(made.statement);
  found->at("end_line").get_to(made.end_line);
  if (const auto at = found->find("goes_on"); at != found->end()) made.goes_on = at->get<bool>();
  made.is_negated = found->value("negated", false);
  made.cleans_up = found->value("cleans_up", false);
  if (const auto at = found->find("turned"); at != found->end()) made.is_turned = at->get<bool>();
  made.value_first = found->value("value_first", "");
  if (made.part_of == "switch") {
    if (site.at("kind") != "switch") return std::nullopt;
    found->at("labels").get_to(made.labels);
    for (const json& each : site.at("cases")) made.cases.push_back(each.at(0));
    site.at("default").get_to(made.has_default);
  }
  return made;
}

/// Outcomes by rank, several where they cannot be told apart. GCC: those that lead to one statement share a way,
/// `default` comes first, the others by value. Clang: each case has a way, by the order of the statements.
std::vector<std::vector<std::size_t>> ways_of_switch(const site_code& of, bool by_clang) {
  const std::size_t by_default = of.cases.size();
  auto groups = of.labels;
  if (!of.has_default) groups.push_back({by_default});
  if (by_clang) {
    std::vector<std::vector<std::size_t>> ways;  // which of those to one statement comes first is not sure
    for (const auto& each : groups) ways.insert(ways.end(), each.size(), each);
    return ways;
  }
  const auto least_of = [&](const std::vector<std::size_t>& group) {
    if (std::ranges::find(group, by_default) != group.end()) return std::string();
    return of.cases.at(
        std::ranges::min(group, case_order(), [&](std::size_t outcome) { return of.cases.at(outcome); }));
  };
  std::ranges::stable_sort(groups, [&](const auto& a, const auto& b) {
    const std::string left = least_of(a), right = least_of(b);
    if (left.empty() || right.empty()) return left.empty() && !right.empty();
    return case_order()(left, right);
  });
  return groups;
}

class mapper {
 public:
  mapper(const json& function, const file_decisions& compiled)
      : compiled_(compiled), function_line_(function.at("line")) {
    for (const json& each : function.at("sites")) {
      const std::size_t site = codes_.size();
      codes_.push_back(code_of(each));
      const std::uint32_t line = each.at("line");
      const std::size_t outcomes = each.at("kind") == "switch" ? each.at("cases").size() + 1 : 2;
      made_.push_back({line, std::vector<std::optional<std::uint32_t>>(outcomes)});
      parts_[line].push_back({each.at("begin"), line, site});
    }
    for (const json& each : function.value("operands", json::array()))
      parts_[each.at(1)].push_back({each.at(0), each.at(1), std::nullopt});
    for (const json& each : function.value("hidden", json::array())) hidden_.insert(each.get<std::uint32_t>());
  }

  std::vector<site_numbers> map() {
    std::set<std::size_t> torn;  // statements with a part on a line that does not match
    for (auto& [line, parts] : parts_)
      if (!map_line(line, parts))
        for (const part& each : parts)
          if (each.site && codes_[*each.site]) torn.insert(codes_[*each.site]->statement);
    for (std::size_t i = 0; i < codes_.size(); ++i)
      if (!codes_[i] || torn.contains(codes_[i]->statement)) std::ranges::fill(made_[i].of_outcome, std::nullopt);
    return std::move(made_);
  }

 private:
  bool map_line(std::uint32_t line, std::vector<part>& parts) {
    const auto compiled = compiled_.at(function_line_, line);
    if (!compiled || hidden_.contains(line) || !can_be_in_order(parts)) return false;
    std::ranges::stable_sort(parts, {}, &part::byte);
    if (compiled->by_clang)
      std::erase_if(parts, [](const part& each) { return !each.site; });
    else if (!add_wholes(parts, compiled->numbers.size()))
      return false;
    if (parts.size() != compiled->numbers.size()) return false;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (!has_ways(parts[i], compiled->numbers[i], compiled->by_clang)) return false;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (parts[i].site) map_site(*parts[i].site, compiled->numbers[i], compiled->by_clang);
    return true;
  }

  /// GCC decides once more by the value of a condition that has side effects and several parts. False if several may
  /// have some.
  bool add_wholes(std::vector<part>& parts, std::size_t wanted) const {
    std::vector<part> all, sure;
    for (const part& each : parts) {
      all.push_back(each);
      sure.push_back(each);
      const site_code* const known = each.site ? &*codes_[*each.site] : nullptr;
      if (known == nullptr || known->goes_on || known->value_first.empty()) continue;
      all.push_back({each.byte, each.line, std::nullopt});
      if (known->value_first != "perhaps") sure.push_back(all.back());
    }
    if (all.size() - sure.size() > 1) return false;
    parts = sure.size() == wanted ? std::move(sure) : std::move(all);
    return true;
  }

  /// Code of a loop's condition may stand before or behind that of its body.
  bool can_be_in_order(const std::vector<part>& parts) const {
    std::set<std::size_t> statements;
    bool has_loop = false, has_operand = false;
    for (const part& each : parts) {
      has_operand = has_operand || !each.site;
      if (!each.site) continue;
      const auto& known = codes_[*each.site];
      if (!known || known->end_line != each.line) return false;
      has_loop = has_loop || known->is_loop();
      statements.insert(known->statement);
    }
    return !has_loop || (statements.size() == 1 && !has_operand);
  }

  bool has_ways(const part& of, const decided& numbers, bool by_clang) const {
    if (!of.site) return numbers.size() == 2;
    const site_code& known = *codes_[*of.site];
    if (known.part_of == "switch") return numbers.size() == ways_of_switch(known, by_clang).size();
    // Of several parts that are decided the other way round, each has another way on.
    if (known.part_of == "either" && !by_clang && known.is_turned.value_or(true) && !is_alone(known)) return false;
    if (known.part_of == "either" && !by_clang && !known.is_turned) return false;
    return numbers.size() == 2;
  }

  void map_site(std::size_t site, const decided& numbers, bool by_clang) {
    auto& to = made_[site].of_outcome;
    const site_code& known = *codes_[site];
    if (known.part_of == "switch") {
      const auto ways = ways_of_switch(known, by_clang);
      for (std::size_t rank = 0; rank < ways.size(); ++rank)
        if (ways[rank].size() == 1) to.at(ways[rank].front()) = numbers[rank];
      return;
    }
    if (by_clang && (known.cleans_up || is_whole_for_clang(known))) return;
    bool first = true;  // the outcome of the first way
    if (by_clang) first = known.goes_on.value_or(true);
    if (!by_clang && known.part_of == "either") first = !*known.is_turned;
    if (known.is_negated) first = !first;
    to[first ? 1 : 0] = numbers[0];
    to[first ? 0 : 1] = numbers[1];
  }

  /// The last part of a condition with && or || whose value Clang computes before it decides by that.
  bool is_whole_for_clang(const site_code& of) const {
    return !of.goes_on && !is_alone(of) && (of.part_of == "loop" || of.value_first == "by temporaries");
  }

  bool is_alone(const site_code& of) const {
    return std::ranges::count_if(codes_, [&](const auto& each) { return each && each->statement == of.statement; }) ==
           1;
  }

  std::vector<std::optional<site_code>> codes_;  // by site
  const file_decisions& compiled_;
  std::uint32_t function_line_;
  std::map<std::uint32_t, std::vector<part>> parts_;
  std::set<std::uint32_t> hidden_;
  std::vector<site_numbers> made_;
};

}  // namespace

file_decisions::file_decisions(const std::vector<store::packed_way>& ways) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> owner;  // function by line and number
  for (const store::packed_way each : ways) {
    const store::decision_way way = store::unpack(each);
    ways_[{way.function_line, way.line}].push_back(way);
    const auto [at, added] = owner.try_emplace({way.line, way.number}, way.function_line);
    if (added || at->second == way.function_line) continue;
    shared_.insert({at->second, way.line});
    shared_.insert({way.function_line, way.line});
  }
}

std::optional<file_decisions::line_decisions> file_decisions::at(std::uint32_t function_line,
                                                                 std::uint32_t line) const {
  const auto found = ways_.find({function_line, line});
  if (found == ways_.end() || shared_.contains({function_line, line})) return std::nullopt;
  line_decisions made;
  made.by_clang = found->second.front().by_clang;
  const std::uint32_t last = found->second.back().decision;
  std::set<std::uint32_t> numbers;
  for (const store::decision_way& each : found->second) {  // by decision and rank
    const bool is_next = each.decision == made.numbers.size() && each.rank == 0;
    if (is_next) made.numbers.emplace_back();
    const bool fits = each.decision + 1 == made.numbers.size() && each.rank == made.numbers.back().size() &&
                      each.is_last == (each.decision == last) && each.by_clang == made.by_clang &&
                      numbers.insert(each.number).second;
    if (!fits) return std::nullopt;
    made.numbers.back().push_back(each.is_counted ? std::optional(each.number) : std::nullopt);
  }
  return made;
}

std::vector<site_numbers> map_sites(const json& function, const file_decisions& compiled) {
  return mapper(function, compiled).map();
}

}  // namespace morph::coupled
