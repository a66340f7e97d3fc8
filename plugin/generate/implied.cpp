// Making up callables.
#include "plugin/generate/implied.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

namespace morph::generate {
namespace {

using nlohmann::json;
using form = parameter::kind;

/// "FindShortestSeparator" -> "find_shortest_separator".
std::string snake(const std::string& name) {
  std::string made;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (std::isalnum(c) == 0) {
      if (!made.empty() && made.back() != '_') made += '_';
      continue;
    }
    const bool is_begin = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(name[i - 1])) != 0;
    if (is_begin) made += '_';
    made += static_cast<char>(std::tolower(c));
  }
  while (made.ends_with('_')) made.pop_back();
  return made;
}

std::string letters_of(const std::string& name) {
  std::string made;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) made += c;
  return made;
}

class maker {
 public:
  maker(model& to, type_reader& types, const json& line) : to_(to), types_(types), line_(line) {}

  void make() {
    for (const auto& [name, each] : line_.at("classes").items()) {
      const auto number = types_.known_class(name);
      if (!number) continue;
      if (each.value("stub", false)) add_stub(*number, each);
      if (const json* const type = types_.type_named(name)) {
        add_aggregate(*number, *type);
        add_fields(*number, *type, name);
      }
    }
    // Containers of containers come while these are made.
    for (std::size_t i = 0; i < types_.further().size(); ++i) add_further(types_.further()[i]);
  }

 private:
  static modelled_callable implied(modelled_callable::kind how, std::uint32_t of, const std::string& name) {
    modelled_callable made;
    made.how = how;
    made.name = made.signature = name;
    made.class_number = of;
    made.is_implied = true;
    return made;
  }

  const std::string& name_of(std::uint32_t number) { return types_.classes()[number].name; }

  modelled_callable member_of(std::uint32_t number, const std::string& name, modelled_callable::kind how) {
    modelled_callable made = implied(how, number, name_of(number) + "::" + name);
    made.method = name;
    made.has_receiver = true;
    return made;
  }

  // ---- fields

  static bool has_public_fields_only(const json& type) {
    const json fields = type.value("fields", json::array());
    return !fields.empty() && std::ranges::all_of(fields, [](const json& each) {
      return each.value("access", "") == "public" && !each.value("bits", false) && each.value("name", "") != "";
    });
  }

  void add_aggregate(std::uint32_t number, const json& type) {
    if (!type.value("aggregate", false) || type.value("union", false) || type.value("abstract", false)) return;
    if (!type.value("bases", json::array()).empty() || !has_public_fields_only(type)) return;
    modelled_callable made = implied(modelled_callable::kind::aggregate, number, name_of(number) + "{}");
    for (const json& each : type["fields"]) {
      auto field = types_.parameter_of(each, made.parameters, json::array());
      if (!field || !is_settable(*field)) break;  // those behind have their defaults
      made.parameters.push_back(std::move(*field));
    }
    if (!made.parameters.empty()) to_.callables.push_back(std::move(made));
  }

  static bool is_settable(const parameter& of) {
    return of.how == form::number || of.how == form::enumeration || of.how == form::text || of.how == form::view ||
           of.how == form::c_text || of.how == form::object || of.how == form::pointer || of.how == form::owner ||
           of.how == form::callback || (of.how == form::list && !of.by_pointer);
  }

  void add_fields(std::uint32_t number, const json& type, const std::string& class_name) {
    for (const json& each : type.value("fields", json::array())) {
      if (each.value("access", "") != "public" || each.value("name", "") == "") continue;
      add_reading(number, type, class_name, each);
      if (!each.value("constant", false)) add_writing(number, class_name, each);
    }
  }

  void add_reading(std::uint32_t number, const json& type, const std::string& class_name, const json& field) {
    modelled_callable made = member_of(number, field.at("name"), modelled_callable::kind::member);
    made.class_name = class_name;
    made.result = types_.result_of(field);
    made.is_constant = true;
    const bool is_object = made.result.how == returned::kind::object ||
                           (made.result.how == returned::kind::other && field.value("passed", "") == "value" &&
                            types_.class_of(field).has_value());
    if (is_object) {
      made.result.how = returned::kind::reference;
      made.result.class_number = *types_.class_of(field);
      made.result.is_constant = field.value("constant", false);
      made.is_constant = made.result.is_constant;
    }
    if (made.result.how == returned::kind::holder) made.result.by_reference = true;
    // What a pointer of an object that is in no order refers to, nobody knows.
    if (made.result.how == returned::kind::c_text && !type.value("aggregate", false)) return;
    if (made.result.how == returned::kind::other || made.result.how == returned::kind::nothing) return;
    to_.callables.push_back(std::move(made));
  }

