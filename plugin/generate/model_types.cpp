// What a type asks of a call, and what it gives.
#include "plugin/generate/model_types.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace morph::generate {
namespace {

using nlohmann::json;
using form = parameter::kind;

bool is_arithmetic(const std::string& kind) {
  return kind == "bool" || kind == "integer" || kind == "floating" || kind == "character";
}

void read_number(const json& type, bool& is_bool, bool& is_unsigned, bool& is_real, std::uint32_t& bytes) {
  const std::string kind = type.at("kind");
  is_bool = kind == "bool";
  is_real = kind == "floating";
  is_unsigned = !type.value("signed", true);
  bytes = type.value("bits", 32U) / 8;
}

std::vector<std::pair<std::int64_t, std::string>> enumerators_of(const json& type) {
  std::vector<std::pair<std::int64_t, std::string>> made;
  const json numbers = type.value("numbers", json::array());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    made.emplace_back(numbers[i].get<std::int64_t>(), type.at("values")[i].get<std::string>());
  return made;
}

bool is_one_byte(const json& type) {
  return type.value("kind", "") == "integer" && type.value("bits", 0) == 8;
}

/// As a lambda writes it.
std::string written_use(const json& use) {
  if (use.contains("written")) return tight(use["written"]);
  const std::string passed = use.value("passed", "value");
  return std::string(passed.starts_with("const") ? "const " : "") + use.value("spelled", "void") +
         (passed.ends_with("pointer")     ? "*"
          : passed.ends_with("reference") ? "&"
          : passed == "move"              ? "&&"
                                          : "");
}

}  // namespace

std::string tight(std::string type) {
  for (const char* const mark : {" *", " &"})
    for (auto at = type.find(mark); at != std::string::npos; at = type.find(mark, at)) type.erase(at, 1);
  return type;
}

type_reader::type_reader(const json& line) : types_(line.at("types")), named_(line.at("classes")) {
  for (const auto& [name, each] : named_.items()) numbers_[name] = static_cast<std::uint32_t>(numbers_.size());
  classes_.resize(numbers_.size());
  for (const auto& [name, number] : numbers_) classes_[number] = class_named(name, named_.at(name));
}

std::optional<std::uint32_t> type_reader::known_class(const std::string& name) const {
  const auto at = numbers_.find(name);
  return at == numbers_.end() ? std::nullopt : std::optional(at->second);
}

bool type_reader::has_public_fields(const std::string& name) const {
  const json* const type = type_named(name);
  if (type == nullptr) return false;
  const json fields = type->value("fields", json::array());
  return std::ranges::any_of(fields, [](const json& each) { return each.value("access", "") == "public"; });
}

const json* type_reader::type_named(const std::string& name) const {
  const auto at = types_.find(name);
  return at == types_.end() ? nullptr : &*at;
}

const json* type_reader::type_of(const json& use) const {
  return type_named(use.at("type").get<std::string>());
}

void type_reader::add_bases(const std::string& name, std::vector<std::uint32_t>& to) const {
  const auto number = numbers_.find(name);
  if (number == numbers_.end() || std::find(to.begin(), to.end(), number->second) != to.end()) return;
  to.push_back(number->second);
  for (const std::string base : named_.at(name).at("bases")) add_bases(base, to);
}

modelled_class type_reader::class_named(const std::string& name, const json& from) const {
  const json* const type = type_named(name);
  modelled_class made{.name = type != nullptr ? type->value("spelled", name) : name};
  add_bases(name, made.bases);
  // A declaration without a body may be in another header.
  made.file = from.value("defined_in", from.value("file", ""));
  made.is_abstract = from.value("abstract", false);
  made.is_copyable = from.value("copyable", false);
  made.is_movable = from.value("movable", made.is_copyable);
  made.is_destructible = from.value("destructible", true);
  made.is_template_instance = from.value("is_template_instance", false);
  made.is_view = made.is_destructible && from.value("trivially_destructible", true) && type != nullptr && refers(*type);
  made.has_public_pointers = type != nullptr && has_public_pointers(*type);
  return made;
}

