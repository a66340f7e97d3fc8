// From calls of a test to calls of the api, and from these to slices.
#include "plugin/generate/recipes.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "plugin/generate/corpus.hpp"
#include "plugin/generate/fitting.hpp"
#include "plugin/generate/variation.hpp"

namespace morph::generate {
namespace {

using nlohmann::json;

constexpr std::size_t most_texts = 200, most_numbers = 100, most_of_corpus = 100;  // that pools of every role get
constexpr std::size_t most_bytes_of_corpus = 400;

constexpr const char* no_callable = "nothing that the headers offer to the unit's source";
constexpr const char* not_known = "an argument is not known";
constexpr const char* does_not_fit = "an argument is not what the callable takes";

std::string bytes_of(const std::string& hexadecimal) {
  std::string made;
  for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
    made += static_cast<char>(std::stoi(hexadecimal.substr(i, 2), nullptr, 16));
  return made;
}

std::optional<std::string> text_of(const json& value) {
  if (value.contains("text")) return value["text"].get<std::string>();
  if (value.contains("hex")) return bytes_of(value["hex"].get<std::string>());
  return std::nullopt;
}

class recipe_mapper {
 public:
  recipe_mapper(const std::string& root, const model& offered, const api& of, literal_table& literals,
                recipe_counts& counts)
      : root_(root), of_(of), literals_(literals), counts_(counts) {
    for (std::uint32_t i = 0; i < offered.callables.size(); ++i) {
      const modelled_callable& each = offered.callables[i];
      by_declaration_[{each.signature, each.file, each.line}].push_back(i);
    }
  }

  known_inputs all(const std::vector<json>& lines) {
    std::vector<const json*> ordered;
    for (const json& each : lines) ordered.push_back(&each);
    std::ranges::stable_sort(ordered, {}, [](const json* each) { return each->at("unit").get<std::size_t>(); });
    for (const json* const line : ordered) {
      ++counts_.sources;
      for (const json& each : line->at("errors")) {
        counts_.unread.push_back(each.at("file").get<std::string>() + ":" +
                                 std::to_string(each.at("line").get<unsigned>()) + ": " +
                                 each.at("text").get<std::string>());
        break;
      }
      callables_.clear();
      for (const json& each : line->value("callees", json::array())) callables_.push_back(callables_of(each));
      for (const json& each : line->value("recipes", json::array())) add(each, line->at("callees"));
    }
    counts_.recipes = made_.first.size();
    counts_.tests = tests_.size();
    corpus others = corpus_of(lines, root_, most_bytes_of_corpus);
    for (std::string& each : others.texts) corpus_.push_back({.kind = 's', .text = std::move(each)});
    counts_.files = std::move(others.files);
    offer();
    return std::move(made_);
  }

 private:
  std::vector<std::uint32_t> callables_of(const json& callee) const {
    const std::string file = (std::filesystem::path(root_) / callee.at("file").get<std::string>()).lexically_normal();
    const auto at =
        by_declaration_.find({callee.at("signature").get<std::string>(), file, callee.at("line").get<std::uint32_t>()});
    return at != by_declaration_.end() ? at->second : std::vector<std::uint32_t>();
  }

  void add(const json& recipe, const json& callees) {
    sequence made;
    std::vector<bool> throws;
    std::vector<std::int64_t> now;  // of the recipe's calls: in `made`
    for (const json& each : recipe.at("calls")) {
      ++counts_.calls;
      note_literals(each.at("arguments"));
      const std::size_t callee = each.at("callee");
      const char* why = no_callable;
      std::optional<call> mapped;
      if (!callables_[callee].empty()) mapped = mapped_call(each, callables_[callee], now, made, why);
      now.push_back(mapped ? static_cast<std::int64_t>(made.size()) : -1);
      if (mapped) {
        ++counts_.calls_used;
        made.push_back(std::move(*mapped));
        throws.push_back(each.at("throws"));
        continue;
      }
      ++counts_.left_out[why];
      // What it would have changed is not what the test has any more.
      for (const std::size_t changed : callees.at(callee).at("changes"))
        if (changed < each.at("arguments").size() && each["arguments"][changed].contains("call"))
          now[each["arguments"][changed]["call"].get<std::size_t>()] = -1;
    }
    if (slice(made, throws)) tests_.emplace(recipe.at("file"), recipe.at("test"));
  }

  /// The callable with as many arguments as are written, else one with some of the defaults.
  std::optional<call> mapped_call(const json& from, const std::vector<std::uint32_t>& callables,
                                  const std::vector<std::int64_t>& now, const sequence& before, const char*& why) {
    const std::size_t written = from.at("written");
    const json& arguments = from.at("arguments");
    std::optional<std::uint32_t> chosen;
    for (const std::uint32_t each : callables) {
      const std::size_t count = of_.callables[each].slots.size();
      if (count < written || count > arguments.size()) continue;
      if (!chosen || count < of_.callables[*chosen].slots.size()) chosen = each;
    }
    if (!chosen) return std::nullopt;
    call made{.callable = *chosen};
    const auto& slots = of_.callables[*chosen].slots;
    for (std::size_t s = 0; s < slots.size(); ++s) {
      const auto one = mapped_argument(arguments[s], slots[s], now);
      if (!one) {
        why = not_known;
        return std::nullopt;
      }
      made.arguments.push_back(*one);
    }
    why = does_not_fit;
    return fits(made, before, of_, literals_) ? std::optional(std::move(made)) : std::nullopt;
  }

