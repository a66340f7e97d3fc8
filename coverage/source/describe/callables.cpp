// Writes what was found as JSON, with the reasons why some of it cannot be called.
#include "coverage/source/describe/callables.hpp"

#include <clang/AST/ASTConcept.h>
#include <clang/AST/Attr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <clang/Sema/Sema.h>

#include <nlohmann/json.hpp>

#include "coverage/source/describe/api.hpp"
#include "coverage/source/describe/classes.hpp"
#include "coverage/source/describe/nameable.hpp"
#include "coverage/source/describe/reach.hpp"
#include "coverage/source/describe/roles.hpp"
#include "coverage/source/describe/signature.hpp"
#include "coverage/source/describe/types.hpp"

namespace morph::source {
namespace {

using nlohmann::json;

struct refusal {
  std::string reason, remedy;
};

/// Only by its arguments: no declaration outside of a class has its name.
bool is_hidden_friend(const clang::FunctionDecl& function) {
  for (const auto* const each : function.redecls())
    if (each->getFriendObjectKind() == clang::Decl::FOK_None) return false;
  return true;
}

std::string remedy_of_arguments(const clang::TemplateDecl& pattern) {
  std::string arguments;
  for (const clang::NamedDecl* const each : *pattern.getTemplateParameters()) {
    const auto* const type = clang::dyn_cast<clang::TemplateTypeParmDecl>(each);
    const auto* const value = clang::dyn_cast<clang::NonTypeTemplateParmDecl>(each);
    if (type == nullptr && value == nullptr) return {};
    if (type != nullptr ? type->hasDefaultArgument() : value->hasDefaultArgument()) break;
    if (value != nullptr && !value->getType()->isIntegralOrEnumerationType()) return {};
    arguments += (arguments.empty() ? "" : ", ") + std::string(type != nullptr ? "int" : "1");
  }
  return '<' + arguments + '>';
}

class writer {
 public:
  writer(clang::Sema& sema, const file_choice& chosen, json& to)
      : sema_(sema), context_(sema.getASTContext()), chosen_(chosen), to_(to), types_(sema) {}

  void write() {
    const found_api api = api_of(context_, chosen_);
    to_["headers"] = api.headers;
    to_["includes"] = api.included_by_main;
    to_["classes"] = describe_classes(api, types_);
    for (const found_callable& each : api.callables) {
      if (each.function == nullptr)
        add_default_constructor(each);
      else if (has_its_constraints(*each.function))
        add(each, *each.function);
    }
    for (const found_template& each : api.without_instance) refuse_template(each);
    for (const unreachable_callable& each : add_levels(to_["callables"], to_["classes"], types_.types())) {
      const json& type = types_.types().at(each.type);
      const std::string name = type.at("spelled");
      refuse(to_["callables"][each.number],
             {"needs a " + name + ", which nothing makes",
              type.value("complete", true) ? "a function in a header that returns a " + name
                                           : "a source that includes the header which defines " + name});
    }
    to_["types"] = types_.take();
  }

 private:
  void add_default_constructor(const found_callable& found) {
    const std::string name = types_.use_of(types_.type_of(*found.of_class)).at("type");
    if (!to_["classes"][name].value("default", false)) return;
    json one = head_of(found, {types_.spelled(types_.type_of(*found.of_class)), found.of_class->getNameAsString()});
    one["kind"] = "constructor";
    one["implicit"] = true;
    one["signature"] = signature_of_default_constructor(*found.of_class, types_);
    one["result"] = types_.use_for_call(types_.type_of(*found.of_class));
    one["result"]["ownership"] = "value";
    to_["callables"].push_back(std::move(one));
  }

  /// What all have, with the values that most have.
  json head_of(const found_callable& found, const callable_name& name) {
    json one{{"name", name.whole()},     {"method", name.own}, {"file", found.place.file},
             {"line", found.place.line}, {"defined_in", ""},   {"parameters", json::array()}};
    for (const char* const flag : {"constant", "rvalue", "noexcept", "explicit", "implicit", "variadic"})
      one[flag] = false;
    if (found.of_class != nullptr) one["class"] = types_.use_of(types_.type_of(*found.of_class)).at("type");
    return one;
  }

  void add(const found_callable& found, const clang::FunctionDecl& function) {
    json one = head_of(found, name_of(function, found.of_class, types_));
    add_kind(function, one);
    add_qualities(function, one);
    one["signature"] = signature_of(function, one["name"], types_);
    if (const refusal why = refusal_of(function); !why.reason.empty()) return refuse(one, why);
    for (unsigned i = 0; i < function.getNumParams(); ++i) one["parameters"].push_back(parameter_of(function, i));
    add_roles(one["parameters"], types_.types());
    for (unsigned i = 0; i < function.getNumParams(); ++i) add_ownership(function, i, one);
    const bool is_constructor = one["kind"] == "constructor";
    one["result"] = types_.use_for_call(is_constructor ? types_.type_of(*found.of_class) : function.getReturnType());
    one["result"]["ownership"] =
        ownership_of(one["result"], one["method"], can_be_deleted(function.getReturnType()), types_.types());
    to_["callables"].push_back(std::move(one));
  }