/// A pointer or reference is among its fields, or theirs.
bool type_reader::refers(const json& type) const {
  const json fields = type.value("fields", json::array()), bases = type.value("bases", json::array());
  return std::ranges::any_of(fields,
                             [&](const json& field) {
                               const json* const of = type_of(field);
                               const std::string passed = field.value("passed", "value");
                               if (passed != "value") return true;
                               return of != nullptr && (of->value("kind", "") == "raw_pointer" ||
                                                        of->value("kind", "") == "string_view" || refers(*of));
                             }) ||
         std::ranges::any_of(bases, [&](const json& base) {
           const json* const of = type_named(base.get<std::string>());
           return of != nullptr && refers(*of);
         });
}

/// Among its fields, or those of its public parts and bases.
bool type_reader::has_public_pointers(const json& type) const {
  const json fields = type.value("fields", json::array()), bases = type.value("bases", json::array());
  return std::ranges::any_of(fields,
                             [&](const json& field) {
                               if (field.value("access", "") != "public") return false;
                               if (field.value("passed", "value") == "pointer") return true;
                               const json* const of = type_of(field);
                               if (of == nullptr) return false;
                               const std::string kind = of->value("kind", "");
                               return kind == "raw_pointer" || kind == "function_pointer" || has_public_pointers(*of);
                             }) ||
         std::ranges::any_of(bases, [&](const json& base) {
           const json* const of = type_named(base.get<std::string>());
           return of != nullptr && has_public_pointers(*of);
         });
}

/// Of objects that can be put into it, or of pointers to objects.
bool type_reader::is_container_of_objects(const json& type) {
  if (type.value("kind", "") != "sequence" || type.value("of", json::array()).size() != 1) return false;
  const json& element = type["of"][0];
  const json* const of = type_of(element);
  if (of == nullptr || type.value("std", "").starts_with("basic_string")) return false;
  const auto number = class_of(element);
  const std::string passed = element.value("passed", "value");
  if (!number) return false;
  return passed.ends_with("pointer") || (passed == "value" && classes_[*number].is_copyable);
}

std::optional<std::uint32_t> type_reader::class_of(const json& use) {
  const std::string name = use.at("type");
  if (const auto known = known_class(name)) return known;
  const json* const type = type_named(name);
  if (type == nullptr || type->value("hidden", false)) return std::nullopt;
  const bool is_container = is_container_of_objects(*type);
  const bool is_record = type->value("kind", "") == "record" && !type->value("abstract", false);
  if (!is_container && (!is_record || type->value("std", "") != "")) return std::nullopt;
  const bool is_whole = is_container || type->value("complete", false);
  modelled_class made{.name = type->value("spelled", name)};
  const auto number = static_cast<std::uint32_t>(classes_.size());
  made.bases = {number};
  made.is_copyable = made.is_movable = is_container || (is_whole && type->value("copyable", false));
  made.is_destructible = is_whole;
  if (is_container)
    if (const auto element = class_of((*type)["of"][0])) made.file = classes_[*element].file;
  classes_.push_back(std::move(made));
  numbers_[name] = number;
  further_.push_back({number, name});
  return number;
}