  std::optional<argument> mapped_argument(const json& from, const slot& to, const std::vector<std::int64_t>& now) {
    if (to.from == slot::source::nothing) return argument{morph_argument_nothing, 0};
    if (from.is_null()) return std::nullopt;
    if (from.contains("null"))
      return to.may_be_null ? std::optional(argument{morph_argument_nothing, 0}) : std::nullopt;
    if (from.contains("call")) {
      const std::int64_t at = now.at(from["call"].get<std::size_t>());
      if (at < 0 || to.from != slot::source::value) return std::nullopt;
      return argument{morph_argument_value, static_cast<std::uint32_t>(at)};
    }
    if (to.from != slot::source::literal) return std::nullopt;
    const auto made = literal_of(from, to.role);
    return made ? std::optional(argument{morph_argument_literal, *made}) : std::nullopt;
  }

  std::optional<std::uint32_t> literal_of(const json& from, std::uint32_t role_number) {
    if (from.is_null()) return std::nullopt;
    const role of = literals_.role_at(role_number);
    if (of.kind == 'i' && from.contains("number"))
      return literals_.add({.kind = 'i', .number = from["number"].get<std::int64_t>()});
    if (of.kind == 'd' && from.contains("real"))
      return literals_.add({.kind = 'd', .real = from["real"].get<double>()});
    if (of.kind == 'd' && from.contains("number"))
      return literals_.add({.kind = 'd', .real = static_cast<double>(from["number"].get<std::int64_t>())});
    if (of.kind == 's')
      if (auto text = text_of(from)) return literals_.add({.kind = 's', .text = std::move(*text)});
    if (of.kind != 'l' || !from.contains("list")) return std::nullopt;
    literal made{.kind = 'l'};
    const json& elements = from["list"];
    if (of.is_tuple && elements.size() != of.elements.size()) return std::nullopt;
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const auto element = literal_of(elements[i], of.elements[of.is_tuple ? i : 0]);
      if (!element) return std::nullopt;
      made.elements.push_back(*element);
    }
    return literals_.add(std::move(made));
  }

  void note_literals(const json& values) {
    for (const json& each : values) {
      if (each.is_null()) continue;
      if (each.contains("list")) note_literals(each["list"]);
      if (each.contains("number")) note({.kind = 'i', .number = each["number"].get<std::int64_t>()});
      if (each.contains("real")) note({.kind = 'd', .real = each["real"].get<double>()});
      if (auto text = text_of(each)) note({.kind = 's', .text = std::move(*text)});
    }
  }

  void note(const literal& seen) {
    if (noted_.insert(seen).second) (seen.kind == 's' ? texts_ : numbers_).push_back(seen);
  }

  /// Evenly from all tests, so that none fills the pools alone.
  void offer() {
    const auto some_of = [&](const std::vector<literal>& all, std::size_t most) {
      const std::size_t count = std::min(most, all.size());
      for (std::size_t i = 0; i < count; ++i) literals_.offer(all[i * all.size() / count]);
    };
    some_of(texts_, most_texts);
    some_of(numbers_, most_numbers);
    some_of(corpus_, most_of_corpus);
  }

  /// So that each call is in one of the slices: from the end, those that none has so far. Whether there is any.
  bool slice(const sequence& whole, const std::vector<bool>& throws) {
    std::vector<bool> is_in(whole.size(), false);
    bool has_any = false;
    for (auto last = static_cast<std::uint32_t>(whole.size()); last-- > 0;) {
      if (is_in[last]) continue;
      const std::vector<bool> kept = needed_by(last, whole, of_, most_calls, throws);
      for (std::size_t i = 0; i < kept.size(); ++i) is_in[i] = is_in[i] || kept[i];
      sequence made = only(whole, kept);
      if (made.size() > most_calls) continue;
      has_any = true;
      if (!known_.insert(made).second) continue;
      made_.book.add(made, of_);
      made_.first.push_back(std::move(made));
    }
    return has_any;
  }

  const std::string& root_;
  const api& of_;
  literal_table& literals_;
  recipe_counts& counts_;
  std::map<std::tuple<std::string, std::string, std::uint32_t>, std::vector<std::uint32_t>> by_declaration_;
  std::vector<std::vector<std::uint32_t>> callables_;  // of the callees of a line
  std::set<literal> noted_;
  std::vector<literal> texts_, numbers_, corpus_;
  std::set<std::pair<std::string, std::string>> tests_;
  std::set<sequence> known_;
  known_inputs made_;
};

}  // namespace

known_inputs inputs_of(const std::vector<json>& lines, const std::string& root, const model& offered, const api& of,
                       literal_table& literals, recipe_counts& counts) {
  return recipe_mapper(root, offered, of, literals, counts).all(lines);
}

}  // namespace morph::generate
