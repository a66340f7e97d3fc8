// Ways of fields, and accessors by what Clang says that they read.
#include "plugin/explain/properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <vector>

#include "coverage/coupling/class_graph.hpp"

namespace morph::explain {
namespace {

bool is_pointer(const std::string& type) {
  return type.ends_with('*') || type.ends_with("* const") || type.ends_with("*const");
}

std::string method_of(const function_access& of) {
  const std::string whole = of.name.substr(0, of.name.rfind('('));
  return whole.substr(whole.rfind("::") == std::string::npos ? 0 : whole.rfind("::") + 2);
}

/// The class itself, and its bases: the field may be inherited.
std::vector<std::string> classes_with_fields(const project_functions& functions, const std::string& name) {
  std::vector<std::string> made{name};
  const auto above = coupling::hierarchy(functions.graph).above(name);
  made.insert(made.end(), above.begin(), above.end());
  return made;
}

struct found_accessor {
  const function_access* function = nullptr;
  bool gives = false;
  std::string of_class{};
};

found_accessor accessor_of(const std::string& field, const std::string& name, const project_functions& functions) {
  found_accessor best;
  for (const std::string& each : classes_with_fields(functions, name)) {
    const std::string whole = each + "::" + field;
    for (const auto& [signature, access] : functions.access) {
      if (!access.why_not.empty() || !access.is_constant || access.parameters > 0) continue;
      const bool gives = access.gives == whole;
      if (!gives && std::ranges::find(access.reads, whole) == access.reads.end()) continue;
      // Of those that only depend on it, a short result says more than an object.
      if (best.function == nullptr || (gives && !best.gives)) best = {&access, gives, each};
    }
  }
  return best;
}

/// What `.` and `->` may stand behind: `(*p)` of `*p`, `f(a, b)` as it is.
std::string as_operand(const std::string& expression) {
  int depth = 0;
  char quote = 0;
  bool is_plain = !expression.empty() && std::string_view("*&-+!~").find(expression.front()) == std::string_view::npos;
  for (std::size_t i = 0; i < expression.size(); ++i) {
    const char c = expression[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ' ' && depth == 0) {
      is_plain = false;
    }
  }
  return is_plain ? expression : '(' + expression + ')';
}

}  // namespace

std::string class_of_function(const std::string& function) {
  const std::string name = function.substr(0, function.find('('));
  const auto at = name.rfind("::");
  return at == std::string::npos ? std::string() : name.substr(0, at);
}

std::string class_of(const std::string& type) {
  static const std::regex noise("\\b(const|volatile|class|struct)\\b|[&*]");
  std::string made = std::regex_replace(type, noise, "");
  for (const char* const owner : {"std::unique_ptr<", "std::shared_ptr<"})
    if (const auto at = made.find(owner); at != std::string::npos) {
      made = made.substr(at + std::string(owner).size());
      made = made.substr(0, made.find_first_of(",>"));
    }
  if (const auto arguments = made.find('<'); arguments != std::string::npos) made.resize(arguments);
  std::erase(made, ' ');
  return made;
}

bool is_event(const observation::difference& of) {
  return of.property == "exception" || of.property == "invocations";
}

readable_property property_of(const observation::difference& of, const std::string& expression,
                              const project_functions& functions) {
  readable_property made;
  if (of.property.empty()) {
    made.text = expression;
    made.type = of.type;
    return made;
  }
  if (is_event(of)) return made;
  const bool by_pointer = of.property.starts_with("->") || is_pointer(of.type);
  const std::string link = by_pointer ? "->" : ".";
  std::string rest = of.property;
  rest.erase(0, rest.starts_with("->") ? 2 : rest.starts_with(".") ? 1 : 0);
  const bool is_size = rest.ends_with("size()");
  if (rest.find('[') != std::string::npos) return made;
  if (rest.empty()) {
    made.text = "*" + as_operand(expression);
    return made;
  }
  if (!of.is_private) {
    made.text = as_operand(expression) + link + rest;
    made.type = is_size ? "size_t" : std::string();
    return made;
  }
  const auto end = rest.find_first_of(".-");
  const std::string field = rest.substr(0, end), tail = end == std::string::npos ? "" : rest.substr(end);
  made.field = field;
  made.of_class = class_of(of.type);
  const found_accessor found = accessor_of(field, made.of_class, functions);
  if (found.function == nullptr) return made;
  made.accessor = found.function->name;
  made.shows_value = found.gives && (tail.empty() || tail == ".size()");
  made.text = as_operand(expression) + link + method_of(*found.function) + "()" + (made.shows_value ? tail : "");
  made.type = made.shows_value && is_size ? "size_t" : found.function->result;
  return made;
}

}  // namespace morph::explain
