// A table of methods in the form of code: each is one line.
#include "coverage/source/recipes/library.hpp"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace morph::source {
namespace {

using kind = known::kind;

constexpr std::size_t most_bytes = 65536;  // of a text

bool is_any_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// As a stream writes it, and as a text takes it to its end.
std::optional<std::string> written(const known& of) {
  if (of.is(kind::text)) return of.text;
  if (of.is(kind::number)) return std::to_string(of.number);
  return std::nullopt;
}

known appended(known& to, const std::optional<std::string>& text) {
  to = to.is(kind::text) && text && to.text.size() + text->size() <= most_bytes ? known::of_text(to.text + *text)
                                                                                : known();
  return to;
}

std::optional<std::string> as_characters(const known& of) {
  if (of.is(kind::number)) return std::string(1, static_cast<char>(of.number));
  return of.is(kind::text) ? std::optional(of.text) : std::nullopt;
}

std::optional<known> called_text(const std::string& method, known& receiver, const std::vector<known>& arguments) {
  const std::size_t count = arguments.size();
  if (is_any_of(method, {"c_str", "data", "str"}) && count == 0) return receiver;
  if (is_any_of(method, {"size", "length"}) && receiver.is(kind::text))
    return known::of_number(static_cast<std::int64_t>(receiver.text.size()));
  if (method == "empty" && receiver.is(kind::text)) return known::of_number(receiver.text.empty() ? 1 : 0);
  if (is_any_of(method, {"operator=", "assign"}) && count == 1)
    return receiver = arguments[0].is(kind::text) ? arguments[0] : known();
  if (is_any_of(method, {"operator+=", "append", "push_back"}) && count == 1)
    return appended(receiver, as_characters(arguments[0]));
  if (method == "operator+" && count == 1) {
    known sum =
        receiver.is(kind::number) ? known::of_text(std::string(1, static_cast<char>(receiver.number))) : receiver;
    return appended(sum, as_characters(arguments[0]));
  }
  if (method == "clear" && count == 0) return receiver = known::of_text("");
  return std::nullopt;
}

}  // namespace

library_class library_class_of(const clang::CXXRecordDecl& of) {
  if (!of.isInStdNamespace() || of.getIdentifier() == nullptr) return library_class::none;
  const std::string name = of.getName().str();
  if (is_any_of(name, {"basic_string", "basic_string_view"})) return library_class::text;
  if (is_any_of(name, {"basic_istringstream", "basic_stringstream", "basic_ostringstream"}))
    return library_class::stream;
  if (is_any_of(name, {"vector", "list", "deque", "set", "map", "unordered_map", "unordered_set", "multimap",
                       "multiset", "pair", "tuple", "array", "initializer_list"}))
    return library_class::list;
  if (is_any_of(name, {"unique_ptr", "shared_ptr", "auto_ptr"})) return library_class::owner;
  return library_class::none;
}

bool is_handed_on(const clang::FunctionDecl& function) {
  return function.isInStdNamespace() && function.getNumParams() == 1 && function.getIdentifier() != nullptr &&
         is_any_of(function.getName().str(),
                   {"move", "forward", "addressof", "ref", "cref", "as_const", "__addressof"});
}

known constructed(library_class of, const std::vector<known>& arguments) {
  const std::size_t count = arguments.size();
  const auto is_number = [&](std::size_t i) { return arguments[i].is(kind::number) && arguments[i].number >= 0; };
  switch (of) {
    case library_class::text:
      if (count == 2 && arguments[0].is(kind::text) && is_number(1))
        return known::of_text(arguments[0].text.substr(0, static_cast<std::size_t>(arguments[1].number)));
      if (count == 2 && is_number(0) && arguments[1].is(kind::number) &&
          arguments[0].number <= static_cast<std::int64_t>(most_bytes))
        return known::of_text(
            std::string(static_cast<std::size_t>(arguments[0].number), static_cast<char>(arguments[1].number)));
      [[fallthrough]];
    case library_class::stream:
      if (count == 0) return known::of_text("");
      return arguments[0].is(kind::text) && (count == 1 || of == library_class::stream) ? arguments[0] : known();
    case library_class::list:
      if (count == 0) return known::of_list({});
      if (count == 1) return arguments[0].is(kind::list) ? arguments[0] : known();
      return known::of_list(arguments);
    case library_class::owner:
      return count >= 1 && arguments[0].is(kind::result) ? arguments[0] : known();
    case library_class::none:
      break;
  }
  return {};
}

