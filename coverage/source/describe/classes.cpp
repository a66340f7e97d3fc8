// Traits, bases and pure functions of classes.
#include "coverage/source/describe/classes.hpp"

#include <clang/AST/Attr.h>
#include <clang/AST/CXXInheritance.h>
#include <clang/Basic/Version.h>

#include <set>

#include "coverage/source/describe/nameable.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

bool is_pure(const clang::CXXMethodDecl& method) {
#if CLANG_VERSION_MAJOR >= 18
  return method.isPureVirtual();
#else
  return method.isPure();
#endif
}

bool is_nothrow(const clang::FunctionDecl& function) {
  const auto* const type = function.getType()->getAs<clang::FunctionProtoType>();
  return type != nullptr && !clang::isUnresolvedExceptionSpec(type->getExceptionSpecType()) && type->isNothrow();
}

std::vector<const clang::CXXMethodDecl*> pure_functions_of(const clang::CXXRecordDecl& record) {
  std::vector<const clang::CXXMethodDecl*> found;
  clang::CXXFinalOverriderMap overriders;
  record.getFinalOverriders(overriders);
  std::set<const clang::CXXMethodDecl*> seen;
  for (const auto& [method, by_base] : overriders)
    for (const auto& [base, finals] : by_base)
      for (const auto& last : finals)
        if (is_pure(*last.Method) && !clang::isa<clang::CXXDestructorDecl>(*last.Method) &&
            seen.insert(last.Method).second)
          found.push_back(last.Method);
  return found;
}

/// A class derived from it can be made and destroyed without arguments.
bool is_open_to_stubs(const clang::CXXRecordDecl& record) {
  if (!record.isAbstract() || record.isEffectivelyFinal()) return false;
  const auto* const destructor = record.getDestructor();
  if (destructor != nullptr && (destructor->getAccess() == clang::AS_private || destructor->isDeleted())) return false;
  if (!record.hasUserDeclaredConstructor()) return true;
  for (const auto* const each : record.ctors())
    if (each->getMinRequiredArguments() == 0 && each->getAccess() != clang::AS_private && !each->isDeleted())
      return true;
  return false;
}

class class_describer {
 public:
  class_describer(const found_api& api, type_table& types) : api_(api), types_(types) {}

  json take() {
    for (const found_class& each : api_.classes) add(each);
    for (const found_callable& each : api_.callables)
      if (each.of_class != nullptr && is_making(each)) add_to_bases(*each.of_class, name_of(*each.of_class));
    return std::move(made_);
  }

 private:
  std::string name_of(const clang::CXXRecordDecl& record) { return types_.use_of(types_.type_of(record)).at("type"); }

  void add(const found_class& found) {
    const clang::CXXRecordDecl& record = *found.definition;
    const clang::QualType type = types_.type_of(record);
    const std::string name = name_of(record);
    json& to = made_[name];
    to = {{"name", name},
          {"spelled", types_.spelled(type)},
          {"file", found.place.file},
          {"defined_in", place_of(record).file},
          {"line", found.place.line},
          {"bases", json::array()},
          {"derived", json::array()},
          {"pure", json::array()},
          {"abstract", record.isAbstract()},
          {"polymorphic", record.isPolymorphic()},
          {"final", record.isEffectivelyFinal()},
          {"union", record.isUnion()},
          {"default", types_.types().at(name).value("default", false)},
          {"copyable", types_.types().at(name).value("copyable", false)},
          {"movable", types_.has_trait(clang::TT_IsConstructible, {type, types_.rvalue_of(type)})},
          {"destructible", types_.has_trait(clang::UTT_IsDestructible, {type})},
          {"trivially_destructible", record.hasTrivialDestructor()},
          {"is_template_instance", clang::isa<clang::ClassTemplateSpecializationDecl>(record)}};
    for (const auto& base : record.bases())
      if (const auto* const of = base.getType()->getAsCXXRecordDecl();
          of != nullptr && base.getAccessSpecifier() == clang::AS_public)
        to["bases"].push_back(name_of(*of));
    if (!record.isAbstract()) return;
    bool is_possible = is_open_to_stubs(record);
    for (const auto* const each : pure_functions_of(record)) {
      is_possible = is_possible && can_be_stubbed(*each);
      made_[name]["pure"].push_back(described(*each));
    }
    made_[name]["stub"] = is_possible;
  }

  bool can_be_stubbed(const clang::CXXMethodDecl& method) {
    if (!unnameable_part(method.getType(), types_.policy()).empty()) return false;
    const json result = types_.use_for_call(method.getReturnType());
    const std::string passed = result.at("passed"), kind = types_.types().at(result.at("type")).at("kind");
    if (passed.ends_with("pointer")) return true;
    if (passed == "value" && (kind == "void" || kind == "raw_pointer")) return true;
    return kind != "other" && kind != "void" && kind != "istream" && kind != "ostream" &&
           (kind != "record" || types_.types().at(result.at("type")).value("default", false));
  }

  json described(const clang::CXXMethodDecl& method) {
    json parameters = json::array();
    std::string text = types_.spelled(method.getReturnType()) + ' ' + method.getNameAsString() + '(';
    for (const auto* const each : method.parameters()) {
      const std::string spelled = types_.spelled(each->getType());
      text += (parameters.empty() ? "" : ", ") + spelled;
      parameters.push_back({{"written", spelled}, {"name", each->getNameAsString()}});
    }
    text += method.isConst() ? ") const" : ")";
    if (is_nothrow(method)) text += " noexcept";
    return {{"signature", text},
            {"name", method.getNameAsString()},
            {"result", types_.use_for_call(method.getReturnType())},
            {"parameters", std::move(parameters)},
            {"constant", method.isConst()},
            {"noexcept", is_nothrow(method)},
            {"rvalue", method.getRefQualifier() == clang::RQ_RValue},
            {"lvalue", method.getRefQualifier() == clang::RQ_LValue}};
  }

  bool is_making(const found_callable& each) {
    if (each.function == nullptr) return made_.value(name_of(*each.of_class), json::object()).value("default", false);
    const auto* const constructor = clang::dyn_cast<clang::CXXConstructorDecl>(each.function);
    return constructor != nullptr && !constructor->isCopyOrMoveConstructor();
  }

  void add_to_bases(const clang::CXXRecordDecl& record, const std::string& name) {
    for (const auto& base : record.bases()) {
      const auto* const of = base.getType()->getAsCXXRecordDecl();
      if (of == nullptr || base.getAccessSpecifier() != clang::AS_public || of->getDefinition() == nullptr) continue;
      if (const auto to = made_.find(name_of(*of)); to != made_.end()) {
        json& derived = (*to)["derived"];
        if (std::ranges::find(derived, json(name)) == derived.end()) derived.push_back(name);
      }
      add_to_bases(*of->getDefinition(), name);
    }
  }

  const found_api& api_;
  type_table& types_;
  json made_ = json::object();
};

}  // namespace

json describe_classes(const found_api& api, type_table& types) {
  return class_describer(api, types).take();
}

}  // namespace morph::source