  void add_writing(std::uint32_t number, const std::string& class_name, const json& field) {
    const std::string passed = field.value("passed", "value");
    if (passed.ends_with("reference") || passed == "move") return;
    auto value = types_.parameter_of(field, {}, json::array());
    if (!value || !is_settable(*value)) return;
    const json* const type = types_.type_of(field);
    if (value->how == form::object && !type->value("assignable", true)) return;
    modelled_callable made = member_of(number, field.at("name"), modelled_callable::kind::member);
    made.signature += " =";
    made.class_name = class_name;
    made.parameters = {std::move(*value)};
    to_.callables.push_back(std::move(made));
  }

  // ---- containers, and classes of others

  void add_further(const type_reader::further_class& of) {
    const json& type = *types_.type_named(of.type);
    if (type.value("kind", "") == "record") {
      if (!type.value("complete", false) || !type.value("default", false)) return;
      modelled_callable made = implied(modelled_callable::kind::constructor, of.number, name_of(of.number) + "()");
      made.is_zeroing = true;
      to_.callables.push_back(std::move(made));
      return add_aggregate(of.number, type);
    }
    to_.callables.push_back(implied(modelled_callable::kind::constructor, of.number, name_of(of.number) + "()"));
    const json& element = type.at("of")[0];
    const auto of_element = types_.class_of(element);
    if (!of_element) return;
    modelled_callable put = member_of(of.number, "push_back", modelled_callable::kind::method);
    parameter object;
    object.name = "value";
    object.class_number = *of_element;
    object.type = name_of(*of_element);
    const std::string passed = element.value("passed", "value");
    object.by_pointer = passed.ends_with("pointer");
    object.how = object.by_pointer ? form::pointer : form::object;
    object.is_constant = passed != "pointer";
    put.parameters = {object};
    to_.callables.push_back(std::move(put));
    modelled_callable size = member_of(of.number, "size", modelled_callable::kind::method);
    size.is_constant = true;
    size.result.how = returned::kind::number;
    size.result.type = "std::size_t";
    size.result.is_unsigned = true;
    size.result.bytes = 8;
    to_.callables.push_back(std::move(size));
    modelled_callable front = member_of(of.number, "at", modelled_callable::kind::method);
    if (type.value("std", "") == "list") return;
    parameter place;
    place.name = "place";
    place.type = "std::size_t";
    place.is_unsigned = true;
    place.bytes = 8;
    front.parameters = {place};
    front.result.how = object.by_pointer ? returned::kind::pointer : returned::kind::reference;
    front.result.class_number = *of_element;
    front.result.type = name_of(*of_element);
    front.result.is_constant = passed == "const_pointer";
    to_.callables.push_back(std::move(front));
  }

  // ---- stubs

  void add_stub(std::uint32_t number, const json& of) {
    modelled_stub made;
    made.base = name_of(number);
    made.name = stub_name(made.base);
    modelled_callable maker = implied(modelled_callable::kind::stub, number, made.name + "()");
    maker.method = "stub";
    for (const json& each : of.value("pure", json::array())) {
      auto [function, answers] = stub_function(each, made);
      if (answers) maker.parameters.push_back(std::move(*answers));
      made.functions.push_back(std::move(function));
    }
    maker.stub = static_cast<std::uint32_t>(to_.stubs.size());
    to_.stubs.push_back(std::move(made));
    to_.callables.push_back(std::move(maker));
  }

  std::string stub_name(const std::string& base) const {
    const std::string bare = base.substr(0, base.find('<'));
    const auto at = bare.rfind("::");
    const std::string last = at == std::string::npos ? bare : bare.substr(at + 2);
    const bool is_lower = std::ranges::none_of(last, [](unsigned char c) { return std::isupper(c) != 0; });
    std::string made = is_lower ? last + "_stub" : letters_of(last) + "Stub";
    const auto is_taken = [&] {
      return std::ranges::any_of(to_.stubs, [&](const modelled_stub& each) { return each.name == made; });
    };
    if (is_taken()) made = letters_of(base) + "Stub";
    for (int number = 2; is_taken(); ++number) made = fmt::format("{}Stub{}", letters_of(base), number);
    return made;
  }