returned type_reader::result_of(const json& use) {
  returned to;
  const std::string passed = use.value("passed", "value");
  const json* const type = type_of(use);
  if (type == nullptr) return to;
  const std::string kind = type->at("kind");
  const bool is_pointer = passed.ends_with("pointer");
  to.type = use.at("spelled");
  to.is_constant = passed.starts_with("const");
  to.how = returned::kind::other;
  if (kind == "void" && passed == "value") {
    to.how = returned::kind::nothing;
  } else if (kind == "character") {
    if (is_pointer && passed != "const_pointer") return to;
    to.how = is_pointer ? returned::kind::c_text : returned::kind::number;
    to.bytes = 1;
  } else if (kind == "bool" || kind == "integer" || kind == "floating") {
    if (is_pointer) return to;
    to.how = returned::kind::number;
    read_number(*type, to.is_bool, to.is_unsigned, to.is_real, to.bytes);
  } else if (kind == "enumeration") {
    if (is_pointer) return to;
    to.how = returned::kind::enumeration;
    to.enumerators = enumerators_of(*type);
  } else if (kind == "string" || kind == "string_view") {
    if (is_pointer) return to;
    to.how = returned::kind::text;
    to.is_view = kind == "string_view";
  } else if (kind == "owner") {
    const auto number = type->at("of").empty() ? std::nullopt : class_of(type->at("of")[0]);
    if (!number || is_pointer || passed == "move") return to;
    to.how = returned::kind::holder;
    to.class_number = *number;
    to.by_reference = passed != "value";
    to.is_constant = type->at("of")[0].value("written", "").starts_with("const ");
  } else if (const auto number = class_of(use)) {
    to.class_number = *number;
    const modelled_class& of = classes_[*number];
    if (passed == "value") {
      if ((of.is_movable || of.is_copyable) && of.is_destructible) to.how = returned::kind::object;
    } else if (passed != "move" && passed.find("_to_pointer") == std::string::npos) {
      to.how = is_pointer ? returned::kind::pointer : returned::kind::reference;
      to.is_owned = passed == "pointer" && use.value("ownership", "") == "owned" && of.is_destructible;
      to.is_made = passed == "pointer" && use.value("ownership", "") == "made";
    }
  }
  return to;
}

std::optional<parameter> type_reader::parameter_of(const json& use, const std::vector<parameter>& before,
                                                   const json& all) {
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
  if (passed.ends_with("_to_pointer")) return to_pointer(std::move(made), before.size(), use, *type);
  if (role == "length")
    if (auto counting = length(made, before, use, all)) return counting;
  if (kind == "istream" || kind == "ostream") return stream(std::move(made), *type, is_written);
  if (kind == "function" || kind == "function_pointer") return callback(std::move(made), *type);
  if (kind == "null_pointer" && !made.by_pointer && !is_written) {
    made.how = form::null;
    return made;
  }
  if (kind == "FILE" && made.by_pointer) {
    made.how = form::file;
    return made;
  }
  if (kind == "owner" || kind == "initializer_list" || kind == "optional")
    if (auto holding = held(made, *type)) return holding;
  if (const auto number = class_of(use)) {
    made.class_number = *number;
    made.type = classes_[*number].name;
    made.how = made.by_pointer ? form::pointer : form::object;
    const bool is_kept = passed == "value" && !classes_[*number].is_copyable && !classes_[*number].is_movable;
    return is_kept ? std::nullopt : std::optional(made);
  }
  if (made.by_pointer)
    if (auto counting = counted(made, use, *type)) return counting;
  if (made.by_pointer && (!is_written || kind == "character" || kind == "void"))
    return behind_pointer(std::move(made), use, *type);
  return plain_parameter(std::move(made), *type, use);
}

std::optional<parameter> type_reader::plain_parameter(parameter made, const json& type, const json& use) {
  const std::string passed = use.value("passed", "value");
  const bool is_written = passed == "reference" || passed == "pointer";
  auto plain = plain_value(type, use);
  if (!plain) {
    const bool has_default = type.at("kind") == "owner" || type.at("kind") == "optional";
    if (!is_written || !has_default) return std::nullopt;
    made.how = form::cell;
    made.is_observed = false;
    return made;
  }
  plain->name = made.name;
  plain->has_default = made.has_default;
  plain->by_pointer = made.by_pointer;
  plain->by_move = made.by_move;
  plain->is_constant = made.is_constant;
  if (is_written) {
    plain->is_observed = plain->how != form::list && plain->how != form::view;
    plain->how = form::cell;
  }
  return plain;
}