std::optional<known> counted(const clang::CXXConstructorDecl& constructor, const std::vector<known>& arguments) {
  constexpr std::int64_t most_elements = 64;
  const clang::CXXRecordDecl& record = *constructor.getParent();
  const auto* const instance = clang::dyn_cast<clang::ClassTemplateSpecializationDecl>(&record);
  if (instance == nullptr || arguments.empty() || constructor.getNumParams() == 0 ||
      !is_any_of(record.getName().str(), {"vector", "list", "deque"}))
    return std::nullopt;
  // Two iterators are no elements either.
  if (!constructor.getParamDecl(0)->getType()->isIntegerType())
    return constructor.getPrimaryTemplate() != nullptr ? std::optional(known()) : std::nullopt;
  if (!arguments[0].is(kind::number) || arguments[0].number < 0 || arguments[0].number > most_elements) return known();
  known element;
  const clang::QualType type = instance->getTemplateArgs()[0].getAsType();
  const auto* const held = type->getAsCXXRecordDecl();
  if (arguments.size() > 1)
    element = arguments[1];
  else if (type->isIntegerType())
    element = known::of_number(0);
  else if (type->isFloatingType())
    element = known::of_real(0);
  else if (held != nullptr && library_class_of(*held) == library_class::text)
    element = known::of_text("");
  return known::of_list(std::vector<known>(static_cast<std::size_t>(arguments[0].number), element));
}

bool is_map(const clang::CXXRecordDecl& of) {
  return of.isInStdNamespace() && of.getIdentifier() != nullptr &&
         is_any_of(of.getName().str(), {"map", "unordered_map"});
}

bool set_element(known& list, const known& at, known value) {
  if (!at.is(kind::number) || static_cast<std::size_t>(at.number) >= list.elements.size()) return false;
  list.elements[static_cast<std::size_t>(at.number)] = std::move(value);
  return true;
}

std::optional<known> called(library_class of, const std::string& method, known& receiver,
                            const std::vector<known>& arguments) {
  const std::size_t count = arguments.size();
  switch (of) {
    case library_class::text:
      return called_text(method, receiver, arguments);
    case library_class::stream:
      if (method == "str" && count == 0) return receiver;
      if (method == "str" && count == 1) return receiver = arguments[0].is(kind::text) ? arguments[0] : known();
      if (method == "operator<<" && count == 1) return appended(receiver, written(arguments[0]));
      return std::nullopt;
    case library_class::list:
      if (!receiver.is(kind::list)) return std::nullopt;
      if (is_any_of(method, {"push_back", "emplace_back", "insert"}) && count == 1) {
        receiver.elements.push_back(arguments[0]);
        return known();
      }
      if (method == "size" && count == 0) return known::of_number(static_cast<std::int64_t>(receiver.elements.size()));
      if (is_any_of(method, {"operator[]", "at"}) && count == 1 && arguments[0].is(kind::number) &&
          static_cast<std::size_t>(arguments[0].number) < receiver.elements.size())
        return receiver.elements[static_cast<std::size_t>(arguments[0].number)];
      return std::nullopt;
    case library_class::owner:
      if (is_any_of(method, {"get", "operator->", "operator*", "release"}) && count == 0) return receiver;
      if (is_any_of(method, {"reset", "operator="}) && count <= 1)
        return receiver = count == 1 ? arguments[0] : known::of_null();
      return std::nullopt;
    case library_class::none:
      break;
  }
  return std::nullopt;
}

}  // namespace morph::source
