// From JSON to callables, and from callables to slots.
#include "plugin/generate/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

namespace morph::generate {
namespace {

using nlohmann::json;

class model_reader {
 public:
  explicit model_reader(const json& line) : types_(line.at("types")), classes_(line.at("classes")) {
    for (const auto& [name, each] : classes_.items()) numbers_[name] = static_cast<std::uint32_t>(numbers_.size());
    made_.classes.resize(numbers_.size());
    for (const auto& [name, number] : numbers_) made_.classes[number] = class_of(name, classes_.at(name));
    for (const json& each : line.at("refused"))
      made_.refused.push_back({each.at("signature"), each.at("file"), each.at("reason"), each.value("remedy", ""),
                               each.at("line").get<std::uint32_t>()});
    made_.headers = line.at("headers");
    for (const json& each : line.at("callables")) add(each);
  }

  model take() { return std::move(made_); }

 private:
  void add_bases(const std::string& name, std::vector<std::uint32_t>& to) const {
    const auto number = numbers_.find(name);
    if (number == numbers_.end() || std::find(to.begin(), to.end(), number->second) != to.end()) return;
    to.push_back(number->second);
    for (const std::string base : classes_.at(name).at("bases")) add_bases(base, to);
  }

  modelled_class class_of(const std::string& name, const json& from) const {
    modelled_class made{.name = spelled_class(name)};
    add_bases(name, made.bases);
    // A declaration without a body may be in another header.
    made.file = from.value("defined_in", from.value("file", ""));
    made.is_abstract = from.value("abstract", false);
    made.is_copyable = from.value("copyable", false);
    made.is_movable = from.value("movable", made.is_copyable);
    made.is_destructible = from.value("destructible", true);
    made.is_template_instance = from.value("is_template_instance", false);
    return made;
  }

  std::string spelled_class(const std::string& name) const {
    const auto at = types_.find(name);
    return at != types_.end() && at->contains("spelled") ? at->at("spelled").get<std::string>() : name;
  }