  static void add_kind(const clang::FunctionDecl& function, json& one) {
    const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function);
    const bool is_static = method != nullptr && method->isStatic();
    const char* kind = method == nullptr ? "function" : is_static ? "static" : "method";
    if (clang::isa<clang::CXXConstructorDecl>(function)) kind = "constructor";
    if (clang::isa<clang::CXXConversionDecl>(function)) kind = "conversion";
    if (function.isOverloadedOperator()) {
      kind = "operator";
      one["operator"] = clang::getOperatorSpelling(function.getOverloadedOperator());
      one["member"] = method != nullptr && !is_static;
    }
    one["kind"] = kind;
  }

  void add_qualities(const clang::FunctionDecl& function, json& one) {
    if (const auto* const method = clang::dyn_cast<clang::CXXMethodDecl>(&function)) {
      one["constant"] = method->isConst();
      one["rvalue"] = method->getRefQualifier() == clang::RQ_RValue;
    }
    if (const auto* const constructor = clang::dyn_cast<clang::CXXConstructorDecl>(&function))
      one["explicit"] = constructor->isExplicit(), one["zeroing"] = !constructor->isUserProvided();
    if (const auto* const conversion = clang::dyn_cast<clang::CXXConversionDecl>(&function))
      one["explicit"] = conversion->isExplicit();
    if (const auto* const type = function.getType()->getAs<clang::FunctionProtoType>())
      one["noexcept"] = !clang::isUnresolvedExceptionSpec(type->getExceptionSpecType()) && type->isNothrow();
    one["variadic"] = function.isVariadic();
    if (is_hidden_friend(function)) one["hidden_friend"] = true;
    const auto* const pattern = function.getTemplateInstantiationPattern();
    const clang::FunctionDecl* definition = nullptr;
    if (function.isDefined(definition) || (pattern != nullptr && pattern->isDefined(definition)))
      one["defined_in"] = place_of(*definition).file;
  }

  json parameter_of(const clang::FunctionDecl& function, unsigned number) {
    const clang::ParmVarDecl& parameter = *function.getParamDecl(number);
    json one = types_.use_for_call(parameter.getType());
    one["name"] = parameter.getNameAsString();
    one["has_default"] = false;
    one["default"] = "";
    for (const auto* const each : function.redecls()) {
      const clang::ParmVarDecl& same = *each->getParamDecl(number);
      if (one["name"].get<std::string>().empty()) one["name"] = same.getNameAsString();
      if (one["has_default"] || !same.hasDefaultArg() || same.hasInheritedDefaultArg()) continue;
      one["has_default"] = true;
      one["default"] = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(same.getDefaultArgRange()),
                                                   context_.getSourceManager(), context_.getLangOpts())
                           .str();
    }
    return one;
  }

  /// Of what the function puts into a pointer of the caller's.
  void add_ownership(const clang::FunctionDecl& function, unsigned number, json& one) {
    json& parameter = one["parameters"][number];
    if (parameter.at("role") != "out" || !parameter.at("passed").get<std::string>().ends_with("_to_pointer")) return;
    json pointer = parameter;
    pointer["passed"] = "pointer";
    const bool is_deleted = can_be_deleted(function.getParamDecl(number)->getType()->getPointeeType());
    parameter["ownership"] = ownership_of(pointer, one["method"], is_deleted, types_.types());
  }

  bool can_be_deleted(clang::QualType result) {
    const clang::QualType type = result->getPointeeType();
    if (type.isNull()) return false;
    const auto* const record = type->getAsCXXRecordDecl();
    return record != nullptr && record->hasDefinition() &&
           types_.has_trait(clang::UTT_IsDestructible, {type.getUnqualifiedType()});
  }

  bool has_its_constraints(const clang::FunctionDecl& function) {
    if (!function.getTrailingRequiresClause()) return true;
    clang::ConstraintSatisfaction satisfaction;
    return !sema_.CheckFunctionConstraints(&function, satisfaction) && satisfaction.IsSatisfied;
  }

  refusal refusal_of(const clang::FunctionDecl& function) {
    if (function.isConsteval()) return {"it runs at compile time only", ""};
    if (function.isVariadic() && !has_fixed_use(function))
      return {"variadic C function without fixed use", "a function with fixed parameters that calls it"};
    for (const auto* const each : function.parameters())
      if (refusal why = refusal_of(each->getType()); !why.reason.empty()) {
        why.reason = "parameter '" + each->getNameAsString() + "': " + why.reason;
        return why;
      }
    const clang::QualType result = function.getReturnType();
    if (const auto* const record = result->getAsCXXRecordDecl(); record != nullptr && !is_whole(*record, result))
      return {"it returns the incomplete type " + types_.spelled(result), "include the header that defines it"};
    return {};
  }