/// A pointer whose elements a parameter behind it counts.
std::optional<parameter> type_reader::counted(parameter made, const json& use, const json& type) {
  const std::string kind = type.at("kind");
  if (!use.contains("length") && use.value("role", "") != "array") return std::nullopt;
  if (kind == "character" || kind == "void" || is_one_byte(type)) {
    made.how = made.is_constant ? form::array : form::buffer;
    if (is_one_byte(type)) made.written = fmt::format("{}{}*", made.is_constant ? "const " : "", made.type);
    return made;
  }
  if (!is_arithmetic(kind) && kind != "enumeration" && kind != "string") return std::nullopt;
  auto element = plain_value(type, use);
  if (!element || element->is_bool) return std::nullopt;  // std::vector<bool> has no array
  made.elements = {std::move(*element)};
  made.how = form::items;
  return made;
}

std::optional<parameter> type_reader::length(parameter made, const std::vector<parameter>& before, const json& use,
                                             const json& all) const {
  const std::size_t of = use.value("of", before.empty() ? 0 : before.size() - 1);
  if (of > before.size()) {
    if (of != before.size() + 1 || of >= all.size() || all[of].value("passed", "") != "pointer_to_pointer")
      return std::nullopt;
    made.how = form::count;
    return made;
  }
  if (of + 1 != before.size()) return std::nullopt;
  const form counted = before.back().how;
  if (counted == form::buffer)
    made.how = form::room;
  else if (counted == form::array || counted == form::items || counted == form::pointer || counted == form::given)
    made.how = form::length;
  else
    return std::nullopt;
  return made;
}

/// Plain values behind a pointer that nothing counts.
std::optional<parameter> type_reader::behind_pointer(parameter made, const json& use, const json& type) {
  const std::string kind = type.at("kind");
  if (kind == "character" && made.is_constant) {
    made.how = form::c_text;
    return made;
  }
  if (kind == "character" || kind == "void") {
    made.how = form::memory;
    return made;
  }
  auto element = plain_value(type, use);
  if (!element) return std::nullopt;
  if (element->how == form::list || element->how == form::text) return plain_parameter(std::move(made), type, use);
  if (element->is_bool) return std::nullopt;
  made.elements = {std::move(*element)};
  made.how = form::items;
  return made;
}

/// `const char* const*` and the like: the words of main() behind their count, or texts before it.
parameter type_reader::counted_texts(parameter made, std::size_t place, const json& use) {
  made.is_constant = use.value("pointer", "").starts_with("const ");  // the characters are
  const bool is_behind = use.at("length").get<std::size_t>() < place;
  made.how = is_behind ? form::words : form::items;
  if (!is_behind) made.elements = {{.how = form::c_text, .type = "const char*"}};
  return made;
}

/// T** and T*&.
std::optional<parameter> type_reader::to_pointer(parameter made, std::size_t place, const json& use, const json& type) {
  const bool is_constant = use.value("constant", false);  // the pointer is
  made.by_pointer = use.at("passed") == "pointer_to_pointer";
  if (type.at("kind") == "character" && use.value("role", "") == "array" && use.contains("length"))
    return counted_texts(std::move(made), place, use);
  const auto number = class_of(use);
  const bool is_counted = number && use.contains("length");
  if (is_constant && !is_counted) return std::nullopt;
  made.is_constant = use.value("pointer", "").starts_with("const ");
  if (number) {
    made.class_number = *number;
    made.how = is_counted ? form::given : form::made;
    made.is_owned = use.value("ownership", "") == "owned" && !made.is_constant && classes_[*number].is_destructible;
    return made;
  }
  if (use.value("pointer", "").empty()) return std::nullopt;
  made.type = use["pointer"];
  made.how = form::cell;
  made.is_observed = false;
  return made;
}

/// In a smart pointer, an std::optional or an std::initializer_list.
std::optional<parameter> type_reader::held(parameter made, const json& type) {
  const json of = type.value("of", json::array());
  if (of.empty() || made.by_pointer || !(made.is_constant || made.by_move)) return std::nullopt;
  const auto number = class_of(of[0]);
  if (!number || of[0].value("passed", "value") != "value") return std::nullopt;
  made.class_number = *number;
  const std::string kind = type.at("kind");
  if (kind != "owner" && !classes_[*number].is_copyable) return std::nullopt;
  made.how = kind == "owner" ? form::owner : kind == "optional" ? form::object : form::single;
  made.is_shared = type.value("std", "") == "shared_ptr";
  if (kind == "optional") {
    made.type = classes_[*number].name;
    made.is_constant = true;
    made.by_move = false;
  }
  return made;
}