  std::pair<modelled_stub::function, std::optional<parameter>> stub_function(const json& pure,
                                                                             const modelled_stub& in) const {
    modelled_stub::function made;
    const json& result = pure.at("result");
    const std::string name = pure.at("name");
    const std::string written = tight(result.value("written", result.value("spelled", "void")));
    std::string parameters;
    for (const json& each : pure.at("parameters"))
      parameters += (parameters.empty() ? "" : ", ") + tight(each.at("written"));
    const bool is_conversion = name.starts_with("operator ") && std::isalpha(static_cast<unsigned char>(name[9])) != 0;
    made.head = fmt::format("{}{}({}){}{}{} override", is_conversion ? "" : written + " ", name, parameters,
                            pure.value("constant", false) ? " const" : "",
                            pure.value("rvalue", false)   ? " &&"
                            : pure.value("lvalue", false) ? " &"
                                                          : "",
                            pure.value("noexcept", false) ? " noexcept" : "");
    const std::string passed = result.value("passed", "value"), spelled = result.value("spelled", "void");
    const json* const type = types_.type_of(result);
    const std::string kind = type == nullptr ? "void" : type->at("kind").get<std::string>();
    const std::string own = answers_name(snake(name), in);
    if (passed == "value" && kind == "void") return {made, std::nullopt};
    std::optional<parameter> answers;
    if (passed == "const_pointer" && kind == "character") {
      made.otherwise = "\"\"";
      made.type = "const char*";
      answers = parameter{.how = form::c_text, .type = "const char*"};
    } else if (passed.ends_with("pointer")) {
      made.otherwise = "nullptr";
      return {made, std::nullopt};
    } else if (passed == "value") {
      auto plain = types_.plain_value(*type, result);
      made.otherwise = spelled + "()";
      if (!plain || plain->how == form::list || plain->how == form::view) return {made, std::nullopt};
      if (plain->is_bool) made.otherwise = "false";
      if (plain->how == form::number && !plain->is_bool) made.otherwise = plain->is_real ? "0.0" : "0";
      made.type = spelled;
      answers = std::move(plain);
    } else {
      made.member = fmt::format("mutable {} {}_value{{}};", spelled, snake(name));
      made.otherwise = snake(name) + "_value";
      return {made, std::nullopt};
    }
    made.answers = own;
    parameter list{.how = form::answers, .name = own, .type = fmt::format("std::vector<{}>", made.type)};
    list.elements = {std::move(*answers)};
    return {made, list};
  }

  static std::string answers_name(const std::string& function, const modelled_stub& in) {
    const auto is_taken = [&](const std::string& name) {
      return std::ranges::any_of(in.functions, [&](const auto& each) { return each.answers == name; });
    };
    const std::string wish = (function == "operator" ? "call" : function) + "_answers";
    std::string made = wish;
    for (int number = 2; is_taken(made); ++number) made = fmt::format("{}{}", wish, number);
    return made;
  }

  model& to_;
  type_reader& types_;
  const json& line_;
};

}  // namespace

void add_implied(model& to, type_reader& types, const json& line) {
  maker(to, types, line).make();
}

std::string stub_text(const modelled_stub& of, const std::set<std::string>& answered, const std::string& indent) {
  std::string text = fmt::format("{}struct {} : {} {{\n", indent, of.name, of.base);
  for (const modelled_stub::function& each : of.functions) {
    const bool has_answers = answered.contains(each.answers);
    if (has_answers) text += fmt::format("{}  mutable answers<{}> {};\n", indent, each.type, each.answers);
    if (!each.member.empty()) text += fmt::format("{}  {}\n", indent, each.member);
    const std::string body = has_answers ? fmt::format("{{ return {}.next({}); }}", each.answers, each.otherwise)
                             : each.otherwise.empty() ? "{}"
                                                      : fmt::format("{{ return {}; }}", each.otherwise);
    text += fmt::format("{}  {} {}\n", indent, each.head, body);
  }
  return text + indent + "};\n";
}

}  // namespace morph::generate