  void refuse(const json& of, const std::string& reason) {
    made_.refused.push_back({of.at("signature"), of.at("file"), reason, "", of.at("line").get<std::uint32_t>()});
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
      const auto number = numbers_.find(made.class_name);
      if (number != numbers_.end())
        made.class_number = number->second;
      else if (made.has_receiver || made.how == modelled_callable::kind::constructor)
        return refuse(from, "its class is not one that calls can name");
    }
    if (from.value("rvalue", false)) return refuse(from, "it can be called for temporary objects only");
    if (!read_result(from.at("result"), made.result, made.how)) return refuse(from, "its result cannot be kept");
    const json& parameters = from.at("parameters");
    std::size_t required = 0;
    for (const json& each : parameters) {
      auto read = read_parameter(each, made.parameters);
      if (!read) {
        if (each.value("has_default", false)) break;  // and with it those behind
        return refuse(from, fmt::format("nothing makes its parameter of type '{}'", each.value("spelled", "?")));
      }
      if (!made.parameters.empty() && are_ends(made.parameters.back(), *read)) {
        made.parameters.back().how = parameter::kind::array;
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

  /// `const char* begin, const char* end`, by their names: two texts would leave what is between them to chance.
  static bool are_ends(const parameter& first, const parameter& last) {
    const auto begins_with = [](const parameter& of, std::initializer_list<const char*> words) {
      std::string name = of.name;
      for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      return std::any_of(words.begin(), words.end(), [&](const char* each) { return name.starts_with(each); });
    };
    return first.how == parameter::kind::c_text && last.how == parameter::kind::c_text &&
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

  const json* type_of(const json& use) const {
    const auto at = types_.find(use.at("type").get<std::string>());
    return at == types_.end() ? nullptr : &*at;
  }

  static void read_number(const json& type, bool& is_bool, bool& is_unsigned, bool& is_real, std::uint32_t& bytes) {
    const std::string kind = type.at("kind");
    is_bool = kind == "bool";
    is_real = kind == "floating";
    is_unsigned = !type.value("signed", true);
    bytes = type.value("bits", 32U) / 8;
  }

  static std::vector<std::pair<std::int64_t, std::string>> enumerators_of(const json& type) {
    std::vector<std::pair<std::int64_t, std::string>> made;
    const json numbers = type.value("numbers", json::array());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      made.emplace_back(numbers[i].get<std::int64_t>(), type.at("values")[i].get<std::string>());
    return made;
  }

  bool read_result(const json& use, returned& to, modelled_callable::kind how) const {
    if (how == modelled_callable::kind::constructor) return true;
    const std::string passed = use.value("passed", "value");
    const json* const type = type_of(use);
    if (type == nullptr) return true;
    const std::string kind = type->at("kind");
    to.type = use.at("spelled");
    to.is_constant = passed.starts_with("const");
    to.how = returned::kind::other;
    if (kind == "void" && passed == "value") {
      to.how = returned::kind::nothing;
    } else if (kind == "bool" || kind == "integer" || kind == "floating") {
      if (passed.ends_with("pointer")) return true;
      to.how = returned::kind::number;
      read_number(*type, to.is_bool, to.is_unsigned, to.is_real, to.bytes);
    } else if (kind == "character") {
      to.how = passed.ends_with("pointer") ? passed == "const_pointer" ? returned::kind::c_text : returned::kind::other
                                           : returned::kind::number;
      to.bytes = 1;
    } else if (kind == "enumeration") {
      if (passed.ends_with("pointer")) return true;
      to.how = returned::kind::enumeration;
      to.enumerators = enumerators_of(*type);
    } else if (kind == "string" || kind == "string_view") {
      if (passed.ends_with("pointer")) return true;
      to.how = returned::kind::text;
      to.is_view = kind == "string_view";
    } else if (const auto number = numbers_.find(use.at("type").get<std::string>()); number != numbers_.end()) {
      to.class_number = number->second;
      const modelled_class& of = made_.classes[number->second];
      if (passed == "value") {
        if ((!of.is_movable && !of.is_copyable) || !of.is_destructible) return true;
        to.how = returned::kind::object;
      } else {
        to.how = passed.ends_with("pointer") ? returned::kind::pointer : returned::kind::reference;
        if (passed == "move") to.how = returned::kind::other;
      }
    }
    return true;
  }

  std::optional<parameter> read_parameter(const json& use, const std::vector<parameter>& before) const {
    const json* const type = type_of(use);
    if (type == nullptr) return std::nullopt;
    parameter made;
    made.name = use.value("name", "");
    made.type = use.value("spelled", "");
    made.has_default = use.value("has_default", false);
    const std::string passed = use.value("passed", "value"), kind = type->at("kind"), role = use.value("role", "in");
    made.is_constant = passed.starts_with("const");
    made.by_pointer = passed.ends_with("pointer");
    made.by_move = passed == "move";
    if (passed == "value") made.is_constant = true;  // it is copied
    const bool is_written = passed == "reference" || passed == "pointer";
    const auto number = numbers_.find(use.at("type").get<std::string>());
    if (passed == "pointer_to_pointer" || passed == "reference_to_pointer") {
      if (number == numbers_.end() || use.value("constant", false)) return std::nullopt;  // constant: the pointer is
      made.how = parameter::kind::made;
      made.is_constant = use.value("pointer", "").starts_with("const ");
      made.by_pointer = passed == "pointer_to_pointer";
      made.class_number = number->second;
      return made;
    }
    if (kind == "character" && passed == "const_pointer") {
      made.how = role == "array" ? parameter::kind::array : parameter::kind::c_text;
      return made;
    }
    if (kind == "character" && passed == "pointer" && use.contains("length")) {
      made.how = parameter::kind::buffer;
      return made;
    }
    if (role == "length" && !before.empty() && before.back().how == parameter::kind::buffer) {
      made.how = parameter::kind::room;
      return made;
    }
    if (role == "length" && !before.empty() && before.back().how == parameter::kind::array) {
      made.how = parameter::kind::length;
      return made;
    }
    if (kind == "istream" || kind == "ostream") {
      if (!is_written && !made.by_move) return std::nullopt;
      if (made.type.find("fstream") != std::string::npos) return std::nullopt;
      if (made.type.find("stringstream") == std::string::npos)
        made.type = kind == "istream" ? "std::istringstream" : "std::ostringstream";
      made.how = kind == "istream" ? parameter::kind::in : parameter::kind::out;
      return made;
    }
    if (kind == "function" || kind == "function_pointer") return callback(std::move(made), *type);
    if (number != numbers_.end()) return object(std::move(made), number->second);
    if (kind == "owner") return std::nullopt;
    auto plain = plain_value(*type, use);
    if (!plain) return std::nullopt;
    plain->name = made.name;
    plain->has_default = made.has_default;
    plain->by_pointer = made.by_pointer;
    plain->by_move = made.by_move;
    plain->is_constant = made.is_constant;
    if (is_written) {
      if (plain->is_character && made.by_pointer) return std::nullopt;  // a buffer of some size
      plain->how = parameter::kind::cell;
    } else if (made.by_pointer) {
      return std::nullopt;  // an array of some size
    }
    return plain;
  }

  std::optional<parameter> object(parameter made, std::uint32_t number) const {
    made.class_number = number;
    made.type = made_.classes[number].name;
    made.how = made.by_pointer ? parameter::kind::pointer : parameter::kind::object;
    return made;
  }

  std::optional<parameter> callback(parameter made, const json& type) const {
    if (!type.contains("result") || !type.contains("arguments")) return std::nullopt;
    std::string arguments;
    for (const json& each : type["arguments"]) {
      const std::string passed = each.value("passed", "value"), spelled = each.value("spelled", "");
      arguments += (arguments.empty() ? "" : ", ") + std::string(passed.starts_with("const") ? "const " : "") +
                   spelled +
                   (passed.ends_with("pointer")     ? "*"
                    : passed.ends_with("reference") ? "&"
                    : passed == "move"              ? "&&"
                                                    : "");
    }
    const json& result = type["result"];
    const std::string passed = result.value("passed", "value"), spelled = result.value("spelled", "void");
    if (passed.ends_with("reference") || passed == "move") return std::nullopt;
    if (passed.ends_with("pointer"))
      made.written = fmt::format("[]({}) -> {}{}* {{ return nullptr; }}", arguments,
                                 passed.starts_with("const") ? "const " : "", spelled);
    else if (spelled == "void")
      made.written = fmt::format("[]({}) {{}}", arguments);
    else
      made.written = fmt::format("[]({0}) -> {1} {{ return {1}(); }}", arguments, spelled);
    made.how = parameter::kind::callback;
    return made;
  }

  /// Of a value that literals make.
  std::optional<parameter> plain_value(const json& type, const json& use) const {
    parameter made;
    const std::string kind = type.at("kind");
    made.type = use.value("spelled", type.value("spelled", ""));
    if (kind == "bool" || kind == "integer" || kind == "floating" || kind == "character") {
      made.how = parameter::kind::number;
      made.is_character = kind == "character";
      read_number(type, made.is_bool, made.is_unsigned, made.is_real, made.bytes);
      if (made.is_character) made.bytes = 1;
      return made;
    }
    if (kind == "enumeration") {
      made.how = parameter::kind::enumeration;
      made.enumerators = enumerators_of(type);
      if (made.enumerators.empty()) return std::nullopt;
      return made;
    }
    if (kind == "string" || kind == "string_view") {
      made.how = kind == "string" ? parameter::kind::text : parameter::kind::view;
      return made;
    }
    const bool is_pair = kind == "tuple" && type.value("std", "") == "pair";
    if (kind != "sequence" && kind != "set" && kind != "map" && !is_pair) return std::nullopt;
    made.how = parameter::kind::list;
    made.is_tuple = is_pair;
    made.is_map = kind == "map";
    for (const json& each : type.at("of")) {
      const json* const element = type_of(each);
      if (element == nullptr || each.value("passed", "value") != "value") return std::nullopt;
      auto inner = plain_value(*element, each);
      if (!inner || inner->how == parameter::kind::view || (inner->how == parameter::kind::list && !inner->is_tuple))
        return std::nullopt;
      made.elements.push_back(std::move(*inner));
    }
    if (made.elements.size() != (is_pair || made.is_map ? 2U : 1U) || is_pair) return std::nullopt;
    return made;
  }

  const json& types_;
  const json& classes_;
  std::map<std::string, std::uint32_t> numbers_;
  model made_;
};

role role_of(const parameter& of, literal_table& literals) {
  role made;
  if (of.how == parameter::kind::text || of.how == parameter::kind::view || of.how == parameter::kind::c_text ||
      of.how == parameter::kind::in || of.how == parameter::kind::array) {
    made.kind = 's';
  } else if (of.how == parameter::kind::enumeration) {
    for (const auto& [value, name] : of.enumerators) made.values.push_back(value);
    std::sort(made.values.begin(), made.values.end());
    made.values.erase(std::unique(made.values.begin(), made.values.end()), made.values.end());
    made.least = made.values.front();
    made.most = made.values.back();
  } else if (of.how == parameter::kind::list) {
    made.kind = 'l';
    std::vector<std::uint32_t> elements;
    for (const parameter& each : of.elements) elements.push_back(literals.add_role(role_of(each, literals)));
    if (of.is_map) {
      role pair{.kind = 'l'};
      pair.elements = elements;
      pair.is_tuple = true;
      elements = {literals.add_role(std::move(pair))};
    }
    made.elements = elements;
    made.is_tuple = of.is_tuple;
  } else if (of.is_real) {
    made.kind = 'd';
    made.is_single_precision = of.bytes == 4;
  } else if (of.is_bool) {
    made.values = {0, 1};
    made.most = 1;
  } else {
    const unsigned bits = std::min(of.bytes, 8U) * 8;
    made.most = bits == 64 ? std::numeric_limits<std::int64_t>::max()
                           : (std::int64_t{1} << (of.is_unsigned ? bits : bits - 1)) - 1;
    made.least = of.is_unsigned ? 0 : -made.most - 1;
  }
  return made;
}

slot slot_of(const parameter& of, literal_table& literals) {
  slot made;
  switch (of.how) {
    case parameter::kind::object:
    case parameter::kind::pointer:
      made.from = slot::source::value;
      made.type = of.class_number;
      made.changes =
          (!of.is_constant && (of.by_pointer || of.by_move)) || (of.how == parameter::kind::object && !of.is_constant);
      made.takes = of.by_move;
      made.may_be_null = of.how == parameter::kind::pointer;
      break;
    case parameter::kind::cell:
    case parameter::kind::made:
    case parameter::kind::out:
    case parameter::kind::length:
    case parameter::kind::buffer:
    case parameter::kind::room:
    case parameter::kind::end:
    case parameter::kind::callback:
      break;
    case parameter::kind::number:
    case parameter::kind::enumeration:
    case parameter::kind::text:
    case parameter::kind::view:
    case parameter::kind::c_text:
    case parameter::kind::list:
    case parameter::kind::in:
    case parameter::kind::array:
      made.from = slot::source::literal;
      made.role = literals.add_role(role_of(of, literals));
      made.may_be_null = of.how == parameter::kind::c_text;
      break;
  }
  return made;
}

std::optional<produced> given_by(const modelled_callable& of) {
  if (of.how == modelled_callable::kind::constructor) return produced{of.class_number, false};
  for (const parameter& each : of.parameters)
    if (each.how == parameter::kind::made) return produced{each.class_number, each.is_constant};
  if (of.result.how == returned::kind::object || of.result.how == returned::kind::reference ||
      of.result.how == returned::kind::pointer)
    return produced{of.result.class_number, of.result.is_constant};
  return std::nullopt;
}

}  // namespace

model model_of(const json& line) {
  return model_reader(line).take();
}

std::string written_call(const modelled_callable& of, const std::string& receiver, const std::string& access,
                         const std::vector<std::string>& arguments) {
  const std::string all = fmt::format("{}", fmt::join(arguments, ", "));
  if (!of.token.empty()) {
    std::vector<std::string> operands = arguments;
    if (of.has_receiver) operands.insert(operands.begin(), access == "->" ? "(*" + receiver + ")" : receiver);
    if (of.token == "[]" && operands.size() == 2) return fmt::format("{}[{}]", operands[0], operands[1]);
    if (of.token == "()") return fmt::format("{}({})", operands[0], all);
    if (operands.size() == 1) return of.token + operands[0];
    if (operands.size() == 2) return fmt::format("{} {} {}", operands[0], of.token, operands[1]);
  }
  if (!of.has_receiver) return fmt::format("{}({})", of.is_hidden_friend ? of.method : of.name, all);
  return receiver + access + fmt::format("{}({})", of.method, all);
}

api api_of(const model& of, literal_table& literals) {
  api made;
  for (const modelled_class& each : of.classes) made.bases.push_back(each.bases);
  for (const modelled_callable& each : of.callables) {
    callable one{.signature = each.signature};
    if (each.has_receiver)
      one.slots.push_back({.from = slot::source::value, .type = each.class_number, .changes = !each.is_constant});
    for (const parameter& p : each.parameters) one.slots.push_back(slot_of(p, literals));
    one.gives = given_by(each);
    made.callables.push_back(std::move(one));
  }
  return made;
}

}  // namespace morph::generate