  /// What follows depends on a text, if that is the last of the parameters.
  static bool has_fixed_use(const clang::FunctionDecl& function) {
    if (function.getNumParams() == 0 || function.hasAttr<clang::FormatAttr>()) return false;
    const clang::QualType last = function.getParamDecl(function.getNumParams() - 1)->getType();
    return !last->isPointerType() || !last->getPointeeType()->isAnyCharacterType();
  }

  refusal refusal_of(clang::QualType parameter) {
    if (const std::string part = unnameable_part(parameter, types_.policy()); !part.empty())
      return {"no other source can name " + part, ""};
    const json use = types_.use_for_call(parameter);
    if (!is_known(use))
      return {"it is of a kind that is not generated, " + types_.spelled(parameter),
              "a function that makes it of simpler values"};
    if (const auto* const record = parameter->getAsCXXRecordDecl()) {
      if (!is_whole(*record, parameter))
        return {"the type " + types_.spelled(parameter) + " is incomplete", "include the header that defines it"};
      if (record->isAbstract()) return {"the abstract class " + types_.spelled(parameter) + " by value", ""};
    }
    return {};
  }

  bool is_known(const json& use) const {
    const json& type = types_.types().at(use.at("type").get<std::string>());
    const std::string kind = type.at("kind");
    if (kind == "other" || kind == "raw_pointer") return false;
    for (const json& each : type.value("of", json::array()))
      if (!is_known(each)) return false;
    return true;
  }

  /// Complete in files that other sources include.
  bool is_whole(const clang::CXXRecordDecl& record, clang::QualType type) {
    if (!sema_.isCompleteType(context_.getTranslationUnitDecl()->getLocation(), type)) return false;
    return clang::isa<clang::ClassTemplateSpecializationDecl>(record) || is_in_header(*record.getDefinition());
  }

  void refuse_template(const found_template& found) {
    const clang::NamedDecl& pattern = *found.pattern;
    json one{{"name", pattern.getQualifiedNameAsString()}, {"file", found.place.file}, {"line", found.place.line}};
    const std::string name = one["name"], arguments = remedy_of_arguments(*found.pattern);
    std::string remedy = "a test that uses it";
    one["signature"] = name + arguments_of(*found.pattern);
    if (const auto* const function = clang::dyn_cast<clang::FunctionTemplateDecl>(found.pattern)) {
      const clang::FunctionDecl& templated = *function->getTemplatedDecl();
      one["signature"] = signature_of(templated, name, types_);
      const bool has_address = !templated.isOverloadedOperator() && templated.getIdentifier() != nullptr;
      if (has_address && !arguments.empty() && !is_in_pattern(pattern))
        remedy = "const auto use = &" + name + arguments + ';';
    } else if (!arguments.empty() && !is_in_pattern(pattern)) {
      remedy = "template class " + name + arguments + ';';
    }
    refuse(one, {"template without an instance", remedy});
  }

  /// The name of a member of an instance does not have the arguments of the class.
  static bool is_in_pattern(const clang::NamedDecl& of) {
    const auto* const around = clang::dyn_cast<clang::CXXRecordDecl>(of.getDeclContext());
    return around != nullptr &&
           (around->isDependentContext() || clang::isa<clang::ClassTemplateSpecializationDecl>(around));
  }

  static std::string arguments_of(const clang::TemplateDecl& pattern) {
    std::string text;
    for (const clang::NamedDecl* const each : *pattern.getTemplateParameters())
      text += (text.empty() ? "" : ", ") + each->getNameAsString();
    return '<' + text + '>';
  }

  void refuse(const json& one, const refusal& why) {
    to_["refused"].push_back({{"name", one.at("name")},
                              {"signature", one.at("signature")},
                              {"file", one.at("file")},
                              {"line", one.at("line")},
                              {"reason", why.reason},
                              {"remedy", why.remedy}});
  }

  clang::Sema& sema_;
  clang::ASTContext& context_;
  const file_choice& chosen_;
  json& to_;
  type_table types_;
};

}  // namespace

json callables_of(const unit& of, const mirrored_tree& tree, const std::vector<std::string>& options,
                  const file_choice& chosen, std::vector<parse_error>& errors) {
  json made{{"headers", json::array()},  {"includes", json::array()},  {"types", json::object()},
            {"classes", json::object()}, {"callables", json::array()}, {"refused", json::array()}};
  analyze(
      of, tree, options, [&](clang::Sema& sema) { writer(sema, chosen, made).write(); }, errors);
  return made;
}

}  // namespace morph::source
