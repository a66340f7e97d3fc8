// From callables to slots, and to the text of calls.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "plugin/generate/model.hpp"
#include "plugin/generate/user_values.hpp"

namespace morph::generate {
namespace {

bool is_text(parameter::kind how) {
  return how == parameter::kind::text || how == parameter::kind::view || how == parameter::kind::c_text ||
         how == parameter::kind::in || how == parameter::kind::array || how == parameter::kind::file ||
         how == parameter::kind::memory;
}

role role_of(const parameter& of, literal_table& literals) {
  role made;
  if (of.how == parameter::kind::callback) return role_of(of.elements.front(), literals);
  if (is_text(of.how)) {
    made.kind = 's';
  } else if (of.how == parameter::kind::words) {
    made.kind = 'l';
    made.elements = {literals.add_role({.kind = 's'})};
  } else if (of.how == parameter::kind::enumeration) {
    for (const auto& [value, name] : of.enumerators) made.values.push_back(value);
    std::sort(made.values.begin(), made.values.end());
    made.values.erase(std::unique(made.values.begin(), made.values.end()), made.values.end());
    made.least = made.values.front();
    made.most = made.values.back();
  } else if (of.how == parameter::kind::list || of.how == parameter::kind::items ||
             of.how == parameter::kind::answers) {
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

/// A parameter that users' functions are called as has a role of its own.
std::uint32_t role_for(const parameter& of, const std::set<std::string>& named, literal_table& literals) {
  role made = role_of(of, literals);
  if (made.kind != 'l' && made.values.empty() && named.contains(of.name)) made.name = of.name;
  return literals.add_role(std::move(made));
}

slot slot_of(const parameter& of, const std::set<std::string>& named, literal_table& literals) {
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
    case parameter::kind::owner:
    case parameter::kind::last_use:
    case parameter::kind::single:
    case parameter::kind::given:
      made.from = slot::source::value;
      made.type = of.class_number;
      made.takes = (of.how == parameter::kind::owner && !of.is_shared) || of.how == parameter::kind::last_use;
      made.changes = made.takes || of.how == parameter::kind::owner;
      made.destroys = of.how == parameter::kind::last_use;
      break;
    case parameter::kind::callback:
      if (of.elements.empty()) break;
      made.from = slot::source::literal;
      made.role = role_for(of, named, literals);
      break;
    case parameter::kind::cell:
    case parameter::kind::made:
    case parameter::kind::out:
    case parameter::kind::length:
    case parameter::kind::buffer:
    case parameter::kind::room:
    case parameter::kind::end:
    case parameter::kind::count:
    case parameter::kind::null:
      break;
    case parameter::kind::number:
    case parameter::kind::enumeration:
    case parameter::kind::text:
    case parameter::kind::view:
    case parameter::kind::c_text:
    case parameter::kind::list:
    case parameter::kind::items:
    case parameter::kind::in:
    case parameter::kind::file:
    case parameter::kind::array:
    case parameter::kind::memory:
    case parameter::kind::words:
    case parameter::kind::answers:
      made.from = slot::source::literal;
      made.role = role_for(of, named, literals);
      made.may_be_null = of.how == parameter::kind::c_text || (of.how == parameter::kind::memory && of.type == "void");
      break;
  }
  return made;
}

std::optional<produced> given_by(const modelled_callable& of) {
  if (of.makes_object()) return produced{of.class_number, false};
  for (const parameter& each : of.parameters)
    if (each.how == parameter::kind::made) return produced{each.class_number, each.is_constant, each.is_owned};
  if (of.result.how == returned::kind::object || of.result.how == returned::kind::reference ||
      of.result.how == returned::kind::pointer || of.result.how == returned::kind::holder)
    return produced{of.result.class_number, of.result.is_constant, !of.result.destroyer.empty()};
  return std::nullopt;
}

}  // namespace

std::string written_call(const modelled_callable& of, const std::string& receiver, const std::string& access,
                         const std::vector<std::string>& arguments) {
  const std::string all = fmt::format("{}", fmt::join(arguments, ", "));
  if (of.how == modelled_callable::kind::member)
    return receiver + access + of.method + (arguments.empty() ? "" : " = " + all);
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
  const std::set<std::string> named = names_of_values(of);
  for (const modelled_class& each : of.classes) made.bases.push_back(each.bases);
  for (const modelled_callable& each : of.callables) {
    callable one{.signature = each.signature};
    if (each.has_receiver)
      one.slots.push_back({.from = slot::source::value,
                           .type = each.class_number,
                           .changes = !each.is_constant,
                           .takes = each.is_for_temporary});
    for (const parameter& p : each.parameters) one.slots.push_back(slot_of(p, named, literals));
    one.gives = given_by(each);
    made.callables.push_back(std::move(one));
  }
  return made;
}

}  // namespace morph::generate