std::optional<parameter> type_reader::stream(parameter made, const json& type, bool is_written) const {
  if (!is_written && !made.by_move) return std::nullopt;
  if (made.type.find("fstream") != std::string::npos) return std::nullopt;
  const bool is_input = type.at("kind") == "istream";
  if (made.type.find("stringstream") == std::string::npos)
    made.type = is_input ? "std::istringstream" : "std::ostringstream";
  made.how = is_input ? form::in : form::out;
  return made;
}

std::optional<parameter> type_reader::callback(parameter made, const json& type) const {
  if (!type.contains("result") || !type.contains("arguments")) return std::nullopt;
  std::string arguments;
  for (const json& each : type["arguments"]) arguments += (arguments.empty() ? "" : ", ") + written_use(each);
  const json& result = type["result"];
  const std::string passed = result.value("passed", "value"), spelled = result.value("spelled", "void");
  const std::string written = written_use(result);
  made.how = form::callback;
  const json* const given = type_of(result);
  if (given == nullptr) return std::nullopt;
  const std::string kind = given->at("kind");
  const std::string head = fmt::format("[]({}) -> {} {{{{ ", arguments, written);
  if (passed == "const_pointer" && kind == "character") {
    made.elements = {{.how = form::c_text, .type = "const char*"}};
    made.written = head + "return {}; }}";
    return made;
  }
  if (passed.ends_with("pointer")) {
    made.written = head + "return nullptr; }}";
    return made;
  }
  auto plain = plain_value(*given, result);
  if (plain && passed == "value" && plain->how != form::list && plain->how != form::view) {
    made.elements = {std::move(*plain)};
    made.written = head + "return {}; }}";
    return made;
  }
  if (passed != "value")
    made.written = head + fmt::format("static {}{} value{{{{}}}}; return value; }}}}",
                                      passed.starts_with("const") ? "const " : "", spelled);
  else if (spelled == "void")
    made.written = fmt::format("[]({}) {{{{}}}}", arguments);
  else
    made.written = head + fmt::format("return {}(); }}}}", spelled);
  return passed == "move" ? std::nullopt : std::optional(made);
}

std::optional<parameter> type_reader::plain_value(const json& type, const json& use) const {
  parameter made;
  const std::string kind = type.at("kind");
  made.type = use.value("spelled", type.value("spelled", ""));
  if (is_arithmetic(kind)) {
    made.how = form::number;
    made.is_character = kind == "character";
    read_number(type, made.is_bool, made.is_unsigned, made.is_real, made.bytes);
    if (made.is_character) made.bytes = 1;
    return made;
  }
  if (kind == "enumeration") {
    made.how = form::enumeration;
    made.enumerators = enumerators_of(type);
    if (made.enumerators.empty()) return std::nullopt;
    return made;
  }
  if (kind == "string" || kind == "string_view") {
    made.how = kind == "string" ? form::text : form::view;
    return made;
  }
  made.is_tuple = kind == "tuple" && type.value("std", "") == "pair";
  made.is_map = kind == "map";
  made.is_optional = kind == "optional";
  if (kind != "sequence" && kind != "set" && !made.is_map && !made.is_optional && !made.is_tuple) return std::nullopt;
  made.how = form::list;
  for (const json& each : type.at("of")) {
    const json* const element = type_of(each);
    if (element == nullptr || each.value("passed", "value") != "value") return std::nullopt;
    auto inner = plain_value(*element, each);
    if (!inner || inner->how == form::view || inner->is_optional) return std::nullopt;
    made.elements.push_back(std::move(*inner));
  }
  if (made.elements.size() != (made.is_tuple || made.is_map ? 2U : 1U)) return std::nullopt;
  return made;
}

}  // namespace morph::generate
