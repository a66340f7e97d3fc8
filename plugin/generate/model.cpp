// From JSON to callables.
#include "plugin/generate/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>
#include <tuple>

#include "plugin/generate/implied.hpp"
#include "plugin/generate/model_types.hpp"

namespace morph::generate {
namespace {

/// "thing_free", "freeThing" -> "thing", "free"; in small letters.
std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> made;
  bool is_new = true, was_upper = false;
  for (const char c : name) {
    const bool is_upper = std::isupper(static_cast<unsigned char>(c)) != 0;
    if (c == '_' || (is_upper && !was_upper)) is_new = true;
    was_upper = is_upper;
    if (c == '_') continue;
    if (is_new) made.emplace_back();
    is_new = false;
    made.back() += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return made;
}

using nlohmann::json;

class model_reader {
 public:
  explicit model_reader(const json& line) : types_(line) {
    const std::set<std::string> offered = signatures_of(line.at("callables"));
    for (const json& each : line.at("refused")) {
      const std::string signature = each.at("signature");
      // What only lacks an object: some calls of ours may make it.
      if (offered.contains(signature))
        doubtful_[signature] = {each.at("reason"), each.value("remedy", "")};
      else
        made_.refused.push_back({signature, each.at("file"), each.at("reason"), each.value("remedy", ""),
                                 each.at("line").get<std::uint32_t>()});
    }
    made_.headers = line.at("headers");
    for (const json& each : line.at("callables")) add(each);
    mark_overloads();
    find_destroyers();
    add_implied(made_, types_, line);
    made_.classes = std::move(types_.classes());
  }

  model take() { return std::move(made_); }

 private:
  /// Deleted ones are not offered: a constructor may always have such a one beside it.
  void mark_overloads() {
    std::map<std::string, std::set<std::string>> signatures;
    for (const modelled_callable& each : made_.callables) signatures[each.name].insert(each.signature);
    for (modelled_callable& each : made_.callables)
      each.is_overloaded = each.makes_object() || signatures[each.name].size() > 1;
  }

  /// `void thing_destroy(thing*)` is for what `thing* thing_create()` gives.
  void find_destroyers() {
    std::set<std::uint32_t> given;  // classes
    for (const modelled_callable& each : made_.callables)
      if (is_factory(each)) given.insert(each.result.class_number);
    std::map<std::uint32_t, std::string> names;
    for (modelled_callable& each : made_.callables) {
      if (!has_name_of_destroyer(each)) continue;
      parameter& last = each.parameters.front();
      // An object of a variable can be closed, and is still there.
      const bool is_end = given.contains(last.class_number) || !has_word(each, {"close", "release"});
      if (!is_end) continue;
      last.how = parameter::kind::last_use;
      names.emplace(last.class_number, each.name);
    }
    for (modelled_callable& each : made_.callables) {
      const auto found = names.find(each.result.class_number);
      if (!is_factory(each) || found == names.end()) continue;
      each.result.is_owned = true;
      each.result.destroyer = found->second;
    }
  }

  static bool is_factory(const modelled_callable& of) {
    return of.result.how == returned::kind::pointer && (of.result.is_made || of.result.is_owned);
  }

  /// Its first or last word: `thing_free`, `closeThing`, and not `thing_release_lock` or `thing_freeze`.
  static bool has_word(const modelled_callable& of, std::initializer_list<std::string_view> any) {
    const std::vector<std::string> words = words_of(of.name.substr(of.name.rfind(':') + 1));
    return !words.empty() &&
           (std::ranges::find(any, words.front()) != any.end() || std::ranges::find(any, words.back()) != any.end());
  }

  static bool has_name_of_destroyer(const modelled_callable& of) {
    if (of.has_receiver || of.makes_object() || of.parameters.size() != 1) return false;
    const parameter& only = of.parameters.front();
    if (only.how != parameter::kind::pointer || only.is_constant || of.result.how != returned::kind::nothing)
      return false;
    return has_word(of, {"destroy", "free", "delete", "close", "release"});
  }

  static std::set<std::string> signatures_of(const json& callables) {
    std::set<std::string> made;
    for (const json& each : callables) made.insert(each.at("signature").get<std::string>());
    return made;
  }

  void refuse(const json& of, const std::string& reason, const std::string& remedy = "") {
    made_.refused.push_back({of.at("signature"), of.at("file"), reason, remedy, of.at("line").get<std::uint32_t>()});
  }

  void add(const json& from) {
    modelled_callable made;
    const std::string kind = from.at("kind");
    made.name = from.at("name");
    made.method = from.at("method");
    made.signature = from.at("signature");
    made.file = from.at("file");
    made.defined_in = from.value("defined_in", "");
    made.is_hidden_friend = from.value("hidden_friend", false);
    made.line = from.at("line");
    made.is_constant = from.value("constant", false);
    made.how = kind == "constructor"  ? modelled_callable::kind::constructor
               : kind == "static"     ? modelled_callable::kind::static_method
               : kind == "method"     ? modelled_callable::kind::method
               : kind == "conversion" ? modelled_callable::kind::conversion
               : kind == "operator"   ? modelled_callable::kind::call_operator
                                      : modelled_callable::kind::function;
    made.has_receiver = made.how == modelled_callable::kind::method ||
                        made.how == modelled_callable::kind::conversion ||
                        (made.how == modelled_callable::kind::call_operator && from.value("member", true));
    if (made.how == modelled_callable::kind::call_operator)
      made.token = token_of(made.method, from.at("parameters").size() + (made.has_receiver ? 1 : 0));
    if (from.contains("class") && from["class"].is_string()) {
      made.class_name = from["class"];
      if (const auto number = types_.known_class(made.class_name))
        made.class_number = *number;
      else if (made.has_receiver || made.how == modelled_callable::kind::constructor)
        return refuse(from, "its class is not one that calls can name");
    }
    made.is_for_temporary = from.value("rvalue", false);
    made.is_zeroing = from.value("zeroing", from.value("implicit", false)) && types_.has_public_fields(made.class_name);
    if (const auto why = doubtful_.find(made.signature); why != doubtful_.end())
      std::tie(made.why_not, made.remedy) = why->second;
    if (made.how != modelled_callable::kind::constructor) made.result = types_.result_of(from.at("result"));
    const json& parameters = from.at("parameters");
    std::size_t required = 0;
    for (const json& each : parameters) {
      auto read = types_.parameter_of(each, made.parameters, parameters);
      if (!read) {
        if (each.value("has_default", false)) break;  // and with it those behind
        return refuse(from, fmt::format("nothing makes its parameter of type '{}'", written(each)), remedy_of(each));
      }
      if (!made.parameters.empty() && are_ends(made.parameters.back(), *read)) {
        if (read->how == parameter::kind::c_text) made.parameters.back().how = parameter::kind::array;
        read->how = parameter::kind::end;
      }
      if (!read->has_default) required = made.parameters.size() + 1;
      made.parameters.push_back(std::move(*read));
    }
    if (required > made.parameters.size()) return;
    if (required < made.parameters.size()) {
      modelled_callable shorter = made;
      shorter.parameters.resize(required);
      made_.callables.push_back(std::move(shorter));
    }
    made_.callables.push_back(std::move(made));
  }

  static std::string written(const json& use) { return use.value("written", use.value("spelled", "?")); }

  static std::string remedy_of(const json& use) {
    return fmt::format("a function in a header that calls it with simpler values than '{}'", written(use));
  }

  /// `const char* begin, const char* end`, by their names: two texts would leave what is between them to chance.
  static bool are_ends(const parameter& first, const parameter& last) {
    const auto begins_with = [](const parameter& of, std::initializer_list<const char*> words) {
      std::string name = of.name;
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return std::any_of(words.begin(), words.end(), [&](const char* each) { return name.starts_with(each); });
    };
    return (first.how == parameter::kind::c_text || first.how == parameter::kind::memory) && last.how == first.how &&
           begins_with(first, {"begin", "start", "first"}) && begins_with(last, {"end", "last", "finish"});
  }

  /// Empty for those that read better as calls: `x.operator->()`, and `x++`, which has a parameter that nobody writes.
  static std::string token_of(const std::string& method, std::size_t operands) {
    const std::string token = method.starts_with("operator") ? method.substr(8) : "";
    if (token == "->" || token == "->*" || token == "," || token.starts_with(' ') ||
        token.find('"') != std::string::npos)
      return {};
    if (token == "()" || token == "[]") return token;
    if ((token == "++" || token == "--") && operands != 1) return {};
    return operands == 1 || operands == 2 ? token : "";
  }

  type_reader types_;
  std::map<std::string, std::pair<std::string, std::string>> doubtful_;  // why, and a remedy
  model made_;
};

}  // namespace

model model_of(const json& line) {
  return model_reader(line).take();
}

}  // namespace morph::generate
